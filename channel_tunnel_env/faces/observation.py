"""What an observation holds, in words: sections of any game's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Section:
    """A named slice of an observation.

    Attributes:
        start: its first place.
        size: the number of its places.
        meaning: what stands there.
    """

    name: str
    start: int
    size: int
    meaning: str

    @property
    def slice(self) -> slice:
        """The section's place in the vector."""
        return slice(self.start, self.start + self.size)


class ObservationFace(Protocol):
    """The module of a game that says what its observations hold."""

    def sections(self, ruleset: Any) -> tuple[Section, ...]:
        """The sections of an observation under a ruleset, in order, without gaps."""
