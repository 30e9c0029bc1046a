"""Rooms on disk: one JSON file per room, replaced atomically before a change is answered.

FOLDER/rooms/KEY.json   the room, its secrets and the record of its game so far
FOLDER/records.jsonl    the records of all finished games (channel-tunnel replay FILE)
"""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.outside.documents import need_mapping, read_json
from channel_tunnel_env.outside.files import PRIVATE, clear_parts, file_beside
from channel_tunnel_env.records.record import Record, replay_plies, write_record, write_records

if TYPE_CHECKING:
    from channel_tunnel_agents.table.rooms.room import Room

FORMAT = 1
LOGGER = logging.getLogger("channel_tunnel_agents.table")
KEY = re.compile(r"[0-9a-f]{12}")


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
            TableError: the file cannot be written.
        """
        record = write_record(game, room.resigned)
        content = {
            "format": FORMAT,
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
            with file_beside(path, text.encode(), PRIVATE) as part:  # it contains secrets
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
