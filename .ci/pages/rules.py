"""reference/GAME/rules.md: the rulebook of the table, with the numbers of the built-in ruleset."""

from __future__ import annotations

from importlib import import_module

from pages.facts import rules_of
from pages.games import GamePages
from pages.markdown import page


def rules_page(game: GamePages) -> str:
    """The whole rulebook."""
    rules = rules_of(game)
    book = import_module(f"channel_tunnel_env.games.{game.name}.faces.rulebook").rulebook(rules)
    parts = []
    for section in book:
        parts.append(f'<a id="{section["key"]}"></a>\n\n## {section["title"]}')
        for block in section["blocks"]:
            items = "\n".join(f"- {item}" for item in block.get("items", ()))
            parts.append(items or block["text"])
    return page(
        f"{game.title}: rules",
        f"In our own words, with the numbers of the ruleset `{rules.name}`. The table shows the same text under *Rules*, with "
        "the numbers of the ruleset that is played.",
        *parts,
    )
