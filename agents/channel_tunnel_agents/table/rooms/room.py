"""A room: one game with its seats, log and permissions. Independent of the web side."""

from __future__ import annotations

import contextlib
import hmac
import itertools
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.outcome import Outcome, ends_game
from channel_tunnel_agents.table.rooms.people import PERSON, Watchers, check_name, names_of, with_names
from channel_tunnel_env import GameOverError, IllegalActionError
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.faces.table import ALL, PUBLIC, Entry, PhaseFace, PhaseTold, TableFace
from channel_tunnel_env.records.writing import RESIGNED, Ending, write_record

HOST = "host"
Found = TypeVar("Found")
TOKEN_BYTES = 16


class Begin(NamedTuple):
    """Where a phase begins: the number of decisions before it, its name, and whether everybody may know of it."""

    ply: int
    name: str
    is_shown: bool


@dataclass
class Room:
    """A game at the table.

    Attributes:
        start: the game before its first decision.
        game: the game now.
        seats: seat -> "person" or an agent's name.
        tokens: "host" and every seat a person holds -> the secret that proves it.
        open: whether everybody may see everything.
        opened: how many decisions had been made when the table was laid open; None if it never was, or open from the start.
        people: seat -> the name that its person typed.
        ending: how the game ended, unless by its rules.
        owners: who of `tokens` -> the person who sat there last, as `people.person_of` names them.
        next: key of the room of the rematch, once there is one.
        stamp: of the file that it was read from or written to last (see `storage`); None without one.
        was_over: whether the game was over as it was kept last; then its record is among those of finished games.
        log: an entry per decision.
        version: increases with every change; a page sends the version it shows.
        keep: called before a change takes effect; an exception from it cancels the change.
    """

    key: str
    start: Game
    game: Game
    seats: dict[str, str]
    tokens: dict[str, str]
    open: bool = False
    opened: int | None = None
    people: dict[str, str] = field(default_factory=dict)
    ending: Ending | None = None
    owners: dict[str, str] = field(default_factory=dict)
    next: str = ""
    stamp: str | None = None
    was_over: bool = False
    log: list[Entry] = field(default_factory=list)
    version: int = 0
    keep: Callable[[Room, Game], None] = lambda room, game: None
    touched: float = field(default_factory=time.monotonic)
    watchers: Watchers = field(default_factory=Watchers)
    _found: dict[str, Any] = field(default_factory=dict)

    @property
    def face(self) -> TableFace:
        """What the game shows and says."""
        return table_of(self.game.spec)

    # --- who is who -----------------------------------------------------------------------------

    def held_by(self, tokens: set[str]) -> set[str]:
        """The sides, and "host", that some secrets prove."""
        given = [token.encode() for token in tokens]
        return {
            who
            for who, token in self.tokens.items()
            if any(hmac.compare_digest(token.encode(), other) for other in given)
        }

    def viewer(self, held: set[str], wanted: str | None = None) -> str:
        """The viewer of a tab: whose knowledge it shows.

        Args:
            held: see `held_by`.
            wanted: a seat, "public" or "all"; None: the tab's own seat, or the seat to play if it
                has that one and others.
        """
        viewers = (*self.game.seats, PUBLIC, ALL)
        if wanted not in (None, *viewers):
            raise TableError(400, f"viewer: allowed: {', '.join(viewers)}")
        sides = [side for side in self.game.seats if side in held]
        if wanted is None:
            if sides:
                return self.usual_viewer(sides)
            return ALL if self.shows_all else PUBLIC
        if wanted == PUBLIC or self.shows_all or wanted in sides:
            return wanted
        raise TableError(403, f"this tab does not hold the seat that sees {wanted}")

    def usual_viewer(self, sides: list[str]) -> str:
        """The one of several seats that is to play, otherwise the first."""
        to_move = self.game.seats[self.game.mover]
        return to_move if to_move in sides else sides[0]

    @property
    def shows_all(self) -> bool:
        """Whether nothing is hidden: the game is over, or the table is open."""
        return self.open or self.is_over

    @property
    def began_open(self) -> bool:
        """Whether the table has been open from the start, as everybody knew who sat down at it."""
        return self.open and self.opened is None

    @property
    def is_between_people(self) -> bool:
        """Whether more than one person plays."""
        return list(self.seats.values()).count(PERSON) > 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome(self.game) is not None

    def outcome(self, game: Game) -> Outcome | None:
        """How the game has ended, by its rules or because somebody gave it up; None while it goes on.

        Args:
            game: as it is, or as a change that is being kept leaves it.
        """
        return Outcome(game, self.seats, self.ending) if game.is_over or self.ending else None

    def record(self, game: Game) -> dict[str, Any]:
        """The record of the game, as of `outcome`."""
        return write_record(game, self.ending)

    @property
    def waits_for_agent(self) -> bool:
        """Whether an agent is to move."""
        return not self.is_over and self.seats[str(self.game.to_play)] != PERSON

    def check_host(self, held: set[str]) -> None:
        """Check that the tab set the game up."""
        if HOST not in held:
            raise TableError(403, "only the tab that set the game up may do this")

    def version_for(self, held: set[str]) -> int:
        """The version that a tab with these seats receives."""
        return self.version

    def check_version(self, held: set[str], version: int) -> None:
        """Check that the page shows the current version of the game."""
        now = self.version_for(held)
        if version != now:
            raise TableError(
                409, f"the page shows version {version} of the game, which is at version {now} now; look at it again"
            )

    def check_shown(self, held: set[str], version: int) -> None:
        """Check that the page shows what a person in one of these seats decides on."""
        self.check_version(held, version)

    def whose_turn(self) -> str:
        """A sentence for somebody who tries to move out of turn."""
        if self.is_over:
            return self.over_words()
        side = str(self.game.to_play)
        return f"it is {self.face.seat_title(side)}'s decision, held by {self.seats[side]}"

    # --- what they are called -------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called where the game only counts them, in order."""
        return names_of(self.game.seats, self.people)

    def call(self, seat: str, text: str) -> None:
        """Call the person in a seat by a name; "" takes it away. Nothing of the game changes.

        Raises:
            TableError: no such name is allowed, another seat has it, or no person holds the seat.
        """
        if self.seats.get(seat) != PERSON:
            raise TableError(403, f"side {seat!r:.60}: only a person at the table has a name")
        name = check_name(text)
        others = {one: called for one, called in self.people.items() if one != seat}
        titles = {one: self.face.seat_title(one) for one in self.game.seats}
        shown = with_names(titles, names_of(self.game.seats, others))
        shown.pop(seat)
        taken = {one.casefold() for one in (*others.values(), *titles.values(), *shown.values())}
        if name.casefold() in taken:
            raise TableError(409, f"name: somebody at this table is called {name} already")
        with self.whole_or_not():
            self.people = others | ({seat: name} if name else {})
            self.keep(self, self.game)

    # --- whose game it is -----------------------------------------------------------------------

    def sit(self, held: set[str], person: str) -> None:
        """Remember who sits at the seats of a tab, for their list of games. Nothing of the game changes."""
        self._own(self.owners | dict.fromkeys(sorted(held), person))

    def leave(self, person: str) -> bool:
        """Take the game off a person's list. Returns whether it is on nobody's list then."""
        others = {who: owner for who, owner in self.owners.items() if owner != person}
        if others:
            self._own(others)
        return not others

    def _own(self, owners: dict[str, str]) -> None:
        if owners != self.owners:
            with self.whole_or_not():
                self.owners = owners
                self.keep(self, self.game)

    # --- giving up ------------------------------------------------------------------------------

    def over_words(self) -> str:
        """That the game is over, and whether somebody gave it up."""
        outcome = self.outcome(self.game)
        return f"the game is over: {outcome.given_up}" if outcome and outcome.given_up else "the game is over"

    def resign(self, seat: str, stand_in: str) -> None:
        """Give the game up for a seat: it ends, or an agent plays the seat on for the others.

        Args:
            stand_in: that agent.
        """
        if self.is_over:
            raise TableError(409, self.over_words())
        if self.seats.get(seat) != PERSON:
            raise TableError(409, f"side {seat!r:.60}: only a person at the table can resign")
        with self.whole_or_not():
            if ends_game(self.seats, seat):
                self.ending = Ending(RESIGNED, seat)
            else:
                self.seats = {**self.seats, seat: stand_in}
            self._change(self.game, self.log)

    # --- looking back ---------------------------------------------------------------------------

    def positions(self) -> Iterator[Game]:
        """The game at its start and after each decision; always the same object, updated in
        place."""
        game = self.start.clone()
        yield game
        for action in self.game.actions:
            yield game.play(action)

    def at(self, ply: int) -> Game:
        """The game after this many decisions."""
        if ply == len(self.game.actions):
            return self.game
        found = next(itertools.islice(self.positions(), ply, None), None)
        if found is None:
            raise TableError(404, f"decision {ply}: the game has {len(self.game.actions)}")
        return found

    def stops(self) -> Sequence[int]:
        """The numbers of decisions after which the game is shown: all of them, or those at which a phase begins
        that everybody may know of, and the present one."""
        now = len(self.game.actions)
        if not self.face.IN_PHASES:
            return range(now + 1)
        shown = [begin.ply for begin in self.begins() if begin.is_shown or self.shows_all]
        return shown if shown[-1:] == [now] else [*shown, now]

    def begins(self) -> tuple[Begin, ...]:
        """Where the phases begin, of a game in phases."""
        return self._while_it_stands("begins", lambda: tuple(_begins(self)))

    def told(self, viewer: str) -> list[PhaseTold]:
        """The chronicle that a viewer has of a game in phases."""
        face = cast(PhaseFace, self.face)
        return self._while_it_stands(f"told {viewer}", lambda: face.chronicle(self.game, viewer))

    def _while_it_stands(self, what: str, find: Callable[[], Found]) -> Found:
        """Something that takes long to find, remembered until the game changes."""
        if self._found.get("game") is not self.game:
            self._found = {"game": self.game}
        if what not in self._found:
            self._found[what] = find()
        found: Found = self._found[what]
        return found

    # --- changes --------------------------------------------------------------------------------

    def play(self, *actions: str) -> None:
        """Take an action for the side to play, or several that it decides in a row: all of them, or none.

        Raises:
            TableError: illegal, with the reason; the game is unchanged.
        """
        if self.ending:
            raise TableError(409, self.over_words())
        game, log, side = self.game, self.log, self.game.to_play
        for action in actions:
            if game is not self.game and game.to_play != side:
                raise TableError(409, f"{action:.60}: that is another seat's decision")
            try:
                number = game.spec.actions.id_of(action)
                after = game.clone().play(number)
            except (IllegalActionError, GameOverError) as error:
                raise TableError(409, str(error)) from None
            log = [*log, self.face.narrate(game, number, after)]
            game = after
        self._change(game, log)

    def undo(self) -> None:
        """Back to before somebody resigned, or to the last decision of a person.

        Raises:
            TableError: it does not exist, or a person has since seen something that cannot be unseen.
        """
        if self.ending:
            self._back_to(len(self.log))
        else:
            self._take_back()

    def _take_back(self) -> None:
        """Back to the last decision of a person; by one decision where only agents play."""
        sides = [entry.side for entry in self.log]
        people = [i for i, side in enumerate(sides) if self.seats[side] == PERSON]
        if not self.log or (PERSON in self.seats.values() and not people):
            raise TableError(409, "there is no decision to take back")
        ply = people[-1] if people else len(self.log) - 1
        while ply and self.log[ply].joined:
            ply -= 1
        self._back_to(ply)

    def restart(self) -> None:
        """Restart the same deal."""
        self._back_to(0)

    def _back_to(self, ply: int) -> None:
        before = self.at(ply).clone()
        self._check_unseen(before)
        with self.whole_or_not():
            self.ending = None
            self._change(before, self.log[:ply])

    def _check_unseen(self, before: Game) -> None:
        """Between people, refuse to take back what showed any of them something hidden.

        The only person among agents may: the luck stays the same, and the person learns. So may who sat down at an
        open table. Who lays a table open later has seen what the decisions before were made without.
        """
        if self.began_open or not self.is_between_people:
            return
        if self.is_over:
            raise TableError(
                409,
                "the game is over and everything has been shown, so it cannot be taken back; look at an "
                "earlier decision and play on from there, with new luck",
            )
        seen = self.face.came_to_light(before, self.game)
        if self.opened is not None and len(before.actions) < self.opened:
            seen = "the table has been laid open"
        if seen:
            raise TableError(
                409,
                f"{seen} since then, which cannot be unseen: between two people that stays played. On a "
                "table that is open from the start everything may be taken back",
            )

    def change_rival(self, side: str, name: str) -> None:
        """Give an agent's seat to another agent."""
        if side not in self.seats:
            raise TableError(400, f"side {side!r:.60}: allowed: {', '.join(self.seats)}")
        if self.seats[side] == PERSON:
            raise TableError(409, f"{self.face.seat_title(side)} is held by a person, who cannot be replaced")
        with self.whole_or_not():
            self.seats = {**self.seats, side: name}
            self._change(self.game, self.log)

    def lay_open(self) -> None:
        """Show everything to everybody; this cannot be taken back. Where everything is shown already, nothing changes."""
        if self.shows_all:
            return
        with self.whole_or_not():
            self.open, self.opened = True, len(self.log)
            self._change(self.game, self.log)

    def more_to_keep(self) -> dict[str, Any]:
        """What is kept on disk besides seats, secrets and the record, as JSON."""
        return {}

    @contextlib.contextmanager
    def whole_or_not(self) -> Iterator[None]:
        """What is changed within is as before if it cannot be kept. Values are replaced there, not changed in place."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            vars(self).update(before)
            raise

    def _change(self, game: Game, log: list[Entry]) -> None:
        self.keep(self, game)
        self.game, self.log = game, log
        self.version += 1
        self.touched = time.monotonic()

    # --- where it begins ------------------------------------------------------------------------

    @classmethod
    def begin(cls, game: Game, seats: dict[str, str], open_table: bool, key: str = "") -> Room:
        """A room for a game that is new or already at some decision."""
        who = [HOST, *(side for side in game.seats if seats[side] == PERSON)]
        tokens = {name: secrets.token_urlsafe(TOKEN_BYTES) for name in who}
        return cls(key or secrets.token_hex(6), game.clone(), game, seats, tokens, open_table)

    @classmethod
    def from_plies(cls, plies: Iterator[Game], **about: Any) -> Room:
        """A room from the plies of a record.

        Args:
            plies: see `channel_tunnel_env.records.record.replay_plies`.
            about: the fields that the record does not hold.
        """
        start = next(plies).clone()
        before, log, face = start, [], table_of(start.spec)
        for game in plies:
            log.append(face.narrate(before, game.action_ids[-1], game))
            before = game.clone()
        room = cls(start=start, game=before, log=log, **about)
        room.was_over = room.is_over
        return room


class Replay(Room):
    """A record to view: everything is open and nothing can be changed. It keeps every position,
    because a record's luck need not be that of its seed."""

    _positions: list[Game]

    @classmethod
    def of(cls, plies: Iterator[Game], key: str) -> Replay:
        """A replay of a record's plies."""
        kept: list[Game] = []

        def keep_all() -> Iterator[Game]:
            for game in plies:
                kept.append(game.clone([]))  # without the list of earlier decisions
                yield game

        replay = cls.from_plies(keep_all(), key=key, seats={}, tokens={}, open=True)
        assert isinstance(replay, Replay)
        replay.seats = dict.fromkeys(replay.game.seats, "record")
        replay._positions = kept
        return replay

    def positions(self) -> Iterator[Game]:
        """The recorded positions, without the decisions that led to them."""
        return iter(self._positions)

    def at(self, ply: int) -> Game:
        """The game after this many decisions."""
        if ply >= len(self._positions):
            raise TableError(404, f"decision {ply}: the record has {len(self._positions) - 1}")
        return self._positions[ply].clone(self.game.action_ids[:ply])

    @property
    def waits_for_agent(self) -> bool:
        """False: no seat is to move."""
        return False

    def whose_turn(self) -> str:
        """Why no seat may move."""
        return "this is a replay; fork it to play on"


def _begins(room: Room) -> Iterator[Begin]:
    face, last = cast(PhaseFace, room.face), None
    positions: Iterator[Any] = room.positions()
    for ply, game in enumerate(positions):
        key = (game.phase_key, game.is_over)
        if key != last:
            yield Begin(ply, face.phase_name(game), face.is_shown(game))
        last = key
