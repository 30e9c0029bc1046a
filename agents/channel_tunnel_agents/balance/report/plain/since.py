"""From which player on a game is unfair, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from channel_tunnel_agents.balance.report.headline import NO, OPEN, YES
from channel_tunnel_env.outside.sentences import capital, listed

GOOD = "good players"
"""Who the top is if the verdict is on all who play the rules well."""


class LevelAnswer(NamedTuple):
    """A player's games with itself.

    Attributes:
        player: what it is called.
        answer: that of a verdict.
        unfair: such as "France wins too often"; only of an unfair one.
    """

    player: str
    answer: str
    unfair: str = ""

    @property
    def on_top(self) -> str:
        """What it is called as the last one of some levels."""
        return self.player if self.player == GOOD else f"{self.player}, the strongest player here"

    @property
    def in_short(self) -> str:
        """The answer in a few words."""
        words = {YES: "fair", NO: self.unfair, OPEN: "cannot tell yet"}
        return words.get(self.answer, self.answer)


def since_words(levels: Sequence[LevelAnswer]) -> str:
    """From which player on it is so.

    Args:
        levels: one or more, the weakest first.
    """
    top = levels[-1]
    if len(levels) == 1:
        return f"Only one player has played: {top.player}."
    if top.answer == NO:
        return _since(levels)
    known = "it is fair" if top.answer == YES else "these games cannot tell whether it is fair"
    weaker = [level for level in levels[:-1] if level.answer == NO]
    if not weaker:
        return f"With {top.on_top}, {known}; with weaker ones nothing unfair is shown."
    told = listed(_by_words(weaker))
    return f"With {top.on_top}, {known}. With weaker ones it is not: {told}."


def _by_words(levels: Sequence[LevelAnswer]) -> list[str]:
    """What is unfair with which players, one part of a sentence each."""
    found = []
    for unfair in dict.fromkeys(level.unfair for level in levels):
        players = [level.player for level in levels if level.unfair == unfair]
        found.append(f"{unfair} with {listed(players)}")
    return found


def _since(levels: Sequence[LevelAnswer]) -> str:
    """From where on every player's games are unfair to the same seat as those of the strongest."""
    top, first = levels[-1], len(levels) - 1
    while first and levels[first - 1].answer == NO and levels[first - 1].unfair == top.unfair:
        first -= 1
    if first == 0:
        return f"{capital(top.unfair)} with every player here, from {levels[0].player} to {top.player}."
    since = f"{capital(top.unfair)} from {levels[first].player} on"
    if first == len(levels) - 1:
        since = f"{capital(top.unfair)} only with {top.on_top}"
    unfair = [level for level in levels[:first] if level.answer == NO]
    even = [level.player for level in levels[:first] if level.answer == YES]
    open_ = [level.player for level in levels[:first] if level.answer not in (NO, YES)]
    parts = [f"with {listed(even)} it is fair"] if even else []
    parts += _by_words(unfair)
    parts += [f"with {listed(open_)} these games cannot tell"] if open_ else []
    return f"{since}; {', '.join(parts)}."
