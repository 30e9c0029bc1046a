"""What the actions of Carcassonne are, in words."""

from __future__ import annotations

from channel_tunnel_env.faces.actions import ActionRange
from channel_tunnel_env.games.carcassonne.engine import constants as c

RANGES = (
    ActionRange(
        c.FIRST_CELL,
        c.NUM_CELLS,
        "cell",
        "where the tile goes: columns east of the start tile, rows south of it; the table wraps around at 16",
    ),
    ActionRange(
        c.FIRST_ROTATE, c.NUM_SIDES, "rotate", "how many quarter turns clockwise it is turned"
    ),
    ActionRange(
        c.FIRST_CLAIM,
        c.NUM_SIDES,
        "claim",
        "a follower on the city or road at that side of the tile as it lies",
    ),
    ActionRange(c.CLAIM_CLOISTER, 1, "claim", "a follower in its cloister"),
    ActionRange(
        c.FIRST_CLAIM_FIELD,
        c.NUM_HALVES,
        "claim",
        "a follower on the field at a half edge, clockwise from the western half of the north edge",
    ),
    ActionRange(c.CLAIM_NONE, 1, "claim", "no follower"),
    ActionRange(
        c.FIRST_TOKEN,
        c.NUM_OPENINGS,
        "token",
        "the first token of a set on a tunnel mouth, by the number of its opening",
    ),
    ActionRange(
        c.FIRST_TUNNEL,
        c.NUM_PAIRS,
        "token",
        "the second token of a set: it joins the two mouths by a tunnel",
    ),
    ActionRange(c.TOKEN_NONE, 1, "token", "no token"),
)


def action_ranges() -> tuple[ActionRange, ...]:
    """What the ids are, in order."""
    return RANGES
