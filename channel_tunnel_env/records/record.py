"""Game records: one JSON line per game, including its luck, so that it replays without its streams.

    {"format": 1, "package": "0.1.0", ["game": ..], "ruleset": {"name": .., "digest": .., ["values": ..]}, "seed": 7,
     ["start": a position], "actions": ["place ..", ..], "luck": [[ply, stream, [..]], ..],
     "result": {"winner": .., "end_cause": .., "rounds": .., "scores": {..}}, ["resigned": a seat]}

`resigned` is the seat that gave the game up after the last action; `result` is that of the rules. `game` names another game than 1987 Channel Tunnel. `luck` lists the results of shuffles and disc draws: ply 0 is the set-up, ply k follows action k.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.errors import DocumentError, IllegalActionError, PositionError, RecordError, RulesetError
from channel_tunnel_env.games import DEFAULT_GAME, find_game, game_names, is_game
from channel_tunnel_env.outside.documents import LINE, parse_json, quote
from channel_tunnel_env.outside.files import append_lines, read_lines
from channel_tunnel_env.outside.terminal import printable
from channel_tunnel_env.records.writing import ENDINGS, ending_of, game_result, luck_names, new_log, play_ply
from channel_tunnel_env.records.writing import RECORD_FORMAT as RECORD_FORMAT
from channel_tunnel_env.records.writing import write_record as write_record
from channel_tunnel_env.rulesets.entry import foreign_ruleset
from channel_tunnel_env.rulesets.ruleset import Ruleset

KEYS = ("format", "package", "ruleset", "seed", "actions", "luck", "result")
OPTIONAL_KEYS = ("game", "start", *ENDINGS)
Played = TypeVar("Played", bound=Game)


class Record(dict[str, Any]):
    """A record read from a file.

    Attributes:
        line: its line number there, from 1.
        file: its name, as it was given.
    """

    line: int | None = None
    file: str | None = None

    @property
    def where(self) -> str | None:
        """For a message: `line 3 of games.jsonl`."""
        return None if self.line is None else _where(self.line, self.file)


def _where(line: int, file: str | None) -> str:
    return f"line {line}" if file is None else f"line {line} of {printable(file)}"


# --- replay ---------------------------------------------------------------------------------------


def replay_plies(
    kind: type[Played], record: dict[str, Any], ruleset: str | Path | Ruleset | None = None
) -> Iterator[Played]:
    """Replay a record with its recorded luck, decision by decision, and check everything.

    Args:
        kind: `channel_tunnel_env.Game`, or the class of one game, which takes no record of another.
        record: as returned by `write_record` or `read_records`.
        ruleset: replaces the one that the record names; the digest must agree.

    Yields:
        The game at its start and after each action. It is one object, which moves on; clone what you keep.

    Raises:
        RecordError: the record does not fit; names line, ply and reason. The result is checked after the last action.
    """
    where = record.where if isinstance(record, Record) else None
    check_record(record, where)
    spec = _game_of(record, where)
    if kind.game_name not in (None, spec.name):
        raise _error(f"game {spec.name}: allowed here: {kind.game_name}", where)
    played = _open(kind, record, ruleset, where)
    ending = ending_of(record)
    if ending and ending.seat not in played.seats:
        seats = ", ".join(played.seats)
        raise _error(f"{ending.kind}: {quote(ending.seat)}: allowed: {seats}", where)
    luck, work = luck_names(played.ruleset), new_log(spec)
    by_ply = _luck_by_ply(record, where)
    for ply in range(len(record["actions"]) + 1):
        entries = by_ply.pop(ply, [])
        try:
            luck.fill_log(work, entries)
            name = record["actions"][ply - 1] if ply else None
            play_ply(played, None if name is None else spec.actions.id_of(name), work)
        except (ValueError, IllegalActionError) as error:
            raise _error(str(error), where, ply) from None
        misfit = work["luck_misfit"][0]
        if misfit or work["luck_place"][0] != np.count_nonzero(work["luck"] >= 0):
            what = "does not fit the game" if misfit else "is more than the game needed"
            raise _error(f"the recorded luck {what}", where, ply)
        played.remember_luck(ply, entries)
        yield played
    if by_ply:
        raise _error("luck recorded after the last action", where, min(by_ply))
    _check_result(played, record, where)


def _open(kind: Any, record: dict[str, Any], ruleset: Any, where: str | None) -> Any:
    """A game at the record's start, before its first decision is reached."""
    entry = record["ruleset"]
    try:
        named = entry.get("values", entry.get("name"))
        rules = foreign_ruleset(named, ruleset, entry.get("digest"))
        spec = _game_of(record, where)
        if rules.spec is not spec:
            raise _error(f"game {spec.name}: the ruleset is of the game {rules.spec.name}", where)
        return kind.from_position(record["start"], rules) if "start" in record else kind(rules, record["seed"])
    except (RulesetError, PositionError, ValueError, TypeError) as error:
        raise _error(str(error), where) from None


