"""One game of Eurotunnel Diplomacy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from channel_tunnel_env.core import game
from channel_tunnel_env.core import kernels as core_kernels
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.errors import PositionError, RecordError, RulesetError, StateError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.explain import asked_unit, question
from channel_tunnel_env.games.eurotunnel.positions import (
    need_position,
    phase_name,
    read_position,
    write_known_position,
    write_position,
)
from channel_tunnel_env.games.eurotunnel.spec import SPEC
from channel_tunnel_env.rulesets.entry import entry_ruleset, ruleset_entry
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, load_ruleset

# Fields on which nothing depends that can still be decided: luck, counts, and what was reported.
_HISTORY = [
    "rng_key",
    "rng_counter",
    "seed",
    "ply",
    "ruleset",
    "told_order",
    "told_power",
    "told_type",
    "told_result",
    "held",
    "tunnel_pair",
    "tunnel_state",
]


class Game(game.Game):
    """A game at its next real decision, or over.

    Args:
        ruleset: "eurotunnel", a path to YAML, an overlay dict or a Ruleset.
        seed: 0 .. 2**63 - 1; nothing in play is random, so it is only kept. None: random.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a wrong seed, or a ruleset of another game.
    """

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = "eurotunnel", seed: int | None = None) -> None:
        super().__init__(load_ruleset(ruleset), seed)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], ruleset: AnyRuleset | None = None) -> Self:
        """A game at the beginning of a phase, or a finished one.

        Args:
            position: as `to_position` writes it, or a person (see `positions`).
            ruleset: replaces the one that the position names.

        Raises:
            PositionError: a key or value is wrong, or play cannot reach the position.
        """
        position = need_position(position)
        entry, digest = position.get("ruleset", SPEC.name), position.get("ruleset_digest")
        try:
            rules = entry_ruleset(entry, ruleset, digest)
        except RulesetError as error:
            raise PositionError(str(error)) from None
        if rules.spec is not SPEC:
            raise PositionError(f"ruleset {rules.name}: it is of the game {rules.spec.name}")
        machine = machine_of(rules)
        states = read_position(position, machine.tables)
        core_kernels.key_position(states, 0, 0)
        over = states["phase"][0] == c.OVER
        if not over and not kernels.ask_in_game(states, 0, machine.tables):
            raise PositionError("position: no power has anything to decide in this phase")
        try:
            return cls.from_states(states, rules)
        except StateError as error:
            raise PositionError(f"position: {error}") from None

    def to_position(self, viewer: str | int | None = None) -> dict[str, Any]:
        """The board, centres and tunnels as plain data (YAML, JSON; see `positions`).

        What was ordered in the running phase is not part of it.

        Args:
            viewer: a seat, to write only what that power knows; None writes everything.

        Raises:
            ValueError: there is no such seat.
        """
        named = {"ruleset": ruleset_entry(self.ruleset), "ruleset_digest": self.ruleset.digest}
        if viewer is None:
            return named | write_position(self._states, 0)
        seat, absent = self.seat_index(viewer), self.ruleset.data.absent
        return named | write_known_position(self._states, self.tables, seat, absent)

    def start_position(self) -> dict[str, Any]:
        """The first record as a position, for `record`.

        Raises:
            RecordError: the game begins in the middle of a phase, or with tunnels in other slots than
                those of a position.
        """
        start = self._start if self._start is not None else self._states
        position = write_position(start, 0)
        again = read_position(position, self.tables)
        if again["phase"][0] == c.OVER:
            again["to_play"] = start["to_play"]  # the power asked last, which no position says
        else:
            kernels.ask_in_game(again, 0, self.tables)
        same = _what_can_be_decided(start) == _what_can_be_decided(again)
        if not same:
            raise RecordError(
                "this game began in the middle of a phase, or with tunnels that no position describes; "
                "a record says how a game began"
            )
        return position

    def record(self) -> dict[str, Any]:
        """The game so far as one JSON-ready record, to replay: everything, for no player.

        What a player may keep is its `report`.
        """
        from channel_tunnel_env.records.writing import write_record

        return write_record(self)

    def report(self, viewer: str | int) -> list[dict[str, Any]]:
        """What a power has been told, turn by turn, and its own answers (see `report`).

        Args:
            viewer: a seat.
        """
        from channel_tunnel_env.games.eurotunnel.report import read_report

        return read_report(self, self.seat_index(viewer))

    def render(self, viewer: str | int | None = None) -> str:
        """The board as text (see `render`).

        Args:
            viewer: a seat, to show only what that power knows; None shows everything.
        """
        from channel_tunnel_env.games.eurotunnel.render import to_text

        return to_text(self, None if viewer is None else self.seat_index(viewer))

    def to_svg(
        self,
        viewer: str | int | None = None,
        theme: str = "light",
        *,
        layout: str = "wide",
        width: int | None = None,
    ) -> str:
        """The map as a picture in SVG (see `map.picture.to_svg`).

        Raises:
            ValueError: an unknown viewer, theme or layout, or a width below 1.
        """
        from channel_tunnel_env.games.eurotunnel.board.picture import to_svg

        return to_svg(self, viewer, theme, layout=layout, width=width)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: everything, for no player."""
        return self.to_svg(theme="auto")

    @property
    def turn(self) -> int:
        """Springs and falls so far, from 1."""
        return int(self._states["turn"][0])

    @property
    def phase_key(self) -> tuple[int, int]:
        """The same at all questions of a phase and no other. What a phase asks a seat does not depend on what others
        answer in it; nobody sees an answer before the last one is given."""
        return self.turn, int(self._states["phase"][0])

    @property
    def phase_name(self) -> str:
        """Like S1901M; COMPLETED when the game is over."""
        return phase_name(self._states[0])

    @property
    def question(self) -> str:
        """What the power to play has to answer, such as "an order for A LVP"."""
        return question(self._states[0])

    @property
    def asked_unit(self) -> str:
        """The unit that an order is asked for, such as "A LVP"; "" for none."""
        return asked_unit(self._states[0])


def _what_can_be_decided(states: Any) -> list[Any]:
    """All of a record but its history; of the tunnels those that stand."""
    state = states[0]
    standing = np.isin(state["tunnel_state"], (c.HIDDEN, c.OPENED))
    values = [state[name].tolist() for name in state.dtype.names if name not in _HISTORY]
    kept = [np.where(standing, state[name], 0) for name in ("tunnel_state", "tunnel_pair")]
    return values + [value.tolist() for value in kept]
