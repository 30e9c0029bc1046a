"""Randomness: counter-based, in the record, one stream per source of luck.

A number is a hash (SplitMix64, Steele, Lea & Flood 2014) of the stream's key and a counter, so the
same seed deals the same decks whatever the players do, and a copied game goes on alike.

`log` is an int16 array that records chance or plays it back: log[0] mode, log[1] next place,
log[2] set when what is played back does not fit; entries start at LOG_START. A shuffle is written as
stream, number of items, the items in their new order; a disc drawn as DISC_STREAM, colour.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.engine.constants import (
    DISC_STREAM,
    NUM_COLOURS,
    NUM_STREAMS,
)
from channel_tunnel_env.engine.jit import compiled

LOG_OFF, LOG_WRITE, LOG_READ = range(3)
LOG_START = 3
LOG_SIZE = 16384
NO_FIT = 1

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_U1 = np.uint64(1)
_DRAWS_A_ROUND = 64  # numbers set aside for one seat's draws in one round


@compiled
def mix(x):
    """SplitMix64's finaliser: uint64 -> uint64."""
    x = (x ^ (x >> _U30)) * _MIX_1
    x = (x ^ (x >> _U27)) * _MIX_2
    return x ^ (x >> _U31)


@compiled
def seed_streams(state, seed):
    """Key every stream from a seed in 0 .. 2**63 - 1."""
    state.seed = seed
    base = mix(np.uint64(seed) + _GOLDEN)
    for stream in range(NUM_STREAMS):
        state.rng_key[stream] = mix(base + _GOLDEN * np.uint64(stream + 1))
        state.rng_counter[stream] = 0


@compiled
def next_seed(seed):
    """The seed of the game after this one in an autoreset batch."""
    return np.int64(mix(np.uint64(seed) * _MIX_1 + _GOLDEN) >> _U1)


@compiled
def below(state, stream, n):
    """A uniform number in 0 .. n - 1 (n <= 2**16; its bias is under 2**-16)."""
    counter = int(state.rng_counter[stream])
    state.rng_counter[stream] = counter + 1
    bits = mix(state.rng_key[stream] + np.uint64(counter) * _GOLDEN)
    return np.int64(((bits >> _U32) * np.uint64(n)) >> _U32)


@compiled
def shuffle(state, stream, items, start, stop, log):
    """Shuffle items[start:stop] in place (Fisher-Yates)."""
    if log[0] == LOG_READ:
        _read_order(stream, items, start, stop, log)
        return
    for i in range(stop - 1, start, -1):
        j = start + below(state, stream, i - start + 1)
        items[i], items[j] = items[j], items[i]
    if log[0] == LOG_WRITE:
        _write(log, stream)
        _write(log, stop - start)
        for i in range(start, stop):
            _write(log, items[i])


@compiled
def aim_disc_draws(state, seat, extra):
    """Point the disc stream at this round's draws of a seat; extra > 0 for New workers' draws."""
    place = (int(state.round_no) * 2 + seat) * _DRAWS_A_ROUND + extra
    state.rng_counter[DISC_STREAM] = place


@compiled
def draw_disc(state, in_bag, log):
    """Take one disc of `in_bag` > 0 from the bag; returns its colour."""
    if log[0] == LOG_READ:
        colour = _read_disc(state, log)
    else:
        rest = below(state, DISC_STREAM, in_bag)
        colour = 0
        while rest >= int(state.bag[colour]):
            rest -= int(state.bag[colour])
            colour += 1
        if log[0] == LOG_WRITE:
            _write(log, DISC_STREAM)
            _write(log, colour)
    state.bag[colour] -= 1
    return colour


@compiled
def _write(log, value):
    place = int(log[1])
    if place < log.shape[0]:
        log[place] = value
    else:
        log[2] = NO_FIT
    log[1] = place + 1


@compiled
def _read_order(stream, items, start, stop, log):
    """Put items[start:stop] into the logged order, if that is an order of the same items."""
    place = int(log[1])
    fits = place + 2 + stop - start <= log.shape[0]
    if not fits or log[place] != stream or log[place + 1] != stop - start:
        log[2] = NO_FIT
        return
    for i in range(start, stop):
        wanted = log[place + 2 + i - start]
        found = -1
        for j in range(i, stop):
            if items[j] == wanted:
                found = j
                break
        if found < 0:
            log[2] = NO_FIT
            return
        items[i], items[found] = items[found], items[i]
    log[1] = place + 2 + stop - start


@compiled
def _read_disc(state, log):
    place = int(log[1])
    colour = int(log[place + 1]) if place + 1 < log.shape[0] else -1
    if colour < 0 or colour >= NUM_COLOURS or log[place] != DISC_STREAM or state.bag[colour] == 0:
        log[2] = NO_FIT
        colour = 0
        while state.bag[colour] == 0:
            colour += 1
    log[1] = place + 2
    return colour
