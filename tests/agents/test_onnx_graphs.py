"""A graph in a file is a program: only what `export_onnx` writes is played, and nothing large is made of little."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.players import onnx_file, onnx_policy
from channel_tunnel_agents.players.onnx_file import read_graph, sealed
from channel_tunnel_agents.players.onnx_policy import OnnxAgent, export_onnx
from channel_tunnel_agents.players.onnx_shapes import OPERATORS, shapes_of
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_env import VersionError, load_ruleset
from tests.fuzz.policies import onnx_file as whole_file
from tests.fuzz.policies import tiny_card, tiny_weights

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


@pytest.fixture
def no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused is refused before ONNX Runtime sees it."""

    def refuse(*_: Any) -> None:
        raise AssertionError("a session was made")

    monkeypatch.setattr(onnx_policy, "_make_session", refuse)


def base() -> Any:
    """A small policy that is played."""
    return onnx.load_model_from_string(whole_file(json.dumps(tiny_card()), tiny_weights()))


def write(path: Path, model: Any) -> None:
    """With a digest that fits."""
    for entry in [each for each in model.metadata_props if each.key == "sha256"]:
        model.metadata_props.remove(entry)
    path.write_bytes(sealed(model.SerializeToString()))


def constant(model: Any, name: str, values: Any, kind: Any = np.int64) -> str:
    model.graph.initializer.append(numpy_helper.from_array(np.array(values, kind), name))
    return name


def put(model: Any, operator: str, inputs: list[str], outputs: list[str], **more: Any) -> None:
    """A node in front of all others."""
    model.graph.node.insert(0, helper.make_node(operator, inputs, outputs, **more))


def body() -> Any:
    yes = helper.make_tensor_value_info("go", TensorProto.BOOL, [])
    count = helper.make_tensor_value_info("round", INT64, [])
    out = helper.make_tensor_value_info("on", TensorProto.BOOL, [])
    return helper.make_graph([helper.make_node("Identity", ["go"], ["on"])], "b", [count, yes], [out])


def loop(model: Any) -> None:
    put(model, "Loop", [constant(model, "rounds", 2**62), ""], [], body=body())


def hidden_graph(model: Any) -> None:
    model.graph.node[1].attribute.append(helper.make_attribute("body", body()))


def large_constant(model: Any) -> None:
    put(model, "ConstantOfShape", [constant(model, "shape", [800_000_000])], ["large"])


def large_expand(model: Any) -> None:
    put(model, "Expand", ["a", constant(model, "shape", [800_000_000])], ["large"])


def large_by_broadcast(model: Any) -> None:
    """Two thin vectors, added: 40,000 x 40,000."""
    constant(model, "thin", np.zeros((40_000, 1)), np.float32)
    constant(model, "flat", np.zeros((1, 40_000)), np.float32)
    put(model, "Add", ["thin", "flat"], ["large"])


def large_by_steps(model: Any) -> None:
    constant(model, "n0", np.zeros((1, 1_000)), np.float32)
    for step in reversed(range(3)):
        there, turned = f"n{step}", f"t{step}"
        constant(model, f"s{step}", [-1, 1])
        put(model, "MatMul", [turned, f"f{step}"], [f"n{step + 1}"])
        put(model, "Reshape", [there, constant(model, f"g{step}", [1, -1])], [f"f{step}"])
        put(model, "Reshape", [there, f"s{step}"], [turned])


def much_work(model: Any) -> None:
    """Nothing is large, and it takes minutes."""
    constant(model, "p0", np.zeros((2_000, 2_000)), np.float32)
    for step in reversed(range(20)):
        put(model, "MatMul", [f"p{step}", "p0"], [f"p{step + 1}"])


