"""Train a policy on a changed ruleset, starting from its weights or from scratch.

An agent trained for other rules plays on as if nothing had changed. What it misses shows only in
comparison with an agent that has learnt the new rules.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.cluster.parallel import is_elsewhere, spread
from channel_tunnel_agents.games import PerGame
from channel_tunnel_agents.games.spec import School
from channel_tunnel_agents.learning.config import GENTLE, NEVER, TrainConfig, dump_config, load_config, make_config
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import network_of, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import TORCH, policy_card, read_policy
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.documents import parse_yaml, quote, read_yaml
from channel_tunnel_env.outside.files import KEPT_BYTES, read_whole, write_all

Way = Literal["frozen", "tuned", "retrained"]
NO_TRAINING: Way = "frozen"
TUNED_DECISIONS = 1_000_000
CONFIG = "config.yaml"
LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib")  # that training needs and playing does not
# The budget is in decisions only, so that the clock cannot affect the result.
UNWATCHED = {"max_minutes": None, "evaluate_every": NEVER, "snapshots": 1, "threads": 1}


SCHOOLS: Mapping[str, School] = PerGame(lambda spec: spec.school)


def check_libraries() -> None:
    """Check that policies can be trained here, before the first game of what ends in it. Nothing is loaded.

    Raises:
        AgentError: names the library that is not installed.
    """
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            raise AgentError(f"training needs {name}: {TORCH}")


def default_decisions(way: Way, game: str) -> int:
    """Default training budget, in decisions of both seats."""
    if way != "retrained":
        return TUNED_DECISIONS
    return SCHOOLS[game].decisions or load_config(SCHOOLS[game].preset).decisions


@dataclass(frozen=True)
class _Run:
    config: TrainConfig
    ruleset: Ruleset
    learner: str
    """The agent's name; its files are sent to wherever the run is trained."""
    is_elsewhere: bool
    """Whether the run's folder is on another machine, so that only the final policies are kept."""


def adapt_all(
    planned: Iterable[tuple[TrainConfig, Ruleset]], workers: int | None, report: Callable[[str], object]
) -> None:
    """Train planned runs that are not finished, as many at once as there are workers.

    On this machine a stopped run resumes from its checkpoint. On a cluster a run that is stopped or
    lost starts over, with the same result: only the final policies are written, by this process.

    Args:
        planned: as of `adapting_config`, and the rules, which another machine does not read from the config's file.
        report: called with the number of runs, and with one line per finished run.

    Raises:
        AgentError: a folder holds a run of another config, or the libraries that train are missing.
        TrainingCollapse, OSError: as `TrainingRun.train`.
    """
    check_libraries()
    todo = [(config, ruleset) for config, ruleset in planned if not _is_finished(config)]
    if todo:
        report(f"{len(todo)} training runs of {todo[0][0].decisions:,} decisions")
    runs = [
        _Run(config, ruleset, f"ppo:{config.start_from}" if config.start_from else "", is_elsewhere())
        for config, ruleset in todo
    ]
    for done, files in spread(_train, runs, workers):
        run = Path(done.config.run)
        run.mkdir(parents=True, exist_ok=True)
        write_all({run / name: content for name, content in files.items()})
        report(f"{run}: trained for {done.config.decisions:,} decisions")


def _train(wanted: _Run) -> dict[str, bytes]:
    """Train; returns the files for the caller to write, none if the run's folder is on this
    machine."""
    from channel_tunnel_agents.learning.training import TrainingRun  # loads torch

    if not wanted.is_elsewhere:
        TrainingRun(wanted.config, resume=True).train()
        return {}
    with TemporaryDirectory(prefix="channel_tunnel-run-") as folder:
        place = Path(folder)
        TrainingRun(wanted.config, folder=place, ruleset=wanted.ruleset).train()
        kept = [CONFIG, *(path.name for path in policy_paths(place).values())]
        return {name: read_whole(place / name, KEPT_BYTES) for name in kept}


def adapting_config(
    agent: PolicyAgent, way: Way, ruleset: Path, run: Path, decisions: int, seed: int, **changes: Any
) -> TrainConfig:
    """The settings of the game's preset with the agent's network; starts from its weights if `tuned`."""
    if agent.folder is None:
        raise ValueError(f"{agent.name}: save it first; it is read from its folder")
    card = policy_card(next(iter(policy_paths(agent.folder).values())))
    game = agent.form.game
    values = load_config(SCHOOLS[game].preset).model_dump()
    # The preset's share of imitation, whatever the budget.
    usual = default_decisions("retrained", game)
    imitated = max(1, round(values["imitate_decisions"] * decisions / usual))
    values |= {**network_of(card), **UNWATCHED, "imitate_decisions": imitated}
    values |= {"run": str(run), "ruleset": str(ruleset), "decisions": decisions, "seed": seed}
    if way == "tuned":
        start = {"start_from": str(agent.folder.resolve()), "start_from_other_ruleset": True}
        values |= {**GENTLE, **start}
    return make_config(values | changes)


def _is_finished(config: TrainConfig) -> bool:
    """Whether the run exists and has used up its budget.

    Raises:
        AgentError: the folder holds another run.
    """
    run = Path(config.run)
    if not (run / CONFIG).exists():
        return False
    # A config written before a field existed meant its default.
    usual, ours = (parse_yaml(dump_config(each), "config").mapping() for each in (TrainConfig(), config))
    there = {**usual, **read_yaml(run / CONFIG).mapping("a run's config")}
    for key in sorted(ours.keys() - {"run", "ruleset"}):  # the same path, perhaps spelt differently
        if there.get(key) != ours[key]:
            raise AgentError(
                f"{run}: holds a run of another config: {key} is {quote(there.get(key))} there "
                f"and {quote(ours[key])} here; choose another folder, or delete this one"
            )
    try:
        cards = [read_policy(path)[1] for path in policy_paths(run).values()]
    except VersionError:  # stopped before its first policies
        return False
    return all(card.get("decisions", 0) >= config.decisions for card in cards)
