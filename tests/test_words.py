"""The project is written as a native technical author writes: the marks of a translated style stay rare.

Read are the strings and docstrings of both packages, and the hand-written pages. A budget is the number of times that
a phrase may occur in 10,000 words; comparable projects have 0 to 2.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("channel_tunnel_env", "agents")
EXCEPT = (
    # (path, why its words are not counted)
    ("docs/reference/rulings-1987.md", "rules, in the words of the rulebook"),
    ("agents/channel_tunnel_agents/balance/", "rewritten with the verdict"),
    ("agents/channel_tunnel_agents/games/tunnel_1987/measuring/", "rewritten with the verdict"),
)
GENERATED = "<!-- Written by "
WORDS = 10_000


class Habit(NamedTuple):
    """A phrase of a translated style.

    Attributes:
        pattern: finds it; lower and upper case differ, because None is a word of Python.
        instead: what to write.
        code, pages: most in 10,000 words.
    """

    pattern: str
    instead: str
    code: float
    pages: float


HABITS = {
    "alone": Habit(r"\b[Aa]lone\b", "only", 2, 3),
    "nobody": Habit(r"\b([Nn]obody|[Nn]either|[Nn]one of)\b", "no X ..., not ... and not ...", 8, 8),
    "whoever": Habit(r"\b([Ww]hoever|[Ww]hatever|[Ww]hom)\b", "name who; regardless of", 1, 3),
    "is told": Habit(r"\b(is|are|was|were) (told|said)\b", "say by whom, to whom", 1, 2),
    "anew": Habit(r"\b[Aa]new\b", "again", 1, 1),
    "so many": Habit(r"\bso many\b", "this many, that number of", 1, 1),
    "speaks": Habit(r"\b[Ss]peaks?\b", "plays, says", 1, 1),
    "Of ...": Habit(r"(?:^|[.!?]\s+|\n\s*\n\s*)Of (?!course)", "In ..., For ...", 1, 1),
    "Where (if)": Habit(r"[a-z\d)][.;] Where (?!is|are|does|do)\w|, where there (?:is|are)\b", "If ..., if", 3, 3),
}


class Place(NamedTuple):
    """A text, and the line on which it begins."""

    path: str
    line: int
    text: str


def _tracked(*endings: str) -> list[str]:
    words = ["git", "ls-files", *(f"*{ending}" for ending in endings)]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.splitlines()


def code_texts() -> Iterator[Place]:
    """Strings of several words, docstrings among them."""
    for path in _tracked(".py"):
        if not path.startswith(PACKAGES) or path.startswith(tuple(left for left, _ in EXCEPT)):
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield Place(path, node.lineno, node.value)


def page_texts() -> Iterator[Place]:
    """Prose of the pages that people write: without tables and blocks of code, which keep their lines, empty."""
    for path in _tracked(".md"):
        if (path != "README.md" and not path.startswith("docs/")) or path in dict(EXCEPT):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if not text.startswith(GENERATED):
            blank = re.compile(r"^```.*?^```$|^\|.*?$|`[^`\n]*`", re.S | re.M)
            yield Place(path, 1, blank.sub(lambda gone: "\n" * gone[0].count("\n"), text))


@cache
def _texts(kind: str) -> tuple[Place, ...]:
    return tuple(code_texts() if kind == "code" else page_texts())


@pytest.mark.parametrize("name", HABITS)
@pytest.mark.parametrize("kind", ["code", "pages"])
def test_a_habit_of_a_translated_style_stays_rare(kind: str, name: str) -> None:
    texts = _texts(kind)
    if not texts:
        pytest.skip("no checkout with git: nothing says which files are the project's")
    habit = HABITS[name]
    found = [
        f"{path}:{line + text.count(chr(10), 0, hit.start())}: {_around(text, hit)}"
        for path, line, text in texts
        for hit in re.finditer(habit.pattern, text)
    ]
    words = sum(len(each.text.split()) for each in texts)
    most = int(getattr(habit, kind) * words / WORDS)
    assert len(found) <= most, (
        f"{len(found)} times {name!r} in {words:,} words, at most {most}; better: {habit.instead}\n" + "\n".join(found)
    )


def _around(text: str, hit: re.Match[str]) -> str:
    return " ".join(text[max(0, hit.start() - 30) : hit.end() + 30].split())


def test_what_is_not_counted_is_there() -> None:
    """An exception goes with what it is for."""
    assert [path for path, why in EXCEPT if not (ROOT / path).exists() or not why] == []
