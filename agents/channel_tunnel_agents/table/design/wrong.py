"""What is wrong of a field, in the words of the form: its name and range as the page shows them, and no keys."""

from __future__ import annotations

import re
from collections.abc import Mapping

from channel_tunnel_agents.table.design.form import Field
from channel_tunnel_agents.table.design.game import plain_words
from channel_tunnel_env.outside.sentences import as_sentence, capital

_ALLOWED = re.compile(r"^(?P<value>.*): allowed: (?P<allowed>.*)$", re.DOTALL)
_QUOTED = re.compile(r"^(?P<value>'[^']*'): (?P<rule>.*)$", re.DOTALL)
_QUOTED_LIST = re.compile(r"^\['[^\]]*\]: (?P<rule>.*)$", re.DOTALL)
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_PLACE = re.compile(r"^\.(\d+)$")
_WITHOUT_QUOTES = "without quotes"
"""How a ruleset's problem ends where a number is written as a text."""


def wrong_in_words(problem: str, field: Field, fields: Mapping[str, Field]) -> str:
    """A problem of a ruleset as it is shown beside a field: "999 is not allowed: a whole number from 1 to 25."

    Args:
        problem: begins with a key, as `RulesetError.problems` do.
        fields: of the form, to name others that the problem is about.
    """
    key, _, told = problem.partition(": ")
    if found := _ALLOWED.match(told):
        value, allowed = found["value"], _allowed(field, found["allowed"])
        at = _PLACE.match(key.removeprefix(field.key))
        where = f" at place {int(at[1]) + 1}" if at else ""
        told = f"{_shown(value)} is not allowed{where}: {allowed}"
    elif found := _QUOTED.match(told):
        told = f"{_shown(found['value'])} is not allowed: {found['rule']}"
    elif found := _QUOTED_LIST.match(told):
        told = found["rule"]
    return as_sentence(plain_words(without_keys(told, fields)))


def _shown(value: str) -> str:
    word = value.strip("'\"")
    if word != value and word and not word.lstrip("-").isdigit():
        return f"\u201c{word}\u201d"
    return {"None": "nothing", "": "nothing", "True": "on", "False": "off"}.get(word, word)


def _allowed(field: Field, told: str) -> str:
    """What is allowed, with the range that the form shows."""
    low, high = field.limits.get("min"), field.limits.get("max")
    if "options" in field.limits and field.kind == "choice":
        called = field.limits.get("names", {})
        written = {o: f'"{o}"' for o in field.limits["options"] if f'"{o}"' in told}
        return ", ".join(written.get(o) or called.get(o, str(o)) for o in field.limits["options"])
    if told.startswith("text of the form"):
        return f"a word such as {field.value[0]}" if field.value else "another word"
    if low is None or not told.startswith("whole numbers"):
        return _RANGE.sub(r"\1 to \2", told)
    some = "a whole number" if field.kind == "number" else "whole numbers"
    found = f"{some} from {low} to {high}" + (", or nothing" if field.limits.get("nullable") else "")
    return f"{found}, {_WITHOUT_QUOTES}" if told.endswith(_WITHOUT_QUOTES) else found


def without_keys(told: str, fields: Mapping[str, Field]) -> str:
    """Keys of fields as their names in the form."""
    for key in sorted(fields, key=len, reverse=True):
        if "." in key and key in told:
            told = told.replace(key, name_of(fields[key]))
    return told


def name_of(field: Field) -> str:
    """A field by its section and its name: "Discs, hand"."""
    if "." not in field.key:
        return field.label
    section = plain_words(field.key.partition(".")[0])
    return f"{capital(section)}, {field.label[0].lower()}{field.label[1:]}"
