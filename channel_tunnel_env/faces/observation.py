"""What an observation holds, in words: sections of any game's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


@dataclass(frozen=True)
class Section:
    """A named slice of an observation.

    Attributes:
        start: its first place.
        size: the number of its places.
        meaning: what it holds.
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

    def decode(self, observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
        """Each section, in order, in names and numbers.

        Args:
            observation: (D,), the size of the ruleset's observations.
        """


def one_of(names: Sequence[T], values: NDArray[np.float64]) -> T | None:
    """The name that is marked by a 1 (one-hot); None where none is."""
    return names[int(values.argmax())] if values.any() else None


def plain_sections(sections: tuple[Section, ...], observation: NDArray[np.float64]) -> dict[str, Any]:
    """The numbers of each section as a list: the least that `decode` of a game may return."""
    return {section.name: observation[section.slice].tolist() for section in sections}
