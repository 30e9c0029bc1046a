"""Rooms on disk: one JSON file per room, replaced atomically before a change is answered.

FOLDER/rooms/KEY.json           the room, its secrets and the record of its game so far
FOLDER/records.jsonl            the records of finished games (channel-tunnel replay FILE)
FOLDER/records-earlier.jsonl    those before them: the file that was full last

The folder is bounded: a game for which there is no place makes the oldest finished ones go.

Several tables may keep their games in one folder. A file begins with a stamp that is new at each writing, and a room
remembers the one it was read or written with: a file that has another one was written by another table, and is not
written over.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.people import PERSON, names_of, with_names
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.game import Game
from channel_tunnel_env.outside.documents import need_mapping, read_json
from channel_tunnel_env.outside.files import PRIVATE, clear_parts, file_beside, folder_lock, open_file
from channel_tunnel_env.records.record import Record, replay_plies, write_records
from channel_tunnel_env.records.writing import ending_of

if TYPE_CHECKING:
    from channel_tunnel_agents.table.rooms.room import Room

FORMAT = 1
LOGGER = logging.getLogger("channel_tunnel_agents.table")
KEY = re.compile(r"[0-9a-f]{12}")
FILE = re.compile(rf"{KEY.pattern}\.json")
MOST_SHOWN = 200  # games of a person's list, the newest ones
MOST_KEPT = 5000  # games on disk
MOST_BYTES = 250_000_000  # of all of them; one of 1987 has 10,000, the longest of Eurotunnel 70,000
MOST_RECORDS = 100_000_000  # bytes of a file of records, beyond which a new one is begun
BROKEN = (ValueError, KeyError, TypeError, AttributeError)  # what reading a file that is no room raises
SPARE = 100  # one in this many is freed beyond what is needed, so that few new games look through all
STAMP_BYTES = 8
OVER, AGENTS, OPEN = "over", "agents", "open"  # finished; only agents play; a person plays
GOES = (OVER, AGENTS)  # to make place for a new game: these before those, each the oldest first
HEAD = re.compile(
    rb'\{"format":[0-9]+,"stamp":"(?P<stamp>[0-9a-f]{16})","state":"(?P<state>[a-z]+)","players":"(?P<players>[0-9a-f ]*)",'
)
HEAD_BYTES = 1000  # have room for all that HEAD reads


class Storage:
    """The folder of a table.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.rooms = folder / "rooms"
        self.records = folder / "records.jsonl"
        self.earlier = folder / "records-earlier.jsonl"
        self.rooms.mkdir(parents=True, exist_ok=True)
        clear_parts(self.rooms)

    def keys(self) -> list[str]:
        """The keys of the stored rooms."""
        return sorted(Path(entry.name).stem for entry in self._entries())

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self.rooms) as entries:
            yield from (entry for entry in entries if FILE.fullmatch(entry.name))

    def keep(self, room: Room, game: AnyGame) -> None:
        """Write a room with its game in the new state; a new one may make old ones go.

        Raises:
            TableError: the file cannot be written, there is no place for a new one, or another table has written it
                meanwhile.
        """
        record, state = room.record(game), _state(room, game)
        stamp = secrets.token_hex(STAMP_BYTES)
        content = {
            "format": FORMAT,
            "stamp": stamp,
            "state": state,
            "players": " ".join(sorted(set(room.owners.values()))),
            "told": _summary(room, game),
            "owners": room.owners,
            "seats": room.seats,
            "tokens": room.tokens,
            "open": room.open,
            "opened": room.opened,
            "people": room.people,
            "next": room.next,
            "version": room.version + 1,
            "record": record,
        } | room.more_to_keep()
        text = json.dumps(content, separators=(",", ":")).encode()
        path = self._path(room.key)
        try:
            with (
                file_beside(path, text, PRIVATE) as part,  # it contains secrets
                folder_lock(self.rooms),
            ):
                if self.has_other(room):
                    raise TableError(
                        409,
                        "this game has been changed meanwhile by another table on the same folder, so nothing was changed "
                        "here: look at it again",
                    )
                if room.stamp is None:
                    self._make_place(len(text))
                elif state == OVER and not room.was_over:
                    self._write_record(record)
                # Last: if the record cannot be written, the move is not made.
                part.replace(path)
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)  # does not reveal our paths
            told = f"the game cannot be written to disk, so nothing was changed: {why}"
            LOGGER.warning("%s (%s)", told, self.rooms)
            raise TableError(503, told) from None
        room.stamp, room.was_over = stamp, state == OVER

    def has_other(self, room: Room) -> bool:
        """Whether another table has written the file of a room; one that is gone or damaged no table has written."""
        head = _head(self._path(room.key))
        return head is not None and head["stamp"] not in ("", room.stamp)

    def _make_place(self, size: int) -> None:
        """Remove what goes, until there is place for a new file of this size.

        Raises:
            TableError: it does not exist, and nothing was removed.
            OSError: a file cannot be removed.
        """
        there = {}
        for entry in self._entries():
            with contextlib.suppress(FileNotFoundError):  # removed at this moment
                there[entry.path] = entry.stat()
        count, total = len(there) + 1, sum(status.st_size for status in there.values()) + size
        if count <= MOST_KEPT and total <= MOST_BYTES:
            return
        gone = []
        for path in _going(there):
            if count + MOST_KEPT // SPARE <= MOST_KEPT and total + MOST_BYTES // SPARE <= MOST_BYTES:
                break
            gone.append(path)
            count, total = count - 1, total - there[path].st_size
        if count > MOST_KEPT or total > MOST_BYTES:
            told = (
                f"there is no place for another game: at most {MOST_KEPT:,} games of {MOST_BYTES / 1e6:,.0f} MB together "
                "are kept, and open games of people stay; the host of the table may remove some of its files"
            )
            LOGGER.warning("%s (%s)", told, self.rooms)
            raise TableError(503, told)
        for path in gone:
            Path(path).unlink(missing_ok=True)

    def _write_record(self, record: dict[str, Any]) -> None:
        """Append the record of a finished game; a full file becomes the earlier one."""
        with contextlib.suppress(FileNotFoundError):
            if self.records.stat().st_size > MOST_RECORDS:
                self.records.replace(self.earlier)
        write_records(self.records, [record])

    def remove(self, key: str) -> None:
        """Remove a room's file, if there is one and it can be removed."""
        with contextlib.suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def load(self, key: str) -> dict[str, Any]:
        """A room's fields, for `Room.from_plies`."""
        if not KEY.fullmatch(key) or not self._path(key).is_file():
            raise TableError(404, "there is no such game here; it may have been another server's")
        try:
            content = need_mapping(read_json(self._path(key)), key, "a game's file")
            if content["format"] != FORMAT:
                raise ValueError(f"format {content['format']!r}")
            record = Record(content["record"])
            return {
                "plies": replay_plies(Game, record),
                "ending": ending_of(record),
                "key": key,
                "stamp": str(content.get("stamp", "")),
                "seats": dict(content["seats"]),
                "tokens": dict(content["tokens"]),
                "open": bool(content["open"]),
                "opened": None if (opened := content.get("opened")) is None else int(opened),
                "people": dict(content.get("people", {})),
                "owners": dict(content.get("owners", {})),
                "next": str(content.get("next", "")),
                "version": int(content["version"]),
                "drafts": dict(content.get("drafts", {})),
            }
        except (*BROKEN, RecursionError, OSError) as error:
            raise TableError(410, f"the file of this game is broken: {error}") from None

    def of_person(self, person: str) -> dict[str, Any]:
        """A person's games, the newest first, each with the time of its last change; `left_out`: how many more there are."""
        found = []
        for entry in self._entries():
            with contextlib.suppress(FileNotFoundError):  # removed at this moment
                head = _head(entry.path)
                if head and person in head["players"].split():
                    found.append((entry.stat().st_mtime, entry.path))
        found.sort(reverse=True)
        games = []
        for when, path in found[:MOST_SHOWN]:
            with contextlib.suppress(*BROKEN, OSError):  # or gone meanwhile
                key = Path(path).stem
                content = need_mapping(read_json(Path(path)), key, "a game's file")
                games.append(_listed(content | {"key": key, "when": when}, person))
        return {"games": games, "left_out": max(0, len(found) - MOST_SHOWN)}

    def _path(self, key: str) -> Path:
        return self.rooms / f"{key}.json"


