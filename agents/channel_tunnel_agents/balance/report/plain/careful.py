"""What to know of the players before their games are believed, for somebody who knows no statistics."""

from __future__ import annotations

from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.games import reported_game
from channel_tunnel_agents.balance.report.plain.parts import HUNDRED, games_of_hundred
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.balance.verdict_words import doubt_lines
from channel_tunnel_agents.base import FROZEN

GUESS = "No policy was trained for these rules, so the number is a guess from how one player plays them."


def careful_words(evidence: Played) -> tuple[str, ...]:
    """Of players that learned other rules, and of a verdict that something speaks against; nothing of others."""
    rules, judged = evidence.ruleset, evidence.settings.judged
    frozen = [player_name(name, rules) for name in evidence.agents if name.startswith(FROZEN)]
    told = [f"{name} learnt other rules and plays as if nothing were changed." for name in frozen]
    if judged is None:
        return tuple(told)
    return (*told, *doubt_lines(judged), *([] if judged.is_trained else [GUESS]))


def judged_words(judged: Judged) -> list[str]:
    """What is known of rules of two seats before a report, a sentence each."""
    ruleset, first = judged.population.ruleset, judged.verdict.seats[0].share
    seat = reported_game(ruleset).first
    low, won, high = (games_of_hundred(each) for each in (first.low, first.value, first.high))
    if judged.is_trained:
        value = f"When good players play, {seat} wins about {won} of {HUNDRED} games, {low} to {high}."
        return [value, *doubt_lines(judged)]
    plays = f"As {player_name(judged.player, ruleset)} plays, {seat} wins about {won} of {HUNDRED} games"
    return [f"{plays}; with other good players it may be {low} to {high}.", GUESS, *doubt_lines(judged)]
