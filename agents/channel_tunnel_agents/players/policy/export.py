"""Write the graphs of the shipped policies' networks, from the torch modules, their only definition.

python -m channel_tunnel_agents.players.policy.export        after a change of a network or of an observation
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import math
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import onnx
import onnx_ir
import onnxscript.optimizer
import torch
from onnx import helper

from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.players.policy.card import architecture_of, policy_paths
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.graphs import EXPORT, FOLDER, INDEX, INPUT, OUTPUTS, Graph, graph_name
from channel_tunnel_agents.players.policy.network import SeatPolicy, for_many_rows
from channel_tunnel_agents.players.policy.saved_policy import policy_card
from channel_tunnel_agents.players.shipped import folder_of
from channel_tunnel_env.outside.files import write_whole

ROWS = 3  # of the observations that the exporter follows; 0 and 1 would become part of the graph
LOCATION = "weights"  # of a weight, in place of a file: they are handed over when the graph is loaded
LEAST_COLUMNS = 8  # picked from a table: fewer are as quick column by column


def export_graphs(folder: Path = FOLDER) -> list[Path]:
    """Write the graphs and their index; returns the files."""
    index, written = {}, []
    folder.mkdir(parents=True, exist_ok=True)
    for name, (card, sizes) in _wanted().items():
        network = architecture_of(card)
        policy = SeatPolicy(card["width"], card["depth"], network, FORMS[name.split("-")[0]]).eval()
        index[name] = {key: list(w.shape) for key, w in sorted(policy.state_dict().items())}
        graph, many = Graph(name, index[name]), for_many_rows(policy, network)
        for size in sizes:
            for module in (policy, many):
                if module is not None:
                    path = folder / graph.file(size, many=module is many).name
                    write_whole(path, export_graph(module, size))
                    written.append(path)
    lines = (f' "{name}": {json.dumps(shapes)}' for name, shapes in sorted(index.items()))
    write_whole(folder / INDEX, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    return [*written, folder / INDEX]


def _wanted() -> dict[str, tuple[dict[str, Any], tuple[int, ...]]]:
    """Name -> a card with a network of this size, and the sizes of its observations."""
    found = {}
    for game, form in FORMS.items():
        for agent in agents_of(game).shipped:
            card = policy_card(next(iter(policy_paths(folder_of(agent, game)).values())))
            whole = architecture_of(card) == "mlp"  # it reads observations of one size only
            sizes = form.observation_sizes[:1] if whole else form.observation_sizes
            found[graph_name(card)] = (card, sizes)
    return found


def export_graph(policy: torch.nn.Module, observation_size: int) -> bytes:
    """A policy as an ONNX graph of any number of rows, without its weights."""
    with quiet():
        model = exported(policy, observation_size, optimize=False).model
        weights = policy.state_dict()
        for name in weights:  # as inputs, so that the optimizer does not work with their numbers
            value = model.graph.initializers.pop(name)
            value.const_value = None
            model.graph.inputs.append(value)
        onnxscript.optimizer.optimize(model)
        proto = onnx_ir.to_proto(model)
    forget_origins(proto)
    _pick_rows(proto.graph)
    _leave_out(weights, proto.graph)
    return bytes(proto.SerializeToString(deterministic=True))


def exported(network: torch.nn.Module, observation_size: int, optimize: bool) -> Any:
    """What torch's exporter makes of a network, for any number of rows."""
    return torch.onnx.export(
        network,
        (torch.zeros(ROWS, observation_size),),
        input_names=[INPUT],
        output_names=list(OUTPUTS),
        dynamic_shapes={INPUT: {0: torch.export.Dim("rows")}},
        dynamo=True,
        optimize=optimize,
        verbose=False,
    )


def _leave_out(weights: Mapping[str, torch.Tensor], graph: Any) -> None:
    """The graph holds only the names and shapes of weights."""
    kept = [node for node in graph.input if node.name not in weights]
    del graph.input[:]
    graph.input.extend(kept)
    for name, weight in weights.items():
        length = 4 * math.prod(weight.shape)
        entry = graph.initializer.add(
            name=name, data_type=onnx.TensorProto.FLOAT, dims=weight.shape, data_location=onnx.TensorProto.EXTERNAL
        )
        for key, said in (("location", LOCATION), ("offset", 0), ("length", length)):
            entry.external_data.add(key=key, value=str(said))


def _pick_rows(graph: Any) -> None:
    """Pick columns of a table as rows of the turned table: ONNX Runtime copies columns number by number."""
    picked = {each.name for each in graph.initializer if math.prod(each.dims) >= LEAST_COLUMNS}
    nodes = []
    for node in graph.node:
        axis = next((a.i for a in node.attribute if a.name == "axis"), 0)
        if node.op_type != "Gather" or axis != 1 or node.input[1] not in picked:
            nodes.append(node)
            continue
        (out,) = node.output
        turned, rows = f"{out}_turned", f"{out}_rows"
        nodes += [
            helper.make_node("Transpose", [node.input[0]], [turned], turned, perm=[1, 0]),
            helper.make_node("Gather", [turned, node.input[1]], [rows], rows, axis=0),
            helper.make_node("Transpose", [rows], [out], out, perm=[1, 0]),
        ]
    del graph.node[:]
    graph.node.extend(nodes)


def forget_origins(proto: Any) -> None:
    """Leave out what the exporter notes of the sources: paths, line numbers and the shapes on the way."""
    graph = proto.graph
    for each in [proto, graph, *graph.node, *graph.input, *graph.output, *graph.initializer]:
        del each.metadata_props[:]
        each.ClearField("doc_string")
    del graph.value_info[:]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence torch's exporter, which reports every step and missing optional packages."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    logging.getLogger("onnx_ir").setLevel(logging.ERROR)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(f"{EXPORT}: takes no arguments")
    print(*export_graphs(), sep="\n")
