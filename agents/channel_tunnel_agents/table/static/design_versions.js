// Versions: drafts with a name, and files that come in and go out.
// Fills versions, import-refused.

import { byId, element } from "./dom.js";
import { ask } from "./api.js";
import { button, deleter, Part } from "./design_parts.js";

const MOST_BYTES = 900000; // the server takes a little more

const path = (name) => `design/versions/${encodeURIComponent(name)}`;

// A link that the browser keeps as a file.
function saver(words, label, address) {
  const link = element("a", "button", words);
  link.href = address;
  link.setAttribute("aria-label", label);
  link.download = "";
  return link;
}

export class Versions extends Part {
  // onLoad(name); onOpen(found): a version is to be the draft; onCompare(one, other): two keys of `compared`; onChange(list); say(words).
  constructor(given) {
    super(given);
    this.list = [];
    byId("import").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.attempt(() => this.takeIn()));
  }

  fill(list, current) {
    this.list = list;
    byId("versions").replaceChildren(...list.map((version) => this.row(version)));
    if (!list.length) byId("versions").append(element("li", "note", "No version is saved yet."));
    this.mark(current);
    this.onChange(list);
  }

  mark(current) {
    this.current = current;
    for (const what of byId("versions").querySelectorAll(".what")) {
      if (what.dataset.name === current) what.setAttribute("aria-current", "true");
      else what.removeAttribute("aria-current");
    }
  }

  row(version) {
    const { name, base, at, note } = version;
    const what = element("span", "what", name, ...(note ? [element("span", "its-note", note)] : []), element("small", "", `from ${base || "a broken file"}, saved ${at}`));
    what.dataset.name = name;
    const more = element("details", "more-of", element("summary", "", "More"), this.more(version));
    more.querySelector("summary").setAttribute("aria-label", `More of ${name}`);
    return element("li", "", what, button("Load", `Load ${name}`, () => this.attempt(() => this.onLoad(name))), more);
  }

  more({ name }) {
    return element("div", "row start",
      button("Compare", `Compare ${name} with the draft`, () => this.onCompare(`version:${name}`, "draft")),
      button("Copy", `Copy ${name}`, () => this.attempt(() => this.copy(name))),
      saver("Share", `Share ${name} as one page that opens in any browser`, `api/${path(name)}/share`),
      saver("Export", `Export ${name} as a ruleset file`, `api/${path(name)}/file`),
      deleter(name, () => this.attempt(async () => this.fill((await ask(`${path(name)}/delete`, {})).versions, null))));
  }

  async copy(name) {
    const found = await ask(`${path(name)}/copy`, {});
    await this.open(found, `${found.name} is a copy of ${name}.`);
  }

  // An answer that is a version: it is listed and opened.
  async open(found, words) {
    await this.onOpen(found);
    this.fill(found.versions, found.name);
    this.say(words);
  }

  async takeIn() {
    const [file] = byId("file").files;
    byId("file").value = ""; // the same file may be chosen again
    if (!file) return;
    if (file.size > MOST_BYTES) return this.refuse(["This file is too large to be a version."]);
    const found = await ask("design/import", { text: await file.text() });
    this.refuse(found.refused);
    if (found.refused.length) return;
    await this.open(found, found.was_here ? `${found.name} is here already; it is open.` : `${found.name} has been imported and is open.`);
  }

  refuse(lines) {
    const box = byId("import-refused");
    const title = element("li", "", element("strong", "", "The file was not taken in."));
    box.replaceChildren(...(lines.length ? [title, ...lines.map((line) => element("li", "", line))] : []));
    box.hidden = !lines.length;
  }
}
