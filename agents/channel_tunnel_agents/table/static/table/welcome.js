// The first screen: one's games that are not over, the games there are, each to learn and to play, and one's finished games.
// Fills welcome.

import { byId, element, press } from "../dom.js";
import { refuse } from "./notice.js";
import { fillOwn } from "./own_games.js";
import { on, rulesOf } from "./state.js";

const PLAIN = { name: "", minutes: "", picture: "" }; // of a game whose part of the page says nothing

export class Welcome {
  // onEnter(key, tokens, wish): shows a game; onPlay(ruleset): proposes a new one; onRead(ruleset): its rules.
  constructor(offers, { onEnter, onPlay, onRead }) {
    Object.assign(this, { offers, onEnter, onPlay, onRead });
    on("enter", () => this.hide());
  }

  // Load what each game's part of the page says, and draw the cards: lessons find their buttons there.
  async fill() {
    const first = this.offers.rulesets.find((rules) => rules.name === this.offers.first);
    const games = [...new Set([first, ...this.offers.rulesets].map((rules) => rules.game))];
    const cards = games.map(async (game) => {
      const { card = PLAIN } = await import(`../games/${game}.js`);
      return this.card(rulesOf(game), card);
    });
    this.begun = element("section", "begun");
    this.done = element("section", "own");
    const lead = "Board games about tunnels, against a rival of your strength or a friend with a link. You need no account; games are kept on this server.";
    byId("welcome").replaceChildren(element("p", "lead", lead), this.begun, element("div", "games", ...await Promise.all(cards)), this.done);
  }

  card(rules, { name, minutes, picture }) {
    const title = element("h2", "", name || rules.title);
    const about = [playersOf(rules), minutes].filter(Boolean).join(" \u00b7 ");
    const image = picture ? Object.assign(element("img"), { src: picture, alt: "", width: 320, height: 120 }) : null;
    const row = element("p", "row", this.learn(rules), press("Play", "main play", () => this.onPlay(rules.name)));
    const friend = press("Play a friend", "friend", () => this.onPlay(rules.name, true));
    const card = element("article", "game", image, title, element("p", "", rules.goal.join(" ")), element("p", "note", about), row, friend);
    card.dataset.game = rules.game;
    return card;
  }

  // The guided game, or the rules where there is none.
  learn(rules) {
    if (!rules.extras.includes("lesson")) return press("Learn it", "learn", () => this.onRead(rules.name));
    const button = press("Learn it", "lesson learn");
    button.dataset.game = rules.game;
    return button;
  }

  show() {
    document.title = "Channel Tunnel: the table";
    this.fillOwn();
    byId("welcome").hidden = false;
    document.body.classList.add("welcoming");
  }

  hide() {
    for (const list of [this.begun, this.done]) list.replaceChildren(); // rows of before are not pressed while new ones come
    byId("welcome").hidden = true;
    document.body.classList.remove("welcoming");
  }

  fillOwn() {
    fillOwn(this.begun, this.done, this.onEnter).catch((error) => refuse(error.message));
  }
}

function playersOf({ players, sides }) {
  const allowed = players?.allowed ?? [Object.keys(sides).length];
  const [least, most] = [allowed[0], allowed.at(-1)];
  return least === most ? `${most} players` : `${least} to ${most} players`;
}
