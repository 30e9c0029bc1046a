// Elements of a page: found by their id, made with their content.

export const byId = (id) => document.getElementById(id);

export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== null && part !== undefined));
  return made;
}

// What a button says, with the key that does the same; it is not shown where there is no keyboard.
export const withKey = (words, key) => [words, element("span", "key", ` (${key})`)];

export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
