"""The plain answer from the evidence: fair or not, since which player, and what helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channel_tunnel_agents.balance.empirical.verdict import FAIR, FairAnswer, Fairness
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.headline import (
    IDLE,
    NO,
    fair_words,
    headline_of,
    possible,
    unlike,
    unplayed,
    who_plays,
)
from channel_tunnel_agents.balance.report.levers import LEVERS, among_good_players, pair_of, share_of
from channel_tunnel_agents.balance.report.numbers import FEWEST, HUNDRED, games_of_hundred, of_estimate
from channel_tunnel_agents.balance.report.plain.open_answer import known_of, open_advice, what_would_tell, would_tell
from channel_tunnel_agents.balance.report.plain.parts import (
    EITHER,
    FIRST,
    ONE,
    SECOND,
    Bar,
    ChangeToTry,
    Coins,
    PlainAnswer,
    coins_between,
)
from channel_tunnel_agents.balance.report.plain.players import about_player, careful_words, player_name
from channel_tunnel_agents.balance.report.plain.since import GOOD, LevelAnswer, since_words
from channel_tunnel_agents.balance.report.plain.trying import (
    ALL_UNFAIR,
    FIRST_THINGS_FIRST,
    KNOWN,
    NONE_SHOWN,
    TWO_STEPS,
    Aim,
    changes_to_try,
    has_help,
    not_tried,
    reach_of,
)
from channel_tunnel_agents.balance.verdict_words import TROUBLE, TROUBLE_IN_SHORT
from channel_tunnel_env.outside.sentences import capital, listed

MANY_DRAWN = 0.05
"""Share of games without a single winner from which it is said how they count."""
LEAST_REACH, LEAST_REACH_OF_LEADS = 0.12, 0.2
LEGEND = "Each coin is one game in a hundred. Striped: {} may win it; these games do not settle which."
FAIR_BAND = (EVEN - FAIR, EVEN + FAIR)


def plain_answer(evidence: Evidence) -> PlainAnswer:
    """Fair or not, since which player, and what helps."""
    top, game = evidence.top, evidence.game
    names = evidence.ladder
    levels = [_level(evidence, player_name(name, evidence.ruleset), evidence.fairness_of(name)) for name in names]
    is_of_all = evidence.judged_of_two is not None
    shown = _level(evidence, GOOD if is_of_all else levels[-1].player, top)
    is_known, is_stuck = top.answer != FairAnswer.FEW, top.trouble in IDLE
    lean, scale = _lean(evidence), _scale(evidence)
    tries = _tries(evidence, lean, scale) if is_known and not is_stuck else ()
    track = tuple(f"{label} wins more" for label in reversed(game.labels))
    if not evidence.is_of_two:
        track = (f"all {game.place}s alike", f"one {game.place} wins far more")
    is_open = top.answer in (FairAnswer.OPEN, FairAnswer.FEW) and not is_stuck
    return PlainAnswer(
        top.answer.value,
        headline_of(top, game),
        _sentences(evidence, has_help(tries)),
        _coins(evidence) if is_known else (),
        LEGEND.format("either side" if evidence.is_of_two else f"more than one {game.place}") if is_known else "",
        since_words(_since_whom(evidence, levels, shown)),
        _bars(evidence, levels, shown, scale),
        track,
        *_help(evidence, lean, tries),
        tries,
        careful_words(evidence),
        what_would_tell(evidence, known_of(evidence)) if is_open else None,
    )


def _level(evidence: Evidence, player: str, found: Fairness) -> LevelAnswer:
    if found.trouble in IDLE:
        return LevelAnswer(player, NO, TROUBLE_IN_SHORT[found.trouble])
    return LevelAnswer(
        player, found.answer.value, unlike(found, evidence.game) if found.answer == FairAnswer.NO else ""
    )


def _since_whom(evidence: Evidence, levels: list[LevelAnswer], shown: LevelAnswer) -> list[LevelAnswer]:
    """The levels for `since_words`: an open guess at good players is about the strongest one, which is no weaker one then."""
    judged = evidence.judged_of_two
    is_weaker = judged is not None and (judged.is_trained or shown.answer == NO or len(levels) == 1)
    return [*(levels if is_weaker else levels[:-1]), shown]


# --- what was seen, and what to do ------------------------------------------------------------------


def _sentences(evidence: Evidence, is_helped: bool) -> tuple[str, ...]:
    """What was seen, and what to do; there may be changes to try that lead the right way (`is_helped`)."""
    top, game = evidence.top, evidence.game
    if top.answer == FairAnswer.FEW:
        return (f"Change nothing yet. {would_tell(evidence, known_of(evidence))}",)
    note = game.seats_note(evidence.ruleset)
    seen = (_seen(evidence), *_before(evidence), *([note] if note else []))
    if top.trouble in IDLE:
        return (*seen, TROUBLE[top.trouble])
    between = more = "That may be luck"
    if evidence.is_of_two:
        low, high = _ends_in_words(top)
        among = "With other good players," if evidence.settings.judged is not None else "Over more games,"
        between = f"{among} {game.first} very probably wins {low} to {high} of {HUNDRED}"
        more = f"{between}: {possible(top, game)}"
    if top.answer == FairAnswer.YES:
        unchanged = "You need not change anything for fairness."
        return *seen, f"{between}. {unchanged}" if evidence.is_of_two else unchanged
    if top.answer == FairAnswer.NO:
        more = f"{between}, and none of that is fair" if evidence.is_of_two else "That is more than luck"
        return *seen, f"{more}.{' Try one of the changes below.' if is_helped else ''}"
    return *seen, f"{more}. {open_advice(evidence, known_of(evidence), top.is_near and not top.seems_unfair)}"


def _before(evidence: Evidence) -> list[str]:
    """What the first of two seats wins by the rules of the base and by these, in a sentence; nothing if that is not known."""
    if not evidence.is_of_two or evidence.base is None:
        return []
    found = evidence.compared.get((evidence.strongest, evidence.share_measures[0]))
    if found is None or found.deals < FEWEST:
        return []
    player, game = player_name(evidence.strongest, evidence.ruleset), evidence.game
    was, now = games_of_hundred(found.one.value), games_of_hundred(found.other.value)
    return [f"When {player} plays {game.all}, {game.first} wins about {was} on {evidence.base.title} and {now} here."]


def _seen(evidence: Evidence) -> str:
    """What the seats won, if more than two, the best and the worst; and how games without a single winner count."""
    game, shares, ends = evidence.game, evidence.top.shares, evidence.top.ends
    plays = who_plays(evidence)
    is_drawn, drawn = ends.drawn >= MANY_DRAWN, games_of_hundred(ends.drawn)
    if evidence.is_of_two:
        has, (first, second) = games_of_hundred(shares[0].value), game.seats
        if not is_drawn:
            wins = f"{first} wins about {has} of {HUNDRED} games and {second} {HUNDRED - has}"
            return f"{plays}, {wins}. Fair means each side wins {fair_words(EVEN)} of {HUNDRED}."
        won = games_of_hundred(shares[0].value - ends.drawn / 2)
        wins = f"{first} wins about {won} of {HUNDRED} games and {second} {HUNDRED - won - drawn}; {drawn} are drawn"
        return f"{plays}, {wins}. A draw counts as half a win: so {first} has {has}. Fair means {fair_words(EVEN)}."
    named = sorted(zip(game.seats, (each.value for each in shares), strict=True), key=lambda each: each[1])
    (worst, least), (best, most) = ((name, games_of_hundred(value)) for name, value in (named[0], named[-1]))
    part = f"An equal part is {HUNDRED * evidence.even:.0f}, and two more or fewer still count as fair."
    if nobody := unplayed(evidence):
        part = f"{part} Nobody plays {listed(nobody)}; what they win is missing in all of this."
    if not is_drawn:
        return f"{plays}, {best} wins about {most} of {HUNDRED} games and {worst} about {least}. {part}"
    divided = f"In {drawn} of {HUNDRED} games nobody wins alone; the rules then divide the win among several."
    return f"{plays}, {best} gets about {most} of {HUNDRED} wins and {worst} about {least}. {part} {divided}"


def _ends_in_words(top: Fairness) -> tuple[int, int]:
    """The ends of the first of two seats' interval as games of a hundred, rounded so that they do not speak against the answer."""
    first, (fair_low, fair_high) = top.shares[0], map(games_of_hundred, FAIR_BAND)
    low, high = games_of_hundred(first.low), games_of_hundred(first.high)
    if top.answer == FairAnswer.NO:
        return (max(low, fair_high + 1), high) if first.value > EVEN else (low, min(high, fair_low - 1))
    if top.answer == FairAnswer.OPEN and fair_low <= low and high <= fair_high:
        return (low, fair_high + 1) if first.high > FAIR_BAND[1] else (fair_low - 1, high)
    return low, high


