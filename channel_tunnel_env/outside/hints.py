"""What messages about wrong words add: the nearest known name, and what a pydantic model allows at a place of a file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cache
from typing import Any

from pydantic import BaseModel

_MOST_READ = 100  # characters of a name that are compared; time grows with their number
_LEAST_ALIKE = 0.65  # a letter or two; with less alike a guess misleads
_LEAST_BEGINNING = 3  # letters that may stand for a name


def or_known(word: object, known: Iterable[object], most: int = 1) -> str:
    """The end of a message with what is known, behind the nearest name: "; did you mean 'discs'? Known: discs, cards".

    Args:
        word: the unknown name.
        known: the known names.
        most: largest number of suggestions.
    """
    names = [*map(str, known)]
    hint = did_you_mean(word, names, most)
    return f"{hint}{' Known' if hint else '; known'}: {', '.join(names)}"


def did_you_mean(word: object, known: Iterable[object], most: int = 1) -> str:
    """The end of a message, "; did you mean 'discs'?", or "" if no known name is similar.

    Args:
        word: the unknown name.
        known: the known names.
        most: largest number of suggestions, the nearest first.
    """
    typed = str(word)[:_MOST_READ].casefold()
    names = {str(name).casefold(): str(name) for name in known}
    near = difflib.get_close_matches(typed, names, most, _LEAST_ALIKE)
    if len(typed) >= _LEAST_BEGINNING:
        near += [name for name in names if name.startswith(typed) and name not in near]
    if not near:
        return ""
    *first, last = (repr(names[name]) for name in near[:most])
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"


# --- what a pydantic model allows at a place of a file --------------------------------------------


NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"
"""Of a name that is a file's, too."""
PATTERNS = {NAME: "letters, digits, _ . and -, but no spaces"}


@cache
def _json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON Schema; cached because it is slow to build."""
    return model.model_json_schema()


def _schema_at(loc: list[Any], model: type[BaseModel]) -> dict[str, Any]:
    root = _json_schema(model)
    node: dict[str, Any] = root
    for part in loc:
        if "$ref" in node:
            node = root["$defs"][node["$ref"].split("/")[-1]]
        if "anyOf" in node:
            node = node["anyOf"][0]
        if isinstance(part, int) and "items" in node:
            node = node["items"]
        else:
            node = node.get("properties", {}).get(part) or node.get("additionalProperties") or {}
    return root["$defs"][node["$ref"].split("/")[-1]] if "$ref" in node else node


def known_keys(loc: list[Any], model: type[BaseModel]) -> list[str]:
    """The keys that the model allows for the mapping at a position in the file."""
    return list(_schema_at(loc, model).get("properties", {}))


def allowed_words(loc: list[Any], model: type[BaseModel]) -> str:
    """The allowed values of a figure in words, or "" if its schema has none."""
    node = _schema_at(loc, model)
    node = node["anyOf"][0] if "anyOf" in node else node
    if "enum" in node:
        return "allowed: " + ", ".join(map(_written, node["enum"]))
    if "minimum" in node and "maximum" in node:
        return f"allowed: whole numbers {node['minimum']}..{node['maximum']}"
    if "properties" in node:
        return f"allowed: a mapping with the keys {', '.join(node['properties'])}"
    if "pattern" in node:
        return f"allowed: {PATTERNS.get(node['pattern'], 'text of the form ' + node['pattern'])}"
    return {
        "boolean": "allowed: true, false",
        "string": "allowed: text",
        "object": "allowed: a mapping of names to values",
    }.get(node.get("type", ""), "")


def list_words(loc: list[Any], model: type[BaseModel]) -> str:
    """What a list is made of, in words, where something else stands in its place."""
    items = allowed_words([*loc, 0], model).removeprefix("allowed: ")
    return f"allowed: a list [...] of {items}" if items else "allowed: a list [...]"


def _written(value: Any) -> str:
    """A word as the file has it: a text that looks like a number is in quotes."""
    return f'"{value}"' if isinstance(value, str) and value.isdecimal() else str(value)
