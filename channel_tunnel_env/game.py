"""One game of any kind with everything that can be done with it: play, save, record, show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core import game as core
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.core.whole_numbers import MAX_SEED, check_seed
from channel_tunnel_env.errors import PositionError, RecordError, RulesetError
from channel_tunnel_env.faces.registry import find_part, pictures_of, positions_of, text_of
from channel_tunnel_env.games import find_game
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

__all__ = ["MAX_SEED", "Game", "check_seed"]


class Game(core.Game):
    """A game of the kind that its ruleset names, at the next real decision or over.

    `Game(ruleset="carcassonne")` is a game of Carcassonne, with that class's own properties as well.

    Args:
        ruleset: a name ("standard", "agenda", "tiny", "carcassonne", "eurotunnel"), a path to YAML, an overlay dict
            or a Ruleset.
        seed: 0 .. 2**63 - 1; the same seed deals the same luck regardless of what is played. None: random.

    Raises:
        RulesetError: a wrong ruleset, or, for the class of one game, one of another game.
        ValueError: a wrong seed.
    """

    __slots__ = ()

    def __new__(cls, ruleset: AnyRuleset = "standard", seed: int | None = None) -> Self:
        return object.__new__(cls._of(load_ruleset(ruleset)) if cls is Game else cls)

    def __init__(self, ruleset: AnyRuleset = "standard", seed: int | None = None) -> None:
        super().__init__(load_ruleset(ruleset, game=self.game_name), seed)

    @classmethod
    def adopt(cls, states: NDArray[Any], ruleset: Ruleset) -> Self:
        """`from_states` for a state known to be possible: no check, and the array is not copied."""
        if (kind := cls._of(ruleset)) is not cls:
            return kind.adopt(states, ruleset)
        return super().adopt(states, ruleset)

    @classmethod
    def as_found(cls, states: NDArray[Any], ruleset: Ruleset) -> Self:
        """An unchecked copy of one record, possible or not; for inspection, not for play."""
        if (kind := cls._of(ruleset)) is not cls:
            return kind.as_found(states, ruleset)
        return super().as_found(states, ruleset)

    @classmethod
    def _of(cls, ruleset: Ruleset) -> type[Self]:
        """The class of this ruleset's games; a game without properties of its own has this one."""
        return game_class(ruleset.spec) if cls is Game else cls  # type: ignore[return-value]

    # --- positions and records: what builds on play is imported on first use ----------------------

    def to_position(self, viewer: str | int | None = None) -> dict[str, Any]:
        """The position as plain data (YAML, JSON).

        Args:
            viewer: a seat, to write only what it knows; None writes everything.

        Returns:
            What `from_position` reads. Keys are those of the game's positions, such as `to_play`.

        Raises:
            ValueError: there is no such seat.
        """
        seat = None if viewer is None else self.seat_index(viewer)
        return positions_of(self.spec).write_position(self, seat)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], ruleset: str | Path | AnyRuleset | None = None) -> Self:
        """A game from a position.

        Args:
            position: as `to_position` or a person writes it; the ruleset that it names says of which game.
            ruleset: replaces the one that the position names.

        Returns:
            A game at the next real decision.

        Raises:
            PositionError: a key or value is wrong, play cannot reach the position, or, for the class of one game,
                it is of another game.
        """
        from channel_tunnel_env.records.positions import check_game, position_rules

        if cls.game_name is None:
            try:
                rules = position_rules(position, ruleset)
            except RulesetError as error:
                raise PositionError(str(error)) from None
            spec, ruleset = rules.spec, None if ruleset is None else rules
        else:
            spec = find_game(cls.game_name)
        check_game(position, spec.name)
        states, rules = positions_of(spec).read_states(position, ruleset)
        if rules.spec.name != spec.name:
            raise PositionError(f"ruleset: {rules.name} is of the game {rules.spec.name}")
        return cls.adopt(states, rules)

    def start_position(self) -> dict[str, Any]:
        """The first record as a position.

        Returns:
            As `to_position`.

        Raises:
            RecordError: the game was dealt from its seed, or no position describes how it began.
        """
        return positions_of(self.spec).write_start(self)

    def record(self) -> dict[str, Any]:
        """The game so far as one record, which holds everything that is hidden, too.

        Returns:
            JSON-ready: seed, actions, their luck, the result.

        Raises:
            RecordError: no position describes how the game began.
        """
        from channel_tunnel_env.records.writing import write_record

        return write_record(self)

    @classmethod
    def from_record(cls, record: dict[str, Any], ruleset: str | Path | Ruleset | None = None) -> Self:
        """The game of a record, replayed with its luck.

        Args:
            record: as `record` returns it, or `read_records` reads it.
            ruleset: replaces the one that the record names; the digest must agree.

        Returns:
            A game after the last action of the record.

        Raises:
            RecordError: the record does not fit, or, for the class of one game, is of another game.
        """
        from channel_tunnel_env.records.record import replay_plies

        *_, played = replay_plies(cls, record, ruleset)
        return played

    # --- shown ------------------------------------------------------------------------------------

    def render(self, viewer: str | int | None = None) -> str:
        """The board as text.

        Args:
            viewer: a seat, to show only what it knows; None shows everything.

        Returns:
            Several lines, without colours.

        Raises:
            ValueError: there is no such seat.
        """
        seat = None if viewer is None else self.seat_index(viewer)
        return text_of(self.spec).to_text(self, seat)

    def to_svg(self, viewer: str | int | None = None, theme: str = "light", *, width: int | None = None) -> str:
        """The board as a picture in SVG.

        Args:
            viewer: a seat, to draw only what it knows; None draws everything.
            theme: "light", "dark", or "auto", which follows the reader's system.
            width: in pixels; None leaves the size to the page.

        Raises:
            ValueError: an unknown viewer or theme, a width below 1, or a game without pictures.
        """
        return pictures_of(self.spec).to_svg(self, viewer, theme, width=width)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: everything, for no player."""
        return self.to_svg(theme="auto")


def game_class(spec: GameSpec) -> type[Game]:
    """The class of single games of a game: its own, or the one that serves any game."""
    own: type[Game] | None = find_part(spec, "game")
    return own or Game


def first_record(game: core.Game) -> np.record:
    """The record that a game began with, if it was not dealt from its seed.

    Raises:
        RecordError: it was.
    """
    if game.start is None:
        raise RecordError("the game was dealt from its seed")
    record: Any = game.start.view(np.recarray)[0]
    return record  # type: ignore[no-any-return]
