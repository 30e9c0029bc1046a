"""What every command has that runs a function: code from elsewhere is named, and a ruleset may come as an option.

A command whose `ruleset` is positional takes it as `--ruleset` as well: `report my.yaml`, `report --ruleset my.yaml`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, get_type_hints

from tyro.conf import Positional, UseAppendAction, arg

from channel_tunnel_env.errors import RulesetError
from channel_tunnel_env.outside.foreign import foreign_code

RULESET, OPTION = "ruleset", "ruleset_option"
RulesetFirst = Annotated[Positional[str], arg(metavar="[RULESET]")]
"""The type of the `ruleset` of a command that takes it as its first word."""
RulesetsFirst = Annotated[Positional[tuple[str, ...]], arg(metavar="[RULESET ...]")]
"""The same, of several."""


def command_to_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command as tyro is to see it."""
    return _with_ruleset_option(foreign_code()(command))


def _with_ruleset_option(command: Callable[..., Any]) -> Callable[..., Any]:
    kinds = get_type_hints(command, include_extras=True)
    if kinds.get(RULESET) not in (RulesetFirst, RulesetsFirst):
        return command
    is_one = kinds[RULESET] == RulesetFirst
    signature = inspect.signature(command)
    first = signature.parameters[RULESET]
    usual = "" if first.default is first.empty else first.default

    @wraps(command)
    def run(*given: Any, **named: Any) -> Any:
        option = named.pop(OPTION)
        words = signature.bind(*given, **named).arguments
        said = words[RULESET] + option
        words[RULESET] = _one_of(said, usual, command.__name__) if is_one else said
        return command(**words)

    # All words that are no options are taken as one tuple: with a default among them tyro could not tell a ruleset
    # that was asked for from the usual one.
    added = inspect.Parameter(OPTION, inspect.Parameter.KEYWORD_ONLY, default=())
    taken = {**signature.parameters, RULESET: first.replace(default=()), OPTION: added}
    run.__signature__ = signature.replace(parameters=[*taken.values()])  # type: ignore[attr-defined]
    run.__annotations__ = {
        **kinds,
        OPTION: Annotated[
            UseAppendAction[tuple[str, ...]],
            arg(
                name=RULESET,
                metavar="RULESET",
                help="The same as the argument.",
                help_behavior_hint="" if is_one else "(repeatable)",
            ),
        ],
    }
    if is_one:
        run.__annotations__[RULESET] = Annotated[
            Positional[tuple[str, ...]],
            arg(
                metavar="[RULESET]" if usual else "RULESET",
                help_behavior_hint=f"(default: {usual})" if usual else "(required)",
            ),
        ]
    del run.__wrapped__  # whose annotations tyro would read
    return run


def _one_of(said: Sequence[str], usual: str, command: str) -> str:
    """The ruleset of a command.

    Raises:
        RulesetError: two, or none.
    """
    wanted = [*dict.fromkeys(said)] or [usual]
    if len(wanted) > 1:
        both = " and ".join(wanted)
        raise RulesetError(command, [f"{len(wanted)} rulesets, {both}; one is needed"])
    if not wanted[0]:
        raise RulesetError(command, ["a ruleset is needed: a name or a YAML file"])
    return wanted[0]
