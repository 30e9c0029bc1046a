"""`replay FILE`: run game records again and see that every one still fits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.game import Game


def replay(
    file: tyro.conf.Positional[Path],
    ruleset: str | None = None,
    board: Annotated[bool, tyro.conf.arg(help="show the last position of each game")] = False,
) -> int:
    """Run the games of a record file again, checking every action and every outcome of luck.

    Args:
        file: JSON lines, one game each.
        ruleset: in place of the one that the records name.
    """
    from channel_tunnel_env.record import read_records
    from channel_tunnel_env.record import replay as replay_record

    games = 0
    for games, record in enumerate(read_records(file), 1):
        game = replay_record(record, ruleset)
        print(f"{games}: {describe(game)}")
        if board:
            print(game.render() + "\n")
    print(f"{games} games replayed, all as recorded.")
    return 0


def describe(game: Game) -> str:
    """One line on a game: where it stands or how it ended."""
    head = f"{game.ruleset.name}, seed {game.seed}, {len(game.actions)} decisions"
    if not game.is_over:
        return f"{head}: in round {game.round}, {game.to_play} to play"
    totals = " to ".join(str(game.scores()[side]["total"]) for side in SEATS)
    who = f"{game.winner} wins" if game.winner else "a draw"
    return f"{head}: {who} ({game.end_cause}), Britain {totals} France"
