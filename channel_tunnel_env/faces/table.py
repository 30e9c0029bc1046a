"""What a game shows and says at a table in the browser; the table itself knows no game.

A game has these functions in its module `faces.table` (see `faces.registry`). Everything that a viewer may not know is
left out here, so that it never leaves the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

PUBLIC, ALL = "public", "all"
"""Viewers beside the seats: who holds no seat, and who sees everything."""
ANALYSIS, LESSON, POSITIONS, RULEBOOK = "analysis", "lesson", "positions", "rulebook"
"""What a table may offer beyond a game."""


@dataclass(frozen=True)
class Entry:
    """A decision in the log.

    Attributes:
        side: the seat that decided.
        round: the round, or the turn, of the decision.
        words: the decision.
        notes: its effects that everybody saw.
        secret: what only the deciding seat saw.
        turn: whether the decision opens a turn.
        action: its name.
        drawn: the deviation cards that were drawn, colour ("none") and level; a reshuffle hides them.
        joined: whether it is asked together with the one before, and taken back with it.
    """

    side: str
    round: int
    words: str
    notes: tuple[str, ...] = ()
    secret: str = ""
    turn: bool = False
    action: str = field(default="", compare=False)
    drawn: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    joined: bool = False


@dataclass(frozen=True)
class LessonStep:
    """One step of a guided game. It may point at things that are drawn; one with `wants` asks for a move.

    Attributes:
        key: the section of the rulebook that has more.
        targets: prefixes of the `data-target` names to highlight on the board.
        wants: what the words of the move to make contain; "" for a step to read.
        made: what the log's words of that move contain, if they are others.
        first: what to do where no such move can be made now; "" for the usual words.
        too_late: if a turn has the move once, the phases in which it should be offered or has been made: if it is neither
            there, nor after the rivals have moved, the player has to take moves back.
        until: the phases to come to, by finishing what the move began; none if nothing is to be finished.
        when: in a game of phases, what the question begins with that the move answers, which is also the heading of
            that phase once it is read; "" for any.
    """

    key: str
    title: str
    text: str
    targets: tuple[str, ...]
    wants: str = ""
    made: str = ""
    first: str = ""
    too_late: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    when: str = ""


@dataclass(frozen=True)
class Lesson:
    """A guided first game: a deal in which every move that its steps ask for can be made.

    Attributes:
        ruleset: a built-in one.
        seat: the person's.
        rival: the agent of the other seats.
    """

    ruleset: str
    seed: int
    seat: str
    rival: str
    steps: tuple[LessonStep, ...]

    def plain_steps(self) -> list[dict[str, Any]]:
        """The steps for the page."""
        return [asdict(step) for step in self.steps]


@dataclass(frozen=True)
class Asked:
    """A question of a phase that all seats answer before any answer is read.

    Attributes:
        key: names the question among those of a seat in a phase; "" for one choice of a row of them, which are
            made one after another in the order of their ids until no more is wanted.
        title: what is asked for, such as "A PAR".
        target: what is clicked first to answer it; "" for nothing.
        usual: the answer of a power that gives none; None: there has to be one.
    """

    key: str
    title: str
    target: str = ""
    usual: int | None = None


@dataclass(frozen=True)
class PhaseTold:
    """What a viewer learnt of a phase.

    Attributes:
        name: of the phase, as `PhaseFace.phase_name` gives it.
        heading: the phase in words.
        lines: (seat, what it wrote, what became of it).
        notes: what else was seen.
        secret: what only the viewer knows of it.
    """

    name: str
    heading: str
    lines: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()


MOST_SOURCES = 2  # of points, named at the end


def put_ahead(whose: str, mine: Mapping[str, int], theirs: Mapping[str, int]) -> str:
    """Where the winner's points are most above another's, in a sentence; "" if nowhere.

    Args:
        whose: who won, such as "you".
        mine, theirs: points by source, in words.
    """
    ahead = sorted(((points - theirs[source], source) for source, points in mine.items()), reverse=True)[:MOST_SOURCES]
    named = [f"{source} ({mine[source]} to {theirs[source]})" for gain, source in ahead if gain > 0]
    return f"Most of what put {whose} ahead: {' and '.join(named)}." if named else ""


class TableFace(Protocol):
    """The module of a game at the table.

    Attributes:
        EXTRAS: of ANALYSIS, LESSON, POSITIONS and RULEBOOK, those that the game has.
        IN_PHASES: whether all seats answer a phase before any answer is read: the module is a `PhaseFace`.
    """

    EXTRAS: frozenset[str]
    IN_PHASES: bool

    @property
    def LAYOUTS(self) -> tuple[str, ...]:  # noqa: N802
        """Names of the drawings that a page may ask for."""

    def rulebook(self, ruleset: Any) -> Sequence[dict[str, Any]]:
        """The whole rulebook with the figures of a ruleset (see `faces.rulebook`); only with RULEBOOK."""

    def goal(self, ruleset: Any) -> Sequence[str]:
        """What the game is about, in two short lines."""

    def seat_title(self, seat: str) -> str:
        """A seat as a person calls it."""

    def seat_words(self, ruleset: Any, seat: str) -> str:
        """What sets a seat apart from the others, in a line; "" for nothing."""

    def rule_sentences(self, ruleset: Any) -> dict[str, Any]:
        """Rules of the drawn things, by the name that the drawing gives (`data-rule`)."""

    def draw(self, game: Any, viewer: str, layout: str, before: Callable[[], Any] | None = None) -> str:
        """The position as SVG or as HTML with SVG in it.

        Args:
            viewer: a seat, PUBLIC or ALL.
            layout: of LAYOUTS.
            before: gives the position before the last decision; None if there is none.
        """

    def moves(self, game: Any) -> list[dict[str, Any]]:
        """The legal moves: `action` (its name), `words`, `group` (a heading or ""), `paths` of clicks.

        It may have `leads`: how the words of moves begin that it makes possible later in the same turn.
        """

    def question(self, game: Any) -> str:
        """What the game asks for now; how it ended."""

    def opening(self, game: Any) -> Sequence[str]:
        """How the game began, in lines."""

    def narrate(self, before: Any, action: int, after: Any) -> Entry:
        """A decision and what followed from it."""

    def ending(self, game: Any, seat: str | None) -> dict[str, str]:
        """The end of a game for a seat or, with None, a spectator: `title`, `why`, `points`."""

    def why_not(self, game: Any, clicks: tuple[str, ...]) -> str:
        """Why some clicks are not a legal move of the seat to play, in a sentence or two."""

    def came_to_light(self, before: Any, after: Any) -> str:
        """What hidden things were seen since an earlier moment, in words; "" for nothing."""


class PhaseFace(TableFace, Protocol):
    """The module of a game whose phases are answered by all seats, unseen by each other.

    Its games have `phase_key`, the same at all questions of a phase. What a phase asks a seat does not depend on
    what others answer in it. Nothing here tells who else is asked.
    """

    def asked(self, game: Any) -> Asked:
        """The question of a game to the seat to play."""

    def answer_words(self, game: Any, action: int) -> str:
        """An answer to the question of a game, written out."""

    def refusal(self, game: Any, action: int) -> str:
        """Why an answer to the question of a game is not legal, in words that go on after the answer."""

    def lines_of(self, text: str, seat: str) -> Sequence[str]:
        """What the person at a seat has typed, parted into answers."""

    def read_line(self, games: Sequence[Any], line: str) -> tuple[int, int]:
        """Which of a seat's questions a typed line answers, by its place, and the action, legal or not.

        Args:
            games: the game at each question of the seat.

        Raises:
            ValueError: it is no answer to any of them; the message says why.
        """

    def draw_draft(self, game: Any, viewer: str, layout: str, answers: Sequence[tuple[Any, int]]) -> str:
        """As `draw`, with what the viewer has written in the running phase.

        Args:
            answers: (the game at the question, the answer).
        """

    def phase_name(self, game: Any) -> str:
        """A short name of the running phase; no other phase of the game has it."""

    def is_shown(self, game: Any) -> bool:
        """Whether everybody may know that there is such a phase as the running one."""

    def chronicle(self, game: Any, viewer: str) -> list[PhaseTold]:
        """What a viewer learnt, phase by phase."""
