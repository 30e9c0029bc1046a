"""What a game offers beyond its rules, found by its name: positions, text, pictures, a terminal, a table.

`PARTS` says in which module of a game's package each part is and what that module must hold. A part is loaded
when it is first needed, so that a program that only plays loads none of them. A game leaves an optional part out by
not having the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from numpy.typing import NDArray

from channel_tunnel_env.core import checking
from channel_tunnel_env.core.checking import CheckedGames
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.faces import plain_table, plain_words
from channel_tunnel_env.faces.observation import ObservationFace
from channel_tunnel_env.faces.table import Lesson, TableFace
from channel_tunnel_env.faces.terminal import TerminalFace
from channel_tunnel_env.games import has_part, load_part
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
        self, game: Any, viewer: str | int | None = None, theme: str = "light", *, width: int | None = None
    ) -> str:
        """The board as SVG.

        Raises:
            ValueError: an unknown viewer or theme, or a width below 1.
        """

    def to_rgb(
        self, game: Any, width: int = ..., viewer: str | int | None = None, theme: str = "light"
    ) -> NDArray[Any]:
        """The board as pixels, uint8 (height, width, 3)."""

    def read_film(self, games: Iterable[Any], viewer: str | int | None = None, every: str = "turn") -> list[Any]:
        """The frames of a film of one game; `every` is "turn" or "decision"."""

    def write_film(
        self, film: list[Any], path: str | Path, /, *, width: int = ..., theme: str = "light", seconds: float = ...
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
            OrderError: orders that are not allowed there.
        """

    def outcome_lines(self, phase: str, result: dict[str, Any]) -> Iterable[str]:
        """What `adjudicate` returned, for a person."""


class GamePart(NamedTuple):
    """Where a game keeps a part.

    Attributes:
        module: below the game's package.
        holds: the protocol of the module, or of the object in it.
        name: of an object in the module; "": the part is the module itself.
        optional: a game may do without it.
    """

    module: str
    holds: type
    name: str = ""
    optional: bool = False


PARTS: Mapping[str, GamePart] = {
    "game": GamePart("game", Game, "Game", optional=True),
    "positions": GamePart("positions", PositionFace),
    "text": GamePart("render", TextFace),
    "observation": GamePart("observation", ObservationFace),
    "terminal": GamePart("faces.terminal", TerminalFace),
    "rule_words": GamePart("rule_words", RuleWordsFace, optional=True),
    "pictures": GamePart("faces.pictures", PictureFace, optional=True),
    "table": GamePart("faces.table", TableFace, optional=True),
    "lesson": GamePart("faces.lesson", Lesson, "lesson", optional=True),
    "orders": GamePart("adjudicate", OrderFace, optional=True),
    "check": GamePart("checking", Checker, "check_games", optional=True),
}
"""Every part that a game may have.

game: the class of single games, if they have properties of their own. positions: reads and writes positions. text: shows a position as text. observation:
names what an observation holds. terminal: how people play it in a terminal. rule_words: puts rulesets into words;
without it the keys of their figures are enough. pictures: draws it. table: how people play it in a browser; without it the board is its text. lesson: returns
the guided first game at the table, if the table's EXTRAS name one. orders: adjudicates written orders. check: plays
and checks random games, if the general way is not enough.
"""


def offers(spec: GameSpec, name: str) -> bool:
    """Whether a game has the module of a part."""
    return has_part(spec.name, PARTS[name].module)


def find_part(spec: GameSpec, name: str) -> Any:
    """A part of a game with a name of `PARTS`; None if the game has no such module.

    Raises:
        PluginError: it cannot be imported, or lacks the object.
    """
    part = PARTS[name]
    if not offers(spec, name):
        if part.optional:
            return None
        raise PluginError(f"the game {spec.name}: it has no module {part.module}")
    module = load_part(spec.name, part.module)
    if part.name and not hasattr(module, part.name):
        raise PluginError(f"the game {spec.name}: its module {part.module} has no {part.name}")
    return getattr(module, part.name) if part.name else module


def positions_of(spec: GameSpec) -> PositionFace:
    """How positions of a game are read and written."""
    return cast("PositionFace", find_part(spec, "positions"))


def text_of(spec: GameSpec) -> TextFace:
    """How a game is shown as text."""
    return cast("TextFace", find_part(spec, "text"))


def observation_of(spec: GameSpec) -> ObservationFace:
    """What an observation of a game holds."""
    return cast("ObservationFace", find_part(spec, "observation"))


def terminal_of(spec: GameSpec) -> TerminalFace:
    """How people play a game in a terminal."""
    return cast("TerminalFace", find_part(spec, "terminal"))


def pictures_of(spec: GameSpec) -> PictureFace:
    """How a game is drawn.

    Raises:
        ValueError: it has no pictures.
    """
    return cast("PictureFace", _expected(spec, "pictures", "pictures, only text"))


def table_of(spec: GameSpec) -> TableFace:
    """How people play a game in a browser: by its own module, or with its text as the board."""
    return find_part(spec, "table") or plain_table


def lesson_of(spec: GameSpec) -> Lesson:
    """The guided first game of a game.

    Raises:
        ValueError: it has no such part.
    """
    return cast("Lesson", _expected(spec, "lesson", "guided first game")())


def orders_of(spec: GameSpec) -> OrderFace:
    """How written orders of a game are adjudicated.

    Raises:
        ValueError: the game has no written orders.
    """
    return cast("OrderFace", _expected(spec, "orders", "written orders"))


def words_of(spec: GameSpec) -> RuleWordsFace:
    """How rulesets of a game are put into words."""
    return find_part(spec, "rule_words") or plain_words


def checker_of(spec: GameSpec) -> Checker:
    """What plays and checks random games of a game."""
    return find_part(spec, "check") or checking.check_games


def _expected(spec: GameSpec, name: str, words: str) -> Any:
    """An optional part that the caller cannot do without."""
    found = find_part(spec, name)
    if found is None:
        raise ValueError(f"the game {spec.name}: it has no {words}")
    return found


def changes_in_words(base: Ruleset, other: Ruleset) -> list[str]:
    """What `other` changes against `base`, in the words of their game, a sentence each."""
    return words_of(base.spec).changes_in_words(base, other)
