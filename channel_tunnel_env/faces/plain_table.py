"""The table of a game that draws nothing: its text as the board, a button for every legal action.

It knows of a game only what `Game` says of itself. So it is careful: only seats see a position, and no
decision can be taken back, for it cannot tell what came to light.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from channel_tunnel_env.faces.plain_words import result_words
from channel_tunnel_env.faces.table import ALL, PUBLIC, Entry
from channel_tunnel_env.outside.sentences import title

EXTRAS: frozenset[str] = frozenset()
LAYOUTS = ("table", "phone")
IN_PHASES = False
_HIDDEN = "Who holds no seat sees the moves alone."
seat_title = title


def rulebook(ruleset: Any) -> Sequence[dict[str, Any]]:
    """No sections."""
    return ()


def goal(ruleset: Any) -> Sequence[str]:
    """The title of the rules."""
    return str(ruleset.data.title), f"For {ruleset.num_seats} players."


def seat_words(ruleset: Any, seat: str) -> str:
    """Nothing."""
    return ""


def rule_sentences(ruleset: Any) -> dict[str, Any]:
    """None: nothing is drawn."""
    return {}


def draw(game: Any, viewer: str, layout: str, before: Callable[[], Any] | None = None) -> str:
    """The text of the position as a seat knows it."""
    if viewer == PUBLIC:
        text = f"{question(game)}\n{_HIDDEN}"
    else:
        text = game.render(None if viewer == ALL else viewer)
    return f'<pre class="plain-board">{escape(text)}</pre>'


def moves(game: Any) -> list[dict[str, Any]]:
    """The legal actions by their names, each a button."""
    return [
        {"action": name, "words": name, "group": "", "paths": [[f"button:{name}"]]} for name in game.legal_actions()
    ]


def question(game: Any) -> str:
    """The phase; how the game ended."""
    if game.is_over:
        return f"{result_words(game)}."
    return f"{seat_title(str(game.to_play))}: {str(game.phase).replace('_', ' ')}"


def opening(game: Any) -> Sequence[str]:
    """Nothing."""
    return ()


def narrate(before: Any, action: int, after: Any) -> Entry:
    """The decision by its name, which only the seat that took it may read."""
    clock, _ = before.spec.record.clock
    name = before.spec.actions.names[action]
    return Entry(str(before.to_play), int(before.states[clock][0]), "decides", secret=name, turn=True, action=name)


def ending(game: Any, seat: str | None) -> dict[str, str]:
    """Who won, and the points."""
    points = ", ".join(f"{seat_title(s)} {p['total']}" for s, p in game.scores().items())
    if seat is None:
        title = f"{seat_title(game.winner)} wins" if game.winner else "Nobody wins alone"
    else:
        title = "You win" if game.winner == seat else "You do not win"
    return {"title": title, "why": str(game.end_cause).replace("_", " "), "points": points}


def why_not(game: Any, clicks: tuple[str, ...]) -> str:
    """That something else is asked."""
    return f"{question(game)}."


def came_to_light(before: Any, after: Any) -> str:
    """Always something."""
    return "what the rivals saw of it"
