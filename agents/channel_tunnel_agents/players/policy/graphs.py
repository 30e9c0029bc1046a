"""The networks as ONNX graphs without weights, so that a policy's file plays without torch.

`export` writes one for every size of network that the shipped policies have. Any policy of such a size plays by
them, regardless of who trained it. `graphs/index.json` names the weights of each and their shapes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_agents.players.policy.card import architecture_of
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import read_json

FOLDER = Path(__file__).parent / "graphs"
INDEX = "index.json"
INPUT, OUTPUTS = "observations", ("logits", "values")
EXPORT = "python -m channel_tunnel_agents.players.policy.export"


@dataclass(frozen=True)
class Graph:
    """How networks of one size are computed.

    Attributes:
        name: of the game, the network and its size.
        shapes: of every weight, by its name.
    """

    name: str
    shapes: dict[str, list[int]]

    def file(self, observation_size: int, many: bool = False) -> Path:
        """The graph for observations of this size; that for many rows may not exist."""
        return FOLDER / f"{self.name}-{observation_size}{'-many' if many else ''}.onnx"


def graph_name(card: dict[str, Any]) -> str:
    """What the graphs for a checked card's network are called."""
    game = card.get("game", DEFAULT_GAME)
    return f"{game}-{architecture_of(card)}-{card['width']}x{card['depth']}"


def find_graph(card: dict[str, Any]) -> Graph | None:
    """The graphs for a checked card's network; None where networks of its size were not exported."""
    name = graph_name(card)
    shapes = _index().get(name)
    return None if shapes is None else Graph(name, shapes)


def graph_names() -> list[str]:
    """Names of the networks that have graphs."""
    return sorted(_index())


@cache
def _index() -> dict[str, dict[str, list[int]]]:
    """Name -> the shapes of the network's weights."""
    found: dict[str, dict[str, list[int]]] = read_json(FOLDER / INDEX)
    return found


# --- ONNX Runtime ---------------------------------------------------------------------------------


SILENCE = "ORT_DISABLE_TELEMETRY"


def load_runtime() -> Any:
    """The module `onnxruntime`, which sends nothing and writes no file of its own; loaded in this one place.

    Since version 1.29 it reports its use to its maker unless that is switched off. It looks at the environment variable
    once, when it is loaded. A program that wants the reports sets it to 0.

    Raises:
        ImportError: it is not installed.
    """
    silent = os.environ.setdefault(SILENCE, "1") == "1"
    import onnxruntime

    if silent:  # on Windows the variable does nothing
        onnxruntime.disable_telemetry_events()
    return onnxruntime