# --- pictures -------------------------------------------------------------------------------------


def _coins(evidence: Evidence) -> tuple[Coins, ...]:
    """One pile for two seats; one each for more."""
    game, rows = evidence.game, []
    between = [coins_between(share.low, share.high) for share in evidence.top.shares]
    if evidence.is_of_two:
        (low, high), (one, other) = between[0], game.seats
        says = f"Of {HUNDRED} coins {low} are {one}'s, {HUNDRED - high} {other}'s, and {high - low} may be either's."
        return (Coins("", ((FIRST, low), (EITHER, high - low), (SECOND, HUNDRED - high)), says),)
    for head, (low, high) in zip(game.heads, between, strict=True):
        says = f"{head}: {low} coins, and {high - low} more that may be won or not."
        rows.append(Coins(head, ((ONE, low), (EITHER, high - low)), says))
    return tuple(rows)


def _scale(evidence: Evidence) -> tuple[float, float]:
    """The track of the bars: the first of two seats' share, or the best seat's less the worst one's."""
    if not evidence.is_of_two:
        gaps = [evidence.seats_of(name) for name in evidence.ladder]
        return 0.0, reach_of([of_estimate(each.gap, each.deals) for each in gaps], 0.0, LEAST_REACH_OF_LEADS)
    chosen = evidence.measures.get(LEVERS.name, {"chosen": ()})["chosen"]
    numbers = [evidence.numbers_of(name)[0] for name in evidence.ladder]
    numbers.append(of_estimate(evidence.top.shares[0], evidence.top.deals))
    numbers += [among_good_players(evidence, row)[0] for row in chosen]
    reach = reach_of(numbers, EVEN, LEAST_REACH)
    return EVEN - reach, EVEN + reach


