"""What every command has that runs a function: code from elsewhere is named, and a ruleset may come as an option.

A command whose `ruleset` is positional takes it as `--ruleset` as well: `report my.yaml`, `report --ruleset my.yaml`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
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
_HELP = "The same, as an option."
_OPTIONS: dict[Any, Any] = {
    RulesetFirst: Annotated[str, arg(name=RULESET, metavar="RULESET", help=_HELP)],
    RulesetsFirst: Annotated[
        UseAppendAction[tuple[str, ...]], arg(name=RULESET, metavar="RULESET", help=_HELP)
    ],
}


class _Usual(str):
    """The ruleset of a command that was given none; "" if it needs one."""


def command_to_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command as tyro is to see it."""
    return _with_ruleset_option(foreign_code()(command))


def _with_ruleset_option(command: Callable[..., Any]) -> Callable[..., Any]:
    kinds = get_type_hints(command, include_extras=True)
    kind = kinds.get(RULESET)
    if kind not in _OPTIONS:
        return command
    signature = inspect.signature(command)
    first = signature.parameters[RULESET]
    none: Any = "" if kind == RulesetFirst else ()
    usual = none if first.default is first.empty else first.default
    if kind == RulesetFirst:
        usual = _Usual(usual)

    @wraps(command)
    def run(*given: Any, **named: Any) -> Any:
        option = named.pop(OPTION)
        words = signature.bind(*given, **named).arguments
        words[RULESET] = _chosen(words[RULESET], option, command.__name__)
        return command(**words)

    added = inspect.Parameter(OPTION, inspect.Parameter.KEYWORD_ONLY, default=none)
    taken = {**signature.parameters, RULESET: first.replace(default=usual), OPTION: added}
    run.__signature__ = signature.replace(parameters=[*taken.values()])  # type: ignore[attr-defined]
    run.__annotations__ = {**kinds, OPTION: _OPTIONS[kind]}
    if not usual and kind == RulesetFirst:
        run.__annotations__[RULESET] = Annotated[Positional[str], arg(metavar="RULESET")]
    del run.__wrapped__  # type: ignore[attr-defined]  # whose annotations tyro would read
    return run


def _chosen(said: Any, option: Any, command: str) -> Any:
    """The ruleset, or rulesets, of a command.

    Raises:
        RulesetError: two for one, or none.
    """
    if isinstance(said, tuple):
        return said + option
    if option and not isinstance(said, _Usual) and option != said:
        raise RulesetError(command, [f"two rulesets, {said} and {option}; one is needed"])
    chosen = option or said
    if not chosen:
        raise RulesetError(command, ["a ruleset is needed: a name or a YAML file"])
    return str(chosen)
