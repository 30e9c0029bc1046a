"""The project is written as a native technical author writes: the marks of a translated style stay rare.

Read are the strings and docstrings of both packages, the texts of the table and the designer's page, and every page. A
budget is the number of times that a phrase may occur in 10,000 words; comparable projects have 0 to 2. The pages that people write
address the reader, and are few enough to be read.
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
GENERATED = "<!-- Written by "
WORDS = 10_000


class Habit(NamedTuple):
    """A phrase of a translated style.

    Attributes:
        pattern: finds it; lower and upper case differ, because None is a word of Python.
        instead: what to write.
        code, pages, screens: most in 10,000 words.
    """

    pattern: str
    instead: str
    code: float
    pages: float
    screens: float = 0


HABITS = {
    "alone": Habit(r"\b[Aa]lone\b", "only", 2, 3),
    "nobody": Habit(r"\b([Nn]obody|[Nn]either|[Nn]one of)\b", "no X ..., not ... and not ...", 8, 8),
    "none": Habit(r"\b([Nn]obody|[Nn]either|[Nn]one|[Nn]or)\b", "no X ...", 40, 8, 8),
    "whoever": Habit(r"\b([Ww]hoever|[Ww]hatever|[Ww]hom)\b", "name who; regardless of", 1, 2),
    "is told": Habit(r"\b(is|are|was|were) (told|said)\b", "say by whom, to whom", 1, 2),
    "survives": Habit(r"\bsurvives\?", "significant?", 0, 0),
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
        if not path.startswith(PACKAGES):
            continue
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield Place(path, node.lineno, node.value)


def page_texts() -> Iterator[Place]:
    """Prose of every page, generated ones and rulebooks too, but not of the history of changes."""
    for path in _tracked(".md"):
        if path != "CHANGELOG.md" and not path.startswith("tests/"):
            yield Place(path, 1, _prose((ROOT / path).read_text(encoding="utf-8")))


def _prose(text: str) -> str:
    """A page without tables and code, whose lines stay, empty."""
    return _emptied(r"^```.*?^```$|^\|.*?$|`[^`\n]*`", text)


def _emptied(pattern: str, text: str) -> str:
    return re.sub(pattern, lambda gone: "\n" * gone[0].count("\n"), text, flags=re.S | re.M)


def screen_texts() -> Iterator[Place]:
    """What the pages of the table show: strings of several words in scripts, and the text between tags."""
    for path in _tracked(".js", ".html"):
        if not path.startswith(PACKAGES):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if path.endswith(".html"):
            yield Place(path, 1, _emptied(r"<(script|style)\b.*?</\1>|<[^>]*>|\{[%{#].*?[%}#]\}", text))
            continue
        for string in re.finditer(r"\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`", _emptied(r"^\s*//.*?$", text)):
            if " " in string[0].strip():
                yield Place(path, 1 + text.count("\n", 0, string.start()), string[0])


@cache
def _texts(kind: str) -> tuple[Place, ...]:
    return tuple({"code": code_texts, "pages": page_texts, "screens": screen_texts}[kind]())


@pytest.mark.parametrize("name", HABITS)
@pytest.mark.parametrize("kind", ["code", "pages", "screens"])
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


MOST_WORDS = {"README.md": 700, "CONTRIBUTING.md": 2_000, "docs/reference/guarantees.md": 500}
MOST_BY_HAND = 32_000  # README and docs, as `wc -w` counts
LEAST_YOU = 100  # in 10,000 words


def by_hand() -> dict[str, str]:
    """README and the pages that people write, by path."""
    paths = [path for path in _tracked(".md") if path == "README.md" or path.startswith("docs/")]
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}
    return {path: text for path, text in texts.items() if not text.startswith(GENERATED)}


@pytest.mark.parametrize("path", MOST_WORDS)
def test_a_page_that_everybody_reads_stays_short(path: str) -> None:
    assert len((ROOT / path).read_text(encoding="utf-8").split()) <= MOST_WORDS[path]


def test_what_people_write_can_be_read() -> None:
    words = {path: len(text.split()) for path, text in by_hand().items()}
    longest = sorted(words.items(), key=lambda item: -item[1])[:12]
    assert sum(words.values()) <= MOST_BY_HAND, f"{sum(words.values()):,} words; the longest pages: {longest}"


@pytest.mark.parametrize("folder", ["tutorials", "how-to"])
def test_pages_that_show_how_address_the_reader(folder: str) -> None:
    text = " ".join(_prose(text) for path, text in by_hand().items() if f"docs/{folder}/" in path)
    said, words = len(re.findall(r"\byou(r|rs)?\b", text, re.IGNORECASE)), len(text.split())
    assert words and said * WORDS / words > LEAST_YOU
