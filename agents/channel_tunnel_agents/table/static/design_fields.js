// The form: a field for every figure, its range, unit and source; changed ones are marked and can be reset.

import { capital, element, press } from "./dom.js";

const CARD_COLUMNS = ["points", "cost", "money", "secondary"];
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const shown = ({ value, limits: { names = {} } }) => {
  if (value === null) return "none";
  if (Array.isArray(value)) return value.map((one) => names[one] ?? one).join(", ") || "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "object") return Object.entries(value).map(([space, what]) => `${space}: ${names[what]}`).join(", ") || "none";
  return names[value] ?? String(value);
};

// --- one control ----------------------------------------------------------------------------------

const whole = (text) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text);

function input(type, attributes) {
  return Object.assign(document.createElement("input"), { type, ...attributes });
}

function select(options, value, names = {}) {
  const made = document.createElement("select");
  made.append(...options.map((option) => new Option(names[option] ?? "nothing", option ?? "")));
  made.value = value ?? "";
  return made;
}

// A list is written with commas.
const partsOf = ({ value }) => value.split(",").map((part) => part.trim()).filter(Boolean);
const LISTED = {
  make: () => input("text", { className: "list" }),
  set: (control, value) => { control.value = Array.isArray(value) ? value.join(", ") : value; },
};

// Each kind: how it is made, read and set. What cannot be read as such is sent as text, and refused.
const KINDS = {
  number: {
    make: ({ limits }) => input("number", { min: limits.min, max: limits.max, step: 1, placeholder: limits.nullable ? "none" : "" }),
    read: (control, { limits }) => (control.value === "" && limits.nullable ? null : whole(control.value)),
    set: (control, value) => { control.value = value ?? ""; },
  },
  numbers: { ...LISTED, read: (control) => partsOf(control).map(whole) },
  words: { ...LISTED, read: partsOf },
  choice: {
    make: ({ limits }) => select(limits.options, null, limits.names),
    read: (control, { limits }) => limits.options.find((option) => String(option) === control.value) ?? control.value,
    set: (control, value) => { control.value = value; },
  },
  several: {
    make: ({ label, limits }) => element("span", "control", ...limits.options.map((option) => {
      const made = input("checkbox", { value: option }), called = limits.names[option];
      made.setAttribute("aria-label", `${label}: ${called}`);
      return element("label", "space", made, called);
    })),
    read: (control) => [...control.querySelectorAll("input:checked")].map((one) => one.value),
    set: (control, value) => { for (const one of control.querySelectorAll("input")) one.checked = value.includes(one.value); },
  },
  switch: {
    make: () => input("checkbox", {}),
    read: (control) => control.checked,
    set: (control, value) => { control.checked = value === true; },
  },
  spaces: {
    make: ({ label, limits }) => element("span", "control", ...Array.from({ length: limits.last }, (_, i) => {
      const made = select([null, ...limits.options], null, limits.names);
      made.dataset.space = i + 1;
      made.setAttribute("aria-label", `${label}, space ${i + 1}`);
      return element("label", "space", `${i + 1}`, made);
    })),
    read: (control) => Object.fromEntries([...control.querySelectorAll("select")].filter((s) => s.value).map((s) => [s.dataset.space, s.value])),
    set: (control, value) => { for (const s of control.querySelectorAll("select")) s.value = value[s.dataset.space] ?? ""; },
  },
};

const GROUPS = ["spaces", "several"]; // kinds of several controls

function range({ kind, limits, unit }) {
  const parts = [];
  if (limits.min !== undefined) parts.push(`${limits.min} to ${limits.max}`);
  if (kind === "numbers" || kind === "words") parts.push(limits.least === limits.most ? `${limits.most} of them` : `up to ${limits.most}`);
  if (limits.nullable) parts.push("or empty");
  return [unit, parts.length ? `(${parts.join(", ")})` : ""].filter(Boolean).join(" ");
}

// --- the form -------------------------------------------------------------------------------------

