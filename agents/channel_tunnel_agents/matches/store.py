"""Tables of games in a folder, in parts, so that a stopped run resumes where it was.

    FOLDER/plan.json                  what is played; another plan is refused
    FOLDER/games/PART.parquet         one row per game      (see `tables`)
    FOLDER/cards/PART.parquet         one row per game and card that came to a slot (1987 Channel Tunnel)
    FOLDER/series/PART.parquet        one row per round, turn or year of an agent's game with itself, if the game has series
    FOLDER/actions/PART.parquet       one row per side and action
    FOLDER/options/PART.parquet       one row per side and number of legal actions
    FOLDER/decisions/PART.parquet     one row per decision, if asked for (see `tables`) ...
    FOLDER/records/PART.jsonl         ... and one line per game, which can be replayed
    FOLDER/parts/PART.json            the plan's digest, the part's name, and the SHA-256, rows and bytes of each of its files

Every library that reads Parquet reads such a folder as one table. A part's seal in parts/ is
written last, so a part with a seal is complete; a part that does not match its seal is not counted,
but played again.
"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field, ValidationError

from channel_tunnel_agents.matches.tables import GENERAL, SERIES
from channel_tunnel_env import ChannelTunnelError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import (
    SEAL,
    WRITTEN,
    StrictModel,
    need_mapping,
    quote,
    read_json,
    seal_of,
    shorten,
)
from channel_tunnel_env.outside.files import read_whole, write_whole
from channel_tunnel_env.outside.hints import or_known

TABLES = ("cards", SERIES, *GENERAL)  # of 1987 Channel Tunnel, in the order of writing
EXTRA = ("decisions", "records")  # only on request
PLAN = "plan.json"
LINES = ".jsonl"  # suffix of record files
SEALS = "parts"


class StoreError(ChannelTunnelError):
    """A folder of games that does not fit the request."""


class _SealedTable(StrictModel):
    sha256: str
    rows: int = Field(ge=0)
    bytes: int = Field(ge=0)


class _Seal(StrictModel):
    """What belongs to a part: the digest of its plan, its name and its files."""

    plan: str
    part: str
    tables: dict[str, _SealedTable]
    seal: str = ""


class Store:
    """Parts of tables in memory, or in a folder where they persist.

    Args:
        plan: everything the games depend on, JSON-ready.
        folder: where to keep them; None: only in memory.
        report: called with one line about a part that cannot be used.
        tables: of every part, in the order of writing.
        extra: additional ones, on request.

    Raises:
        StoreError: the folder holds games of another plan; the message says what differs.
    """

    def __init__(
        self,
        plan: Mapping[str, Any],
        folder: Path | None = None,
        report: Callable[[str], object] = print,
        extra: Sequence[str] = (),
        tables: Sequence[str] = TABLES,
    ) -> None:
        self.plan = plan
        self.tables = (*extra, *tables)
        self.folder = folder
        self._report = report
        self._digest = plan_digest(plan)
        self._parts: dict[str, dict[str, pd.DataFrame]] = {}  # if there is no folder
        self._seals: dict[str, _Seal] = {}  # of the parts in the folder that were verified or written
        if folder is not None:
            keep_plan(folder, plan)

    def as_it_is(self) -> Store:
        """The parts that are there now, for readers that later parts would mislead."""
        now = copy.copy(self)
        now._parts, now._seals = dict(self._parts), dict(self._seals)
        return now

    def expect(self, parts: Iterable[str]) -> None:
        """Declare which parts there are; a StoreError names any other file, which readers of the folder would count."""
        if self.folder is None:
            return
        known = set(parts)
        for table in (*TABLES, *EXTRA, SEALS):
            for path in sorted((self.folder / table).glob("*.*")):
                if path.suffix in (".parquet", ".json", LINES) and path.stem not in known:
                    raise StoreError(f"{path}: no part of these games (a copy?); delete it")

    def has(self, part: str) -> bool:
        """Whether a part is there and intact; a broken file is reported; its part must be played again."""
        if self.folder is None:
            return part in self._parts
        if not os.path.lexists(self._seal(part)):  # merely unfinished
            return False
        try:
            seal = self._read_seal(part)
            for table in self.tables:
                self._verified(table, part, seal)
        except FileNotFoundError as error:
            self._report(f"{error.filename}: missing; part {part} is played again")
            return False
        except (OSError, DocumentError, StoreError) as error:
            self._report(f"{error}; part {part} is played again")
            return False
        self._seals[part] = seal
        return True

    def _read_seal(self, part: str) -> _Seal:
        """A part's seal; a StoreError if it was changed, or is of another part or plan."""
        path = self._seal(part)
        content = need_mapping(read_json(path, WRITTEN), str(path), "a seal")
        try:
            seal = _Seal.model_validate(content)
        except ValidationError:
            raise StoreError(f"{path}: broken") from None
        if seal_of(content) != seal.seal or not {*self.tables} <= seal.tables.keys():
            raise StoreError(f"{path}: broken")
        for what, there, here in (("plan", seal.plan, self._digest), ("part", seal.part, part)):
            if there != here:
                raise StoreError(f"{path}: of another {what}")
        return seal

    def write(self, part: str, tables: Mapping[str, pd.DataFrame]) -> None:
        """Keep a part. If there is no room, it counts as not played; all others are kept."""
        if self.folder is None:
            self._parts[part] = dict(tables)
            return
        sealed: dict[str, _SealedTable] = {}
        for table in self.tables:
            path = self._path(table, part)
            content = _encode(tables[table], path.suffix)
            path.parent.mkdir(exist_ok=True)
            write_whole(path, content)
            sealed[table] = _SealedTable(sha256=_sha256(content), rows=len(tables[table]), bytes=len(content))
        seal = _Seal(plan=self._digest, part=part, tables=sealed)
        seal = seal.model_copy(update={SEAL: seal_of(seal.model_dump())})
        self._seal(part).parent.mkdir(exist_ok=True)
        write_whole(self._seal(part), (seal.model_dump_json(indent=1) + "\n").encode())
        self._seals[part] = seal

    def read(self, table: str) -> pd.DataFrame:
        """All parts of a table, in the order of their names; a StoreError if one has changed since it was written."""
        if table not in self.tables:
            raise StoreError(f"table {table!r}: no such table{or_known(table, self.tables)}")
        if self.folder is None:
            parts = [self._parts[part][table] for part in sorted(self._parts)]
        else:
            parts = [self._load(table, part) for part in sorted(self._seals)]
        # A file without rows has lost the types of its columns.
        return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)

    def _load(self, table: str, part: str) -> pd.DataFrame:
        seal, path = self._seals[part], self._path(table, part)
        try:
            content = self._verified(table, part, seal)
            return _decode(content, path, seal.tables[table].rows)
        except (StoreError, DocumentError, OSError) as error:
            self._seal(part).unlink(missing_ok=True)
            raise StoreError(f"{error}; run the same command again: only part {part} is played again") from None

    def _verified(self, table: str, part: str, seal: _Seal) -> bytes:
        """The content of a file; a StoreError if it has changed since it was written."""
        path, told = self._path(table, part), seal.tables[table]
        content = read_whole(path, told.bytes)
        if _sha256(content) != told.sha256:
            raise StoreError(f"{path}: cut or broken (not what {self._seal(part)} says)")
        return content

    def _seal(self, part: str) -> Path:
        assert self.folder is not None
        return self.folder / SEALS / f"{part}.json"

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


