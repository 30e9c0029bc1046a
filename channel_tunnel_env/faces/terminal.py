"""What a game shows and says in a terminal; the command that plays there knows no game.

A game has these functions in its module `faces.terminal` (see `faces.registry`). Nothing here returns what the viewer may not
know. Texts are at most `WIDTH` columns wide.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

WIDTH = 98

Steps = Sequence[tuple[Any, int]]
"""Decisions one after another, each as the game before it and its action."""


@dataclass(frozen=True)
class Choice:
    """A legal action as a person chooses it.

    Attributes:
        action: its id.
        name: what is typed for it, or the start of what is typed.
        row: choices with the same words here are listed side by side after them; "" for no row.
        cell: what is shown in the row instead of the name.
    """

    action: int
    name: str
    row: str = ""
    cell: str = ""


class TerminalFace(Protocol):
    """The module of a game in the terminal.

    Attributes:
        BEGINS_WITH_LEGEND: whether the first board explains its signs; `legend` always does.
    """

    BEGINS_WITH_LEGEND: bool

    def seat_title(self, seat: str) -> str:
        """A seat as a person calls it."""

    def board(self, game: Any, viewer: str, legend: bool) -> str:
        """The whole position as a seat knows it, its signs explained with `legend`."""

    def question(self, game: Any, viewer: str) -> str:
        """What is asked, if the board was shown before."""

    def needs_board(self, game: Any, shown: Any | None) -> bool:
        """Whether the board is shown again, and not only the question; `shown` is what was shown last."""

    def choices(self, game: Any) -> list[Choice]:
        """The legal actions of the seat to play."""

    def meant(self, game: Any, line: str) -> str:
        """The name of the action, legal or not, that a whole line says; "" if it says none.

        Raises:
            ValueError: it says none; the message is shown where the line is no number and no beginning of a name.
        """

    def tell(self, steps: Steps, after: Any, viewer: str, persons: frozenset[str]) -> str | None:
        """Decisions in words.

        Args:
            steps: all decisions since the last words.
            after: the game now.
            persons: the seats at this keyboard, which know what they did.

        Returns:
            Lines, or "" for nothing to say; None to say it later, with the decisions that follow.
        """

    def ending(self, game: Any, viewer: str) -> str:
        """The position at the end, and how it ended."""


def folded(text: str, indent: str = "") -> str:
    """Text in lines of at most WIDTH columns; all but the first are indented."""
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def folded_lines(lines: Iterable[str]) -> str:
    """Lines of which those beyond WIDTH are folded, indented by two columns more than they begin with."""
    return "\n".join(
        line if len(line) <= WIDTH else folded(line, " " * (len(line) - len(line.lstrip()) + 2)) for line in lines
    )
