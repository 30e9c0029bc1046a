"""What the agents could not know, where the page's numbers come from, and how to reproduce them."""

from __future__ import annotations

import shlex

from channel_tunnel_agents.balance.measuring.knowledge import WHAT_IT_KNOWS, kind_of, unseen_lines
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import count
from channel_tunnel_agents.balance.report.page import Cell, Data, Item, PageSection, Table, Words
from channel_tunnel_agents.program import command_words
from channel_tunnel_env import __version__, load_ruleset
from channel_tunnel_env.rulesets.settings import differences


def unknown(evidence: Evidence) -> PageSection:
    """By kind of agent: who was trained for these rules, who looks ahead, and who plays by habit."""
    kinds = {
        name: kind_of(name, evidence.slow, evidence.results.reading, evidence.policies.get(name))
        for name in evidence.agents
    }
    lines = [f"{name}: {WHAT_IT_KNOWS[kind]}" for name, kind in kinds.items() if kind != "blind"]
    lines += unseen_lines(evidence.results.reading, [evidence.ruleset])
    if "frozen" in kinds.values() and evidence.base is not None:
        lines.append(f"So those who learnt other rules could not know this: {' '.join(evidence.base.changes[:3])}")
    learn = ""
    if "trained" not in kinds.values():
        run, train = f"runs/{evidence.ruleset.name}", [*command_words("train"), evidence.game.players.preset]
        learn = shlex.join([*train, "--run", run, "--ruleset", evidence.settings.ruleset])
        lines.append(
            "Players who learn these rules may find what none of these agents sees. This lets an agent learn them; then name "
            f"ppo:{run} with --agents:"
        )
    return PageSection("unknown", "What these agents could not know", (), (Words(tuple(lines), command=learn),))


def provenance(evidence: Evidence) -> PageSection:
    """Ruleset, agents, seeds, numbers of games, versions and the command."""
    items = _facts(evidence), _agents(evidence), *_rules(evidence)
    return PageSection("provenance", "Where these numbers come from", (), items)


def _facts(evidence: Evidence) -> Table:
    ruleset, results = evidence.ruleset, evidence.results
    rows: list[tuple[Cell, ...]] = [
        ("ruleset", f"{ruleset.data.title} ({ruleset.name})"),
        ("ruleset digest", ruleset.digest),
        ("games in the tournament", count(results.played)),
        ("deals of each pairing", count(max(match.games for match in results.matches.values()))),
        ("seed", str(results.tournament.seed)),
        ("agent of the measurements", evidence.agent),
        ("package", __version__),
        *evidence.game.versions.items(),
        ("command", evidence.command),
    ]
    return Table("provenance", "This report", Data(("what", "value"), tuple(rows)), names=2)


def _agents(evidence: Evidence) -> Table:
    results = evidence.results
    own = [results.matches[(i,) * len(results.seats)].games for i in range(len(evidence.agents))]
    rows = [(name, evidence.policies.get(name) or "no policy", n) for name, n in zip(evidence.agents, own, strict=True)]
    return Table(
        "agents",
        "Agents",
        Data(("agent", "digest of its policy", "deals against itself"), tuple(rows)),
        "A pairing plays as many deals as the one of its two agents that has fewer; all pairings play "
        "the same deals, from the first on.",
        names=2,
    )


def _rules(evidence: Evidence) -> list[Item]:
    """What differs from the base, in words; the rules themselves if nothing does."""
    ruleset = evidence.ruleset
    base = evidence.base.ruleset if evidence.base else load_ruleset(evidence.game.standard)
    rows = differences(base, ruleset)
    words = Words(tuple(evidence.game.in_short(ruleset)), "The rules in short")
    if not rows:
        return [Words((f"The same rules as {base.name}.",), "What differs"), words]
    table = Table(
        "rules",
        f"What differs from {base.name}",
        Data(
            ("rule", base.name, "here"),
            tuple((key.replace(".", ", ").replace("_", " "), old, new) for key, old, new in rows),
        ),
        names=3,
        folded=len(rows) > 12,
    )
    return [table, words]
