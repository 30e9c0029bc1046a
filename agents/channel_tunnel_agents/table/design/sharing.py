"""A version as one page for somebody else: what it is, what it changes and what is known of it, with its rules inside.

A web page and no bare ruleset file, because its reader may have nothing but a browser or a telephone: it opens
there, says in words what is changed, and looks at no network. A reader who has the game takes the same file in on the
designer's page (`imports`), or saves the ruleset file out of it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_agents.table.design.comparison import Compared, shares_of
from channel_tunnel_agents.table.design.imports import DATA, RULES_ID
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.people import seat_name
from channel_tunnel_env.faces.registry import table_of

TEMPLATE = Path(__file__).with_name("shared.html")


@dataclass(frozen=True)
class Shared:
    """What a page says.

    Attributes:
        game: its title.
        told: what the version changes, in words.
        file: its ruleset file.
        found: the version with the report on it, if there is one.
        at: when it was saved.
    """

    name: str
    note: str
    game: str
    base: str
    told: list[str]
    file: str
    found: Compared
    at: str


def shared_page(shared: Shared) -> str:
    """The page as HTML that needs no network and no script."""
    report = shared.found.report or {}
    return str(
        _template().render(
            shared=shared,
            rules_id=RULES_ID,
            rules=DATA + base64.b64encode(shared.file.encode()).decode(),
            answer=report.get("plain") if not shared.found.as_base else None,
            levels=_levels(shared.found),
        )
    )


def _levels(found: Compared) -> list[dict[str, Any]]:
    """Who played, the strongest first, with the share of every seat."""
    face = table_of(found.ruleset.spec)
    return [
        {
            "name": each["name"],
            "deals": each["deals"],
            "seats": [{"name": seat_name(face, seat), **_percent(share)} for seat, share in each["seats"].items()],
        }
        for each in shares_of(found)
    ]


def _percent(share: Mapping[str, float]) -> dict[str, float]:
    return {end: 100 * share[end] for end in ("value", "low", "high")}


@cache
def _template() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined  # a table without reports needs it not
    except ImportError:
        raise TableError(501, "to share a version: pip install 'channel-tunnel-env[report]'") from None
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return made.from_string(TEMPLATE.read_text(encoding="utf-8"))
