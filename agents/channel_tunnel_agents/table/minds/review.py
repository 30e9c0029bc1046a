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

from channel_tunnel_agents.games import agents_of, loaded
from channel_tunnel_agents.statistics import Estimate, estimate_change, estimate_mean
from channel_tunnel_agents.table.minds.analysis import moves_by_id
from channel_tunnel_agents.table.minds.reviewed import MARK_NAMES, mark_by
from channel_tunnel_env import BatchGame, Game

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.search.policy_search import PlayedOut

WORLDS = 128  # in which the two moves are compared
DEPTH = 12  # decisions played in each: about a turn and a half
FRESH = 1  # seed of these worlds; the tree search deals its own with seed 0
MARKS = tuple(zip((0.20, 0.10, 0.05), MARK_NAMES, strict=True))
"""Loss of the chance to win from which on a decision is marked, the worst first."""
MOST_REASONS = 3

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


def weigh_move(policy: PolicyAgent, game: Game, action: int) -> dict[str, Any]:
    """Compare the move that was played with the one that a tree search prefers.

    Returns:
        side, round, words: the decision; only: whether there was no other move; before, after: the side's chance to win (0 to 1)
        with the better and with the played move; mark: of MARKS, or ""; better: None, or action,
        words, path, gains and costs (sentences); worlds, decisions: what they rest on.
    """
    moves = moves_by_id(game)
    judged: dict[str, Any] = {
        "side": game.to_play,
        "round": int(game.states[game.spec.record.clock[0]][0]),
    }
    judged |= {"words": moves[action]["words"], "only": len(moves) == 1}
    judged |= {"mark": "", "better": None}
    if judged["only"]:
        return judged
    batch = BatchGame.from_games([game])
    better = _preferred(policy, batch)
    compared = np.unique(np.array([better, action], np.int64))
    found = _play_out(policy, batch, compared)
    chances = (found.outcomes.astype(np.float64) + 1) / 2
    column = {int(move): i for i, move in enumerate(compared)}
    mine, other = chances[:, column[action]], chances[:, column[better]]
    loss = estimate_change(other - mine)
    before = max(float(mine.mean()), float(other.mean()))
    judged |= {"before": round(before, 4), "after": round(float(mine.mean()), 4)}
    judged |= {"worlds": WORLDS, "decisions": DEPTH, "mark": mark_of(loss)}
    if loss.value > 0:
        judged["better"] = _describe(
            moves[better], batch, found, game.mover, column[action], column[better]
        )
    return judged


def mark_of(loss: Estimate) -> str:
    """The mark of a decision by its loss; none if the loss may be luck of the worlds."""
    return mark_by(loss, [least for least, _ in MARKS])


def _preferred(policy: PolicyAgent, batch: BatchGame) -> int:
    """The move of a tree search with the policy.

    Raises:
        ValueError: the game has no such search.
    """
    tree = loaded(agents_of(batch.spec.name).tree)
    if tree is None:
        raise ValueError(f"the game {batch.spec.name}: no tree search reviews its moves")
    player = tree.make_tree_player(policy, None, 0, policy.name)
    return int(player.search(batch, np.zeros(1, np.intp))[0])


def _play_out(policy: PolicyAgent, batch: BatchGame, moves: NDArray[np.int64]) -> PlayedOut:
    from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings

    settings = SearchSettings(worlds=WORLDS, depth=DEPTH)
    return PolicySearchAgent(policy, settings, FRESH).play_out(batch, 0, moves)


def _describe(
    move: dict[str, Any], batch: BatchGame, found: PlayedOut, mover: int, played: int, column: int
) -> dict[str, Any]:
    """The better move, and what it gains and gives up on average.

    Args:
        move: the better move, as the table lists it.
        mover: the seat that decided.
        played, column: of the played and of the better move in what was found.
    """
    gains: list[str] = []
    costs: list[str] = []
    for gain in loaded(agents_of(batch.spec.name).gains) or ():
        has, had = (gain.measure(found.states[:, i], mover, batch) for i in (column, played))
        change = estimate_mean(has - had)
        is_sure = change.excludes_zero or change.low == change.high
        if abs(change.value) >= gain.least and is_sure:
            words = gains if gain.is_gain(change.value) else costs
            words.append(gain.words(change.value))
    return {
        "action": move["action"],
        "words": move["words"],
        "path": move["paths"][0],
        "gains": gains[:MOST_REASONS],
        "costs": costs[:MOST_REASONS],
    }
