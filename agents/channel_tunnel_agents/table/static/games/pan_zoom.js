// A drawing that is moved and zoomed: drag, wheel, pinch, buttons. What is looked at stays from one drawing to
// the next; until somebody moves it, all of it is shown wherever it has room.

import { element, press } from "../dom.js";

const TILE = 100; // units of the drawing, by which its size is measured
const SMALL = 0.9; // units in a pixel; above, what is written small is left out
const MOVED = 6; // pixels after which a press is a drag

export class PanZoom {
  // Pixels of TILE units: the least at which things can still be tapped, the most beyond which zooming in shows
  // nothing new, the largest at which all is shown; all: what the button that shows all says; fills: what does not fit
  // begins as high as its window; cover(): all that may lie over the lower part of the window; onLook(box, {x, y, scale}): what is
  // in sight begins at x, y units, scale pixels each.
  constructor({ least, most, largest, all, fills = false, cover = () => [], onLook = () => {} }) {
    Object.assign(this, { least, most, largest, words: all, fills, cover, onLook });
    this.look = null; // {x, y: middle in units, tile: pixels of TILE units, byItself: nobody has moved it}; null: all
    this.before = null; // {look} before a close-up
    this.pointers = new Map();
    this.game = null;
    const nearer = () => this.zoom(1.25);
    this.keys = { "+": nearer, "=": nearer, "-": () => this.zoom(0.8), 0: () => this.fit() }; // true: dealt with
  }

  // Take over a new drawing.
  show(board, focus) {
    this.box = board.querySelector(".view");
    this.svg = board.querySelector(".view > svg");
    this.focus = focus;
    if (location.hash !== this.game) this.look = this.before = null; // another game
    this.game = location.hash;
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    this.whole = { x, y, width, height };
    this.box.append(this.buttons());
    this.listen();
    this.draw();
    this.resizes?.disconnect();
    this.resizes = new ResizeObserver(() => this.draw());
    this.resizes.observe(this.box);
  }

  // What is new comes into sight.
  settle() {
    if (!this.focus || !this.current()) return;
    const frame = this.focus.getBoundingClientRect(), box = this.sight();
    const outside = frame.left < box.left || frame.right > box.right || frame.top < box.top || frame.bottom > box.bottom;
    if (outside && this.look) this.centre(this.focus);
  }

  current() {
    return this.box?.isConnected && this.box.clientWidth > 0;
  }

  // The window as far as nothing lies over it.
  sight() {
    const { left, right, top, bottom } = this.box.getBoundingClientRect();
    const over = this.cover().map((one) => one.getBoundingClientRect()).filter((box) => box.left < right && box.right > left && box.top > top);
    return { left, right, top, bottom: Math.min(bottom, ...over.map((box) => box.top)) };
  }

  // What lies over the window has changed.
  uncover() {
    if (this.look && this.current()) this.look = this.inside(this.look, this.covered()), this.draw();
  }

  covered() {
    return this.box.getBoundingClientRect().bottom - this.sight().bottom;
  }

  centre(group) {
    const frame = group.getBoundingClientRect(), box = this.sight();
    const { x, y, tile } = this.now();
    const dx = frame.x + frame.width / 2 - (box.left + box.right) / 2, dy = frame.y + frame.height / 2 - (box.top + box.bottom) / 2;
    const look = { x: x + (dx * TILE) / tile, y: y + (dy * TILE) / tile, tile, byItself: !this.look || Boolean(this.look.byItself) };
    this.look = this.fills ? this.inside(look, this.covered()) : look;
    this.draw();
  }

  // Near enough to tap what lies on a thing, TILE units of it as many pixels; without one, back to what was looked at before.
  closeUp(group, tile = this.most) {
    if (!this.current()) return;
    if (group) {
      this.before ??= { look: this.look };
      this.look = { ...this.now(), tile, byItself: false };
      this.apply(this.look);
      this.centre(group);
    } else if (this.before) {
      this.look = this.before.look;
      this.before = null;
      this.draw();
    }
  }

  // Where all is in sight; if it would be too small to tap, the middle of what is new.
  all() {
    const { x, y, width, height } = this.whole;
    const tile = Math.min(this.box.clientWidth / width, this.box.clientHeight / height) * TILE;
    return { x: x + width / 2, y: y + height / 2, tile: Math.min(this.largest, tile) };
  }

  // With nothing beyond the edges of the drawing in sight, as far as it is larger than its window; covered: pixels of its
  // window over which something lies.
  inside({ x, y, tile, byItself }, covered = 0) {
    const within = (middle, from, long, pixels) => {
      const half = Math.min(long, (pixels / tile) * TILE) / 2;
      return Math.max(from + half, Math.min(from + long - half, middle));
    };
    const { x: west, y: north, width, height } = this.whole;
    return { x: within(x, west, width, this.box.clientWidth), y: within(y, north, height + (covered / tile) * TILE, this.box.clientHeight), tile, byItself };
  }