def _bars(
    evidence: Evidence, levels: list[LevelAnswer], top: LevelAnswer, scale: tuple[float, float]
) -> tuple[Bar, ...]:
    bars, band = [], FAIR_BAND if evidence.is_of_two else ()
    for agent, level in zip(evidence.ladder, levels, strict=True):
        found, about = evidence.seats_of(agent), about_player(agent, evidence.ruleset)
        number = of_estimate(found.shares[0] if evidence.is_of_two else found.gap, found.deals, "share")
        bars.append(Bar(level.player, number, scale, level.in_short, level.answer, band, about=about))
    if evidence.judged_of_two is not None:
        number = of_estimate(evidence.top.shares[0], evidence.top.deals, "share")
        about = "All who play these rules well, as far as these players and their training show."
        bars.append(Bar(capital(GOOD), number, scale, top.in_short, top.answer, band, about=about))
    return tuple(bars)


# --- changes --------------------------------------------------------------------------------------


def _wanted(evidence: Evidence) -> int:
    """Where a change should move the first of two seats' share, or the lead of the best seat; 0 where even is possible."""
    top, chosen = evidence.top, evidence.measures.get(LEVERS.name)
    if top.answer not in (FairAnswer.NO, FairAnswer.OPEN):
        return 0
    if not evidence.is_of_two:
        return 0 if chosen is None else int(chosen["lean"])
    return top.lean


def _lean(evidence: Evidence) -> int:
    """The same, as far as the changes were chosen for it."""
    chosen = evidence.measures.get(LEVERS.name)
    return _wanted(evidence) if chosen is not None and chosen["lean"] else 0


def _speaks_against(found: Mapping[str, Any], evidence: Evidence) -> bool:
    """Whether the changes were to help the side that the strongest player's games show to be better off."""
    return int(found["lean"]) * _wanted(evidence) < 0


