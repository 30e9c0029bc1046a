"""Lays out a scenario of section 10 on the oracle, plays it, and looks up what it expects.

A scenario is one mapping of ``scenarios.yaml``, which the engine is held to as well:

- ``board``: tiles that lie, "KIND x y rotation [SEAT@segment]"; the start tile is added
- ``tokens``: "opening=SEAT set", where P is the common stock
- ``hand``, ``score``, ``missed``, ``robber`` (holder, length), ``players``, ``set`` (switches), ``deck``
- ``play``: whole turns, "SEAT KIND x y rotation [segment] [opening or opening+opening]"
- ``expect``: what is found after the last turn
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.games.carcassonne.oracle import actions, scoring
from tests.games.carcassonne.oracle.oracle import Oracle, TokenSet, steps_of_turn
from tests.games.carcassonne.oracle.table import Cell, Feature, Laid, Place
from tests.games.carcassonne.oracle.tiles import OPENINGS, bag, opening_name
from tests.written import read_yaml

SEATS = "ABCDEF"
OPENING = {opening_name(opening): opening for opening in OPENINGS}
SCENARIOS = read_yaml(Path(__file__).parents[1] / "scenarios.yaml")


@dataclass
class Turn:
    """A whole turn as a scenario names it."""

    seat: int
    kind: str
    cell: Cell
    rotation: int
    segment: str | None
    openings: list[int]

    def last_named(self, steps: list[str]) -> tuple[str, ...]:
        """List the steps of the last thing that it names, in the order of the turn."""
        named = {"CLAIM": self.segment is not None, "TOKEN": bool(self.openings)}
        chosen = [step for step in steps if named.get(step)]
        return tuple(chosen[-1:]) or ("CELL", "ROTATE")


def read_turn(text: str) -> Turn:
    """Read a turn."""
    seat, kind, x, y, rotation, *rest = text.split()
    segments = [word for word in rest if "." not in word]
    tokens = [word for word in rest if "." in word]
    return Turn(
        SEATS.index(seat),
        kind,
        (int(x), int(y)),
        int(rotation),
        segments[0] if segments else None,
        [OPENING[name] for word in tokens for name in word.split("+")],
    )


def read_place(text: str) -> Place:
    """Read a segment, "x,y name"."""
    cell, name = text.split()
    x, y = cell.split(",")
    return (int(x), int(y)), name


def set_up(scenario: dict[str, Any]) -> Oracle:
    """Lay out the position; the first turn has not begun."""
    rules = {"players": scenario.get("players", 2), "auto_forced": False} | scenario.get("set", {})
    game = Oracle(rules, [])
    for line in scenario.get("board", []):
        lay_tile(game, line)
    for line in scenario.get("tokens", []):
        opening, owner = line.split("=")
        find_set(game, owner).openings.append(OPENING[opening])
    for owner in scenario.get("missed", []):
        find_set(game, owner).missed = True
    game.hand = scenario.get("hand", game.hand)
    game.track = list(scenario.get("score", game.track))
    if "robber" in scenario:
        holder, game.longest = scenario["robber"]
        game.robber = SEATS.index(holder)
    return game


def lay_tile(game: Oracle, line: str) -> None:
    """Lay a tile, with a follower if one is named."""
    kind, x, y, rotation, *follower = line.split()
    cell = (int(x), int(y))
    game.tiles[cell] = Laid(kind, int(rotation))
    for word in follower:
        seat, segment = word.split("@")
        game.followers[cell, segment] = SEATS.index(seat)
        game.hand[SEATS.index(seat)] -= 1


def find_set(game: Oracle, owner: str) -> TokenSet:
    """Find a token set by the letter of its owner and its number."""
    seat = None if owner[0] == "P" else SEATS.index(owner[0])
    return next(one for one in game.sets if (one.owner, one.number) == (seat, int(owner[1])))


def begin_turn(game: Oracle, seat: int, kind: str) -> None:
    """Let a seat draw a tile of this kind; the deck behind it is full."""
    game.draws = [kind, *bag(game.rules["tunnel"])]
    game.start_turn(seat)


def take_turn(game: Oracle, turn: Turn) -> str | None:
    """Take a turn that has begun; say the step that is refused, if one is."""
    if game.tile != turn.kind:
        return "CELL"  # it fits nowhere
    for step in steps_of_turn(game.rules):
        action = answer(game, turn, step)
        if action not in game.legal():
            return step
        game.play(action)
    return None


def answer(game: Oracle, turn: Turn, step: str) -> int:
    """Number the action that the turn names for a step."""
    if step == "CELL":
        return actions.cell_id(turn.cell)
    if step == "ROTATE":
        return actions.ROTATE + turn.rotation
    if step == "CLAIM":
        return game.claim_id(turn.segment) if turn.segment else actions.CLAIM_NONE
    if len(turn.openings) == 2:
        return actions.tunnel_id(*turn.openings)
    return actions.TOKEN + turn.openings[0] if turn.openings else actions.TOKEN_NONE


def refused(game: Oracle, text: str) -> bool:
    """Try a turn on a copy; tell whether the last thing that it names is refused."""
    turn = read_turn(text)
    trial = game.copy()
    begin_turn(trial, turn.seat, turn.kind)
    step = take_turn(trial, turn)
    last = turn.last_named(steps_of_turn(game.rules))
    assert step is None or step in last, f"{text}: refused at {step} already"
    return step is not None


def run(scenario: dict[str, Any]) -> tuple[Oracle, list[list[int]]]:
    """Play a scenario; give the position after its last turn, and what each turn gained."""
    game = set_up(scenario)
    gains = []
    for text in scenario.get("play", []):
        turn = read_turn(text)
        before = game.scores()
        begin_turn(game, turn.seat, turn.kind)
        assert take_turn(game, turn) is None, text
        gains.append([new - old for new, old in zip(game.scores(), before, strict=True)])
    if "deck" in scenario:
        game.draws = list(scenario["deck"])
        game.start_turn(0)
    elif not gains:
        begin_turn(game, 0, "U")
    return game, gains


def found(game: Oracle, gains: list[list[int]], name: str, expected: Any) -> Any:
    """Look up what a scenario expects, in the form in which it is written there."""
    if name in PLAIN:
        return PLAIN[name](game)
    if name == "gains":
        return gains
    if name == "supply":
        return {owner: game.supply()[owner] for owner in expected}
    if name == "placements":
        return {kind: placements(game, kind, places) for kind, places in expected.items()}
    if name == "at":
        return {text: facts(game, text, wanted) for text, wanted in expected.items()}
    if name == "final_parts":
        parts = scoring.final_parts(game.table, game.rules, game.robber)
        return {kind: parts[kind] for kind in expected}
    if name in ("same", "apart"):
        fits = all_in_one if name == "same" else all_apart
        return [group for group in expected if fits(game, group)]
    if name in ("legal", "illegal"):
        return [text for text in expected if refused(game, text) == (name == "illegal")]
    raise ValueError(name)


PLAIN = {
    "score": lambda game: game.scores(),
    "hand": lambda game: game.hand,
    "final": lambda game: game.final_scores(),
    "winners": lambda game: "".join(SEATS[seat] for seat in game.winners()),
    "free": lambda game: sorted(opening_name(opening) for opening in game.unclaimed()),
    "robber": lambda game: None if game.robber is None else SEATS[game.robber],
    "drawn": lambda game: {"tile": game.tile, "out": game.out},
}


def placements(game: Oracle, kind: str, expected: int | list[list[int]]) -> Any:
    """Count or list the placements of a kind, as the scenario does."""
    places = [[*cell, turn] for cell, turn in game.table.placements(kind, game.rules["table"])]
    return len(places) if isinstance(expected, int) else sorted(places)


def facts(game: Oracle, text: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """Tell the facts of a feature that a scenario asks for."""
    feature: Feature = game.table.feature_of(read_place(text))
    told = {
        "tiles": feature.tiles,
        "segments": len(feature.places),
        "shields": feature.shields,
        "open": feature.open,
        "men": [feature.men[seat] for seat in range(game.players)],
        "complete": feature.complete,
    }
    return {name: told[name] for name in wanted}


def features_of(game: Oracle, group: list[str]) -> set[frozenset[Place]]:
    """List the features that segments belong to, by their segments."""
    return {game.table.feature_of(read_place(text)).places for text in group}


def all_in_one(game: Oracle, group: list[str]) -> bool:
    """Tell whether all segments are in one feature."""
    return len(features_of(game, group)) == 1


def all_apart(game: Oracle, group: list[str]) -> bool:
    """Tell whether all segments are in different features."""
    return len(features_of(game, group)) == len(group)
