"""Folders of installed distributions, as an installer leaves them."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, distribution: str, game: str, package: str) -> None:
    """As an installer writes it: what the distribution is, and the entry point that it has."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[channel_tunnel.games]\n{game} = {package}\n")
