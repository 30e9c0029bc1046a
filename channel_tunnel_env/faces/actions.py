"""What the actions of a game are, in words: ranges of ids of any game's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ActionRange:
    """Ids that follow one another and mean the same with other operands.

    Attributes:
        start: the first id.
        size: the number of ids.
        phase: when they are asked for; several with commas between.
        meaning: what such an action does.
    """

    start: int
    size: int
    phase: str
    meaning: str


class ActionFace(Protocol):
    """The module of a game that says what its actions are."""

    def action_ranges(self) -> Sequence[ActionRange]:
        """The ranges in order, without gaps; the same under every ruleset."""
