// What the players of a draft make of it, and a policy that is trained for the draft. Fills player-of.

import { byId } from "./dom.js";
import { ask } from "./api.js";
import { Job, Part } from "./design_parts.js";

const CALM = 1500; // milliseconds without a change until a draft's players are tested

export class Tuning extends Part {
  // wish(): the draft; onBest(best): who plays it best is another now; say(words).
  constructor(given) {
    super(given);
    this.number = 0; // of the draft that is shown
    this.job = new Job({ path: "design/tuning", id: "tuning", starter: "tune", name: "training", stop: "Stop and keep it", stopping: "stopping, and keeping what it has learnt", onEnd: (job) => this.ended(job), onError: this.onError });
    byId("tune").addEventListener("click", () => this.attempt(() => this.start()));
  }

  offer({ choices, usual }) {
    byId("decisions").replaceChildren(...choices.map((decisions) => new Option(decisions.toLocaleString("en"), decisions)));
    byId("decisions").value = usual;
  }

  // The draft that is open has this best player; its test begins once the draft is left in peace.
  show(best, job = {}) {
    const number = ++this.number;
    this.tell(best);
    clearTimeout(this.timer);
    if (best.tunable && !best.tested) this.timer = setTimeout(() => this.attempt(() => this.test(number)), CALM);
    if (job.state === "running") this.job.follow();
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

  tell({ name, tunable, decisions, tested }) {
    byId("player-of").hidden = !tunable;
    byId("player-of").classList.toggle("doubtful", Boolean(tested) && !tested.trusted);
    const lines = tested ? tested.words : [`${name} plays these rules. The players will meet in a moment.`];
    byId("player-words").textContent = lines.join(" ");
    byId("tune").textContent = decisions ? "Train it for longer" : "Train a policy for these rules";
    byId("tune").title = `The policy learns only these rules, and reports ask it. ${decisions ? `It has had ${decisions.toLocaleString("en")} decisions.` : ""}`.trim();
    byId("tune").classList.toggle("main", Boolean(tested) && !tested.trusted);
  }

  async test(number) {
    const best = await ask("design/test", this.wish());
    if (number !== this.number) return;
    this.tell(best);
    this.onBest(best);
  }

  async start() {
    await ask("design/tuning", { ...this.wish(), decisions: Number(byId("decisions").value) });
    this.job.follow();
  }

  async ended({ stopping }) {
    this.say(stopping ? "The training was stopped; what the policy has learnt is kept." : "The policy is trained.");
    const number = ++this.number;
    byId("player-words").textContent = "The players meet again.";
    await this.test(number);
  }
}
