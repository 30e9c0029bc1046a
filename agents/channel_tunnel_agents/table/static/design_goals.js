// Targets of the draft, the numbers that may change for them, and the search for such numbers. Fills goals.

import { byId, element } from "./dom.js";
import { ask } from "./api.js";
import { button, Job } from "./design_parts.js";

const CLOCKS = ["rounds", "turns"]; // measures of a game's length
const STEP = 2; // how far from its value a number may change at first

// What is typed, as a number; what is none is sent as it is, and refused.
const read = (text) => (text === "" ? null : /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : text);

// The ranges whose names are known.
const ranges = (found, known) => Object.fromEntries(Object.entries(found).filter(([name]) => known.has(name)).map(([name, ends]) => [name, ends.map(read)]));

export class Goals {
  // wish(): the draft; wanted(): its targets and figures, which are changed here; keep(): keep them; onOpen(found): a
  // result is to be the draft; onError(error); say(words).
  constructor({ wish, wanted, keep, onOpen, onError, say }) {
    Object.assign(this, { wish, wanted, keep, onOpen, onError, say, aims: new Map(), figures: new Map() });
    this.job = new Job({ path: "design/search", id: "searching", starter: "find", name: "search", stop: "Stop and keep the best", stopping: "stopping, and checking the best so far", leftOf: " of this part", onEnd: (job) => this.ended(job), onError });
    byId("find").addEventListener("click", () => this.start().catch(onError));
    byId("add-figure").addEventListener("change", () => this.add(byId("add-figure").value));
    byId("own-form").addEventListener("submit", (event) => { event.preventDefault(); this.addOwn().catch(onError); });
  }

  // A draft is open, on a base that offers this.
  fill({ figures, searchers, choices, usual, measures }) {
    this.figures = new Map(figures.map((figure) => [figure.key, figure]));
    byId("add-figure").replaceChildren(new Option("Add a number", ""), ...figures.map(({ key, name }) => new Option(name, key)));
    byId("searcher").replaceChildren(...searchers.map(({ agent, name }) => new Option(name, agent)));
    for (const [id, offered] of Object.entries(choices)) {
      const select = byId(`search-${id}`), value = select.value || usual[id];
      select.replaceChildren(...offered.map((one) => new Option(one)));
      select.value = value;
    }
    const clock = measures.find(({ name }) => CLOCKS.includes(name));
    byId("own-measure").placeholder = clock ? `${clock.name} > 8` : "";
    byId("own-names").replaceChildren(...measures.flatMap(({ name, title }) => [element("dt", "", name), element("dd", "", title)]));
    this.aims.clear(); // they come with what the server says of the draft
    this.drawFigures();
    byId("goals").open ||= Object.values(this.wanted()).some((found) => Object.keys(found).length);
  }

  // What the draft may have targets for, and the latest search.
  show(aims, job) {
    byId("goals").hidden = !aims.length;
    if (JSON.stringify(aims) !== JSON.stringify([...this.aims.values()])) this.drawAims(aims);
    if (job.state === "running") this.follow();
    else if (job.result) this.draw(job.result);
  }

  drawAims(aims) {
    this.aims = new Map(aims.map((aim) => [aim.name, aim]));
    byId("aims").replaceChildren(...aims.map(({ name, title, unit, own }) => {
      const { targets } = this.wanted(), inUnit = (words) => (unit === "%" ? `${words}, %` : words);
      if (!own) return this.range(targets, name, inUnit(title));
      const remove = button("Remove", `Remove ${name}`, () => { delete targets[name]; this.keep(); this.drawAims(aims.filter((aim) => aim.name !== name)); });
      return this.range(targets, name, inUnit(name), element("small", "", title), remove);
    }));
  }

  async addOwn() {
    const box = byId("own-measure"), expression = box.value.trim();
    if (!expression) return;
    const aim = await ask("design/measure", { ...this.wish(), expression });
    box.value = "";
    if (!this.aims.has(aim.name)) {
      this.wanted().targets[aim.name] ??= ["", ""];
      this.keep();
      this.drawAims([...this.aims.values(), aim]);
    }
    byId("aims").children[[...this.aims.keys()].indexOf(aim.name)].querySelector("input").focus();
  }

  drawFigures() {
    const { figures } = this.wanted();
    byId("figures").replaceChildren(...Object.keys(figures).filter((key) => this.figures.has(key)).map((key) => {
      const { name, min, max } = this.figures.get(key);
      const remove = button("Remove", `Remove ${name}`, () => { delete figures[key]; this.changed(); });
      return this.range(figures, key, name, element("small", "", `${min} to ${max}`), remove);
    }));
  }

  // From and to of one thing in a draft's ranges.
  range(found, key, title, ...more) {
    const ends = ["from", "to"].map((end, i) => {
      const made = Object.assign(document.createElement("input"), { inputMode: "decimal", value: found[key]?.[i] ?? "", placeholder: end });
      made.setAttribute("aria-label", `${title}: ${end}`);
      return made;
    });
    for (const end of ends) {
      end.addEventListener("input", () => {
        found[key] = ends.map(({ value }) => value.trim());
        if (!more.length && !found[key].some(Boolean)) delete found[key];
        this.keep();
      });
    }
    return element("div", "range", element("span", "what", title, ...more.slice(0, 1)), ...ends, ...more.slice(1));
  }

  add(key) {
    byId("add-figure").value = "";
    const { min, max, field, value } = this.figures.get(key), { changes } = this.wish(), place = Number(key.slice(field.length + 1));
    const own = changes[field] ?? value, now = Number((Array.isArray(own) ? own[place] : own) ?? min);
    this.wanted().figures[key] ??= [Math.max(min, now - STEP), Math.min(max, now + STEP)].map(String);
    this.changed();
    byId("figures").lastElementChild.querySelector("input").focus();
  }

  changed() {
    this.keep();
    this.drawFigures();
  }

  async start() {
    const { targets, figures } = this.wanted();
    const [trials, deals] = ["trials", "deals"].map((id) => Number(byId(`search-${id}`).value));
    try {
      await ask("design/search", { ...this.wish(), targets: ranges(targets, this.aims), figures: ranges(figures, this.figures), player: byId("searcher").value, trials, deals });
    } catch (error) {
      if (error.status === 409) this.follow(); // of another tab
      throw error;
    }
    this.follow();
  }

  follow() {
    byId("goals").open = true;
    byId("found").hidden = true;
    this.job.follow();
  }

  ended({ result }) {
    this.say(result ? `The search is over. ${result.words}` : "The search was stopped before a setting was tried.");
    if (!result) return;
    this.draw(result);
    byId("found").scrollIntoView({ block: "nearest" });
  }

  draw(found) {
    const told = found.told.length ? [element("ul", "told", ...found.told.map((line) => element("li", "", line)))] : [];
    const open = button("Open as draft", "Open what was found as the draft", () => this.onOpen(found).catch(this.onError));
    open.id = "open-found";
    byId("found").replaceChildren(element("strong", "", found.words), ...told, ...found.targets.map(({ title, wanted, found: value, status, met }) => element("p", met ? "" : "missed",
      `${title}: ${value}. Wanted: ${wanted}; ${status}.`)),
    element("p", "note", `On ${found.base}. ${found.player} played every seat; ${found.settings} settings were tried, and these figures come from ${found.deals.toLocaleString("en")} other deals.`), open);
    byId("found").hidden = false;
  }
}
