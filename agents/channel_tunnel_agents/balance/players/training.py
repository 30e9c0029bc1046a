"""Train policies for one ruleset: by self-play, or as a best response to a mixture of others.

Both start from a policy that reads the rules. They are kept by the digests of that policy and of the ruleset, so that
the next report on the same rules finds them; `tuned:NAME` plays one. A budget is a number of decisions, so that a run
teaches as much on a busy machine as on a free one.
"""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.changing.overlay import dump_ruleset
from channel_tunnel_agents.base import AgentError, searches
from channel_tunnel_agents.cluster.parallel import spread, spread_on
from channel_tunnel_agents.games import PerGame
from channel_tunnel_agents.games.spec import School
from channel_tunnel_agents.learning.config import GENTLE, NEVER, TrainConfig, load_config, make_config
from channel_tunnel_agents.learning.guards import TrainingStopped, alone_in
from channel_tunnel_agents.names import TUNED, TUNED_RUNS, AgentName
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import (
    APART_FROM,
    DRAWN,
    check_card,
    digest_of,
    network_of,
    plays_all_rulesets,
    policy_paths,
)
from channel_tunnel_agents.players.policy.saved_policy import TORCH, policy_card, read_policy
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.files import read_whole, write_whole

SCHOOLS: Mapping[str, School] = PerGame(lambda spec: spec.school)
LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib")  # that training needs and playing does not
RULES = "ruleset.yaml"
PROGRESS = "done"  # file in the folder of a run: the share of its budget that is used up
DIGITS = 8  # of the digests in a name
SCRIPTED_SHARE = 0.25
"""Part of the games of self-play that is against the scripted player, if that plays from observations."""
CHECKPOINT_SECONDS = 20.0  # the most that a killed run loses
PARTS = 3
"""A snapshot is kept after each third: the last against the one before it shows whether the policy still improves."""
MOST_DECISIONS = 10**9  # that can be asked for
# The budget is in decisions only, so that the clock cannot affect the result.
UNWATCHED = {
    "max_minutes": None,
    "evaluate_every": NEVER,
    "checkpoint_every": CHECKPOINT_SECONDS,
    "snapshots": PARTS,
    "threads": 1,
}
BEGUN = ("start_from", "imitate_decisions")  # settings of a run that stay as they were when it goes on
LOOKS = 1.0  # seconds between two looks at how far the runs are


@dataclass(frozen=True)
class TrainingTask:
    """A policy to be trained for a ruleset.

    Attributes:
        parent: name of the policy that it starts from; one that reads the rules, or itself trained from one.
        ruleset: the rules.
        decisions: budget of both seats.
        seed: of the run.
        rivals: names of agents, each as often as it is to be met: the policy is trained as a best response to them;
            (): by self-play.
    """

    parent: str
    ruleset: Ruleset
    decisions: int
    seed: int
    rivals: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The run's folder, whether or not it exists."""
        kind = "self"
        if self.rivals:
            met = "\n".join(sorted(identity(name, self.ruleset) for name in self.rivals))
            kind = f"answer-{hashlib.sha256(met.encode()).hexdigest()[:DIGITS]}"
        return TUNED_RUNS / f"{start_of_names(self.parent, self.ruleset)}{kind}-{self.seed}"

    @property
    def name(self) -> str:
        """The agent's name."""
        return f"{TUNED}:{self.folder.name}"


_NAMES = re.compile(
    rf"{TUNED}(?:-(?P<how>\w+))?:[\w.-]+?-(?:(?P<own>self)|answer-[0-9a-f]{{{DIGITS}}})-(?P<seed>\d+)\b"
)


def in_short(text: str) -> str:
    """A text in which each name of a trained policy is as people read it: "Trained policy 1", after its seed."""

    def short(found: re.Match[str]) -> str:
        name = f"{'Trained policy' if found['own'] else 'Best response'} {found['seed']}"
        return f"{name} ({found['how']})" if found["how"] else name

    return _NAMES.sub(short, text)


@dataclass(frozen=True)
class Trained:
    """A policy that was trained for a ruleset.

    Attributes:
        name: the agent's.
        folder: of its run.
        decisions: that it has had, of both seats.
        rivals: that it is a best response to; (): trained by self-play.
    """

    name: str
    folder: Path
    decisions: int
    rivals: tuple[str, ...] = ()

    @property
    def earlier(self) -> str | None:
        """The agent's name as it was one part of its training before; None: nothing was kept."""
        snapshots = sorted((self.folder / "snapshots").glob("*/"))
        return f"ppo:{snapshots[-2]}" if len(snapshots) > 1 else None


