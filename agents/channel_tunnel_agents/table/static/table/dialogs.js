// The dialogs: a new game (also from a position or a fork) and a replay. They collect; entering.js acts.
// Fills players-field, new-dialog, new-form, seat-fields, to-replay, new-error, goal, lesson-field, position-upload, agenda-field,
// side-choice, level-field, level-choice, seats-note, new-title, rules-field, position-field, goal-field, luck-field,
// new-start, replay-dialog, replay-form, known-records, replay-error.

import { byId, element, showError } from "../dom.js";
import { keepName, ownName, rivalName } from "./state.js";

const PERSON = "person";

function wireCancel(dialog) {
  for (const button of dialog.querySelectorAll(".cancel")) button.addEventListener("click", () => dialog.close());
}

// What a form asks for; a refusal stays in it, and whatever is done closes it.
function wireForm(dialog, form, errors, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    showError(errors, "");
    try {
      await act();
      dialog.close();
    } catch (error) {
      showError(errors, error.message);
    }
  });
}

// A choice as a card to press: its name, and a line about it.
function choice(group, value, name, words) {
  const input = Object.assign(element("input"), { type: "radio", name: group, value });
  return element("label", `card ${value}`, input, element("strong", "", name), element("span", "", words));
}

const PAIR = 2; // people who play each other
const KEPT = "last-choice"; // side and rival of the last game, in this browser

// Two choices, side and rival, which set the two seats under Advanced; the seats are what is sent.
export class NewDialog {
  // onRules: another ruleset is chosen.
  constructor(offers, onStart, onReplay, onRules) {
    this.offers = offers;
    this.onRules = onRules;
    this.dialog = byId("new-dialog");
    this.form = byId("new-form");
    this.fork = null;
    const fields = this.form.elements;
    for (const r of offers.rulesets) fields.ruleset.append(new Option(r.name === r.title ? r.name : `${r.name}: ${r.title}`, r.name));
    fields.ruleset.value = offers.first;
    fields.ruleset.addEventListener("change", () => this.followRuleset());
    byId("seat-fields").addEventListener("change", () => this.followSeats());
    fields.players.addEventListener("change", () => this.followRuleset());
    for (const name of ["side-choice", "level-choice"]) byId(name).addEventListener("change", () => this.followChoice());
    this.followRuleset();
    fields.open.addEventListener("change", () => { this.openWished = fields.open.checked; });
    byId("to-replay").addEventListener("click", () => { this.dialog.close(); onReplay(); });
    wireCancel(this.dialog);
    wireForm(this.dialog, this.form, byId("new-error"), async () => onStart(await this.read()));
  }

  recall() {
    const fields = this.form.elements;
    const { levels, game, usual } = this.rules();
    const [side, level] = (localStorage.getItem(`${KEPT} ${game}`) ?? "").split(" ");
    fields.side.value = this.seats().includes(side) ? side : this.seats()[0];
    if (levels.length) fields.level.value = levels.some((l) => l.agent === level) ? level : usual;
  }

  get ruleset() { return this.form.elements.ruleset.value; }

  close() { this.dialog.close(); }

  rules() {
    return this.offers.rulesets.find((r) => r.name === this.ruleset);
  }

  // The seats that are played: of a game for more or fewer the first ones.
  seats() {
    const all = Object.keys(this.rules().sides);
    return this.rules().players ? all.slice(0, this.number) : all;
  }

  // Seat -> who holds it, as the fields under Advanced say.
  held() {
    const fields = this.form.elements;
    return Object.fromEntries(this.seats().map((seat) => [seat, fields[seat].value]));
  }

  followRuleset() {
    const rules = this.rules();
    byId("new-dialog").dataset.game = rules.game; // whose colours the seats have
    byId("goal").replaceChildren(...rules.goal.flatMap((line, i) => (i ? [document.createElement("br"), line] : [line])));
    byId("lesson-field").hidden = !rules.extras.includes("lesson");
    byId("lesson-field").querySelector("button").dataset.game = rules.game;
    this.onRules();
    byId("position-upload").hidden = !rules.extras.includes("positions");
    byId("agenda-field").hidden = rules.agenda === null;
    this.fillNumbers(rules);
    const drawn = `${rules.game} ${this.seats()}`;
    if (this.drawn !== drawn) this.drawChoices(rules);
    this.drawn = drawn;
    for (const side of this.seats()) byId("side-choice").querySelector(`.${side} span`).textContent = rules.sides[side].words;
    this.fillAgents(rules);
    if (this.chosen !== drawn) {
      this.chosen = drawn;
      this.recall();
      this.followChoice();
    }
  }

  // How many play, where that can be chosen; asked anew for another ruleset.
  fillNumbers(rules) {
    const select = this.form.elements.players;
    byId("players-field").hidden = !rules.players || Boolean(this.fork);
    if (!rules.players) return;
    if (this.numbersOf !== rules.name) {
      select.replaceChildren(...rules.players.allowed.map((number) => new Option(number)));
      select.value = rules.players.usual;
      this.numbersOf = rules.name;
    }
    this.number = this.fork ? this.fork.seats : Number(select.value);
  }

  // The cards and fields of a game's seats and levels.
  drawChoices(rules) {
    const sides = this.seats().map((side) => [side, rules.sides[side]]);
    byId("level-field").querySelector("legend").textContent = sides.length > 2 ? "Your rivals" : "Your rival";
    byId("side-choice").replaceChildren(...sides.map(([side, { title }]) => choice("side", side, title, "")));
    byId("level-choice").replaceChildren(...rules.levels.map((level) => choice("level", level.agent, level.name, level.words)));
    byId("seat-fields").replaceChildren(...sides.map(([name, { title }]) => element("label", "", `${title} `, Object.assign(element("select"), { name }))));
  }

