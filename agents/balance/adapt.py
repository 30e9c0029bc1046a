"""A policy that learns a changed ruleset: from what it knows, or from nothing.

An agent trained for other rules plays on as if nothing had changed. What it misses shows only where another
one has learnt the new rules.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import yaml

from agents import AgentError
from agents.base import AnyAgent, searches
from agents.policy_search import PolicySearchAgent
from agents.ppo.agent import PolicyAgent
from agents.ppo.card import network_of, policy_paths
from agents.ppo.config import TrainConfig, dump_config, load_config
from agents.ppo.saved_policy import load_policy
from agents.ppo.training import TrainingRun
from channel_tunnel_env import VersionError
from channel_tunnel_env.engine.constants import SEATS

Way = Literal["frozen", "tuned", "retrained"]
PRESET = "demo"
TUNED_DECISIONS = 1_000_000
CONFIG = "config.yaml"
# A learner's first steps would make a policy forget what it knows.
GENTLE = {
    "imitate": None,
    "learning_rate": 3e-4,
    "final_learning_rate": 3e-5,
    "entropy": 0.01,
    "final_entropy": 0.002,
}
# The budget is in decisions alone, so that the clock has no part in the result.
UNWATCHED = {"max_minutes": None, "evaluate_every": 1e9, "snapshots": 1, "threads": 1}


def default_decisions(way: Way) -> int:
    """Decisions of both seats to learn from."""
    return load_config(PRESET).decisions if way == "retrained" else TUNED_DECISIONS


def can_learn(agent: AnyAgent) -> bool:
    """Whether training can adapt it: a policy for both seats, alone."""
    return isinstance(agent, PolicyAgent) and set(agent.policies) == set(SEATS)


def how_it_adapts(agent: AnyAgent) -> str:
    """What an agent that is no policy does when the rules change."""
    if isinstance(agent, PolicySearchAgent):
        return "looks ahead in the changed rules, with a policy that does not learn them"
    if searches(agent):
        return "looks ahead in the changed rules, so it adapts by itself"
    return "plays by fixed rules and does not adapt"


def adapt(
    agent: PolicyAgent,
    way: Way,
    ruleset: Path,
    run: Path,
    decisions: int,
    seed: int,
    report: Callable[[str], object] = print,
    **changes: Any,
) -> str:
    """Train a policy for the ruleset, unless the folder holds it already; returns the agent's name.

    Args:
        ruleset: YAML file.
        run: folder of the training run; a stopped one goes on.
        decisions: of both seats.
        changes: to the config.

    Raises:
        AgentError: the folder holds a run of another config; says what differs.
        TrainingCollapse, OSError: as `TrainingRun.train`.
    """
    config = adapting_config(agent, way, ruleset, run, decisions, seed, **changes)
    if not _is_finished(config):
        report(f"{run}: {way} for {decisions:,} decisions")
        TrainingRun(config, resume=True).train()
    return f"{'ppo' if agent.greedy else 'ppo-sample'}:{run}"


def adapting_config(
    agent: PolicyAgent,
    way: Way,
    ruleset: Path,
    run: Path,
    decisions: int,
    seed: int,
    **changes: Any,
) -> TrainConfig:
    """The demo's settings with the agent's network; from what it knows if `tuned`."""
    if agent.folder is None:
        raise ValueError(f"{agent.name}: save it first; it is read from its folder")
    card = load_policy(next(iter(policy_paths(agent.folder).values())))[1]
    values = load_config(PRESET).model_dump()
    # The demo's share of imitation, whatever the budget.
    imitated = max(1, round(values["imitate_decisions"] * decisions / values["decisions"]))
    values |= {**network_of(card), **UNWATCHED, "imitate_decisions": imitated}
    values |= {"run": str(run), "ruleset": str(ruleset), "decisions": decisions, "seed": seed}
    if way == "tuned":
        start = {"start_from": str(agent.folder.resolve()), "start_from_other_ruleset": True}
        values |= {**GENTLE, **start}
    return TrainConfig(**(values | changes))


def _is_finished(config: TrainConfig) -> bool:
    """Whether the run is there and at its end.

    Raises:
        AgentError: another run is there.
    """
    run = Path(config.run)
    if not (run / CONFIG).exists():
        return False
    there = yaml.safe_load((run / CONFIG).read_text(encoding="utf-8"))
    ours = yaml.safe_load(dump_config(config))
    for key in sorted(ours.keys() - {"run", "ruleset"}):  # the same place, perhaps named otherwise
        if there.get(key) != ours[key]:
            raise AgentError(
                f"{run}: holds a run of another config: {key} is {there.get(key)!r} there and "
                f"{ours[key]!r} here; choose another folder, or delete this one"
            )
    try:
        cards = [load_policy(path)[1] for path in policy_paths(run).values()]
    except VersionError:  # stopped before its first policies
        return False
    return all(card["decisions"] >= config.decisions for card in cards)
