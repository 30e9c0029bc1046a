"""Folders of installed distributions, as an installer leaves them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from channel_tunnel_env.games import forget_plugins

FOURTH = "shaft_bluff"
FOURTH_FOLDER = Path(__file__).parents[1] / "docs" / "examples" / "fourth_game"


def install(folder: Path, distribution: str, game: str, package: str) -> None:
    """As an installer writes it: what the distribution is, and the entry point that it has."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[channel_tunnel.games]\n{game} = {package}\n")


@contextmanager
def fourth_game(folder: Path) -> Iterator[None]:
    """The game of docs/examples as an editable install leaves it: on the path, with its entry point.

    Args:
        folder: an empty one, for what an installer writes.
    """
    install(folder, "shaft-bluff", FOURTH, FOURTH)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.syspath_prepend(str(FOURTH_FOLDER))
        forget_plugins()
        yield
        for module in [name for name in sys.modules if name.partition(".")[0] == FOURTH]:
            del sys.modules[module]
    forget_plugins()
