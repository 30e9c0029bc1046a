"""The games that a page names: their record file, and their addresses at the browser table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from channel_tunnel_env.outside.files import write_whole

RECORDS = "games.jsonl"
TABLE = "http://127.0.0.1:8000/"
COMMAND = f"channel-tunnel table --records {RECORDS}"


def named_games(found: dict[str, Any]) -> list[str]:
    """The games of a measurement that the page names, in its order."""
    return [name for name, game in found["chosen"].items() if game is not None]


def games_before(name: str, measures: Mapping[str, Any], names: Sequence[str]) -> int:
    """How many games stand before those of a measurement in the records' file.

    Args:
        measures: results by name.
        names: those that name games, in the order of the file.
    """
    earlier = names[: names.index(name)]
    return sum(len(named_games(measures[each])) for each in earlier if each in measures)


def at_the_table(found: dict[str, Any], name: str, before: int = 0) -> str:
    """The address of a game at a table that serves the page's records (see COMMAND).

    Args:
        before: games of other measurements, see `games_before`.
    """
    return f"{TABLE}#record={RECORDS}&line={before + named_games(found).index(name) + 1}&ply=0"


def write_named_games(found: Sequence[dict[str, Any]], folder: Path) -> None:
    """Write the records of the games that the page names, one per line.

    Args:
        found: the measurements that name games, in their order.

    Raises:
        OSError: no space or no permission.
    """
    if not found:
        return
    games = [own["chosen"][name] for own in found for name in named_games(own)]
    lines = [json.dumps(game["record"]) + "\n" for game in games]
    write_whole(folder / RECORDS, "".join(lines).encode())
