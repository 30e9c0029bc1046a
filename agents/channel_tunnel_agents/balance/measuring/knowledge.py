"""What an agent knows of the rules it plays: learnt, told, read, found by looking ahead, or nothing."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable
from typing import Literal

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.names import is_tuned
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.card import DRAWN
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.rulesets import SPACES, RulesetSpace
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.documents import read_json

Kind = Literal["blind", "search", "scripted", "frozen", "trained", "reads", "tuned"]
BLIND = "random"
MOST_OUTSIDE = 5  # figures named of those that an agent has never seen
WHAT_IT_KNOWS: dict[Kind, str] = {
    "blind": "plays by chance, whatever the rules.",
    "frozen": "learnt other rules. It may play as if what is new here were not there.",
    "reads": (
        "reads the rules and was trained on thousands of rulesets around the game's own, yet not long on any one. "
        "A policy trained only for these rules may find more."
    ),
    "tuned": (
        "trained on thousands of rulesets and then for these rules only. A policy that is trained for hours may find more."
    ),
    "trained": (
        "trained on these rules, yet a better player may find what it misses. The command exploit looks for that."
    ),
    "scripted": (
        "told the numbers of these rules, but with plans that were written for the standard game. It "
        "invents no new ones."
    ),
    "search": "looks ahead in these rules and so adapts to them, but only as far as it looks.",
}


def kind_of(name: str, searching: Collection[str], reading: Collection[str], policy: str | None) -> Kind:
    """How an agent comes to its moves.

    Args:
        searching: names of the agents that look ahead.
        reading: names of the agents that were trained to read the rules.
        policy: digest of its policy, None if it has none.
    """
    if name == BLIND:
        return "blind"
    if name in searching:
        return "search"
    if is_tuned(name):
        return "tuned"
    if name in reading:
        return "reads"
    if name.startswith(FROZEN):
        return "frozen"
    return "scripted" if policy is None else "trained"


def known_to_reader(game: str) -> RulesetSpace:
    """The rulesets that the game's shipped agent which reads the rules was trained on."""
    folder = shipped.folder_of(shipped.READERS[game], game)
    return SPACES[game].at(read_json(folder / shipped.CARD)[DRAWN]["space"])


def reader_note(name: str, base: Ruleset) -> str:
    """How a player that reads the rules plays settings of a ruleset."""
    if is_tuned(name):
        return (
            f"{name} was trained on {base.name} and reads the rules: it plays every setting by its own, without more "
            "training. On settings far from there it may know less."
        )
    return f"{name} reads the rules: it plays every setting by its own, without training."


def verdict_command(base: Ruleset, rules: str, decisions: int | None = None) -> str:
    """The command that trains players for some rules and says what they get; "" where nobody is trained.

    Args:
        base: the rules, or others of their game for as many.
        rules: their name or file.
        decisions: of each player; None: as many as usual.
    """
    if shipped.reader_of(base) is None:
        return ""
    asked = [] if decisions is None else ["--decisions", str(decisions)]
    return shlex.join([*command_words("report"), rules, "--verdict", *asked])


def unseen_lines(reading: Collection[str], rulesets: Iterable[Ruleset]) -> list[str]:
    """What of some rulesets lies outside what reading agents were trained on; nothing without such agents."""
    readers = sorted(name for name in reading if not is_tuned(name))
    if not readers:
        return []
    names = " and ".join(readers)
    outside = {each.name: known_to_reader(each.spec.name).outside(each) for each in rulesets}
    lines = []
    for name, found in outside.items():
        more = f" and {len(found) - MOST_OUTSIDE} more" if len(found) > MOST_OUTSIDE else ""
        named = "; ".join(map(str, found[:MOST_OUTSIDE]))
        if found:
            lines.append(f"Outside what {names} was trained on, so trust it less on {name}: {named}{more}.")
    return lines or [
        f"Each number lies in the range that {names} was trained on; only games show whether it plays them well together."
    ]
