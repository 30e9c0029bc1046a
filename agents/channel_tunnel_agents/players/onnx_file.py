"""An ONNX file as plain values: the fields that `export_onnx` writes, and no others.

ONNX Runtime brings no reader of its own, and one of protobuf makes objects of a hundred bytes of what takes two in a
file. Here every field is looked at where it lies: constants are not copied, and no field that is not understood is
handed on.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_BYTES = 100_000_000  # of a file: 25 million weights
MOST_FIELDS = 100_000  # the largest shipped network has 4,000
VERSIONS = range(18, 26)  # of the operators: between them none that is known changed its meaning
NUMBER, TEXT, DATA, FLOAT = "number", "text", "data", "float"
WIRES = {NUMBER: 0, FLOAT: 5}  # how protobuf writes them; all others: length and content
SIZES = {1: 4, 7: 8, 9: 1}  # bytes of a float32, an int64 and a bool by their numbers in ONNX
INTEGERS, SHORT = 7, 32

SEAL = b"\x72\x4a\x0a\x06sha256\x12\x40"  # how protobuf writes an entry of the model with 64 digits
# Message -> number of a field -> its name, with * where it comes many times, and its kind.
FIELDS: dict[str, dict[int, tuple[str, str]]] = {
    "the model": {
        1: ("ir_version", NUMBER),
        2: ("producer_name", TEXT),
        3: ("producer_version", TEXT),
        7: ("graph", "the graph"),
        8: ("opset_import*", "a set of operators"),
        14: ("metadata_props*", "an entry"),
    },
    "a set of operators": {1: ("domain", TEXT), 2: ("version", NUMBER)},
    "an entry": {1: ("key", TEXT), 2: ("value", TEXT)},
    "the graph": {
        1: ("node*", "a node"),
        2: ("name", TEXT),
        5: ("initializer*", "a constant"),
        11: ("input*", "a value"),
        12: ("output*", "a value"),
    },
    "a node": {
        1: ("input*", TEXT),
        2: ("output*", TEXT),
        3: ("name", TEXT),
        4: ("op_type", TEXT),
        5: ("attribute*", "an attribute of a node"),
    },
    "an attribute of a node": {
        1: ("name", TEXT),
        2: ("f", FLOAT),
        3: ("i", NUMBER),
        8: ("ints*", NUMBER),
        20: ("type", NUMBER),
    },
    "a constant": {1: ("dims*", NUMBER), 2: ("data_type", NUMBER), 8: ("name", TEXT), 9: ("raw_data", DATA)},
    "a value": {1: ("name", TEXT), 2: ("type", DATA)},
}


@dataclass(frozen=True)
class Node:
    """An operator with the names of what goes in and comes out."""

    operator: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.operator} {self.outputs[0]:.30}" if self.outputs else self.operator


@dataclass(frozen=True)
class OnnxGraph:
    """What a file says.

    Attributes:
        constants: the shape of each.
        numbers: in the short constants of whole numbers, which say places and shapes.
        entries: its metadata.
    """

    inputs: list[str]
    outputs: list[str]
    nodes: list[Node]
    constants: dict[str, tuple[int, ...]]
    numbers: dict[str, list[int]]
    entries: dict[str, str]


def sealed(content: bytes) -> bytes:
    """A file with its digest: one entry of metadata more, at its end."""
    return content + SEAL + hashlib.sha256(content).hexdigest().encode()


def check_seal(content: bytes) -> None:
    """Refuse, with a ValueError, a file that is cut, was changed, or was not written by an export."""
    length = len(sealed(b""))
    if sealed(content[:-length]) != content:
        raise ValueError("no digest of it at its end: it is cut, was changed or was not written by an export")


def read_graph(content: bytes) -> OnnxGraph:
    """The graph of a file.

    Raises:
        ValueError: it is cut off, holds what `export_onnx` does not write, or a constant is not as long as its shape.
    """
    model = _Reader().message(memoryview(content), "the model")
    for each in model["opset_import"]:
        if each.get("domain") or each.get("version") not in VERSIONS:
            raise ValueError(
                f"operators of version {each.get('version')} of {each.get('domain', '')!r:.40}: known: "
                f"{VERSIONS[0]} to {VERSIONS[-1]} of ''"
            )
    graph = model.get("graph") or _Reader().message(memoryview(b""), "the graph")
    _need_names("constant", graph["initializer"])
    return OnnxGraph(
        [each.get("name", "") for each in graph["input"]],
        [each.get("name", "") for each in graph["output"]],
        [_node(each) for each in graph["node"]],
        {each["name"]: _checked_shape(each) for each in graph["initializer"]},
        {
            each["name"]: np.frombuffer(each["raw_data"], "<i8").tolist()
            for each in graph["initializer"]
            if each["data_type"] == INTEGERS and math.prod(each["dims"]) <= SHORT
        },
        {each.get("key", ""): each.get("value", "") for each in model["metadata_props"]},
    )


def _node(found: dict[str, Any]) -> Node:
    given = found["attribute"]
    _need_names("attribute", given)
    values = {each["name"]: each.get("i", each["ints"]) for each in given}
    return Node(found.get("op_type", ""), found["input"], found["output"], values)


def _need_names(what: str, found: list[dict[str, Any]]) -> None:
    names = [each.get("name") for each in found]
    if None in names or len({*names}) < len(names):
        raise ValueError(f"{what}: one without a name, or two of the same name")


def _checked_shape(found: dict[str, Any]) -> tuple[int, ...]:
    shape, kind, content = found["dims"], found.get("data_type"), found.get("raw_data", b"")
    size = SIZES.get(kind, 0) if isinstance(kind, int) else 0
    if min(shape, default=1) < 1 or not size or len(content) != size * math.prod(shape):
        raise ValueError(f"constant {found['name']:.60}: {len(content):,} bytes of kind {kind} for shape {shape!s:.60}")
    return tuple(shape)


class _Reader:
    """Messages of protobuf, of a limited number of fields in all."""

    def __init__(self) -> None:
        self.left = MOST_FIELDS

    def message(self, data: memoryview, kind: str) -> dict[str, Any]:
        """Name of a field -> its value; those that come many times are lists."""
        fields = FIELDS[kind]
        found: dict[str, Any] = {name[:-1]: [] for name, _ in fields.values() if name.endswith("*")}
        for number, wire, value in self._fields(data):
            name, held = fields.get(number, ("", ""))
            if wire != WIRES.get(held, 2) or not name or name in found:
                raise ValueError(f"{kind}: field {number}: not one that an export writes there")
            if held in FIELDS:
                value = self.message(value, held)
            elif held == TEXT:
                value = str(value, "utf-8")
            if name.endswith("*"):
                found[name[:-1]].append(value)
            else:
                found[name] = value
        return found

    def _fields(self, data: memoryview) -> Iterator[tuple[int, int, Any]]:
        """Number, wire type and value of each field."""
        at = 0
        while at < len(data):
            self.left -= 1
            if self.left < 0:
                raise ValueError(f"more than {MOST_FIELDS:,} fields")
            key, at = _varint(data, at)
            number, wire = key >> 3, key & 7
            if wire == WIRES[NUMBER]:
                value, at = _varint(data, at)
                yield number, wire, value - (value >> 63 << 64)
                continue
            size, at = _varint(data, at) if wire == 2 else (4, at)
            if at + size > len(data):
                raise ValueError(f"it ends {at + size - len(data):,} bytes too early")
            yield number, wire, data[at : at + size]
            at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A whole number of up to 64 bits, and where what follows it begins."""
    value = 0
    for place, byte in enumerate(data[at : at + 10]):
        value |= (byte & 127) << 7 * place
        if byte < 128:
            return value % 2**64, at + place + 1
    raise ValueError("a number without an end")