def _tries(evidence: Evidence, lean: int, scale: tuple[float, float]) -> tuple[ChangeToTry, ...]:
    found, game = evidence.measures.get(LEVERS.name), evidence.game
    if found is None or _speaks_against(found, evidence):
        return ()
    base = evidence.base.ruleset if evidence.base and not evidence.settings.base else None  # what the file is laid over
    rows = [row for row in found["chosen"] if _wanted(evidence) * row["change"]["value"] >= 0]
    if evidence.is_of_two:

        def words(was: float, now: float) -> str:
            before, after = games_of_hundred(was), games_of_hundred(now)
            if before == after:
                return f"{game.at_first} would still win about {after} of {HUNDRED} games"
            return f"{game.at_first} would win about {after} of {HUNDRED} games instead of {before}"

        aim = Aim(words, scale, FAIR_BAND, lean, game.seats[0 if lean > 0 else 1])
        return changes_to_try(evidence.ruleset, rows, aim, base, lambda row: among_good_players(evidence, row))
    best, worst = pair_of(evidence, found)

    def leads(was: float, now: float) -> str:
        before, after = games_of_hundred(was), games_of_hundred(now)
        if before == after:
            return f"Of {HUNDRED} games {best} would still win {_lead(after, worst)}"
        return f"Of {HUNDRED} games {best} would win {_lead(after, worst)}; now it is {_lead(before)}"

    reach = reach_of([share_of(row) for row in found["chosen"]], 0.0, LEAST_REACH_OF_LEADS)
    return changes_to_try(evidence.ruleset, rows, Aim(leads, (-reach, reach), (-2 * FAIR, 2 * FAIR), lean, worst), base)


def _lead(games: int, over: str = "") -> str:
    """How many games one seat wins more than another: "about 5 more than Italy"."""
    if not games:
        return f"as many{f' as {over}' if over else ''}"
    return f"about {abs(games)} {'more' if games > 0 else 'fewer'}{f' than {over}' if over else ''}"


def _help(evidence: Evidence, lean: int, tries: tuple[ChangeToTry, ...]) -> tuple[str, str]:
    found, game, top = evidence.measures.get(LEVERS.name), evidence.game, evidence.top
    if found is None:
        return "What would help?", not_tried(evidence.why_missing(LEVERS.name))
    if top.trouble in IDLE:
        return "What would help?", FIRST_THINGS_FIRST
    player = player_name(found["agent"], evidence.ruleset)
    if _speaks_against(found, evidence):
        weaker = game.seats[0 if _wanted(evidence) > 0 else 1]
        return f"What would help {weaker}?", (
            f"The changes were tried with {player}, with whom {weaker} is better off. None of them is offered here: what helps one kind "
            "of player would harm the other."
        )
    if top.answer == FairAnswer.FEW:
        return "What would help?", "More games must show which changes help."
    if evidence.is_of_two:
        weaker = game.seats[0 if lean > 0 else 1]
        moved, by = f"the chances of {game.first}", f"; {player} played {game.all}"
        none_helps = f"None of the changes that were tried helped {weaker}."
    else:
        best, weaker = pair_of(evidence, found)
        moved, by = f"the lead of {best} over {weaker}", ""
        none_helps = f"None of the changes that were tried brought {weaker} nearer to {best}."
    if not lean:
        moves = f"These numbers move {moved} most, either way, but for those that would make it unfair{by}."
        is_moved = any(row["change"]["value"] for row in found["chosen"])
        others = ALL_UNFAIR if is_moved else f"None of the changes that were tried moved {moved}."
        return "Which numbers move it?", f"{KNOWN.get(top.answer, '')}{moves if tries else others}"
    if not tries:
        return "What would help?", f"{none_helps} {TWO_STEPS}"
    told = f"Among all changes that were tried, one at a time, these helped {weaker} most, best first."
    parts = [f"That {weaker} needs help is probable, not sure."] if top.answer == FairAnswer.OPEN else []
    parts += [told] if has_help(tries) else [told, NONE_SHOWN]
    return f"What would help {weaker}?", " ".join(parts)
