"""What the plain answer calls an agent: its level at the table, which of the trained policies it is, or its own name.

And what to know of the players before their games are believed.
"""

from __future__ import annotations

from collections.abc import Iterable

from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.players.training import in_short
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.verdict_words import doubt_lines
from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.names import is_tuned
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.sentences import listed


def player_name(agent: str, ruleset: Ruleset) -> str:
    """Such as "Amateur" for `heuristic` and "Trained policy 1" for one that was trained for the rules."""
    agent = agent.removeprefix(FROZEN)
    named = {"random": "Random"} | {level.agent: level.name for level in agents_of(ruleset.spec.name).levels}
    return named.get(agent) or in_short(agent)


def player_names(agents: Iterable[str], ruleset: Ruleset) -> str:
    """What some are called, as a list in a sentence."""
    return listed([player_name(agent, ruleset) for agent in agents])


def about_player(agent: str, ruleset: Ruleset) -> str:
    """How it plays, in a sentence; "" for an agent that is no level."""
    if is_tuned(agent):
        return "Was trained for these rules only."
    about = {
        "random": "Takes any move that is allowed.",
        "ismcts": "Has learned nothing; tries random games ahead of each move.",
    }
    about |= {level.agent: level.words for level in agents_of(ruleset.spec.name).levels}
    return about.get(agent, about.get(agent.partition(":")[0], ""))


GUESS = "No computer player has practised these rules, so the number is a guess from how {} play{} them."
FEW_PRACTISED = "Only {} practised these rules, so the number is a guess from few players."

SCRIPTED = "A scripted player judges these rules, until a trained one passes a test of its own; good players may find what it misses."


def careful_words(evidence: Evidence) -> tuple[str, ...]:
    """What speaks against the verdict: players that learned other rules or passed no test, its own doubts, that it is a guess."""
    frozen = [player_name(name, evidence.ruleset) for name in evidence.agents if name.startswith(FROZEN)]
    told = [f"{name} learnt other rules and plays as if nothing were changed." for name in frozen]
    told += [SCRIPTED] if evidence.is_scripted else []
    if (judged := evidence.settings.judged) is not None:
        told += [*doubt_lines(judged), *([] if judged.is_trained else [_guess(judged)])]
    return tuple(told)


def _guess(judged: Judged) -> str:
    """That the number is a guess, and whose."""
    ruleset, choice = judged.population.ruleset, judged.verdict.choice
    if judged.practised:
        has = "has" if len(judged.practised) == 1 else "have"
        return FEW_PRACTISED.format(f"{player_names(judged.practised, ruleset)} {has}")
    return GUESS.format(player_names(choice, ruleset), "s" if len(choice) == 1 else "")


def judged_words(judged: Judged) -> list[str]:
    """Who plays rules of two seats best, a sentence each; what the seats get is for a report to say, on its own deals."""
    player = player_name(judged.player, judged.population.ruleset)
    practised = f"{player} plays these rules best, and has practised them."
    habit = f"{player} plays these rules best. It has not practised them: what good players get may differ."
    return [practised if judged.is_trained else habit, *doubt_lines(judged)]
