"""What the pages say about Eurotunnel Diplomacy."""

from __future__ import annotations

from itertools import groupby

from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from pages.games import ActionRange, GamePages

_UNITS, _RETREATS, _WINTER, _ = c.PHASES
_MEANINGS: dict[int, tuple[str, str]] = {
    c.HOLD: (_UNITS, "the unit holds"),
    c.MOVE: (_UNITS, "it moves; an army to a province that is no neighbour: by convoy"),
    c.VIA: (_UNITS, "an army moves to a neighbour by convoy (only with the rule book `datc`)"),
    c.TUNNEL: (_UNITS, "an army moves through a tunnel"),
    c.DIG: (_UNITS, "an army builds a tunnel to there; others read that it held"),
    c.SUPPORT_HOLD: (_UNITS, "it supports the unit there to hold"),
    c.SUPPORT_MOVE: (_UNITS, "it supports a move, whichever way it goes"),
    c.CONVOY: (_UNITS, "a fleet at sea convoys an army"),
    c.RETREAT: (_RETREATS, "a dislodged unit retreats"),
    c.RETREAT_TUNNEL: (_RETREATS, "a dislodged army retreats through a tunnel"),
    c.DISBAND: (_RETREATS, "a dislodged unit is disbanded"),
    c.BUILD_ARMY: (_WINTER, "an army is built"),
    c.BUILD_FLEET: (_WINTER, "a fleet is built"),
    c.WAIVE: (_WINTER, "no more units are built"),
    c.REMOVE: (_WINTER, "the unit there is removed"),
    c.PERMIT: (_UNITS, "a power's permission to use an own tunnel, by its number, is changed"),
    c.PERMIT_DONE: (_UNITS, "no more permissions are changed"),
    c.VOTE_NO: (_UNITS, "a vote to play on"),
    c.VOTE_DRAW: (_UNITS, "a vote for a draw"),
}


def _ranges() -> tuple[ActionRange, ...]:
    """A range for each kind."""
    ranges, start = [], 0
    for kind, group in groupby(all_actions(), lambda action: action.kind):
        size = len(list(group))
        ranges.append(ActionRange(start, size, *_MEANINGS[kind]))
        start += size
    return tuple(ranges)


PAGES = GamePages(
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
    ranges=_ranges(),
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
