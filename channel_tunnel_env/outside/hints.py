"""Suggestions for mistyped names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_READ = 100  # characters of a name that are compared; time grows with their number
_LEAST_ALIKE = 0.65  # a letter or two; with less alike a guess misleads
_LEAST_BEGINNING = 3  # letters that may stand for a name


def or_known(word: object, known: Iterable[object], most: int = 1) -> str:
    """The end of a message with what is known, behind the nearest name: "; did you mean 'discs'? Known: discs, cards".

    Args:
        word: the unknown name.
        known: the known names.
        most: largest number of suggestions.
    """
    names = [*map(str, known)]
    hint = did_you_mean(word, names, most)
    return f"{hint}{' Known' if hint else '; known'}: {', '.join(names)}"


def did_you_mean(word: object, known: Iterable[object], most: int = 1) -> str:
    """The end of a message, "; did you mean 'discs'?", or "" if no known name is similar.

    Args:
        word: the unknown name.
        known: the known names.
        most: largest number of suggestions, the nearest first.
    """
    typed = str(word)[:_MOST_READ].casefold()
    names = {str(name).casefold(): str(name) for name in known}
    near = difflib.get_close_matches(typed, names, most, _LEAST_ALIKE)
    if len(typed) >= _LEAST_BEGINNING:
        near += [name for name in names if name.startswith(typed) and name not in near]
    if not near:
        return ""
    *first, last = (repr(names[name]) for name in near[:most])
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"
