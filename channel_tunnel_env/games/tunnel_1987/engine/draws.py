"""Discs drawn from the bag: one number of the stream per disc, logged as DISC_STREAM, colour."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import LUCK_SIZE
from channel_tunnel_env.core.rng import LUCK_READ, LUCK_WRITE, MISFIT, draw, skip, write_luck
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

_DRAWS_A_ROUND = 64  # numbers reserved for one seat's draws in one round


@compiled
def aim_disc_draws(state, seat, extra):
    """Point the disc stream at this round's draws of a seat; extra > 0 for New workers' draws."""
    # Draws of a round are the same however many a seat drew before: searches and paired deals compare the same luck.
    place = (int(state.round_no) * 2 + seat) * _DRAWS_A_ROUND + extra
    state.rng_counter[c.DISC_STREAM] = place


@compiled
def draw_disc(state, in_bag, work):
    """Take one disc of `in_bag` > 0 from the bag; returns its colour."""
    if work.luck_mode == LUCK_READ:
        colour = _read_disc(state, work)
        skip(state, c.DISC_STREAM, 1)
    else:
        rest = draw(state, c.DISC_STREAM, in_bag, work)
        colour = 0  # the discs lie in a row by colour, and `rest` is a place in it
        while rest >= int(state.bag[colour]):
            rest -= int(state.bag[colour])
            colour += 1
        if work.luck_mode == LUCK_WRITE:
            write_luck(work, c.DISC_STREAM)
            write_luck(work, colour)
    state.bag[colour] -= 1
    return colour


@compiled
def _read_disc(state, work):
    place = int(work.luck_place)
    colour = int(work.luck[place + 1]) if place + 1 < LUCK_SIZE else -1
    if colour < 0 or colour >= c.NUM_COLOURS or work.luck[place] != c.DISC_STREAM or state.bag[colour] == 0:
        work.luck_misfit = MISFIT  # the draw goes on with some disc, so that the counts stay right
        colour = 0
        while state.bag[colour] == 0:
            colour += 1
    work.luck_place = place + 2
    return colour
