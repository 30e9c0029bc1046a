"""Why does search still beat the network? Two experiments on what a search teaches.

    python benchmarks/headroom.py collect runs/headroom        # 25 files of 20,000 positions; a stopped run goes on
    python benchmarks/headroom.py lessons runs/headroom        # A: lessons weighted by regret; a JSON line for each number
    python benchmarks/headroom.py value runs/headroom          # B: the value after the move; one JSON line
    python benchmarks/headroom.py value runs/headroom --start None --width 512

Two short searches look at every position of the policy's own games; the tenth in which they find most to gain gets two
longer ones. In experiment A the policy's network goes on learning from that tenth, each lesson weighted by its gain.
In experiment B a network learns the mean outcome of each move looked at from what the mover sees after it: a player
that looks one move ahead with it needs no search.

Both are judged on positions of other games, chosen by no search (the first files): which share of the search's gain
the student captures, as in `search_gain.py`. B also plays `--deals` deals, both seats, against the policy.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import search_gain as gain_of
import torch
import tyro
from numpy.typing import NDArray
from search_gain import Arrays, Student, share_of
from torch import nn

from channel_tunnel_agents import evaluate, make_agent
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import Architecture, network_of
from channel_tunnel_agents.players.policy.network import SIDE, SelfPlayNetwork
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.search.policy_search import LookAhead, PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.records import new_records

JUDGES = 2  # files whose positions judge and teach nothing
ROWS = 4096  # of a forward pass


@dataclass(frozen=True)
class Collect:
    """Play, search, write."""

    folder: tyro.conf.Positional[Path]
    """Gets the files."""
    policy: str = "master"
    """Plays, and is searched."""
    files: int = 25
    """How many."""
    positions: int = 20_000
    """Of a file, with more than one move to look at."""
    share: float = 0.2
    """Share of the decisions that are searched."""
    screen: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=5))
    """Each of the two searches of every position ..."""
    deep: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=8))
    """... and of those in which most is to be gained."""
    kept: float = 0.1
    """Share of the latter."""
    seed: int = 71
    """Of the first file; the others follow."""
    worker: int = 0
    """Of several commands that share the work, on a core each: which one this is."""
    workers: int = 1
    """How many there are."""


@dataclass(frozen=True)
class Lessons:
    """Experiment A: teach the policy what the searches prefer, and judge it."""

    folder: tyro.conf.Positional[Path]
    """Files of `collect`."""
    policy: str = "master"
    """Whose network goes on learning."""
    screened: tuple[int, ...] = (30_000, 100_000, 300_000, 460_000)
    """Positions looked at, of which a tenth are lessons."""
    epochs: int = 4
    """Passes over the lessons."""
    learning_rate: float = 1e-4
    """AdamW's step size at the start; falls to 0."""
    batch_size: int = 512
    """Lessons a step; as many other positions, in which the policy shall stay as it is, are beside them."""
    stay: float = 0.5
    """Weight of these."""
    seed: int = 1
    """Of the order of the rows."""
    threads: int = 1
    """Threads of torch."""


@dataclass(frozen=True)
class Value:
    """Experiment B: teach a network what each move is worth, and judge it."""

    folder: tyro.conf.Positional[Path]
    """Files of `collect`."""
    policy: str = "master"
    """Proposes the moves, and is the rival."""
    start: str | None = "master"
    """Policy whose network goes on learning; None: a new one."""
    network: Architecture = "game"
    """The new network ..."""
    width: int = 256
    """... its width ..."""
    depth: int = 2
    """... and depth."""
    epochs: int = 3
    """Passes."""
    learning_rate: float = 3e-4
    """AdamW's step size at the start; falls to 0."""
    batch_size: int = 1024
    """Rows a step."""
    temperature: float = 0.05
    """The gain that outweighs one nat of the policy's preference."""
    files: int | None = None
    """How many teach; None: all."""
    deals: int = 400
    """Of the match."""
    seed: int = 1
    """Of weights, the order of the rows and the deals."""
    threads: int = 1
    """Threads of torch."""


