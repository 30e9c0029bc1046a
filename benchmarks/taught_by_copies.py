"""One policy for every ruleset learns from copies of it, each of which was tuned on one ruleset where it was lost.

    python benchmarks/taught_by_copies.py find runs/lessons             # rulesets on which `adept` is lost: minutes
    python benchmarks/taught_by_copies.py tune runs/lessons             # a copy for each: two minutes of a core apiece
    python benchmarks/taught_by_copies.py teach runs/lessons runs/taught --minutes 20

The rulesets are draws that lie apart from those of `rules-v1`. A stopped `tune` goes on. `teach` plays games by many
rulesets side by side, those of the copies and others; the policy that learns and its teacher both move. The lesson of a
position is what the teacher would do there and how it judges it: of a copy on its own ruleset, of the policy as it
began elsewhere.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from copy_settings import train_copy
from numpy.typing import NDArray
from search_gain import step
from torch import nn

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.balance.measuring.footing import Footing, footing_against
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import network_of
from channel_tunnel_agents.players.policy.network import MASKED, SIDE, SelfPlayNetwork, sample
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_agents.rulesets.held_apart import train_rulesets
from channel_tunnel_env import BatchGame, Ruleset, load_ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import write_whole

TRACK, SCRIPTED = "rules-v1", "heuristic"
HOME = ("standard", "agenda")
LOST, DONE = "lost.json", "done.json"
SCREEN_SEED, FOOTING_SEED, JUDGE_SEED = 71_000, 73_000, 72_000
MOST_FAVOURED, MOST_STOPPED, LEAST_EVEN = 0.85, 0.5, 0.72
GAMES = 128
"""Side by side, of each teacher."""
COPIES_AT_ONCE, OTHERS_AT_ONCE, HOMES_AT_ONCE = 6, 3, 2
"""Teachers of a step: copies, and the first policy on parts of the other rulesets, both drawn anew, and on `HOME`."""
OTHER_PARTS = 8
VALUE_WEIGHT = 0.5


@dataclass(frozen=True)
class Find:
    """Look for draws on which a policy that reads the rules is lost."""

    folder: tyro.conf.Positional[Path]
    """Gets the list."""
    policy: str = "adept"
    """Who learns."""
    draws: int = 600
    """Rulesets drawn."""
    seed: int = 4242
    """Of the draws."""
    deals: int = 20
    """Of the first look, both seats; the seventh part that fares worst is looked at again, with three times as many."""


@dataclass(frozen=True)
class Tune:
    """Tune a copy on each ruleset found, the worst first."""

    folder: tyro.conf.Positional[Path]
    """Of `find`."""
    decisions: int = 700_000
    """Of each copy."""
    most: int = 1000
    """Copies."""
    first: int = 0
    """Place of the first ruleset in the list ..."""
    every: int = 1
    """... and how far the next one is: two processes share the work by --every 2, one of them with --first 1."""
    deals: int = 100
    """By which a copy is judged, both seats."""


@dataclass(frozen=True)
class Teach:
    """Teach what the copies know."""

    folder: tyro.conf.Positional[Path]
    """Of `tune`."""
    out: tyro.conf.Positional[Path]
    """Folder of the taught policy."""
    start: str = ""
    """Who goes on learning, such as a taught policy. Default: the policy that the copies were made of."""
    minutes: float = 20.0
    """By the clock."""
    learning_rate: float = 5e-4
    """Adam's step size at the start; falls to a fiftieth."""
    least_gain: float = 0.05
    """By which a copy must be better than the policy to be a teacher."""
    student_moves: float = 0.7
    """Share of the moves in the games that the student makes; its teacher makes the others."""
    seed: int = 1
    """Of games and moves."""
    threads: int = 1
    """Threads of torch."""


