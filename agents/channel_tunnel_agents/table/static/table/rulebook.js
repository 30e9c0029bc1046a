// The rulebook: sections with anchors, and a search that shows only what contains the words.
// Fills rules-dialog, rules-close, rules-search, rules-text, rules-nav, rules-title, rules-found.

import { byId, element } from "../dom.js";
import { ask } from "../api.js";

const MARKS = /\*\*(.+?)\*\*|\[(.+?)\]\(#(\w+)\)/g; // **bold** and [words](#section)

// Words of a question that are in every other rule: "how do I win?" asks for "win".
const ASKING = new Set(["a", "an", "and", "am", "are", "can", "do", "does", "for", "get", "how", "i", "if", "in", "is", "it", "may", "me", "must", "my",
  "of", "on", "should", "the", "there", "to", "what", "when", "where", "which", "who", "why", "will", "you", "your"]);

export class Rulebook {
  constructor() {
    this.dialog = byId("rules-dialog");
    this.source = null;
    byId("rules-close").addEventListener("click", () => this.dialog.close());
    byId("rules-search").addEventListener("input", () => this.search());
    byId("rules-text").addEventListener("click", (event) => this.follow(event));
    byId("rules-nav").addEventListener("click", (event) => this.follow(event));
  }

  // source: the path of the answer; section: its anchor, or null for the beginning.
  async show(source, tokens, section = null) {
    if (this.source !== source) {
      this.fill(await ask(source, undefined, tokens));
      this.source = source;
    }
    byId("rules-search").value = "";
    this.search();
    if (!this.dialog.open) this.dialog.showModal();
    byId("rules-text").scrollTop = 0;
    if (section) this.goTo(section);
    else byId("rules-text").focus();
  }

  fill(book) {
    byId("rules-title").textContent = "Rules";
    byId("rules-nav").replaceChildren(...book.sections.map((s) => link(s.key, s.title)));
    byId("rules-text").replaceChildren(...book.sections.map((s) => section(s)));
  }

  follow(event) {
    const anchor = event.target.closest("a[href^='#rules-']");
    if (!anchor) return;
    event.preventDefault(); // the address names the game
    byId("rules-search").value = "";
    this.search();
    this.goTo(anchor.hash.slice("#rules-".length));
  }

  goTo(key) {
    const found = byId(`rules-${key}`);
    found?.scrollIntoView({ block: "start" });
    found?.querySelector("h3").focus({ preventScroll: true });
  }

  search() {
    const words = wordsOf(byId("rules-search").value);
    let count = 0;
    for (const found of byId("rules-text").children) {
      const title = found.querySelector("h3").textContent.toLowerCase();
      let any = false;
      for (const block of found.querySelectorAll("p, li")) {
        const text = `${title} ${block.textContent.toLowerCase()}`;
        const fits = words.every((word) => text.includes(word));
        block.hidden = !fits;
        any ||= fits;
      }
      found.hidden = !any;
      byId("rules-nav").querySelector(`[href="#${found.id}"]`).hidden = !any;
      count += any;
    }
    byId("rules-found").hidden = !words.length;
    byId("rules-found").textContent = count ? `Found in ${count} section${count > 1 ? "s" : ""}` : "No rule has these words. Try fewer.";
    if (words.length) byId("rules-text").scrollTop = 0;
  }
}

// What is searched for: the words of a question that say what it is about.
function wordsOf(text) {
  const all = text.toLowerCase().split(/[^\p{L}\p{N}-]+/u).filter(Boolean);
  const telling = all.filter((word) => !ASKING.has(word));
  return telling.length ? telling : all;
}

function link(key, words) {
  const made = element("a", "", words);
  made.href = `#rules-${key}`;
  return made;
}

function section({ key, title, blocks }) {
  const heading = element("h3", "", title);
  heading.tabIndex = -1;
  const made = element("section", "", heading, ...blocks.map((block) => (block.items
    ? element("ul", "", ...block.items.map((item) => element("li", "", ...inline(item))))
    : element("p", "", ...inline(block.text)))));
  made.id = `rules-${key}`;
  return made;
}

export function inline(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    parts.push(text.slice(from, found.index), found[1] ? element("strong", "", found[1]) : link(found[3], found[2]));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}