def find_apart(parent: str, ruleset: Ruleset) -> Trained | None:
    """The policy that has been trained by self-play for a ruleset the longest; None: there is none."""
    own = [each for each in find_trained(parent, ruleset) if not each.rivals]
    return max(own, key=lambda each: each.decisions, default=None)


def place_of(name: str, ruleset: Ruleset) -> Path:
    """The folder of a policy by its agent's name.

    Raises:
        AgentError: it is no policy.
    """
    folder = AgentName.read(name, ruleset.spec.name).folder
    return find_policy(folder or name, ruleset.spec.name)


def _digest(name: str, ruleset: Ruleset) -> str:
    return digest_of(policy_paths(place_of(name, ruleset)).values())


def identity(name: str, ruleset: Ruleset) -> str:
    """An agent's name, with the digest of its weights if it has any."""
    is_policy = AgentName.read(name, ruleset.spec.name).kind == "policy"
    return f"{name} {_digest(name, ruleset)}" if is_policy else name


def start_of_names(parent: str, ruleset: Ruleset) -> str:
    """What the names of all policies from one parent for one ruleset begin with: both digests.

    A policy that starts from one that was trained for the ruleset bears the name of the first parent.
    """
    folder = parent.removeprefix(f"{TUNED}:")
    own = f"-{ruleset.digest[:DIGITS]}-"
    if parent != folder and own in folder:
        return folder[: folder.index(own) + len(own)]
    return f"{_start(parent, ruleset)}{ruleset.name[:40]}{own}"


def _start(parent: str, ruleset: Ruleset) -> str:
    plain = parent.rpartition("/")[2].rpartition(":")[2]
    return f"{plain}-{_digest(parent, ruleset)[:DIGITS]}-"


def find_trained(parent: str, ruleset: Ruleset) -> list[Trained]:
    """The policies that there are for a ruleset, in order of their names; those of another version are left out.

    The same rules under another name have the same policies.
    """
    pattern = f"{glob.escape(_start(parent, ruleset))}*-{ruleset.digest[:DIGITS]}-*/"
    folders = sorted(TUNED_RUNS.glob(pattern)) if TUNED_RUNS.is_dir() else []
    found = (_trained_in(folder, ruleset) for folder in folders)
    return [each for each in found if each is not None]


def _trained_in(folder: Path, ruleset: Ruleset) -> Trained | None:
    try:
        cards = [read_policy(file, ruleset)[1] for file in policy_paths(folder).values()]
    except VersionError:
        return None
    rivals = tuple(cards[0].get(TUNED, {}).get("rivals", ()))
    decisions = min(int(card.get("decisions", 0)) for card in cards)
    return Trained(f"{TUNED}:{folder.name}", folder, decisions, rivals)


def check_parent(parent: str, ruleset: Ruleset) -> dict[str, Any]:
    """The card of a policy that others can start from.

    Raises:
        AgentError: it does not read the rules.
        VersionError: it does not fit the ruleset.
    """
    file = next(iter(policy_paths(place_of(parent, ruleset)).values()))
    card = policy_card(file)
    if not plays_all_rulesets(card):
        raise AgentError(
            f"agent {parent!r}: trained for {card.get('ruleset')}; only a policy that reads the rules is trained for others"
        )
    check_card(card, file, ruleset)
    return card


def check_libraries() -> None:
    """Check that policies can be trained here, before the first game of what ends in it. Nothing is loaded.

    Raises:
        AgentError: names the library that is not installed.
    """
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            raise AgentError(f"training needs {name}: {TORCH}")


def train_policies(
    tasks: Sequence[TrainingTask],
    workers: int | None = None,
    reach: Callable[[float], object] = lambda done: None,
    stop_asked: Callable[[], bool] | None = None,
) -> list[Trained]:
    """Train policies, as many at once as there are workers; those that have had their decisions are taken as they are.

    A run that is stopped keeps its last checkpoint, and goes on from there the next time.

    Args:
        tasks: each for a folder of its own.
        workers: processes; None: one per core.
        reach: called with the share of all budgets that is used up, 0 to 1.
        stop_asked: asked between updates of a single run, which then keeps what it has learnt; None: nobody asks.

    Raises:
        AgentError: a parent that cannot be trained, no torch, or another process trains in one of the folders.
        OSError: a file could not be written; earlier policies are intact.
    """
    had = [_trained_in(each.folder, each.ruleset) for each in tasks]
    todo = [each for each, found in zip(tasks, had, strict=True) if found is None or found.decisions < each.decisions]
    if todo:
        check_libraries()
        for each in todo:
            check_parent(each.parent, each.ruleset)
        with _watched(todo, reach):
            if stop_asked is not None and len(todo) == 1:
                _train(todo[0], stop_asked)
            else:
                # The folders of the runs lie on this machine, also while a cluster plays the games.
                with spread_on(None):
                    for _ in spread(_train, todo, workers):
                        pass
    reach(1.0)
    trained = [_trained_in(each.folder, each.ruleset) for each in tasks]
    assert None not in trained
    return [each for each in trained if each is not None]


