"""What a decision that was made gained or lost, in the eyes of the strongest policy.

A tree search chooses the better move. It and the move that was played are then played out in the same
worlds, which the search has not seen: the loss is not overstated by choosing the luckiest of several
moves. The worlds are dealt from what the mover knew, so luck that came later is nobody's mistake, and
nothing hidden is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.statistics import Estimate, estimate_change, estimate_mean
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.tunnel_1987.board.clicks import legal_paths
from channel_tunnel_env.games.tunnel_1987.board.narration import action_words
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.game import Game

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.search.policy_search import PlayedOut

WORLDS = 128  # in which the two moves are compared
DEPTH = 12  # decisions played in each: about a turn and a half
FRESH = 1  # seed of these worlds; the tree search deals its own with seed 0
MARKS = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""Loss of the chance to win from which on a decision is marked, the worst first."""
MOST_REASONS = 3


Measure = Callable[[NDArray[Any], int, BatchGame], NDArray[Any]]
"""(records (n,), seat, the batch they come from) -> a figure of that seat in each (n,)."""


@dataclass(frozen=True)
class Figure:
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
    measure: Measure
    is_good: bool = True

    def is_gain(self, change: float) -> bool:
        """Whether a change is for the better."""
        return (change > 0) == self.is_good

    def words(self, change: float) -> str:
        """A change in words."""
        size = f"{abs(change):.0f}" if abs(change) >= 9.95 else f"{abs(change):.1f}"
        return (self.gained if self.is_gain(change) else self.given_up).format(size)


def _lead(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
    totals = batch.scores_of(states)[:, :, -1].astype(np.float64)
    return totals[:, seat] - totals[:, 1 - seat]


def _astray(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
    limit = batch.rulesets[0].data.deviation.limit
    return np.where(states["deviation"][:, seat] > limit, 100.0, 0.0)


def _held(name: str) -> Measure:
    """A field of the record, summed over whatever else it is counted by."""

    def measure(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
        return np.asarray(
            states[name][:, seat].reshape(len(states), -1).sum(axis=1), dtype=np.float64
        )

    return measure


FIGURES = (
    Figure("{} % less risk of going astray", "{} % more risk of going astray", 1, _astray, False),
    Figure("{} points of lead", "{} points of lead", 0.3, _lead),
    Figure("{} tunnel spaces", "{} tunnel spaces", 0.15, _held("tbm")),
    Figure("{} less deviation", "{} more deviation", 0.15, _held("deviation"), False),
    Figure("{} technology spaces", "{} technology spaces", 0.15, _held("counter")),
    Figure("{} cards built", "{} cards built", 0.15, _held("kind_count")),
    Figure("{} M", "{} M", 0.3, _held("money_total")),
    Figure("{} discs", "{} discs", 0.5, _held("discs")),
)
"""What a gain is told by, the weightiest first."""


def weigh_move(policy: PolicyAgent, game: Game, action: int) -> dict[str, Any]:
    """Compare the move that was played with the one that a tree search prefers.

    Returns:
        side, round, words: the decision; only: whether there was no other move; before, after: the side's chance to win (0 to 1)
        with the better and with the played move; mark: of MARKS, or ""; better: None, or action,
        words, path, gains and costs (sentences); worlds, decisions: what they rest on.
    """
    told: dict[str, Any] = {"side": game.to_play, "round": game.round}
    told |= {"words": action_words(game, action), "only": len(game.legal_ids()) == 1}
    told |= {"mark": "", "better": None}
    if told["only"]:
        return told
    batch = BatchGame.from_games([game])
    better = _preferred(policy, batch)
    moves = np.unique(np.array([better, action], np.int64))
    found = _play_out(policy, batch, moves)
    chances = (found.outcomes.astype(np.float64) + 1) / 2
    column = {int(move): i for i, move in enumerate(moves)}
    mine, other = chances[:, column[action]], chances[:, column[better]]
    loss = estimate_change(other - mine)
    before = max(float(mine.mean()), float(other.mean()))
    told |= {"before": round(before, 4), "after": round(float(mine.mean()), 4)}
    told |= {"worlds": WORLDS, "decisions": DEPTH, "mark": mark_of(loss)}
    if loss.value > 0:
        told["better"] = _tell(game, batch, found, column[action], column[better], better)
    return told


def mark_of(loss: Estimate) -> str:
    """The mark of a decision by its loss; none if the loss may be luck of the worlds."""
    if not loss.low > 0:
        return ""
    return next((name for least, name in MARKS if loss.value >= least), "")


def _preferred(policy: PolicyAgent, batch: BatchGame) -> int:
    from channel_tunnel_agents.search.puct import PuctAgent

    return int(PuctAgent(policy).search(batch, np.zeros(1, np.intp))[0])


def _play_out(policy: PolicyAgent, batch: BatchGame, moves: NDArray[np.int64]) -> PlayedOut:
    from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings

    settings = SearchSettings(worlds=WORLDS, depth=DEPTH)
    return PolicySearchAgent(policy, settings, FRESH).play_out(batch, 0, moves)


def _tell(
    game: Game, batch: BatchGame, found: PlayedOut, played: int, column: int, better: int
) -> dict[str, Any]:
    """The better move, and what it gains and gives up on average."""
    gains: list[str] = []
    costs: list[str] = []
    for figure in FIGURES:
        has, had = (figure.measure(found.states[:, i], game.mover, batch) for i in (column, played))
        change = estimate_mean(has - had)
        is_sure = change.excludes_zero or change.low == change.high
        if abs(change.value) >= figure.least and is_sure:
            told = gains if figure.is_gain(change.value) else costs
            told.append(figure.words(change.value))
    return {
        "action": ACTION_NAMES[better],
        "words": action_words(game, better),
        "path": legal_paths(game)[better][0],
        "gains": gains[:MOST_REASONS],
        "costs": costs[:MOST_REASONS],
    }
