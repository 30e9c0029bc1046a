"""Policies of 1987 Channel Tunnel as ONNX: exported by torch, played by onnxruntime without torch.

Those of other games are not written: they are played by ONNX Runtime all the same, from their own files.

python -m channel_tunnel_agents.players.onnx_policy master models/master      two files; then make_agent("onnx:models/master")

Input `observations` float32 (n, D); outputs `logits` float32 (n, A) of all actions, legal or not, and
`values` float32 (n,) in the mover's view: 1, a sure win for the side of the file. The card of the saved policy is the file's metadata.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.onnx_file import MOST_BYTES, OnnxGraph, check_seal, read_graph, sealed
from channel_tunnel_agents.players.onnx_shapes import shapes_of
from channel_tunnel_agents.players.policy.card import OTHER_RULES, check_card, check_policy_card, policy_paths
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.graphs import INPUT, OUTPUTS, load_runtime
from channel_tunnel_agents.players.policy.onnx_judge import MOST_ROWS
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_env import ChannelTunnelError, Ruleset, VersionError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import need_mapping, parse_json
from channel_tunnel_env.outside.files import read_whole, write_all
from channel_tunnel_env.outside.terminal import tolerate_any_terminal

KIND = "onnx"
CARD = "card"  # key of the metadata


class OnnxAgent:
    """Plays the most likely legal action of 1987 Channel Tunnel with onnxruntime, one network per seat. `OnnxAgent.load` makes one.

    Args:
        sessions: side -> its session of onnxruntime.
        name: as shown in tables.
    """

    def __init__(self, sessions: dict[str, Any], name: str = KIND) -> None:
        self.sessions = sessions
        self.name = name
        self.folder: Path | None = None  # folder it was loaded from

    @classmethod
    def load(cls, path: Path, ruleset: Ruleset | None = None) -> OnnxAgent:
        """Load from a folder, or from one side's file.

        Args:
            path: as `export_onnx` wrote it.
            ruleset: the one to be played; a policy of another is refused. None: any.

        Returns:
            The agent.

        Raises:
            AgentError: onnxruntime is not installed.
            VersionError: made for another ruleset or version, or not a policy.
        """
        files = policy_paths(path, KIND)
        agent = cls({side: _open(file, ruleset) for side, file in files.items()}, f"{KIND}:{path}")
        agent.folder = path
        return agent

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """One action per row, by the network of the row's side."""
        actions = np.empty(len(masks), np.int64)
        form = FORMS[DEFAULT_GAME]
        sides = form.side_of_rows(observations)
        for seat, side in enumerate(form.sides):
            own = np.flatnonzero(sides == seat)
            if own.size:
                logits = self.judge(side, observations[own])[0]
                actions[own] = np.where(masks[own], logits, -np.inf).argmax(axis=1)
        return actions

    def judge(self, side: str, observations: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What a side's network computes.

        Args:
            side: a seat's name.
            observations: float32 (n, D).

        Returns:
            Logits, float32 (n, A), of all actions, legal or not; values, float32 (n,), in the side's own view.

        Raises:
            ValueError: no network for the side, or non-finite output.
        """
        if side not in self.sessions:
            raise ValueError(f"{self.name} has no policy for {side}; it plays {list(self.sessions)}")
        rows = np.ascontiguousarray(observations, np.float32)
        starts = range(0, max(1, len(rows)), MOST_ROWS)
        parts = [_run(self.sessions[side], rows[start : start + MOST_ROWS]) for start in starts]
        logits, values = (np.concatenate(each) for each in zip(*parts, strict=True))
        _check_finite(logits, values)
        return logits, values


def _open(path: Path, ruleset: Ruleset | None) -> Any:
    """A session for a file whose card fits."""
    try:
        onnxruntime = load_runtime()
    except ImportError as error:
        raise AgentError(f"onnxruntime is needed: pip install 'channel-tunnel-env[play]' ({error})") from None
    try:
        content = read_whole(path, MOST_BYTES)
        check_seal(content)
        graph = read_graph(content)
        if CARD not in graph.entries:
            raise ValueError("it has no card")
        card = need_mapping(parse_json(graph.entries[CARD], CARD), CARD, "it")
        check_card(card, path, ruleset, OTHER_RULES)
        check_policy_card(card, path)
        check_graph(graph)
    except VersionError:
        raise
    except (ValueError, OSError) as error:
        raise _no_policy(path, error) from None
    try:
        session = _make_session(onnxruntime, content)
        _try_out(session)
    except Exception as error:  # onnxruntime has an exception class for every kind of failure
        raise _no_policy(path, error) from None
    return session


def _no_policy(path: Path, error: Exception) -> VersionError:
    why = getattr(error, "problem", None) or " ".join(str(error).split())[:500]
    return VersionError(f"{path}: not a policy as ONNX: {why}")


def check_graph(graph: OnnxGraph) -> None:
    """Refuse a graph that `export_onnx` does not write, or that makes too much of any number of rows judged at once.

    Raises:
        ValueError: says which operator, shape or amount.
    """
    form = FORMS[DEFAULT_GAME]
    for rows in range(1, MOST_ROWS + 1):
        shapes = shapes_of(graph, (rows, form.observation_sizes[0]))
        made = {name: shapes.get(name) for name in graph.outputs}
        wanted = dict(zip(OUTPUTS, ((rows, form.num_actions), (rows,)), strict=True))
        if made != wanted:
            raise ValueError(f"outputs {made!s:.100}; expected {wanted}")


def _make_session(onnxruntime: Any, content: bytes) -> Any:
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


def _run(session: Any, rows: NDArray[np.float32]) -> Any:
    return session.run(list(OUTPUTS), {INPUT: rows})


def _try_out(session: Any) -> None:
    """Call the network on made-up observations to check its numbers.

    Raises:
        ValueError: they are wrong, or it takes other observations.
    """
    form = FORMS[DEFAULT_GAME]
    size = form.observation_sizes[0]
    given = [(node.name, node.type, list(node.shape[1:])) for node in session.get_inputs()]
    wanted = [(INPUT, "tensor(float)", [size])]
    if given != wanted:
        raise ValueError(f"inputs {given}; expected {wanted}")
    rows = np.random.default_rng(0).random((len(form.sides) + 2, size), np.float32)
    rows[0], rows[1] = 0, 1
    _check_finite(*_run(session, rows))


def _check_finite(logits: NDArray[np.float32], values: NDArray[np.float32]) -> None:
    """Raise ValueError if a network's weights or sums overflow."""
    if not (np.isfinite(logits).all() and np.isfinite(values).all()):
        raise ValueError("non-finite logits or values")


def export_onnx(policy: Path, folder: Path) -> list[Path]:
    """Write the networks of a saved policy of 1987 Channel Tunnel as ONNX, one file per side; returns the files.

    Args:
        policy: a run folder or one side's file.
        folder: created if necessary.

    Raises:
        VersionError: not a saved policy of this version, one of another game, or too large for a file of this kind.
        AgentError: torch or onnx is not installed.
    """
    try:
        from channel_tunnel_agents.players.policy.export import exported, forget_origins, quiet
        from channel_tunnel_agents.players.policy.network import InMoversView
        from channel_tunnel_agents.players.policy.saved_policy import load_policy
    except ImportError as error:
        raise AgentError(f"torch and onnx are needed: pip install 'channel-tunnel-env[onnx]' ({error})") from None
    content = {}
    networks = {side: load_policy(file) for side, file in policy_paths(policy).items()}
    for network, _ in networks.values():
        if network.form.game != DEFAULT_GAME:
            raise VersionError(f"{policy}: as ONNX only policies of {DEFAULT_GAME}, not {network.form.game}")
    for side, (network, card) in networks.items():
        own = InMoversView(network, network.form.sides.index(side) == 0).eval()
        with quiet():
            model = exported(own, network.form.observation_sizes[0], optimize=True).model_proto
        forget_origins(model)
        model.metadata_props.add(key=CARD, value=json.dumps(card))
        content[folder / f"{side}.{KIND}"] = sealed(model.SerializeToString())
    for path, written in content.items():
        try:
            check_graph(read_graph(written))
        except ValueError as error:
            raise _no_policy(path, error) from None
    folder.mkdir(parents=True, exist_ok=True)
    write_all(content)
    return [*content]


@dataclass(frozen=True)
class ExportArguments:
    """Write a policy's networks as ONNX."""

    policy: tyro.conf.Positional[str]
    """rookie, club, master, adept, a run folder or one side's file."""
    folder: tyro.conf.Positional[Path]
    """Output folder."""


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the policy cannot be read or a package is missing."""
    tolerate_any_terminal()
    arguments = tyro.cli(ExportArguments, args=argv, prog="python -m channel_tunnel_agents.players.onnx_policy")
    try:
        files = export_onnx(find_policy(arguments.policy), arguments.folder)
    except (AgentError, ChannelTunnelError, OSError) as error:
        print(f"channel_tunnel_agents.players.onnx_policy: {error}", file=sys.stderr)
        return 2
    print(*files, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
