"""Tables of games in a folder, in parts, so that a stopped run goes on where it was.

    FOLDER/plan.json                  what is played; another plan is refused
    FOLDER/games/PART.parquet         one row a game      (see `tables`)
    FOLDER/cards/PART.parquet         one row a game and card that came to a slot
    FOLDER/actions/PART.parquet       one row a side and action
    FOLDER/options/PART.parquet       one row a side and number of legal actions
    FOLDER/decisions/PART.parquet     one row a decision, if asked for (see `decisions`) ...
    FOLDER/records/PART.jsonl         ... and a line a game, which replays

Every library that reads Parquet reads such a folder as one table. A part's games are written last, so a
part with games is whole.
"""

from __future__ import annotations

import difflib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from agents.files import write_whole
from channel_tunnel_env import ChannelTunnelError

TABLES = ("cards", "actions", "options", "games")  # in the order of writing
EXTRA = ("decisions", "records")  # only where they are asked for
PLAN = "plan.json"
LINES = ".jsonl"  # of records


class StoreError(ChannelTunnelError):
    """A folder of games that does not fit what is asked for."""


class Store:
    """Parts of tables in memory, or in a folder where they outlive the process.

    Args:
        plan: everything the games depend on, JSON-ready.
        folder: where to keep them; None: nowhere.
        report: called with a line about a part that cannot be used.
        extra: tables that every part has besides.

    Raises:
        StoreError: the folder holds games of another plan; says what differs.
    """

    def __init__(
        self,
        plan: Mapping[str, Any],
        folder: Path | None = None,
        report: Callable[[str], object] = print,
        extra: Sequence[str] = (),
    ) -> None:
        self.plan = plan
        self.tables = (*extra, *TABLES)
        self.folder = folder
        self._report = report
        self._parts: dict[str, dict[str, pd.DataFrame]] = {}
        if folder is not None:
            keep_plan(folder, plan)

    def has(self, part: str) -> bool:
        """Whether a part is there and whole; a broken file is named, and its part is to be played again."""
        if self.folder is None:
            return part in self._parts
        if not self._path("games", part).exists():
            return False
        for table in self.tables:
            try:
                self._load(table, part)
            except (pa.ArrowException, OSError) as error:
                why = str(error).splitlines()[0]
                self._report(f"{self._path(table, part)}: cut or broken ({why}); played again")
                return False
        return True

    def write(self, part: str, tables: Mapping[str, pd.DataFrame]) -> None:
        """Keep a part."""
        if self.folder is None:
            self._parts[part] = dict(tables)
            return
        for table in self.tables:
            path = self._path(table, part)
            path.parent.mkdir(exist_ok=True)
            write_whole(path, _encode(tables[table], path.suffix))

    def read(self, table: str) -> pd.DataFrame:
        """All parts of a table, in the order of their names.

        Raises:
            StoreError: no such table.
        """
        if table not in self.tables:
            near = difflib.get_close_matches(table, self.tables, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise StoreError(f"table {table!r}: known: {', '.join(self.tables)}{hint}")
        if self.folder is None:
            parts = [self._parts[part][table] for part in sorted(self._parts)]
        else:
            files = (self.folder / "games").glob("*.parquet")
            parts = [self._load(table, part) for part in sorted(file.stem for file in files)]
        return pd.concat(parts, ignore_index=True)

    def _load(self, table: str, part: str) -> pd.DataFrame:
        path = self._path(table, part)
        if path.suffix == LINES:
            text = path.read_text(encoding="utf-8")
            if not text.endswith("\n"):
                raise OSError("the last line is cut")
            return pd.DataFrame({"record": text.splitlines()})
        return pd.read_parquet(path)

    def _path(self, table: str, part: str) -> Path:
        assert self.folder is not None
        return self.folder / table / f"{part}{LINES if table == 'records' else '.parquet'}"


def _encode(table: pd.DataFrame, suffix: str) -> bytes:
    """The content of a file."""
    if suffix == LINES:
        return "".join(line + "\n" for line in table["record"]).encode()
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False)
    return buffer.getvalue()


def keep_plan(folder: Path, plan: Mapping[str, Any]) -> None:
    """Write what a folder's content depends on, or check that it is what was written there before.

    Raises:
        StoreError: it is another plan; says what differs.
    """
    written = folder / PLAN
    if written.exists():
        _check_plan(written, plan)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(written, (json.dumps(plan, indent=1) + "\n").encode())


def _check_plan(path: Path, plan: Mapping[str, Any]) -> None:
    try:
        there = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise StoreError(f"{path}: not a plan: {error}; choose another folder") from None
    ours = json.loads(json.dumps(plan))
    for key in sorted({*there, *ours}):
        if there.get(key) != ours.get(key):
            raise StoreError(
                f"{path.parent}: holds games of another plan: {key} is {there.get(key)!r} there and "
                f"{ours.get(key)!r} here; choose another folder, or delete this one"
            )
