"""The operators of the graphs that `export_onnx` writes, and what they make of shapes.

A graph is a program: so only these operators are played, and what each makes is known before anything is computed. All
shapes follow from the rows that are judged at once, since shapes and places are in the graph as constants.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_agents.players.onnx_file import Node, OnnxGraph

MOST_NODES = 2_000  # a network of depth 32 has 300
MOST_DIMENSIONS = 8
MOST_NUMBERS = 2**25  # that a graph makes in all: 134 MB of float32
MOST_PRODUCTS = 2**33  # multiplications in all: a second of one core
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """What an operator is given.

    Attributes:
        shapes: of its inputs.
        numbers: in those inputs that are short constants of whole numbers; None: another input.
        given: its attributes.
        outputs: how many it has.
    """

    shapes: list[Shape]
    numbers: list[Any]
    given: dict[str, Any]
    outputs: int


def _same(call: Call) -> list[Shape]:
    return [call.shapes[0]]


def _broadcast(call: Call) -> list[Shape]:
    return [np.broadcast_shapes(*call.shapes)]


def _concat(call: Call) -> list[Shape]:
    first, *_ = call.shapes
    axis = range(len(first))[call.given["axis"]]
    return [(*first[:axis], sum(each[axis] for each in call.shapes), *first[axis + 1 :])]


def _gather(call: Call) -> list[Shape]:
    table, places = call.shapes
    axis = range(len(table))[call.given.get("axis", 0)]
    return [(*table[:axis], *places, *table[axis + 1 :])]


def _gemm(call: Call) -> list[Shape]:
    one, other = call.shapes[0], call.shapes[1]
    left = one[::-1] if call.given.get("transA") else one
    right = other[::-1] if call.given.get("transB") else other
    return _product(left, right)


def _product(left: Shape, right: Shape) -> list[Shape]:
    (*more, rows, inner), (*others, depth, columns) = left, right
    if inner != depth:
        raise ValueError(f"a product of {left} and {right}")
    return [(*np.broadcast_shapes(tuple(more), tuple(others)), rows, columns)]


def _reduce(call: Call) -> list[Shape]:
    shape, keeps = call.shapes[0], call.given.get("keepdims", 1)
    axes = _axes(call.numbers[1], len(shape))
    kept = [1 if axis in axes else size for axis, size in enumerate(shape)]
    return [tuple(size for axis, size in enumerate(kept) if keeps or axis not in axes)]


def _reshape(call: Call) -> list[Shape]:
    (old, *_), wanted = call.shapes, call.numbers[1]
    known = math.prod(size for size in wanted if size != -1)
    rest = math.prod(old) // known
    return _of_as_many(old, tuple(rest if size == -1 else size for size in wanted))


def _of_as_many(old: Shape, new: Shape) -> list[Shape]:
    if math.prod(old) != math.prod(new):
        raise ValueError(f"{new} of {old}")
    return [new]


def _slice(call: Call) -> list[Shape]:
    shape = [*call.shapes[0]]
    _, starts, ends, axes, *steps = call.numbers
    step = steps[0] if steps else [1] * len(axes)
    for start, end, axis, width in zip(starts, ends, axes, step, strict=True):
        shape[axis] = len(range(shape[axis])[start:end:width])
    return [tuple(shape)]


def _split(call: Call) -> list[Shape]:
    shape = call.shapes[0]
    axis = range(len(shape))[call.given.get("axis", 0)]
    if len(call.numbers) > 1:
        sizes = call.numbers[1]
    else:  # all of one size but the last, which is what is left
        each = -(-shape[axis] // call.given["num_outputs"])
        sizes = [*[each] * (call.outputs - 1), shape[axis] - each * (call.outputs - 1)]
    if sum(sizes) != shape[axis]:
        raise ValueError(f"{sizes} of {shape[axis]}")
    return [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]


def _squeeze(call: Call) -> list[Shape]:
    shape = call.shapes[0]
    axes = _axes(call.numbers[1], len(shape))
    return _of_as_many(shape, tuple(size for axis, size in enumerate(shape) if axis not in axes))


def _unsqueeze(call: Call) -> list[Shape]:
    shape = iter(call.shapes[0])
    dimensions = len(call.shapes[0]) + len(call.numbers[1])
    axes = _axes(call.numbers[1], dimensions)
    return [tuple(1 if axis in axes else next(shape) for axis in range(dimensions))]


def _transpose(call: Call) -> list[Shape]:
    (shape,), order = call.shapes, call.given["perm"]
    if sorted(order) != [*range(len(shape))]:
        raise ValueError(f"{shape} by {order}")
    return [tuple(shape[axis] for axis in order)]


def _axes(numbers: list[int], dimensions: int) -> set[int]:
    """Axes counted from the front."""
    return {range(dimensions)[axis] for axis in numbers}


PRODUCTS = ("Gemm", "MatMul")
OPERATORS: dict[str, Callable[[Call], list[Shape]]] = {
    "Abs": _same,
    "Add": _broadcast,
    "Cast": _same,
    "Clip": _same,
    "Concat": _concat,
    "Div": _broadcast,
    "Equal": _broadcast,
    "Gather": _gather,
    "Gemm": _gemm,
    "LayerNormalization": _same,
    "Less": _broadcast,
    "MatMul": lambda call: _product(*call.shapes),
    "ReduceMean": _reduce,
    "Relu": _same,
    "Reshape": _reshape,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Sub": _broadcast,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
    "Where": _broadcast,
}
"""All that is played: by name, the shapes of what comes out."""


def shapes_of(graph: OnnxGraph, observations: Shape) -> dict[str, Shape]:
    """The shape of every value by its name.

    Args:
        observations: shape of the only input.

    Raises:
        ValueError: an operator that is not known, shapes that do not fit, or too much to keep or to compute.
    """
    if len(graph.nodes) > MOST_NODES:
        raise ValueError(f"{len(graph.nodes):,} nodes: up to {MOST_NODES:,}")
    if len(graph.inputs) != 1 or graph.inputs[0] in graph.constants:
        raise ValueError(f"{len(graph.inputs)} inputs: only the observations are one")
    shapes = {graph.inputs[0]: observations, **graph.constants}
    made = products = 0
    for node in graph.nodes:
        found = _shapes_after(node, graph, shapes)
        for name, shape in zip(node.outputs, found, strict=True):
            made += math.prod(shape)
            if min(shape, default=1) < 1 or len(shape) > MOST_DIMENSIONS:
                raise ValueError(f"{node}: shape {shape!s:.60}")
            if name in shapes:
                raise ValueError(f"{node}: {name:.30}: made twice")
            shapes[name] = shape
        if node.operator in PRODUCTS:
            right = math.prod(shapes[node.inputs[1]][-2:])
            products += math.prod(found[0]) * right // found[0][-1]
        if made > MOST_NUMBERS or products > MOST_PRODUCTS:
            raise ValueError(
                f"{node}: {made:,} numbers and {products:,} multiplications up to here for {observations[0]} rows: "
                f"up to {MOST_NUMBERS:,} and {MOST_PRODUCTS:,}"
            )
    return shapes


def _shapes_after(node: Node, graph: OnnxGraph, shapes: dict[str, Shape]) -> list[Shape]:
    """What a node makes of the shapes that there are."""
    rule = OPERATORS.get(node.operator)
    if rule is None:
        raise ValueError(f"operator {node.operator:.30}: known: {', '.join(OPERATORS)}")
    missing = [name for name in node.inputs if name not in shapes]
    if missing:
        raise ValueError(f"{node}: input {missing[0]:.30}: not made before")
    numbers = [graph.numbers.get(name) for name in node.inputs]
    call = Call([shapes[name] for name in node.inputs], numbers, node.attributes, len(node.outputs))
    try:
        found = rule(call)
    except (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError) as error:
        raise ValueError(f"{node}: inputs that do not fit: {error!s:.100}") from None
    if len(found) != len(node.outputs):
        raise ValueError(f"{node}: {len(node.outputs)} outputs: {len(found)} are made")
    return found
