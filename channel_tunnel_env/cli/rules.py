"""`rules`: a ruleset in words and figures, each with its source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import tyro
from rich import box
from rich.console import Console
from rich.table import Table

from channel_tunnel_env.ruleset import Provenance, Ruleset, load_ruleset

_UNKNOWN = Provenance("house")
CARD_COLUMNS = ("card", "kind", "points", "cost", "money", "secondary")


@dataclass(frozen=True)
class Figure:
    """One figure of a ruleset."""

    key: str
    value: Any
    provenance: Provenance

    @property
    def section(self) -> str:
        """The first word of the key."""
        return self.key.split(".")[0]

    @property
    def text(self) -> str:
        """The value as YAML would show it on one line."""
        return show(self.value)


def rules(
    ruleset: tyro.conf.Positional[str] = "standard",
    diff: Annotated[
        str | None, tyro.conf.arg(help="show only what differs from this ruleset")
    ] = None,
) -> int:
    """Show a ruleset: a summary in words, and every figure with its source and reason.

    Args:
        ruleset: a name or a YAML file.
    """
    chosen, console = load_ruleset(ruleset), Console(highlight=False)
    if diff is not None:
        _show_difference(console, load_ruleset(diff), chosen)
        return 0
    console.print(f"[bold]{chosen.data.title}[/] ({chosen.name}, digest {chosen.digest})\n")
    for sentence in in_words(chosen):
        console.print(sentence)
    _show_figures(console, chosen)
    _show_cards(console, chosen)
    return 0


def in_words(ruleset: Ruleset) -> list[str]:
    """The ruleset in a few sentences."""
    data = ruleset.data
    limit, length = data.deviation.limit, data.route.length
    costs = [card.cost for card in data.deck.cards]
    switches = data.switches
    sentences = [
        f"Each side bores {length} spaces to the centre; reaching it first ends the game and "
        f"brings {data.scoring.centre_bonus} points, and {data.scoring.centre_per_rival_token} for "
        "every token left on the rival's side.",
        f"Players draw up to {data.discs.hand} of {5 * data.discs.per_colour} discs; technology "
        "adds to that.",
        f"A deviation beyond -{limit} loses at once. Water (blue rubble) draws "
        f"{data.deviation.water_draws.britain} cards for Britain and "
        f"{data.deviation.water_draws.france} for France, other rubble one.",
        f"Storage: Britain {data.storage.britain}, France {data.storage.france} spaces at the "
        "start.",
        f"Barriers cost Britain {_total(data.barriers.britain)} M in all, France "
        f"{_total(data.barriers.france)} M.",
        f"The deck has {data.deck.size} cards, {data.deck.influence_cards} of them European "
        f"influence. Cards by cost: {costs.count('free')} free, {costs.count('discard1')} for a "
        f"token discarded, {costs.count('place1')} for a token placed, {costs.count('place1or2')} "
        "for one or two placed.",
        f"The Agenda expansion is {'on' if data.agenda.enabled else 'off'}.",
        f"The first-player card goes to the {switches.first_player_card.split('_')[0]} player to "
        "pass.",
        f"A game is stopped after {data.limits.max_empty_rounds} rounds without a placement or "
        f"{data.limits.max_rounds} rounds, and then "
        + ("scored as it is." if switches.stalemate_result == "score" else "drawn."),
    ]
    return [f"- {sentence}" for sentence in sentences]


def _total(tracks: Any) -> int:
    return int(sum(tracks.a) + sum(tracks.b))


def figures(ruleset: Ruleset) -> Iterator[Figure]:
    """Every figure except those of the cards, in the order and grouping of the file."""
    yield from _walk("", ruleset.plain(), ruleset.provenance)


def _walk(key: str, node: Any, provenance: dict[str, Provenance]) -> Iterator[Figure]:
    if key in ("name", "title", "deck.cards"):
        return
    if isinstance(node, dict) and key not in provenance:
        for name, value in node.items():
            yield from _walk(f"{key}.{name}" if key else str(name), value, provenance)
    else:
        yield Figure(key, node, provenance.get(key, _UNKNOWN))


def show(value: Any) -> str:
    """A value as a YAML file would hold it, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {show(inner)}" for key, inner in value.items()) or "none"
    return str(value)


def words(section: str) -> str:
    """A key of the file as a heading."""
    return section.replace("_", " ").capitalize()


def differences(base: Ruleset, other: Ruleset) -> list[tuple[str, str, str]]:
    """(key, value in base, value in other) of every value that differs; "-" if there is none."""
    old, new = base.flat, other.flat
    keys = [
        key for key in [*old, *(k for k in new if k not in old)] if key not in ("name", "title")
    ]
    return [
        (key, show(old[key]) if key in old else "-", show(new[key]) if key in new else "-")
        for key in keys
        if key not in old or key not in new or old[key] != new[key]
    ]


def _show_figures(console: Console, ruleset: Ruleset) -> None:
    section, table = "", Table()
    for figure in figures(ruleset):
        if figure.section != section:
            if section:
                console.print(table)
            section = figure.section
            table = _table(words(section), "figure", "value", "source", "why")
        name = figure.key.removeprefix(f"{section}.").replace(".", " ").replace("_", " ")
        table.add_row(name, figure.text, figure.provenance.source, figure.provenance.why)
    console.print(table)


def _show_cards(console: Console, ruleset: Ruleset) -> None:
    table = _table("Cards", "card", "points", "cost", "money", "secondary")
    for card in ruleset.data.deck.cards:
        table.add_row(card.name, str(card.points), card.cost, f"{card.money} M", card.secondary)
    console.print(table)
    for column in CARD_COLUMNS:
        note = ruleset.provenance.get(f"deck.cards.*.{column}")
        if note is not None:
            console.print(f"{words(column)}: {note.source}: {note.why}")


def _show_difference(console: Console, base: Ruleset, other: Ruleset) -> None:
    rows = differences(base, other)
    if not rows:
        console.print(f"{other.name} and {base.name} are the same game.")
        return
    table = _table(f"{other.name} against {base.name}", "key", base.name, other.name)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
