"""All rooms of a server: new ones, forks and replays; a bounded number in memory, the rest asleep on disk."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

from agents.table.errors import TableError
from agents.table.history import begin_again, go_again
from agents.table.offers import PERSON, Offers
from agents.table.requests import Fork, NewGame, OpenRecord, pick_record, read_position_text
from agents.table.room import ALL, PUBLIC, Replay, Room
from agents.table.storage import Storage
from channel_tunnel_env import Game, PositionError, RecordError, Ruleset, RulesetError
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.game import check_seed
from channel_tunnel_env.record import check_record, replay_plies

MOST_ROOMS = 500  # a long game takes about 100 kB, most of it its log
IDLE_SECONDS = 3600.0


class Rooms:
    """The rooms of one server.

    Args:
        folder: keeps every game; rooms of an earlier server are found there.
        most: rooms in memory at a time.
        idle_seconds: a room that nobody touched for so long may be put to sleep.
    """

    def __init__(
        self,
        offers: Offers,
        folder: Path,
        most: int = MOST_ROOMS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.offers = offers
        self.storage = Storage(folder)
        self.most = most
        self.idle_seconds = idle_seconds
        self._awake: dict[str, Room] = {}

    def __len__(self) -> int:
        """Rooms in memory."""
        return len(self._awake)

    def get(self, key: str) -> Room:
        """A room by its key, woken from its file if it sleeps.

        Raises:
            TableError: no such room, a broken file, or no place to wake it.
        """
        room = self._awake.get(key)
        if room is None:
            fields = self.storage.load(key)
            try:
                room = Room.from_plies(fields.pop("plies"), keep=self.storage.keep, **fields)
            except RecordError as error:
                raise TableError(500, f"the file of this game is broken: {error}") from None
            again = go_again(room.game)
            if again is not None:
                room.start, room.game = begin_again(again), again
            self._admit(room)
        room.touched = time.monotonic()
        return room

    def sleep_idle(self) -> int:
        """Drop rooms from memory that nobody touched for long; their files stay. Returns how many."""
        oldest = time.monotonic() - self.idle_seconds
        idle = [key for key, room in self._awake.items() if room.touched < oldest]
        for key in idle:
            del self._awake[key]
        return len(idle)

    def _admit(self, room: Room) -> None:
        if len(self._awake) >= self.most:
            self.sleep_idle()
        if len(self._awake) >= self.most:
            raise TableError(
                503, f"all {self.most} places are taken by games under way; try again later"
            )
        self._awake[room.key] = room

    # --- new rooms ------------------------------------------------------------------------------

    def new_game(self, request: NewGame) -> Room:
        """A game from a seed, or from a position.

        Raises:
            TableError: a ruleset or agent that is not offered, a wrong position, or no place.
        """
        if request.position is not None:
            return self._found(self._position(request.position), request.seats, request.open)
        ruleset = self.offers.ruleset(request.ruleset, request.agenda)
        return self._found(Game(ruleset, check_seed(request.seed)), request.seats, request.open)

    def _position(self, text: str) -> Game:
        content = read_position_text(text)
        named = self.offers.confine(content.get("ruleset", "standard"))
        try:
            game = Game.from_position(content, named)
        except (PositionError, RulesetError) as error:
            raise TableError(400, f"the position: {error}") from None
        except RecursionError:
            raise TableError(400, "the position is nested too deeply") from None
        return game

    def fork(self, room: Room, held: set[str], request: Fork) -> Room:
        """A new game that begins at a decision of a room.

        With the same luck the hidden things stay what they are; anew, whatever the viewer cannot know
        is dealt again.

        Raises:
            TableError: the viewer may not have the same luck, or as for `new_game`.
        """
        viewer = room.viewer(held)
        if viewer == PUBLIC:
            raise TableError(403, "only who sits at the table may fork this game")
        if request.luck == "same" and not room.shows_all:
            raise TableError(
                403,
                "the same luck would show what is hidden while the game goes on: choose luck dealt anew",
            )
        position = room.at(request.ply)
        if position.is_over:
            raise TableError(409, "the game is over at this decision; fork an earlier one")
        if request.luck == "anew":
            knows = SEATS[position.mover] if viewer == ALL else viewer
            return self._found(
                position.determinize(knows, check_seed(None)), request.seats, request.open
            )
        again = go_again(position)
        if again is None:  # the way to it cannot be gone again
            alone = Game.from_states(position._states, position.ruleset)
            return self._found(alone, request.seats, request.open)
        fresh = self._found(again, request.seats, request.open, join=False)
        fresh.start, fresh.log = begin_again(again), room.log[: request.ply]
        return self._join(fresh)

    def _found(self, game: Game, seats: Any, is_open: bool, join: bool = True) -> Room:
        holders = {side: getattr(seats, side) for side in SEATS}
        for side, name in holders.items():
            if name != PERSON:
                holders[side] = self.offers.agent(name, game.ruleset)
        room = Room.begin(game, holders, is_open)
        room.keep = self.storage.keep
        return self._join(room) if join else room

    def _join(self, room: Room) -> Room:
        """Into memory first, for there may be no place, then on disk."""
        self._admit(room)
        try:
            self.storage.keep(room, room.game)
        except TableError:
            del self._awake[room.key]
            raise
        room.version += 1
        return room

    def open_record(self, request: OpenRecord) -> tuple[Replay, int, int]:
        """A replay of a record, its line, and how many records the file holds.

        Raises:
            TableError: a broken record; the sentence gives line, ply and reason.
        """
        if (request.text is None) == (request.file is None):
            raise TableError(400, "a record is given as text or as a file's name, one of the two")
        if request.text is not None:
            record, count = pick_record(request.text.splitlines(), request.line)
        else:
            path = self.offers.record_file(str(request.file))
            with path.open(encoding="utf-8", errors="replace") as file:
                record, count = pick_record(file, request.line)
        line = record.line or 1
        key = f"r{hashlib.sha256(json.dumps(record).encode()).hexdigest()[:12]}"
        known = self._awake.get(key)
        if isinstance(known, Replay):
            return known, line, count
        replay = self._replay(record, key)
        self._admit(replay)
        return replay, line, count

    def _replay(self, record: Any, key: str) -> Replay:
        try:
            check_record(record, record.line)
            entry = record["ruleset"]
            named: Ruleset | None
            if "values" in entry:
                named = self.offers.confine(entry["values"])
            else:
                named = self.offers.confine(entry.get("name"))
            digest = entry.get("digest")
            if named is not None and digest is not None and not named.has_digest(digest):
                raise RecordError(
                    f"line {record.line}: the record was played under other rules than {named.name!r} "
                    "has here (the digests differ)"
                )
            return Replay.of(replay_plies(record, named), key)
        except RecordError as error:
            raise TableError(400, f"the record: {error}") from None
        except RecursionError:
            raise TableError(400, "the record is nested too deeply") from None
