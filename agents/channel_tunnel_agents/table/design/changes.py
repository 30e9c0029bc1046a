"""Changed fields as a ruleset, and as the overlay file of a version: nothing but what the schema takes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from channel_tunnel_agents.balance.changing.overlay import dump_overlay, make_overlay
from channel_tunnel_agents.table.design.form import Field, fields_of
from channel_tunnel_agents.table.design.game import plain_words
from channel_tunnel_agents.table.design.wrong import name_of, wrong_in_words
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.faces.plain_words import plain_value
from channel_tunnel_env.faces.registry import changes_in_words, find_part
from channel_tunnel_env.outside.documents import quote, shorten
from channel_tunnel_env.outside.hints import did_you_mean
from channel_tunnel_env.rulesets.overlay import CARDS, NAMING_KEYS, changed_title
from channel_tunnel_env.rulesets.ruleset import load_ruleset

SPACE = re.compile(r"[0-9]{1,3}")


class RefusedFields(TableError):
    """Values that the rules do not take.

    Attributes:
        fields: field -> what is allowed there; errors that concern no single field are under "".
        words: the same in the words of the form; without what is no field of it.
    """

    def __init__(self, file: str, found: dict[str, list[str]], known: dict[str, Field]) -> None:
        self.fields = {key: "; ".join(problems) for key, problems in found.items()}
        super().__init__(400, "; ".join(f"{file}: {problem}" for problem in self.fields.values()))
        self.words = {
            key: " ".join(wrong_in_words(problem, known[key], known) for problem in problems)
            if key
            else " ".join(problems)
            for key, problems in found.items()
            if key in known or not key
        }


class RulesetDraft(NamedTuple):
    """A ruleset made of changed fields: the ruleset, and its file."""

    ruleset: Ruleset
    file: str
    changes: dict[str, Any]


def make_draft(base: Ruleset, name: str, changes: dict[str, Any], note: str = "") -> RulesetDraft:
    """The ruleset `name` that changes some fields of `base`.

    Args:
        changes: field -> its new value, as `form` says; those equal to the base's are left out.
        note: what it is for, in a line; kept as the ruleset's title.

    Raises:
        RefusedFields: an unknown field or a value that is not allowed; names file, field, and what is
            allowed.
    """
    file, fields = f"{name}.yaml", fields_of(base)
    unknown = {
        shorten(key): [f"{shorten(key)}: unknown field{did_you_mean(key, fields)}"]
        for key in changes
        if key not in fields
    }
    if unknown:
        raise RefusedFields(file, unknown, fields)
    # A value of the base is no change; true is not 1.
    old = {key: fields[key].value for key in changes}
    new = {key: value for key, value in changes.items() if type(value) is not type(old[key]) or value != old[key]}
    titled = {"title": f"{name}: {note}"} if note else {}
    values = base.plain() | {"name": name, "title": changed_title(name, base.name)} | titled
    for key, value in new.items():
        problem = _misread(fields[key], value)
        if problem:
            raise RefusedFields(file, {key: [problem]}, fields)
        _put(values, key, {int(k): v for k, v in value.items()} if fields[key].kind == "spaces" else value)
    try:
        changed = load_ruleset(values, game=base.spec.name)
        overlay = {"base": base.name, "name": name, **titled}
        overlay |= make_overlay(base.name, base, changed, new)
        return RulesetDraft(load_ruleset(overlay, game=base.spec.name), dump_overlay(overlay), new)
    except RulesetError as error:
        raise RefusedFields(file, _by_field(error.problems, fields), fields) from None


def changes_of(base: Ruleset, other: Ruleset) -> dict[str, Any]:
    """The fields of the base's form that another ruleset has other values for.

    Raises:
        TableError: it differs in more than the form has fields for, such as its cards.
    """
    found = changed_fields(base, other)
    if differing(make_draft(base, other.name, found).ruleset, other):
        raise TableError(409, f"{other.name} differs from {base.name} in more than the form shows")
    return found


def differing(one: Ruleset, other: Ruleset) -> list[str]:
    """The keys of the figures that differ, whether or not the form has them."""
    old, new = one.flat, other.flat
    return sorted(key for key in {*old, *new} if key not in NAMING_KEYS and old.get(key) != new.get(key))


def note_of(ruleset: Ruleset, base: str) -> str:
    """What a version is for, as `make_draft` keeps it; "" if it has no purpose."""
    return note_in(str(ruleset.data.title), ruleset.name, base)


def note_in(title: str, name: str, base: str) -> str:
    """The note that a version's title has after its name."""
    return "" if title == changed_title(name, base) else title.removeprefix(f"{name}: ")


def told_changes(base: Ruleset, other: Ruleset) -> list[str]:
    """What a ruleset changes, in the words of its game; of a game without words of its own, in those of the form."""
    if find_part(base.spec, "rule_words") is not None:
        return changes_in_words(base, other)
    old = fields_of(base)
    return [
        f"{name_of(old[key])}: {_said(value)} instead of {_said(old[key].value)}."
        for key, value in changed_fields(base, other).items()
    ]


def _said(value: Any) -> str:
    return plain_words(plain_value(value))


def changed_fields(base: Ruleset, other: Ruleset) -> dict[str, Any]:
    """The fields of the base's form that have other values in another ruleset, with those values."""
    old, new = fields_of(base), fields_of(other)
    return {k: f.value for k, f in new.items() if k in old and old[k].value != f.value}


def _misread(field: Field, value: Any) -> str:
    """Why a field's JSON cannot be read; "" if it can."""
    if field.kind == "spaces":
        allowed = f"space numbers with {', '.join(field.limits['options'])}"
        fits = isinstance(value, dict) and all(
            SPACE.fullmatch(space) and isinstance(what, str) for space, what in value.items()
        )
    else:  # a mapping would be read as a figure with its source
        allowed, fits = "a plain value", not isinstance(value, dict)
    return "" if fits else f"{field.key}: {quote(value)}: allowed: {allowed}"


def _put(values: dict[str, Any], key: str, value: Any) -> None:
    """Set a field of plain values."""
    *parts, last = key.split(".")
    node: Any = values
    for part in parts:
        if isinstance(node, list):
            node = next(card for card in node if card["card"] == part)
        else:
            node = node[part]
    node[last] = value


def _by_field(problems: list[str], fields: dict[str, Field]) -> dict[str, list[str]]:
    """The problems by the field that each begins with; the longest key that fits."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        key = problem.partition(":")[0]
        near = [name for name in fields if key == name or key.startswith(f"{name}.")]
        near += [name for name in fields if name.startswith(f"{key}.") and key != CARDS]
        name = near[0] if near else ""
        found.setdefault(name, []).append(problem)
    return found
