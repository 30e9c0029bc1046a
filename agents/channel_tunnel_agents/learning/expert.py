"""Expert iteration: train a policy on what it finds by looking ahead (Anthony et al. 2017).

    python -m channel_tunnel_agents.learning.expert collect runs/full runs/lessons --positions 500000
    python -m channel_tunnel_agents.learning.expert teach runs/full runs/lessons runs/taught

Games are played by the searching policy. The lesson of a position is the search's preference over
the moves it looked at, softmax(log prior + gain / temperature), and the outcome it expects. Lessons
are stored in files of tens of thousands each, so collecting can stop at any time, and several
collectors with different seeds can run in parallel.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro
from gymnasium import spaces
from numpy.typing import NDArray
from rich.progress import track
from tyro.conf import Positional, arg

from channel_tunnel_agents.learning.sb3_policy import SelfPlayPolicy
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import network_of, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import (
    policy_card,
    save_policies,
)
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE
from channel_tunnel_env import BatchGame, ChannelTunnelError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.terminal import tolerate_any_terminal
from channel_tunnel_env.rulesets.ruleset import load_ruleset

FILE_ROWS = 25_600  # lessons per file, about 50 MB
TEACHER = SearchSettings(temperature=0.03)  # sharper than for play: the fit averages out the noise


@dataclass(frozen=True)
class Lessons:
    """The search's results for n positions.

    Attributes:
        observations: float16 (n, D); masks: bool (n, A).
        moves: int16 (n, M), NO_MOVE where there are fewer; wanted: float32 (n, M), their probabilities.
        values: float32 (n,), expected result in the first seat's view.
    """

    observations: NDArray[np.float16]
    masks: NDArray[np.bool_]
    moves: NDArray[np.int16]
    wanted: NDArray[np.float32]
    values: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Write the lessons atomically."""
        buffer = io.BytesIO()
        np.savez(buffer, **vars(self))
        write_whole(path, buffer.getvalue())

    @classmethod
    def load(cls, folder: Path) -> Lessons:
        """All lessons of a folder.

        Raises:
            FileNotFoundError: the folder holds none.
        """
        paths = sorted(folder.glob("*.npz"))
        if not paths:
            raise FileNotFoundError(f"{folder}: no lessons there")
        parts = [dict(np.load(path)) for path in paths]
        return cls(**{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def lessons_of(teacher: PolicySearchAgent, batch: BatchGame, steps: int, seed: int) -> Lessons:
    """Play `steps` decisions of every game by the search's preferences and record them."""
    rng = np.random.default_rng(seed)
    rows = np.arange(batch.num_games)
    parts: list[tuple[NDArray[Any], ...]] = []
    for _ in range(steps):
        found = teacher.look_ahead(batch, rows)
        wanted = _softmax(found.scores(teacher.settings.temperature))
        values = (wanted * found.gains).sum(axis=1)
        values = np.where(batch.to_play == 1, -values, values)  # in the first seat's view
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
        chosen = (wanted.cumsum(axis=1) < rng.random((len(rows), 1))).sum(axis=1)
        chosen = np.minimum(chosen, (found.moves != NO_MOVE).sum(axis=1) - 1)
        batch.step(found.moves[rows, chosen])
    return Lessons(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def fit(
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
    """Cross-entropy to the target probabilities, plus half the squared error of the value."""
    observations = torch.from_numpy(lessons.observations[rows].astype(np.float32))
    moves = torch.from_numpy(lessons.moves[rows].astype(np.int64))
    wanted = torch.from_numpy(lessons.wanted[rows])
    log_probs, values = policy.judge(observations, torch.from_numpy(lessons.masks[rows]))
    chosen = log_probs.gather(1, moves.clamp_min(0))
    error = values[:, 0] - torch.from_numpy(lessons.values[rows])
    return -(wanted * chosen).sum(dim=1).mean() + 0.5 * error.square().mean()


def open_policy(folder: Path, learning_rate: float) -> tuple[SelfPlayPolicy, dict[str, Any]]:
    """A folder's policies as one trainable network, and their card."""
    trained = TorchAgent.load(folder)
    form, card = trained.form, policy_card(policy_paths(folder)[trained.form.sides[0]])
    network = SelfPlayPolicy(
        spaces.Box(0.0, 1.0, (form.observation_sizes[0],), np.float32),
        spaces.Discrete(form.num_actions),
        lambda _: learning_rate,
        **network_of(card),
    )
    network.load_seat_weights(trained.policies)
    return network, card


def collect(
    policy: Annotated[Positional[Path], arg(metavar="FOLDER")],
    lessons: Annotated[Positional[Path], arg(metavar="LESSONS")],
    positions: int = 500_000,
    games: int = 256,
    search: Annotated[SearchSettings, arg(name="")] = TEACHER,
    ruleset: str = "standard",
    seed: int = 1,
    threads: int = 1,
) -> None:
    """Play and write lessons.

    Args:
        policy: Folder of the searching policies.
        lessons: Folder to write lessons to.
        positions: Number of lessons.
        games: Games played side by side.
        search: How the teacher looks ahead.
        ruleset: Name or YAML file.
        seed: Seed of games and search; use a different one for each collecting process.
        threads: Threads of torch.
    """
    torch.set_num_threads(threads)
    rules = load_ruleset(ruleset, game=DEFAULT_GAME)
    teacher = PolicySearchAgent(PolicyAgent.load(policy, rules), search, seed)
    batch = BatchGame(games, rules, seed, autoreset=True)
    lessons.mkdir(parents=True, exist_ok=True)
    steps = max(1, min(FILE_ROWS, positions) // games)
    for part in track(range(-(-positions // (steps * games))), "lessons"):
        found = lessons_of(teacher, batch, steps, seed + part)
        found.save(lessons / f"{seed:03d}-{part:05d}.npz")


def teach(
    policy: Annotated[Positional[Path], arg(metavar="FOLDER")],
    lessons: Annotated[Positional[Path], arg(metavar="LESSONS")],
    out: Annotated[Positional[Path], arg(metavar="OUT")],
    epochs: int = 4,
    batch_size: int = 1024,
    learning_rate: float = 5e-4,
    seed: int = 1,
    threads: int = 1,
) -> None:
    """Fit policies to lessons.

    Args:
        policy: Folder of the policies to start from.
        lessons: Folder of lessons.
        out: Folder to write the trained policies to.
        epochs: Passes over the lessons.
        batch_size: Rows per gradient step.
        learning_rate: Adam's step size at the start; falls to a tenth.
        seed: Seed of the order of the rows.
        threads: Threads of torch.
    """
    torch.set_num_threads(threads)
    network, card = open_policy(policy, learning_rate)
    known = Lessons.load(lessons)
    losses = fit(network, known, epochs, batch_size, seed)
    print(f"{len(known.values):,} lessons, loss of each pass: {[round(x, 4) for x in losses]}")
    taught = {"lessons": len(known.values), "epochs": epochs}
    save_policies(out, network.all_weights(), {**card, "taught": taught})
    print(f"policies: {out}")


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where policies or lessons cannot be read."""
    tolerate_any_terminal()
    commands: dict[str, Callable[..., Any]] = {"collect": collect, "teach": teach}
    try:
        tyro.extras.subcommand_cli_from_dict(
            commands, prog="python -m channel_tunnel_agents.learning.expert", args=argv
        )
    except (ChannelTunnelError, FileNotFoundError) as error:
        print(f"channel_tunnel_agents.learning.expert: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
