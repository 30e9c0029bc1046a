"""The guided first game of Carcassonne: what to look at on the table, and what to try.

The words of moves are those of `words.choice_words`, those of the log `words.decision_words`.
"""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_env.faces.table import Lesson, LessonStep
from channel_tunnel_env.games.carcassonne.faces.rulebook import figures
from channel_tunnel_env.rulesets.ruleset import load_ruleset

RULESET, SEED = "carcassonne", 22818  # the person draws a bend, a city and a tile with three mouths
SEAT = "player_0"
RIVAL = "greedy"


def lesson() -> Lesson:
    """The steps with the figures of the ruleset."""
    values = figures(load_ruleset(RULESET).data)
    steps = tuple(replace(step, text=step.text.format(**values)) for step in STEPS)
    return Lesson(RULESET, SEED, SEAT, RIVAL, steps)


_START = ("cell 0 0",)
_LAY_FIRST = "Lay your tile, if you have not yet."
STEPS = (
    LessonStep(
        "goal",
        "The goal",
        "You and your rival build one landscape, a tile each turn, around this start tile. Followers on its roads, "
        "cities, cloisters and fields score for you. After {tiles} tiles, most points win.",
        _START,
    ),
    LessonStep(
        "laying",
        "Lay a tile",
        "Your tile has a road that bends. The cells where it fits are marked. Every edge must match its neighbour: "
        "road to road, city to city, field to field. Choose a cell.",
        _START,
        "Lay the tile at",
        "Tile ",
    ),
    LessonStep(
        "laying",
        "Turn it",
        "Here the tile fits in more than one way. Touch it until it lies as you like, then press Lay it. Roads that "
        "meet become one road, with both tiles.",
        _START,
        "Lay it with",
        "Turned: ",
        "Choose another cell: here it fits in one way only.",
    ),
    LessonStep(
        "followers",
        "Claim the road",
        "You may put one of your {followers} followers on the tile that you have just laid, if no follower stands on that "
        "road, city or field yet. Put a thief on the road.",
        _START,
        "Thief on",
        first="Lay your tile with the button first.",
        too_late=("claim", "token"),
    ),
    LessonStep(
        "points",
        "What scores",
        "A road is complete when both its ends are closed: {road} a tile. A city is complete when it has no gap: "
        "{city} a tile, and {shield} for each shield. Then the follower comes home, ready for the next turn.",
        (),
    ),
    LessonStep(
        "complete",
        "Claim a city",
        "This tile is the end of a city. Begin a new city with it, or close one that nobody has claimed, so not your rival's. Then "
        "put a knight in it.",
        _START,
        "Knight in",
        first=_LAY_FIRST,
        too_late=("claim", "token"),
    ),
    LessonStep(
        "majority",
        "Sharing",
        "You may not join a road, city or field on which somebody stands. But two that are claimed can be joined by a tile. Then "
        "most followers take all points; with equally many each player gets all.",
        (),
    ),
    LessonStep(
        "tunnels",
        "Tunnel mouths",
        "The tile in your hand has three mouths of tunnels. A road breaks off at a mouth. It is not complete until that mouth "
        "is joined to another one, on any tile of the table.",
        (),
    ),
    LessonStep(
        "tokens",
        "The first token",
        "At the end of your turn you may lay one token on a free mouth, anywhere. The first of a colour keeps that "
        "mouth: others can't use it. Lay the tile, then a token.",
        _START,
        "First token on",
        first=_LAY_FIRST + " Choose a follower or none. Then you are asked for a token.",
        too_late=("token",),
    ),
    LessonStep(
        "tokens",
        "Finish the tunnel",
        "The second token of that colour joins both mouths, for everybody. The road goes in at one and comes out at "
        "the other. Do it in this turn.",
        _START,
        "Finish a tunnel",
        first=_LAY_FIRST + " Choose a follower or none. Then join the two mouths.",
        too_late=("token",),
    ),
    LessonStep(
        "fields",
        "Monks and farmers",
        "A monk in a cloister scores {cloister} when all eight cells around are filled. A farmer in a field stays to "
        "the end, and scores for complete cities beside the field. So do not lay down too many.",
        (),
    ),
    LessonStep(
        "end",
        "How it ends",
        "After the last tile roads, cities and cloisters that are not complete still give something, and fields are "
        "scored. Now play on: Undo takes moves back, Rules has everything.",
        (),
    ),
)