def find(asked: Find) -> None:
    """Write the rulesets on which the policy is lost, the worst first; see `Find`."""
    draws = train_rulesets(TRACK, asked.draws, asked.seed)

    def footings(places: Sequence[int], deals: int, seed: int) -> dict[int, Footing]:
        return {k: footing_against(asked.policy, SCRIPTED, draws[k], deals, seed) for k in places}

    first = footings(range(len(draws)), asked.deals, SCREEN_SEED)
    worst = sorted(first, key=lambda k: (first[k].share.value, k))[: asked.draws // 7]
    again = footings(worst, 3 * asked.deals, FOOTING_SEED)
    found = [k for k in again if is_lost(again[k])]
    lost = sorted(found, key=lambda k: (again[k].even_share, k))
    for k in lost:
        print(f"{draws[k].name}: {again[k].percent}, the better seat {again[k].favoured:.1%}")
    asked.folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(
        {"policy": asked.policy, "seed": asked.seed, "draws": asked.draws, "lost": lost}
    )
    write_whole(asked.folder / LOST, text.encode())


def is_lost(found: Footing) -> bool:
    """Whether the policy wins little, and neither the seat nor stopped games are why."""
    is_even = found.favoured < MOST_FAVOURED and found.stopped < MOST_STOPPED
    return is_even and found.even_share < LEAST_EVEN


def tune(asked: Tune) -> None:
    """Tune and judge each copy; see `Tune`."""
    known = _found(asked.folder)
    policy = PolicyAgent.load(find_policy(known["policy"], DEFAULT_GAME))
    draws = train_rulesets(TRACK, known["draws"], known["seed"])
    for k in known["lost"][asked.first :: asked.every][: asked.most]:
        ruleset, run = draws[k], asked.folder / str(k)
        if (run / DONE).exists():
            continue
        train_copy(policy, ruleset, run, asked.decisions)
        before, after = (
            footing_against(who, SCRIPTED, ruleset, asked.deals, JUDGE_SEED)
            for who in (known["policy"], f"ppo:{run}")
        )
        print(f"{ruleset.name}: {before.percent}, its copy {after.percent}", flush=True)
        gain = after.share.value - before.share.value
        write_whole(run / DONE, json.dumps({"gain": gain}).encode())


def _found(folder: Path) -> dict[str, Any]:
    """What `find` wrote."""
    found: dict[str, Any] = json.loads((folder / LOST).read_text())
    return found


class Lesson:
    """Games that a teacher judges."""

    def __init__(self, teacher: PolicyAgent, rulesets: Sequence[Ruleset], seed: int) -> None:
        self.teacher = teacher
        self.batch = BatchGame(GAMES, rulesets, seed, autoreset=True)

    def look(self) -> tuple[torch.Tensor, ...]:
        """Observations (n, D), legal (n, A), the teacher's log-probabilities (n, A) and values (n,)."""
        seen, legal = self.batch.observations.copy(), self.batch.masks.astype(bool)
        logits, values = self.teacher.network.judge(seen)
        allowed = torch.from_numpy(legal)
        told = torch.from_numpy(logits).masked_fill(~allowed, MASKED).log_softmax(1)
        return torch.from_numpy(seen), allowed, told, torch.from_numpy(values)


def lessons_of(asked: Teach) -> tuple[list[Lesson], list[Lesson], list[Lesson]]:
    """Those of the copies, of the first policy on the other draws, and on the box's rulesets."""
    known = _found(asked.folder)
    draws = train_rulesets(TRACK, known["draws"], known["seed"])
    done = {k: asked.folder / str(k) / DONE for k in known["lost"]}
    used = [
        k
        for k, file in done.items()
        if file.exists() and json.loads(file.read_text())["gain"] > asked.least_gain
    ]
    first = make_agent(known["policy"])
    assert isinstance(first, PolicyAgent)
    seeds = iter(range(1000 * asked.seed, 1000 * (asked.seed + 1)))
    copies = [
        Lesson(PolicyAgent.load(asked.folder / str(k)), [draws[k]], next(seeds)) for k in used
    ]
    rest = [ruleset for k, ruleset in enumerate(draws) if k not in used]
    others = [Lesson(first, rest[k::OTHER_PARTS], next(seeds)) for k in range(OTHER_PARTS)]
    box = [*map(load_ruleset, HOME)]
    return copies, others, [Lesson(first, box, next(seeds)) for _ in range(HOMES_AT_ONCE)]


def teach(asked: Teach) -> None:
    """Learn by the clock, and write the policy; see `Teach`."""
    torch.set_num_threads(asked.threads)
    torch.manual_seed(asked.seed)
    known = load_policy(asked.start or _found(asked.folder)["policy"])
    student = SelfPlayNetwork(**network_of(known.card))
    student.load_seat_weights(known.networks)
    copies, others, homes = lessons_of(asked)
    if len(copies) < COPIES_AT_ONCE:
        sys.exit(
            f"{asked.folder}: {len(copies)} copies that gained; at least {COPIES_AT_ONCE} teach"
        )
    print(f"{len(copies)} copies teach", flush=True)
    optimizer = torch.optim.Adam(student.parameters(), asked.learning_rate)
    rng, begun = np.random.default_rng(asked.seed), time.monotonic()
    told: list[NDArray[np.float64]] = []
    while (done := (time.monotonic() - begun) / (60 * asked.minutes)) < 1:
        warm = min(1, (len(told) + 1) / 50)
        optimizer.param_groups[0]["lr"] = asked.learning_rate * warm * max(0.02, 1 - done)
        chosen = [copies[k] for k in rng.choice(len(copies), COPIES_AT_ONCE, replace=False)]
        chosen += [others[k] for k in rng.choice(OTHER_PARTS, OTHERS_AT_ONCE, replace=False)]
        told.append(learn(student, optimizer, [*chosen, *homes], asked.student_moves))
        if len(told) % 1000 == 0:
            distance, beside, values = np.mean(told[-1000:], axis=0)
            print(
                f"{len(told) * (len(chosen) + len(homes)) * GAMES:,} lessons: Kullback-Leibler distance from copies {distance:.4f}, "
                f"from the first policy {beside:.4f}, squared error of values {values:.4f}",
                flush=True,
            )
    weights = {side: student.seat_weights(side) for side in known.networks}
    taught = {"copies": len(copies), "minutes": asked.minutes, "seed": asked.seed}
    save_policies(asked.out, weights, {**known.card, "taught": taught})


def learn(
    student: SelfPlayNetwork,
    optimizer: torch.optim.Optimizer,
    lessons: Sequence[Lesson],
    student_moves: float,
) -> NDArray[np.float64]:
    """A step of learning, then a move in every game.

    Returns:
        The distances from the copies and from the first policy, and the error of the values.
    """
    looks = zip(*(lesson.look() for lesson in lessons), strict=True)
    seen, legal, told, worth = (torch.cat(parts) for parts in looks)
    features = student.features(seen)
    logits = student.logits(features, seen[:, SIDE]).masked_fill(~legal, MASKED)
    mine = logits.log_softmax(1)
    distance = (told.exp() * (told - mine)).sum(1)
    error = nn.functional.mse_loss(student.values(features, seen[:, SIDE]), worth)
    loss = distance[legal.sum(1) > 1].mean() + VALUE_WEIGHT * error
    step(optimizer, student, loss)
    with torch.no_grad():
        by_student = torch.rand(len(seen), 1) < student_moves
        moves = sample(torch.where(by_student, mine, told)).numpy().reshape(len(lessons), GAMES)
        for lesson, actions in zip(lessons, moves, strict=True):
            lesson.batch.step(actions)
        from_copies = COPIES_AT_ONCE * GAMES
        parts = (distance[:from_copies], distance[from_copies:], error)
        return np.array([part.mean().item() for part in parts])


def main() -> None:
    """Find, tune or teach."""
    torch.set_num_threads(1)
    asked = tyro.cli(Find | Tune | Teach, description=__doc__)
    {Find: find, Tune: tune, Teach: teach}[type(asked)](asked)  # type: ignore[operator]


if __name__ == "__main__":
    main()
