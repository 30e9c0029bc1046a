"""Suggestions for mistyped names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_READ = 100  # characters of a name that are compared; time grows with their number


def did_you_mean(word: object, known: Iterable[object], most: int = 1) -> str:
    """The end of a message, "; did you mean 'discs'?", or "" if no known name is similar.

    Args:
        word: the unknown name.
        known: the known names.
        most: largest number of suggestions, the nearest first.
    """
    near = difflib.get_close_matches(str(word)[:_MOST_READ], [str(k) for k in known], most, 0.5)
    if not near:
        return ""
    *first, last = map(repr, near)
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"
