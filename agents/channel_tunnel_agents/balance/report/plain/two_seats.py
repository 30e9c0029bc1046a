"""The plain answer for two seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channel_tunnel_agents.balance.empirical.verdict import DECIDED, FAIR
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import LEVERS
from channel_tunnel_agents.balance.report.numbers import Number, of_dict
from channel_tunnel_agents.balance.report.plain.careful import careful_words
from channel_tunnel_agents.balance.report.plain.ends import Ends, ends_of
from channel_tunnel_agents.balance.report.plain.open_answer import (
    NO_GAMES,
    Known,
    more_deals,
    open_advice,
    open_headline,
    too_few_advice,
)
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
    has_help,
    help_against,
    help_of,
    reach_of,
)
from channel_tunnel_agents.balance.report.verdict import EVEN, NO, OPEN, SLIGHT, YES, Fairness, judge_fairness
from channel_tunnel_agents.statistics import REACH

LEAST_REACH = 0.12
LEGEND = "Each coin is a game of a hundred. Striped: these games cannot tell who wins it."
BAND = (EVEN - FAIR, EVEN + FAIR)


def plain_answer(evidence: Evidence) -> PlainAnswer:
    """Fair or not, since which player, and what helps."""
    game, numbers = evidence.game, evidence.by_strength
    found = {i: judge_fairness(evidence.first_share(i), game.seats) for i in numbers}
    top = judge_fairness(evidence.top_share, game.seats)
    chosen = evidence.measures.get(LEVERS.name)
    moved = [of_dict(row["share"], row["deals"], "share") for row in (chosen or {}).get("chosen", ())]
    reach = reach_of([top.first, *(each.first for each in found.values()), *moved], EVEN, LEAST_REACH)
    scale = (EVEN - reach, EVEN + reach)
    levels = [_level(evidence, i, found[i]) for i in numbers]
    shown = [*levels[:-1], levels[-1]._replace(answer=top.answer, unfair=_unfair(evidence, top))]
    lean = _lean_of(top) if chosen is not None and chosen["lean"] else 0
    tries, ends = _tries(evidence, top, scale, lean), ends_of(evidence)
    is_open = top.answer not in (YES, NO) and not ends.is_stuck
    return PlainAnswer(
        top.answer,
        ends.headline(_headline(top, evidence)),
        _sentences(top, evidence, ends, has_help(tries)),
        (_coins(top.first, evidence),) if top.first.shown else (),
        LEGEND if top.first.shown else "",
        since_words(shown),
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
        )
        + _bar_of_good_players(evidence, top, scale),
        tuple(f"{label} wins more" for label in reversed(game.labels)),
        *_help(evidence, top, lean, tries),
        tries,
        careful_words(evidence),
        more_deals(evidence, _known(evidence, top.first)) if is_open else None,
    )


def _bar_of_good_players(evidence: Evidence, top: Fairness, scale: tuple[float, float]) -> tuple[Bar, ...]:
    if evidence.settings.judged is None:
        return ()
    level = LevelAnswer("Good players", top.answer, _unfair(evidence, top))
    about = "All who play these rules well, as far as these players and their training show."
    return (Bar(level.player, top.first, scale, level.in_short, top.answer, BAND, about=about),)


def _known(evidence: Evidence, first: Number) -> Known:
    """More deals narrow what the luck of the deals leaves open, but not what other players would get."""
    if not first.shown:
        return Known.of_too_few(first.n)
    beyond, judged = abs(abs(first.value - EVEN) - FAIR), evidence.settings.judged
    if judged is None:
        return Known(first.n, max(first.high - first.value, first.value - first.low), beyond)
    seat = judged.verdict.seats[0]
    return Known(first.n, REACH * seat.deals_error, max(0.0, beyond - REACH * seat.policy_error))


def _level(evidence: Evidence, agent: int, found: Fairness) -> LevelAnswer:
    return LevelAnswer(player_name(evidence.agents[agent], evidence.ruleset), found.answer, _unfair(evidence, found))


def _unfair(evidence: Evidence, found: Fairness) -> str:
    return f"{evidence.game.better(found.first.value)} wins too often" if found.answer == NO else ""


def _headline(top: Fairness, evidence: Evidence) -> str:
    better = evidence.game.better(top.first.value)
    if top.answer == YES:
        return "Yes, it is fair."
    if top.answer == NO:
        return f"No, {better} wins {_how_often(top.first)}."
    if top.answer == OPEN:
        return open_headline(f"{better} seems to win too often" if _lean_of(top) else "", _is_near(top.first))
    return NO_GAMES


def _how_often(first: Number) -> str:
    """How far an unfair share lies from an even one, as the interval leaves it."""
    near, far = sorted((abs(first.low - EVEN), abs(first.high - EVEN)))
    if near >= DECIDED - EVEN:
        return "nearly every game"
    return "far too often" if near > SLIGHT else "a little too often" if far <= SLIGHT else "too often"


def _is_near(first: Number) -> bool:
    return first.low >= EVEN - SLIGHT and first.high <= EVEN + SLIGHT


def _lean_of(top: Fairness) -> int:
    """Where the first seat's share should go by the strongest player's games; 0 where they leave an even game open."""
    first = top.first
    if top.answer not in (NO, OPEN) or first.low <= EVEN <= first.high:
        return 0
    return 1 if first.value < EVEN else -1


def _sentences(top: Fairness, evidence: Evidence, ends: Ends, is_helped: bool) -> tuple[str, ...]:
    """What was seen, and what to do.

    Args:
        is_helped: whether there are changes to try that lead the right way.
    """
    game, first = evidence.game, top.first
    if not first.shown:
        return (too_few_advice(evidence, _known(evidence, first)),)
    low, high = _ends_in_words(top)
    among = "Among other good players" if evidence.settings.judged is not None else "Over more games"
    between = f"{among} the number for {game.first} very probably lies between {low} and {high}"
    then = {
        YES: f"{between}. You need not change anything for fairness.",
        NO: f"{between}, and none of that is fair.{' Try one of the changes below.' if is_helped else ''}",
    }
    is_near = _is_near(first) and not _lean_of(top)
    more = f"{between}: {top.known}. {open_advice(evidence, _known(evidence, first), is_near)}"
    seen = _seen(first, evidence, ends)
    return (seen, ends.advice) if ends.is_stuck else (seen, then.get(top.answer, more))


def _seen(first: Number, evidence: Evidence, ends: Ends) -> str:
    """How many games each side won; of games that many draw, those as well, and how they count."""
    game, has = evidence.game, games_of_hundred(first.value)
    plays = _who_plays(evidence)
    if not ends.is_drawn:
        wins = f"{game.first} wins about {has} of {HUNDRED} games and {game.seats[1]} {HUNDRED - has}"
        return f"{plays}, {wins}. Fair means that each wins 48 to 52."
    won = games_of_hundred(first.value - ends.drawn / 2)
    drawn = games_of_hundred(ends.drawn)
    wins = f"{game.first} wins about {won} of {HUNDRED} games and {game.seats[1]} {HUNDRED - won - drawn}; {drawn} are drawn"
    return f"{plays}, {wins}. A draw counts as half a win: so {game.first} has {has}. Fair means 48 to 52."


def _who_plays(evidence: Evidence) -> str:
    place = evidence.game.place
    if evidence.settings.has_trained:
        return f"When good players play both {place}s"
    return f"When {player_name(evidence.strongest, evidence.ruleset)}, the strongest player here, plays both {place}s"


def _ends_in_words(top: Fairness) -> tuple[int, int]:
    """The ends of the interval as games of a hundred, rounded so that they do not speak against the answer."""
    first, (fair_low, fair_high) = top.first, map(games_of_hundred, BAND)
    low, high = games_of_hundred(first.low), games_of_hundred(first.high)
    if top.answer == NO:
        return (max(low, fair_high + 1), high) if first.value > EVEN else (low, min(high, fair_low - 1))
    if top.answer == OPEN and fair_low <= low and high <= fair_high:
        return (low, fair_high + 1) if first.high > BAND[1] else (fair_low - 1, high)
    return low, high


def _coins(first: Number, evidence: Evidence) -> Coins:
    low, high = coins_between(first.low, first.high)
    one, other = evidence.game.seats
    says = f"Of {HUNDRED} coins {low} are {one}'s, {HUNDRED - high} {other}'s, and {high - low} may be either's."
    return Coins("", ((FIRST, low), (EITHER, high - low), (SECOND, HUNDRED - high)), says)


def _tries(evidence: Evidence, top: Fairness, scale: tuple[float, float], lean: int) -> tuple[ChangeToTry, ...]:
    found = evidence.measures.get(LEVERS.name)
    if found is None or not top.first.shown or _speaks_against(found, top):
        return ()
    game, wanted = evidence.game, _lean_of(top)

    def words(was: float, now: float) -> str:
        before, after = games_of_hundred(was), games_of_hundred(now)
        if before == after:
            return f"{game.at_first} would still win about {after} of {HUNDRED} games"
        return f"{game.at_first} would win about {after} of {HUNDRED} games instead of {before}"

    other = game.seats[0 if lean > 0 else 1]
    aim = Aim(words, scale, BAND, lean, other)
    rows = [row for row in found["chosen"] if wanted * row["change"]["value"] >= 0]
    return changes_to_try(evidence.ruleset, rows, aim)


def _help(evidence: Evidence, top: Fairness, lean: int, tries: tuple[ChangeToTry, ...]) -> tuple[str, str]:
    """The title above the changes, and a sentence."""
    found, game = evidence.measures.get(LEVERS.name), evidence.game
    player = "" if found is None else player_name(found["agent"], evidence.ruleset)
    weaker = game.seats[0 if lean > 0 else 1]
    if found is not None and _speaks_against(found, top):
        other = game.seats[0 if _lean_of(top) > 0 else 1]
        return help_against(player, other)
    return help_of(
        evidence.why_missing(LEVERS.name) if found is None else "",
        lean,
        top.answer,
        weaker,
        tries,
        f"These numbers move the chances of {game.first} most, either way; {player} played both {game.place}s.",
        f"None of the changes that were tried helped {weaker}.",
    )


def _speaks_against(found: Mapping[str, Any], top: Fairness) -> bool:
    """Whether the changes were to help the side that the strongest player's games show to be better off."""
    return int(found["lean"]) * _lean_of(top) < 0
