"""Openings: the first turns as a tree."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import Advance, Job, Measurement
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, of_dict
from channel_tunnel_agents.balance.report.page import Branch, Data, Shown, Table, Tree
from channel_tunnel_agents.games.tunnel_1987.openings import END, REST, opening_tree, play_openings
from channel_tunnel_env.outside.terminal import percent

TURNS = 4
TOP = 12  # lines
FEWEST_OF_A_LINE = 30  # games
_WORDS = {
    "plan_tunnel plan": "Plan",
    "plan_tunnel tunnel": "Tunnel",
    "finance_technology finance": "Finance",
    "finance_technology technology": "Technology",
    REST: "anything else",
    END: "the game ends",
}


def _play(job: Job, advance: Advance) -> Any:
    deals = job.settings.deals_of_a_pairing
    games = play_openings(job.agent, job.ruleset, deals, job.seed, TURNS, job.workers, advance)
    return opening_tree(games.lines, games.britain_points, games.deals, TURNS, FEWEST_OF_A_LINE)


OPENINGS = Measurement(
    "openings",
    "openings",
    lambda job: {"games": job.settings.deals_of_a_pairing, "turns": TURNS},
    lambda job: job.settings.deals_of_a_pairing,
    _play,
)


def openings(evidence: Evidence) -> Shown:
    """The tree of first turns with n and Britain's share of wins."""
    tree = evidence.measures.get("openings")
    if tree is None:
        return evidence.why_missing("openings")
    if tree["games"] < FEWEST:
        return f"{tree['games']} games are too few for a claim"
    lines = [(path, node) for path, node in _walk(tree, ()) if path]
    data = Data(
        ("turns", "games", "share of the games before", "Britain wins"),
        tuple((" / ".join(p), n["games"], n["share"], _britain(n)) for p, n in lines),
    )
    shown = Tree(
        "opening-tree",
        f"The first turns ({evidence.agent} against itself)",
        tuple(_branch(node) for node in tree["replies"]),
        data,
        "Britain takes the first turn of every game; the other side's follows. In brackets: the "
        f"share of the games that got there. Lines of fewer than {FEWEST} games are put together.",
    )
    best = _best(lines)
    return _lead(tree), [shown, best] if best.data.rows else [shown]


def _britain(node: dict[str, Any]) -> Number:
    return of_dict(node["britain"], style="share")


def _words(move: str) -> str:
    if move in _WORDS:
        return _WORDS[move]
    space, _, option = move.partition(" ")
    slot = space.replace("slot_", "card slot ")
    return f"{slot}: {'Development' if option == 'develop' else 'second action'}" if option else move


def _walk(node: dict[str, Any], path: tuple[str, ...]) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    found = [(path, node)]
    for reply in node["replies"]:
        found += _walk(reply, (*path, _words(reply["move"])))
    return found


def _branch(node: dict[str, Any]) -> Branch:
    britain = _britain(node)
    wins = f"Britain wins {britain}" if britain.shown else "too few to say who wins"
    text = f"{count(node['games'])} {'game' if node['games'] == 1 else 'games'} ({percent(node['share'], 0)}), {wins}"
    return Branch(_words(node["move"]), text, tuple(_branch(reply) for reply in node["replies"]))


def _lead(tree: dict[str, Any]) -> tuple[str, ...]:
    first = next((reply for reply in tree["replies"] if reply["move"] not in (REST, END)), None)
    if first is None:
        return ()
    return (
        f"The most frequent first turn is {_words(first['move'])} ({percent(first['share'], 0)} of "
        f"{count(tree['games'])} games); Britain then wins {_britain(first)}, over all openings "
        f"{_britain(tree)}.",
    )


def _best(lines: list[tuple[tuple[str, ...], dict[str, Any]]]) -> Table:
    ends = [(path, node) for path, node in lines if not node["replies"] and node["move"] != REST]
    ends.sort(key=lambda each: -each[1]["games"])
    rows = tuple((" / ".join(path), node["games"], _britain(node)) for path, node in ends[:TOP])
    return Table("top-lines", "The most frequent lines", Data(("turns", "games", "Britain wins"), rows))
