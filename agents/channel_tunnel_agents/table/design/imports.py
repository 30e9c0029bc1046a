"""A file that somebody sends, as a version: a ruleset file, or a page that was shared (see `sharing`).

Refusals are listed line by line, in the words of the form.
"""

from __future__ import annotations

import base64
import binascii
import re
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from channel_tunnel_agents.table.design.changes import RefusedFields, changed_fields, differing, make_draft, note_of
from channel_tunnel_agents.table.design.form import Field, fields_of
from channel_tunnel_agents.table.design.game import plain_words
from channel_tunnel_agents.table.design.wrong import name_of, without_keys, wrong_in_words
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.games import DEFAULT_GAME, is_game
from channel_tunnel_env.outside.documents import parse_yaml, shorten
from channel_tunnel_env.outside.sentences import as_sentence
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets, load_ruleset

RULES_ID = "rules"
"""The id of the link that holds the ruleset file in a shared page."""
DATA = "data:application/yaml;base64,"
MOST_LINES = 8  # of a refusal
_AT = re.compile(r"^line (\d+), column \d+(?: of [^:]+)?: ")
_BEGINS_A_PAGE = ("<!doctype html", "<html")
_LACKS = re.compile(r"^no base:|: missing;")
_UNKNOWN = re.compile(r"^(?P<key>[^:]+): unknown key(?P<hint>.*)$", re.DOTALL)
_NO_RULES = "This is no ruleset file: it has no line such as base: standard."
_NO_BASE = (
    "It does not say which rules it changes, and it does not give every number itself. Its first line should be like this one: "
    "base: {}."
)


class RefusedFile(Exception):
    """A file that cannot be taken in.

    Attributes:
        lines: where and why, a sentence each.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__(" ".join(lines))
        self.lines = lines


class TakenIn(NamedTuple):
    """A file's ruleset: the base that it changes, what it changes, and its text for a version of this name."""

    name: str
    base: str
    changes: dict[str, Any]
    note: str
    file: str


def take_in(text: str, bases: list[str]) -> TakenIn:
    """The ruleset of a file.

    Args:
        text: of the file.
        bases: names of the rulesets that a version may change.

    Raises:
        RefusedFile: it is none, or has something that the form has no field for.
    """
    file = _rules_in(text)
    try:
        document = parse_yaml(file, "the file")
    except DocumentError as error:
        raise RefusedFile(f"This is no ruleset file: {error.problem}.") from None
    content = document.content
    if not isinstance(content, dict):
        raise RefusedFile(_NO_RULES)
    base = content.get("base")
    if base is not None and base not in bases:
        place = document.place(["base"])
        at = "" if place is None else f"Line {place.line}: "
        raise RefusedFile(
            f"{at}It is based on \u201c{shorten(base)}\u201d, which is not in the file. A version changes one of "
            f"{', '.join(bases)}."
        )
    ruleset = _load(file, content)
    named = base or _nearest(ruleset)
    rules = load_ruleset(named)
    changes = _changes(rules, ruleset)
    note = note_of(ruleset, named)
    if base is None:
        file = make_draft(rules, ruleset.name, changes, note).file
    return TakenIn(ruleset.name, named, changes, note, file)


def _rules_in(text: str) -> str:
    """The ruleset file in a shared page; any other text is one itself."""
    if not text.lstrip("\ufeff \n\r\t")[:20].lower().startswith(_BEGINS_A_PAGE):
        return text
    found = _Link()
    found.feed(text)
    try:
        rules = base64.b64decode(found.data.removeprefix(DATA), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        rules = ""
    if not rules:
        raise RefusedFile("This page holds no rules: only a page that was made with \u201cShare\u201d does.")
    return rules


class _Link(HTMLParser):
    """Finds the link with the rules."""

    data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "a" and named.get("id") == RULES_ID:
            self.data = named.get("href") or ""


def _load(file: str, content: dict[Any, Any]) -> Ruleset:
    """The ruleset of a file, or a refusal with every line of it that is wrong, in the words of the form."""
    with TemporaryDirectory(prefix="channel_tunnel-import-") as folder:
        path = Path(folder) / "the-file.yaml"
        path.write_text(file, encoding="utf-8")
        try:
            return load_ruleset(path)
        except RulesetError as error:
            problems = error.problems
    if content.get("base") is None and any(_LACKS.search(problem) for problem in problems):
        raise RefusedFile(_NO_BASE.format(_usual_base(content)))
    fields = fields_of(load_ruleset(content.get("base") or _usual_base(content)))
    shown = [_in_words(problem, fields) for problem in problems[:MOST_LINES]]
    more = len(problems) - len(shown)
    raise RefusedFile(*shown, *([f"And {more} more."] if more > 0 else []))


def _usual_base(content: dict[Any, Any]) -> str:
    """A ruleset of the game that a file names, which need not be one."""
    game = content.get("game", DEFAULT_GAME)
    return builtin_rulesets(game)[0] if is_game(game) and game != DEFAULT_GAME else "standard"


def _in_words(problem: str, fields: dict[str, Field]) -> str:
    """Such as "Line 3: Discs, hand: 999 is not allowed: a whole number from 1 to 25."."""
    found = _AT.match(problem)
    where, problem = (f"Line {found[1]}: ", problem[found.end() :]) if found else ("", problem)
    if unknown := _UNKNOWN.match(problem):
        named = plain_words(unknown["key"].replace(".", ", "))
        return f"{where}There is no \u201c{named}\u201d{unknown['hint'].rstrip('?')}" + (
            "?" if unknown["hint"] else "."
        )
    key = problem.partition(":")[0]
    field = next((f for k, f in fields.items() if f"{key}.".startswith(f"{k}.")), None)
    if field is None:  # not of one field
        rest = problem.removeprefix(key)
        return f"{where}{as_sentence(plain_words(key.replace('.', ', ') + without_keys(rest, fields)))}"
    return f"{where}{name_of(field)}: {wrong_in_words(problem, field, fields)}"


def _nearest(ruleset: Ruleset) -> str:
    """The base of the ruleset's game that it changes least."""
    return min(builtin_rulesets(ruleset.spec.name), key=lambda name: len(differing(load_ruleset(name), ruleset)))


def _changes(base: Ruleset, ruleset: Ruleset) -> dict[str, Any]:
    """What a file changes; refused if it is something that the form has no field for."""
    changes = changed_fields(base, ruleset)
    try:
        other = differing(make_draft(base, ruleset.name, changes).ruleset, ruleset)
    except RefusedFields as error:
        raise RefusedFile(*error.words.values()) from None
    if other:
        named = ", ".join(plain_words(key.replace(".", " ")) for key in other[:MOST_LINES])
        raise RefusedFile(f"It changes what this page has no field for: {named}.")
    return changes
