"""A policy's evaluation of a game, from only what a seat knows there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.faces.registry import table_of

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent

TOP = 6  # moves listed
LEAST_SHARE = 0.005  # a less likely move is listed only if it is one of the first two


def judge_position(policy: PolicyAgent, game: Game) -> dict[str, Any]:
    """The likeliest moves of the side to play, and the first seat's chance to win.

    Returns:
        side, chance (the first seat's, 0 to 1), moves: action, words, share (0 to 1), path.
    """
    log_probs, values = policy.think(game.observation()[None], game.action_mask[None])
    shares = np.exp(log_probs[0])
    legal = np.array(game.legal_ids())
    likely = legal[np.argsort(-shares[legal], kind="stable")][:TOP]
    order = [a for i, a in enumerate(likely) if i < 2 or shares[a] >= LEAST_SHARE]
    moves = moves_by_id(game)
    return {
        "side": game.to_play,
        "chance": chance_of(float(values[0])),
        "moves": [_shown(moves[int(a)], shares[a]) for a in order],
    }


def search_position(policy: PolicyAgent, game: Game, milliseconds: int) -> dict[str, Any]:
    """Evaluate the policy's best moves by rollouts.

    Returns:
        side, worlds (played for each move), moves: action, words, share, path, chance (the mover's, 0 to 1; None if nothing
        was played), best.
    """
    from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings

    search = PolicySearchAgent(policy, SearchSettings(milliseconds=float(milliseconds)))
    found = search.look_ahead(BatchGame.from_games([game]), np.zeros(1, np.intp))
    worlds, chosen, legal = int(found.worlds[0]), int(found.actions[0]), moves_by_id(game)
    moves = []
    for move, prior, gain in zip(found.moves[0], found.prior[0], found.gains[0], strict=True):
        if move >= 0:
            chance = chance_of(float(gain)) if worlds else None
            moves.append(_shown(legal[int(move)], np.exp(prior)) | {"chance": chance, "best": int(move) == chosen})
    return {"side": game.to_play, "worlds": worlds, "moves": moves}


def _shown(move: dict[str, Any], share: float) -> dict[str, Any]:
    """A legal move with its share of a policy's choice."""
    return {"action": move["action"], "words": move["words"], "share": round(float(share), 4), "path": move["paths"][0]}


def moves_by_id(game: Game) -> dict[int, dict[str, Any]]:
    """The legal moves as the table lists them (see `TableFace.moves`), by id."""
    number = game.spec.actions.id_of
    return {number(move["action"]): move for move in table_of(game.spec).moves(game)}


def chance_of(value: float) -> float:
    """A value of -1 .. 1 as a chance of 0 .. 1."""
    return round((value + 1) / 2, 4)
