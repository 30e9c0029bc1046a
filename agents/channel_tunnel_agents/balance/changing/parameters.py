"""What is varied of a ruleset, as typed (`barriers.france.a.0=1..4`), and the resulting rulesets.

A number takes numbers; a switch takes words (`tunnel_variant=steal,paired`), or true and false.
"""

from __future__ import annotations

import difflib
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.measuring.measures import check_seats
from channel_tunnel_agents.base import AgentError
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.rulesets.overlay import NAMING_KEYS

MAX_VALUES = 200
EXAMPLE = "barriers.france.a.0=1..4"
NEAR = 3  # names to suggest
LONGEST_NAME = 120  # of a folder's name; a longer one is replaced by the ruleset's digest
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?::(\d+))?")
_NUMBER = re.compile(r"-?\d+")

TRUTH = {"true": True, "false": False}

Setting = int | str  # true and false count as numbers
Value = Setting | None  # None: the ruleset has no number there, such as no limit


class ParameterError(AgentError):
    """A parameter or value that cannot be varied."""


@dataclass(frozen=True)
class Parameter:
    """A number or switch of a ruleset and the values to try: numbers ascending, words as typed."""

    key: str
    values: tuple[Setting, ...]
    base: Value

    def distance(self, value: Setting) -> float:
        """How far a value lies from the base, as a share of the way from the lowest to the highest; 1 for a
        switch that is turned, and where the base has no number."""
        numbers = [number for number in (*self.values, self.base) if type(number) is int]
        if type(self.base) is not int or type(value) is not int:
            return 1.0
        return abs(value - self.base) / max(max(numbers) - min(numbers), 1)


@dataclass(frozen=True, eq=False)
class Point:
    """One setting of all parameters."""

    values: Mapping[str, Value]
    ruleset: Ruleset
    changes: Mapping[str, Setting]
    """The values that differ from the base."""

    @property
    def is_base(self) -> bool:
        """Whether nothing is changed."""
        return not self.changes

    @property
    def name(self) -> str:
        """The setting in words: `barriers.france.a.0=2, discs.hand=9`."""
        return ", ".join(f"{key}={value_text(value)}" for key, value in self.values.items())


def point_folder(point: Point, out: Path) -> Path:
    """The folder of a setting: `points/discs.hand=9,extra_finance=2`."""
    name = ",".join(f"{key}={value_text(value)}" for key, value in point.values.items())
    return out / "points" / (name if len(name) <= LONGEST_NAME else point.ruleset.digest)


