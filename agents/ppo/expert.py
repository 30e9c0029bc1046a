"""Expert iteration: what a policy finds by looking ahead is taught back to it (Anthony et al. 2017).

python -m agents.ppo.expert runs/full runs/full-taught --positions 500000

Games are played by the searching policy. In every position the lesson is the search's own preference over
the moves it looked at, softmax(log prior + gain / temperature), and the outcome it expects there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro
from gymnasium import spaces
from numpy.typing import NDArray
from rich.progress import Progress

from agents.policy_search import PolicySearchAgent, SearchSettings
from agents.ppo.agent import PolicyAgent
from agents.ppo.saved_policy import load_policy, policy_paths, save_policy
from agents.ppo.sb3_policy import SelfPlayPolicy
from agents.worlds import NO_MOVE
from channel_tunnel_env import BatchGame, ChannelTunnelError, load_ruleset
from channel_tunnel_env.batch import AnyRuleset
from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import FRANCE, SEATS
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE


@dataclass(frozen=True)
class Arguments:
    """Teach a policy what its search finds."""

    policy: tyro.conf.Positional[Path]
    """Folder of the policies that search."""
    out: tyro.conf.Positional[Path]
    """Folder of the taught ones."""
    positions: int = 500_000
    """Lessons."""
    games: int = 256
    """Games side by side."""
    epochs: int = 3
    """Passes over the lessons."""
    batch_size: int = 1024
    """Rows a gradient step."""
    learning_rate: float = 2e-4
    """Adam's step size at the start; falls to a tenth."""
    ruleset: str = "standard"
    """Name or YAML file."""
    seed: int = 1
    """Of games and search."""
    threads: int = 1
    """Threads of torch."""
    search: Annotated[SearchSettings, tyro.conf.arg(name="")] = field(
        default_factory=SearchSettings
    )
    """How the teacher looks ahead."""


@dataclass(frozen=True)
class Lessons:
    """What the search said of n positions.

    Attributes:
        observations: float16 (n, D); masks: bool (n, 171).
        moves: int16 (n, M), NO_MOVE where there are fewer; wanted: float32 (n, M), their probabilities.
        values: float32 (n,), expected result in Britain's view.
    """

    observations: NDArray[np.float16]
    masks: NDArray[np.bool_]
    moves: NDArray[np.int16]
    wanted: NDArray[np.float32]
    values: NDArray[np.float32]


def collect(
    teacher: PolicySearchAgent,
    positions: int,
    games: int,
    ruleset: AnyRuleset,
    seed: int,
    progress: Callable[[int], object] | None = None,
) -> Lessons:
    """Play games by the search's preferences and note them: about `positions` lessons."""
    rng = np.random.default_rng(seed)
    batch = BatchGame(games, ruleset, seed, autoreset=True)
    parts: list[tuple[NDArray[Any], ...]] = []
    for _ in range(-(-positions // games)):
        found = teacher.look_ahead(batch, np.arange(games))
        wanted = _softmax(found.scores(teacher.settings.temperature))
        values = (wanted * found.gains).sum(axis=1)
        values = np.where(batch.to_play == FRANCE, -values, values)
        values = np.where(found.worlds > 0, values, found.values)
        parts.append(
            (
                batch.observations.astype(np.float16),
                batch.masks.copy(),
                found.moves.astype(np.int16),
                wanted.astype(np.float32),
                values.astype(np.float32),
            )
        )
        chosen = (wanted.cumsum(axis=1) < rng.random((games, 1))).sum(axis=1)
        chosen = np.minimum(chosen, (found.moves != NO_MOVE).sum(axis=1) - 1)
        batch.step(found.moves[np.arange(games), chosen])
        if progress is not None:
            progress(games)
    return Lessons(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def teach(
    policy: SelfPlayPolicy, lessons: Lessons, epochs: int, batch_size: int, seed: int
) -> list[float]:
    """Fit the policy to the lessons; returns the loss of each pass."""
    rng, losses = np.random.default_rng(seed), []
    rows = len(lessons.values)
    steps, done = epochs * -(-rows // batch_size), 0
    start = policy.optimizer.param_groups[0]["lr"]
    for _ in range(epochs):
        total = 0.0
        for chosen in np.array_split(rng.permutation(rows), -(-rows // batch_size)):
            for group in policy.optimizer.param_groups:
                group["lr"] = start * (1 - 0.9 * done / steps)
            loss = _loss(policy, lessons, chosen)
            policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            policy.optimizer.step()
            total += float(loss.detach()) * len(chosen)
            done += 1
        losses.append(total / rows)
    return losses


def _loss(policy: SelfPlayPolicy, lessons: Lessons, rows: NDArray[np.intp]) -> torch.Tensor:
    """Cross-entropy to the wanted probabilities, and half of the squared error of the value."""
    observations = torch.from_numpy(lessons.observations[rows].astype(np.float32))
    moves = torch.from_numpy(lessons.moves[rows].astype(np.int64))
    wanted = torch.from_numpy(lessons.wanted[rows])
    log_probs, values = policy.judge(observations, torch.from_numpy(lessons.masks[rows]))
    chosen = log_probs.gather(1, moves.clamp_min(0))
    error = values - torch.from_numpy(lessons.values[rows])
    return -(wanted * chosen).sum(dim=1).mean() + 0.5 * error.square().mean()


def open_policy(folder: Path, learning_rate: float) -> tuple[SelfPlayPolicy, dict[str, Any]]:
    """A folder's policies as one network that can learn, and their card."""
    card = load_policy(policy_paths(folder)[SEATS[0]])[1]
    network = SelfPlayPolicy(
        spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32),
        spaces.Discrete(NUM_ACTIONS),
        lambda _: learning_rate,
        width=card["width"],
        depth=card["depth"],
        shared=card["config"].get("trunk", "shared") == "shared",
        optimizer_kwargs={"eps": 1e-5, "fused": True},
    )
    network.load_seat_weights(PolicyAgent.load(folder).policies)
    return network, card


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the policies cannot be read."""
    arguments = tyro.cli(Arguments, args=argv, prog="python -m agents.ppo.expert")
    torch.set_num_threads(arguments.threads)
    try:
        ruleset = load_ruleset(arguments.ruleset)
        agent = PolicyAgent.load(arguments.policy, ruleset)
        network, card = open_policy(arguments.policy, arguments.learning_rate)
    except ChannelTunnelError as error:
        print(f"agents.ppo.expert: {error}", file=sys.stderr)
        return 2
    teacher = PolicySearchAgent(agent, arguments.search, arguments.seed)
    with Progress() as bar:
        task = bar.add_task("lessons", total=arguments.positions)
        lessons = collect(
            teacher,
            arguments.positions,
            arguments.games,
            ruleset,
            arguments.seed,
            lambda count: bar.advance(task, count),
        )
    losses = teach(network, lessons, arguments.epochs, arguments.batch_size, arguments.seed)
    print("loss of each pass: " + ", ".join(f"{loss:.4f}" for loss in losses))
    arguments.out.mkdir(parents=True, exist_ok=True)
    for seat, side in enumerate(SEATS):
        whole = {**card, "side": side, "taught_from": str(arguments.policy)}
        weights = network.seat_weights(seat)
        save_policy(arguments.out / f"{side}.safetensors", weights, whole)
    print(f"policies: {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
