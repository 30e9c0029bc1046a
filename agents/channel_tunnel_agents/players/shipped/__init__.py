"""The trained agents that come with the package, by game.

A folder holds a policy for each side, such as `britain.safetensors`, and `card.json`: what they were
trained for, with which command, and the measured results. `python -m
channel_tunnel_agents.players.shipped RUN NAME` makes one from a training run.
"""

from __future__ import annotations

from pathlib import Path

from channel_tunnel_env.games import DEFAULT_GAME

FOLDER = Path(__file__).parent
NAMES = ("rookie", "club", "master")  # of the default game
OF_GAME = {DEFAULT_GAME: NAMES, "carcassonne": ("club",), "eurotunnel": ("club",)}
"""Game -> the names of its trained agents, the weakest first. Games share names."""
CARD = "card.json"


def games_of(name: str) -> tuple[str, ...]:
    """The games that have an agent of this name."""
    return tuple(game for game, names in OF_GAME.items() if name in names)


def folder_of(name: str, game: str = DEFAULT_GAME) -> Path:
    """The folder of a game's agent."""
    return FOLDER / name if game == DEFAULT_GAME else FOLDER / game / name
