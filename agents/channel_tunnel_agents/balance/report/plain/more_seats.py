"""The plain answer for more than two seats."""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.balance.measuring.seats import SeatShares
from channel_tunnel_agents.balance.report.evidence import TableEvidence
from channel_tunnel_agents.balance.report.measurements import TABLE_LEVERS
from channel_tunnel_agents.balance.report.numbers import of_dict, of_estimate
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
from channel_tunnel_agents.balance.report.plain.trying import (
    Aim,
    changes_to_try,
    help_of,
    reach_of,
)
from channel_tunnel_agents.balance.report.tables.verdict import TOO_FEW, at_start, judge
from channel_tunnel_agents.balance.report.verdict import FAIR, NO, OPEN, YES

LEAST_REACH = 0.2
LEGEND = "Each coin is a game of a hundred. Striped: these games cannot tell whether it is won."


def plain_answer(evidence: TableEvidence) -> PlainAnswer:
    """Fair or not, since which player, and what helps."""
    names = [evidence.agents[i] for i in evidence.by_strength]
    found = {name: evidence.seats_of(name) for name in names}
    answers = {name: judge(each) for name, each in found.items()}
    top = evidence.strongest
    levels = [_level(evidence, name, found[name], answers[name]) for name in names]
    lean = _lean(evidence, answers[top])
    tries = _tries(evidence, lean)
    is_known = answers[top] != TOO_FEW
    return PlainAnswer(
        answers[top],
        _headline(levels[-1]),
        _sentences(evidence, found[top], answers[top]),
        _coins(evidence, found[top]) if is_known else (),
        LEGEND if is_known else "",
        since_words(levels),
        _bars(evidence, found, levels),
        (f"all {evidence.game.place}s alike", f"one {evidence.game.place} wins far more"),
        *_help(evidence, answers[top], lean, tries),
        tries,
    )


def _best(evidence: TableEvidence, found: SeatShares) -> str:
    return evidence.game.called(
        evidence.results.seats[int(np.argmax([share.value for share in found.shares]))]
    )


def _level(evidence: TableEvidence, agent: str, found: SeatShares, answer: str) -> LevelAnswer:
    better = _best(evidence, found) if answer == NO else ""
    return LevelAnswer(player_name(agent, evidence.ruleset), answer, better)


def _headline(top: LevelAnswer) -> str:
    words = {YES: "Yes, it is fair.", NO: "No, not all have the same chances."}
    return words.get(
        top.answer,
        "These games cannot tell yet." if top.answer == OPEN else "Too few games to tell.",
    )


def _sentences(evidence: TableEvidence, found: SeatShares, answer: str) -> tuple[str, ...]:
    if answer == TOO_FEW:
        return ("Make the report again, on more deals, before you change anything.",)
    place, even = evidence.game.place, evidence.even
    named = sorted(
        zip((evidence.game.called(s) for s in evidence.results.seats), found.shares, strict=True),
        key=lambda each: each[1].value,
    )
    (worst, least), (best, most) = named[0], named[-1]
    seen = (
        f"When {player_name(evidence.strongest, evidence.ruleset)}, the strongest player here, plays every {place}, "
        f"{best} wins about {games_of_hundred(most.value)} of {HUNDRED} games and {worst} about "
        f"{games_of_hundred(least.value)}. An equal part is {HUNDRED * even:.0f}, and two more or fewer still count as fair."
    )
    then = {
        YES: "You need not change anything for fairness.",
        NO: "That is more than luck. Try one of the changes below.",
    }
    more = "That may be luck. Make a report on more deals before you change anything."
    return seen, then.get(answer, more)


def _coins(evidence: TableEvidence, found: SeatShares) -> tuple[Coins, ...]:
    rows = []
    for seat, share in zip(evidence.results.seats, found.shares, strict=True):
        name = at_start(evidence.game.called(seat))
        low, high = coins_between(share.low, share.high)
        says = f"{name}: {low} coins, and {high - low} more that may be won or not."
        rows.append(Coins(name, ((ONE, low), (EITHER, high - low)), says))
    return tuple(rows)


def _bars(
    evidence: TableEvidence, found: dict[str, SeatShares], levels: list[LevelAnswer]
) -> tuple[Bar, ...]:
    """The best seat's share less the worst one's, for every player."""
    gaps = [of_estimate(each.gap, each.deals, "share") for each in found.values()]
    scale = (0.0, reach_of(gaps, 0.0, LEAST_REACH))
    return tuple(
        Bar(
            level.player,
            gap,
            scale,
            level.in_short,
            level.answer,
            about=about_player(agent, evidence.ruleset),
        )
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
            return f"{at_start(best)} would still win about {after} games more of {HUNDRED} than {worst}"
        return (
            f"Of {HUNDRED} games {best} would win about {after} more than {worst}; now it is {before}"
            if after >= 0
            else f"Of {HUNDRED} games {best} would win about {-after} fewer than {worst}; now it is {before} more"
        )

    shares = [of_dict(row["share"], row["deals"], "share") for row in found["chosen"]]
    reach = reach_of(shares, 0.0, LEAST_REACH)
    aim = Aim(words, (-reach, reach), (-2 * FAIR, 2 * FAIR), lean, worst)
    return changes_to_try(evidence.ruleset, found["chosen"], aim)


def _help(
    evidence: TableEvidence, answer: str, lean: int, tries: tuple[ChangeToTry, ...]
) -> tuple[str, str]:
    """The title above the changes, and a sentence."""
    missing = TABLE_LEVERS.name not in evidence.measures
    best, worst = ("", "") if missing else _best_and_worst(evidence)
    return help_of(
        evidence.why_missing(TABLE_LEVERS.name) if missing else "",
        lean,
        answer == NO,
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
