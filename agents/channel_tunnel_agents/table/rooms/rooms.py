"""All rooms of a server: games, forks and replays; a bounded number in memory, the rest on disk.

Slow operations (reading a position or a record, loading a room) are methods that do not change the
rooms, so that they can run in a thread: `deal`, `read_record`, `load`. Methods that change the
rooms are fast.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.drafts import Draft
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.people import PERSON
from channel_tunnel_agents.table.rooms.phase_room import PhaseRoom
from channel_tunnel_agents.table.rooms.requests import Fork, NewGame, OpenRecord, Seats, pick_record, read_position_text
from channel_tunnel_agents.table.rooms.room import Replay, Room
from channel_tunnel_agents.table.rooms.storage import Storage
from channel_tunnel_env import IllegalActionError, RecordError, Ruleset
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.records import same_records
from channel_tunnel_env.core.whole_numbers import check_seed
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.faces.registry import lesson_of, table_of
from channel_tunnel_env.faces.table import ALL, LESSON, POSITIONS, PUBLIC, Lesson
from channel_tunnel_env.game import Game
from channel_tunnel_env.games import DEFAULT_GAME, find_game
from channel_tunnel_env.outside.documents import LINE
from channel_tunnel_env.outside.files import read_lines
from channel_tunnel_env.records.positions import USUAL
from channel_tunnel_env.records.record import check_record, replay_plies
from channel_tunnel_env.records.writing import ending_of
from channel_tunnel_env.rulesets.ruleset import load_ruleset

MOST_ROOMS = 500  # a long game takes about 100 kB, most of it its log
MOST_DECISIONS = 200_000  # in all rooms in memory; each takes about a kilobyte
IDLE_SECONDS = 3600.0
BEGINNER = "random"
REPLAY = re.compile(r"r[0-9a-f]{12}")


def game_at_start(game: AnyGame) -> AnyGame:
    """The game before its first decision, as its seed or its first position deals it."""
    if game.start is None:
        return type(game)(game.ruleset, game.seed)
    return type(game).from_states(game.start, game.ruleset)


def replay_own_luck(game: AnyGame) -> AnyGame | None:
    """The game replayed from its start with its own luck; None if that ends elsewhere: a record may contain luck that no seed
    produces, such as a game typed in from a real table, and then its positions can only be viewed."""
    again = game_at_start(game)
    try:
        for action in game.actions:
            again.play(action)
    except IllegalActionError:
        return None
    return again if same_records(again.states, game.states) else None


def room_of(game: AnyGame) -> type[Room]:
    """The kind of room that a game is played in."""
    return PhaseRoom if table_of(game.spec).IN_PHASES else Room


def load_room(fields: dict[str, Any], keep: Callable[[Room, AnyGame], None]) -> Room:
    """A room from the fields of its file (see `Storage.load`)."""
    plies, drafts = fields.pop("plies"), fields.pop("drafts")
    first = next(plies)
    kind, about = room_of(first), dict(fields)
    if kind is PhaseRoom:
        about["drafts"] = {seat: Draft.of(content, first) for seat, content in drafts.items()}
    return kind.from_plies(itertools.chain([first], plies), keep=keep, **about)


def check_extra(ruleset: Ruleset, extra: str) -> None:
    """Check that a game has something that not every game has at the table."""
    if extra not in table_of(ruleset.spec).EXTRAS:
        raise TableError(404, f"{ruleset.data.title} has no {extra} at this table")


class Rooms:
    """The rooms of one server.

    Args:
        folder: keeps every game; rooms of an earlier server are found there.
        most: rooms in memory; one more unloads the least recently used one.
        idle_seconds: a room unused for this long is unloaded.
        most_decisions: decisions in all rooms in memory; more unload rooms in the same way.
    """

    def __init__(
        self,
        offers: Offers,
        folder: Path,
        most: int = MOST_ROOMS,
        idle_seconds: float = IDLE_SECONDS,
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        self.offers = offers
        self.storage = Storage(folder)
        self.most = most
        self.idle_seconds = idle_seconds
        self.most_decisions = most_decisions
        self._awake: OrderedDict[str, Room] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        """Rooms in memory."""
        return len(self._awake)

    def get(self, key: str) -> Room:
        """A room by its key, loaded from its file if necessary."""
        return self.awake(key) or self.admit(self.load(key))

    def awake(self, key: str) -> Room | None:
        """A room by its key, if it is in memory and no other table has changed its game since."""
        room = self._awake.get(key)
        if room is None or self.storage.has_other(room):
            return None
        room.touched = time.monotonic()
        self._awake.move_to_end(key)
        return room

    def load(self, key: str) -> Room:
        """Load a room from its file, without admitting it to memory."""
        if REPLAY.fullmatch(key):
            raise TableError(404, "this replay is not in memory any more: open its record again")
        fields = self.storage.load(key)
        try:
            room = load_room(fields, self.storage.keep)
        except (ValueError, TypeError, OverflowError) as error:
            raise TableError(410, f"the file of this game is broken: {error}") from None
        again = replay_own_luck(room.game)
        if again is not None:
            room.start, room.game = game_at_start(again), again
        return room

    def sleep_idle(self) -> None:
        """Unload idle rooms from memory; their files stay."""
        oldest = time.monotonic() - self.idle_seconds
        idle = [key for key, room in self._awake.items() if room.touched < oldest]
        for key in idle:
            del self._awake[key]
        self._make_room()

    def admit(self, room: Room) -> Room:
        """Admit a room to memory, in the place of what was there of it; the least recently used ones make room."""
        before = self._awake.get(room.key)
        if before is not None:
            room.watchers = before.watchers
        self._awake[room.key] = room
        self._awake.move_to_end(room.key)
        self._make_room()
        return room

    def _make_room(self) -> None:
        """Unload the oldest rooms until the rest is within the limits. Their changes are all on
        disk."""
        decisions = sum(len(room.log) for room in self._awake.values())
        while len(self._awake) > 1 and (len(self._awake) > self.most or decisions > self.most_decisions):
            _, room = self._awake.popitem(last=False)
            decisions -= len(room.log)

    # --- new rooms ------------------------------------------------------------------------------

    def deal(self, request: NewGame) -> AnyGame:
        """The game of a request, from a seed or from a position; no seats are assigned yet."""
        if request.position is not None:
            return self._position(request.position)
        ruleset = self.offers.ruleset(request.ruleset, request.agenda, request.players)
        return Game(ruleset, check_seed(request.seed))

    def _position(self, text: str) -> AnyGame:
        content = read_position_text(text)
        named = self.offers.confine(content.get("ruleset", USUAL))
        try:
            game = Game.from_position(content, named)
        except (ValueError, OverflowError) as error:
            raise TableError(400, f"the position: {error}") from None
        except RecursionError:
            raise TableError(400, "the position is nested too deeply") from None
        check_extra(game.ruleset, POSITIONS)
        return game

    def fork(self, room: Room, held: set[str], request: Fork) -> Room:
        """A new game that begins at a decision of a room.

        With the same luck everything hidden stays as it is; with new luck, everything the viewer
        cannot know is re-dealt.

        Raises:
            TableError: the viewer may not have the same luck, or as for a new game.
        """
        viewer = room.viewer(held)
        if viewer == PUBLIC:
            raise TableError(403, "only who sits at the table may fork this game")
        if request.luck == "same" and not room.shows_all:
            raise TableError(403, "the same luck would show what is hidden while the game goes on: choose new luck")
        ply = request.ply
        if not request.kept:  # counted as the page counts, which shows a game in phases by its phases
            stops = room.stops()
            if ply >= len(stops):
                raise TableError(404, f"decision {ply}: the game has {len(stops) - 1}")
            ply = stops[ply]
        position = room.at(ply)
        if position.is_over:
            raise TableError(409, "the game is over at this decision; fork an earlier one")
        if request.luck == "anew":
            knows = position.seats[position.mover] if viewer == ALL else viewer
            return self.found(position.determinize(knows, check_seed(None)), request.seats, request.open, room.people)
        again = replay_own_luck(position)
        if again is None:  # it cannot be replayed from its start
            alone = type(position).from_states(position.states, position.ruleset)
            return self.found(alone, request.seats, request.open, room.people)
        fresh = self._new_room(again, request.seats, request.open, room.people)
        fresh.start, fresh.log = game_at_start(again), room.log[:ply]
        if request.kept:
            return self._join(fresh)
        fresh.keep = lambda room, game: None
        return self.admit(fresh)

    def lesson(self, game: str) -> tuple[Room, Lesson]:
        """The guided first game of a game, against its agent."""
        offered = {ruleset.spec.name: ruleset for ruleset in self.offers.rulesets.values()}
        if game not in offered:
            raise TableError(400, f"game {game:.60}: there are {', '.join(offered)}")
        check_extra(offered[game], LESSON)
        lesson = lesson_of(offered[game].spec)
        dealt = Game(load_ruleset(lesson.ruleset), lesson.seed)
        seats = {seat: PERSON if seat == lesson.seat else lesson.rival for seat in dealt.seats}
        return self.found(dealt, seats, False), lesson

    def leave(self, room: Room, person: str) -> None:
        """Take a game off a person's list; one that is on nobody else's goes."""
        if person not in room.owners.values():
            raise TableError(403, "this game is not on your list")
        if room.leave(person):
            self.storage.remove(room.key)
            self._awake.pop(room.key, None)

    def rematch(self, room: Room) -> Room:
        """A new deal of a room's ruleset for the same seats, whose secrets stay the same: who holds one may follow."""
        game = Game(room.game.ruleset, check_seed(None))
        fresh = self._new_room(game, room.seats, room.began_open, room.people)
        fresh.tokens = dict(room.tokens)
        self._join(fresh)
        room.next = fresh.key
        try:
            room.keep(room, room.game)
        except TableError:
            room.next = ""
            self._awake.pop(fresh.key, None)
            self.storage.remove(fresh.key)
            raise
        return fresh

    def found(self, game: AnyGame, seats: Seats, is_open: bool, people: Mapping[str, str] | None = None) -> Room:
        """A room for a new game, on disk and in memory.

        Args:
            people: seat -> the name of the person who may sit there.

        Raises:
            TableError: no such seat, an agent that is not offered, or the game cannot be written to disk.
        """
        return self._join(self._new_room(game, seats, is_open, people or {}))

    def _new_room(self, game: AnyGame, seats: Seats, is_open: bool, people: Mapping[str, str]) -> Room:
        strange = [seat for seat in seats if seat not in game.seats]
        if strange:
            raise TableError(400, f"seats.{strange[0]:.60}: allowed: {', '.join(game.seats)}")
        played = game.ruleset.played_seats
        # A person takes the first seat that is played, and a beginner the others, if nothing else is given.
        holders = dict.fromkeys(game.seats, BEGINNER) | {played[0]: PERSON} | seats
        idle = [seat for seat, name in holders.items() if name == PERSON and seat not in played]
        if idle:
            allowed = ", ".join(played)
            raise TableError(400, f"seats.{idle[0]}: this seat is empty under these rules; allowed: {allowed}")
        for side, name in holders.items():
            if name != PERSON:
                holders[side] = self.offers.agent(name, game.ruleset)
        room = room_of(game).begin(game, holders, is_open)
        room.people = {seat: name for seat, name in people.items() if holders[seat] == PERSON}
        room.keep = self.storage.keep
        return room

    def _join(self, room: Room) -> Room:
        """Write the room to disk, then admit it to memory."""
        self.storage.keep(room, room.game)
        room.version += 1
        return self.admit(room)

    def read_record(self, request: OpenRecord) -> tuple[Replay, int, int]:
        """A replay of a record, not yet in memory; its line; and the number of records in the file.

        Raises:
            TableError: an invalid record; the sentence gives line, ply and reason.
        """
        if (request.text is None) == (request.file is None):
            raise TableError(400, "a record is given as text or as a file's name, one of the two")
        if request.text is not None:
            record, count = pick_record(request.text.splitlines(), request.line)
        else:
            path = self.offers.record_file(str(request.file))
            try:
                lines = (line.decode("utf-8", "replace") for line in read_lines(path, LINE.size))
                record, count = pick_record(lines, request.line)
            except DocumentError as error:
                raise TableError(404, f"record file {path.name}: {error.problem}") from None
            except OSError as error:
                raise TableError(404, f"record file {path.name}: {error.strerror}") from None
        line = record.line or 1
        key = f"r{hashlib.sha256(json.dumps(record).encode()).hexdigest()[:12]}"
        known = self._awake.get(key)
        if isinstance(known, Replay):
            return known, line, count
        return self._replay(record, key), line, count

    def _replay(self, record: Any, key: str) -> Replay:
        try:
            check_record(record, record.where)
            entry = record["ruleset"]
            named = self.offers.confine(entry.get("values", entry.get("name")))
            digest = entry.get("digest")
            if named is not None and digest is not None and digest != named.digest:
                raise RecordError(
                    f"{record.where}: the record was played under other rules than {named.name!r} "
                    "has here (the digests differ)"
                )
            table_of(find_game(record.get("game", DEFAULT_GAME)))
            replay = Replay.of(replay_plies(Game, record, named), key)
        except (ValueError, TypeError, OverflowError) as error:
            raise TableError(400, f"the record: {error}") from None
        except RecursionError:
            raise TableError(400, "the record is nested too deeply") from None
        replay.ending = ending_of(record)
        return replay
