"""What a seat sees, as float32 numbers from 0 to 1 in named sections."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from shaft_bluff.engine import constants as c
from shaft_bluff.engine.transition import total

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
