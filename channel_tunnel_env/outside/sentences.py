"""Words put together as part of a sentence, for errors, pages and reports of every game."""

from __future__ import annotations

from collections.abc import Sequence


def capital(words: str) -> str:
    """With a capital, as at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def title(key: str | None) -> str:
    """A key as a heading: "heavy_machinery" -> "Heavy machinery"."""
    return str(key).replace("_", " ").capitalize()


def counted(number: int, what: str) -> str:
    """ "1 point", "2 points"."""
    return f"{number} {what}" + "s" * (abs(number) != 1)


def as_sentence(words: str) -> str:
    """With a capital and a full stop, unless it ends as a sentence already."""
    return capital(words) + ("" if words.endswith((".", "!", "?")) else ".")


def listed(names: Sequence[str]) -> str:
    """Names joined as part of a sentence: "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
