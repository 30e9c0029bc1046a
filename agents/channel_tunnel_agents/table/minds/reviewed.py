"""What a review has to know of a game: which decisions are judged together, by which agent, and how.

A stretch is what is judged as one: a decision, a turn or the orders of a phase. A review first guesses at a glance how much each
stretch of a seat may have lost, then weighs them, the likeliest faults first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games import Parts
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.registry import table_of

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.statistics import Estimate

MARK_NAMES = ("blunder", "mistake", "inaccuracy")


class Stretch(NamedTuple):
    """Decisions that are judged together.

    Attributes:
        start: the game before the first of them.
        actions: all decisions of the stretch, of every seat.
        seat: whose decisions are judged.
    """

    start: Game
    actions: tuple[int, ...]
    seat: str


MeasureOfRecords = Callable[[NDArray[Any], int, BatchGame], NDArray[Any]]
"""(records (n,), seat, the batch they come from) -> a figure of that seat in each (n,)."""


@dataclass(frozen=True)
class MoveGain:
    """Something that one move may leave a player with more of than another.

    Attributes:
        gained, given_up: a better and a worse value in words, with the size of the difference.
        least: the size from which on it is named.
        measure: the figure of a position.
        is_good: whether more is better.
    """

    gained: str
    given_up: str
    least: float
    measure: MeasureOfRecords
    is_good: bool = True

    def is_gain(self, change: float) -> bool:
        """Whether a change is for the better."""
        return (change > 0) == self.is_good

    def words(self, change: float) -> str:
        """A change in words."""
        size = f"{abs(change):.0f}" if abs(change) >= 9.95 else f"{abs(change):.1f}"
        return (self.gained if self.is_gain(change) else self.given_up).format(size)


def lead(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
    """Points ahead of the other seat."""
    totals = batch.scores_of(states)[:, :, -1].astype(np.float64)
    return totals[:, seat] - totals[:, 1 - seat]


@dataclass(frozen=True)
class ReviewedGame:
    """How the moves of a game are judged.

    Attributes:
        suspect: (agent, stretches) -> how much each may have lost, at a glance: floats (n,) of any unit.
        weigh: (agent, stretch) -> a judgement for the page: `side`, `when` (such as "Turn 3"), `words`, `only` (there was no
            choice), `mark` (of MARK_NAMES or ""), `better` (None, or `words` and a `path` of clicks), and either the keys of
            `review.weigh_move` or `short` and `sentences`, which say what the move lost and how it was judged.
        judge: the agent that judges; None: a policy that the person chooses.
        about: who judges and by what, in a sentence for the person.
        stretch: a game -> what names the stretch of its next decision, None for one that is not judged; None: every decision
            is judged by itself.
        gains: what a move may gain or give up, the weightiest first.
        needs_all: whether judging reads what was hidden, so that it waits for the end of the game.
    """

    suspect: Callable[[Any, Sequence[Stretch]], NDArray[Any]]
    weigh: Callable[[Any, Stretch], dict[str, Any]]
    judge: str | None = None
    about: str = ""
    stretch: Callable[[Game], Hashable | None] | None = None
    gains: tuple[MoveGain, ...] = ()
    needs_all: bool = False


REVIEWED: Mapping[str, ReviewedGame] = Parts("table", "REVIEWED", ReviewedGame)
"""How the moves of each game are judged, if they are."""


def suspect_by_policy(policy: PolicyAgent, stretches: Sequence[Stretch]) -> NDArray[Any]:
    """How much less likely a policy holds the least likely decision of a seat than the best one, in nats."""
    seen, masks, taken, owner = [], [], [], []
    for number, stretch in enumerate(stretches):
        game = stretch.start.clone()
        for action in stretch.actions:
            if game.to_play == stretch.seat:
                seen.append(game.observation())
                masks.append(game.action_mask)
                taken.append(action)
                owner.append(number)
            game.play(action)
    suspicion = np.zeros(len(stretches))
    if seen:
        log_probs, _ = policy.think(np.stack(seen), np.stack(masks))
        loss = log_probs.max(axis=1) - log_probs[np.arange(len(taken)), taken]
        np.maximum.at(suspicion, owner, loss)
    return suspicion


def words_of(stretch: Stretch, actions: Sequence[int]) -> str:
    """Decisions of one seat in words, from the start of a stretch."""
    face, game, words = table_of(stretch.start.spec), stretch.start.clone(), []
    for action in actions:
        before = game.clone()
        words.append(face.narrate(before, action, game.play(action)).words)
    return "; ".join(words)


def mark_by(loss: Estimate, marks: Sequence[float]) -> str:
    """The mark of a loss by the least size of each of MARK_NAMES; none if it may be luck of the worlds."""
    if not loss.low > 0:
        return ""
    found = zip(marks, MARK_NAMES, strict=True)
    return next((name for least, name in found if loss.value >= least), "")


def mark_of_changes(changes: NDArray[np.float64], marks: Sequence[float]) -> str:
    """The mark of a move by what a better one gains in each of the worlds (n,)."""
    from channel_tunnel_agents.statistics import estimate_change

    return mark_by(estimate_change(changes, float(np.abs(changes).max()) or 1.0), marks)