@contextmanager
def _watched(tasks: Sequence[TrainingTask], reach: Callable[[float], object]) -> Iterator[None]:
    """Context in which a thread reports how far the runs are, as far as their folders can be seen here."""
    total, over = sum(each.decisions for each in tasks), threading.Event()

    def watch() -> None:
        while not over.wait(LOOKS):
            reach(sum(each.decisions * _share_done(each.folder) for each in tasks) / total)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _share_done(folder: Path) -> float:
    try:
        return float(read_whole(folder / PROGRESS, 100))
    except (OSError, ValueError):
        return 0.0


def _train(task: TrainingTask, stop_asked: Callable[[], bool] = lambda: False) -> None:
    from channel_tunnel_agents.learning.training import TrainingRun  # loads torch

    folder, ruleset = task.folder, task.ruleset
    card = check_parent(task.parent, ruleset)
    with alone_in(folder, f"trains this policy for {ruleset.name}"):
        rules = folder / RULES
        write_whole(rules, dump_ruleset(ruleset).encode())
        agent = PolicyAgent.load(place_of(task.parent, ruleset))
        config = adapting_config(agent, rules, folder, task.decisions, task.seed, **_rivals(task))
        try:
            run = TrainingRun(_as_begun(config, folder), resume=True, ruleset=ruleset)
        except VersionError as error:
            why = str(error).partition("; ")[0]  # what follows advises those who train a run by hand
            raise AgentError(
                f"this policy cannot be trained further: {why}; delete {folder}, and it is trained again"
            ) from None
        run.noted = lambda: _note(card, task)
        run.stop_asked = stop_asked

        def note_progress(status: dict[str, Any]) -> None:
            if "done" in status:
                write_whole(folder / PROGRESS, str(status["done"]).encode())

        with suppress(TrainingStopped):
            run.train(note_progress)
        run.save_policies(folder)  # a run whose budget was used up already has written nothing


def adapting_config(
    agent: PolicyAgent, ruleset: Path, run: Path, decisions: int, seed: int, **changes: Any
) -> TrainConfig:
    """The settings of a run that starts from a policy: those of the game's preset, with the policy's network."""
    assert agent.folder is not None
    school = SCHOOLS[agent.form.game]
    card = policy_card(next(iter(policy_paths(agent.folder).values())))
    values = (
        load_config(school.preset).model_dump() | network_of(card) | GENTLE | UNWATCHED | {**school.for_one_ruleset}
    )
    values |= {"run": str(run), "ruleset": str(ruleset), "decisions": decisions, "seed": seed}
    values |= {"start_from": str(agent.folder.resolve()), "start_from_other_ruleset": True}
    return make_config(values | changes)


def _as_begun(config: TrainConfig, folder: Path) -> TrainConfig:
    """The config of a policy that goes on: its parent may lie elsewhere by now, and its preset may have changed."""
    from channel_tunnel_agents.learning.checkpoint import find_checkpoint, read_card

    checkpoint = find_checkpoint(folder)
    if checkpoint is None:
        return config
    begun = read_card(checkpoint)[0].get("config", {})
    return config.model_copy(update={key: begun[key] for key in BEGUN if key in begun})


def _rivals(task: TrainingTask) -> dict[str, Any]:
    """Whom a policy meets beside itself."""
    # Whoever only plays trained policies needs no library of the measures.
    from channel_tunnel_agents.balance.measuring.measures import measures_of

    if task.rivals:
        return {"rivals": task.rivals, "rival_share": 1.0}
    player = measures_of(task.ruleset).player
    if searches(make_agent(player, task.ruleset)):
        return {}
    return {"rivals": (player,), "rival_share": SCRIPTED_SHARE}


def _note(parent: dict[str, Any], task: TrainingTask) -> dict[str, Any]:
    """What the cards of a policy say beside the run's: it plays every ruleset, as its parent does.

    No longer that it was kept apart from a track's rulesets: it was trained on one that may be among them.
    """
    drawn = {key: value for key, value in parent[DRAWN].items() if key != APART_FROM}
    return {DRAWN: drawn, TUNED: {"seed": task.seed, "rivals": [*task.rivals]}}
