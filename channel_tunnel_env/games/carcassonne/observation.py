"""What an observation of Carcassonne holds (see `engine.observation`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
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
            _meaning(part.columns, part.size(players) // len(part.columns)),
        )
        for part in SECTIONS
    )


def _meaning(columns: Sequence[str], rows: int) -> str:
    """The columns, with those that are numbered drawn together: "type 0 ... type 31"."""
    words = []
    for _, group in groupby(columns, lambda column: re.sub(r" \d+$", " ", column)):
        names = list(group)
        words += names if len(names) < 3 else [f"{names[0]} ... {names[-1]}"]
    return f"{rows} rows of: {', '.join(words)}" if rows > 1 else ", ".join(words)


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """Each section in words; seats are counted from the viewer."""
    return read_sections(observation, ruleset)
