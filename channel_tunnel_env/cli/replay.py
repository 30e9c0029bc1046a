"""`replay FILE`: replay game records, check that each still fits, make a film of one."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from channel_tunnel_env.drawing import film
from channel_tunnel_env.faces.registry import pictures_of, table_of, text_of
from channel_tunnel_env.game import Game
from channel_tunnel_env.records.writing import Ending, ending_of


def replay(
    file: tyro.conf.Positional[Path],
    ruleset: str | None = None,
    board: Annotated[bool, tyro.conf.arg(help="show the last position of each game")] = False,
    animate: Path | None = None,
    game: int = 1,
    viewer: str | None = None,
    every: Literal["turn", "decision"] = "turn",
    width: int = film.WIDTH,
    theme: Literal["light", "dark"] = "light",
    seconds: float = film.SECONDS,
) -> int:
    """Replay the games of a record file, checking every action and every outcome of luck.

    For example:
        printf '1\\nrecord game.jsonl\\nquit\\n' | channel-tunnel play tiny
        channel-tunnel replay game.jsonl

    Args:
        file: JSON lines, one game each.
        ruleset: replaces the one that the records name.
        animate: write one of the games as a film to this file: .gif, .webp or .png.
        game: the number of the game to film, from 1.
        viewer: film only what that seat knows, such as "britain"; without it, everything.
        every: one frame of the film per turn or per decision.
        width: of the film, in pixels.
        theme: of the film.
        seconds: how long each frame of the film is shown.
    """
    from channel_tunnel_env.records.record import read_records, replay_plies

    games = 0
    for games, record in enumerate(read_records(file), 1):
        if animate is not None and games == game:
            plies = replay_plies(Game, record, ruleset)
            first = next(plies)
            pictures = pictures_of(first.spec)
            frames = pictures.read_film(chain([first], plies), viewer, every)
        played = Game.from_record(record, ruleset)
        print(f"{games}: {describe(played, ending_of(record))}")
        if board:
            print(played.render() + "\n")
    print(f"{games} games replayed, all as recorded.")
    if animate is not None:
        if not 1 <= game <= games:
            raise ValueError(f"game {game}: {file} holds games 1 to {games}")
        count = pictures.write_film(frames, animate, width=width, theme=theme, seconds=seconds)
        print(f"wrote {animate}: {count} frames, {animate.stat().st_size / 1e6:.1f} MB")
    return 0


def describe(game: Any, ending: Ending | None = None) -> str:
    """One line about a game of any kind: its current state, or how it ended, by its rules or otherwise."""
    head = f"{game.ruleset.name}, seed {game.seed}, {len(game.action_ids)} decisions"
    if ending:
        return f"{head}: {ending.in_words(table_of(game.spec).seat_title)}"
    if not game.is_over:
        field, word = game.spec.record.clock
        return f"{head}: in {word} {int(game.states[field][0])}, {game.to_play} to play"
    return f"{head}: {text_of(game.spec).result_words(game)}"
