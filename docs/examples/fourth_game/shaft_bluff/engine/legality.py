"""What a player may do: the only place that decides it."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from shaft_bluff.engine import constants as c


@compiled
def list_legal(state, rules, work):
    """Write the legal ids to `work.legal`, ascending; returns their number."""
    count = 0
    if state.phase == c.ANSWER:
        work.legal[0], work.legal[1] = c.BELIEVE, c.CHECK
        return 2
    for card in range(int(rules.depths)):
        if state.phase == c.DIG and state.hand[state.to_play, card] > 0:
            work.legal[count] = card
            count += 1
        elif state.phase == c.ANNOUNCE:
            work.legal[count] = c.FIRST_ANNOUNCE + card
            count += 1
    return count