def unequal_rows(model: Any) -> None:
    """Small for 64 rows, large for 40: what is cut off at both ends leaves one row of 64, and 24 of 40."""
    for axis in reversed(range(7)):
        constant(model, f"shape{axis}", [-1 if each == axis else 1 for each in range(7)])
        before = f"sum{axis - 1}" if axis else "row0"
        put(model, "Add", [f"row{axis}", before], [f"sum{axis}"])
        put(model, "Reshape", ["few", f"shape{axis}"], [f"row{axis}"])
    for name, number in (("start", -41), ("end", 24), ("first", 0)):
        constant(model, name, [number])
    put(model, "Slice", ["one", "start", "end", "first"], ["few"])
    put(model, "Gather", ["observations", constant(model, "first column", 0)], ["one"], axis=1)


def external_data(model: Any) -> None:
    tensor = model.graph.initializer[1]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/dev/zero")


def other_domain(model: Any) -> None:
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    model.graph.node[1].domain = "com.microsoft"


def other_meaning(model: Any) -> None:
    """A function of the file takes the place of an operator."""
    made = helper.make_function(
        "", "Relu", ["x"], ["y"], [helper.make_node("Identity", ["x"], ["y"])], [helper.make_opsetid("", 18)]
    )
    model.functions.append(made)


def sparse(model: Any) -> None:
    values = helper.make_tensor("s", FLOAT, [1], [1.0])
    indices = helper.make_tensor("i", INT64, [1], [0])
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [3_000_000_000]))


def training(model: Any) -> None:
    model.training_info.add().algorithm.CopyFrom(body())


def texts(model: Any) -> None:
    model.graph.initializer.append(helper.make_tensor("t", TensorProto.STRING, [1], [b"x"]))


def more_than_its_shape(model: Any) -> None:
    model.graph.initializer[1].dims[0] = 2**40


def negative(model: Any) -> None:
    model.graph.initializer[1].dims[0] = -8


def unknown_input(model: Any) -> None:
    model.graph.node[0].input[0] = "nobody"


def twice(model: Any) -> None:
    model.graph.node[1].output[0] = "a"


def another_input(model: Any) -> None:
    model.graph.input.append(helper.make_tensor_value_info("more", FLOAT, [1]))


def weights_as_input(model: Any) -> None:
    model.graph.input.append(helper.make_tensor_value_info("policy.bias", FLOAT, [171]))


def old_operators(model: Any) -> None:
    model.opset_import[0].version = 7


def many_nodes(model: Any) -> None:
    for step in range(3_000):
        model.graph.node.append(helper.make_node("Relu", ["a"], [f"more{step}"]))


def nothing_of_something(model: Any) -> None:
    constant(model, "none", np.zeros((0, 5)), np.float32)


REFUSED: dict[Callable[[Any], None], str] = {
    loop: "an attribute of a node: field 6",
    hidden_graph: "an attribute of a node: field 6",
    large_constant: "operator ConstantOfShape: known: ",
    large_expand: "operator Expand: known: ",
    large_by_broadcast: "Add large: 1,600,000,000 numbers",
    large_by_steps: "numbers",
    much_work: "multiplications",
    unequal_rows: "numbers",
    external_data: "a constant: field 13",
    other_domain: "a node: field 7",
    other_meaning: "the model: field 25",
    sparse: "the graph: field 15",
    training: "the model: field 20",
    texts: "a constant: field 6",
    more_than_its_shape: "policy.bias|trunk.layers.0.weight|bytes",
    negative: "-8",
    unknown_input: "nobody",
    twice: "a: made twice",
    another_input: "inputs",
    weights_as_input: "inputs",
    old_operators: "operators of version 7",
    many_nodes: "nodes",
    nothing_of_something: "none",
}


@pytest.mark.usefixtures("no_session")
@pytest.mark.parametrize(("change", "why"), REFUSED.items(), ids=[change.__name__ for change in REFUSED])
def test_a_graph_that_no_export_writes_is_refused_in_one_line(
    change: Callable[[Any], None], why: str, tmp_path: Path
) -> None:
    model = base()
    change(model)
    path = tmp_path / "britain.onnx"
    write(path, model)
    begun = time.process_time()
    with pytest.raises(VersionError, match=rf"britain\.onnx: not a policy as ONNX: .*({why})") as e:
        OnnxAgent.load(path)
    assert "\n" not in str(e.value) and len(str(e.value)) < 700
    assert time.process_time() - begun < 10


