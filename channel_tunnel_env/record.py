"""Game records: one JSON line per game, with the luck it met, so that it replays without its streams.

    {"format": 1, "package": "0.1.0", "ruleset": {"name": .., "digest": .., ["values": ..]}, "seed": 7,
     ["start": a position], "actions": ["place ..", ..], "luck": [[ply, stream, [..]], ..],
     "result": {"winner": .., "end_cause": .., "rounds": .., "scores": {..}}}

`luck` lists what the shuffles and disc draws gave: ply 0 is the set-up, ply k follows action k.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.documents import LINE, parse_json, quote
from channel_tunnel_env.engine import kernels
from channel_tunnel_env.engine.actions import ACTION_NAMES, action_id
from channel_tunnel_env.engine.constants import AGENDA_KINDS, COLOURS, DISC_STREAM, STREAMS
from channel_tunnel_env.engine.rng import LUCK_READ, LUCK_WRITE
from channel_tunnel_env.engine.state import new_states
from channel_tunnel_env.engine.tables import deviation_names
from channel_tunnel_env.engine.workspace import LUCK_SIZE, new_workspaces
from channel_tunnel_env.errors import (
    DocumentError,
    IllegalActionError,
    PositionError,
    RecordError,
    RulesetError,
)
from channel_tunnel_env.files import append_lines
from channel_tunnel_env.position import read_states, write_position
from channel_tunnel_env.position_rubble import token_names
from channel_tunnel_env.position_schema import entry_ruleset, is_builtin
from channel_tunnel_env.ruleset import Ruleset

if TYPE_CHECKING:
    from channel_tunnel_env.game import Game

RECORD_FORMAT = 1
KEYS = ("format", "package", "ruleset", "seed", "actions", "luck", "result")
OPTIONAL_KEYS = ("start",)


class Record(dict[str, Any]):
    """A record read from a file; `line` is its line there, from 1."""

    line: int | None = None


def write_record(game: Game) -> dict[str, Any]:
    """The game so far as one JSON-ready record.

    Its luck is found by playing its actions again from the start.
    """
    import channel_tunnel_env

    ruleset: dict[str, Any] = {"name": game.ruleset.name, "digest": game.ruleset.digest}
    if not is_builtin(game.ruleset):
        ruleset["values"] = game.ruleset.plain()
    record = {
        "format": RECORD_FORMAT,
        "package": channel_tunnel_env.__version__,
        "ruleset": ruleset,
        "seed": game.seed,
    }
    if game._start is not None:
        start = game.clone()
        start._states = game._start
        record["start"] = write_position(start)
    return record | {
        "actions": game.actions,
        "luck": _find_luck(game),
        "result": _result(game),
    }


def _result(game: Game) -> dict[str, Any]:
    return {
        "winner": game.winner,
        "end_cause": game.end_cause,
        "rounds": game.round,
        "scores": game.scores(),
    }


def _restart(game: Game, work: NDArray[Any]) -> None:
    """Back to the game's first decision, its luck written to or read from the workspace."""
    if game._start is None:
        game._run(kernels.START, game.seed, work)
    else:
        game._states = game._start.copy()
        game._run(kernels.SETTLE, 0, work)


# --- luck -----------------------------------------------------------------------------------------


class _Luck:
    """Translates the engine's luck log to names and back."""

    def __init__(self, ruleset: Ruleset) -> None:
        from channel_tunnel_env.game import tables_of

        self.names: dict[str, list[str]] = {
            "rubble": token_names(tables_of(ruleset)[0]),
            "cards": ruleset.card_keys,
            "deviation": deviation_names(ruleset),
            "agenda": list(AGENDA_KINDS),
            "discs": list(COLOURS),
        }

    def read_log(self, log: list[int]) -> list[tuple[str, list[str]]]:
        """The shuffles and draws a log holds; draws in a row are put together."""
        found: list[tuple[str, list[str]]] = []
        place = 0
        while place < len(log):
            stream = STREAMS[log[place]]
            if stream == "discs":  # [stream, colour], once a draw
                begin = place
                while place < len(log) and log[place] == DISC_STREAM:
                    place += 2
                drawn = log[begin + 1 : place : 2]
            else:  # [stream, size, the order]
                begin, place = place + 2, place + 2 + log[place + 1]
                drawn = log[begin:place]
            names = self.names[stream]
            found.append((stream, [names[i] for i in drawn]))
        return found

    def fill_log(self, work: NDArray[Any], entries: list[tuple[str, list[str]]]) -> None:
        """Set the log up to be played back.

        Raises:
            ValueError: a stream or a name that this ruleset does not know.
        """
        numbers: list[int] = []
        for stream, names in entries:
            if stream not in self.names:
                raise ValueError(f"luck of an unknown kind {quote(stream)}")
            ids = self._ids(stream, names)
            if stream == "discs":
                numbers += [n for i in ids for n in (DISC_STREAM, i)]
            else:
                numbers += [STREAMS.index(stream), len(ids), *ids]
        if len(numbers) >= LUCK_SIZE:
            raise ValueError("more luck than a ply can meet")
        work["luck_mode"], work["luck_place"], work["luck_misfit"] = LUCK_READ, 0, 0
        work["luck"] = -1
        work["luck"][0, : len(numbers)] = numbers

    def _ids(self, stream: str, names: list[str]) -> list[int]:
        free: dict[str, list[int]] = {}
        for i, name in enumerate(self.names[stream]):
            free.setdefault(name, []).append(i)
        ids = []
        for name in names:
            if not isinstance(name, str) or not free.get(name):
                raise ValueError(f"{stream}: {quote(name)} once too often, or unknown")
            ids.append(free[name][0] if stream == "discs" else free[name].pop(0))
        return ids


