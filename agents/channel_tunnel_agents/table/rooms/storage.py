"""Rooms on disk: one JSON file per room, replaced atomically before a change is answered.

FOLDER/rooms/KEY.json   the room, its secrets and the record of its game so far
FOLDER/records.jsonl    the records of all finished games (channel-tunnel replay FILE)

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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.outside.documents import need_mapping, read_json
from channel_tunnel_env.outside.files import PRIVATE, clear_parts, file_beside, folder_lock
from channel_tunnel_env.records.record import Record, replay_plies, write_record, write_records

if TYPE_CHECKING:
    from channel_tunnel_agents.table.rooms.room import Room

FORMAT = 1
LOGGER = logging.getLogger("channel_tunnel_agents.table")
KEY = re.compile(r"[0-9a-f]{12}")
STAMP_BYTES = 8
HEAD = re.compile(rb'\{"format":[0-9]+,"stamp":"(?P<stamp>[0-9a-f]{16})",')
HEAD_BYTES = 100  # have room for all that HEAD reads


class Storage:
    """The folder of a table.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.rooms = folder / "rooms"
        self.records = folder / "records.jsonl"
        self.rooms.mkdir(parents=True, exist_ok=True)
        clear_parts(self.rooms)

    def keys(self) -> list[str]:
        """The keys of the stored rooms."""
        return sorted(path.stem for path in self.rooms.glob("*.json") if KEY.fullmatch(path.stem))

    def keep(self, room: Room, game: Game) -> None:
        """Write a room with its game in the new state.

        Raises:
            TableError: the file cannot be written, or another table has written it meanwhile.
        """
        record = write_record(game, room.resigned)
        stamp = secrets.token_hex(STAMP_BYTES)
        content = {
            "format": FORMAT,
            "stamp": stamp,
            "seats": room.seats,
            "tokens": room.tokens,
            "open": room.open,
            "opened": room.opened,
            "people": room.people,
            "next": room.next,
            "version": room.version + 1,
            "record": record,
        } | room.more_to_keep()
        text = json.dumps(content, separators=(",", ":"))
        path = self._path(room.key)
        try:
            with (
                file_beside(path, text.encode(), PRIVATE) as part,  # it contains secrets
                folder_lock(self.rooms),
            ):
                self._check_own(room)
                if room.resigning or (game.is_over and not room.game.is_over):
                    write_records(self.records, [record])
                # Last: if the record cannot be written, the move is not made.
                part.replace(path)
        except OSError as error:
            why = (
                os.strerror(error.errno) if error.errno else str(error)
            )  # does not reveal our paths
            told = f"the game cannot be written to disk, so nothing was changed: {why}"
            LOGGER.warning("%s (%s)", told, self.rooms)
            raise TableError(503, told) from None
        room.stamp = stamp

    def has_other(self, room: Room) -> bool:
        """Whether the file of a room is none that the room was read or written with; without a file it is not."""
        found = self._stamp(room.key)
        return found is not None and found != room.stamp

    def _check_own(self, room: Room) -> None:
        if self.has_other(room):
            raise TableError(
                409,
                "this game has been changed meanwhile by another table on the same folder, so nothing was changed "
                "here: look at it again",
            )

    def _stamp(self, key: str) -> str | None:
        """The stamp of a room's file; "" of one without, None if there is no file."""
        try:
            with self._path(key).open("rb") as file:
                found = HEAD.match(file.read(HEAD_BYTES))
        except OSError:
            return None
        return found["stamp"].decode() if found else ""

    def remove(self, key: str) -> None:
        """Remove a room's file, if there is one and it can be removed."""
        with contextlib.suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def load(self, key: str) -> dict[str, Any]:
        """A room's fields, for `Room.from_plies`.

        Raises:
            TableError: there is no such room, or its file is corrupt; the sentence says where.
        """
        if not KEY.fullmatch(key) or not self._path(key).is_file():
            raise TableError(404, "there is no such game here; it may have been another server's")
        try:
            content = need_mapping(read_json(self._path(key)), key, "a game's file")
            if content["format"] != FORMAT:
                raise ValueError(f"format {content['format']!r}")
            record = Record(content["record"])
            return {
                "plies": replay_plies(record),
                "resigned": str(record.get("resigned", "")),
                "key": key,
                "stamp": str(content.get("stamp", "")),
                "seats": dict(content["seats"]),
                "tokens": dict(content["tokens"]),
                "open": bool(content["open"]),
                "opened": None if (opened := content.get("opened")) is None else int(opened),
                "people": dict(content.get("people", {})),
                "next": str(content.get("next", "")),
                "version": int(content["version"]),
                "drafts": dict(content.get("drafts", {})),
            }
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError) as error:
            raise TableError(410, f"the file of this game is broken: {error}") from None

    def _path(self, key: str) -> Path:
        return self.rooms / f"{key}.json"
