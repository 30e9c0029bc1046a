"""What the pages say about Carcassonne with The Tunnel."""

from __future__ import annotations

from channel_tunnel_env.games.carcassonne.engine import constants as c
from pages.games import ActionRange, GamePages

RANGES = (
    ActionRange(
        c.FIRST_CELL,
        c.NUM_CELLS,
        "cell",
        "where the tile goes: columns east of the start tile, rows south of it; the table wraps around at 16",
    ),
    ActionRange(c.FIRST_ROTATE, c.NUM_SIDES, "rotate", "how many quarter turns clockwise it is turned"),
    ActionRange(
        c.FIRST_CLAIM, c.NUM_SIDES, "claim", "a follower on the city or road at that side of the tile as it lies"
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
    ActionRange(c.FIRST_TUNNEL, c.NUM_PAIRS, "token", "the second token of a set: it joins the two mouths by a tunnel"),
    ActionRange(c.TOKEN_NONE, 1, "token", "no token"),
)

PAGES = GamePages(
    name="carcassonne",
    folder="carcassonne",
    title="Carcassonne with The Tunnel",
    ruleset="carcassonne",
    seats="two, or as many as `players` of the ruleset says, up to six; `player_0` lays the first tile",
    turns="a turn is one tile: where it goes, how it is turned, a follower or none, a tunnel token or none. A choice "
    "with one answer is made for you unless the ruleset switches `auto_forced` off",
    rewards="0 until the end. If k of n seats share the win, each of them gets (n / k - 1) / (n - 1) and every other "
    "seat -1 / (n - 1). Between two seats that is 1 and -1, or 0 for both",
    hidden="the order of the deck, and nothing else",
    luck="the deck. The same seed deals the same deck, whatever is played",
    ends={"last_tile": "the last tile was laid: the seats with the most points win"},
    won='a seat such as `"player_0"`, or `None` if several seats share the win',
    ranges=RANGES,
    actions="Cells count from the start tile: columns to the east, rows to the south.",
    change=("points.cloister", 8),
    observation="Seats are in turn order from the viewer on. The bounds follow from the ruleset "
    "(`spec.observation.bounds`), because numbers are counts over fixed scales. With more seats it is longer: "
    "`spec.observation.size(ruleset)` says how long.",
    more_seats={"base": "carcassonne", "players": 6},
)
