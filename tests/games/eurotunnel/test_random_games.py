"""Random games under every switch, and invariants that notice what breaks them.

python -m tests.games.eurotunnel.test_random_games GAMES [SEED]      as many games as wanted, to their last year
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.invariants import INVARIANTS, OWNERS_CHANGE, RANGES, TUNNELS_TURN_BACK
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.outside.progress import show_progress

from . import kernels as own
from .arena import Arena, ruleset_with

SWITCHES: list[dict[str, Any]] = [
    {},
    {"rulebook": "datc"},
    {"tunnels": False},
    {"tunnels_per_power": 2, "tunnels_per_turn": 2, "tunnels_per_province": 1},
    {"permissions": False, "auto_forced": False},
    {"draw_vote": True},
    {"absent": ["ITALY", "RUSSIA"], "limit_score": "dss"},
    {"victory_centres": 6},
    {"max_year": 1902, "limit_score": "centres"},
    {"max_year": 1902, "limit_score": "pieces"},
]


def _play(arena: Arena, place: int, seed: int, lively: int) -> int:
    """One game of a ruleset; returns the invariant that broke, or 0. What is chosen follows from the seed."""
    arena.states["ruleset"][0] = place
    arena.source[0] = seed
    return int(
        own.check_random_play(arena.states, 0, arena.tables, seed, lively, arena.source, arena.blank, arena.work)
    )


@pytest.mark.parametrize("lively", [0, 1])
def test_every_invariant_holds_in_random_games_under_every_switch(lively: int) -> None:
    rulesets = [ruleset_with(**{"max_year": 1908} | switches) for switches in SWITCHES]
    arena = Arena(*rulesets)
    for seed in range(len(SWITCHES)):
        place = seed % len(SWITCHES)
        broken = _play(arena, place, seed, lively)
        assert broken == 0, (SWITCHES[place], INVARIANTS[broken])


def _in_the_middle() -> Arena:
    """England has opened one tunnel, on which France is a guest, and keeps another hidden."""
    arena = Arena()
    arena.start()
    state = arena.state
    pairs = list(load_board().pairs)
    index = load_board().index
    for slot, (ends, what) in enumerate((("LON PIC", c.OPENED), ("BEL LON", c.HIDDEN))):
        a, b = sorted(index[name] for name in ends.split())
        state.tunnel_pair[1, slot] = pairs.index((a, b))
        state.tunnel_state[1, slot] = what
    state.built[1] = 2
    for name in ("tunnel_permits", "tunnel_told", "tunnel_next"):
        state[name][1, 0] = 1 << 2
    return arena


def _broken(arena: Arena) -> str:
    return INVARIANTS[kernels.check_game(arena.states, 0, arena.tables, True, arena.work)]


LON, MUN, ADR, PAR = (load_board().index[name] for name in ("LON", "MUN", "ADR", "PAR"))
LONDON_PICARDY = list(load_board().pairs).index((LON, load_board().index["PIC"]))


def _open_under_london(state: Any) -> None:
    """A French tunnel, opened, that ends under an English fleet."""
    state.built[2] = 1
    state.tunnel_pair[2, 0] = LONDON_PICARDY
    state.tunnel_state[2, 0] = c.OPENED


BREAKAGES = {
    "a unit stands": lambda s: s.unit_type.__setitem__(MUN, c.FLEET),
    "a power has no more": lambda s: s.owner.__setitem__(MUN, c.NOBODY),
    "only centres": lambda s: s.owner.__setitem__(ADR, 1),
    "a power's tunnels": lambda s: s.built.__setitem__(1, 3),
    "one standing tunnel": lambda s: s.tunnel_pair.__setitem__((1, 1), LONDON_PICARDY),
    "permissions and": lambda s: s.tunnel_told.__setitem__((1, 0), 0),
    "no unit without": lambda s: _open_under_london(s),
    "dislodged units": lambda s: s.contested.__setitem__(ADR, 1),
    "a power that is out": lambda s: setattr(s, "alive", 1),
    "what is written": lambda s: s.written.__setitem__(PAR, 0),
    "the power asked": lambda s: setattr(s, "cursor", PAR),
    "shares of": lambda s: s.share.__setitem__(0, 1.0),
}


@pytest.mark.parametrize("start", BREAKAGES)
def test_an_invariant_notices_what_breaks_it(start: str) -> None:
    arena = _in_the_middle()
    assert _broken(arena) == INVARIANTS[0]
    BREAKAGES[start](arena.state)
    assert _broken(arena).startswith(start)


@pytest.mark.parametrize("field", ["unit_type", "unit_location", "lost_type", "lost_location"])
@pytest.mark.parametrize("value", [-1, c.NUM_LOCATIONS, 127])
def test_what_is_looked_up_in_a_table_is_in_range_before_anything_is_looked_up(field: str, value: int) -> None:
    arena = _in_the_middle()
    arena.state[field][arena.state.cursor] = value
    assert _broken(arena) == INVARIANTS[RANGES]


@pytest.mark.parametrize(
    ("field", "place", "value", "broken"),
    [
        ("tunnel_state", (1, 0), c.HIDDEN, TUNNELS_TURN_BACK),
        ("owner", (LON,), c.NOBODY, OWNERS_CHANGE),
        ("owner", (LON,), 3, OWNERS_CHANGE),
    ],
)
def test_a_step_that_cannot_be_is_noticed(field: str, place: tuple[int, ...], value: int, broken: int) -> None:
    arena = _in_the_middle()
    before = arena.states.copy()
    assert own.check_change(before, arena.states, 0) == 0
    arena.states[field][(0, *place)] = value
    assert own.check_change(before, arena.states, 0) == broken


def main() -> int:
    """Random games under every switch in turn, every second one full of conflict; the count of those that fail."""
    games, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    arena, failed = Arena(*(ruleset_with(**switches) for switches in SWITCHES)), 0
    with show_progress() as progress:
        stage = progress.begin("random games", games)
        for seed in range(first, first + games):
            place, lively = seed % len(SWITCHES), seed // len(SWITCHES) % 2
            broken = _play(arena, place, seed, lively)
            if broken:
                failed += 1
                print(f"seed {seed}, {SWITCHES[place]}: {INVARIANTS[broken]}")
            stage.advance()
    print(f"{games} games, {failed} with a violation")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
