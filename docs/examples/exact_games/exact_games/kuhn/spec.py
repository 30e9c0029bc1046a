"""Kuhn poker: a card each, an ante of one, and one bet of one that the other seat may call (Kuhn 1950)."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, draw, seed_apart
from channel_tunnel_env.outside.documents import StrictModel
from exact_games.common import NOBODY, OVER, STREAM, finish, make_spec, record_dtype

VERSION = "v0"
MOST_CARDS = 13
PASS, BET = range(2)
MOST_SAID = 3
DTYPE = record_dtype(("card", np.int8, 2), ("kuhn_said", np.int8, MOST_SAID))


class RulesetData(StrictModel):
    """Every figure."""

    game: Literal["kuhn"] = "kuhn"
    name: str
    title: str
    cards: Annotated[int, Field(ge=3, le=MOST_CARDS)]


@compiled
def _another(state, than, cards, work):
    """A card that is not the one given."""
    card = draw(state, STREAM, cards - 1, work)
    return card + 1 if card >= than else card


@compiled
def set_up(state, rules, work):
    """A card each."""
    state.winner = NOBODY
    state.card[0] = draw(state, STREAM, int(rules.cards), work)
    state.card[1] = _another(state, int(state.card[0]), int(rules.cards), work)


@compiled
def list_legal(state, rules, work):
    """To pass or to bet: after a bet, to fold or to call."""
    if state.phase == OVER:
        return 0
    work.legal[0], work.legal[1] = PASS, BET
    return 2


@compiled
def apply_action(state, rules, action, work):
    """Say it; two passes, or an answer to a bet, end the game."""
    state.kuhn_said[state.ply] = action
    state.ply += 1
    before = int(state.kuhn_said[state.ply - 2]) if state.ply > 1 else -1
    ahead = 1 if state.card[0] > state.card[1] else -1
    if before == BET and action == PASS:
        finish(state, -1 if state.to_play == 0 else 1)
    elif before == BET:
        finish(state, 2 * ahead)
    elif before == PASS and action == PASS:
        finish(state, ahead)
    else:
        state.to_play = 1 - state.to_play


@compiled
def fill_observation(state, rules, viewer, work, observations, row):
    """The seat, its card, and what was said."""
    out = observations[row]
    out[:] = 0.0
    out[0] = viewer
    out[1 + int(state.card[viewer])] = 1.0
    for k in range(int(state.ply)):
        out[1 + MOST_CARDS + 2 * k + int(state.kuhn_said[k])] = 1.0


@compiled
def determinize(state, rules, viewer, seed, work):
    """The other seat's card is dealt again."""
    seed_apart(state, WORLDS, seed)
    state.card[1 - viewer] = _another(state, int(state.card[viewer]), int(rules.cards), work)


SPEC = make_spec(
    "kuhn",
    DTYPE,
    RulesetData,
    ("pass", "bet"),
    1 + MOST_CARDS + 2 * MOST_SAID,
    {"ply": (0, MOST_SAID), "card": (0, MOST_CARDS - 1), "kuhn_said": (0, BET)},
    set_up=set_up,
    list_legal=list_legal,
    apply_action=apply_action,
    fill_observation=fill_observation,
    determinize=determinize,
)
