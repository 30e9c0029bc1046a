"""The headline of the answer, and words that other parts of the page share with it."""

from __future__ import annotations

from channel_tunnel_agents.balance.empirical.verdict import DECIDED, FAIR, SLIGHT, FairAnswer, Fairness, Trouble
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.numbers import HUNDRED, games_of_hundred
from channel_tunnel_agents.balance.report.plain.players import player_names
from channel_tunnel_env.outside.sentences import listed

YES, NO, OPEN, FEW = (answer.value for answer in FairAnswer)
WIN, SEEM = ("wins", "win"), ("seems to win", "seem to win")
"""The verb for one seat, and for several."""


def fair_words(even: float) -> str:
    """What counts as fair beside an equal part, in wins of a hundred games: "48 to 52"."""
    return f"{HUNDRED * (even - FAIR):.0f} to {HUNDRED * (even + FAIR):.0f}"


def headline_of(found: Fairness, game: ReportedGame) -> str:
    """Fair or not; what makes the question idle comes first."""
    if trouble := trouble_words(found):
        return f"{trouble}."
    if found.answer == FairAnswer.YES:
        return "Yes, it is fair."
    if found.answer == FairAnswer.NO:
        return f"No, {how_unfair(found, game)}."
    if found.answer == FairAnswer.FEW:
        return "Too few games to tell."
    if found.seems_unfair:
        return f"Probably not: {unlike(found, game, 0.0, SEEM)}."
    return "Perhaps: it is not far from fair." if found.is_near else "These games cannot tell yet."


IDLE = {
    Trouble.STOPPED: "games are stopped",
    Trouble.DRAWN: "games have no winner",
    Trouble.ONE_ACTION: "decisions are for the same action",
}
"""What leaves no question of fairness; that one seat always wins answers it."""


def trouble_words(found: Fairness) -> str:
    """How many games are not worth asking about, in a sentence without its end; "" if all are."""
    if found.trouble not in IDLE:
        return ""
    return f"{games_of_hundred(found.troubled)} of {HUNDRED} {IDLE[found.trouble]}"


def how_unfair(found: Fairness, game: ReportedGame) -> str:
    """Who wins too often; of one seat among two, and of one that wins nearly always, how far too often."""
    better = game.seats[found.best]
    if found.trouble == Trouble.DECIDED:
        return f"{better} wins nearly every game"
    if not found.is_of_two:
        return unlike(found, game)
    one = found.shares[found.best]
    near, far = one.low - EVEN, one.high - EVEN
    slight = SLIGHT * EVEN
    size = "far " if near > slight else "a little " if far <= slight + 1e-12 else ""
    return f"{better} wins {'nearly every game' if near >= DECIDED - EVEN else f'{size}too often'}"


def unlike(found: Fairness, game: ReportedGame, leeway: float = FAIR, verbs: tuple[str, str] = WIN) -> str:
    """The seats whose interval lies beyond a leeway: "France wins too often and Italy too seldom"; "" if there is none.

    With two seats only the better one is named: the other one's share follows.

    Args:
        leeway: how far from an equal part does not count.
        verbs: of one seat, and of several.
    """
    above, below = ([game.seats[place] for place in places] for places in found.beyond(leeway))
    told = [(above, "often"), *([] if found.is_of_two else [(below, "seldom")])]
    told = [(names, how) for names, how in told if names]
    parts = [
        f"{listed(names)}{f' {verbs[len(names) > 1]}' * (k == 0)} too {how}" for k, (names, how) in enumerate(told)
    ]
    return " and ".join(parts)


def possible(found: Fairness, game: ReportedGame) -> str:
    """What the intervals leave possible, such as "even, or slightly for France"."""
    if found.answer == FairAnswer.FEW:
        return ""
    if not found.is_of_two:
        return unlike(found, game, 0.0, SEEM) or f"no {game.place} is shown to differ"
    first = found.shares[0]
    told = ["even"] if first.low <= EVEN + FAIR and first.high >= EVEN - FAIR else []
    slight = SLIGHT * EVEN + 1e-12
    for seat, share in zip(game.seats, found.shares, strict=True):
        sizes = ["slightly"] * (share.low - EVEN <= slight) + ["strongly"] * (share.high - EVEN > slight)
        if share.high - EVEN > FAIR:
            told.append(f"{' or '.join(sizes)} for {seat}")
    return ", or ".join(told)


def who_plays(evidence: Evidence) -> str:
    """Whose games are told, as a sentence begins: of good players, or by their names of those whose games they are."""
    judged = evidence.settings.judged
    if judged is not None and judged.is_trained:
        return f"When good players play {evidence.game.all}"
    every = evidence.game.all if evidence.is_of_two else f"every {evidence.game.place}"
    names = [evidence.strongest] if judged is None else [*judged.verdict.choice]
    strongest = ", the strongest player here," if names == [evidence.strongest] else ""
    return f"When {player_names(names, evidence.ruleset)}{strongest} {'plays' if len(names) == 1 else 'play'} {every}"


def unplayed(evidence: Evidence) -> list[str]:
    """The seats that nobody plays."""
    return [seat.replace("_", " ").capitalize() for seat in evidence.results.seats if seat not in evidence.seats]
