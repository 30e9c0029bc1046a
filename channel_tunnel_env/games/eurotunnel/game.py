"""One game of Eurotunnel Diplomacy."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env import game
from channel_tunnel_env.games.eurotunnel.board_positions import phase_name
from channel_tunnel_env.games.eurotunnel.explain import asked_unit, question
from channel_tunnel_env.games.eurotunnel.spec import SPEC
from channel_tunnel_env.rulesets.ruleset import AnyRuleset


class Game(game.Game):
    """A game of Eurotunnel Diplomacy, at its next real decision, or over; see `game.Game`.

    Nothing in play is random, so a seed is only kept.
    """

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = "eurotunnel", seed: int | None = None) -> None:
        super().__init__(ruleset, seed)

    def report(self, viewer: str | int) -> list[dict[str, Any]]:
        """What a power has been told, turn by turn, and its own answers (see `report`).

        Args:
            viewer: a seat.
        """
        from channel_tunnel_env.games.eurotunnel.report import read_report

        return read_report(self, self.seat_index(viewer))

    @property
    def turn(self) -> int:
        """Springs and falls so far, from 1."""
        return int(self._states["turn"][0])

    @property
    def phase_key(self) -> tuple[int, int]:
        """The same at all questions of a phase and no other. What a phase asks a seat does not depend on what others
        answer in it; no seat sees an answer before the last one is given."""
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
