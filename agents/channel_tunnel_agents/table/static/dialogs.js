// The dialogs: a new game (also from a position or a fork) and a replay. They collect; table.js acts.

const PERSON = "person";

const byId = (id) => document.getElementById(id);

function option(value, words = value) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = words;
  return made;
}

function wireCancel(dialog) {
  for (const button of dialog.querySelectorAll(".cancel")) button.addEventListener("click", () => dialog.close());
}

function showError(box, message) {
  box.textContent = message;
  box.hidden = !message;
}

// A choice as a card to press: its name, and a line about it.
function choice(group, value, name, words) {
  const label = document.createElement("label");
  label.className = `card ${value}`;
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: group, value });
  const title = document.createElement("strong");
  title.textContent = name;
  const line = document.createElement("span");
  line.textContent = words;
  label.append(input, title, line);
  return label;
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const KEPT = "last-choice"; // side and rival of the last game, in this browser

// Two choices, side and rival, which set the two seats under Advanced; the seats are what is sent.
export class NewDialog {
  constructor(offers, onStart, onReplay) {
    this.offers = offers;
    this.dialog = byId("new-dialog");
    this.form = byId("new-form");
    this.fork = null;
    const fields = this.form.elements;
    for (const r of offers.rulesets) fields.ruleset.append(option(r.name, r.name === r.title ? r.name : `${r.name}: ${r.title}`));
    if (offers.rulesets.some((r) => r.name === "standard")) fields.ruleset.value = "standard";
    for (const level of offers.levels) byId("level-choice").append(choice("level", level.agent, level.name, level.words));
    for (const side of ["britain", "france"]) byId("side-choice").append(choice("side", side, capital(side), ""));
    fields.ruleset.addEventListener("change", () => this.followRuleset());
    for (const name of ["britain", "france"]) fields[name].addEventListener("change", () => this.followSeats());
    for (const name of ["side-choice", "level-choice"]) byId(name).addEventListener("change", () => this.followChoice());
    this.followRuleset();
    this.recall();
    this.followChoice();
    fields.open.addEventListener("change", () => { this.openWished = fields.open.checked; });
    byId("to-replay").addEventListener("click", () => { this.dialog.close(); onReplay(); });
    wireCancel(this.dialog);
    this.form.addEventListener("submit", async (event) => {
      event.preventDefault();
      showError(byId("new-error"), "");
      try {
        await onStart(await this.read());
        this.dialog.close();
      } catch (error) {
        showError(byId("new-error"), error.message);
      }
    });
  }

  recall() {
    const fields = this.form.elements;
    const [side, level] = (localStorage.getItem(KEPT) ?? "").split(" ");
    fields.side.value = side === "france" ? "france" : "britain";
    fields.level.value = this.offers.levels.some((l) => l.agent === level) ? level : this.offers.levels[0]?.agent ?? "";
  }

  followRuleset() {
    const rules = this.offers.rulesets.find((r) => r.name === this.form.elements.ruleset.value);
    byId("goal").replaceChildren(...rules.goal.flatMap((line, i) => (i ? [document.createElement("br"), line] : [line])));
    for (const [side, words] of Object.entries(rules.sides)) byId("side-choice").querySelector(`.${side} span`).textContent = words;
    this.fillAgents(rules);
  }

  fillAgents(rules) {
    const fields = this.form.elements;
    fields.agenda.checked = rules.agenda;
    for (const side of ["britain", "france"]) {
      const before = fields[side].value || PERSON;
      fields[side].replaceChildren(option(PERSON, "a person"));
      for (const agent of this.offers.agents) {
        const stranger = rules.frozen.includes(agent) ? " (trained for other rules)" : "";
        fields[side].append(option(agent, agent + stranger));
      }
      fields[side].value = before;
    }
  }

  followChoice() {
    const fields = this.form.elements;
    if (!fields.side.value || !fields.level.value) return;
    const rival = fields.side.value === "britain" ? "france" : "britain";
    fields[fields.side.value].value = PERSON;
    fields[rival].value = fields.level.value;
    localStorage.setItem(KEPT, `${fields.side.value} ${fields.level.value}`);
    this.explainSeats();
  }

  // Seats set under Advanced: the choices show them where they can.
  followSeats() {
    const fields = this.form.elements;
    const seats = { britain: fields.britain.value, france: fields.france.value };
    const [mine, ...more] = Object.keys(seats).filter((side) => seats[side] === PERSON);
    const rival = mine && !more.length ? seats[mine === "britain" ? "france" : "britain"] : null;
    for (const input of this.form.querySelectorAll("[name=side]")) input.checked = rival !== null && input.value === mine;
    for (const input of this.form.querySelectorAll("[name=level]")) input.checked = input.value === rival;
    this.explainSeats();
  }

  explainSeats() {
    const { britain, france, curtain, open } = this.form.elements;
    const people = [britain, france].filter((seat) => seat.value === PERSON).length;
    const words = ["You watch two agents.", "You play one side.",
      "Two people: both seats are yours; send the other a link (More), or share this screen."];
    byId("seats-note").textContent = words[people];
    curtain.closest("label").hidden = people < 2;
    if (!people) open.checked = true; // nobody at the table has anything to hide
    else if (!this.openWished) open.checked = false;
  }

  // fork: {ply, open} of the game shown, or null for a new one.
  show(fork = null) {
    this.fork = fork;
    byId("new-title").textContent = fork ? `Play on from decision ${fork.ply}` : "New game";
    byId("rules-field").hidden = byId("position-field").hidden = byId("goal-field").hidden = Boolean(fork);
    byId("luck-field").hidden = !fork;
    if (fork) {
      const same = this.form.querySelector("[name=luck][value=same]");
      same.disabled = !fork.open;
      this.form.elements.luck.value = fork.open ? "same" : "anew";
    }
    showError(byId("new-error"), "");
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  async read() {
    const fields = this.form.elements;
    const seats = { britain: fields.britain.value, france: fields.france.value };
    const wish = { curtain: fields.curtain.checked && seats.britain === PERSON && seats.france === PERSON };
    if (this.fork) {
      return { ...wish, fork: true, body: { ply: this.fork.ply, seats, luck: fields.luck.value, open: fields.open.checked } };
    }
    const body = { ruleset: fields.ruleset.value, agenda: fields.agenda.checked, seats, open: fields.open.checked };
    if (fields.seed.value) {
      body.seed = Number(fields.seed.value);
      if (!Number.isSafeInteger(body.seed)) throw new Error("A seed on this page is a whole number below 9 quadrillion.");
    }
    const file = fields.position.files[0];
    if (file) body.position = await file.text();
    return { ...wish, fork: false, body };
  }
}

export class ReplayDialog {
  constructor(offers, onOpen) {
    this.dialog = byId("replay-dialog");
    this.form = byId("replay-form");
    const fields = this.form.elements;
    for (const name of offers.records) fields.file.append(option(name));
    byId("known-records").hidden = !offers.records.length;
    wireCancel(this.dialog);
    this.form.addEventListener("submit", async (event) => {
      event.preventDefault();
      showError(byId("replay-error"), "");
      try {
        const upload = fields.upload.files[0];
        if (!upload && !fields.file.value) throw new Error("Choose a file first.");
        const body = upload ? { text: await upload.text() } : { file: fields.file.value };
        if (fields.line.value) body.line = Number(fields.line.value);
        await onOpen(body);
        this.dialog.close();
      } catch (error) {
        showError(byId("replay-error"), error.message);
      }
    });
  }

  show() {
    showError(byId("replay-error"), "");
    this.dialog.showModal();
  }
}
