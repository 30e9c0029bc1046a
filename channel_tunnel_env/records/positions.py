"""Positions of any game: their files, and the ruleset that one names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from channel_tunnel_env.errors import PositionError, RulesetError
from channel_tunnel_env.outside.documents import quote, read_yaml
from channel_tunnel_env.outside.terminal import printable
from channel_tunnel_env.rulesets.entry import entry_ruleset
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset

USUAL = "standard"
"""The ruleset of a position that names none."""


@contextmanager
def position_file(path: Path) -> Iterator[dict[str, Any]]:
    """The position in a YAML file; what is wrong with it, found while it is used, is reported with the file's name.

    Raises:
        DocumentError: no YAML, or no mapping.
        PositionError: it is wrong.
    """
    position = read_yaml(path).mapping("a position file")
    try:
        yield position
    except PositionError as error:
        raise PositionError(f"{printable(str(path))}: {error}") from None


def position_rules(position: Mapping[str, Any], ruleset: AnyRuleset | None = None, usual: str = USUAL) -> Ruleset:
    """The ruleset of a position.

    Args:
        ruleset: replaces the one that the position names.
        usual: of a position that names none.

    Raises:
        RulesetError: no such ruleset, or an invalid one.
        PositionError: no mapping.
    """
    _check_mapping(position)
    return entry_ruleset(position.get("ruleset", usual), ruleset, None)


def check_game(position: Any, wanted: str) -> None:
    """Refuse a position whose ruleset is of another game; one whose ruleset cannot be read is left to its reader.

    Raises:
        PositionError: says which game it is of, or that it is no mapping.
    """
    _check_mapping(position)
    if "ruleset" not in position:
        return
    try:
        found = entry_ruleset(position["ruleset"], None, None)
    except RulesetError:
        return
    if found.spec.name != wanted:
        raise PositionError(
            f"ruleset: {found.name} is of the game {found.spec.name}; a position of {wanted} is expected"
        )


def _check_mapping(position: Any) -> None:
    if not isinstance(position, Mapping):
        raise PositionError(f"position: {quote(position)}; allowed: a mapping of keys to values")
