"""The games that a page names: their record file, and their addresses at the browser table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from channel_tunnel_env.files import write_whole

RECORDS = "games.jsonl"
TABLE = "http://127.0.0.1:8000/"
COMMAND = f"channel-tunnel table --records {RECORDS}"


def named_games(found: dict[str, Any]) -> list[str]:
    """The games of a measurement that the page names, in its order."""
    return [name for name, game in found["chosen"].items() if game is not None]


def at_the_table(found: dict[str, Any], name: str) -> str:
    """The address of a game at a table that serves the page's records (see COMMAND)."""
    return f"{TABLE}#record={RECORDS}&line={named_games(found).index(name) + 1}&ply=0"


def write_named_games(found: dict[str, Any] | None, folder: Path) -> None:
    """Write the records of the games that the page names, one per line.

    Raises:
        OSError: no space or no permission.
    """
    if found is None:
        return
    lines = [json.dumps(found["chosen"][name]["record"]) + "\n" for name in named_games(found)]
    write_whole(folder / RECORDS, "".join(lines).encode())
