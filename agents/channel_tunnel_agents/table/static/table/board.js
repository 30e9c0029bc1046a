// The drawn board as something to click: rings around what can be clicked next, and the path so far.
// A move's path is a list of targets; "button:" and "number:" are answered in the strip below the board.
// What differs from game to game is in its module of games/: see `game`.

import { press, shape, withKey } from "../dom.js";

const RING = 4; // units of the drawing around a target
const LEGAL = "legal", CHOSEN = "chosen", HINTED = "hinted";

export class BoardClicks {
  constructor(board, strip, { onMove, onWrite, onLines, onSend, onRefused, onPath, onUndo, isNarrow }) {
    Object.assign(this, { board, strip, onMove, onWrite, onLines, onSend, onRefused, onPath, onUndo, isNarrow });
    this.moves = [];
    this.pointed = []; // by a lesson
    this.path = [];
    this.question = null;
    this.playing = false;
    // The game's module: isOffered and nameButton of the strip, pathWords; and if it has them: opens (the phases that begin a turn, which is shown whole), shown (a new
    // drawing), tapped (a click, or a key; true: dealt with), buttons (more for the strip), settled (all is marked),
    // frame (a ring of another shape), compare (two sets of answers that a review has drawn), uncovered (what lies over the board has changed), seek (bring a thing into sight), isLike (whether a click may begin another path in place of one).
    this.game = null;
    board.addEventListener("click", (event) => this.click(event.target));
    board.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (!event.target.closest("[data-target]")) return;
      event.preventDefault();
      event.stopPropagation();
      this.click(event.target, event.key);
    });
  }

  // question: what is asked, in letters; while it is the same, as when only others have moved, what is begun goes on.
  show(svg, moves, playing, question) {
    const inside = this.board.contains(document.activeElement) || this.strip.contains(document.activeElement);
    const focused = this.board.contains(document.activeElement) ? document.activeElement.dataset.target : null;
    this.board.innerHTML = svg;
    this.moves = moves;
    this.playing = playing;
    this.asksAnew = question !== this.question;
    this.question = question;
    if (this.asksAnew) this.path = [];
    this.game.shown?.(this);
    this.goOn();
    if (focused) this.find(focused)?.focus({ preventScroll: true });
    this.game.settled?.(this, inside);
  }

  find(target) {
    return this.board.querySelector(`[data-target="${CSS.escape(target)}"]`);
  }

  // The targets that could come next, after the path so far.
  next() {
    const found = new Map();
    for (const move of this.moves) {
      for (const path of move.paths) {
        if (this.path.every((step, i) => path[i] === step) && path.length > this.path.length) {
          const step = path[this.path.length];
          if (!found.has(step)) found.set(step, []);
          found.get(step).push({ move, whole: path.length === this.path.length + 1 });
        }
      }
    }
    return found;
  }

  // Take what leaves no choice, then mark what can be clicked.
  goOn() {
    let next = this.next();
    while (next.size === 1 && this.path.length === 0) {
      const [[step, moves]] = next;
      if (moves.some((m) => m.whole)) break; // a move is always the player's own click
      this.path.push(step);
      next = this.next();
    }
    this.mark(next);
    this.fillStrip(next);
    this.onPath(this.path, next);
  }

  mark(next) {
    for (const ring of this.board.querySelectorAll(".ring:not(.shown)")) ring.remove();
    for (const group of this.board.querySelectorAll("[data-target]")) {
      group.classList.remove(LEGAL, CHOSEN);
      group.setAttribute("tabindex", "-1");
      group.setAttribute("role", "img");
    }
    for (const target of next.keys()) this.ring(target, LEGAL);
    for (const target of this.path) this.ring(target, CHOSEN);
    if (!this.board.querySelector("[tabindex='0']")) {
      this.board.querySelector("[data-target]")?.setAttribute("tabindex", "0"); // a way in, to read the rules
    }
  }

  // Arrow keys on the board: to the nearest thing in that direction. False if the key is none of them.
  walk(key) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const from = document.activeElement.closest("[data-target]");
    if (!direction || !from) return false;
    const middle = (group) => {
      const box = group.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const group of this.board.querySelectorAll(this.game.walks ?? "[data-target]")) {
      const [dx, dy] = middle(group).map((n, i) => n - [x, y][i]);
      const ahead = dx * direction[0] + dy * direction[1];
      const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
      const far = ahead + 3 * aside; // what lies straight ahead comes first
      if (ahead > 2 && far < least) [best, least] = [group, far];
    }
    best?.focus();
    return true;
  }

  ring(target, kind) {
    const group = this.find(target);
    if (!group) return;
    group.classList.add(kind);
    if (kind !== HINTED) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
    }
    this.frame(group, kind);
  }

  frame(group, kind) {
    if (this.game.frame) return void this.game.frame(this, group, kind);
    const box = group.getBBox();
    const around = { x: box.x - RING / 2, y: box.y - RING / 2, width: box.width + RING, height: box.height + RING, rx: 7 };
    group.append(shape("rect", { class: `ring ${kind}`, ...around }));
  }

  fillStrip(next) {
    this.strip.replaceChildren();
    for (const [step, moves] of next) {
      if (!this.game.isOffered(step, this)) continue;
      const whole = moves.find((m) => m.whole);
      const button = press("", "", () => this.step(step));
      button.dataset.target = step;
      this.game.nameButton(button, step, (whole ?? moves[0]).move, Boolean(whole), this);
      this.strip.append(button);
    }
    if (this.playing) this.strip.append(...(this.game.buttons?.(this) ?? []));
    if (this.path.length && this.playing && this.canCancel()) this.strip.append(press(withKey("Back", "Esc"), "quiet", () => this.cancel()));
    this.strip.hidden = !this.strip.childElementCount;
    this.markStrip();
  }

  // The buttons that a lesson asks for; the last of them comes into sight.
  markStrip() {
    for (const button of this.strip.querySelectorAll("[data-target]")) {
      const isPointed = button.classList.toggle(HINTED, button.dataset.target.split(" or ").some((target) => this.pointed.includes(target)));
      if (isPointed) this.strip.scrollLeft = button.offsetLeft - this.strip.offsetLeft;
    }
  }

  canCancel() {
    const path = this.path;
    this.path = [];
    const one = this.next().size === 1;
    this.path = path;
    return !one;
  }

  cancel() {
    if (!this.path.length) return;
    this.path = [];
    this.goOn();
  }

  // The innermost legal target under a click; where there is none, the click is asked about.
  click(element, key = null) {
    const targets = [];
    for (let group = element.closest("[data-target]"); group; group = group.parentElement.closest("[data-target]")) {
      targets.push(group.dataset.target);
    }
    if (!targets.length) return;
    const next = this.next();
    const legal = targets.find((target) => next.has(target));
    if (legal) return void (this.game.tapped?.(legal, this, key) || this.step(legal));
    if (targets.includes(this.path.at(-1)) && this.canCancel()) return void this.cancel();
    if (this.path.length) {
      const kept = this.path;
      this.path = [];
      const again = targets.find((target) => this.next().has(target));
      if (again && this.isLike(again, kept[0])) return void this.step(again);
      this.path = kept;
    }
    this.onRefused([...this.path, targets[0]]);
  }

  isLike(one, other) {
    return this.game.isLike?.(one, other) ?? one.split(":")[0] === other.split(":")[0];
  }

  // Begin a path, as if its first thing had been clicked.
  choose(target) {
    this.path = [];
    if (target && this.next().has(target)) this.path = [target];
    this.goOn();
    this.game.settled?.(this, true);
  }

  // A move ends what is begun, also one that changes nothing: an order that is written once more.
  take(move) {
    this.path = [];
    this.onMove(move.action, move);
  }

  step(target) {
    const moves = this.next().get(target);
    if (!moves) return;
    const whole = moves.find((m) => m.whole);
    if (whole) return void this.take(whole.move);
    this.path.push(target);
    this.goOn();
    this.game.settled?.(this, true);
    if (this.isNarrow()) this.board.querySelector(".target.legal")?.scrollIntoView({ block: "nearest" });
    const first = this.strip.querySelector("button") ?? this.board.querySelector(".legal");
    if (document.activeElement === document.body || !document.activeElement.isConnected) first?.focus({ preventScroll: true });
  }

  // What a lesson is about: everything whose name begins so. Returns what is marked, in the order of the beginnings.
  point(beginnings) {
    this.pointed = beginnings;
    this.markStrip();
    for (const ring of this.board.querySelectorAll(".ring.shown")) ring.remove();
    const all = [...this.board.querySelectorAll("[data-target]")];
    const groups = [...new Set(beginnings.flatMap((b) => all.filter(({ dataset: { target } }) => target === b || target.startsWith(b.endsWith(":") ? b : `${b}:`))))];
    const outer = groups.filter((group) => !groups.includes(group.parentElement.closest("[data-target]")));
    for (const group of outer) this.frame(group, "shown");
    return outer;
  }

  hint(path) {
    for (const ring of this.board.querySelectorAll(".ring.hinted")) ring.remove();
    for (const target of path) {
      this.ring(target, HINTED);
      this.strip.querySelector(`[data-target="${CSS.escape(target)}"]`)?.classList.add(HINTED);
    }
    const hinted = this.board.querySelector(`.${HINTED}`);
    if (hinted) this.game.seek?.(hinted);
  }
}
