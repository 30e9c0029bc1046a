"""Eurotunnel Diplomacy at the table in the browser, as `faces.table` asks for it.

What it shows of a game depends on what the viewer knows: no hidden tunnel that it does not know of, not who is
asked, and not what others have written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.table import ALL, LESSON, PUBLIC, RULEBOOK, Asked, Entry, PhaseTold
from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES, all_actions
from channel_tunnel_env.games.eurotunnel.answers import NotAskedError, read_answer
from channel_tunnel_env.games.eurotunnel.board.page import LAYOUTS, draw_page
from channel_tunnel_env.games.eurotunnel.board.picture import sign_words
from channel_tunnel_env.games.eurotunnel.board_positions import unit_text
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.refusals import OUT_OF_REACH, find_refusal
from channel_tunnel_env.games.eurotunnel.explain import asked_unit, reason
from channel_tunnel_env.games.eurotunnel.faces.rulebook import rulebook as rulebook
from channel_tunnel_env.games.eurotunnel.order_sheet import read_sheet
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.report import Part, read_report
from channel_tunnel_env.games.eurotunnel.words import answer_text, choice_words, notes_on, power_words, season_of
from channel_tunnel_env.outside.sentences import as_sentence, counted
from channel_tunnel_env.outside.sentences import title as seat_title
from channel_tunnel_env.outside.terminal import percent

EXTRAS = frozenset({LESSON, RULEBOOK})
IN_PHASES = True
_BUTTONS = {
    c.HOLD: "Hold",
    c.VIA: "By convoy",
    c.TUNNEL: "Through a tunnel",
    c.DIG: "Dig",
    c.SUPPORT_HOLD: "Support",
    c.SUPPORT_MOVE: "Support",
    c.CONVOY: "Convoy",
    c.RETREAT_TUNNEL: "Through a tunnel",
    c.DISBAND: "Disband",
    c.BUILD_ARMY: "Army",
    c.BUILD_FLEET: "Fleet",
    c.VOTE_NO: "Play on",
    c.VOTE_DRAW: "Vote for a draw",
}


# --- before a game --------------------------------------------------------------------------------


def goal(ruleset: Any) -> Sequence[str]:
    """What the game is about, in two short lines."""
    data = ruleset.data
    tunnels = " Armies may dig tunnels in secret." if data.tunnels else ""
    compared = "units" if data.limit_score == "pieces" else "centres"
    return (
        f"The powers write their orders at once, and see each other's only when all are read.{tunnels}",
        f"{data.victory_centres} supply centres win; after {data.max_year} {compared} are compared.",
    )


def seat_words(ruleset: Any, seat: str) -> str:
    """The units that a power begins with."""
    return ", ".join(load_board().data.start[seat.upper()]) + "."


def rule_sentences(ruleset: Any) -> dict[str, Any]:
    """What the signs on the map mean."""
    text = (
        "Click a unit of yours, then where it goes; or Support, Convoy, Dig ... and then the places on the map. "
        f"{sign_words()}"
    )
    return {"province": {"title": "The map", "text": text, "sources": []}}


# --- a position -----------------------------------------------------------------------------------


def draw(game: Game, viewer: str, layout: str = LAYOUTS[0], before: Callable[[], Game] | None = None) -> str:
    """The map with the orders of the last movement phase."""
    return draw_draft(game, viewer, layout, ())


def draw_draft(game: Game, viewer: str, layout: str, answers: Sequence[tuple[Game, int]]) -> str:
    """The map, and on it what the viewer has written."""
    return draw_page(game, None if viewer == ALL else viewer, layout, answers)


def question(game: Game) -> str:
    """What the phase is for; how the game ended. The same for every power asked."""
    if game.is_over:
        return f"{_result(game)}."
    return f"{season_of(phase_name(game))}: {_WORK[game.phase]}"


_WORK = {"movement": "orders", "retreats": "retreats", "adjustments": "builds and removals"}


def opening(game: Game) -> Sequence[str]:
    """What everybody begins with."""
    state = game.states[0]
    places = [(number, np.flatnonzero(state["unit_power"] == number)) for number in range(c.NUM_POWERS)]
    return tuple(
        f"{power_words(number)}: {', '.join(unit_text(state, place) for place in own)}"
        for number, own in places
        if own.size
    )


# --- questions and answers ------------------------------------------------------------------------


def asked(game: Game) -> Asked:
    """The question of a game to the power to play."""
    state, unit = game.states[0], asked_unit(game.states[0])
    if unit:
        usual = c.ID_HOLD if game.phase == "movement" else None
        return Asked(unit, unit, load_board().provinces[int(state["cursor"])], usual)
    if game.phase == "adjustments":
        builds = int(state["quota"][game.mover])
        title = f"{counted(builds, 'unit')} to build" if builds > 0 else f"{counted(-builds, 'unit')} to remove"
        return Asked("", title, usual=c.ID_WAIVE if builds > 0 else None)
    if int(state["asked"]) == c.PERMITS:
        return Asked("", "Who may use your tunnels", usual=c.ID_PERMIT_DONE)
    return Asked("vote", "A draw?", usual=c.ID_VOTE_NO)


def answer_words(game: Game, action: int) -> str:
    """An answer in the notation of orders, or in words."""
    state = game.states[0]
    return answer_text(state, action) if asked_unit(state) else choice_words(game, action)


def lines_of(text: str, seat: str) -> Sequence[str]:
    """An order in each line, or several parted by commas; another power's begin with its name."""
    return [line.text for line in read_sheet({seat: text})]


