"""What to know of the players before their games are believed, for somebody who knows no statistics."""

from __future__ import annotations

from channel_tunnel_agents.balance.changing.trust import STILL_OFF, Speaker
from channel_tunnel_agents.balance.measuring.footing import Footing, surprising
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.plain.parts import HUNDRED, games_of_hundred
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.base import FROZEN
from channel_tunnel_env import Ruleset

DOUBT = "That is too few to be believed: what it says of these rules may be wrong."
DISPUTED = (
    "Another trained player often disagrees with it about who is ahead, so what it says of these rules may be wrong."
)
WELL = "It plays these rules well."
PERHAPS_BETTER = f"{WELL} A copy tuned on them may play somewhat better."
TUNE = 'Before you act, train a copy on these rules alone: "Tune a copy now" on the designer\'s page does it.'
LONGER = 'Before you act, train its copy for longer: "Tune it longer" on the designer\'s page does it.'


def careful_words(evidence: Played) -> tuple[str, ...]:
    """Of players that learned other rules, and of those that play these badly; nothing of others."""
    rules, speakers = evidence.ruleset, evidence.settings.speakers
    heard = {name for each in speakers for name in (each.asked, each.name)}
    doubted = {each.name: verdict(each, rules) for each in speakers if not each.is_trusted}
    known = surprising(evidence.footings, rules)
    weak = [each for each in known if each.is_weak and each.learner not in heard]
    doubted |= {each.learner: [f"{_wins(each, rules)}. {DOUBT}"] for each in weak}
    frozen = [player_name(name, rules) for name in evidence.agents if name.startswith(FROZEN)]
    told = [f"{name} learnt other rules and plays as if nothing were changed." for name in frozen]
    told += [line for lines in doubted.values() for line in lines]
    if doubted and evidence.strongest not in doubted:
        told.append(f"So the answer below is that of {player_name(evidence.strongest, rules)}.")
    if not doubted:
        return tuple(told)
    tuned = any(each.copy is not None and not each.is_trusted for each in speakers)
    return (*told, LONGER if tuned else TUNE)


def verdict(found: Speaker, ruleset: Ruleset) -> list[str]:
    """What a test of a player that reads the rules found: a sentence or two."""
    name = player_name(found.asked, ruleset)
    if found.best.is_decided_by_seat:
        return [
            f"One side wins nearly every game, whoever plays it. So nobody can see how well {name} plays: mend that first."
        ]
    wins = _wins(found.footing, ruleset)
    doubt = [] if found.is_trusted else [_doubt(found)]
    if found.copy is not None and found.of_copy is not None:
        own = games_of_hundred(found.of_copy.share.value)
        if found.name == found.asked:
            return [f"{wins}, and the tuned copy no more ({own}).", *doubt]
        return [f"{wins}; the tuned copy wins {own}. The copy plays and judges from now on.", *(doubt or [STILL_OFF])]
    well = PERHAPS_BETTER if found.may_gain else WELL
    return [f"{wins}.", *(doubt or [well])]


def _doubt(found: Speaker) -> str:
    disputed = found.is_disputed and found.name == found.asked
    return DISPUTED if disputed else DOUBT


def _wins(found: Footing, ruleset: Ruleset) -> str:
    """How a player fares against the scripted one, without a full stop."""
    name, scripted = (player_name(each, ruleset) for each in (found.learner, found.scripted))
    won = games_of_hundred(found.share.value)
    return f"{name} wins {won} games of {HUNDRED} against {scripted}, who plays by rules of thumb"
