"""The rules of a game, called by name, so that the same loops serve every game.

A verb is a stub that the loops call. `bind` names the compiled functions that stand for the verbs
where the record has a game's type. Numba looks them up by the type of `state` when it compiles a
loop, so a verb costs no more than a direct call; plain Python (NUMBA_DISABLE_JIT=1) looks them up at
every call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.errors import TypingError
from numba.extending import overload

from channel_tunnel_env.core.kernel_cache import watch_sources
from channel_tunnel_env.core.rule_compiler import RuleCompiler

F = TypeVar("F", bound=Callable[..., Any])

_VERBS: list[str] = []
_BY_TYPE: dict[Any, dict[str, Any]] = {}  # numba's type of a record -> its game's functions
_BY_FIELDS: dict[Any, dict[str, Any]] = {}  # names of its fields -> the same


def bind(dtype: np.dtype[Any], **functions: Callable[..., Any]) -> None:
    """Name the functions of a game.

    Args:
        dtype: of the game's record.
        functions: one per verb, made by `jit.compiled`.

    Raises:
        ValueError: a verb is missing or unknown.
    """
    # Here and not at the first call, where numba would say it in its own words.
    if set(functions) != set(_VERBS):
        raise ValueError(f"verbs {', '.join(sorted(functions))}; expected {', '.join(_VERBS)}")
    record_type = numba.from_dtype(dtype)
    # A game of another package becomes part of the same loops, so its sources count for their cache, too.
    watch_sources(record_type, _plain(functions["apply_action"]))
    _BY_TYPE[record_type] = functions
    _BY_FIELDS[dtype.names] = functions  # interpreted, a record is known by its fields only


def is_bound(dtype: np.dtype[Any]) -> bool:
    """Whether a game has bound its rules to this type of record."""
    return dtype.names in _BY_FIELDS and numba.from_dtype(dtype) in _BY_TYPE


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A rule as it was written, compiled or not."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


def _verb(stub: F) -> F:
    name = stub.__name__
    _VERBS.append(name)
    if numba.config.DISABLE_JIT:
        return lambda state, *rest: _BY_FIELDS[state.dtype.names][name](state, *rest)  # type: ignore[return-value]

    def find(state: Any, *rest: Any) -> Callable[..., Any]:
        if state not in _BY_TYPE:
            raise TypingError(f"{name}: no game has bound its rules to the record {state}")
        return _plain(_BY_TYPE[state][name])  # `overload` takes functions of Python

    # Not strict: `find` serves every verb, so its signature is not that of the function it finds.
    overload(stub, strict=False, jit_options={"pipeline_class": RuleCompiler})(find)
    return stub


@_verb
def set_up(state, rules, work):
    """Deal a record that is zeroed but for its keyed streams and its ruleset."""


@_verb
def list_legal(state, rules, work):
    """Write the legal ids to `work.legal`, ascending; returns their number, 0 when the game is over."""


@_verb
def is_asked(state, rules):
    """Whether a decision with one answer is put to the player all the same."""


@_verb
def apply_action(state, rules, action, work):
    """Do a legal action."""


@_verb
def is_over(state):
    """Whether the game has ended."""


@_verb
def fill_result(state, rules, rewards, row):
    """Write what each seat gets to float32[row, S]; zeros while the game goes on.

    A game for two gives 1 and -1, or 0 each, or the stakes: what one seat wins of the other. Others may give shares, or
    what their rules say.
    """


@_verb
def fill_scores(state, rules, seat, out):
    """Write a seat's points by source to `out`; returns the total."""


@_verb
def fill_observation(state, rules, viewer, work, observations, row):
    """Write what a seat sees to float32[row, D]."""


@_verb
def determinize(state, rules, viewer, seed, work):
    """Deal again what a seat cannot know, future luck included."""
