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

export function press(words, className, act = () => {}) {
  const button = element("button", className, words);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

// A file for the person at the browser.
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
