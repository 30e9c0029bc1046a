// The table: its parts put together, in the order in which each shows a look at the game.
//
// Every element of the page belongs to one part, which its first lines name; parts say to each other what happens
// (state.js), and ask the server through asking.js. What differs from game to game is in games/.

import { ask } from "./api.js";
import { refuse } from "./table/notice.js";
import "./table/curtain.js";
import { board, showExtras, use } from "./table/stage.js";
import "./table/status.js";
import "./table/time.js";
import "./table/beside.js";
import { wireMenu } from "./table/menu.js";
import { News } from "./table/news.js";
import { Coach } from "./table/coach.js";
import "./table/analysis.js";
import "./table/trying.js";
import "./table/people.js";
import "./table/arriving.js";
import "./table/resign.js";
import "./table/sound.js";
import "./table/end.js";
import "./table/rival.js";
import "./table/clock.js";
import { NewDialog, ReplayDialog } from "./table/dialogs.js";
import { enter, followAddress, openRecord, start } from "./table/entering.js";
import { showKeys, wireKeys } from "./table/keys.js";
import { Rulebook } from "./table/rulebook.js";
import { state } from "./table/state.js";
import { goTo, showAgain } from "./table/time.js";
import { Welcome } from "./table/welcome.js";

let newDialog, welcome;

async function makeParts(offers) {
  const rulebook = new Rulebook();
  const rulesOf = (ruleset) => `rulebook?ruleset=${encodeURIComponent(ruleset)}`;
  const read = (source, section = null) => rulebook.show(source, state.tokens, section).catch((error) => refuse(error.message));
  const openRules = (section = null) => read(state.key ? `games/${state.key}/rulebook` : rulesOf(newDialog.ruleset), section);
  welcome = new Welcome(offers, { onEnter: enter, onPlay: (ruleset, friend) => newDialog.propose(ruleset, friend), onRead: (ruleset) => read(rulesOf(ruleset)) });
  await welcome.fill();
  new News({ onPly: (ply) => goTo(ply), onShow: showAgain });
  const coach = new Coach(board, { onEnter: enter, onRules: openRules, onStart: () => newDialog.close() });
  const replayDialog = new ReplayDialog(offers, openRecord);
  newDialog = new NewDialog(offers, start, () => replayDialog.show(), () => coach.name());
  wireMenu({ newDialog, replayDialog, welcome, openRules, showKeys });
  wireKeys({ newDialog, replayDialog, openRules });
  window.addEventListener("popstate", () => follow().catch(showList));
}

async function begin() {
  const offers = await ask("offers");
  state.offers = offers;
  const first = offers.rulesets.find((r) => r.name === offers.first);
  await use(first.game);
  showExtras(first);
  await makeParts(offers);
  await follow();
}

// What the address names: also where somebody goes back and forth in the browser.
async function follow() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if (!(await followAddress())) welcome.show();
}

function showList(error) {
  refuse(error.message);
  welcome?.show();
}

begin().catch(showList);
