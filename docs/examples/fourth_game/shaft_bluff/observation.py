"""What an observation holds (see `engine.observation`)."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.faces.observation import Section
from shaft_bluff.engine.observation import SECTIONS


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections, in order."""
    found, place = [], 0
    for name, size, meaning in SECTIONS:
        found.append(Section(name, place, size, meaning))
        place += size
    return tuple(found)
