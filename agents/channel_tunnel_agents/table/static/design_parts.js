// What the parts of the designer's page share: its buttons, and which of its three large parts is shown.

import { ask } from "./api.js";
import { byId, element, press } from "./dom.js";

const POLL = 700; // milliseconds between looks at what runs
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

// The box of something that runs: its bar, and a note beside its buttons.
export function fillProgress(box, name, ...buttons) {
  const bar = element("progress", "");
  bar.setAttribute("aria-label", `Progress of the ${name}`);
  box.replaceChildren(bar, element("div", "row", element("span", "note"), ...buttons));
}

export const pause = () => new Promise((done) => { setTimeout(done, POLL); });

// A part of the page, made of what it is given: functions that it calls, and its names.
export class Part {
  // onError(error): of an attempt.
  constructor(given) {
    Object.assign(this, given);
  }

  attempt(work) {
    work().catch(this.onError);
  }
}

// A job of the server that is watched until it ends, in this tab or another: its progress, with a button that stops it.
// path: that the server has it under; name: "training"; id: of its box; starter: of the button that rests meanwhile;
// stop: what the stopping button says, stopping: what happens then; onEnd(job).
export class Job extends Part {
  follow() {
    if (this.following) return;
    this.following = true;
    const box = byId(this.id);
    this.attempt(async () => {
      try {
        for (;;) {
          const job = await ask(this.path);
          if (job.state === "failed") throw new Error(job.error);
          if (job.state !== "running") return this.onEnd(job);
          this.draw(box, job);
          await pause();
        }
      } finally {
        this.following = false;
        box.hidden = true;
        box.replaceChildren();
        byId(this.starter).disabled = false;
      }
    });
  }

  draw(box, job) {
    byId(this.starter).disabled = true;
    if (!box.firstElementChild) {
      const stop = button(this.stop, `Stop the ${this.name} and keep what it has`, () => this.attempt(() => ask(`${this.path}/stop`, {})));
      stop.id = `stop-${this.id}`;
      fillProgress(box, this.name, stop);
    }
    box.hidden = false;
    byId(`stop-${this.id}`).disabled = job.stopping;
    drawProgress(box, job, this.leftOf);
    if (job.stopping) box.querySelector(".note").textContent = this.stopping;
  }
}

// Show one of the large parts; where it stands below what is seen, go there.
export function show(wanted) {
  for (const id of LARGE) byId(id).hidden = id !== wanted;
  window.scrollTo(0, 0);
  const title = byId(`${wanted}-title`);
  title?.focus({ preventScroll: true });
  if (title && byId(wanted).getBoundingClientRect().top > window.innerHeight / 2) byId(wanted).scrollIntoView();
}
