"""Numbers and names as parts of sentences."""

from __future__ import annotations


def count(number: int) -> str:
    """A whole number with separated thousands."""
    return f"{number:,}"


def listed(names: list[str]) -> str:
    """Names joined as part of a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def capital(words: str) -> str:
    """With a capital, as at the beginning of a sentence."""
    return words[:1].upper() + words[1:]
