"""`draw FILE OUT`: the board of a position, or of a moment in a recorded game, as SVG or PNG; of any game."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, Literal

import tyro

from channel_tunnel_env.drawing.png import to_png
from channel_tunnel_env.faces.registry import pictures_of
from channel_tunnel_env.game import Game
from channel_tunnel_env.records.positions import position_file

SUFFIXES = (".svg", ".png")


def draw(
    file: tyro.conf.Positional[Path],
    out: tyro.conf.Positional[Path],
    game: int = 1,
    ply: int | None = None,
    viewer: str | None = None,
    ruleset: str | None = None,
    theme: Literal["light", "dark", "auto"] = "light",
    width: int | None = None,
) -> int:
    """Draw the board of any of the games.

    For example:
        printf 'save start.yaml\\nquit\\n' | channel-tunnel play carcassonne
        channel-tunnel draw start.yaml board.svg

    Args:
        file: a position (.yaml, .yml), or game records (JSON lines).
        out: the picture, .svg or .png.
        game: the game of the record file, from 1.
        ply: the position after this many plies; without it, the last one.
        viewer: draw only what that seat knows, such as "britain"; without it, everything.
        ruleset: replaces the one that the file names; if it names none, standard.
        theme: "auto" follows the reader's system; SVG only.
        width: in pixels.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{out.name}: a picture is one of {', '.join(SUFFIXES)}")
    shown = _read(file, ruleset, game, ply)
    svg = pictures_of(shown.spec).to_svg(shown, viewer, theme, width=width)
    if out.suffix.lower() == ".svg":
        out.write_text(svg, encoding="utf-8", newline="\n")
    else:
        if theme == "auto":
            raise ValueError("theme 'auto': a PNG is light or dark")
        out.write_bytes(to_png(svg, width))
    print(f"wrote {out}")
    return 0


def _read(file: Path, ruleset: str | None, game: int, ply: int | None) -> Any:
    """The game in a file, selected by game number and ply."""
    if file.suffix.lower() in (".yaml", ".yml"):
        with position_file(file) as position:
            return Game.from_position(position, ruleset)
    from channel_tunnel_env.records.record import read_records, replay_plies

    record = next(islice(read_records(file), game - 1, None), None) if game >= 1 else None
    if record is None:
        raise ValueError(f"game {game}: {file} holds no such game")
    plies = len(record["actions"])
    wanted = plies if ply is None else ply
    if not 0 <= wanted <= plies:
        raise ValueError(f"ply {ply}: game {game} has plies 0 to {plies}")
    return next(islice(replay_plies(Game, record, ruleset), wanted, None))
