"""Random games under every switch, and invariants that notice what breaks them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.games.eurotunnel.board import load_board
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.invariants import (
    INVARIANTS,
    OWNERS_CHANGE,
    TUNNELS_TURN_BACK,
)
from channel_tunnel_env.games.eurotunnel.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.games.eurotunnel.ruleset import make_ruleset

from .arena import Arena

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


@pytest.mark.parametrize("lively", [0, 1])
def test_every_invariant_holds_in_random_games_under_every_switch(lively: int) -> None:
    rulesets = [make_ruleset(**{"max_year": 1908} | switches) for switches in SWITCHES]
    arena = Arena(*rulesets)
    for seed in range(2 * len(SWITCHES)):
        arena.states["ruleset"][0] = seed % len(SWITCHES)
        broken = kernels.check_random_play(
            arena.states, 0, arena.tables, seed, lively, arena.source, arena.blank, arena.work
        )
        assert broken == 0, (SWITCHES[seed % len(SWITCHES)], INVARIANTS[broken])


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
    return INVARIANTS[kernels.check_game(arena.states, 0, arena.tables, arena.work)]


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


@pytest.mark.parametrize(
    ("field", "place", "value", "broken"),
    [
        ("tunnel_state", (1, 0), c.HIDDEN, TUNNELS_TURN_BACK),
        ("owner", (LON,), c.NOBODY, OWNERS_CHANGE),
        ("owner", (LON,), 3, OWNERS_CHANGE),
    ],
)
def test_a_step_that_cannot_be_is_noticed(
    field: str, place: tuple[int, ...], value: int, broken: int
) -> None:
    arena = _in_the_middle()
    before = arena.states.copy()
    assert kernels.check_change(before, arena.states, 0) == 0
    arena.states[field][(0, *place)] = value
    assert kernels.check_change(before, arena.states, 0) == broken


def test_games_in_a_batch_play_on_and_their_masks_are_what_is_legal() -> None:
    arena = Arena(make_ruleset(max_year=1902))
    games = np.frombuffer(bytearray(4 * arena.states.itemsize), arena.states.dtype)
    games = games.view(type(arena.states))
    for i in range(len(games)):
        kernels.start_game(games, i, arena.tables, i, arena.blank, arena.work)
    masks = np.zeros((len(games), c.NUM_ACTIONS), np.int8)
    seen = np.zeros((len(games), OBSERVATION_SIZE), np.float32)
    results = np.zeros(4, np.int64)
    kernels.random_play(
        games, arena.tables, 500, arena.source, arena.blank, arena.work, masks, seen, results
    )
    assert results[0] > 4 and results[2] == 4 * 500 and results[3] == 2 * results[0]
    for i in range(len(games)):
        count = kernels.list_game(games, i, arena.tables, arena.work)
        assert (seen[i] == arena.observe(int(games["to_play"][i]), games, i)).all()
        assert np.flatnonzero(masks[i]).tolist() == arena.work["legal"][0][:count].tolist()
