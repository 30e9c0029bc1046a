"""A verdict in sentences, for terminals and pages."""

from __future__ import annotations

from channel_tunnel_agents.balance.empirical.verdict import Doubt, Step, Trouble
from channel_tunnel_agents.balance.judging import Judged, ValueChange
from channel_tunnel_agents.balance.measuring.knowledge import verdict_command
from channel_tunnel_agents.statistics import percent_words
from channel_tunnel_env.outside.progress import duration
from channel_tunnel_env.outside.sentences import listed
from channel_tunnel_env.outside.terminal import percent

TROUBLE = {
    Trouble.STOPPED: "The rules stop many games, at a limit or because nothing moves on. Mend that before you ask who wins.",
    Trouble.DRAWN: "In hardly a game does anybody get more than the others. Mend that before you ask who wins.",
    Trouble.DECIDED: "One seat wins nearly every game, whichever player sits there.",
    Trouble.ONE_ACTION: "Nearly every decision is for the same action. Mend that before you ask who wins.",
}
TROUBLE_IN_SHORT = {
    Trouble.STOPPED: "games are stopped",
    Trouble.DRAWN: "nobody wins",
    Trouble.ONE_ACTION: "one action is always played",
}
DOUBTS = {
    Doubt.SHORT: "A policy has had fewer decisions of training than planned, so the value may move.",
    Doubt.IMPROVES: "A policy that was trained for these rules still improved at the end, so the numbers may move: train for longer (--decisions {decisions}).",
    Doubt.BEATEN: "The player that the seats choose most loses most games to another, so good players may differ.",
    Doubt.EXPLOITED: "A best response gains much against these players, so the value may be off by as much.",
}
NARROWS = {True: "More games would narrow this, but not settle it", False: "More games would hardly narrow this"}
"""By `Verdict.deals_narrow`."""


def training_words(judged: Judged) -> str:
    """Why training is the next step (`Verdict.step`), in a sentence without its end."""
    more = "more computer players" if judged.practised and not judged.is_trained else "computer players"
    tells = "practise for longer may tell" if judged.is_trained else "practise these rules may tell"
    return f"{NARROWS[judged.verdict.deals_narrow]}; {more} that {tells}"


def verdict_lines(judged: Judged, ruleset: str) -> list[str]:
    """The value of the first seat, or of all, with what is known of the players, a sentence each.

    Args:
        ruleset: as a command names it: a built-in one or a file.
    """
    verdict = judged.verdict
    trouble = verdict.fairness.trouble
    lines = [TROUBLE[trouble]] if trouble else []
    lines += [_value(judged), *doubt_lines(judged)]
    if verdict.step == Step.TRAINING and judged.population.reader is not None:
        command, takes = next_command(judged, ruleset)
        lines.append(f"{training_words(judged)}. It takes {takes} and needs torch: {command}")
    elif verdict.step == Step.DEALS:
        lines.append("More deals would narrow this.")
    return lines


def doubt_lines(judged: Judged) -> list[str]:
    """What speaks against the value, a sentence each; that nothing was trained is said with the value."""
    told = [
        DOUBTS[each].format(decisions=judged.next_budget.decisions) for each in judged.verdict.doubts if each in DOUBTS
    ]
    return [judged.why_not, *told] if judged.why_not else told


def _value(judged: Judged) -> str:
    verdict, of_more = judged.verdict, not judged.verdict.fairness.is_of_two
    seats = verdict.seats if of_more else verdict.seats[:1]
    shares = ", ".join(f"{each.seat.capitalize()} wins {percent_words(each.share)}" for each in seats)
    trained = [each.decisions for each in verdict.players if each.decisions and not each.is_answer]
    if not trained:
        further = "further policy" if judged.practised else "policy"
        guess = f"the interval allows for other good players, as no {further} was trained for these rules"
        if of_more:
            guess = "the interval is that of the deals, and how other players would fare is not known"
        plays = "plays" if len(verdict.choice) == 1 else "play"
        return f"On {verdict.ruleset}, as {listed(verdict.choice)} {plays}, {shares}; {guess}."
    bracket = ""
    if judged.population.answers:
        low, high = map(percent, verdict.seats[0].bracket)
        bracket = f"; between {low} and {high} if one side plays its best known answer to the other"
        if low == high:
            bracket = "; no best response that was found changes that"
    policies = f"{len(trained)} {'policies were' if len(trained) > 1 else 'policy was'} trained for these rules"
    said = f"On {verdict.ruleset}, when players choose well, {shares}{bracket}."
    return f"{said} {policies}, for {min(trained):,} decisions or more."


def next_command(judged: Judged, ruleset: str) -> tuple[str, str]:
    """The command that trains what is to be trained next and judges again, and about how long it takes."""
    budget = judged.next_budget
    command = verdict_command(judged.population.ruleset, ruleset, budget.decisions)
    return command, f"about {duration(budget.seconds)} on two free cores"


def change_line(change: ValueChange) -> str:
    """What a ruleset changes among good players, in a sentence."""
    low, high = 100 * change.change.low, 100 * change.change.high
    moved = f"{100 * change.change.value:+.1f} points [{low:+.1f}, {high:+.1f}]"
    trained = "" if change.is_trained else " No policy was trained for either (--decisions)."
    return (
        f"When the same {len(change.players)} players choose well on both, {change.seat.capitalize()}'s share changes by {moved} from "
        f"{change.one} to {change.other}; the interval is over deals and policies.{trained}"
    )