# --- collecting


def file_of(folder: Path, number: int) -> Path:
    return folder / f"positions-{number:03d}.npz"


def collect(asked: Collect) -> None:
    """Write the files that are not there yet; see `Collect`."""
    torch.set_num_threads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    for number in range(asked.worker, asked.files, asked.workers):
        file = file_of(asked.folder, number)
        if file.exists():
            continue
        begun = time.monotonic()
        found = positions_of(asked, asked.seed + number)
        part = file.with_suffix(".part.npz")
        np.savez_compressed(part, **found)
        part.replace(file)
        print(f"{file}: {len(found['games']):,}, {time.monotonic() - begun:.0f} s", flush=True)


def positions_of(asked: Collect, seed: int) -> Arrays:
    """The positions of a file, in the order in which they were met.

    `deep` are the places of those that were searched for longer, `deep_gains` (k, 2, M) what was found; `after` (m, D) is
    what the mover sees after each move, `after_of` (m, 2) its position and its place among the moves.
    """
    policy, player = make_agent(asked.policy), make_agent(asked.policy, seed=seed)
    assert isinstance(policy, PolicyAgent) and isinstance(player, PolicyAgent)
    player.greedy = False
    rng = np.random.default_rng(seed)
    batch = BatchGame(gain_of.GAMES, "standard", seed, autoreset=True)
    for _ in range(gain_of.WARM_UP):
        batch.step(player(batch.observations, batch.masks))
    screen, deep = (PolicySearchAgent(policy, each) for each in (asked.screen, asked.deep))
    games, found, count = np.arange(gain_of.GAMES), [], 0
    hopes = np.zeros(0)
    while count < asked.positions:
        wanted = (batch.masks.sum(axis=1) > 1) & (rng.random(len(games)) < asked.share)
        part, rows = looked_at(screen, batch, np.flatnonzero(wanted), rng)
        hope = hoped_for(part, asked.screen.temperature)
        hopes = np.concatenate([hopes, hope])[-5000:]
        best = np.flatnonzero(hope >= np.quantile(hopes, 1 - asked.kept))
        part |= {
            "games": games[rows],
            "deep": best + count,
            "deep_gains": twice(deep, batch, rows[best], rng)[1],
        } | seen_after(batch, rows, np.asarray(part["moves"], np.int64), count, rng)
        found.append(part)
        count += len(rows)
        batch.step(player(batch.observations, batch.masks))
        games[batch.dones] = games.max() + 1 + np.arange(batch.dones.sum())
    return {name: np.concatenate([part[name] for part in found]) for name in found[0]}


def looked_at(
    search: PolicySearchAgent,
    batch: BatchGame,
    rows: NDArray[np.intp],
    rng: np.random.Generator,
) -> tuple[Arrays, NDArray[np.intp]]:
    """Two looks at the rows that have several moves worth one, and these rows."""
    look, gains = twice(search, batch, rows, rng)
    several = (look.moves != NO_MOVE).sum(axis=1) > 1
    rows = rows[several]
    return {
        "observations": batch.observations[rows].astype(np.float16),
        "movers": batch.to_play[rows].copy(),
        "moves": look.moves[several].astype(np.int16),
        "prior": look.prior[several],
        "gains": gains[several],
    }, rows


def twice(
    search: PolicySearchAgent,
    batch: BatchGame,
    rows: NDArray[np.intp],
    rng: np.random.Generator,
) -> tuple[LookAhead, NDArray[np.float32]]:
    """One of two independent looks, and the gains of both (n, 2, M)."""
    looks = []
    for _ in range(2):
        search.seed = int(rng.integers(1 << 40))
        looks.append(search.look_ahead(batch, rows))
    gains = np.stack([look.gains for look in looks]).swapaxes(0, 1)
    return looks[0], np.asarray(gains, np.float32)


