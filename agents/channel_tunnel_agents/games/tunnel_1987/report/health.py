"""Rule health: what could have happened and never did, and games that went nowhere."""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, share
from channel_tunnel_agents.balance.report.page import Cell, Data, PageSection, Table
from channel_tunnel_agents.games.tunnel_1987.families import FAMILIES
from channel_tunnel_agents.games.tunnel_1987.report import (
    ABILITIES,
    END_NAMES,
    SECTIONS,
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
from channel_tunnel_env.games.tunnel_1987.words import title

TITLE = SECTIONS["health"]


def health(evidence: Evidence) -> PageSection:
    """Rules that no game of any agent ever used, and stalemates."""
    rows = tuple((what, ", ".join(names) or "none") for what, names in unused(evidence))
    table = Table(
        "unused",
        "Never in any game",
        Data(("rule", "never occurred"), rows),
        f"Over all {count(len(evidence.games))} games of all agents. What never occurs is a dead rule or "
        "one that these agents do not understand. What the ruleset switches off is not counted.",
        names=2,
    )
    dead = sum(bool(names) for _, names in unused(evidence))
    lead = (f"{dead} of {len(rows)} kinds of rules hold something that never occurred.",)
    return PageSection("health", TITLE, lead, (table, _stalemates(evidence)))


def _stalemates(evidence: Evidence) -> Table:
    """Games that the rules stopped, and draws, for each agent against itself."""
    rows: list[tuple[Cell, ...]] = []
    for i in evidence.by_strength:
        name = evidence.agents[i]
        games = evidence.own_games(name)
        if len(games) >= FEWEST:
            causes = games["end_cause"].astype(str)
            stops = [share(causes == cause) for cause in STOPPED]
            rows.append((name, *stops, share(games["winner"] == "draw")))
    columns = ("agent", *(END_NAMES[cause].removeprefix("stopped: ") for cause in STOPPED), "drawn")
    return Table(
        "stalemates",
        "Stalemates (each agent against itself)",
        Data(columns, tuple(rows)),
        "Share of games; an interval that starts at 0 with none seen says how many there may still be.",
    )


CARDS, ABILITIES_USED, ACTIONS = "cards developed", "abilities used", "legal actions ever taken"


def unused(evidence: Evidence) -> list[tuple[str, list[str]]]:
    """What could have occurred and never did, by kind of rule."""
    return evidence.results.once(_unused)


def _unused(results: Results) -> list[tuple[str, list[str]]]:
    names, kinds = card_names(results.ruleset), _kinds(results.ruleset)
    cards = results.store.read("cards")
    developed = {*cards.loc[cards["developed_by"].notna(), "card"].unique()}
    shown = {*cards["card"].unique()}
    taken = results.actions.groupby("action", sort=False)[["legal", "taken"]].sum()
    off = switched_off(results.ruleset)
    taken = taken[[name not in off for name in taken.index]]
    causes = {*results.games["end_cause"].unique()}
    return [
        ("cards shown", [names[key] for key in names if key not in shown]),
        (CARDS, [names[key] for key in names if key not in developed]),
        (ABILITIES_USED, [title(k) for k in ABILITIES if k in kinds and not _used(results, k)]),
        ("ways to end", [text for key, text in END_NAMES.items() if key not in causes]),
        (
            "sources of points",
            [t for key, t in SOURCE_NAMES.items() if _can_score(results.ruleset, key) and not _scored(results, key)],
        ),
        ("actions ever legal", [str(name) for name in taken.index[taken["legal"] == 0]]),
        (ACTIONS, [str(n) for n in taken.index[(taken["legal"] > 0) & (taken["taken"] == 0)]]),
    ]


def _kinds(ruleset: Ruleset) -> set[str]:
    return {card.kind for card in ruleset.data.deck.cards}


def switched_off(ruleset: Ruleset) -> set[str]:
    """Names of the actions that a ruleset disables: those of missing cards, peeks, the agenda."""
    blank = np.zeros((1, OBSERVATION_SIZE), np.float32)
    missing = [f for f in FAMILIES.values() if not f.exists(ruleset)]
    ids = {int(i) for family in missing for i in np.flatnonzero(family.covers(blank)[0])}
    if not ruleset.data.agenda.enabled:
        ids.add(a.AGENDA_DISCARD)
    return {a.ACTION_NAMES[i] for i in ids}


def _can_score(ruleset: Ruleset, source: str) -> bool:
    """Whether a ruleset has this source of points at all."""
    if source == "agenda":
        return bool(ruleset.data.agenda.enabled)
    return source not in c.CARD_KINDS or source in _kinds(ruleset)


def _used(results: Results, kind: str) -> bool:
    return any(results.games[f"used_{kind}_{side}"].any() for side in SIDE_NAMES)


def _scored(results: Results, source: str) -> bool:
    return any(results.games[f"points_{source}_{side}"].any() for side in SIDE_NAMES)
