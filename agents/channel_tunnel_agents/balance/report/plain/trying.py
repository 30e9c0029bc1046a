"""The changes that help: the chosen levers in words, each as a button and a line of a ruleset file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import yaml

from channel_tunnel_agents.balance.changing.overlay import CARDS, make_overlay
from channel_tunnel_agents.balance.measuring.significance import PROBABLY, SURELY
from channel_tunnel_agents.balance.report.growing import OPEN as STILL_OPEN
from channel_tunnel_agents.balance.report.headline import NO, OPEN, YES
from channel_tunnel_agents.balance.report.levers import MAY_BE_PLAYERS, change_of, share_of, sure_of
from channel_tunnel_agents.balance.report.numbers import Number
from channel_tunnel_agents.balance.report.plain.parts import Bar, ChangeToTry
from channel_tunnel_env import Ruleset
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.rulesets.settings import differences

LUCK = {SURELY: "This is more than luck.", PROBABLY: "This is probably more than luck."}
MAYBE = "This may be luck: try it on more deals."
DOUBTS = {MAY_BE_PLAYERS: "This is more than luck here, but other good players may not see it."}
TURNED = {SURELY: "Helps", PROBABLY: "Probably helps"}
NONE_SHOWN = "None of them surely helps without going too far."
TWO_STEPS = "Take a larger step, or two changes at once, and make the report again."
"""What to do where no single step helps."""
ALL_UNFAIR = "Each of the numbers that move it most makes it less fair as it was turned here, so none is offered."
KNOWN = {YES: "Nothing needs a change. ", OPEN: "Nothing is known to need a change. "}
"""Where no side needs help; of an unfair game, and of too few games, neither would be true."""
ORDER = (YES, OPEN, NO)
FIRST_THINGS_FIRST = "What moves the chances is told below, under How we know; it is of no use before that is mended."
"""Where nobody wins, or games do not end."""
WIDEST = 100_000  # no line is broken


class Aim(NamedTuple):
    """What the changes are to do.

    Attributes:
        words: a share before and after -> what that means, in a sentence without its end.
        scale, fair: as of a `Bar`.
        lean: +1 if the share should grow, -1 if it should fall, 0 if it need not move.
        other: who is better off on the other side of an even game, in words.
    """

    words: Callable[[float, float], str]
    scale: tuple[float, float]
    fair: tuple[float, ...]
    lean: int
    other: str = ""

    @property
    def middle(self) -> float:
        """The middle of what is fair."""
        return sum(self.fair) / 2


def changes_to_try(
    ruleset: Ruleset,
    chosen: list[Mapping[str, Any]],
    aim: Aim,
    base: Ruleset | None = None,
    shown: Callable[[Mapping[str, Any]], tuple[Number, Number]] = lambda row: (share_of(row), change_of(row)),
) -> tuple[ChangeToTry, ...]:
    """The chosen levers, those that help first; left out are those that lead the wrong way or nowhere, or make a fair game unfair.

    Args:
        chosen: rows as `measure_levers` gives them.
        base: the rules that the ruleset's file is laid over; None: not known.
        shown: row -> the share and the change, with the intervals that the page gives them.
    """
    rows = [row for row in chosen if (aim.lean or row["change"]["value"]) * row["change"]["value"] > 0]
    found = [change for row in rows if (change := _change(ruleset, row, aim, base, *shown(row))) is not None]

    def place(each: ChangeToTry) -> tuple[int, bool, float]:
        share, was = each.bar.number.value, each.bar.was
        if not aim.lean and was is not None:  # then the question is what moves it most
            return 0, False, -abs(share - was)
        return ORDER.index(each.bar.answer), each.bar.words != TURNED[SURELY], abs(share - aim.middle)

    return tuple(sorted(found, key=place))


def _change(
    ruleset: Ruleset, row: Mapping[str, Any], aim: Aim, base: Ruleset | None, share: Number, change: Number
) -> ChangeToTry | None:
    """The change in words; None if it makes a fair game unfair."""
    # Whether it does too much asks its own games only: what surely does there is not recommended.
    was, own, (low, high) = share.value - change.value, share_of(row), aim.fair
    is_out = own.low > high or own.high < low
    is_nearer = abs(share.value - aim.middle) < abs(was - aim.middle)
    if not aim.lean and is_out and not is_nearer:
        return None
    other = ruleset.with_values({row["key"]: row["value"]})
    words, answer, then = _judged(aim, sure_of(row, change), share, is_out, is_nearer)
    return ChangeToTry(
        " ".join(changes_in_words(ruleset, other)),
        f"{aim.words(was, share.value)}. {then}",
        Bar("", share, aim.scale, words, answer, aim.fair, was),
        row["key"],
        row["value"],
        *line_of(ruleset, other, row["key"], base),
    )


def _judged(aim: Aim, sure: str, share: Number, is_out: bool, is_nearer: bool) -> tuple[str, str, str]:
    """What a change does in a word, the answer that has its colour, and a sentence on it.

    Args:
        sure: as of `sure_of`.
        is_out: the share is surely unfair now.
        is_nearer: the share is nearer to even than before.
    """
    told = LUCK.get(sure) or DOUBTS.get(sure, MAYBE)
    if not aim.lean:
        return "Moves it" if sure in LUCK else "May move it", OPEN, told
    is_beyond = is_out and aim.lean * (share.value - aim.middle) > 0
    if is_beyond and not is_nearer:
        return "Goes too far", NO, f"That turns it round: then {aim.other} wins too often."
    if is_beyond:
        return "Helps, but too much", OPEN, f"It is nearer to even, but now {aim.other} wins too often."
    if is_out and sure in TURNED:
        return "Helps, not enough", YES, f"{LUCK[sure]} That is not enough by itself."
    is_past = aim.lean * (share.value - aim.middle) > aim.fair[1] - aim.middle
    if is_past and sure in TURNED:
        words, answer, little = (
            ("Helps, perhaps too much", YES, "a little ") if is_nearer else ("May go too far", OPEN, "")
        )
        return words, answer, f"{LUCK[sure][:-1]}, but {aim.other} may now win {little}too often."
    return TURNED.get(sure, "May help"), YES if sure in TURNED else OPEN, told


def has_help(tries: tuple[ChangeToTry, ...]) -> bool:
    """Whether any of the changes is known to help."""
    return any(each.bar.answer == YES for each in tries)


def not_tried(why: str) -> str:
    """Why there are no changes, in a sentence; `why` as `Evidence.why_missing` says."""
    if why == STILL_OPEN:
        return "The changes were still to be tried when this page was written; load it again later."
    return f"No change was tried in this report: {why.removeprefix('not measured: ')}."


def line_of(ruleset: Ruleset, other: Ruleset, key: str, base: Ruleset | None = None) -> tuple[str, str | None]:
    """A change as a line of a ruleset file: "discs: {hand: 11}", and the section that it replaces there; see `ChangeToTry`."""
    section = key.split(".")[0]
    changed = [] if base is None else _differences(base, ruleset, section)
    cards = [each for each in changed if each.startswith(CARDS)]
    if base is None or any(each not in base.flat or each not in ruleset.flat for each in cards):  # a deck of its own
        return _line(ruleset, other, [key]), None
    if not changed:
        return _line(ruleset, other, [key]), ""
    left = _differences(base, other, section)
    return _line(base, other, left) if left else "", section


def _differences(base: Ruleset, other: Ruleset, section: str) -> list[str]:
    """The figures of a section that are others than in the base, or that only one of both has."""
    return [key for key, *_ in differences(base, other) if key.split(".")[0] == section]


def _line(base: Ruleset, other: Ruleset, keys: list[str]) -> str:
    only = {name: value for name, value in make_overlay("", base, other, keys).items() if name not in ("base", "name")}
    text = yaml.safe_dump(only, default_flow_style=True, sort_keys=False, width=WIDEST)
    return str(text).strip().removeprefix("{").removesuffix("}")


def reach_of(numbers: list[Number], middle: float, least: float) -> float:
    """How far a scale must reach from its middle to hold all the intervals."""
    ends = [end for n in numbers if n.shown for end in (n.low, n.high)]
    return max([least, *(1.05 * abs(end - middle) for end in ends)])
