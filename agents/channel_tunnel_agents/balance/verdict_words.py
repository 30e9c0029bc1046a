"""A verdict in sentences, for terminals and pages."""

from __future__ import annotations

import shlex

from channel_tunnel_agents.balance.empirical.value import SeatValue
from channel_tunnel_agents.balance.empirical.verdict import Doubt, PlayerFound, Step, Trouble
from channel_tunnel_agents.balance.judging import Judged, ValueChange
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.statistics import percent_words
from channel_tunnel_env.outside.progress import duration
from channel_tunnel_env.outside.terminal import percent

TROUBLE = {
    Trouble.STOPPED: "Many games get stuck: nothing moves on, and the rules stop them. Mend that before you ask who wins.",
    Trouble.DRAWN: "Hardly a game is won by anybody alone. Mend that before you ask who wins.",
    Trouble.DECIDED: "One seat wins nearly every game, whichever player sits there.",
    Trouble.ONE_ACTION: "Nearly every decision is for the same action. Mend that before you ask who wins.",
}
TROUBLE_IN_SHORT = {
    Trouble.STOPPED: "games get stuck",
    Trouble.DRAWN: "nobody wins alone",
    Trouble.ONE_ACTION: "one action is always played",
}
DOUBTS = {
    Doubt.SHORT: "A policy has had fewer decisions of training than planned, so the value may move.",
    Doubt.IMPROVES: "A policy still improved when its training ended, so the value may move: train it for longer (--decisions).",
    Doubt.BEATEN: "The player that the seats choose most loses most games to another, so good players may differ.",
    Doubt.EXPLOITED: "A best response gains much against these players, so the value may be off by as much.",
}


def verdict_lines(judged: Judged, ruleset: str) -> list[str]:
    """The value of the first seat, or of all, with what is known of the players, a sentence each.

    Args:
        ruleset: as a command names it: a built-in one or a file.
    """
    verdict = judged.verdict
    lines = [TROUBLE[verdict.trouble]] if verdict.trouble else []
    return [*lines, _value(judged), *doubt_lines(judged), *_next(judged, ruleset)]


def doubt_lines(judged: Judged) -> list[str]:
    """What speaks against the value, a sentence each; that nothing was trained is said with the value."""
    told = [DOUBTS[each] for each in judged.verdict.doubts if each in DOUBTS]
    return [judged.why_not, *told] if judged.why_not else told


def _value(judged: Judged) -> str:
    verdict, trained = judged.verdict, _trained(judged)
    seats = verdict.seats if len(verdict.seats) > 2 else verdict.seats[:1]
    shares = ", ".join(f"{each.seat.capitalize()} wins {percent_words(each.share)}" for each in seats)
    if not trained:
        return f"On {verdict.ruleset}, as {judged.player} plays, {shares}{_guess(judged)}."
    return f"On {verdict.ruleset}, when players choose well, {shares}{_bracket(verdict.seats[0], judged)}. {_players(trained)}"


def _guess(judged: Judged) -> str:
    if len(judged.verdict.seats) > 2:
        return "; the interval is that of the deals, and how other players would fare is not known"
    return "; the interval allows for other good players, as no policy was trained for these rules"


def _bracket(first: SeatValue, judged: Judged) -> str:
    if not judged.population.answers:
        return ""
    low, high = first.bracket
    return f"; between {percent(low)} and {percent(high)} if one side plays its best known answer to the other"


def _trained(judged: Judged) -> list[PlayerFound]:
    return [each for each in judged.verdict.players if each.decisions and not each.is_answer]


def _players(trained: list[PlayerFound]) -> str:
    least = min(each.decisions for each in trained)
    policies = "policies were" if len(trained) > 1 else "policy was"
    return f"{len(trained)} {policies} trained for these rules, for {least:,} decisions or more."


def _next(judged: Judged, ruleset: str) -> list[str]:
    """What would narrow the interval, if the answer is open."""
    step = judged.verdict.step
    if step == Step.TRAINING and judged.population.reader is not None:
        command, takes = verdict_command(judged, ruleset)
        return [f"Training would narrow this more than further deals. It takes {takes} and needs torch: {command}"]
    if step == Step.DEALS:
        return ["More deals would narrow this."]
    return []


def verdict_command(judged: Judged, ruleset: str) -> tuple[str, str]:
    """The command that trains what is to be trained next and judges again, and about how long it takes."""
    budget = judged.next_budget
    words = [*command_words("report"), ruleset, "--verdict", "--decisions", str(budget.decisions)]
    return shlex.join(words), f"about {duration(budget.seconds)} on two free cores"


def change_line(change: ValueChange) -> str:
    """What a ruleset changes among good players, in a sentence."""
    low, high = 100 * change.change.low, 100 * change.change.high
    moved = f"{100 * change.change.value:+.1f} points [{low:+.1f}, {high:+.1f}]"
    trained = "" if change.is_trained else " No policy was trained for either (--decisions)."
    return (
        f"When the same {len(change.players)} players choose well on both, {change.seat.capitalize()}'s share changes by {moved} from "
        f"{change.one} to {change.other}; the interval is over deals and policies.{trained}"
    )