_luck_of = lru_cache(maxsize=64)(_Luck)


def _find_luck(game: Game) -> list[list[Any]]:
    """[ply, stream, names] of every shuffle and of the disc draws, found by playing the game again."""
    from channel_tunnel_env.game import BLANK, _entry

    if game._luck:
        return _find_replayed_luck(game)
    luck, work = _luck_of(game.ruleset), new_workspaces(1)
    start = game._start
    states = new_states(1) if start is None else start.copy()
    actions = np.array(game._actions, np.int64)
    places = np.zeros(len(actions) + 1, np.int32)
    found: list[list[Any]] = []
    ply, seed = 0, game.seed if start is None else -1
    while ply <= len(actions):
        after = _entry("write_luck")(
            states, 0, game._tables, seed, actions, ply, BLANK, work, places
        )
        if after == kernels.REFUSED:
            raise RecordError("the game's actions do not lead from its start to where it stands")
        log = work["luck"][0, : int(work["luck_place"][0])].tolist()
        begin = 0
        for k, end in enumerate(places[ply:after].tolist(), ply):
            if end > begin:
                found += [[k, stream, names] for stream, names in luck.read_log(log[begin:end])]
                begin = end
        ply = after
    return found


def _find_replayed_luck(game: Game) -> list[list[Any]]:
    """The same of a game that a record was replayed into: its streams need not give the record's luck."""
    luck, work, again = _luck_of(game.ruleset), new_workspaces(1), game.clone()
    found: list[list[Any]] = []
    for ply in range(len(game._actions) + 1):
        given = game._luck.get(ply)
        if given is None:  # played on after the record's last action
            work["luck_mode"], work["luck_place"] = LUCK_WRITE, 0
        else:
            luck.fill_log(work, given)
        _play_ply(again, game._actions[ply - 1] if ply else None, work)
        if given is None:
            given = luck.read_log(work["luck"][0, : int(work["luck_place"][0])].tolist())
        else:
            _count_luck(again, given)
        found += [[ply, stream, list(names)] for stream, names in given]
    return found


# --- replay ---------------------------------------------------------------------------------------


def replay(record: dict[str, Any], ruleset: str | Path | Ruleset | None = None) -> Game:
    """Play a record again with the luck it wrote down, and check everything.

    Args:
        record: as `write_record` or `read_records` give it.
        ruleset: in place of the one it names; the digest must agree.

    Raises:
        RecordError: names line, ply and reason where the record does not fit.
    """
    *_, game = replay_plies(record, ruleset)
    return game


def replay_plies(
    record: dict[str, Any], ruleset: str | Path | Ruleset | None = None
) -> Iterator[Game]:
    """`replay`, decision by decision: the game at its start and after each action.

    It is one and the same object that moves on; clone what you keep.

    Raises:
        RecordError: as for `replay`; the result is checked after the last action.
    """
    line = getattr(record, "line", None)
    check_record(record, line)
    game = _open(record, ruleset, line)
    luck, work = _luck_of(game.ruleset), new_workspaces(1)
    by_ply = _luck_by_ply(record, line)
    for ply in range(len(record["actions"]) + 1):
        entries = by_ply.pop(ply, [])
        try:
            luck.fill_log(work, entries)
            _play_ply(game, action_id(record["actions"][ply - 1]) if ply else None, work)
        except (ValueError, IllegalActionError) as error:
            raise _error(str(error), line, ply) from None
        misfit = work["luck_misfit"][0]
        if misfit or work["luck_place"][0] != np.count_nonzero(work["luck"] >= 0):
            what = "does not fit the game" if misfit else "is more than the game met"
            raise _error(f"the luck written down {what}", line, ply)
        _count_luck(game, entries)
        game._luck[ply] = entries
        yield game
    if by_ply:
        raise _error("luck written down after the last action", line, min(by_ply))
    _check_result(game, record, line)


