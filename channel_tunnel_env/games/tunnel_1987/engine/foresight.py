"""What a seat could do with its next turn on the board as it lies: Tunnels, and spaces it would close.

Placements are bit masks by action id, as `find_placements` returns them.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.deviation import draws_for, loss_chance
from channel_tunnel_env.games.tunnel_1987.engine.legality import ALL_COLOURS, SPACE_BITS, holds

# The lowest bit of each option: times a set of colours, it is that set in every option.
_EVERY_OPTION = sum(1 << (c.NUM_COLOURS * k) for k in range(2 * (c.FIRST_SLOT + c.NUM_SLOTS)))


@compiled
def can_place_tunnel(state, rules, placements):
    """Whether one of the placements is a Tunnel."""
    tunnels = (placements >> (c.PLAN_TUNNEL * SPACE_BITS + c.NUM_COLOURS)) & ALL_COLOURS
    for slot in range(c.NUM_SLOTS):
        card = max(int(state.slots[slot]), 0)  # without a card there is no placement
        # The first option of a slot is the card's secondary action.
        first = (placements >> ((c.FIRST_SLOT + slot) * SPACE_BITS)) & ALL_COLOURS
        tunnels |= first * int(rules.card_secondary[card] == c.TUNNEL)
    return tunnels != 0


@compiled
def can_place_on(placements, space):
    """Whether one of the placements is on a space."""
    return (placements >> (space * SPACE_BITS)) & ((1 << SPACE_BITS) - 1) != 0


@compiled
def tall_placements(ladder, placements, height):
    """Those of a seat's placements that lay stacks of at least `height` discs."""
    return placements & (holds(ladder, max(height, 1)) * _EVERY_OPTION)  # `holds` counts from 1


@compiled
def tunnel_loss(state, rules, seat, colour, gone):
    """Chance that the seat's next Tunnel, through a token of this colour, loses the game by deviation.

    `gone` is the set of deviation cards in the discard.
    """
    draws = draws_for(state, rules, seat, colour)
    if draws == 0:
        return 0.0
    return loss_chance(rules, gone, int(rules.deviation_limit) - int(state.deviation[seat]), draws)