def value_text(value: Any) -> str:
    """A value as shown and as used in file names."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "-".join(map(value_text, value))
    return "none" if value is None else str(value)


def read_parameters(words: Sequence[str], base: Ruleset) -> tuple[Parameter, ...]:
    """Parse KEY=VALUES arguments.

    Raises:
        ParameterError: wrong form; a key that is unknown, a name or named twice; or a value that the
            ruleset refuses even if nothing else is changed.
        AgentError: a value that changes the number of seats.
    """
    if not words:
        raise ParameterError(f"--param: none given; expected KEY=VALUES, such as {EXAMPLE}")
    found = tuple(_read_parameter(word, base) for word in words)
    keys = [parameter.key for parameter in found]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ParameterError(f"--param {twice[0]}: given twice; put all its values into one")
    for parameter in found:
        for value in parameter.values:
            check_seats([base, make_point(base, {parameter.key: value}).ruleset])
    return found


def _read_parameter(word: str, base: Ruleset) -> Parameter:
    key, equals, values = word.partition("=")
    if not equals:
        raise ParameterError(f"--param {word}: expected KEY=VALUES, such as {EXAMPLE}")
    if key not in base.flat:
        raise ParameterError(f"--param {key}: no such key in {base.name}{_hint(key, base)}")
    if key in NAMING_KEYS:
        raise ParameterError(f"--param {key}: names the ruleset; only its rules can be varied")
    return Parameter(key, _read_like(base.flat[key], values, word), base.flat[key])


def _read_like(base: Value, text: str, word: str) -> tuple[Setting, ...]:
    """Further values of a figure; the words of a switch in the order in which they are typed."""
    if not isinstance(base, bool | str):
        return read_values(text, word)
    found = tuple(part.strip() for part in text.split(","))
    _refuse_twice(found, word)
    if isinstance(base, str):
        return found
    odd = next((part for part in found if part not in TRUTH), None)
    if odd is not None:
        raise ParameterError(f"--param {word}: {quote(odd)}: allowed: {', '.join(TRUTH)}")
    return tuple(TRUTH[part] for part in found)


def _refuse_twice(values: Sequence[Setting], word: str) -> None:
    if len(set(values)) < len(values):
        raise ParameterError(f"--param {word}: a value is given twice")


def _hint(key: str, base: Ruleset) -> str:
    """A hint: the numbers within a section or list, or the nearest names."""
    numbers = [k for k, value in base.flat.items() if value is None or type(value) is int]
    near = [k for k in numbers if k.startswith(f"{key}.")][:NEAR]
    near = near or difflib.get_close_matches(key, numbers, NEAR)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def read_values(text: str, word: str) -> tuple[int, ...]:
    """`1..4`, `0..20:5` (both ends count) or `1,2,5`: whole numbers, as every number of a ruleset is.

    Args:
        word: the whole argument, for the message.

    Raises:
        ParameterError: wrong form, an empty range, a value given twice, or more than MAX_VALUES.
    """
    found = _RANGE.fullmatch(text)
    values: Sequence[int]
    if found:
        first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if first > last or step < 1:
            wrong = f"from {first} to {last}" if first > last else f"steps of {step}"
            raise ParameterError(f"--param {word}: {wrong}: no values; expected for example 1..4 or 0..20:5")
        values = range(first, last + 1, step)
    else:
        words = [part.strip() for part in text.split(",")]
        odd = next((part for part in words if not _NUMBER.fullmatch(part)), None)
        if odd is not None:
            raise ParameterError(
                f"--param {word}: {odd!r} is not a whole number; expected for example 1..4, 0..20:5 or 1,2,5"
            )
        values = sorted(map(int, words))
        _refuse_twice(values, word)
    if len(values) > MAX_VALUES:
        raise ParameterError(f"--param {word}: {len(values):,} values; at most {MAX_VALUES}")
    return tuple(values)


def grid_size(parameters: Iterable[Parameter]) -> int:
    """Number of settings of all parameters together."""
    return math.prod(len(parameter.values) for parameter in parameters)


def grid(parameters: Sequence[Parameter], base: Ruleset) -> list[Point]:
    """Every setting; the last parameter varies fastest.

    Raises:
        ParameterError: more than MAX_VALUES settings, or one that the ruleset refuses.
    """
    if grid_size(parameters) > MAX_VALUES:
        sizes = " x ".join(str(len(parameter.values)) for parameter in parameters)
        raise ParameterError(f"--param: {sizes} = {grid_size(parameters):,} settings; at most {MAX_VALUES}")
    keys = [parameter.key for parameter in parameters]
    settings = itertools.product(*(parameter.values for parameter in parameters))
    return [make_point(base, dict(zip(keys, setting, strict=True))) for setting in settings]


def base_point(parameters: Iterable[Parameter], base: Ruleset) -> Point:
    """The unchanged ruleset."""
    return Point({parameter.key: parameter.base for parameter in parameters}, base, {})


def make_point(base: Ruleset, values: Mapping[str, Any]) -> Point:
    """The ruleset with these values; a list is set as a whole.

    Raises:
        ParameterError: the ruleset refuses them; the message gives the reason on one line.
    """
    changes = {key: value for key, value in values.items() if value != base.flat.get(key)}
    if not changes:
        return Point(dict(values), base, {})
    setting = "-".join(f"{key}-{value_text(value)}" for key, value in changes.items())
    try:
        ruleset = base.with_values(changes, f"{base.name}-{setting}")
    except RulesetError as error:
        setting = ", ".join(f"{key}={value_text(value)}" for key, value in changes.items())
        raise ParameterError(f"--param {setting}: refused: {error.problems[0]}") from None
    return Point(dict(values), ruleset, changes)
