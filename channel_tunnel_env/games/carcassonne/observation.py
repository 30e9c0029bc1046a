"""What an observation of Carcassonne holds (see `engine.observation`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section
from channel_tunnel_env.games.carcassonne.decoding import read_sections
from channel_tunnel_env.games.carcassonne.engine.observation import SECTIONS, offset


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections; their sizes depend on the number of seats."""
    players = ruleset.data.players
    return tuple(
        Section(
            part.name,
            offset(part.name, players),
            part.size(players),
            f"{part.size(players) // len(part.columns)} rows of: {', '.join(part.columns)}",
        )
        for part in SECTIONS
    )


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """Each section in words; seats are counted from the viewer."""
    return read_sections(observation, ruleset)
