"""What a report on 1987 Channel Tunnel measures and shows, and the parts of the verdict that only it has: ends, stalls, the best card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.measuring.restricted import measure_restrictions
from channel_tunnel_agents.balance.measuring.significance import is_significant
from channel_tunnel_agents.balance.report import front, headline, sections
from channel_tunnel_agents.balance.report.contents import Contents, Section
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.headline import note
from channel_tunnel_agents.balance.report.measurements import (
    LEVERS,
    LUCK,
    TENSION,
    VARIANCE,
    Advance,
    Job,
    Measurement,
    on_own_deals,
)
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, of_dict, share
from channel_tunnel_agents.games.tunnel_1987.card_effects import ARMS, GIVEN, measure_card_effects
from channel_tunnel_agents.games.tunnel_1987.openings import opening_tree, play_openings
from channel_tunnel_agents.games.tunnel_1987.report import END_NAMES, STOPPED, card_names
from channel_tunnel_agents.games.tunnel_1987.report.actions import actions
from channel_tunnel_agents.games.tunnel_1987.report.cards import cards
from channel_tunnel_agents.games.tunnel_1987.report.drawn import drawn
from channel_tunnel_agents.games.tunnel_1987.report.economy import economy
from channel_tunnel_agents.games.tunnel_1987.report.endings import endings as endings_section
from channel_tunnel_agents.games.tunnel_1987.report.health import ABILITIES_USED, ACTIONS, CARDS, health, unused
from channel_tunnel_agents.games.tunnel_1987.report.openings import openings
from channel_tunnel_agents.games.tunnel_1987.report.restricted import restricted
from channel_tunnel_env.outside.sentences import listed

KNOWN = Path(__file__).parent / "known"  # `benchmarks/known_measures.py` writes it
CARD_PART, RESTRICTION_PART = 5, 16
OPENING_TURNS = 4
FEWEST_OF_A_LINE = 30  # games
RESTRICTED_ROWS = 184  # approximately: 46 families, two modes, two sides


def _openings(job: Job, advance: Advance) -> Any:
    deals = job.settings.deals_of_a_pairing
    games = play_openings(job.agent, job.ruleset, deals, job.seed, OPENING_TURNS, job.workers, advance)
    return opening_tree(games.lines, games.britain_points, games.deals, OPENING_TURNS, FEWEST_OF_A_LINE)


def _card_effects(by_side: Callable[[Job], bool]) -> Measurement:
    """The worth of each card, on request also to each side."""

    def plan(job: Job) -> dict[str, Any]:
        own = {"deals": job.settings.share_of_deals(CARD_PART), "by_deal": True}
        return own if by_side(job) else own | {"by_side": False}

    def games(job: Job) -> int:
        arms = len(ARMS if by_side(job) else GIVEN)
        return job.settings.share_of_deals(CARD_PART) * len(job.ruleset.card_keys) * arms

    def run(job: Job, advance: Advance) -> Any:
        deals = job.settings.share_of_deals(CARD_PART)
        return measure_card_effects(job.agent, job.ruleset, deals, job.seed, job.workers, advance, by_side=by_side(job))

    return Measurement("card_effects", "cards", plan, games, run, known=KNOWN)


CARD_EFFECTS = _card_effects(lambda job: not job.settings.quick)
EFFECTS_IN_BASE = _card_effects(lambda job: False)
"""Only what a card is worth to both sides stands beside the report's own."""
MEASUREMENTS = (
    CARD_EFFECTS,
    LEVERS,
    LUCK,
    VARIANCE,
    TENSION,
    Measurement(
        "openings",
        "openings",
        lambda job: {"games": job.settings.deals_of_a_pairing, "turns": OPENING_TURNS},
        lambda job: job.settings.deals_of_a_pairing,
        _openings,
    ),
    on_own_deals(
        "restrictions",
        "restricted",
        measure_restrictions,
        lambda job: job.settings.share_of_deals(RESTRICTION_PART),
        lambda job: RESTRICTED_ROWS,
        slow=True,
    ),
)
"""In the order of measuring: a designer's first questions come first."""


END_WORDS = {
    "centre": "at the centre",
    "deviation": "because a side went off course",
    "max_rounds": "at the round limit",
    "empty_rounds": "after rounds without a placement",
    "dead_position": "because nobody could do anything more",
}
"""Every cause of an end, so that the shares add up to 100 %."""
USES = {CARDS: "cards", ABILITIES_USED: "abilities", ACTIONS: "legal actions"}
"""Rows of the table of rule health -> what the verdict calls them."""
NAMED = 3
"""Names of each that the verdict gives."""
USUAL_ENDS = ("centre", "deviation")
"""Mentioned even if they did not occur."""


