"""Positions of games, changed in a few places."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.fuzz import play
from tests.fuzz.mutations import Random, any_value, change_data, pick

WORDS = (*c.SEATS, *c.COLOURS, *c.SPACES, *c.PHASES, *c.END_CAUSES, *c.ACTION_KINDS, *c.AGENDA_KINDS)


@cache
def _bases() -> list[dict[str, Any]]:
    return [play.plain(game) for game in play.games()]


def mutate(rng: Random) -> dict[str, Any]:
    """A position with a few changes, spread over its parts whatever their size; rarely in its ruleset."""
    position = dict(pick(rng, _bases()))
    ruleset = position.pop("ruleset")
    if rng.random() < 0.15:
        position["phase"] = pick(rng, c.PHASES)
    for _ in range(min(5, int(rng.geometric(0.5)))):
        key = pick(rng, ("turn", *position)) if position else "turn"
        part = {key: position.pop(key, None) or {"kept": 0}} if key == "turn" else {key: position.pop(key)}
        position |= change_data(rng, part, WORDS, most=1)
    return {"ruleset": any_value(rng, WORDS) if rng.random() < 0.02 else ruleset} | position


def check(data: Any, folder: Path) -> str:
    """Read it; play on from it if it is accepted."""
    return play.read_and_play(Game, data)


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    for base in _bases()[:2]:
        check(base, folder)
