"""The plain answer for two seats."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import LEVERS
from channel_tunnel_agents.balance.report.numbers import Number, of_dict
from channel_tunnel_agents.balance.report.plain.parts import (
    EITHER,
    FIRST,
    HUNDRED,
    SECOND,
    Bar,
    ChangeToTry,
    Coins,
    PlainAnswer,
    coins_between,
    games_of_hundred,
)
from channel_tunnel_agents.balance.report.plain.players import about_player, player_name
from channel_tunnel_agents.balance.report.plain.since import LevelAnswer, since_words
from channel_tunnel_agents.balance.report.plain.trying import (
    Aim,
    changes_to_try,
    help_of,
    reach_of,
)
from channel_tunnel_agents.balance.report.verdict import (
    EVEN,
    FAIR,
    NO,
    OPEN,
    YES,
    Fairness,
    judge_fairness,
)

LEAST_REACH = 0.12
LEGEND = "Each coin is a game of a hundred. Striped: these games cannot tell who wins it."
BAND = (EVEN - FAIR, EVEN + FAIR)


def plain_answer(evidence: Evidence) -> PlainAnswer:
    """Fair or not, since which player, and what helps."""
    game, numbers = evidence.game, evidence.by_strength
    found = {i: judge_fairness(evidence.first_share(i), game.seats) for i in numbers}
    top = found[numbers[-1]]
    chosen = evidence.measures.get(LEVERS.name)
    moved = [
        of_dict(row["share"], row["deals"], "share") for row in (chosen or {}).get("chosen", ())
    ]
    reach = reach_of([each.first for each in found.values()] + moved, EVEN, LEAST_REACH)
    scale = (EVEN - reach, EVEN + reach)
    levels = [_level(evidence, i, found[i]) for i in numbers]
    lean = _lean(evidence, top)
    tries = _tries(evidence, scale, lean)
    return PlainAnswer(
        top.answer,
        _headline(top, evidence),
        _sentences(top, evidence),
        (_coins(top.first, evidence),) if top.first.shown else (),
        LEGEND if top.first.shown else "",
        since_words(levels),
        tuple(
            Bar(
                player_name(evidence.agents[i], evidence.ruleset),
                found[i].first,
                scale,
                level.in_short,
                found[i].answer,
                BAND,
                about=about_player(evidence.agents[i], evidence.ruleset),
            )
            for i, level in zip(numbers, levels, strict=True)
        ),
        tuple(f"{label} wins more" for label in reversed(game.labels)),
        *_help(evidence, top, lean, tries),
        tries,
    )


def _level(evidence: Evidence, agent: int, found: Fairness) -> LevelAnswer:
    better = evidence.game.better(found.first.value) if found.answer == NO else ""
    return LevelAnswer(player_name(evidence.agents[agent], evidence.ruleset), found.answer, better)


def _headline(top: Fairness, evidence: Evidence) -> str:
    if top.answer == YES:
        return "Yes, it is fair."
    if top.answer == NO:
        return f"No, {evidence.game.better(top.first.value)} wins too often."
    return "These games cannot tell yet." if top.answer == OPEN else "Too few games to tell."


def _sentences(top: Fairness, evidence: Evidence) -> tuple[str, ...]:
    game, first = evidence.game, top.first
    if not first.shown:
        return ("Make the report again, on more deals, before you change anything.",)
    player = player_name(evidence.strongest, evidence.ruleset)
    low, value, high = (games_of_hundred(x) for x in (first.low, first.value, first.high))
    seen = (
        f"When {player}, the strongest player here, plays both {game.place}s, {game.first} wins about {value} of "
        f"{HUNDRED} games and {game.seats[1]} {HUNDRED - value}. Fair means that each wins 48 to 52."
    )
    true = f"The true number for {game.first} very probably lies between {low} and {high}"
    then = {
        YES: f"{true}. You need not change anything for fairness.",
        NO: f"{true}, and none of that is fair. Try one of the changes below.",
    }
    more = f"{true}: {top.known}. Make a report on more deals before you change much."
    return seen, then.get(top.answer, more)


def _coins(first: Number, evidence: Evidence) -> Coins:
    low, high = coins_between(first.low, first.high)
    one, other = evidence.game.seats
    says = f"Of {HUNDRED} coins {low} are {one}'s, {HUNDRED - high} {other}'s, and {high - low} may be either's."
    return Coins("", ((FIRST, low), (EITHER, high - low), (SECOND, HUNDRED - high)), says)


def _lean(evidence: Evidence, top: Fairness) -> int:
    """Where the first seat's share should go, as of a lever; 0 where the strongest player says otherwise."""
    lean = int(evidence.measures.get(LEVERS.name, {}).get("lean", 0))
    return lean if top.answer in (NO, OPEN) and lean * (EVEN - top.first.value) > 0 else 0


def _tries(evidence: Evidence, scale: tuple[float, float], lean: int) -> tuple[ChangeToTry, ...]:
    found = evidence.measures.get(LEVERS.name)
    if found is None:
        return ()
    game = evidence.game

    def words(was: float, now: float) -> str:
        before, after = games_of_hundred(was), games_of_hundred(now)
        if before == after:
            return f"{game.at_first} would still win about {after} of {HUNDRED} games"
        return f"{game.at_first} would win about {after} of {HUNDRED} games instead of {before}"

    other = game.seats[0 if lean > 0 else 1]
    aim = Aim(words, scale, BAND, lean, other)
    return changes_to_try(evidence.ruleset, found["chosen"], aim)


def _help(
    evidence: Evidence, top: Fairness, lean: int, tries: tuple[ChangeToTry, ...]
) -> tuple[str, str]:
    """The title above the changes, and a sentence."""
    found = evidence.measures.get(LEVERS.name)
    game = evidence.game
    player = "" if found is None else player_name(found["agent"], evidence.ruleset)
    weaker = game.seats[0 if lean > 0 else 1]
    return help_of(
        evidence.why_missing(LEVERS.name) if found is None else "",
        lean,
        top.answer == NO,
        weaker,
        tries,
        f"These numbers move the chances of {game.first} most, either way; {player} played both {game.place}s.",
        f"None of the changes that were tried helped {weaker}.",
    )
