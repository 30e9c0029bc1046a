"""Liar's dice with one hidden die each: bids rise until one is doubted."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, draw, seed_apart
from channel_tunnel_env.outside.documents import StrictModel
from exact_games.common import NOBODY, NONE, OVER, STREAM, finish, make_spec, record_dtype

VERSION = "v0"
MOST_FACES = 6
DICE = 2
DOUBT = DICE * MOST_FACES
DTYPE = record_dtype(("die", np.int8, 2), ("bid", np.int8), ("bids", np.int8, DOUBT))


class RulesetData(StrictModel):
    """Every figure."""

    game: Literal["liars_dice"] = "liars_dice"
    name: str
    title: str
    faces: Annotated[int, Field(ge=2, le=MOST_FACES)]
    wild: bool


@compiled
def set_up(state, rules, work):
    """A die each."""
    state.winner, state.bid = NOBODY, NONE
    for seat in range(2):
        state.die[seat] = draw(state, STREAM, int(rules.faces), work)


@compiled
def list_legal(state, rules, work):
    """A higher bid (more dice, or as many of a higher face), or to doubt the last one."""
    if state.phase == OVER:
        return 0
    count = 0
    for bid in range(int(state.bid) + 1, DOUBT):
        if bid % MOST_FACES < rules.faces:
            work.legal[count] = bid
            count += 1
    if state.bid != NONE:
        work.legal[count] = DOUBT
        count += 1
    return count


@compiled
def apply_action(state, rules, action, work):
    """Bid, or doubt: the bid holds if there are as many dice of its face."""
    state.ply += 1
    if action != DOUBT:
        state.bid = action
        state.bids[action] = 1
        state.to_play = 1 - state.to_play
        return
    there = 0
    for seat in range(2):
        die = int(state.die[seat])
        there += die == state.bid % MOST_FACES or (rules.wild == 1 and die == rules.faces - 1)
    holds = there > state.bid // MOST_FACES
    finish(state, 1 if holds == (state.to_play == 1) else -1)


@compiled
def fill_observation(state, rules, viewer, work, observations, row):
    """The seat, its die, and the bids."""
    out = observations[row]
    out[:] = 0.0
    out[0] = viewer
    out[1 + int(state.die[viewer])] = 1.0
    for bid in range(DOUBT):
        out[1 + MOST_FACES + bid] = state.bids[bid]


@compiled
def determinize(state, rules, viewer, seed, work):
    """The other seat's die is thrown again."""
    seed_apart(state, WORLDS, seed)
    state.die[1 - viewer] = draw(state, STREAM, int(rules.faces), work)


SPEC = make_spec(
    "liars_dice",
    DTYPE,
    RulesetData,
    (*(f"{dice} of {face}" for dice in range(1, DICE + 1) for face in range(1, MOST_FACES + 1)), "doubt"),
    1 + MOST_FACES + DOUBT,
    {"die": (0, MOST_FACES - 1), "bid": (NONE, DOUBT - 1), "bids": (0, 1)},
    set_up=set_up,
    list_legal=list_legal,
    apply_action=apply_action,
    fill_observation=fill_observation,
    determinize=determinize,
)
