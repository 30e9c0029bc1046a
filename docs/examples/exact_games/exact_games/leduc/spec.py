"""Leduc poker: two cards of each rank, a card each and one for both, two rounds of betting (Southey et al. 2005).

The ante is 1; a raise is 2 in the first round and 4 in the second, at most two raises a round. A pair with the open
card wins, then the higher rank.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, draw, seed_apart
from channel_tunnel_env.outside.documents import StrictModel
from exact_games.common import NOBODY, NONE, OVER, STREAM, finish, make_spec, record_dtype

VERSION = "v0"
MOST_RANKS = 6
COPIES = 2
FOLD, CALL, RAISE = range(3)
MOST_RAISES = 2
MOST_SAID = 8
DTYPE = record_dtype(
    ("rank", np.int8, 2),
    ("open_rank", np.int8),  # of the card for both, or NONE
    ("raises", np.int8),  # in this round
    ("acts", np.int8),  # in this round
    ("bet", np.int8, 2),
    ("leduc_said", np.int8, MOST_SAID),
)


class RulesetData(StrictModel):
    """Every figure."""

    game: Literal["leduc"] = "leduc"
    name: str
    title: str
    ranks: Annotated[int, Field(ge=2, le=MOST_RANKS)]


@compiled
def _deal(state, rules, one, other, work):
    """The rank of a card of the deck without two cards, or fewer (NONE)."""
    left = int(rules.ranks) * COPIES - (one != NONE) - (other != NONE)
    place = draw(state, STREAM, left, work)
    rank = 0
    while True:
        copies = COPIES - (one == rank) - (other == rank)
        if place < copies:
            return rank
        place -= copies
        rank += 1


@compiled
def set_up(state, rules, work):
    """A card and an ante each."""
    state.winner, state.open_rank = NOBODY, NONE
    state.rank[0] = _deal(state, rules, NONE, NONE, work)
    state.rank[1] = _deal(state, rules, int(state.rank[0]), NONE, work)
    state.bet[:] = 1


@compiled
def list_legal(state, rules, work):
    """To fold before a higher bet, to call or check, to raise."""
    if state.phase == OVER:
        return 0
    count = 0
    if state.bet[state.to_play] < state.bet[1 - state.to_play]:
        work.legal[count] = FOLD
        count += 1
    work.legal[count] = CALL
    count += 1
    if state.raises < MOST_RAISES:
        work.legal[count] = RAISE
        count += 1
    return count


@compiled
def apply_action(state, rules, action, work):
    """Bet; a call that answers ends the round."""
    seat = int(state.to_play)
    state.leduc_said[state.ply] = action
    state.ply += 1
    state.acts += 1
    if action == FOLD:
        finish(state, int(state.bet[1]) if seat else -int(state.bet[0]))
        return
    state.bet[seat] = state.bet[1 - seat]
    state.to_play = 1 - seat
    if action == RAISE:
        state.bet[seat] += 2 if state.open_rank == NONE else 4
        state.raises += 1
    elif state.acts > 1:
        _end_round(state, rules, work)


@compiled
def _end_round(state, rules, work):
    """Turn up the card for both, or show the cards."""
    if state.open_rank == NONE:
        state.open_rank = _deal(state, rules, int(state.rank[0]), int(state.rank[1]), work)
        state.raises = state.acts = state.to_play = 0
        return
    strength = [0, 0]
    for seat in range(2):
        strength[seat] = int(state.rank[seat]) + MOST_RANKS * (state.rank[seat] == state.open_rank)
    ahead = (strength[0] > strength[1]) - (strength[0] < strength[1])
    finish(state, ahead * int(state.bet[0]))


@compiled
def fill_observation(state, rules, viewer, work, observations, row):
    """The seat, its card, the open card, and what was said."""
    out = observations[row]
    out[:] = 0.0
    out[0] = viewer
    out[1 + int(state.rank[viewer])] = 1.0
    if state.open_rank != NONE:
        out[1 + MOST_RANKS + int(state.open_rank)] = 1.0
    for k in range(int(state.ply)):
        out[1 + 2 * MOST_RANKS + 3 * k + int(state.leduc_said[k])] = 1.0


@compiled
def determinize(state, rules, viewer, seed, work):
    """The other seat's card is dealt again, and so is the open one if it is not there yet."""
    seed_apart(state, WORLDS, seed)
    state.rank[1 - viewer] = _deal(state, rules, int(state.rank[viewer]), int(state.open_rank), work)


SPEC = make_spec(
    "leduc",
    DTYPE,
    RulesetData,
    ("fold", "call", "raise"),
    1 + 2 * MOST_RANKS + 3 * MOST_SAID,
    {
        **{"ply": (0, MOST_SAID), "rank": (0, MOST_RANKS - 1), "open_rank": (NONE, MOST_RANKS - 1)},
        **{"raises": (0, MOST_RAISES), "acts": (0, 4), "bet": (1, 13), "leduc_said": (0, RAISE)},
    },
    set_up=set_up,
    list_legal=list_legal,
    apply_action=apply_action,
    fill_observation=fill_observation,
    determinize=determinize,
)
