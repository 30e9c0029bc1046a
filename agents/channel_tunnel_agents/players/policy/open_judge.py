"""Who judges for a saved policy: ONNX Runtime where there are graphs of its networks, else torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, form_of
from channel_tunnel_agents.players.policy.graphs import find_graph, load_runtime
from channel_tunnel_agents.players.policy.judge import Judge
from channel_tunnel_agents.players.policy.onnx_judge import OnnxJudge
from channel_tunnel_agents.players.policy.saved_policy import Weights, make_policy, read_policy
from channel_tunnel_env import Ruleset

Read = dict[str, tuple[Weights, dict[str, Any]]]
"""Side -> weights and card."""
PLAY = "pip install 'channel-tunnel-env[play]'"


def open_judge(files: dict[str, Path], ruleset: Ruleset | None = None) -> tuple[Judge, list[dict[str, Any]]]:
    """The policies of some sides, ready to be asked, and their cards.

    Raises:
        VersionError: a file that does not fit or is broken, or a graph that cannot be played.
        AgentError: no library that can play them is installed.
    """
    read = {side: read_policy(file, ruleset) for side, file in files.items()}
    cards = [card for _, card in read.values()]
    judge = _without_torch(read) or _with_torch(read)
    return judge, cards


def _without_torch(read: Read) -> OnnxJudge | None:
    """The networks played by ONNX Runtime; None where it, or a graph of one of them, is missing."""
    networks = {}
    for side, (weights, card) in read.items():
        graph = find_graph(card)
        if graph is None:
            return None
        networks[side] = graph, weights
    try:
        load_runtime()
    except ImportError:
        return None
    card = next(iter(read.values()))[1]
    return OnnxJudge(form_of(card) or DEFAULT_FORM, networks, card["observation_size"])


def _with_torch(read: Read) -> Judge:
    try:
        from channel_tunnel_agents.players.policy.torch_judge import TorchJudge
    except ImportError as error:
        raise AgentError(f"onnxruntime is needed to play a policy: {PLAY} ({error})") from None
    return TorchJudge({side: make_policy(*each) for side, each in read.items()})
