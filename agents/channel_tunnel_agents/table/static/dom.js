// Elements of a page: found by their id, made with their content.

export const byId = (id) => document.getElementById(id);

export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== null && part !== undefined));
  return made;
}

export function shape(tag, attributes, text = undefined) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// What a button says, with the key that does the same; it is not shown where there is no keyboard.
export const withKey = (words, key) => [words, element("span", "key", ` (${key})`)];

export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

// words: of a button, or several parts of it.
export function press(words, className, act = () => {}) {
  const button = element("button", className, ...[words].flat());
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

// Something is pointed at, by hand or by the keyboard, and not any more.
export function whilePointed(button, act, end) {
  for (const name of ["focus", "pointerenter"]) button.addEventListener(name, act);
  for (const name of ["blur", "pointerleave"]) button.addEventListener(name, end);
}

// What was wrong, in the box for it; "" where nothing is.
export function showError(box, message) {
  box.textContent = message;
  box.hidden = !message;
}

export const optionGroup = (label, options) => Object.assign(element("optgroup", "", ...options), { label });

// What there is to choose from; the choice stays where it can, and is the first one elsewhere.
export function fillSelect(select, options) {
  const { value } = select;
  select.replaceChildren(...options);
  choose(select, value);
}

export function choose(select, value) {
  const { options } = select;
  select.value = [...options].some((one) => one.value === value) ? value : options[0].value;
}

// A file for the person at the browser.
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