def endings(evidence: Evidence, figures: dict[str, Any]) -> str:
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return "How games end and how long they are cannot be said: too few games."
    causes = own["end_cause"].astype(str)
    parts = [
        f"{note(figures, f'ends_{cause}', share(causes == cause))} {words}"
        for cause, words in END_WORDS.items()
        if cause in USUAL_ENDS or (causes == cause).any()
    ]
    rounds, decisions = int(own["rounds"].median()), round(evidence.choices(evidence.strongest))
    figures |= {"median_rounds": rounds, "decisions": decisions}
    return f"At that level games end {listed(parts)}; a typical game has {rounds} rounds and {decisions} decisions."


def stalls(evidence: Evidence, figures: dict[str, Any]) -> str:
    """Games that the rules had to stop, at the top and below."""
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return "Whether games stall cannot be said: too few games."
    causes = own["end_cause"].astype(str)
    top = note(figures, "stopped_at_the_top", share(causes.isin(STOPPED)))
    everybody = evidence.games["end_cause"].astype(str)
    stopped = everybody[everybody.isin(STOPPED)]
    figures |= {"games": len(everybody), "games_stopped": len(stopped)}
    if stopped.empty:
        return f"No game stalled: none of {count(len(everybody))} was stopped; at that level {top}."
    worst = END_NAMES[str(stopped.value_counts().index[0])].removeprefix("stopped: ")
    return (
        f"Stalls: {top} of the games at that level were stopped, and {count(len(stopped))} of all "
        f"{count(len(everybody))} games, most often because of {worst}."
    )


def never_used(evidence: Evidence, figures: dict[str, Any]) -> str:
    """Cards, abilities and actions that no agent ever used."""
    found = {what: names for what, names in unused(evidence) if what in USES and names}
    games = count(len(evidence.games))
    figures["games"] = len(evidence.games)
    if not found:
        return (
            f"In {games} games every card was developed, and at least one player used every ability and legal action."
        )
    parts = []
    for what, names in found.items():
        shown = ", ".join(names[:NAMED])
        more = len(names) - NAMED
        text = f"{USES[what]} ({shown}" + (f" and {more} more)" if more > 0 else ")")
        figures[f"never: {what}"] = {"names": names, "text": text}
        parts.append(f"{len(names)} {text}")
        figures[f"never: {what}, number"] = len(names)
    return f"In {games} games nobody used {listed(parts)}."


def best_card(evidence: Evidence, figures: dict[str, Any]) -> str:
    found = evidence.measures.get("card_effects")
    if found is None:
        return f"What each card is worth was not measured ({evidence.why_missing('card_effects')})."
    rows, names = found["cards"], card_names(evidence.ruleset)
    if found["deals"] < FEWEST:
        return f"What each card is worth cannot be said yet: {found['deals']} deals are too few."
    sure = [row for row in rows if is_significant(row["p_holm"])]
    figures |= {"cards_with_effect": len(sure), "cards": len(rows)}
    if not sure:
        return (
            f"None of the {len(rows)} cards changes the chances of the side that holds it by enough to be sure of it."
        )
    best = max(sure, key=lambda row: abs(row["both"]["value"]))
    text = note(figures, "largest_card_effect", of_dict(best["both"], best["n"], "change"))
    return (
        f"{len(sure)} of {len(rows)} cards surely change the chances of the side that is given them; "
        f"the most powerful is {names[best['key']]}, {text}{_in_the_base(evidence, best['key'], figures)}."
    )


def _in_the_base(evidence: Evidence, key: str, figures: dict[str, Any]) -> str:
    """What the card is worth in the base; "" if that is unknown."""
    base = evidence.base
    effects = base.measured.get("card_effects") if base else None
    rows = effects["cards"] if effects else []
    row = next((row for row in rows if row["key"] == key), None)
    if base is None or row is None:
        return ""
    was = note(figures, "the_same_card_in_the_base", of_dict(row["both"], row["n"], "change"))
    return f" (in {base.title} {was})"


OWN: dict[str, Section] = {
    "endings": endings_section,
    "economy": economy,
    "cards": cards,
    "actions": actions,
    "restricted": restricted,
    "openings": openings,
    "health": health,
}
"""The sections of the page that only it has."""

CONTENTS = Contents(
    {
        "The sides": headline.fair,
        "The change": headline.against_base,
        "Skill levels": headline.levels,
        "Endings": endings,
        "Stalls": stalls,
        "Never used": never_used,
        "Cards": best_card,
        "Skill and luck": headline.skill,
    },
    (front.changes, front.beside, front.levers, drawn, front.unknown),
    sections.OF_EVERY_GAME | OWN,
    MEASUREMENTS,
    (EFFECTS_IN_BASE,),
)