export class Fields {
  // onChange(key, value): undefined where the value is the base's again.
  constructor(form, parts, onChange) {
    Object.assign(this, { form, parts, onChange });
    this.fields = new Map(); // key -> {field, control, row}
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  fill(form, changes) {
    this.fields.clear();
    const parts = form.sections.map((section) => this.part(section.key, section.title, section.fields.map((field) => this.figure(field))));
    if (form.cards.length) parts.push(this.part("cards", "Cards", [this.cards(form.cards)]));
    this.form.replaceChildren(...parts);
    this.parts.replaceChildren(...parts.map((part) => {
      const link = element("a", "", part.querySelector("h2").textContent);
      link.href = `#${part.id}`;
      link.addEventListener("click", (event) => { event.preventDefault(); part.scrollIntoView(); part.querySelector("h2").focus({ preventScroll: true }); });
      return link;
    }));
    for (const [key, value] of Object.entries(changes)) {
      const found = this.fields.get(key);
      if (found) KINDS[found.field.kind].set(found.control, value);
    }
    for (const key of this.fields.keys()) this.mark(key);
  }

  part(key, title, rows) {
    const heading = element("h2", "", title);
    heading.tabIndex = -1;
    const made = element("section", "part", heading, ...rows);
    made.id = `part-${key}`;
    return made;
  }

  control(field, name) {
    const control = KINDS[field.kind].make(field);
    KINDS[field.kind].set(control, field.value);
    control.dataset.key = field.key;
    if (GROUPS.includes(field.kind)) control.setAttribute("role", "group");
    control.setAttribute("aria-label", name);
    // A browser reports the change of a focused field as it is removed: the field is no longer in the form then.
    const heard = () => { if (this.fields.get(field.key)?.control === control) this.changed(field.key); };
    control.addEventListener("input", heard);
    control.addEventListener("change", heard);
    return control;
  }

  figure(field) {
    const control = this.control(field, field.label);
    const undo = press("Reset", "undo", () => this.reset(field.key));
    undo.setAttribute("aria-label", `Reset ${field.label}`);
    const told = [field.sentence, field.why ? ` ${capital(field.why)}.` : ""].join("");
    const row = element("div", "figure",
      element("span", "name", field.label),
      element("span", "control", control, element("span", "unit", range(field)), element("span", "was"), undo),
      element("p", "more", element("span", "source", field.source), ` ${told}`),
      element("p", "wrong"));
    row.dataset.words = `${field.key.replaceAll("_", " ")} ${field.label} ${told}`.toLowerCase();
    this.fields.set(field.key, { field, control, row });
    return row;
  }

  cards(cards) {
    const head = element("tr", "", ...["Card", ...CARD_COLUMNS].map((name) => {
      const cell = element("th", "", capital(name) + (name === "money" ? ", M" : ""));
      cell.scope = "col";
      return cell;
    }));
    const rows = cards.map((card) => this.card(card));
    const table = element("table", "", element("thead", "", head), element("tbody", "", ...rows));
    const notes = CARD_COLUMNS.map((column) => {
      const { source, why, limits } = cards[0].fields[column];
      const allowed = limits.options ? Object.values(limits.names).join(", ") : `${limits.min} to ${limits.max}`;
      return element("p", "more", element("span", "source", source), ` ${capital(column)} (${allowed}): ${why}.`);
    });
    return element("div", "", element("div", "sheet-of-cards", table), ...notes);
  }

  card({ name, fields }) {
    const head = element("th", "", name);
    head.scope = "row";
    const row = element("tr", "", head);
    for (const column of CARD_COLUMNS) {
      const field = fields[column];
      const control = this.control(field, `${name}: ${column}`);
      row.append(element("td", "", control));
      this.fields.set(field.key, { field, control, row });
    }
    row.dataset.words = name.toLowerCase();
    return row;
  }

  changed(key) {
    const { field, control } = this.fields.get(key);
    const value = KINDS[field.kind].read(control, field);
    this.mark(key);
    this.onChange(key, same(value, field.value) ? undefined : value);
  }

  reset(key) {
    const { field, control } = this.fields.get(key);
    KINDS[field.kind].set(control, field.value);
    this.changed(key);
    control.focus?.();
  }

  isChanged({ field, control }) {
    return !same(KINDS[field.kind].read(control, field), field.value);
  }

  mark(key) {
    const found = this.fields.get(key);
    const { field, control, row } = found;
    const changed = this.isChanged(found);
    control.toggleAttribute("data-new", changed);
    if (row.tagName === "TR") {
      row.classList.toggle("changed", Boolean(row.querySelector("[data-new]")));
      control.title = changed ? `in the base: ${shown(field)}` : "";
      return;
    }
    row.classList.toggle("changed", changed);
    row.querySelector(".was").textContent = changed ? `was ${shown(field)}` : "";
    row.querySelector(".undo").hidden = !changed;
  }

  // Show the server's reasons at their fields; those of no field are shown beside the form.
  refuse(problems) {
    for (const [key, { control, row }] of this.fields) {
      const problem = problems[key];
      if (problem) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
      const box = row.querySelector(".wrong");
      if (box) box.textContent = problem ?? "";
      else this.refuseOnCard(key, row, problem);
    }
  }

  // The cards are a table: the reason stands in a row of its own, below the card.
  refuseOnCard(key, row, problem) {
    const shown = [...row.parentElement.children].find((one) => one.dataset.of === key);
    if (shown && !problem) shown.remove();
    if (!problem) return;
    const cell = element("td", "wrong", `${capital(key.split(".").at(-1))}: ${problem}`);
    cell.colSpan = CARD_COLUMNS.length + 1;
    const made = shown ?? element("tr", "why");
    made.dataset.of = key;
    made.replaceChildren(cell);
    row.after(made);
  }

  // A field by its name and its part of the rules; a card's column by the card.
  name(key) {
    const { field, row } = this.fields.get(key);
    const card = row.querySelector("th")?.textContent;
    return card ? `${card}, ${key.split(".").at(-1)}` : `${field.label}, under ${row.closest(".part").querySelector("h2").textContent}`;
  }

  goTo(key) {
    const found = this.fields.get(key);
    found?.row.scrollIntoView({ block: "center" });
    found?.control.focus?.({ preventScroll: true });
  }

  // How many rows have all the words, and are changed if only those are wanted.
  filter(text, onlyChanged) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = new Set([...this.fields.values()].map(({ row }) => row));
    let count = 0;
    for (const row of rows) {
      const title = row.closest(".part").querySelector("h2").textContent.toLowerCase();
      const fits = wanted.every((word) => `${title} ${row.dataset.words}`.includes(word));
      row.hidden = !fits || (onlyChanged && !row.classList.contains("changed"));
      count += !row.hidden;
    }
    for (const part of this.form.children) part.hidden = !part.querySelector(".figure:not([hidden]), tbody tr:not([hidden])");
    return count;
  }
}
