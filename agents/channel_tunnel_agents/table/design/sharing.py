"""A version as one page for somebody else: what it is, what it changes and what is known of it, with its rules inside.

A web page and no bare ruleset file, because its reader may have nothing but a browser or a telephone: it opens
there, says in words what is changed, and looks at no network. A reader who has the game takes the same file in on the
designer's page (`imports`), or saves the ruleset file out of it.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_agents.table.design.comparison import Compared, shares_of
from channel_tunnel_agents.table.design.imports import DATA, RULES_ID
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.people import seat_name
from channel_tunnel_env.faces.registry import table_of

TEMPLATE = Path(__file__).with_name("shared.html")


def shared_page(found: Compared, *, note: str, game: str, base: str, told: list[str], file: str, at: str) -> str:
    """The page as HTML that needs no network and no script.

    Args:
        found: the version with the report on it, if there is one.
        game: its title.
        told: what the version changes, in words.
        file: its ruleset file.
        at: when it was saved.
    """
    face, shares = table_of(found.ruleset.spec), shares_of(found)[:1]
    return str(
        _template().render(
            shared={
                "name": found.title,
                "note": note,
                "game": game,
                "base": base,
                "told": told,
                "file": file,
                "at": at,
            },
            rules_id=RULES_ID,
            rules=DATA + base64.b64encode(file.encode()).decode(),
            answer=(found.report or {}).get("plain") if not found.as_base else None,
            strongest=shares[0] if shares else None,
            names={seat: seat_name(face, seat) for seat in found.ruleset.seats},
        )
    )


@cache
def _template() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined  # a table without reports needs it not
    except ImportError:
        raise TableError(501, "to share a version: pip install 'channel-tunnel-env[report]'") from None
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return made.from_string(TEMPLATE.read_text(encoding="utf-8"))
