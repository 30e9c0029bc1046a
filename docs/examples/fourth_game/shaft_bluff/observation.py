"""What an observation holds (see `engine.observation`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section, plain_sections
from shaft_bluff.engine.observation import SECTIONS


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections, in order."""
    found, place = [], 0
    for name, size, meaning in SECTIONS:
        found.append(Section(name, place, size, meaning))
        place += size
    return tuple(found)


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """Each section as its numbers."""
    return plain_sections(sections(ruleset), observation)
