"""Changes of plain data (dicts, lists, text, numbers) and of bytes."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Random = np.random.Generator

NUMBERS: tuple[Any, ...] = (
    -1, 0, 1, 2, 3, 5, 9, 10, 40, 127, 128, 255, 256, 32767, 32768, 2**31 - 1, 2**31, 2**53 + 1,
    2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -(2**63), -(2**63) - 1, 0.5, 1.0, 1e300,
    math.inf, -math.inf, math.nan,
)  # fmt: skip
TEXTS = ("", " ", "?", "*", "x", "blue", "blue*", "?blue", "standard", "0", "null", "é\u202e\x00", "y" * 5000)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"x": 1}, [[["x"]]], {"": {}})


def pick(rng: Random, items: Sequence[Any]) -> Any:
    """One of them."""
    return items[int(rng.integers(len(items)))]


def change_data(rng: Random, data: Any, words: Sequence[str] = (), most: int = 3) -> Any:
    """A copy of plain data with up to `most` changes; `words` are texts that may take another's place."""
    data = copy.deepcopy(data)
    for _ in range(int(rng.integers(1, most + 1))):
        places = _places(data)
        if not places:
            return any_value(rng, words)
        holder, key = pick(rng, places)
        _change(rng, holder, key, words, places)
    return data


def any_value(rng: Random, words: Sequence[str] = ()) -> Any:
    """Something of any kind."""
    return pick(rng, pick(rng, (NUMBERS, TEXTS, OTHERS, words or TEXTS)))


def _places(node: Any) -> list[tuple[Any, Any]]:
    """Every holder and key of a tree."""
    found: list[tuple[Any, Any]] = []
    keys = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        found += [(node, key), *_places(node[key])]
    return found


def _change(rng: Random, holder: Any, key: Any, words: Sequence[str], places: list[tuple[Any, Any]]) -> None:
    """One change at a place; most keep its type, so that more than its type is looked at."""
    value, way = holder[key], rng.random()
    if way < 0.35 and type(value) is int:
        holder[key] = value + int(pick(rng, (-2, -1, 1, 1, 2, 3)))
    elif way < 0.35 and isinstance(value, str) and words:
        holder[key] = pick(rng, words)
    elif way < 0.35 and isinstance(value, bool):
        holder[key] = not value
    elif way < 0.5:  # what stands at another place
        other, at = pick(rng, places)
        holder[key] = copy.deepcopy(other[at])
    elif way < 0.6 and isinstance(value, list) and value:
        _change_list(rng, value)
    elif way < 0.7:
        del holder[key]
    elif way < 0.76 and isinstance(holder, dict):
        holder[pick(rng, words or TEXTS)] = any_value(rng, words)
    else:
        holder[key] = any_value(rng, words)


def _change_list(rng: Random, items: list[Any]) -> None:
    way = rng.random()
    if way < 0.4:
        items.append(copy.deepcopy(pick(rng, items)))
    elif way < 0.7:
        items.pop(int(rng.integers(len(items))))
    else:
        order = rng.permutation(len(items))
        items[:] = [items[i] for i in order]


Files = dict[str, bytes | None]
"""Contents by path; None: a folder stands in its place."""


def change_files(rng: Random, files: Files, part: str) -> None:
    """Cut, change, blank, swap or take away one of some files, put a folder in its place, or leave half of a new one.

    Args:
        part: how the name of a file ends that is being written.
    """
    name, way = pick(rng, sorted(files)), rng.random()
    content = files[name] or b""
    if way < 0.3:
        files[name] = content[: int(rng.integers(len(content) + 1))]
    elif way < 0.5:
        files[name] = change_bytes(rng, content)
    elif way < 0.6:
        files[name] = b"\x00" * len(content)
    elif way < 0.7:
        files[name] = files[pick(rng, sorted(files))]
    elif way < 0.8:
        files[name] = None
    elif way < 0.9:
        files[name + part] = content[: len(content) // 2]
    elif len(files) > 1:
        del files[name]


def change_bytes(rng: Random, content: bytes, most: int = 4) -> bytes:
    """Bytes changed, cut off, left out, doubled or put in."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, most + 1))):
        if not data:
            return bytes(rng.integers(0, 256, 20, np.uint8))
        at, way = int(rng.integers(len(data))), rng.random()
        if way < 0.6:
            data[at] = pick(rng, (0, 255, int(rng.integers(256)), data[at] ^ 1 << int(rng.integers(8))))
        elif way < 0.7:
            del data[at:]
        elif way < 0.8:
            del data[at : at + int(rng.integers(1, 9))]
        elif way < 0.9:
            data[at:at] = data[at : at + int(rng.integers(1, 65))]
        else:
            data[at:at] = bytes(rng.integers(0, 256, int(rng.integers(1, 9)), np.uint8))
    return bytes(data)
