"""Positions of the other games, changed in a few places."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_env.faces.registry import game_class
from channel_tunnel_env.games import find_game
from tests.fuzz import play
from tests.fuzz.mutations import Random, any_value, change_data, pick


@cache
def _bases() -> list[tuple[str, dict[str, Any]]]:
    return [(game.ruleset.spec.name, play.plain(game)) for game in play.other_games()]


@cache
def _words(game: str) -> tuple[str, ...]:
    """What a position of a game may hold: its own names, and entries of its lists."""
    spec = find_game(game)
    entries = {
        word
        for name, position in _bases()[::7]
        if name == game
        for value in position.values()
        if isinstance(value, list)
        for word in value
        if isinstance(word, str)
    }
    return (*spec.record.phases, *spec.outcome.end_causes, *sorted(entries)[:200])


def mutate(rng: Random) -> tuple[str, dict[str, Any]]:
    """A game's name, and a position of it with a few changes, spread over its parts; rarely in its ruleset."""
    game, base = pick(rng, _bases())
    position, words = dict(base), _words(game)
    ruleset = position.pop("ruleset", None)
    for _ in range(min(5, int(rng.geometric(0.5)))):
        key = pick(rng, tuple(position)) if position else "seed"
        position |= change_data(rng, {key: position.pop(key, 0)}, words, most=1)
    if rng.random() < 0.02:
        ruleset = any_value(rng, words)
    return game, position if ruleset is None else {"ruleset": ruleset} | position


def check(data: tuple[str, Any], folder: Path) -> str:
    """Read it; play on from it if it is accepted."""
    game, position = data
    return play.read_and_play(game_class(find_game(game)), position)


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    names = [name for name, _ in _bases()]
    for game in play.OTHER_GAMES:
        check(_bases()[names.index(game)], folder)
