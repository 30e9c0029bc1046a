"""How files name the ruleset that they were made under."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from channel_tunnel_env.errors import RulesetError
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, builtin_file, load_ruleset


def is_builtin(ruleset: Ruleset) -> bool:
    """The ruleset is one that comes with the package, unchanged."""
    found = builtin_file(ruleset.name)
    return found is not None and load_ruleset(ruleset.name).digest == ruleset.digest


def ruleset_entry(ruleset: Ruleset) -> str | dict[str, Any]:
    """How a file names its ruleset: the name of a built-in one, else every value."""
    return ruleset.name if is_builtin(ruleset) else ruleset.plain()


def _with_number_keys(node: Any) -> Any:
    """Restore number keys: JSON has only text keys, but a track's spaces are numbered."""
    if isinstance(node, dict):
        return {
            int(k) if isinstance(k, str) and k.isdigit() else k: _with_number_keys(v)
            for k, v in node.items()
        }
    return [_with_number_keys(v) for v in node] if isinstance(node, list) else node


def entry_ruleset(entry: Any, given: AnyRuleset | None, digest: str | None) -> Ruleset:
    """The ruleset given, else the one that a file's entry names; its digest is checked.

    Raises:
        RulesetError: no such ruleset, an invalid one, or one with another digest.
    """
    if given is not None:
        ruleset = load_ruleset(given)
    elif isinstance(entry, str | Path | Ruleset | dict):
        ruleset = load_ruleset(_with_number_keys(entry))
    else:
        raise RulesetError("ruleset", [f"{quote(entry)}: allowed: a name, a path or an overlay"])
    if digest is not None and not ruleset.has_digest(digest):
        raise RulesetError(
            "ruleset_digest",
            [f"{quote(digest)}: the ruleset {ruleset.name} has {ruleset.digest!r}"],
        )
    return ruleset