def test_what_they_change_is_played(tmp_path: Path) -> None:
    path = tmp_path / "britain.onnx"
    write(path, base())
    assert OnnxAgent.load(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "britain.onnx"
    with path.open("wb") as file:
        file.truncate(onnx_file.MOST_BYTES + 1)
    with pytest.raises(VersionError, match=r"britain\.onnx: .*larger than"):
        OnnxAgent.load(path)


@pytest.mark.usefixtures("no_session")
@pytest.mark.parametrize("fields", [b"\x3a\x00", b"\x08\x00", b"\x72\x00"])
def test_many_small_fields_take_no_memory(fields: bytes, tmp_path: Path) -> None:
    path = tmp_path / "britain.onnx"
    path.write_bytes(sealed(fields * 2_000_000))
    with pytest.raises(VersionError, match="not a policy as ONNX"):
        OnnxAgent.load(path)


def export(folder: Path, network: str) -> Path:
    """A small network of Britain's, as `export_onnx` writes it."""
    weights = {"britain": SeatPolicy(8, 1, network).state_dict()}
    card = make_card(load_ruleset("tiny"), width=8, depth=1, network=network)
    save_policies(folder, weights, card)
    (path,) = export_onnx(folder / "britain.safetensors", folder)
    return path


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Both kinds of network."""
    return [export(tmp_path_factory.mktemp(network), network) for network in ("mlp", "game")]


@pytest.mark.heavy
def test_the_operators_that_are_played_are_those_that_exports_have(exported: list[Path]) -> None:
    models = [onnx.load(path) for path in exported]
    assert {node.op_type for model in models for node in model.graph.node} == {*OPERATORS}


@pytest.mark.heavy
def test_shapes_are_found_as_onnx_finds_them(exported: list[Path]) -> None:
    for path in exported:
        model = onnx.load(path)
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 3
        wanted = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
        found = shapes_of(read_graph(path.read_bytes()), (3, 1203))
        compared = 0
        for value in [*wanted.value_info, *wanted.output]:
            dims = value.type.tensor_type.shape.dim
            if all(dim.HasField("dim_value") for dim in dims):
                assert found[value.name] == tuple(dim.dim_value for dim in dims), value.name
                compared += 1
        assert compared == len(model.graph.node) or compared > 100


@pytest.mark.heavy
@pytest.mark.parametrize("rows", [1, 63, 64, 65, 200])
def test_any_number_of_rows_is_judged_in_parts(exported: list[Path], rows: int) -> None:
    for path in exported:
        agent = OnnxAgent.load(path)
        size = agent.sessions["britain"].get_inputs()[0].shape[1]
        logits, values = agent.judge("britain", np.zeros((rows, size), np.float32))
        assert (logits.shape, values.shape) == ((rows, 171), (rows,))


def test_what_would_not_be_played_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(OPERATORS, "Relu")
    with pytest.raises(VersionError, match="operator Relu"):
        export(tmp_path, "mlp")
    assert not [*tmp_path.glob("*.onnx")]


def test_changed_bytes_end_in_one_line(tmp_path: Path) -> None:
    """Bytes around the weights, which say what is computed."""
    model = base()
    for tensor in model.graph.initializer:
        tensor.raw_data = bytes(len(tensor.raw_data))
    content, rng, path = (model.SerializeToString(), np.random.default_rng(5), tmp_path / "britain.onnx")
    places = np.flatnonzero(np.frombuffer(content, np.uint8))
    refused = 0
    for _ in range(200):
        changed = bytearray(content)
        changed[int(rng.choice(places))] ^= 1 << int(rng.integers(8))
        path.write_bytes(sealed(bytes(changed)))
        try:
            OnnxAgent.load(path)
        except VersionError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 100


def test_a_huge_varint_is_refused() -> None:
    with pytest.raises(ValueError, match="number"):
        read_graph(b"\x08" + b"\xff" * 30)
    with pytest.raises(ValueError, match="ends"):
        read_graph(b"\x3a" + struct.pack("B", 100) + b"x")