def _luck_by_ply(record: dict[str, Any], where: str | None) -> dict[int, list[tuple[str, list[str]]]]:
    by_ply: dict[int, list[tuple[str, list[str]]]] = {}
    for entry in record["luck"]:
        match entry:
            case [int(ply), str(stream), list(names)] if not isinstance(ply, bool):
                by_ply.setdefault(ply, []).append((stream, names))
            case _:
                raise _error(f"luck {quote(entry)}: allowed: [ply, stream, [names]]", where)
    return by_ply


def _check_result(game: Game, record: dict[str, Any], where: str | None) -> None:
    for key, value in game_result(game).items():
        written = record["result"].get(key)
        if written != value:
            ply = len(record["actions"])
            problem = f"result.{key}: recorded {quote(written)}, replayed {quote(value)}"
            raise _error(problem, where, ply)


def _error(reason: str, where: str | None, ply: int | None = None) -> RecordError:
    parts = [part for part in (where, None if ply is None else f"ply {ply}") if part is not None]
    return RecordError(f"{', '.join(parts)}: {reason}" if parts else reason)


# --- files ----------------------------------------------------------------------------------------


def check_record(record: Any, where: str | None = None) -> None:
    """Check the format and the keys of a record, not whether it can be played.

    Args:
        record: what a line of a file holds.
        where: for the message, such as "line 3".

    Raises:
        RecordError: wrong format, or wrong keys.
    """
    if not isinstance(record, dict):
        raise _error("a record must be a JSON object", where)
    if record.get("format") != RECORD_FORMAT:
        raise _error(f"format {quote(record.get('format'))}: this version reads format {RECORD_FORMAT}", where)
    missing = [key for key in KEYS if key not in record]
    unknown = [key for key in record if key not in (*KEYS, *OPTIONAL_KEYS)]
    if missing or unknown:
        raise _error(f"missing keys {missing}, unknown keys {quote(unknown)}", where)
    shapes = {
        "ruleset": dict,
        "seed": int,
        "actions": list,
        "luck": list,
        "result": dict,
        "start": dict,
        **dict.fromkeys(ENDINGS, str),
    }
    for key, kind in shapes.items():
        given = record.get(key, kind())
        if not isinstance(given, kind) or isinstance(given, bool):
            raise _error(f"{key}: {quote(record[key])}: not a JSON {kind.__name__}", where)
    names = _action_names(_game_of(record, where))
    for ply, name in enumerate(record["actions"], 1):
        if not isinstance(name, str) or name not in names:
            raise _error(f"{quote(name)}: no such action", where, ply)


def _game_of(record: dict[str, Any], where: str | None) -> GameSpec:
    name = record.get("game", DEFAULT_GAME)
    if not is_game(name):
        raise _error(f"game {quote(name)}: allowed: {', '.join(game_names())}", where)
    return find_game(name)


@cache
def _action_names(spec: GameSpec) -> frozenset[str]:
    return frozenset(spec.actions.names)


def write_records(path: str | Path, records: Iterable[dict[str, Any]]) -> int:
    """Append records to a file, each as one whole line.

    A last line that a kill cut off is moved to a separate file, `path` with `.cut`, with a
    RuntimeWarning.

    Args:
        path: the file; created if it does not exist.
        records: as `Game.record` returns them.

    Returns:
        Their number.

    Raises:
        OSError: no room or no permission; says how many of the records are in the file.
    """
    lines = (json.dumps(record, separators=(",", ":")).encode() for record in records)
    return append_lines(Path(path), lines, _is_json)


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a file, one by one.

    Args:
        path: the file, JSON lines.

    Yields:
        One record per line; it knows its line number.

    Raises:
        RecordError: at the first bad line, after the good lines before it were yielded; or the file
            holds no line.
        DocumentError: not a file or pipe.
        OSError: the file cannot be read.
    """
    line, name = 0, str(path)
    for line, text in enumerate(read_lines(path, LINE.size), 1):
        where = _where(line, name)
        try:
            content = parse_json(text, where, LINE)
        except DocumentError as error:
            is_cut = len(text) <= LINE.size and not text.endswith(b"\n")
            cut = " (the line is cut off)" if is_cut else ""
            raise _error(f"{error.problem}{cut}", where) from None
        check_record(content, where)
        record = Record(content)
        record.line, record.file = line, name
        yield record
    if line == 0:
        raise RecordError(f"{printable(name)}: holds no record; one JSON object a line is expected")
