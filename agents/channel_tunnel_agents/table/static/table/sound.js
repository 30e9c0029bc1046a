// A soft click for a rival's decision and two notes when it is one's own turn; off until it is switched on. Fills sound.

import { byId } from "../dom.js";
import { heldSeats, on, state } from "./state.js";

const KEPT = "sound", ON = "on";
const CLICK = [[520, 0, 0.05]]; // [frequency in Hz, begin and length in seconds]
const CHIME = [[660, 0, 0.16], [880, 0.13, 0.28]];
const LOUDNESS = 0.06; // of 1
const RISE = 0.008; // seconds to full loudness: no crack

const box = byId("sound");
box.checked = localStorage.getItem(KEPT) === ON;
let output = null; // made by a press or a sound: a browser allows none before somebody has pressed something

function play(notes) {
  output ??= new AudioContext();
  if (output.state === "suspended") output.resume();
  for (const [frequency, begin, length] of notes) playNote(frequency, output.currentTime + begin, length);
}

function playNote(frequency, begin, length) {
  const tone = new OscillatorNode(output, { type: "sine", frequency });
  const loudness = new GainNode(output, { gain: 0 });
  loudness.gain.setValueAtTime(0, begin);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, begin + RISE);
  loudness.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  tone.connect(loudness).connect(output.destination);
  tone.start(begin);
  tone.stop(begin + length);
}

// What a look at the game sounds like: nothing where nothing new was decided by another.
function soundOf(view, before) {
  if (!before || view.replay || state.ply !== null || view.plies <= before.plies) return null;
  const own = heldSeats(view);
  const byAnother = view.in_phases ? !before.may_play || before.waits_for_agent : !own.includes(before.to_play);
  if (!byAnother) return null;
  return view.may_play && own.length === 1 ? CHIME : CLICK;
}

on("view", (view, before) => {
  const notes = box.checked && soundOf(view, before);
  if (notes) play(notes);
});
box.addEventListener("change", () => {
  localStorage.setItem(KEPT, box.checked ? ON : "");
  if (box.checked) play(CHIME);
});
