"""Rule health: what could have happened and never did, and games that the rules stopped."""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.games import SEEN_NONE, unused_rules
from channel_tunnel_agents.balance.report.numbers import share
from channel_tunnel_agents.balance.report.page import Cell, Data, Shown, Table
from channel_tunnel_agents.games.tunnel_1987.families import FAMILIES, keeping
from channel_tunnel_agents.games.tunnel_1987.report.names import (
    ABILITIES,
    END_NAMES,
    SIDE_NAMES,
    SOURCE_NAMES,
    STOPPED,
    card_names,
)
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.games.tunnel_1987.engine.rule_figures import SCORED
from channel_tunnel_env.games.tunnel_1987.engine.scoring import VARIANT_SOURCES
from channel_tunnel_env.games.tunnel_1987.words import title


def health(evidence: Evidence) -> Shown:
    """Rules that no game of any agent ever used, and stalemates."""
    remark = "What never occurs is a dead rule or one that these agents do not understand. "
    lead, table = unused_rules(evidence, unused(evidence), remark)
    return [lead], [table, _stalemates(evidence)]


def _stalemates(evidence: Evidence) -> Table:
    """Games that the rules stopped, and draws, for each agent against itself."""
    rows: list[tuple[Cell, ...]] = []
    for name in evidence.levels:
        games = evidence.own_games(name)
        stops = [share(games["end_cause"].astype(str) == cause) for cause in STOPPED]
        rows.append((name, *stops, share(games["winner"] == "draw")))
    columns = ("agent", *(END_NAMES[cause].removeprefix("stopped: ") for cause in STOPPED), "drawn")
    return Table("stalemates", "Stalemates (each agent against itself)", Data(columns, tuple(rows)), SEEN_NONE)


def unused(evidence: Evidence) -> list[tuple[str, list[str]]]:
    """What could have occurred and never did, by kind of rule."""
    return evidence.results.once(_unused)


def _unused(results: Results) -> list[tuple[str, list[str]]]:
    names, kinds = card_names(results.ruleset), {card.kind for card in results.ruleset.data.deck.cards}
    possible = [key for key in SOURCE_NAMES if key not in VARIANT_SOURCES and can_score(results.ruleset, key)]
    cards = results.store.read("cards")
    developed = {*cards.loc[cards["developed_by"].notna(), "card"].unique()}
    shown = {*cards["card"].unique()}
    taken = results.actions.groupby("action", sort=False)[["legal", "taken"]].sum()
    off = switched_off(results.ruleset)
    taken = taken[[name not in off for name in taken.index]]
    causes = {*results.games["end_cause"].unique()}
    return [
        ("cards shown", [names[key] for key in names if key not in shown]),
        ("cards developed", [names[key] for key in names if key not in developed]),
        ("abilities used", [title(k) for k in ABILITIES if k in kinds and not _ever(results, f"used_{k}")]),
        ("ways to end", [text for key, text in END_NAMES.items() if key not in causes]),
        ("sources of points", [SOURCE_NAMES[key] for key in possible if not _ever(results, f"points_{key}")]),
        ("actions ever legal", [str(name) for name in taken.index[taken["legal"] == 0]]),
        ("legal actions ever taken", [str(n) for n in taken.index[(taken["legal"] > 0) & (taken["taken"] == 0)]]),
    ]


def can_score(ruleset: Ruleset, source: str) -> bool:
    """Whether a source of points gives any: its cards are in the deck, and are not worth 0."""
    if source == "agenda":
        return bool(ruleset.data.agenda.enabled)
    names = [f"scoring.{name}" for name in SCORED if name.startswith(source)]
    is_worthless = names and not any(ruleset.flat[name] for name in names)
    is_there = source not in c.CARD_KINDS or any(card.kind == source for card in ruleset.data.deck.cards)
    return is_there and not is_worthless


def switched_off(ruleset: Ruleset) -> set[str]:
    """Names of the actions that a ruleset disables: those of missing cards, peeks, spaces, discs, the agenda."""
    blank = np.zeros((1, OBSERVATION_SIZE), np.float32)
    missing = [f for f in FAMILIES.values() if not f.exists(ruleset)]
    ids = {int(i) for family in missing for i in np.flatnonzero(family.covers(blank)[0])}
    if not ruleset.data.agenda.enabled:
        ids.add(a.AGENDA_DISCARD)
    beyond = range(ruleset.data.route.length, c.MAX_ROUTE)
    ids |= {first + space for first in (a.PEEK_OWN, a.PEEK_RIVAL) for space in beyond}
    ids |= {*keeping(ruleset.data.discs.per_colour + 1)}
    return {a.ACTION_NAMES[i] for i in ids}


def _ever(results: Results, name: str) -> bool:
    """Whether a count of either side was ever more than 0."""
    return any(results.games[f"{name}_{side}"].any() for side in SIDE_NAMES)
