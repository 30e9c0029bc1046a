"""A policy's evaluation of a game, from only what a seat knows there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.tunnel_1987.board.clicks import legal_paths
from channel_tunnel_env.games.tunnel_1987.board.narration import action_words
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.game import Game

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent

TOP = 6  # moves listed
LEAST_SHARE = 0.005  # a less likely move is listed only if it is one of the first two


def judge_position(policy: PolicyAgent, game: Game) -> dict[str, Any]:
    """The likeliest moves of the side to play, and Britain's chance to win.

    Returns:
        side, chance (Britain's, 0 to 1), moves: action, words, share (0 to 1), path.
    """
    log_probs, values = policy.think(game.observation()[None], game.action_mask[None])
    shares = log_probs[0].exp().numpy()
    legal = np.array(game.legal_ids())
    likely = legal[np.argsort(-shares[legal], kind="stable")][:TOP]
    order = [a for i, a in enumerate(likely) if i < 2 or shares[a] >= LEAST_SHARE]
    paths = legal_paths(game)
    return {
        "side": game.to_play,
        "chance": britain_chance(float(values[0])),
        "moves": [
            {
                "action": ACTION_NAMES[int(a)],
                "words": action_words(game, int(a)),
                "share": round(float(shares[a]), 4),
                "path": paths[int(a)][0],
            }
            for a in order
        ],
    }


def search_position(policy: PolicyAgent, game: Game, milliseconds: int) -> dict[str, Any]:
    """Evaluate the policy's best moves by rollouts.

    Returns:
        side, worlds (played for each move), chance (Britain's, of the best move), moves: action, words,
        share, chance (the mover's, 0 to 1), path, best.
    """
    from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings

    search = PolicySearchAgent(policy, SearchSettings(milliseconds=float(milliseconds)))
    found = search.look_ahead(BatchGame.from_games([game]), np.zeros(1, np.intp))
    worlds, chosen, paths = int(found.worlds[0]), int(found.actions[0]), legal_paths(game)
    moves = []
    for move, prior, gain in zip(found.moves[0], found.prior[0], found.gains[0], strict=True):
        action = int(move)
        if action < 0:
            continue
        moves.append(
            {
                "action": ACTION_NAMES[action],
                "words": action_words(game, action),
                "share": round(float(np.exp(prior)), 4),
                "chance": round((float(gain) + 1) / 2, 4) if worlds else None,
                "path": paths[action][0],
                "best": action == chosen,
            }
        )
    return {"side": game.to_play, "worlds": worlds, "moves": moves}


def britain_chance(value: float) -> float:
    """A value of -1 .. 1 as a chance of 0 .. 1."""
    return round((value + 1) / 2, 4)
