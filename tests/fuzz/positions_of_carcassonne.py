"""Positions of Carcassonne, changed in several places that belong together: followers, tokens, phase, counters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.game import Game
from channel_tunnel_env.games.carcassonne.positions import COMMON, SEATS, opening_names
from tests.fuzz import play
from tests.fuzz.mutations import NUMBERS, Random, change_data, pick

SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"tunnel": False, "followers": 2},
    {"token_window": "before_meeple", "tunnel_variant": "steal", "small_city": 2},
    {"tunnel_variant": "paired", "token_window": "before_meeple", "players": 4, "table": 6},
    {"tunnel_variant": "follower", "players": 3, "auto_forced": False, "robber_baron": True},
    {"tunnel_variant": "no_block", "farm_scoring": "first", "players": 6, "robber_baron": True},
)
LENGTHS = (0, 3, 8, 14, 25, 60, 400)  # decisions of a game to begin with
KINDS = load_ruleset("carcassonne").data.tile_types()
TYPES = [kind.name for kind in KINDS]
MOUTHS = list(opening_names(KINDS))
LETTERS = "crmf"  # of the kinds of segments, in their order
SEGMENTS = {
    kind.name: [
        f"{LETTERS[segment.kind]}{sum(other.kind == segment.kind for other in kind.segments[:i])}"
        for i, segment in enumerate(kind.segments)
    ]
    for kind in KINDS
}
OWNERS = tuple(f"{seat}{number}" for seat in (*SEATS[:4], COMMON) for number in (1, 2, 3))
FAR = (1, 2, 5, 12, 100, 400, 2_000, 30_000, 32_767, 2**30, 2**31 - 1)
WORDS = (*c.PHASES, *SEATS, *TYPES, *MOUTHS, *OWNERS)

Change = Callable[[Random, dict[str, Any]], None]


@cache
def _bases() -> list[dict[str, Any]]:
    """Positions of all phases, at every stage."""
    rng, found = np.random.default_rng(0), []
    for switches in SWITCHES:
        rules = load_ruleset("carcassonne").with_values(switches)
        for length in LENGTHS:
            game = Game(rules, length)
            while len(game.action_ids) < length and not game.is_over:
                play.play_randomly(game, rng)
            for _ in range(8 if length else 4):
                found.append(play.plain(game))
                if not game.is_over:
                    play.play_randomly(game, rng)
    return found


# --- changes ------------------------------------------------------------------------------------


def _follower(rng: Random, position: dict[str, Any]) -> None:
    """A follower on one of the last tiles, or off it."""
    board = position["board"]
    at = len(board) - 1 - min(len(board) - 1, int(rng.integers(6)) // 2)
    words = board[at].split()[:4]
    if rng.random() < 0.8:
        words.append(f"{_seat(rng, position)}@{pick(rng, SEGMENTS[words[0]])}")
    board[at] = " ".join(words)


def _seat(rng: Random, position: dict[str, Any]) -> str:
    """One that plays, but for now and then."""
    return pick(rng, SEATS if rng.random() < 0.1 else SEATS[: len(position["score"])])


def _shorten(rng: Random, position: dict[str, Any]) -> None:
    """The last tiles are not laid yet."""
    board = position["board"]
    del board[max(1, len(board) - int(rng.integers(1, 4))) :]


def _lay(rng: Random, position: dict[str, Any]) -> None:
    """A tile more, beside one of the others."""
    _, x, y, *_ = pick(rng, position["board"]).split()
    dx, dy = pick(rng, ((0, 1), (1, 0), (0, -1), (-1, 0)))
    kind = pick(rng, TYPES)
    position["board"].append(f"{kind} {int(x) + dx} {int(y) + dy} {int(rng.integers(4))}")


def _token(rng: Random, position: dict[str, Any]) -> None:
    tokens = position["tokens"]
    if tokens and rng.random() < 0.3:
        tokens.pop(int(rng.integers(len(tokens))))
    else:
        types = {line.split()[0] for line in position["board"]}
        lying = [mouth for mouth in MOUTHS if mouth.split(".")[0] in types]
        tokens.append(f"{pick(rng, lying or MOUTHS)}={pick(rng, OWNERS)}")


def _missed(rng: Random, position: dict[str, Any]) -> None:
    position["missed"].append(pick(rng, OWNERS))


def _phase(rng: Random, position: dict[str, Any]) -> None:
    """Another phase, with what belongs to it."""
    position["phase"] = phase = pick(rng, (*c.PHASES[:4] * 3, *c.PHASES))
    for key in ("tile", "cell", "mouth"):
        position.pop(key, None)
    if phase in ("cell", "rotate"):
        position["tile"] = pick(rng, TYPES)
    if phase == "rotate":
        _cell(rng, position)
    if phase == "claim" and rng.random() < 0.5:
        position["mouth"] = pick(rng, MOUTHS)


def _cell(rng: Random, position: dict[str, Any]) -> None:
    _, x, y, *_ = pick(rng, position["board"]).split()
    position["cell"] = [int(x) + int(rng.integers(-1, 2)), int(y) + int(rng.integers(-1, 2))]


def _player(rng: Random, position: dict[str, Any]) -> None:
    position["to_play"] = _seat(rng, position)


def _counter(rng: Random, position: dict[str, Any]) -> None:
    """A number near or at a bound that it may have."""
    key = pick(rng, ("ply", "turn", "table_cuts", "seed", "stream", "score", "points", "tallies"))
    far = int(pick(rng, FAR)) + int(rng.integers(-1, 2))
    if key == "stream":
        position[key] = [int(rng.integers(2**62)), int(pick(rng, (0, 2**61 - 1, 2**61, 2**61 + 1)))]
    elif key == "tallies":
        key = pick(rng, ("first_tokens", "second_tokens"))
        position[key] = [int(rng.integers(4)) for _ in position[key]]
    elif key == "points":
        position[key] = [[far, 0, 0, int(rng.integers(3))] for _ in position[key]]
        position["score"] = [sum(points) for points in position[key]]
    elif key == "score":
        position[key] = [far] * len(position[key])
    else:
        position[key] = far


def _robber(rng: Random, position: dict[str, Any]) -> None:
    position["robber"] = [_seat(rng, position), int(pick(rng, (0, 1, 5, 79, 80, 81)))]


def _tiles_out(rng: Random, position: dict[str, Any]) -> None:
    if position["out"] and rng.random() < 0.5:
        position["out"].pop()
    else:
        position["out"].append(pick(rng, TYPES))


def _anything(rng: Random, position: dict[str, Any]) -> None:
    """A value of any kind in one of the parts."""
    key = pick(rng, tuple(position))
    part = change_data(rng, {key: position.pop(key)}, WORDS, most=1)
    position |= part if rng.random() < 0.8 else {key: pick(rng, NUMBERS)}


CHANGES: tuple[Change, ...] = (
    *(_follower, _follower, _shorten, _lay, _token, _missed, _phase, _phase, _cell, _player),
    *(_counter, _counter, _robber, _tiles_out),
)


def mutate(rng: Random) -> dict[str, Any]:
    """A position with up to five changes; the face-down tiles are mostly those that are left."""
    base = pick(rng, _bases())
    position = {key: list(value) if isinstance(value, list) else value for key, value in base.items()}
    for _ in range(min(5, int(rng.geometric(0.4)))):
        pick(rng, CHANGES)(rng, position)
    if rng.random() < 0.85:
        for key in ("deck", "turn"):
            position.pop(key, None)
    if rng.random() < 0.1:
        _anything(rng, position)
    return position


def check(data: Any, folder: Path) -> str:
    """Read it; play on from it if it is accepted."""
    return play.read_and_play(Game, data)


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    check(_bases()[0], folder)
