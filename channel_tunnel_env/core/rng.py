"""Randomness: counter-based, stored in the record, one stream per source of luck.

A number is a hash (SplitMix64, Steele, Lea & Flood 2014) of the stream's key and a counter, so the
same seed deals the same decks regardless of what the players do, and a copied game continues identically.

Luck can be recorded or played back through the workspace: `work.luck_mode`, the next index
`work.luck_place`, and the log `work.luck`. Luck that is played back moves its stream on as far as drawing it would:
a game goes on the same after either. A shuffle is logged as stream, number of items, the
items in their new order. `work.luck_misfit` is set when the log does not match what is asked for.

Luck can also be chosen (LUCK_ASK): then `draw`, and so a shuffle, takes its numbers from the log and draws none of its
own. The log holds a pair for each: the number, and how many there were to choose from. After the last pair that was
given (a number of UNGIVEN ends them) 0 is chosen, so a play always comes to its end, and its log says what else it might
have been (`core.chance`).
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import LUCK_SIZE, drawn_on

LUCK_FREE, LUCK_WRITE, LUCK_READ, LUCK_ASK = range(4)
MISFIT = 1
UNGIVEN = -1
MOST_ASKED = 2**15 - 1  # outcomes of one draw, which the log counts in 16 bits

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, and odd: its multiples visit every number
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
# Typed, because numba makes floats of sums and products of a uint64 and an int.
_U27, _U30, _U31, _U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_U1, _U2, _U62 = np.uint64(1), np.uint64(2), np.uint64(62)
WORLDS, POSITIONS = 2, 3  # the two top bits of the value that keys come from; games have 0 or 1


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
    for stream in range(len(state.rng_key)):
        seed_stream(state, stream, seed)


@compiled
def seed_stream(state, stream, seed):
    """Give one stream the key that it has in a game with this seed."""
    _key_stream(state, stream, np.uint64(seed))


@compiled
def seed_apart(state, kind, seed):
    """Key every stream from a seed, apart from all games: `kind` is WORLDS or POSITIONS.

    For each stream the key is a bijection of 64 bits. Games' seeds leave the top bit clear, worlds
    and positions set it, so a key made here belongs to no game of any seed, and to no other kind.
    The `seed` that the record then holds reveals nothing about the one given.
    """
    root = (np.uint64(kind) << _U62) | (mix(np.uint64(seed)) >> _U2)
    for stream in range(len(state.rng_key)):
        _key_stream(state, stream, root)
    state.seed = np.int64(mix(root) >> _U1)  # 63 bits, as every seed


@compiled
def _key_stream(state, stream, root):
    # Hashed twice, so that neither neighbouring seeds nor neighbouring streams resemble each other.
    base = mix(root + GOLDEN)
    state.rng_key[stream] = mix(base + GOLDEN * np.uint64(stream + 1))
    state.rng_counter[stream] = 0


@compiled
def next_seed(seed):
    """The seed of the game after this one in an autoreset batch."""
    # A hash, not seed + 1: rows whose seeds are neighbours would play each other's games.
    return np.int64(mix(np.uint64(seed) * _MIX_1 + GOLDEN) >> _U1)


@compiled
def below(state, stream, n):
    """A uniform number in 0 .. n - 1 (n <= 2**16; its bias is under 2**-16)."""
    counter = int(state.rng_counter[stream])
    state.rng_counter[stream] = drawn_on(counter, 1)
    bits = mix(state.rng_key[stream] + np.uint64(counter) * GOLDEN)
    # The upper 32 bits times n, then shifted down by 32: below n, without a division.
    return np.int64(((bits >> _U32) * np.uint64(n)) >> _U32)


@compiled
def draw(state, stream, n, work):
    """A uniform number in 0 .. n - 1 (n <= 2**16), chosen where luck is: what rules call for luck that is no shuffle."""
    if work.luck_mode == LUCK_ASK:
        return _asked(n, work)
    return below(state, stream, n)


@compiled
def _asked(n, work):
    place = int(work.luck_place)
    if place + 2 >= LUCK_SIZE or n > MOST_ASKED:
        work.luck_misfit = MISFIT
        return 0
    chosen = int(work.luck[place])
    if chosen == UNGIVEN:
        chosen = 0
        work.luck[place] = chosen
        work.luck[place + 2] = UNGIVEN
    work.luck[place + 1] = n
    work.luck_place = place + 2
    return chosen


@compiled
def skip(state, stream, count):
    """Pass over `count` numbers of a stream, which a log gave instead."""
    state.rng_counter[stream] = drawn_on(state.rng_counter[stream], count)


@compiled
def random_number(source, n):
    """A uniform number in 0 .. n - 1 from the caller's own generator (uint64[1])."""
    source[0] = source[0] + GOLDEN
    return np.int64(((mix(source[0]) >> _U32) * np.uint64(n)) >> _U32)


@compiled
def shuffle(state, stream, items, start, stop, work):
    """Shuffle items[start:stop] in place (Fisher-Yates)."""
    if work.luck_mode == LUCK_READ:
        _read_order(stream, items, start, stop, work)
        skip(state, stream, max(stop - start - 1, 0))  # as many numbers as a shuffle draws
        return
    for i in range(stop - 1, start, -1):
        j = start + draw(state, stream, i - start + 1, work)
        items[i], items[j] = items[j], items[i]
    if work.luck_mode == LUCK_WRITE:
        write_luck(work, stream)
        write_luck(work, stop - start)
        for i in range(start, stop):
            write_luck(work, items[i])


@compiled
def write_luck(work, value):
    """Add a number to the log."""
    place = int(work.luck_place)
    if place < LUCK_SIZE:
        work.luck[place] = value
    else:
        work.luck_misfit = MISFIT  # a log without room is not whole
    work.luck_place = place + 1


@compiled
def _read_order(stream, items, start, stop, work):
    """Put items[start:stop] into the logged order, if the log holds the same items."""
    place = int(work.luck_place)
    fits = place + 2 + stop - start <= LUCK_SIZE  # tested first: nothing is read beyond the log
    if not fits or work.luck[place] != stream or work.luck[place + 1] != stop - start:
        work.luck_misfit = MISFIT
        return
    for i in range(start, stop):
        wanted = work.luck[place + 2 + i - start]
        found = -1
        # What is in place already is not looked at, so an item that occurs twice is found twice.
        for j in range(i, stop):
            if items[j] == wanted:
                found = j
                break
        if found < 0:
            work.luck_misfit = MISFIT
            return
        items[i], items[found] = items[found], items[i]
    work.luck_place = place + 2 + stop - start
