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


def entry_ruleset(entry: Any, given: AnyRuleset | None, digest: str | None) -> Ruleset:
    """The ruleset given, else the one that a file's entry names; its digest is checked.

    Raises:
        RulesetError: no such ruleset, an invalid one, or one with another digest.
    """
    if given is not None:
        ruleset = load_ruleset(given)
    elif isinstance(entry, str | Path | Ruleset | dict):
        ruleset = load_ruleset(entry)
    else:
        raise RulesetError("ruleset", [f"{quote(entry)}: allowed: a name, a path or an overlay"])
    if digest is not None and digest != ruleset.digest:
        raise RulesetError("ruleset_digest", [f"{quote(digest)}: the ruleset {ruleset.name} has {ruleset.digest!r}"])
    return ruleset


def foreign_ruleset(entry: Any, given: AnyRuleset | None, digest: str | None) -> Ruleset:
    """`entry_ruleset` for a file that a stranger may have written: its entry opens no other file.

    Raises:
        RulesetError: as for `entry_ruleset`, or an entry that is not the name of a built-in
            ruleset and not values, which may be laid over a built-in one.
    """
    name = entry.get("base") if isinstance(entry, dict) else entry
    if given is None and isinstance(name, str | Path) and builtin_file(name) is None:
        rule = "a record names a built-in ruleset or holds its values"
        raise RulesetError("ruleset", [f"{quote(str(name))}: {rule}"])
    return entry_ruleset(entry, given, digest)
