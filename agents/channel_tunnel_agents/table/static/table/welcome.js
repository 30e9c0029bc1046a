// The first screen: games that are not over, and the games there are, each to learn and to play.
// Fills welcome.

import { byId, element } from "../dom.js";
import { refuse } from "./notice.js";
import { forgetGame, heldSeats, keepGame, keptGames, on, state } from "./state.js";

const PLAIN = { name: "", minutes: "", picture: "" }; // of a game whose part of the page says nothing

export class Welcome {
  // onEnter(key, tokens, wish): shows a game; onPlay(ruleset): proposes a new one; onRead(ruleset): its rules.
  constructor(offers, { onEnter, onPlay, onRead }) {
    Object.assign(this, { offers, onEnter, onPlay, onRead });
    on("enter", () => this.hide());
    on("view", keep);
  }

  // Load what each game's part of the page says, and draw the cards: lessons find their buttons there.
  async fill() {
    const first = this.offers.rulesets.find((rules) => rules.name === this.offers.first);
    const games = [...new Set([first, ...this.offers.rulesets].map((rules) => rules.game))];
    const cards = games.map(async (game) => {
      const { card = PLAIN } = await import(`../games/${game}.js`);
      return this.card(this.usual(game), card);
    });
    this.begun = element("section", "begun");
    byId("welcome").replaceChildren(this.begun, element("div", "games", ...await Promise.all(cards)));
  }

  // The ruleset that a game begins with: of the first game the one proposed.
  usual(game) {
    const all = this.offers.rulesets.filter((rules) => rules.game === game);
    return all.find((rules) => rules.name === this.offers.first) ?? all[0];
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
    Object.assign(button.dataset, { game: rules.game, words: "Learn it" });
    return button;
  }

  show() {
    document.title = "Channel Tunnel: the table";
    this.fillBegun();
    byId("welcome").hidden = false;
    document.body.classList.add("welcoming");
  }

  hide() {
    byId("welcome").hidden = true;
    document.body.classList.remove("welcoming");
  }

  fillBegun() {
    const games = keptGames();
    this.begun.hidden = !games.length;
    this.begun.replaceChildren(element("h2", "", "Go on with"), ...games.map((game) => this.line(game)));
  }

  line(game) {
    const words = element("span", "", element("b", "", game.title), game.about ? ` \u00b7 ${game.about}` : "");
    const away = press("\u2715", "away", () => { forgetGame(game.key); this.fillBegun(); });
    away.setAttribute("aria-label", `Leave out: ${game.title}`);
    return element("p", "row", press(words, "go-on", () => this.goOn(game)), away);
  }

  async goOn({ key, tokens, curtain }) {
    try {
      await this.onEnter(key, tokens, { curtain });
    } catch (error) {
      refuse(error.message);
      if ([404, 410].includes(error.status)) forgetGame(key); // the server has it no more
      this.show();
    }
  }
}

function press(words, className, act = () => {}) {
  const button = element("button", className, words);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

function playersOf({ players, sides }) {
  const allowed = players?.allowed ?? [Object.keys(sides).length];
  const [least, most] = [allowed[0], allowed.at(-1)];
  return least === most ? `${most} players` : `${least} to ${most} players`;
}

// Once a game is over, or only looked at, there is nothing to go on with.
function keep(view) {
  const own = heldSeats(view);
  if (view.replay || !own.length) return;
  if (view.over) return void forgetGame(state.key);
  if (view.ply < view.plies) return;
  const who = own.length === 1 ? `you are ${view.names[own[0]]}, ` : "";
  const when = view.in_phases ? view.question : `${view.clock} ${view.round}`;
  keepGame({ key: state.key, tokens: state.tokens, curtain: state.curtain, title: view.title, about: `${who}${when}` });
}
