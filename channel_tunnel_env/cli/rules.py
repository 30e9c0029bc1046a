"""`rules`: a ruleset in words and figures, each with its source."""

from __future__ import annotations

from typing import Annotated

import tyro
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from channel_tunnel_env.cli.taking import RulesetFirst
from channel_tunnel_env.errors import RulesetError
from channel_tunnel_env.faces.registry import changes_in_words, words_of
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset
from channel_tunnel_env.rulesets.settings import CARD_COLUMNS, differences, settings, words

ALONE = "rules"


def rules(
    ruleset: RulesetFirst = "standard",
    diff: Annotated[str | None, tyro.conf.arg(help="show only what differs from this ruleset")] = None,
) -> int:
    """Show a ruleset: a summary in words, and every figure with its source and reason.

    For example:
        channel-tunnel rules agenda --diff standard

    Args:
        ruleset: a name or a YAML file.
    """
    chosen, console = load_ruleset(ruleset), Console(highlight=False)
    if diff is not None:
        _show_difference(console, _of_the_game(chosen, diff), chosen)
        return 0
    title = escape(chosen.data.title)
    console.print(f"[bold]{title}[/] ({chosen.name}, digest {chosen.digest})\n")
    for sentence in words_of(chosen.spec).in_words(chosen):
        console.print(sentence, markup=False)
    _show_figures(console, chosen)
    if hasattr(chosen.data, "deck"):
        _show_cards(console, chosen)
    return 0


def _of_the_game(ruleset: Ruleset, name: str) -> Ruleset:
    """Another ruleset, if it is for the same game."""
    other = load_ruleset(name)
    if other.spec is not ruleset.spec:
        problem = f"game: {ruleset.spec.name}: allowed here: {other.spec.name}, as of {other.name}"
        raise RulesetError(ruleset.name, [problem])
    return other


def _show_figures(console: Console, ruleset: Ruleset) -> None:
    section, table = "", Table()
    for setting in settings(ruleset):
        # Single keys share a table.
        own = setting.section if "." in setting.key else ALONE
        if own != section:
            if section:
                console.print(table)
            section = own
            table = _table(words(section), "key", "value", "source", "why")
        note = setting.provenance
        table.add_row(*map(escape, (setting.key, setting.text, note.source, note.why)))
    console.print(table)


def _show_cards(console: Console, ruleset: Ruleset) -> None:
    table = _table("Cards", "card", "points", "cost", "money", "secondary")
    for card in ruleset.data.deck.cards:
        row = card.name, str(card.points), card.cost, f"{card.money} M", card.secondary
        table.add_row(*map(escape, row))
    console.print(table)
    for column in CARD_COLUMNS:
        note = ruleset.provenance.get(f"deck.cards.*.{column}")
        if note is not None:
            console.print(f"{words(column)}: {note.source}: {note.why}", markup=False)


def _show_difference(console: Console, base: Ruleset, other: Ruleset) -> None:
    rows = differences(base, other)
    if not rows:
        console.print(f"{other.name} and {base.name} are the same game.")
        return
    for sentence in changes_in_words(base, other):
        console.print(f"- {sentence}", markup=False)
    table = _table(f"{other.name} against {base.name}", "key", base.name, other.name)
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == "key")  # a key is copied whole
    return table
