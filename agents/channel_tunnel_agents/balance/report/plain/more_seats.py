"""The plain answer for more than two seats."""

from __future__ import annotations

from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.measuring.seats import SeatShares
from channel_tunnel_agents.balance.report.evidence import TableEvidence
from channel_tunnel_agents.balance.report.measurements import TABLE_LEVERS
from channel_tunnel_agents.balance.report.numbers import of_dict, of_estimate
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
    HUNDRED,
    ONE,
    Bar,
    ChangeToTry,
    Coins,
    PlainAnswer,
    coins_between,
    games_of_hundred,
)
from channel_tunnel_agents.balance.report.plain.players import about_player, player_name
from channel_tunnel_agents.balance.report.plain.since import LevelAnswer, since_words
from channel_tunnel_agents.balance.report.plain.trying import Aim, changes_to_try, has_help, help_of, reach_of
from channel_tunnel_agents.balance.report.tables.verdict import TOO_FEW, at_start, judge
from channel_tunnel_agents.balance.report.verdict import EVEN, NO, OPEN, SLIGHT, YES
from channel_tunnel_agents.balance.report.words import listed

LEAST_REACH = 0.2
WIN, SEEM = ("wins", "win"), ("seems to win", "seem to win")
"""Of one seat, and of several."""
LEGEND = "Each coin is a game of a hundred. Striped: these games cannot tell whether it is won."


def plain_answer(evidence: TableEvidence) -> PlainAnswer:
    """Fair or not, since which player, and what helps."""
    names = [evidence.agents[i] for i in evidence.by_strength]
    found = {name: evidence.seats_of(name) for name in names}
    answers = {name: judge(each) for name, each in found.items()}
    top = evidence.strongest
    levels = [_level(evidence, name, found[name], answers[name]) for name in names]
    is_known = answers[top] != TOO_FEW
    lean = _lean(evidence, answers[top])
    tries, ends = _tries(evidence, lean) if is_known else (), ends_of(evidence)
    is_open = answers[top] not in (YES, NO) and not ends.is_stuck
    return PlainAnswer(
        answers[top],
        ends.headline(_headline(evidence, found[top], answers[top])),
        _sentences(evidence, found[top], answers[top], ends, has_help(tries)),
        _coins(evidence, found[top]) if is_known else (),
        LEGEND if is_known else "",
        since_words(levels),
        _bars(evidence, found, levels),
        (f"all {evidence.game.place}s alike", f"one {evidence.game.place} wins far more"),
        *_help(evidence, answers[top], lean, tries),
        tries,
        careful_words(evidence),
        more_deals(evidence, _known(evidence, found[top])) if is_open else None,
    )


def _known(evidence: TableEvidence, found: SeatShares) -> Known:
    if judge(found) == TOO_FEW:
        return Known.of_too_few(found.deals)
    half = max((share.high - share.low) / 2 for share in found.shares)
    furthest = max(abs(share.value - evidence.even) for share in found.shares)
    return Known(found.deals, half, abs(furthest - FAIR))


def _level(evidence: TableEvidence, agent: str, found: SeatShares, answer: str) -> LevelAnswer:
    unfair = _unlike(evidence, found, FAIR, WIN) if answer == NO else ""
    return LevelAnswer(player_name(agent, evidence.ruleset), answer, unfair)


def _unlike(evidence: TableEvidence, found: SeatShares, leeway: float, verbs: tuple[str, str]) -> str:
    """The seats whose interval lies beyond a leeway: "France wins too often and Italy too seldom"; "" if there is none.

    Args:
        leeway: how far from the even share does not count.
        verbs: of one seat, and of several.
    """
    named = [(evidence.game.called(seat), share) for seat, share in zip(evidence.seats, found.shares, strict=True)]
    above = [name for name, share in named if share.low > evidence.even + leeway]
    below = [name for name, share in named if share.high < evidence.even - leeway]
    told = [(names, how) for names, how in ((above, "often"), (below, "seldom")) if names]
    parts = [
        f"{listed(names)}{f' {verbs[len(names) > 1]}' * (k == 0)} too {how}" for k, (names, how) in enumerate(told)
    ]
    return " and ".join(parts)


def _headline(evidence: TableEvidence, found: SeatShares, answer: str) -> str:
    if answer == YES:
        return "Yes, it is fair."
    if answer == NO:
        return f"No, {_unlike(evidence, found, FAIR, WIN)}."
    if answer == OPEN:
        return open_headline(_unlike(evidence, found, 0.0, SEEM), _is_near(evidence, found))
    return NO_GAMES


def _is_near(evidence: TableEvidence, found: SeatShares) -> bool:
    """Whether no seat can be further from even than is slight; of more seats each has less to win."""
    slight = SLIGHT * evidence.even / EVEN
    ends = [end for share in found.shares for end in (share.low, share.high)]
    return all(abs(end - evidence.even) <= slight for end in ends)