def _decode(content: bytes, path: Path, rows: int) -> pd.DataFrame:
    """What `_encode` made; a StoreError if it is not that, or has another number of rows."""
    try:
        if path.suffix == LINES:
            lines = content.decode().splitlines()
            there = len(lines)
        else:
            there = pq.read_metadata(io.BytesIO(content)).num_rows
        if there != rows:
            raise StoreError(f"{path}: {there:,} rows, its seal says {rows:,}")
        if path.suffix == LINES:
            return pd.DataFrame({"record": lines})
        return pd.read_parquet(io.BytesIO(content))
    except (pa.ArrowException, ValueError, TypeError, KeyError, OSError) as error:
        why = " ".join(str(error).split())[:200]
        raise StoreError(f"{path}: no table: {why}") from None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def plan_digest(plan: Mapping[str, Any]) -> str:
    """12 hex digits that identify a plan."""
    return _sha256(json.dumps(plan, sort_keys=True).encode())[:12]


def keep_plan(folder: Path, plan: Mapping[str, Any]) -> None:
    """Write the plan that a folder's content depends on; a StoreError says how it differs from the one stored there."""
    path = folder / PLAN
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, (json.dumps(plan, indent=1) + "\n").encode())
        return
    try:
        there = need_mapping(read_json(path), str(path), "a plan")
    except DocumentError as error:
        raise StoreError(f"{path}: not a plan: {error.problem}; choose another folder") from None
    difference = _difference(there, json.loads(json.dumps(plan)))
    if difference:
        raise StoreError(
            f"{folder}: holds games of another plan: {difference}; choose another folder, or delete this one"
        )


def _difference(there: dict[str, Any], here: dict[str, Any]) -> str:
    """The first difference between two plans, in words; empty if they are the same."""
    for key in sorted({*there, *here}):
        one, other = there.get(key), here.get(key)
        if one == other:
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            return f"{shorten(key)}: {_difference(one, other)}"
        return f"{shorten(key)} is {quote(one)} there and {quote(other)} here"
    return ""
