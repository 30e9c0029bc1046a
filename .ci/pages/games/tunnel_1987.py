"""What the pages say about 1987 Channel Tunnel."""

from __future__ import annotations

from channel_tunnel_env.games.tunnel_1987.engine.actions import BLOCKS
from pages.games import ActionRange, GamePages

PAGES = GamePages(
    name="tunnel_1987",
    folder="1987",
    title="1987 Channel Tunnel",
    ruleset="standard",
    seats="Britain starts the first round",
    turns="a turn is often several decisions in a row: the placement first, then each further choice. Read whose turn "
    "it is after every step",
    rewards="0 until the end, then 1 for the winner and -1 for the loser; 0 for both if a stopped game is a draw",
    hidden="face-down rubble tokens that the viewer hasn't looked at, the order of the decks, and what the rival has "
    "looked at",
    luck="the rubble, the cards, the deviation cards, the agenda and the draws from the bag, each from a stream of its "
    "own. The same seed deals the same luck, whatever is played",
    ends={
        "centre": "a boring machine reached the centre: the side with more points wins",
        "deviation": "a boring machine left its line: that side loses at once",
        "max_rounds": "too many rounds: the game is stopped and scored as it is",
        "empty_rounds": "too many rounds in a row without a placement: the game is stopped and scored as it is",
        "dead_position": "neither side can ever act again: the game is stopped and scored as it is",
    },
    won='`"britain"`, `"france"`, or `None` after a draw',
    ranges=[ActionRange(b.start, b.size, b.phase, b.meaning) for b in BLOCKS],
    actions="`own` and `rival` are relative to the seat to play, so that one policy can play both seats. A turn is one "
    "id for the placement (space, use of the space and colour together), then one id for each further choice: which "
    "card, which token, which track. A choice with one answer is made for you unless the ruleset switches "
    "`auto_forced` off.",
    change=("discs.hand", 11),
    observation="It holds everything that the viewer could know with a perfect memory. `own` is the viewer's, `rival` "
    "the other seat's, so that each seat sees the game from its own side. Colours are in the order blue, black, "
    "orange, yellow, white. The sections whose names begin with `rule_` are numbers of the ruleset: a policy can read "
    "which rules it plays. Points in them have 20 added, because points may be negative.",
)
