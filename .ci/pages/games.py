"""What the pages say about each game beyond what its rules know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from channel_tunnel_env.games.carcassonne.engine import constants as carcassonne
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as eurotunnel
from channel_tunnel_env.games.tunnel_1987.engine.actions import BLOCKS


@dataclass(frozen=True)
class ActionRange:
    """Ids that follow one another and mean the same with other operands.

    Attributes:
        start: the first id.
        size: the number of ids.
        phase: when they are asked for; several with commas between.
        meaning: what such an action does.
    """

    start: int
    size: int
    phase: str
    meaning: str


@dataclass(frozen=True)
class GamePages:
    """What the pages of one game say.

    Attributes:
        name: of the game, as in `game:` of a ruleset.
        folder: of its pages, below docs/reference.
        title: of the game.
        ruleset: the one that examples play.
        seats: who the seats are.
        turns: how decisions follow one another.
        rewards: what each seat gets at the end.
        hidden: what a viewer does not see.
        luck: what is drawn.
        ends: end cause -> what it means.
        won: what `winner` in the infos is.
        ranges: of the ids of its actions, in order and without gaps.
        actions: a sentence about them.
        observation: sentences about what it holds, beside the sections.
        change: key and value of a change to the ruleset, as an example.
        more_seats: an overlay for its largest table, if that has more measures.
        notes: of its page of the environment, title -> text.
    """

    name: str
    folder: str
    title: str
    ruleset: str
    seats: str
    turns: str
    rewards: str
    hidden: str
    luck: str
    ends: Mapping[str, str]
    won: str
    ranges: Sequence[ActionRange]
    actions: str
    observation: str
    change: tuple[str, int]
    more_seats: dict[str, Any] | None = None
    notes: Mapping[str, str] = field(default_factory=dict)


TUNNEL_1987 = GamePages(
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


_CARCASSONNE_RANGES = (
    ActionRange(
        carcassonne.FIRST_CELL,
        carcassonne.NUM_CELLS,
        "cell",
        "where the tile goes: columns east of the start tile, rows south of it; the table wraps around at 16",
    ),
    ActionRange(
        carcassonne.FIRST_ROTATE, carcassonne.NUM_SIDES, "rotate", "how many quarter turns clockwise it is turned"
    ),
    ActionRange(
        carcassonne.FIRST_CLAIM,
        carcassonne.NUM_SIDES,
        "claim",
        "a follower on the city or road at that side of the tile as it lies",
    ),
    ActionRange(carcassonne.CLAIM_CLOISTER, 1, "claim", "a follower in its cloister"),
    ActionRange(
        carcassonne.FIRST_CLAIM_FIELD,
        carcassonne.NUM_HALVES,
        "claim",
        "a follower on the field at a half edge, clockwise from the western half of the north edge",
    ),
    ActionRange(carcassonne.CLAIM_NONE, 1, "claim", "no follower"),
    ActionRange(
        carcassonne.FIRST_TOKEN,
        carcassonne.NUM_OPENINGS,
        "token",
        "the first token of a set on a tunnel mouth, by the number of its opening",
    ),
    ActionRange(
        carcassonne.FIRST_TUNNEL,
        carcassonne.NUM_PAIRS,
        "token",
        "the second token of a set: it joins the two mouths by a tunnel",
    ),
    ActionRange(carcassonne.TOKEN_NONE, 1, "token", "no token"),
)

CARCASSONNE = GamePages(
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
    ranges=_CARCASSONNE_RANGES,
    actions="Cells count from the start tile: columns to the east, rows to the south.",
    change=("points.cloister", 8),
    observation="Seats are in turn order from the viewer on. The bounds follow from the ruleset "
    "(`spec.observation.bounds`), because numbers are counts over fixed scales. With more seats it is longer: "
    "`spec.observation.size(ruleset)` says how long.",
    more_seats={"base": "carcassonne", "players": 6},
)


_UNITS, _RETREATS, _WINTER, _ = eurotunnel.PHASES
_MEANINGS: dict[int, tuple[str, str]] = {
    eurotunnel.HOLD: (_UNITS, "the unit holds"),
    eurotunnel.MOVE: (_UNITS, "it moves; an army to a province that is no neighbour: by convoy"),
    eurotunnel.VIA: (_UNITS, "an army moves to a neighbour by convoy (only with the rule book `datc`)"),
    eurotunnel.TUNNEL: (_UNITS, "an army moves through a tunnel"),
    eurotunnel.DIG: (_UNITS, "an army builds a tunnel to there; others read that it held"),
    eurotunnel.SUPPORT_HOLD: (_UNITS, "it supports the unit there to hold"),
    eurotunnel.SUPPORT_MOVE: (_UNITS, "it supports a move, whichever way it goes"),
    eurotunnel.CONVOY: (_UNITS, "a fleet at sea convoys an army"),
    eurotunnel.RETREAT: (_RETREATS, "a dislodged unit retreats"),
    eurotunnel.RETREAT_TUNNEL: (_RETREATS, "a dislodged army retreats through a tunnel"),
    eurotunnel.DISBAND: (_RETREATS, "a dislodged unit is disbanded"),
    eurotunnel.BUILD_ARMY: (_WINTER, "an army is built"),
    eurotunnel.BUILD_FLEET: (_WINTER, "a fleet is built"),
    eurotunnel.WAIVE: (_WINTER, "no more units are built"),
    eurotunnel.REMOVE: (_WINTER, "the unit there is removed"),
    eurotunnel.PERMIT: (_UNITS, "a power's permission to use an own tunnel, by its number, is changed"),
    eurotunnel.PERMIT_DONE: (_UNITS, "no more permissions are changed"),
    eurotunnel.VOTE_NO: (_UNITS, "a vote to play on"),
    eurotunnel.VOTE_DRAW: (_UNITS, "a vote for a draw"),
}


def _eurotunnel_ranges() -> tuple[ActionRange, ...]:
    """A range for each kind."""
    ranges, start = [], 0
    for kind, group in groupby(all_actions(), lambda action: action.kind):
        size = len(list(group))
        ranges.append(ActionRange(start, size, *_MEANINGS[kind]))
        start += size
    return tuple(ranges)


EUROTUNNEL = GamePages(
    name="eurotunnel",
    folder="eurotunnel",
    title="Eurotunnel Diplomacy",
    ruleset="eurotunnel",
    seats="the seven powers. An eliminated or absent power stays an agent and isn't asked",
    turns="a phase asks the powers one after another, each for one order per unit. No answer is read before the last "
    "power has answered. `simultaneous_env` asks all powers at once",
    rewards="0 until the end, then each power's share of 1. A solo gives 1 to its power. The powers that agree on a "
    "draw share equally. When the last year ends the game, `limit_score` of the ruleset divides the 1. `centred: true` "
    "takes 1/7 from each share, so that rewards sum to 0",
    hidden="the orders of other powers in the running phase; tunnels, and permissions to use them, that the viewer "
    "hasn't been shown",
    luck="none: the seed changes nothing",
    ends={
        "solo": "a power owns the number of centres that wins",
        "draw_vote": "all powers with units voted for a draw, if the ruleset has that vote",
        "max_year": "the last year is over: `limit_score` divides the reward",
    },
    won='the power with a solo, such as `"france"`, otherwise `None`',
    ranges=_eurotunnel_ranges(),
    actions="The unit that is asked is the subject of an order and appears in its name as `*`: `* - PIC` moves it, "
    "`* ~ PIC` moves it through a tunnel, `* BT PIC` builds a tunnel, `* S LON - PIC` supports a move. Which actions "
    "are legal never depends on a tunnel that the asked power doesn't know.",
    change=("victory_centres", 16),
    observation="Powers are in the order of their numbers from the viewer on.",
    notes={
        "All powers at once": "`parallel_env` asks one power per step and ignores the actions of the others. "
        "`simultaneous_env` asks every power that still has a question in the phase. A power that has none has `asked` "
        "False in its infos, a mask with one action that is ignored, and the observation of its last question. Train a "
        "learner only on the steps at which it is asked."
    },
)


def all_games() -> list[GamePages]:
    """The pages of every built-in game, in their order."""
    return [TUNNEL_1987, CARCASSONNE, EUROTUNNEL]
