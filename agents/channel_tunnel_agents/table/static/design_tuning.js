// Whether the player of a draft plays it well, and a copy of it that is tuned on the draft. Fills player-of.

import { byId, element } from "./dom.js";
import { ask } from "./api.js";
import { button, drawProgress } from "./design_parts.js";

const POLL = 700; // milliseconds between looks at a copy that is being tuned
const CALM = 1500; // milliseconds without a change until a draft's player is tested

export class Tuning {
  // wish(): the draft; onBest(best): who plays it best is another now; onError(error); say(words).
  constructor({ wish, onBest, onError, say }) {
    Object.assign(this, { wish, onBest, onError, say });
    this.number = 0; // of the draft that is shown
    byId("tune").addEventListener("click", () => this.attempt(() => this.start()));
  }

  offer({ choices, usual }) {
    byId("minutes").replaceChildren(...choices.map((minutes) => new Option(minutes)));
    byId("minutes").value = usual;
  }

  attempt(work) {
    work().catch(this.onError);
  }

  // The draft that is open has this best player; its test begins once the draft is left in peace.
  show(best, job = {}) {
    const number = ++this.number;
    this.tell(best);
    clearTimeout(this.timer);
    if (best.tunable && !best.tested) this.timer = setTimeout(() => this.attempt(() => this.test(number)), CALM);
    if (job.state === "running") this.follow();
  }

  // The draft is being changed: what it will be may not be allowed.
  wait() {
    ++this.number;
    clearTimeout(this.timer);
  }

  // Nothing is known of a draft whose values are not allowed.
  hide() {
    this.wait();
    byId("player-of").hidden = true;
  }

  tell({ name, tunable, minutes, tested }) {
    byId("player-of").hidden = !tunable;
    byId("player-of").classList.toggle("doubtful", Boolean(tested) && !tested.trusted);
    const lines = tested ? tested.words : [`${name} plays these rules. How well it does will be tested in a moment.`];
    byId("player-words").textContent = lines.join(" ");
    byId("tune").textContent = minutes ? "Tune it longer" : "Tune a copy now";
    byId("tune").title = `The copy learns these rules alone, plays them best and judges them in reports. ${minutes ? `It has learnt for ${Math.max(1, Math.round(minutes))} minutes.` : ""}`.trim();
    byId("tune").classList.toggle("main", Boolean(tested) && !tested.trusted);
  }

  async test(number) {
    const best = await ask("design/test", this.wish());
    if (number !== this.number) return;
    this.tell(best);
    this.onBest(best);
  }

  async start() {
    await ask("design/tuning", { ...this.wish(), minutes: Number(byId("minutes").value) });
    this.follow();
  }

  // Watch the copy that is tuned until that ends.
  follow() {
    if (this.following) return;
    this.following = true;
    this.attempt(async () => {
      try {
        for (;;) {
          const job = await ask("design/tuning");
          if (job.state !== "running") return this.ended(job);
          this.draw(job);
          await new Promise((done) => { setTimeout(done, POLL); });
        }
      } finally {
        this.following = false;
        byId("tuning").hidden = true;
        byId("tuning").replaceChildren();
        byId("tune").disabled = false;
      }
    });
  }

  draw(job) {
    const box = byId("tuning");
    byId("tune").disabled = true;
    if (!box.firstElementChild) {
      const bar = element("progress", "");
      bar.setAttribute("aria-label", "Progress of the tuning");
      const stop = button("Stop and keep it", "Stop the tuning and keep what the copy has learnt", () => this.attempt(() => ask("design/tuning/stop", {})));
      stop.id = "stop-tuning";
      box.replaceChildren(bar, element("div", "row", element("span", "note"), stop));
    }
    box.hidden = false;
    byId("stop-tuning").disabled = job.stopping;
    drawProgress(box, job);
    if (job.stopping) box.querySelector(".note").textContent = "stopping, and keeping what it has learnt";
  }

  async ended({ state, error, stopping }) {
    if (state === "failed") throw new Error(error);
    this.say(stopping ? "The tuning was stopped; what the copy has learnt is kept." : "The copy is tuned.");
    const number = ++this.number;
    byId("player-words").textContent = "The copy is being tested.";
    await this.test(number);
  }
}