def hoped_for(part: Arrays, temperature: float) -> NDArray[np.float64]:
    """What both looks together would gain over the policy's move; too high, as the same worlds choose and judge."""
    mean, rows = part["gains"].mean(axis=1), np.arange(len(part["moves"]))
    scores = np.where(part["moves"] != NO_MOVE, part["prior"] + mean / temperature, -np.inf)
    return np.asarray(mean[rows, scores.argmax(axis=1)] - mean[:, 0], np.float64)


def seen_after(
    batch: BatchGame,
    rows: NDArray[np.intp],
    moves: NDArray[np.int64],
    count: int,
    rng: np.random.Generator,
) -> Arrays:
    """What the mover sees after each move, in one world."""
    seeds = rng.integers(1 << 62, size=(len(rows), 1), dtype=np.uint64)
    seen = own_view(
        Worlds(batch, rows, seeds, moves), np.repeat(batch.to_play[rows], moves.shape[1])
    )
    at = np.argwhere(moves != NO_MOVE)
    return {
        "after": seen.reshape(*moves.shape, -1)[tuple(at.T)].astype(np.float16),
        "after_of": (at + np.array([count, 0])).astype(np.int32),
    }


def own_view(worlds: Worlds, viewers: NDArray[np.int8]) -> NDArray[np.float32]:
    """What a seat sees of each world, whoever is to move."""
    seen = np.empty_like(worlds.observations)
    work = new_records(1, worlds.machine.spec.record.work_dtype)
    kernels.observe_batch(worlds.states, worlds.tables, viewers, work, seen)
    return seen


def load(folder: Path, numbers: range, names: tuple[str, ...]) -> Arrays:
    """Files of `collect` as one."""
    parts: list[Arrays] = []
    positions = games = 0
    for number in numbers:
        with np.load(file_of(folder, number)) as kept:
            part = {name: kept[name] for name in names}
            part["games"] = kept["games"] + games
            if "deep" in part:
                part["deep"] = part["deep"] + positions
            if "after_of" in part:
                part["after_of"] = part["after_of"] + np.array([positions, 0])
        positions, games = positions + len(part["games"]), int(part["games"].max()) + 1
        parts.append(part)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def files_in(folder: Path) -> int:
    """How many there are without a gap."""
    return next(number for number in range(10_000) if not file_of(folder, number).exists())


# --- A: lessons weighted by regret


def lessons(asked: Lessons) -> None:
    """Print the share of the search's gain after so many positions; see `Lessons`."""
    torch.set_num_threads(asked.threads)
    names = ("observations", "moves", "prior", "gains", "deep", "deep_gains")
    judges = load(asked.folder, range(JUDGES), names)
    known = load(asked.folder, range(JUDGES, files_in(asked.folder)), names)
    for screened in asked.screened:
        if screened > len(known["games"]):
            break
        student = Student(gain_of.Fit(files=(), start=asked.policy, seed=asked.seed))
        taught = known["deep"] < screened
        places, gains = known["deep"][taught], known["deep_gains"][taught]
        teach(student, known, places, gains, screened, asked)
        print(
            json.dumps(
                {
                    "experiment": "lessons",
                    "screened": screened,
                    "lessons": len(places),
                    "learning_rate": asked.learning_rate,
                    "epochs": asked.epochs,
                    "stay": asked.stay,
                    **judged(student.gain(judges, np.arange(len(judges["games"]))), judges),
                }
            ),
            flush=True,
        )


def judged(own: NDArray[np.float64], judges: Arrays, temperature: float = 0.05) -> dict[str, Any]:
    """The share of the search's gain that a student's choices capture, with its interval over games."""
    theirs = gain_of.search_gain(judges, temperature)
    share, interval = share_of(own, theirs, judges["games"])
    return {
        "judged": len(own),
        "search_gain": round(float(theirs.mean()), 5),
        "student_gain": round(float(own.mean()), 5),
        "share": round(share, 4),
        "interval": [round(bound, 4) for bound in interval],
        "moves_changed": round(float(np.mean(own != 0)), 4),
    }


