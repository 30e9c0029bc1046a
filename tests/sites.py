"""Folders of installed distributions, as an installer leaves them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from channel_tunnel_env.games import forget_plugins

FOURTH = "shaft_bluff"
FOURTH_AGENTS = "shaft_bluff_agents"
FOURTH_FOLDER = Path(__file__).parents[1] / "docs" / "examples" / "fourth_game"
EXACT_FOLDER = FOURTH_FOLDER.with_name("exact_games")
EXACT_GAMES = ("kuhn", "leduc", "liars_dice")
GAMES, AGENTS = "channel_tunnel.games", "channel_tunnel.agents"


def install(folder: Path, distribution: str, game: str, package: str, agents: str | None = None) -> None:
    """As an installer writes it: what the distribution is, and the entry points that it has.

    Args:
        package: holds the game; "" for a distribution without one.
        agents: the package with what agents know of it; None: the distribution brings none.
    """
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    points = [(GAMES, package), (AGENTS, agents)]
    (info / "entry_points.txt").write_text(
        "".join(f"[{group}]\n{game} = {where}\n" for group, where in points if where)
    )


class Site:
    """A folder of installed distributions, whose packages begin with "odd_"."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, distribution: str, game: str, package: str, agents: str | None = None) -> None:
        """`install`, noticed at once."""
        install(self.folder, distribution, game, package, agents)
        forget_plugins()

    def write(self, package: str, **modules: str) -> None:
        """A package with some modules by their texts."""
        (self.folder / package).mkdir()
        for name, text in {"__init__": "", **modules}.items():
            (self.folder / package / f"{name}.py").write_text(text)
        forget_plugins()

    def bring(self, **modules: str) -> None:
        """The distribution odd-game with the game oddity in the package odd_game."""
        self.install("odd-game", "oddity", "odd_game")
        self.write("odd_game", **modules)


@contextmanager
def _on_path(packages: Collection[str], *folders: Path) -> Iterator[None]:
    """Folders on the path, the last one first; afterwards nothing is left of some packages in them."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in folders:
            patch.syspath_prepend(str(folder))
        forget_plugins()
        yield
        for module in [name for name in sys.modules if name.partition(".")[0] in packages]:
            del sys.modules[module]
    forget_plugins()


@contextmanager
def fourth_game(folder: Path, agents: bool = False, adding: Mapping[str, str] | None = None) -> Iterator[None]:
    """The game of docs/examples as an editable install leaves it: on the path, with its entry point.

    Args:
        folder: an empty one, for what an installer writes.
        agents: whether what agents know of it is installed too.
        adding: lines at the end of some of its files, by their paths; the game is copied for them.
    """
    install(folder, "shaft-bluff", FOURTH, FOURTH, FOURTH_AGENTS if agents else None)
    with _on_path((FOURTH, FOURTH_AGENTS), folder, _copied(folder, adding) if adding else FOURTH_FOLDER):
        yield


@contextmanager
def exact_games(folder: Path) -> Iterator[None]:
    """Kuhn poker, Leduc poker and liar's dice of docs/examples, as an editable install leaves them."""
    for game in EXACT_GAMES:
        install(folder, f"exact-{game}", game, f"exact_games.{game}")
    with _on_path(("exact_games",), folder, EXACT_FOLDER):
        yield


def _copied(folder: Path, adding: Mapping[str, str]) -> Path:
    copy = folder / "copy"
    shutil.copytree(FOURTH_FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in adding.items():
        with (copy / path).open("a") as file:
            file.write(f"\n{text}\n")
    return copy
