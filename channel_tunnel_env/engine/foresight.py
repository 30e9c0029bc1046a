"""What a seat could do with its next turn on the board as it lies: Tunnels, and spaces it would close.

Placements are bit masks by action id, as `find_placements` returns them.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.engine.constants import (
    FIRST_SLOT,
    NUM_COLOURS,
    NUM_SPACES,
    PLAN_TUNNEL,
    TUNNEL,
)
from channel_tunnel_env.engine.deviation import draws_for, loss_chance

OPTION_BITS = (1 << NUM_COLOURS) - 1  # the colours of one option of a space
SPACE_BITS = 2 * NUM_COLOURS


@compiled
def can_place_tunnel(state, rules, placements):
    """Whether one of the placements is a Tunnel."""
    if (placements >> (PLAN_TUNNEL * SPACE_BITS + NUM_COLOURS)) & OPTION_BITS:
        return True
    for space in range(FIRST_SLOT, NUM_SPACES):
        card = int(state.slots[space - FIRST_SLOT])
        first = (placements >> (space * SPACE_BITS)) & OPTION_BITS
        if card >= 0 and first and rules.card_secondary[card] == TUNNEL:
            return True
    return False


@compiled
def can_place_on(placements, space):
    """Whether one of the placements is on a space."""
    return (placements >> (space * SPACE_BITS)) & ((1 << SPACE_BITS) - 1) != 0


@compiled
def tallest_stack(state, seat, placements, space):
    """Discs of the tallest stack that the placements lay on a space; 0 if there is none."""
    colours = placements >> (space * SPACE_BITS)
    colours = (colours | (colours >> NUM_COLOURS)) & OPTION_BITS
    tallest = 0
    for colour in range(NUM_COLOURS):
        if (colours >> colour) & 1:
            tallest = max(tallest, int(state.discs[seat, colour]))
    return tallest


@compiled
def tunnel_loss(state, rules, seat, colour, gone):
    """Chance that the seat's next Tunnel, through a token of this colour, loses the game by deviation.

    `gone` is the set of deviation cards in the discard.
    """
    draws = draws_for(state, rules, seat, colour)
    if draws == 0:
        return 0.0
    return loss_chance(rules, gone, int(rules.deviation_limit) - int(state.deviation[seat]), draws)
