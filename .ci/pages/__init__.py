"""The generated pages of the reference, each written from the live objects it describes."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

from channel_tunnel_env.rulesets.ruleset import Ruleset, builtin_rulesets, load_ruleset
from pages.games import GamePages

NOTE = "<!-- Written by `make docs`; change the code that it reads, not this page. -->"


def page(title: str, *parts: str) -> str:
    """A whole page: the note, the title and the parts, separated by empty lines."""
    return "\n\n".join([NOTE, f"# {title}", *(part for part in parts if part)]) + "\n"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table; bars within cells are escaped."""
    lines = [head, ["---"] * len(head), *[[cell.replace("|", "\\|") for cell in row] for row in rows]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def block(code: str, language: str = "python") -> str:
    """A fenced block."""
    return f"```{language}\n{code.strip()}\n```"


def example(code: str) -> str:
    """A block of Python and, below it, what it prints, which is found by running it."""
    shown = io.StringIO()
    with redirect_stdout(shown):
        exec(compile(code, "an example of the reference", "exec"), {"__name__": "__main__"})
    return f"{block(code)}\n\n{block(shown.getvalue().rstrip(), 'text')}"


# --- what all pages take from the live objects ----------------------------------------------------


def rules_of(game: GamePages) -> Ruleset:
    """The ruleset that the pages of a game show."""
    return load_ruleset(game.ruleset)


def rulesets_of(game: GamePages) -> list[Ruleset]:
    """Every built-in ruleset of a game, the shown one first."""
    shown = rules_of(game)
    return [shown, *(load_ruleset(n) for n in builtin_rulesets(game.name) if n != shown.name)]


def ids(start: int, size: int) -> str:
    """A range of ids."""
    return f"{start}-{start + size - 1}" if size > 1 else str(start)


def listed(words: list[str] | tuple[str, ...]) -> str:
    """Words as code with commas between."""
    return ", ".join(f"`{word}`" for word in words)
