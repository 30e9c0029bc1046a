"""What to know of the players before their games are believed, for somebody who knows no statistics."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.balance.verdict_words import doubt_lines
from channel_tunnel_agents.base import FROZEN

GUESS = (
    "No policy was trained for these rules, so the number is a guess from how one player plays them. A report without "
    "--quick trains some, in about ten minutes."
)


def careful_words(evidence: Played) -> tuple[str, ...]:
    """Of players that learned other rules, and of a verdict that something speaks against; nothing of others."""
    rules, judged = evidence.ruleset, evidence.settings.judged
    frozen = [player_name(name, rules) for name in evidence.agents if name.startswith(FROZEN)]
    told = [f"{name} learnt other rules and plays as if nothing were changed." for name in frozen]
    if judged is None:
        return tuple(told)
    guess = [] if judged.is_trained else [GUESS]
    return (*told, *doubt_lines(judged), *guess)
