"""What an observation of Eurotunnel Diplomacy holds (see `engine.observation`)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section
from channel_tunnel_env.games.eurotunnel.decoding import read_sections
from channel_tunnel_env.games.eurotunnel.engine import observation as o

_STARTS = {
    "board": (o.BOARD, "by province: unit, coast, power, owner of the centre; what is dislodged or contested"),
    "last_phase": (o.LAST, "by province: the order reported, what became of it, moves and supports into it"),
    "own_orders": (o.OWN, "by province: what the viewer wrote in the running phase"),
    "asked": (o.ASKED, "the viewer's unit that is asked"),
    "tunnels": (o.TUNNELS, "by pair of ends: the tunnels that the viewer knows"),
    "permissions": (o.PERMISSIONS, "of the viewer's tunnels, by power"),
    "holding": (o.HOLDING, "by province and power: how often its armies were reported holding there"),
    "numbers": (o.NUMBERS, "season, phase, year; by power centres, units and builds; switches of the ruleset"),
}  # fmt: skip


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections; the same under every ruleset."""
    starts = [*(start for start, _ in _STARTS.values()), o.OBSERVATION_SIZE]
    sizes = [after - start for start, after in pairwise(starts)]
    return tuple(
        Section(name, start, size, meaning)
        for (name, (start, meaning)), size in zip(_STARTS.items(), sizes, strict=True)
    )


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """Each section in words; powers are counted from the viewer."""
    return read_sections(observation, ruleset)
