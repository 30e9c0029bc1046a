"""Positions of Eurotunnel, changed in several places that belong together: units, phase, retreats, tunnels, the end."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import ChannelTunnelError, load_ruleset
from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.testing import check_invariants
from tests.fuzz import play
from tests.fuzz.mutations import Random, change_data, pick

SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"permissions": False, "max_year": 1903, "rulebook": "datc"},
    {"draw_vote": True, "tunnels": False, "limit_score": "pieces"},
    {"absent": ["ITALY", "RUSSIA"], "auto_forced": False, "tunnels_per_province": 1},
    {"victory_centres": 7, "tunnels_per_power": 2, "limit_score": "dss", "tunnels_per_turn": 2},
)
SEEDS = 2
LONGEST = 1500  # decisions of a game to begin with
EACH = 12  # positions of a phase, of one ruleset
BOARD = load_board()
POWERS, PLACES, LOCATIONS = BOARD.powers, BOARD.provinces, BOARD.locations
CENTRES = [PLACES[place] for place in BOARD.centres]
PAIRS = [[PLACES[a], PLACES[b]] for a, b in BOARD.pairs]
WORDS = (*POWERS, *LOCATIONS, "S1901M", "S1901R", "W1901A", "COMPLETED", *c.END_CAUSES)
ODD_TURNS = ("S1900M", "W1920A", "S1921M", "F９999M", "S1901A", "W1901M", "S0001M", "s1901m", "")  # noqa: RUF001

Position = dict[str, Any]
Change = Callable[[Random, Position], None]


@cache
def _bases() -> list[tuple[dict[str, Any], Position]]:
    """Rulesets, and positions of all phases at every stage."""
    rng, found = np.random.default_rng(0), []
    for switches in SWITCHES:
        rules = load_ruleset("eurotunnel").with_values(switches)
        by_phase: dict[str, list[Position]] = {}
        for seed in range(SEEDS):
            game = Game(rules, seed)
            while not game.is_over and len(game.action_ids) < LONGEST:
                key = game.phase_key
                while not game.is_over and game.phase_key == key:
                    play.play_randomly(game, rng)
                by_phase.setdefault(str(game.phase), []).append(game.to_position())
        for reached in by_phase.values():
            chosen = rng.permutation(len(reached))[:EACH]
            found += [(switches, reached[i]) for i in chosen]
    return found


# --- changes ------------------------------------------------------------------------------------


def _unit(rng: Random) -> dict[str, str]:
    """Mostly one that can stand where it does."""
    kind = c.ARMY if rng.random() < 0.6 else c.FLEET
    there = [name for place, name in enumerate(LOCATIONS) if BOARD.steps[kind][place]]
    place = pick(rng, there if rng.random() < 0.95 else LOCATIONS)
    return {"power": pick(rng, POWERS), "type": c.UNIT_LETTERS[kind], "loc": place}


def _units(rng: Random, position: Position) -> None:
    """A unit more, less, or of another power."""
    units, way = position["units"], rng.random()
    if way < 0.4 or not units:
        unit = _unit(rng)
        position["units"] = [other for other in units if other["loc"][:3] != unit["loc"][:3]]
        position["units"].append(unit)
    elif way < 0.7:
        units.pop(int(rng.integers(len(units))))
    else:
        pick(rng, units)["power"] = pick(rng, POWERS)


def _phase(rng: Random, position: Position) -> None:
    """Another phase, with what belongs to it, or not."""
    if rng.random() < 0.1:
        position["phase"] = pick(rng, ODD_TURNS)
        return
    year = 1901 + int(pick(rng, (0, 1, 2, 3, 18, 19, 20)))
    position["phase"] = f"{pick(rng, ('S', 'F'))}{year}{pick(rng, 'MR')}"
    if rng.random() < 0.3:
        position["phase"] = f"W{year}A"
    if rng.random() < 0.9:
        position.pop("ended", None)
    if position["phase"].endswith("R"):
        _dislodge(rng, position)
    elif rng.random() < 0.8:
        position |= {"dislodged": [], "contested": []}


def _dislodge(rng: Random, position: Position) -> None:
    """A dislodged unit more, beside a unit that may have come from a neighbour."""
    if not position["units"]:
        return
    attacker = pick(rng, position["units"])
    place = attacker["loc"]
    kind = c.UNIT_LETTERS.index(attacker["type"]) if attacker["type"] in ("A", "F") else c.ARMY
    near = [LOCATIONS[i][:3] for i in BOARD.steps[kind][BOARD.index.get(place, 0)]]
    came = pick(rng, (*near, *near, pick(rng, PLACES), None))
    lost = {"power": pick(rng, POWERS), "type": pick(rng, "AAF"), "loc": place[:3], "from": came}
    position["dislodged"].append(lost)


def _retreats(rng: Random, position: Position) -> None:
    """Something else of the retreats."""
    lost = position["dislodged"]
    if not lost or rng.random() < 0.3:
        _dislodge(rng, position)
        return
    unit = pick(rng, lost)
    change = {"from": pick(rng, (*PLACES, None)), "power": pick(rng, POWERS)}
    key = pick(rng, tuple(change))
    unit[key] = change[key]
    if rng.random() < 0.3:
        position["contested"].append(pick(rng, PLACES))


def _centres(rng: Random, position: Position) -> None:
    """A centre of another power, or of nobody."""
    name = pick(rng, CENTRES)
    for owned in position["centres"].values():
        if name in owned:
            owned.remove(name)
    if rng.random() < 0.8:
        position["centres"].setdefault(pick(rng, POWERS), []).append(name)


def _take_all(rng: Random, position: Position) -> None:
    """Every centre that holds a unit is its power's, as at the end of a fall."""
    for unit in position["units"]:
        if unit["loc"][:3] in CENTRES:
            for owned in position["centres"].values():
                if unit["loc"][:3] in owned:
                    owned.remove(unit["loc"][:3])
            position["centres"].setdefault(unit["power"], []).append(unit["loc"][:3])


