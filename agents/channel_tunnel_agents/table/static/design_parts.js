// What the parts of the designer's page share: its buttons, and which of its three large parts is shown.

import { byId, element } from "./dom.js";

const LARGE = ["numbers", "reader", "comparison"];

export function button(words, label, act) {
  const made = element("button", "", words);
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

// Deletes at the second press.
export function deleter(what, act) {
  const made = button("Delete", `Delete ${what}`, () => {
    if (made.dataset.armed) return void act();
    made.dataset.armed = "1";
    made.textContent = "Really?";
    made.setAttribute("aria-label", `Really delete ${what}`);
  });
  return made;
}

// Show one of the large parts; where it stands below what is seen, go there.
export function show(wanted) {
  for (const id of LARGE) byId(id).hidden = id !== wanted;
  window.scrollTo(0, 0);
  const title = byId(`${wanted}-title`);
  title?.focus({ preventScroll: true });
  if (title && byId(wanted).getBoundingClientRect().top > window.innerHeight / 2) byId(wanted).scrollIntoView();
}
