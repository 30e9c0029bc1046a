"""What a seat sees, as float32 numbers from 0 to 1 in named sections, and how the rest is dealt again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, seed_apart, shuffle
from channel_tunnel_env.faces.observation import Section, plain_sections
from shaft_bluff import constants as c
from shaft_bluff.rules import total

SECTIONS = (
    ("phase", len(c.PHASES), "dig, announce, answer, over"),
    ("viewer", 1, "1 where the viewer decides"),
    ("turn", 1, "turns begun, as a part of all"),
    ("hand", c.MAX_DEPTHS, "the viewer's cards by depth, as a part of the copies"),
    ("buried", c.MAX_DEPTHS, "the viewer's own believed cards, likewise"),
    ("shown", c.MAX_DEPTHS, "cards turned up, likewise"),
    ("card", c.MAX_DEPTHS, "the card that the viewer has dug in this turn"),
    ("said", c.MAX_DEPTHS, "the depth announced"),
    ("points", c.SEATS, "of the viewer and of the rival, as a part of the most that there can be"),
)
OBSERVATION_SIZE = sum(size for _, size, _ in SECTIONS)


@compiled
def fill_observation(state, rules, viewer, work, observations, row):
    """Write what a seat sees to float32[row, D]; every place is written."""
    out = observations[row]
    for k in range(out.shape[0]):
        out[k] = 0.0
    out[int(state.phase)] = 1.0
    place = len(c.PHASES)
    out[place] = 1.0 if state.to_play == viewer and state.phase != c.OVER else 0.0
    out[place + 1] = state.turn / (c.SEATS * rules.turns)
    place += 2
    for card in range(int(rules.depths)):
        out[place + card] = state.hand[viewer, card] / rules.copies
        out[place + c.MAX_DEPTHS + card] = state.buried[viewer, card] / rules.copies
        out[place + 2 * c.MAX_DEPTHS + card] = state.shown[card] / rules.copies
    place += 3 * c.MAX_DEPTHS
    digs = state.phase == c.ANNOUNCE and state.to_play == viewer
    digs |= state.phase == c.ANSWER and state.to_play != viewer
    if digs:
        out[place + int(state.card)] = 1.0
    if state.said != c.NONE:
        out[place + c.MAX_DEPTHS + int(state.said)] = 1.0
    place += 2 * c.MAX_DEPTHS
    most = max(1, int(rules.points_limit))
    out[place] = total(state, viewer) / most
    out[place + 1] = total(state, 1 - viewer) / most


# --- dealing again what a seat cannot know: the rival's hand and face-down cards, and the deck ----


@compiled
def determinize(state, rules, viewer, seed, work):
    """Draw one world that fits what `viewer` has seen.

    The unseen cards are laid out by depth before they are shuffled, so that two positions that look equal give the
    same world. Every key and the seed are replaced: the copy reveals no future luck.
    """
    seed_apart(state, WORLDS, seed)
    rival = 1 - viewer
    hidden_card = state.card != c.NONE and _digger(state) == rival
    in_hand, in_shaft = 0, 0
    for card in range(int(rules.depths)):
        in_hand += int(state.hand[rival, card])
        in_shaft += int(state.buried[rival, card])
        state.hand[rival, card], state.buried[rival, card] = 0, 0
    count = _gather(state, rules, viewer, hidden_card, work)
    shuffle(state, c.DECK_STREAM, work.pool, 0, count, work)
    place = 0
    for _ in range(in_hand):
        state.hand[rival, work.pool[place]] += 1
        place += 1
    for _ in range(in_shaft):
        state.buried[rival, work.pool[place]] += 1
        place += 1
    if hidden_card:
        state.card = work.pool[place]
        place += 1
    for k in range(int(state.drawn), int(state.deck_size)):
        state.deck[k] = work.pool[place]
        place += 1
    for k in range(int(state.drawn)):  # drawn cards lie elsewhere; their old order says whose they were
        state.deck[k] = 0


@compiled
def _digger(state):
    return 1 - int(state.to_play) if state.phase == c.ANSWER else int(state.to_play)


@compiled
def _gather(state, rules, viewer, hidden_card, work):
    """The cards that a viewer cannot place into `work.pool`, by depth; returns their number."""
    count = 0
    for card in range(int(rules.depths)):
        left = int(rules.copies) - int(state.hand[viewer, card]) - int(state.buried[viewer, card])
        left -= int(state.shown[card])
        if state.card == card and not hidden_card:
            left -= 1
        for _ in range(left):
            work.pool[count] = card
            count += 1
    return count


# --- for people -----------------------------------------------------------------------------------


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections, in order."""
    found, place = [], 0
    for name, size, meaning in SECTIONS:
        found.append(Section(name, place, size, meaning))
        place += size
    return tuple(found)


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """Each section as its numbers."""
    return plain_sections(sections(ruleset), observation)
