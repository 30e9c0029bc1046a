"""What a game offers beyond its rules, found by its name: positions, text, pictures, a terminal, a table.

The module `faces` of a game's package holds `FACES`. Each entry is a function that loads what it names when it is
first asked for, so that a program that only plays loads none of it; its type says what the module must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from channel_tunnel_env.core import checking
from channel_tunnel_env.core.checking import CheckedGames
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.faces import plain_table, plain_words
from channel_tunnel_env.faces.actions import ActionFace, ActionRange
from channel_tunnel_env.faces.observation import ObservationFace
from channel_tunnel_env.faces.table import Lesson, TableFace
from channel_tunnel_env.faces.terminal import TerminalFace
from channel_tunnel_env.games import load_part
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset


class PositionFace(Protocol):
    """The module that reads and writes positions as plain data."""

    def read_states(
        self, position: Mapping[str, Any], ruleset: AnyRuleset | None = None
    ) -> tuple[NDArray[Any], Ruleset]:
        """The record that a position describes, an array of one, and its rules.

        Raises:
            PositionError: a key or value is wrong, or play cannot reach the position.
        """

    def write_position(self, game: Any, seat: int | None = None) -> dict[str, Any]:
        """The position of a game; with a seat, only what that seat knows."""

    def write_start(self, game: Any) -> dict[str, Any]:
        """The first record of a game as a position.

        Raises:
            RecordError: the game was dealt from its seed, or no position describes its start.
        """


class TextFace(Protocol):
    """The module that shows a position as text."""

    def to_text(self, game: Any, viewer: int | None = None) -> str:
        """The whole position; with a viewer, only what that seat knows."""

    def result_words(self, game: Any) -> str:
        """How a game that is over ended, in a line."""


class RuleWordsFace(Protocol):
    """The module that says rulesets of a game in words."""

    def in_words(self, ruleset: Ruleset) -> list[str]:
        """The ruleset in a few sentences."""

    def changes_in_words(self, base: Ruleset, other: Ruleset) -> list[str]:
        """What `other` changes against `base`, a sentence each; empty if they are the same game."""

    def figure_in_words(self, key: str, value: Any) -> str:
        """What a figure says: "Players draw up to 10 discs."; "" for a figure without a phrase.

        Args:
            key: dotted.
        """


class PictureFace(Protocol):
    """The module that draws a game."""

    def to_svg(
        self,
        game: Any,
        viewer: str | int | None = None,
        theme: str = "light",
        *,
        layout: str = "wide",
        width: int | None = None,
    ) -> str:
        """The board as SVG.

        Raises:
            ValueError: an unknown viewer, theme or layout, or a width below 1.
        """

    def to_rgb(
        self, game: Any, width: int = ..., viewer: str | int | None = None, theme: str = "light"
    ) -> NDArray[Any]:
        """The board as pixels, uint8 (height, width, 3)."""

    def read_film(
        self, games: Iterable[Any], viewer: str | int | None = None, every: str = "turn"
    ) -> list[Any]:
        """The frames of a film of one game; `every` is "turn" or "decision"."""

    def write_film(
        self,
        film: list[Any],
        path: str | Path,
        /,
        *,
        width: int = ...,
        theme: str = "light",
        seconds: float = ...,
    ) -> int:
        """Write a film; returns the number of its frames."""


class Checker(Protocol):
    """Plays random games and checks every invariant; see `core.checking.check_games`."""

    def __call__(self, ruleset: Any, games: int, seed: Sequence[int]) -> CheckedGames:
        """The tallies of games played to their end."""


class OrderFace(Protocol):
    """The module that adjudicates written orders, of a game that has them."""

    def adjudicate(
        self, position: Mapping[str, Any], orders: Any, *, ruleset: AnyRuleset | None = None
    ) -> dict[str, Any]:
        """What a phase comes to: with `unread` orders, and the next `position`.

        Args:
            orders: a text for all seats, or seat -> its orders.

        Raises:
            PositionError: a wrong position.
            OrderError: orders that nobody may write there.
        """

    def outcome_lines(self, phase: str, result: dict[str, Any]) -> Iterable[str]:
        """What `adjudicate` returned, for a person."""


@dataclass(frozen=True)
class Faces:
    """What a game offers beyond its rules.

    Attributes:
        game: the class of single games.
        positions: reads and writes positions.
        text: shows a position as text.
        observation: says what an observation holds.
        terminal: how people play it in a terminal.
        pictures: draws it; None: it has no pictures.
        table: how people play it in a browser; None: with its text as the board.
        lesson: the guided first game at the table, where the table's EXTRAS name one.
        rule_words: says its rulesets in words, if the keys of their figures are not enough.
        orders: adjudicates written orders, if the game has them.
        check: plays and checks random games, if the general way is not enough.
        actions: says what ranges of ids mean; None: their names say enough.
    """

    game: Callable[[], type[Game]]
    positions: Callable[[], PositionFace]
    text: Callable[[], TextFace]
    observation: Callable[[], ObservationFace]
    terminal: Callable[[], TerminalFace]
    pictures: Callable[[], PictureFace] | None = None
    table: Callable[[], TableFace] | None = None
    lesson: Callable[[], Lesson] | None = None
    check: Callable[[], Checker] | None = None
    orders: Callable[[], OrderFace] | None = None
    actions: Callable[[], ActionFace] | None = None
    rule_words: Callable[[], RuleWordsFace] | None = None


MODULE_FACES: Mapping[str, type] = {
    "positions": PositionFace,
    "text": TextFace,
    "observation": ObservationFace,
    "terminal": TerminalFace,
    "pictures": PictureFace,
    "table": TableFace,
    "orders": OrderFace,
    "actions": ActionFace,
    "rule_words": RuleWordsFace,
}
"""The entries of `Faces` that load a module, and what it must hold."""


def find_faces(spec: GameSpec) -> Faces:
    """What a game offers.

    Raises:
        PluginError: its module `faces` holds none, or cannot be imported.
    """
    faces = getattr(load_part(spec.name, "faces"), "FACES", None)
    if not isinstance(faces, Faces):
        raise PluginError(f"the game {spec.name}: its module faces holds no FACES")
    return faces


def game_class(spec: GameSpec) -> Any:
    """The class of single games of a game."""
    return find_faces(spec).game()


def positions_of(spec: GameSpec) -> PositionFace:
    """How positions of a game are read and written."""
    return find_faces(spec).positions()


def text_of(spec: GameSpec) -> TextFace:
    """How a game is shown as text."""
    return find_faces(spec).text()


def observation_of(spec: GameSpec) -> ObservationFace:
    """What an observation of a game holds."""
    return find_faces(spec).observation()


def action_ranges_of(spec: GameSpec) -> Sequence[ActionRange]:
    """What the ids of a game mean; one range without a meaning if the game does not say."""
    actions = find_faces(spec).actions
    return (
        [ActionRange(0, spec.actions.count, "", "")]
        if actions is None
        else actions().action_ranges()
    )


def terminal_of(spec: GameSpec) -> TerminalFace:
    """How people play a game in a terminal."""
    return find_faces(spec).terminal()


def pictures_of(spec: GameSpec) -> PictureFace:
    """How a game is drawn.

    Raises:
        ValueError: nothing draws it yet.
    """
    pictures = find_faces(spec).pictures
    if pictures is None:
        raise ValueError(f"the game {spec.name}: it has no pictures, only text")
    return pictures()


def table_of(spec: GameSpec) -> TableFace:
    """How people play a game in a browser: by its own module, or with its text as the board."""
    table = find_faces(spec).table
    return plain_table if table is None else table()


def lesson_of(spec: GameSpec) -> Lesson:
    """The guided first game of a game.

    Raises:
        ValueError: it has none.
    """
    lesson = find_faces(spec).lesson
    if lesson is None:
        raise ValueError(f"the game {spec.name}: it has no guided first game")
    return lesson()


def orders_of(spec: GameSpec) -> OrderFace:
    """How written orders of a game are adjudicated.

    Raises:
        ValueError: the game has no written orders.
    """
    orders = find_faces(spec).orders
    if orders is None:
        raise ValueError(f"the game {spec.name}: it has no written orders")
    return orders()


def words_of(spec: GameSpec) -> RuleWordsFace:
    """How rulesets of a game are said in words."""
    words = find_faces(spec).rule_words
    return plain_words if words is None else words()


def changes_in_words(base: Ruleset, other: Ruleset) -> list[str]:
    """What `other` changes against `base`, in the words of their game, a sentence each."""
    return words_of(base.spec).changes_in_words(base, other)


def checker_of(spec: GameSpec) -> Checker:
    """What plays and checks random games of a game."""
    check = find_faces(spec).check
    return checking.check_games if check is None else check()