def read_line(games: Sequence[Game], line: str) -> tuple[int, int]:
    """Which of a power's questions a written line answers, and with which action (see `answers`)."""
    refusals: list[ValueError] = []
    for number, game in enumerate(games):
        try:
            return number, read_answer(game, line)
        except ValueError as error:
            refusals.append(error)
    told = [error for error in refusals if not isinstance(error, NotAskedError)]
    raise (told or refusals)[0]


def moves(game: Game) -> list[dict[str, Any]]:
    """The legal answers with their click paths."""
    legal, group = game.legal_ids(), asked(game).title
    several, kinds = _several_coasts(legal), _several_kinds(legal)
    return [
        {
            "action": ACTION_NAMES[action],
            "words": choice_words(game, action),
            "group": group,
            "paths": [_path(game, action, several, kinds)],
        }
        for action in legal
    ]


def _several_coasts(legal: list[int]) -> set[tuple[int, int, str]]:
    """Kind, source and province of answers that differ only in a coast."""
    counts = Counter(map(_without_coast, legal))
    return {key for key, count in counts.items() if count > 1}


def _several_kinds(legal: list[int]) -> set[str]:
    """Provinces in which either kind of unit can be built."""
    armies, fleets = (
        {_province(what.dst) for what in map(all_actions().__getitem__, legal) if what.kind == kind}
        for kind in (c.BUILD_ARMY, c.BUILD_FLEET)
    )
    return armies & fleets


def _without_coast(action: int) -> tuple[int, int, str]:
    what = all_actions()[action]
    return what.kind, what.src, _province(what.dst)


def _province(location: int) -> str:
    return load_board().locations[location].partition("/")[0] if location >= 0 else ""


def _path(game: Game, number: int, several: set[tuple[int, int, str]], kinds: set[str]) -> list[str]:
    """The unit, the kind of order as a button, then places on the map; a coast is a button again."""
    action = all_actions()[number]
    kind, src, dst = action.kind, _province(action.src), _province(action.dst)
    if kind == c.PERMIT:
        return [f"button:{ACTION_NAMES[number]}"]
    path = [target] if (target := asked(game).target) else []
    builds = kind in (c.BUILD_ARMY, c.BUILD_FLEET)
    if builds:
        path.append(dst)
    if kind in _BUTTONS and (not builds or dst in kinds):
        path.append(f"button:{_BUTTONS[kind]}")
    if kind in (c.PERMIT_DONE, c.WAIVE):
        path.append(f"button:{choice_words(game, number)}")
    if kind in (c.SUPPORT_HOLD, c.SUPPORT_MOVE, c.CONVOY):
        path.append(src)
    if kind == c.SUPPORT_HOLD:
        path.append(src)
    elif dst and not builds:
        path.append(dst)
    if _without_coast(number) in several:
        path.append(f"button:{_coast_words(action.dst)}")
    return path