def _sentences(evidence: TableEvidence, found: SeatShares, answer: str, ends: Ends, is_helped: bool) -> tuple[str, ...]:
    """What was seen, and what to do.

    Args:
        is_helped: whether there are changes to try.
    """
    if answer == TOO_FEW:
        return (too_few_advice(evidence, _known(evidence, found)),)
    then = {
        YES: "You need not change anything for fairness.",
        NO: f"That is more than luck.{' Try one of the changes below.' if is_helped else ''}",
    }
    near = _is_near(evidence, found) and not _unlike(evidence, found, 0.0, SEEM)
    more = f"That may be luck. {open_advice(evidence, _known(evidence, found), near)}"
    seen = _seen(evidence, found, ends)
    return (seen, ends.advice) if ends.is_stuck else (seen, then.get(answer, more))


def _seen(evidence: TableEvidence, found: SeatShares, ends: Ends) -> str:
    """What the best and the worst seat won; of games that nobody wins alone, how they count."""
    place, even = evidence.game.place, evidence.even
    named = sorted(
        zip((evidence.game.called(s) for s in evidence.seats), found.shares, strict=True),
        key=lambda each: each[1].value,
    )
    (worst, least), (best, most) = named[0], named[-1]
    part = f"An equal part is {HUNDRED * even:.0f}, and two more or fewer still count as fair."
    if evidence.unplayed:
        part = f"{part} Nobody plays {listed(evidence.unplayed)}."
    plays = f"When {player_name(evidence.strongest, evidence.ruleset)}, the strongest player here, plays every {place}"
    high, low = games_of_hundred(most.value), games_of_hundred(least.value)
    if not ends.is_drawn:
        return f"{plays}, {best} wins about {high} of {HUNDRED} games and {worst} about {low}. {part}"
    divided = f"In {games_of_hundred(ends.drawn)} of {HUNDRED} games nobody wins alone; the rules then divide the win among several."
    return f"{plays}, {best} gets about {high} of {HUNDRED} wins and {worst} about {low}. {part} {divided}"


def _coins(evidence: TableEvidence, found: SeatShares) -> tuple[Coins, ...]:
    rows = []
    for seat, share in zip(evidence.seats, found.shares, strict=True):
        name = at_start(evidence.game.called(seat))
        low, high = coins_between(share.low, share.high)
        says = f"{name}: {low} coins, and {high - low} more that may be won or not."
        rows.append(Coins(name, ((ONE, low), (EITHER, high - low)), says))
    return tuple(rows)


def _bars(evidence: TableEvidence, found: dict[str, SeatShares], levels: list[LevelAnswer]) -> tuple[Bar, ...]:
    """The best seat's share less the worst one's, for every player."""
    gaps = [of_estimate(each.gap, each.deals, "share") for each in found.values()]
    scale = (0.0, reach_of(gaps, 0.0, LEAST_REACH))
    return tuple(
        Bar(level.player, gap, scale, level.in_short, level.answer, about=about_player(agent, evidence.ruleset))
        for agent, gap, level in zip(found, gaps, levels, strict=True)
    )


def _lean(evidence: TableEvidence, answer: str) -> int:
    """-1 where the lead of the best seat should shrink."""
    lean = int(evidence.measures.get(TABLE_LEVERS.name, {}).get("lean", 0))
    return lean if answer in (NO, OPEN) else 0


def _tries(evidence: TableEvidence, lean: int) -> tuple[ChangeToTry, ...]:
    found = evidence.measures.get(TABLE_LEVERS.name)
    if found is None:
        return ()
    best, worst = _best_and_worst(evidence)

    def words(was: float, now: float) -> str:
        before, after = games_of_hundred(was), games_of_hundred(now)
        if before == after:
            return f"Of {HUNDRED} games {best} would still win {_lead(after, worst)}"
        return f"Of {HUNDRED} games {best} would win {_lead(after, worst)}; now it is {_lead(before)}"

    shares = [of_dict(row["share"], row["deals"], "share") for row in found["chosen"]]
    reach = reach_of(shares, 0.0, LEAST_REACH)
    aim = Aim(words, (-reach, reach), (-2 * FAIR, 2 * FAIR), lean, worst)
    return changes_to_try(evidence.ruleset, found["chosen"], aim)


def _lead(games: int, over: str = "") -> str:
    """How many games one seat wins more than another: "about 5 more than Italy"."""
    if not games:
        return f"as many{f' as {over}' if over else ''}"
    return f"about {abs(games)} {'more' if games > 0 else 'fewer'}{f' than {over}' if over else ''}"


def _help(evidence: TableEvidence, answer: str, lean: int, tries: tuple[ChangeToTry, ...]) -> tuple[str, str]:
    """The title above the changes, and a sentence."""
    missing = TABLE_LEVERS.name not in evidence.measures
    best, worst = ("", "") if missing else _best_and_worst(evidence)
    return help_of(
        evidence.why_missing(TABLE_LEVERS.name) if missing else "",
        lean,
        answer,
        worst,
        tries,
        f"These numbers move the lead of {best} over {worst} most, either way.",
        f"None of the changes that were tried brought {worst} nearer to {best}.",
    )


def _best_and_worst(evidence: TableEvidence) -> tuple[str, str]:
    """The seats whose lead the levers were to change, in words."""
    found, seats = evidence.measures[TABLE_LEVERS.name], evidence.results.seats
    best, worst = (evidence.game.called(seats[found[k]]) for k in ("best", "worst"))
    return best, worst