def teach(
    student: Student,
    known: Arrays,
    places: NDArray[np.int64],
    gains: NDArray[np.float32],
    screened: int,
    asked: Lessons,
) -> None:
    """Fit to what the longer searches prefer, weighted by what they gain, and to the policy itself elsewhere."""
    lesson = {"moves": known["moves"][places], "prior": known["prior"][places], "gains": gains}
    weights = np.clip(gain_of.search_gain(lesson, 0.05), 0, None)
    weights = torch.from_numpy(weights / weights.mean()).float()
    scores = lesson["prior"] + gains.mean(axis=1) / 0.05
    wanted = preferences(scores, lesson["moves"])
    others = np.setdiff1d(np.arange(screened), places)
    optimizer = torch.optim.AdamW(student.network.parameters(), asked.learning_rate)
    rng, steps = np.random.default_rng(asked.seed), max(1, len(places) // asked.batch_size)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, asked.epochs * steps)
    for _ in range(asked.epochs):
        for chosen in np.array_split(rng.permutation(len(places)), steps):
            beside = rng.choice(others, len(chosen))
            told = student(known, places[chosen]).clamp_min(-1e8)
            stayed = student(known, beside).clamp_min(-1e8)
            as_before = preferences(known["prior"][beside], known["moves"][beside])
            loss = -(weights[chosen, None] * wanted[chosen] * told).sum(1).mean()
            loss = loss - asked.stay * (as_before * stayed).sum(1).mean()
            step(optimizer, student.network, loss)
            falling.step()


def preferences(scores: NDArray[np.floating[Any]], moves: NDArray[np.int16]) -> torch.Tensor:
    """Probabilities of the moves looked at."""
    return torch.from_numpy(np.where(moves != NO_MOVE, scores, -np.inf)).float().softmax(1)


def step(optimizer: torch.optim.Optimizer, network: nn.Module, loss: torch.Tensor) -> None:
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimizer.step()


# --- B: the value after the move


class AfterValue:
    """A network that says from what a seat sees, after its move, how the game ends for it: -1 to 1."""

    def __init__(self, asked: Value) -> None:
        torch.manual_seed(asked.seed)
        if asked.start is None:
            self.network = SelfPlayNetwork(asked.width, asked.depth, "shared", asked.network)
        else:
            policy = load_policy(asked.start)
            self.network = SelfPlayNetwork(**network_of(policy.card))
            self.network.load_seat_weights(policy.networks)

    def of_rows(self, seen: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> (n,), in the view of the seat that sees it."""
        side = seen[:, SIDE]
        first_view = self.network.values(self.network.features(seen), side)
        return torch.where(side == 0, first_view, -first_view)

    def __call__(self, seen: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        parts = np.array_split(seen, max(1, -(-len(seen) // ROWS)))
        with torch.inference_mode():
            found = [self.of_rows(torch.from_numpy(part.astype(np.float32))) for part in parts]
        return torch.cat(found).clamp(-1, 1).numpy()


class OneMoveAhead(PolicySearchAgent):
    """Takes the policy's move unless the network values another one more after it."""

    def __init__(self, policy: PolicyAgent, value: AfterValue, settings: SearchSettings) -> None:
        super().__init__(policy, settings, name="one-move-ahead")
        self.value = value

    def _play_on(
        self,
        batch: BatchGame,
        rows: NDArray[np.intp],
        seeds: NDArray[np.uint64],
        moves: NDArray[np.int64],
    ) -> tuple[NDArray[np.float32], Worlds]:
        worlds = Worlds(batch, rows, seeds, moves)
        viewers = np.repeat(batch.to_play[rows], seeds.shape[1] * moves.shape[1])
        values = self.value(own_view(worlds, viewers))
        return values.reshape(*seeds.shape, moves.shape[1]), worlds


def rows_after(
    folder: Path, numbers: range
) -> Iterator[tuple[NDArray[np.float16], NDArray[np.float32]]]:
    """What a mover saw after its moves, and their mean outcomes, by file."""
    for number in numbers:
        part = load(folder, range(number, number + 1), ("after", "after_of", "gains"))
        yield part["after"], part["gains"].mean(axis=1)[tuple(part["after_of"].T)]


def value(asked: Value) -> None:
    """Print what the network explains, captures and wins; see `Value`."""
    torch.set_num_threads(asked.threads)
    numbers = range(JUDGES, files_in(asked.folder))[: asked.files]
    found = list(rows_after(asked.folder, numbers))
    seen, outcomes = (np.concatenate(each) for each in zip(*found, strict=True))
    del found
    student, begun = AfterValue(asked), time.process_time()
    fit_values(student, seen, outcomes, asked)
    spent = time.process_time() - begun
    del seen
    judges = load(asked.folder, range(JUDGES), ("moves", "prior", "gains", "after", "after_of"))
    own, explained = one_move_ahead(student, judges, asked.temperature)
    print(
        json.dumps(
            {
                "experiment": "value",
                "start": asked.start,
                "parameters": sum(weights.numel() for weights in student.network.parameters()),
                "rows": len(outcomes),
                "learning_rate": asked.learning_rate,
                "epochs": asked.epochs,
                "cpu_seconds": round(spent),
                "explained": round(explained, 4),
                **judged(own, judges, asked.temperature),
                **match(student, asked),
            }
        ),
        flush=True,
    )


def fit_values(
    student: AfterValue,
    seen: NDArray[np.float16],
    outcomes: NDArray[np.float32],
    asked: Value,
) -> None:
    """Least squares."""
    optimizer = torch.optim.AdamW(student.network.parameters(), asked.learning_rate)
    rng, steps = np.random.default_rng(asked.seed), max(1, len(outcomes) // asked.batch_size)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, asked.epochs * steps)
    for epoch in range(asked.epochs):
        total = 0.0
        for chosen in np.array_split(rng.permutation(len(outcomes)), steps):
            rows = torch.from_numpy(seen[chosen].astype(np.float32))
            wanted = torch.from_numpy(outcomes[chosen])
            loss = nn.functional.mse_loss(student.of_rows(rows), wanted)
            step(optimizer, student.network, loss)
            falling.step()
            total += float(loss.detach())
        print(f"pass {epoch + 1}: mean squared error {total / steps:.4f}", flush=True)


def one_move_ahead(
    student: AfterValue, judges: Arrays, temperature: float
) -> tuple[NDArray[np.float64], float]:
    """What its choices gain, and the share of the variance of the outcomes that it explains."""
    at, mean = tuple(judges["after_of"].T), judges["gains"].mean(axis=1)
    said = np.full(mean.shape, -np.inf)
    said[at] = student(judges["after"])
    chosen = (judges["prior"] + said / temperature).argmax(axis=1)
    own = np.asarray(mean[np.arange(len(mean)), chosen] - mean[:, 0], np.float64)
    return own, float(1 - np.mean((said[at] - mean[at]) ** 2) / np.var(mean[at]))


def match(student: AfterValue, asked: Value) -> dict[str, Any]:
    """Its share against the policy."""
    policy = make_agent(asked.policy)
    assert isinstance(policy, PolicyAgent)
    ahead = OneMoveAhead(
        policy, student, SearchSettings(worlds=4, depth=0, temperature=asked.temperature)
    )
    (found,) = evaluate(ahead, (asked.policy,), asked.deals, seed=910_000 + asked.seed)
    return {"deals": asked.deals, "match": str(found)}


def main() -> None:
    """Collect, or do one of the experiments."""
    asked = tyro.extras.subcommand_cli_from_dict(
        {"collect": Collect, "lessons": Lessons, "value": Value}, description=__doc__
    )
    {Collect: collect, Lessons: lessons, Value: value}[type(asked)](asked)  # type: ignore[operator]


if __name__ == "__main__":
    main()