def _coast_words(location: int) -> str:
    coast = load_board().locations[location].partition("/")[2]
    return {"": "No coast", "NC": "North coast", "SC": "South coast", "EC": "East coast"}[coast]


def why_not(game: Game, clicks: tuple[str, ...]) -> str:
    """Why some clicks are not a legal answer to the question of a game."""
    wanted = next(_meant(game, clicks), None)
    if wanted is None:
        what = asked(game).title
        return f"That is no answer here. {as_sentence(f'asked is: {what}')}"
    target, places = asked(game).target, _places(clicks)
    if target and places[0] != target:
        return f"Click a unit of yours first, such as {asked(game).title}, and then where it goes."
    action = game.spec.actions.id_of(wanted)
    if game.mask[action]:
        return "That is legal: go on."
    order = wanted.replace("*", asked(game).title)
    return as_sentence(f"{order}: {refusal(game, action)}")


def refusal(game: Game, action: int) -> str:
    """Why an answer is not legal, in words that go on after the answer."""
    if find_refusal(game.states, 0, game.tables, action) != OUT_OF_REACH:
        return reason(game.states, 0, game.tables, action)
    what = all_actions()[action]
    goal = _province(what.dst if what.kind == c.SUPPORT_MOVE else what.src)
    return f"{asked(game).title} does not reach {goal}, so it cannot support there"


def _places(clicks: tuple[str, ...]) -> list[str]:
    return [click for click in clicks if not click.startswith("button:")]


def _meant(game: Game, clicks: tuple[str, ...]) -> Iterator[str]:
    """Answers that clicks may stand for."""
    target, places = asked(game).target, _places(clicks)
    buttons = [click.removeprefix("button:") for click in clicks if click.startswith("button:")]
    if target and places[:1] == [target]:
        places = places[1:]
    signs = [sign for button, sign in _SIGNS.items() if button in buttons]
    names = [f"{sign} {place}" for place in places[-1:] for sign in signs or _PLAIN[game.phase]]
    if "Support" in buttons or "Convoy" in buttons:
        names = [f"{signs[0]} {' - '.join(dict.fromkeys(places))}"]  # itself again: it holds
    yield from (name for name in names if name in ACTION_NAMES)


_SIGNS = {"Support": "* S", "Convoy": "* C", "Dig": "* BT", "Through a tunnel": "* ~"}
_PLAIN = {"movement": ("* -",), "retreats": ("* R",), "adjustments": ("A", "F")}


# --- phases ---------------------------------------------------------------------------------------


def phase_name(game: Game) -> str:
    """Such as S1901M."""
    name: str = game.phase_name  # type: ignore[attr-defined]
    return name


def is_shown(game: Game) -> bool:
    """Whether somebody can retreat may be a secret (E16)."""
    return bool(game.is_over or game.phase != "retreats")


def chronicle(game: Game, viewer: str) -> list[PhaseTold]:
    """What a viewer learnt, phase by phase; of the running phase nothing."""
    seat = {ALL: None, PUBLIC: c.NOBODY}.get(viewer)
    if viewer not in (ALL, PUBLIC):
        seat = game.seat_index(viewer)
    running = "" if game.is_over else phase_name(game)
    parts = [part for part in read_report(game, seat) if part["phase"] != running]
    return [_told(part) for part in parts]


