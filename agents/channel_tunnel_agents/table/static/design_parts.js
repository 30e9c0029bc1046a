// What the parts of the designer's page share: its buttons, and which of its three large parts is shown.

import { byId, press } from "./dom.js";

const LARGE = ["numbers", "reader", "comparison"];

export function button(words, label, act) {
  const made = press(words, "", act);
  made.setAttribute("aria-label", label);
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

const time = (seconds) => (seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`);

// How far a job is: the bar and the note of its box. `leftOf`: of what the time left is, where not of all.
export function drawProgress(box, { seconds, progress: { stage, done, total, left } }, leftOf = "") {
  const bar = box.querySelector("progress");
  if (total) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute("value");
  const words = [stage ?? "starting", total ? `${Math.min(100, Math.round((100 * done) / total))} %` : "",
    left ? `about ${time(left)} left${leftOf}` : "", `${time(seconds)} so far`];
  box.querySelector(".note").textContent = words.filter(Boolean).join(", ");
}

// Show one of the large parts; where it stands below what is seen, go there.
export function show(wanted) {
  for (const id of LARGE) byId(id).hidden = id !== wanted;
  window.scrollTo(0, 0);
  const title = byId(`${wanted}-title`);
  title?.focus({ preventScroll: true });
  if (title && byId(wanted).getBoundingClientRect().top > window.innerHeight / 2) byId(wanted).scrollIntoView();
}