def _guests(rng: Random, owner: str) -> list[str]:
    """Some powers, seldom the owner among them."""
    guests = [str(power) for power in rng.permutation(POWERS)[: int(pick(rng, (0, 0, 1, 2)))]]
    return [power for power in guests if power != owner or rng.random() < 0.1]


def _tunnels(rng: Random, position: Position) -> None:
    """A tunnel more, less or changed; its number is mostly counted."""
    tunnels, way = position["tunnels"], rng.random()
    if way < 0.45 or not tunnels:
        owner, state = pick(rng, POWERS), pick(rng, ("hidden", "open"))
        permits = _guests(rng, owner)
        tunnel = {"owner": owner, "ends": list(pick(rng, PAIRS)), "state": state}
        tunnels.append(tunnel | {"permits": permits, "told": [*permits, *_guests(rng, owner)]})
        if rng.random() < 0.8:
            position["built"][owner] = position["built"].get(owner, 0) + 1
    elif way < 0.6:
        tunnels.pop(int(rng.integers(len(tunnels))))
    else:
        tunnel = pick(rng, tunnels)
        owner = tunnel["owner"]
        change = {"state": pick(rng, ("hidden", "open")), "permits": _guests(rng, owner)}
        change |= {"told": _guests(rng, owner), "owner": pick(rng, POWERS)}
        key = pick(rng, tuple(change))
        tunnel[key] = change[key]


def _built(rng: Random, position: Position) -> None:
    position["built"][pick(rng, POWERS)] = int(pick(rng, (0, 1, 2, 2, 3, 3, 4, 4, 5)))


def _eliminate(rng: Random, position: Position) -> None:
    """A power is out, mostly with all that it has; or one is not out any more."""
    out = position["eliminated"]
    if out and rng.random() < 0.3:
        out.pop()
        return
    power = pick(rng, POWERS)
    out.append(power)
    if rng.random() < 0.7:
        position["units"] = [unit for unit in position["units"] if unit["power"] != power]
        position["centres"].pop(power, None)
        position["tunnels"] = [t for t in position["tunnels"] if t["owner"] != power]


def _end(rng: Random, position: Position) -> None:
    """The game is over, or goes on."""
    if "ended" in position and rng.random() < 0.3:
        del position["ended"]
        _phase(rng, position)
        return
    year = pick(rng, (1901, 1903, 1919, 1920, 1921))
    position["phase"] = "COMPLETED"
    position["ended"] = {
        "turn": f"{pick(rng, ('S', 'F', 'F'))}{year}",
        "cause": pick(rng, c.END_CAUSES[int(rng.random() < 0.95) :]),
    }
    position |= {"dislodged": [], "contested": []}
    if rng.random() < 0.7:
        _take_all(rng, position)


def _agree(rng: Random, position: Position) -> None:
    """What is dislodged and the phase fit each other."""
    if position["phase"].endswith("R"):
        if not position["dislodged"]:
            _dislodge(rng, position)
    elif position["dislodged"] and rng.random() < 0.5:
        position["phase"] = f"F{1901 + int(rng.integers(3))}R"
        position.pop("ended", None)
    else:
        position |= {"dislodged": [], "contested": []}
    for owner in POWERS:
        standing = sum(tunnel["owner"] == owner for tunnel in position["tunnels"])
        if position["built"].get(owner, 0) < standing:
            position["built"][owner] = standing


def _anything(rng: Random, position: Position) -> None:
    """A value of any kind in one of the parts."""
    key = pick(rng, tuple(position))
    part = change_data(rng, {key: position.pop(key)}, WORDS, most=2)
    position |= part if isinstance(part, dict) else {key: part}


CHANGES: tuple[Change, ...] = (
    *(_units, _units, _phase, _phase, _retreats, _retreats, _centres, _take_all),
    *(_tunnels, _tunnels, _tunnels, _built, _eliminate, _end),
)


def mutate(rng: Random) -> tuple[dict[str, Any], Position]:
    """Switches of the ruleset, and a position with up to six changes; often of another ruleset than its own."""
    switches, base = pick(rng, _bases())
    position = copy.deepcopy(base)
    for key in ("ruleset", "ruleset_digest"):
        position.pop(key)
    for _ in range(min(6, int(rng.geometric(0.35)))):
        pick(rng, CHANGES)(rng, position)
    if rng.random() < 0.85:
        _agree(rng, position)
    if rng.random() < 0.1:
        _anything(rng, position)
    return pick(rng, SWITCHES) if rng.random() < 0.2 else switches, position


@cache
def _ruleset(number: int) -> Any:
    return load_ruleset("eurotunnel").with_values(SWITCHES[number])


def check(data: tuple[dict[str, Any], Any], folder: Path) -> str:
    """Read it; play on from it if it is accepted, and imagine it; adjudicate its phase."""
    switches, position = data
    rules = _ruleset(SWITCHES.index(switches))
    try:
        game = Game.from_position(position, rules)
    except ChannelTunnelError:
        game = None
    if game is not None:
        play.check_possible(game, np.random.default_rng(0))
        for viewer in game.seats:
            check_invariants(game.determinize(viewer, 3))
            Game.from_position(game.to_position(viewer), rules)
    try:
        adjudicate(position, {}, ruleset=rules)
    except ChannelTunnelError:
        assert game is None or game.is_over, "a game begins where no phase can be adjudicated"
        return "refused" if game is None else "accepted"
    return "accepted"


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    check(_bases()[0], folder)
