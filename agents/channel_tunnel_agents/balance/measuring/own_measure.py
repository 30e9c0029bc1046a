"""A measure of one's own: an expression over a game's measures, computed game by game.

    score_france / rounds        laid_blue_france > 5        max(cards_britain, cards_france) - 2

Python reads the expression and we compute it, so nothing but numbers, measures and the signs below can stand in it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from channel_tunnel_agents.balance.measuring.measure import Floats, Measure, Values
from channel_tunnel_agents.base import AgentError
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.outside.hints import did_you_mean

LONGEST = 200  # characters
MOST = 1e9  # of a number
_NAME = re.compile(r"[A-Za-z_]\w*")


def _divided(one: Floats, other: Floats) -> Floats:
    """0 where the divisor is 0: there is no rate in a game without any, and one such game must not spoil the mean."""
    return np.divide(one, other, out=np.zeros_like(one), where=other != 0)


_COMPUTED: Mapping[object, Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: _divided,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.USub: np.negative,
    ("abs", 1): np.abs,
    ("min", 2): np.minimum,
    ("max", 2): np.maximum,
}
"""What computes a sign, or a function of so many values."""
_FUNCTIONS = ("abs", "min", "max")


def is_expression(name: str) -> bool:
    """Whether a word is an expression: it has something that no measure's name has."""
    return not _NAME.fullmatch(name)


def own_measure(text: str, known: Mapping[str, Measure]) -> Measure:
    """The measure that an expression describes.

    Args:
        text: the expression; it is the measure's name.
        known: the measures that it may name, by name.

    Returns:
        Its values are shares, 0 or 1 in each game, if the expression compares two things.

    Raises:
        AgentError: not such an expression, or it names something that is no measure of each single game.
    """
    if len(text) > LONGEST:
        raise AgentError(f"measure {quote(text[:20])}...: {len(text)} characters; an expression has at most {LONGEST}")
    try:
        if not text.isprintable():  # such as a line break, which would break a table
            raise ValueError
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise AgentError(f"measure {quote(text)}: not an expression such as score_france / rounds") from None
    names = dict.fromkeys(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in _FUNCTIONS
    )
    if not names:
        raise AgentError(f"measure {quote(text)}: it names no measure, so it is the same in every game")
    values = _read(tree, text, known)
    title = _NAME.sub(lambda word: f"({known[word[0]].title})" if word[0] in names else word[0], ast.unparse(tree))
    if any(isinstance(node, ast.Div) for node in ast.walk(tree)):
        title += ", where a division by 0 gives 0"
    return Measure(text, title, "share" if isinstance(tree, ast.Compare) else "", values)


def _read(node: ast.expr, text: str, known: Mapping[str, Measure]) -> Values:
    what: object = None
    parts: list[ast.expr] = []
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and abs(number) <= MOST:
            return lambda games: np.full(len(games), float(number))
        case ast.Name(id=name):
            return _values_of(name, text, known)
        case ast.UnaryOp(op=sign, operand=only):
            what, parts = type(sign), [only]
        case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]):
            what, parts = type(sign), [left, right]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            what = name, len(parts)
    compute = _COMPUTED.get(what)
    if compute is None:
        raise AgentError(
            f"measure {quote(text)}: {quote(ast.unparse(node))}: allowed are measures, numbers up to {MOST:,.0f}, "
            "+ - * /, one of < <= > >= == !=, abs(a), min(a, b) and max(a, b)"
        )
    values = [_read(part, text, known) for part in parts]

    def of(games: pd.DataFrame) -> Floats:
        return np.asarray(compute(*(each(games) for each in values)), np.float64)

    return of


def _values_of(name: str, text: str, known: Mapping[str, Measure]) -> Values:
    if name not in known:
        raise AgentError(f"measure {quote(text)}: {quote(name)}: no measure of this game{did_you_mean(name, known, 3)}")
    if known[name].estimator is not None:
        raise AgentError(f"measure {quote(text)}: {name} is no figure of a single game")
    return known[name].of