def _open(record: dict[str, Any], ruleset: Any, line: int | None) -> Game:
    """A game at the record's start; its first decision is yet to be reached."""
    from channel_tunnel_env.game import Game

    entry = record["ruleset"]
    try:
        rules = entry_ruleset(entry.get("values", entry.get("name")), ruleset, entry.get("digest"))
        if "start" not in record:
            return Game(rules, record["seed"])
        return Game._settled(*read_states(record["start"], rules))
    except (RulesetError, PositionError, ValueError, TypeError) as error:
        raise _error(str(error), line) from None


def _play_ply(game: Game, action: int | None, work: NDArray[Any]) -> None:
    """Take an action, or set up without one; the workspace gives the luck, or takes it down.

    Raises:
        IllegalActionError: the action is not legal.
    """
    if action is None:
        _restart(game, work)
        return
    seat = game._now
    if not game._run(kernels.PLAY, action, work):
        raise game._refusal(action)
    game._actions.append(action)
    game._last_seat = seat


def _luck_by_ply(
    record: dict[str, Any], line: int | None
) -> dict[int, list[tuple[str, list[str]]]]:
    by_ply: dict[int, list[tuple[str, list[str]]]] = {}
    for entry in record["luck"]:
        match entry:
            case [int(ply), str(stream), list(names)] if not isinstance(ply, bool):
                by_ply.setdefault(ply, []).append((stream, names))
            case _:
                raise _error(f"luck {quote(entry)}: allowed: [ply, stream, [names]]", line)
    return by_ply


def _count_luck(game: Game, entries: list[tuple[str, list[str]]]) -> None:
    """Move the streams on as if they had given these shuffles, so that the game can go on."""
    for stream, names in entries:
        if stream != "discs":
            game._states["rng_counter"][0, STREAMS.index(stream)] += len(names) - 1


def _check_result(game: Game, record: dict[str, Any], line: int | None) -> None:
    for key, value in _result(game).items():
        written = record["result"].get(key)
        if written != value:
            ply = len(record["actions"])
            problem = f"result.{key}: written {quote(written)}, replayed {quote(value)}"
            raise _error(problem, line, ply)


def _error(reason: str, line: int | None, ply: int | None = None) -> RecordError:
    where = [f"line {line}"] * (line is not None) + [f"ply {ply}"] * (ply is not None)
    return RecordError(f"{', '.join(where)}: {reason}" if where else reason)


# --- files ----------------------------------------------------------------------------------------


def check_record(record: Any, line: int | None = None) -> None:
    """The record is of this format and has its keys.

    Raises:
        RecordError: it is not.
    """
    if not isinstance(record, dict):
        raise _error("a record is a JSON object", line)
    if record.get("format") != RECORD_FORMAT:
        raise _error(
            f"format {quote(record.get('format'))}: this version reads format {RECORD_FORMAT}", line
        )
    missing = [key for key in KEYS if key not in record]
    unknown = [key for key in record if key not in (*KEYS, *OPTIONAL_KEYS)]
    if missing or unknown:
        raise _error(f"missing keys {missing}, unknown keys {quote(unknown)}", line)
    shapes = {"ruleset": dict, "seed": int, "actions": list, "luck": list, "result": dict}
    for key, kind in shapes.items():
        if not isinstance(record[key], kind) or isinstance(record[key], bool):
            raise _error(f"{key}: {quote(record[key])}: not a JSON {kind.__name__}", line)
    for ply, name in enumerate(record["actions"], 1):
        if not isinstance(name, str) or name not in _NAMES:
            raise _error(f"{quote(name)}: no such action", line, ply)


_NAMES = frozenset(ACTION_NAMES)


def write_records(path: str | Path, records: Iterable[dict[str, Any]]) -> int:
    """Append records to a file, each as one whole line; returns how many.

    A last line that a kill cut off is moved to a file of its own, `path` with `.cut`, and a
    RuntimeWarning says so.

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

    Raises:
        RecordError: at the first bad line, after the good ones before it were given.
    """
    with Path(path).open("rb") as file:
        texts = iter(lambda: file.readline(LINE.size + 1), b"")  # one more tells that there is more
        for line, text in enumerate(texts, 1):
            try:
                content = parse_json(text, f"line {line}", LINE)
            except DocumentError as error:
                is_cut = len(text) <= LINE.size and not text.endswith(b"\n")
                cut = " (the line is cut off)" if is_cut else ""
                raise _error(f"{error.problem}{cut}", line) from None
            check_record(content, line)
            record = Record(content)
            record.line = line
            yield record
