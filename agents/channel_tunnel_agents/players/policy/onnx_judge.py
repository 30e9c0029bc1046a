"""Policies played by ONNX Runtime: a graph of the package, and the weights of a saved policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_agents.players.policy.graphs import EXPORT, INPUT, OUTPUTS, Graph, load_runtime
from channel_tunnel_agents.players.policy.judge import Judged, places_of_sides
from channel_tunnel_agents.players.policy.saved_policy import Weights
from channel_tunnel_env import VersionError

MOST_ROWS = 64
"""Judged at once: what a network makes of more does not stay in the caches of a core (docs/explanation/speed.md)."""
MANY, MOST_OF_MANY = 16, 256
"""From where a graph for many rows is quicker, and how many rows it judges at once: its runs of memory are the rows."""


class OnnxJudge:
    """One network of a size per side.

    Args:
        form: of the policies.
        networks: side -> graph and weights of its network.
        observation_size: of those that are sure to come, whose networks are made ready at once.

    Raises:
        VersionError: ONNX Runtime cannot read a graph, or the graph does not fit the weights.
    """

    def __init__(self, form: PolicyForm, networks: dict[str, tuple[Graph, Weights]], observation_size: int) -> None:
        self.form = form
        self.sides = tuple(networks)
        self._networks = networks
        self._sessions: dict[tuple[str, int, bool], Any] = {}
        for side in self.sides:
            self._session(side, observation_size)

    def judge(self, observations: NDArray[np.float32]) -> Judged:
        """See `Judge`."""
        rows = np.ascontiguousarray(observations, np.float32)
        logits = np.empty((len(rows), self.form.num_actions), np.float32)
        values = np.empty(len(rows), np.float32)
        for side, places in places_of_sides(self, rows).items():
            many = len(places) >= MANY and self._networks[side][0].file(rows.shape[1], many=True).exists()
            session = self._session(side, rows.shape[1], many)
            whole, most = len(places) == len(rows), MOST_OF_MANY if many else MOST_ROWS
            for start in range(0, len(places), most):
                part = slice(start, start + most)
                at = part if whole else places[part]
                logits[at], values[at] = session.run(list(OUTPUTS), {INPUT: rows[at]})
        return logits, values

    def _session(self, side: str, size: int, many: bool = False) -> Any:
        """The network of a side, for observations of a size."""
        key = side, size, many
        if key not in self._sessions:
            graph, weights = self._networks[side]
            self._sessions[key] = open_session(graph.file(size, many), weights)
        return self._sessions[key]


def open_session(file: Path, weights: Weights) -> Any:
    """A graph with weights, as an ONNX Runtime session that computes with one thread.

    Raises:
        VersionError: ONNX Runtime cannot read the file, or it does not fit the weights.
        ImportError: ONNX Runtime is not installed.
    """
    onnxruntime = load_runtime()

    options = onnxruntime.SessionOptions()
    # Threads that wait for each other within every small product cost more than they save.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
    try:
        options.add_external_initializers([*weights], values)
        content = file.read_bytes()
        return onnxruntime.InferenceSession(content, options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has an exception class for every kind of failure
        why = " ".join(str(error).split())[:200]
        raise VersionError(f"{file}: ONNX Runtime cannot play it: {why}; write it again: {EXPORT}") from None