def _told(part: Part) -> PhaseTold:
    return PhaseTold(
        part["phase"],
        season_of(part["phase"]),
        tuple([*_order_lines(part), *_winter_lines(part)]),
        tuple([*_retreat_notes(part), *_tunnel_notes(part)]),
        tuple(text for text in part["own"] if _is_secret(text)),
    )


def _is_secret(text: str) -> bool:
    return " BT " in text or ("PERMIT " in text and not text.endswith("DONE"))


def _order_lines(part: Part) -> Iterator[tuple[str, str, str]]:
    for order in part.get("orders", []):
        yield order["power"].lower(), order["order"], notes_on(order)


def _winter_lines(part: Part) -> Iterator[tuple[str, str, str]]:
    for unit in part.get("adjustments", []):
        yield unit["power"].lower(), f"{unit['type']} {unit['loc']}", unit["result"]


def _retreat_notes(part: Part) -> Iterator[str]:
    for order in part.get("retreats", []):
        yield f"{order['power'].capitalize()}: {order['order']}, {order['result']}"
    if part.get("draw"):
        yield "All powers with units voted for a draw; the orders were not read."


def _tunnel_notes(part: Part) -> Iterator[str]:
    for key, what in (("opened", "is open"), ("demolished", "is demolished")):
        for tunnel in part.get(key, []):
            yield f"{tunnel['owner'].capitalize()}'s tunnel {' - '.join(tunnel['ends'])} {what}."
    for tunnel in part.get("told", []):
        yield f"{tunnel['owner'].capitalize()} lets you use its tunnel {' - '.join(tunnel['ends'])}."


def narrate(before: Game, action: int, after: Game) -> Entry:
    """Who decided what; what a viewer learns of it is in the `chronicle`."""
    seat = before.seats[before.mover]
    return Entry(seat, int(before.state.turn), ACTION_NAMES[action], action=ACTION_NAMES[action])


def came_to_light(before: Game, after: Game) -> str:
    """Orders that were read."""
    return "orders have been read" if before.phase_key != after.phase_key else ""  # type: ignore[attr-defined]


# --- the end --------------------------------------------------------------------------------------


def ending(game: Game, seat: str | None) -> dict[str, str]:
    """Who won, or how the game was shared."""
    return {"title": _title(game, seat), "why": _why(game), "points": _shares(game)}


def _why(game: Game) -> str:
    if game.end_cause == "solo":
        return f"{seat_title(str(game.winner))} owns {_centres(game)[str(game.winner)]} supply centres."
    if game.end_cause == "draw_vote":
        return "All powers with units voted for a draw."
    return f"The game stops after {game.ruleset.data.max_year}."


def _centres(game: Game) -> dict[str, int]:
    return {seat: points["total"] for seat, points in game.scores().items()}


def _share_of(game: Game) -> dict[str, float]:
    return dict(zip(game.seats, map(float, game.state.share), strict=True))


def _shares(game: Game) -> str:
    shares = sorted(_share_of(game).items(), key=lambda pair: -pair[1])
    told = [f"{seat_title(seat)} {percent(share)}" for seat, share in shares if share > 0]
    return f"Shares: {', '.join(told)}."


def _result(game: Game) -> str:
    if game.end_cause == "solo":
        return f"{seat_title(str(game.winner))} wins alone"
    if game.end_cause == "draw_vote":
        return "A draw"
    centres = _centres(game)
    best = [seat_title(seat) for seat, count in centres.items() if count == max(centres.values())]
    have = "have" if len(best) > 1 else "has"
    return f"{' and '.join(best)} {have} most centres after {game.ruleset.data.max_year}"


def _title(game: Game, seat: str | None) -> str:
    if seat is None:
        return _result(game)
    if game.end_cause == "solo":
        return "You won alone" if game.winner == seat else f"You lost: {_result(game)}"
    share = _share_of(game)[seat]
    if share == 0:
        return "You lost: nothing of the game is yours"
    what = "A draw: you" if game.end_cause == "draw_vote" else "You"
    return f"{what} have {percent(share)} of the game"
