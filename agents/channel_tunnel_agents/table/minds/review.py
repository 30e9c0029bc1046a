"""What a decision that was made gained or lost, in the eyes of the strongest policy.

A tree search chooses the better move. It and the move that was played are then played out in the same
worlds, which the search has not seen: the loss is not overstated by choosing the luckiest of several
moves. The worlds are dealt from what the mover knew, so luck that came later is no mistake, and
nothing hidden is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.scripted import TREES
from channel_tunnel_agents.statistics import estimate_change, estimate_mean
from channel_tunnel_agents.table.minds.analysis import moves_by_id
from channel_tunnel_agents.table.minds.reviewed import REVIEWED, mark_by
from channel_tunnel_env import BatchGame, Game

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.search.policy_search import PlayedOut

WORLDS = 128  # in which the two moves are compared
DEPTH = 12  # decisions played in each: about a turn and a half
FRESH = 1  # seed of these worlds; the tree search deals its own with seed 0
MARKS = (0.20, 0.10, 0.05)
"""Loss of the chance to win from which on a decision has each of MARK_NAMES."""
MOST_REASONS = 3


def weigh_move(policy: PolicyAgent, game: Game, action: int) -> dict[str, Any]:
    """Compare the move that was played with the one that a tree search prefers.

    Returns:
        side, round, words: the decision; only: whether there was no other move; before, after: the side's chance to win (0 to 1)
        with the better and with the played move; mark: of MARK_NAMES, or ""; better: None, or action,
        words, path, gains and costs (sentences); worlds, decisions: what they rest on.
    """
    moves = moves_by_id(game)
    judged: dict[str, Any] = {"side": game.to_play, "round": int(game.states[game.spec.record.clock[0]][0])}
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
    judged |= {"worlds": WORLDS, "decisions": DEPTH, "mark": mark_by(loss, MARKS)}
    if loss.value > 0:
        judged["better"] = _describe(moves[better], batch, found, game.mover, column[action], column[better])
    return judged


def _preferred(policy: PolicyAgent, batch: BatchGame) -> int:
    """The move of a tree search with the policy."""
    tree = TREES.get(batch.spec.name)
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
    """The better move, as the table lists it, and what it gains and gives up on average: `column` in what was found, against
    `played` there."""
    gains: list[str] = []
    costs: list[str] = []
    for gain in REVIEWED[batch.spec.name].gains:
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