  now() {
    return this.look ?? this.all();
  }

  draw() {
    if (!this.current()) return;
    const all = this.all();
    if (this.look?.byItself && all.tile >= this.least) this.look = null;
    if (!this.look && all.tile < this.least) {
      this.look = { ...all, byItself: true, tile: this.fills ? Math.max(this.least, (this.box.clientHeight / this.whole.height) * TILE) : this.least };
      if (this.focus) this.apply(this.look), this.centre(this.focus);
      if (this.fills) this.look = this.inside(this.look);
    }
    this.apply(this.now());
  }

  apply({ x, y, tile }) {
    const width = (this.box.clientWidth / tile) * TILE, height = (this.box.clientHeight / tile) * TILE;
    this.svg.setAttribute("viewBox", `${x - width / 2} ${y - height / 2} ${width} ${height}`);
    this.svg.style.setProperty("--pixel", TILE / tile); // units of the drawing: for texts that stay readable
    this.svg.classList.toggle("small", TILE / tile > SMALL);
    this.svg.classList.toggle("tiny", tile < this.least);
    this.onLook(this.box, { x: x - width / 2, y: y - height / 2, scale: tile / TILE });
  }

  // Nearer or farther; the point under (px, py) stays where it is.
  zoom(factor, px = this.box.clientWidth / 2, py = this.box.clientHeight / 2) {
    const { x, y, tile } = this.now();
    const next = Math.max(Math.min(this.least, this.all().tile) / 2, Math.min(this.most, tile * factor));
    const dx = px - this.box.clientWidth / 2, dy = py - this.box.clientHeight / 2;
    const drawn = (1 / tile - 1 / next) * TILE;
    this.look = { x: x + dx * drawn, y: y + dy * drawn, tile: next };
    this.draw();
    return true;
  }

  move(dx, dy) {
    const { x, y, tile } = this.now();
    const { x: west, y: north, width, height } = this.whole; // the drawing stays in sight
    this.look = {
      x: Math.max(west, Math.min(west + width, x - (dx * TILE) / tile)),
      y: Math.max(north, Math.min(north + height, y - (dy * TILE) / tile)),
      tile,
    };
    this.draw();
  }

  fit() {
    this.look = null;
    if (this.all().tile < this.least) this.look = this.all(); // asked for: all of it, however small
    this.draw();
    return true;
  }

  buttons() {
    const button = (sign, words, act) => {
      const made = press(sign, "", (event) => { event.stopPropagation(); act(); });
      made.setAttribute("aria-label", words);
      made.title = words;
      return made;
    };
    const { "+": nearer, "-": farther, 0: all } = this.keys;
    return element("div", "zoom", button("+", "Nearer", nearer), button("\u2212", "Farther", farther), button("All", this.words, all));
  }

  listen() {
    const { svg } = this;
    this.pointers.clear();
    // Heard around the drawing: one that listens to the focus itself would become a stop of the keyboard.
    this.box.addEventListener("focusin", (event) => {
      const group = event.target.closest(".target");
      if (group && event.target.matches(":focus-visible")) this.bringIntoSight(group);
    });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.box.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, event.clientX - box.x, event.clientY - box.y);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.pointers.size === 1) this.pressed = { x: event.clientX, y: event.clientY, moved: false };
      else this.pressed.moved = true;
    });
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      svg.addEventListener(name, (event) => { this.pointers.delete(event.pointerId); });
    }
    // The click at the end of a drag is none.
    svg.addEventListener("click", (event) => { if (this.pressed?.moved) event.stopPropagation(); }, true);
  }

  bringIntoSight(group) {
    const frame = group.getBoundingClientRect(), box = this.sight();
    const middle = [frame.x + frame.width / 2, frame.y + frame.height / 2];
    if (middle[0] < box.left || middle[0] > box.right || middle[1] < box.top || middle[1] > box.bottom) this.centre(group);
  }

  drag(event) {
    const from = this.pointers.get(event.pointerId);
    if (!from) return;
    const to = { x: event.clientX, y: event.clientY };
    if (this.pointers.size === 2) return this.pinch(event.pointerId, from, to);
    if (!this.pressed.moved && Math.hypot(to.x - this.pressed.x, to.y - this.pressed.y) < MOVED) return;
    if (!this.pressed.moved) this.svg.setPointerCapture(event.pointerId);
    this.pressed.moved = true;
    this.pointers.set(event.pointerId, to);
    this.move(to.x - from.x, to.y - from.y);
  }

  pinch(id, from, to) {
    const [[, other]] = [...this.pointers].filter(([key]) => key !== id);
    const apart = (a) => Math.hypot(a.x - other.x, a.y - other.y);
    const box = this.box.getBoundingClientRect();
    this.pointers.set(id, to);
    if (apart(from) > 0) this.zoom(apart(to) / apart(from), (to.x + other.x) / 2 - box.x, (to.y + other.y) / 2 - box.y);
  }
}
