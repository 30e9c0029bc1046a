"""A policy's evaluation of a game, from only what a seat knows there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.table.room import Room
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.tunnel_1987.board.clicks import legal_paths
from channel_tunnel_env.games.tunnel_1987.board.narration import action_words
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.engine.constants import SEATS
from channel_tunnel_env.games.tunnel_1987.game import Game

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent

TOP = 6  # moves listed
MOST_POINTS = 400  # of a curve
LEAST_SHARE = 0.005  # a less likely move is listed only if it is one of the first two


def sides_seen(room: Room, viewer: str) -> tuple[str, ...]:
    """The sides whose knowledge a viewer may use."""
    return SEATS if room.shows_all else tuple(side for side in SEATS if side == viewer)


def judge_position(policy: PolicyAgent, game: Game) -> dict[str, Any]:
    """The likeliest moves of the side to play, and Britain's chance to win.

    Returns:
        side, chance (Britain's, 0 to 1), moves: action, words, share (0 to 1), path.
    """
    log_probs, values = policy.think(game.observation()[None], game.action_mask[None])
    shares = np.exp(log_probs[0])
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


@dataclass(frozen=True)
class Judged:
    """The decisions of a curve: ply and side of each, and what its side sees (n, D), masks (n, A)."""

    plies: list[int]
    sides: list[str]
    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]


def curve_decisions(room: Room, viewer: str, ply: int) -> Judged | None:
    """The decisions up to `ply` that the viewer may analyse; in a long game an evenly spread
    sample."""
    sides = sides_seen(room, viewer)
    seats = [(n, entry.side) for n, entry in enumerate(room.log[: ply + 1]) if entry.side in sides]
    if ply >= len(room.log) and room.game.to_play in sides:
        seats.append((len(room.log), str(room.game.to_play)))
    if not seats:
        return None
    step = -(-len(seats) // MOST_POINTS)
    wanted = dict(seats[::step])
    seen, masks = [], []
    for number, game in enumerate(room.positions()):
        if number in wanted:
            seen.append(game.observation())
            masks.append(game.action_mask)
    return Judged(list(wanted), list(wanted.values()), np.stack(seen), np.stack(masks))


def chance_curve(room: Room, ply: int, judged: Judged, values: list[float]) -> list[list[Any]]:
    """Britain's chance at the decisions of a curve: [ply, chance, side]; a finished game adds its result."""
    points = [
        [n, britain_chance(value), side]
        for n, side, value in zip(judged.plies, judged.sides, values, strict=True)
    ]
    return [*points, *_outcome(room, ply)]


def _outcome(room: Room, ply: int) -> list[list[Any]]:
    """A finished game's last point is its result."""
    game = room.game
    if not game.is_over or ply < len(game.actions):
        return []
    return [[ply, {"britain": 1.0, "france": 0.0}.get(str(game.winner), 0.5), "result"]]


def britain_chance(value: float) -> float:
    """A value of -1 .. 1 as a chance of 0 .. 1."""
    return round((value + 1) / 2, 4)
