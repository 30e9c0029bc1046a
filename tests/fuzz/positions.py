"""Positions of all games, changed in a few places; half of them of 1987."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_env.game import game_class
from channel_tunnel_env.games import DEFAULT_GAME, find_game
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.fuzz import play
from tests.fuzz.mutations import Random, any_value, change_data, pick


@cache
def _bases(of_others: bool) -> list[tuple[str, dict[str, Any]]]:
    games = play.other_games() if of_others else play.games()
    return [(game.ruleset.spec.name, play.plain(game)) for game in games]


@cache
def _words(game: str) -> tuple[str, ...]:
    """What a position of a game may hold: its own names, and entries of its lists."""
    if game == DEFAULT_GAME:
        return (*c.SEATS, *c.COLOURS, *c.SPACES, *c.PHASES, *c.END_CAUSES, *c.ACTION_KINDS, *c.AGENDA_KINDS)
    spec = find_game(game)
    lists = [
        value for name, position in _bases(True)[::7] if name == game
        for value in position.values() if isinstance(value, list)
    ]  # fmt: skip
    entries = {word for words in lists for word in words if isinstance(word, str)}
    return (*spec.record.phases, *spec.outcome.end_causes, *sorted(entries)[:200])


def mutate(rng: Random) -> tuple[str, dict[str, Any]]:
    """A game's name, and a position with a few changes, spread over its parts whatever their size; rarely in its ruleset."""
    game, base = pick(rng, _bases(bool(rng.random() < 0.5)))
    position, words = dict(base), _words(game)
    ruleset = position.pop("ruleset", None)
    if rng.random() < 0.15:
        position["phase"] = pick(rng, find_game(game).record.phases)
    for _ in range(min(5, int(rng.geometric(0.5)))):
        key = pick(rng, ("turn", *position))
        part = position.pop(key, None)
        position |= change_data(rng, {key: {"kept": 0} if part is None else part}, words, most=1)
    if rng.random() < 0.02:
        ruleset = any_value(rng, words)
    return game, position if ruleset is None else {"ruleset": ruleset} | position


def check(data: tuple[str, Any], folder: Path) -> str:
    """Read it; play on from it if it is accepted."""
    game, position = data
    return play.read_and_play(game_class(find_game(game)), position)


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    firsts = {base[0]: base for of_others in (True, False) for base in reversed(_bases(of_others))}
    for base in (*firsts.values(), _bases(False)[1]):
        check(base, folder)
