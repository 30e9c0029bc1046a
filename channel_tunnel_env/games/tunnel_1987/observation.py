"""What an observation of 1987 Channel Tunnel holds (see `engine.observation`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section
from channel_tunnel_env.games.tunnel_1987.decoding import read_sections
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTIONS


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections; the same under every ruleset."""
    return tuple(Section(part.name, part.start, part.size, part.meaning) for part in SECTIONS)


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """Each section in words; the same under every ruleset."""
    return read_sections(observation)