def _state(room: Room, game: AnyGame) -> str:
    if room.outcome(game):
        return OVER
    return OPEN if PERSON in room.seats.values() else AGENTS


def _head(path: Path | str) -> dict[str, str] | None:
    """What a room's file begins with: empty texts of one that is none of ours, None if there is no file."""
    try:
        with open_file(path) as file:
            found = HEAD.match(file.read(HEAD_BYTES))
    except DocumentError:  # a device, a socket or a pipe
        found = None
    except OSError:
        return None
    if found is None:
        return {"stamp": "", "state": "", "players": ""}
    return {name: text.decode() for name, text in found.groupdict().items()}


def _going(files: Mapping[str, os.stat_result]) -> list[str]:
    """The files that go where place is needed, the first one first."""
    states = {path: head["state"] for path in files if (head := _head(path)) is not None}
    goes = [path for path, state in states.items() if state in GOES]
    return sorted(goes, key=lambda path: (GOES.index(states[path]), files[path].st_mtime))


def _summary(room: Room, game: AnyGame) -> dict[str, Any]:
    """What a list says of a game: only what everybody sees."""
    about = {"game": game.spec.name, "title": game.ruleset.data.title, "extras": sorted(room.face.EXTRAS)}
    outcome = room.outcome(game)
    if outcome is None:
        record = game.spec.record
        when = f"{record.clock[1]} {int(game.states[record.clock[0]][0])}"
        return about | {"when": room.face.question(game) if room.face.IN_PHASES else when}
    names = names_of(game.seats, room.people)
    return about | {
        "results": {seat: outcome.result_of(seat) for seat in game.seats},
        "titles": {seat: with_names(outcome.ending_of(seat)["title"], names) for seat in game.seats},
    }


def _listed(content: dict[str, Any], person: str) -> dict[str, Any]:
    """A game of a person's list from its file, with the secrets of the seats that they sat at."""
    own = [who for who, owner in content["owners"].items() if owner == person]
    shown = {name: content[name] for name in ("key", "when", "state", "seats", "people", "told")}
    return shown | {"tokens": {who: content["tokens"][who] for who in own}}
