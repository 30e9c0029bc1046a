"""What an observation of Eurotunnel Diplomacy holds (see `engine.observation`)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section
from channel_tunnel_env.games.eurotunnel.decoding import read_sections
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import observation as o

_STARTS = {
    "board": (o.BOARD, f"{c.NUM_PROVINCES} provinces x {o.BOARD_WIDTH}: army, fleet; first, second coast; power 7; owner of the centre 7, nobody; in retreats what is dislodged: army, fleet, its power 7; contested; own home where a unit may be built"),
    "last_phase": (o.LAST, f"{c.NUM_PROVINCES} provinces x {o.LAST_WIDTH}: the order reported 8 (none, hold, move, tunnel, support to hold, support of a move, convoy, void); it succeeded; moves into the province by power 7, / 4; supports 7, / 8; a stand-off"),
    "own_orders": (o.OWN, f"{c.NUM_PROVINCES} provinces x {o.OWN_WIDTH}: what the viewer wrote in the running phase 8 (none, hold, move, tunnel, support to hold, support of a move, convoy, build); its moves into the province; its supports, / 8"),
    "asked": (o.ASKED, f"the viewer's unit that is asked: {c.NUM_PROVINCES} provinces; army, fleet"),
    "tunnels": (o.TUNNELS, f"{c.NUM_PAIRS} pairs of ends x {o.PAIR_WIDTH}: own hidden, own open; open of each other power 6; the viewer was told of one; the viewer permits somebody"),
    "permissions": (o.PERMISSIONS, "the viewer's tunnels x 7 powers: who may use it, as written"),
    "holding": (o.HOLDING, f"{c.NUM_PROVINCES} provinces x 7 powers: phases in which its army was reported holding there, / 40"),
    "numbers": (o.NUMBERS, "season 2; phase 3; what is asked 3; year; by power 7: centres, units, alive, units to build above a half or to remove below; tunnels that the viewer built 4; by power 7: tunnels opened, of these demolished; switches of the ruleset 8; the rest is spare"),
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