  fillAgents(rules) {
    const fields = this.form.elements;
    fields.agenda.checked = Boolean(rules.agenda);
    for (const side of this.seats()) {
      const before = fields[side].value || PERSON;
      const nameOf = (agent) => rivalName(agent, rules.game) + (rules.frozen.includes(agent) ? " (trained for other rules)" : "");
      fields[side].replaceChildren(new Option("a person", PERSON), ...rules.agents.map((agent) => new Option(nameOf(agent), agent)));
      fields[side].value = before;
    }
  }

  followChoice() {
    const fields = this.form.elements;
    if (!fields.side.value || !fields.level?.value) return;
    const friend = this.friendSeat();
    for (const seat of this.seats()) fields[seat].value = [fields.side.value, friend].includes(seat) ? PERSON : fields.level.value;
    localStorage.setItem(`${KEPT} ${this.rules().game}`, `${fields.side.value} ${fields.level.value}`);
    this.explainSeats();
  }

  // Where somebody plays a friend: the first seat that is not their own.
  friendSeat() {
    return this.friend ? this.seats().find((seat) => seat !== this.form.elements.side.value) : null;
  }

  // Seats set under Advanced: the choices show them where they can.
  followSeats() {
    const seats = this.held();
    const [mine, ...more] = Object.keys(seats).filter((side) => seats[side] === PERSON);
    const rivals = new Set(Object.values(seats).filter((holder) => holder !== PERSON));
    const rival = mine && !more.length && rivals.size === 1 ? [...rivals][0] : null;
    for (const input of this.form.querySelectorAll("[name=side]")) input.checked = rival !== null && input.value === mine;
    for (const input of this.form.querySelectorAll("[name=level]")) input.checked = input.value === rival;
    this.explainSeats();
  }

  explainSeats() {
    const { curtain, open } = this.form.elements;
    const holders = Object.values(this.held());
    const people = holders.filter((holder) => holder === PERSON).length;
    const agents = holders.length > 2 ? "the agents" : "two agents";
    const words = [`You watch ${agents}.`, "You play one side.",
      "Two people: both seats are yours; send the other a link (More), or share this screen.",
      "Several people: their seats are yours; send the others a link (More), or share this screen."];
    byId("seats-note").textContent = words[Math.min(people, 3)];
    curtain.closest("label").hidden = people < 2;
    if (!people) open.checked = true; // nobody at the table has anything to hide
    else if (!this.openWished) open.checked = false;
  }

  // A new game by a ruleset that the first screen names.
  propose(ruleset, friend = false) {
    const fields = this.form.elements, { players } = this.offers.rulesets.find((r) => r.name === ruleset);
    fields.ruleset.value = ruleset;
    this.followRuleset();
    if (friend && players) fields.players.value = PAIR;
    this.show(null, friend);
  }

  // fork: {ply, open, seats: how many} of the game shown, or null for a new one.
  // friend: whether another person is sent a link.
  show(fork = null, friend = false) {
    Object.assign(this, { fork, friend });
    this.followRuleset();
    if (fork) {
      const same = (r) => r.game === fork.game && r.title === fork.title;
      this.form.elements.ruleset.value = (this.offers.rulesets.find(same) ?? this.offers.rulesets.find((r) => r.game === fork.game)).name;
      this.followRuleset();
    }
    byId("new-title").textContent = fork ? `Play on from decision ${fork.ply}` : `${this.rules().title}${friend ? ": play a friend" : ""}`;
    byId("level-field").hidden = friend && this.seats().length === PAIR;
    byId("new-start").textContent = friend ? "Get the link" : "Start";
    if (this.choosing !== friend) this.followChoice(); // who holds the seats is another
    this.choosing = friend;
    byId("rules-field").hidden = byId("position-field").hidden = byId("goal-field").hidden = Boolean(fork);
    byId("luck-field").hidden = !fork;
    if (fork) {
      const same = this.form.querySelector("[name=luck][value=same]");
      same.disabled = !fork.open;
      this.form.elements.luck.value = fork.open ? "same" : "anew";
    }
    this.form.elements.called.value = ownName();
    showError(byId("new-error"), "");
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  async read() {
    const fields = this.form.elements;
    keepName(fields.called.value.trim());
    const seats = this.held();
    const people = Object.values(seats).filter((holder) => holder === PERSON).length;
    const friend = this.friendSeat();
    const wish = { curtain: fields.curtain.checked && people > 1, friend: seats[friend] === PERSON ? friend : null };
    if (this.fork) {
      return { ...wish, fork: true, body: { ply: this.fork.ply, seats, luck: fields.luck.value, open: fields.open.checked } };
    }
    const body = { ruleset: fields.ruleset.value, seats, open: fields.open.checked };
    if (this.rules().agenda !== null) body.agenda = fields.agenda.checked;
    if (this.rules().players) body.players = this.number;
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
    for (const name of offers.records) fields.file.append(new Option(name));
    byId("known-records").hidden = !offers.records.length;
    wireCancel(this.dialog);
    wireForm(this.dialog, this.form, byId("replay-error"), async () => {
      const upload = fields.upload.files[0];
      if (!upload && !fields.file.value) throw new Error("Choose a file first.");
      const body = upload ? { text: await upload.text() } : { file: fields.file.value };
      if (fields.line.value) body.line = Number(fields.line.value);
      await onOpen(body);
    });
  }

  show() {
    showError(byId("replay-error"), "");
    this.dialog.showModal();
  }
}
