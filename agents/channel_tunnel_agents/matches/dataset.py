"""Data sets of games: tables and records, and one seat's data for offline learning.

`channel-tunnel generate` calls `generate`; `export_minari` reads a folder that it wrote.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.seatings import seats_of
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.batch import NO_ACTION, AnyRuleset
from channel_tunnel_env.envs.idle import idle_mask
from channel_tunnel_env.envs.registration import ANY_RULESET
from channel_tunnel_env.records.record import read_records
from channel_tunnel_env.rulesets.ruleset import load_ruleset

EPISODES_AT_ONCE = 512


def generate(
    agents: tuple[str, ...],
    games: int,
    out: Path,
    ruleset: AnyRuleset = "standard",
    seed: int = 0,
    workers: int | None = None,
    begin: Callable[[int], Callable[[int], object]] | None = None,
) -> Results:
    """Play every agent as Britain against every agent as France, keeping decisions and records.

    Args:
        agents: names; a single agent plays itself.
        games: minimum in total; every pairing plays the same number.
        out: folder of the tables (see `balance.store`); a stopped run goes on.
        begin: called with the number of games; returns a function to call with the number just
            finished.

    Raises:
        AgentError, ChannelTunnelError: an unknown agent or ruleset, or a folder of another run.
    """
    pairings = len(agents) ** 2
    tournament = Tournament(
        agents,
        -(-games // max(1, pairings)),
        seed,
        ruleset,
        mirror=len(agents) == 1,
        decisions=True,
    )
    progress = begin(tournament.total_games) if begin else None
    return play_tournament(tournament, progress, workers, out)


@dataclass(frozen=True)
class Episode:
    """One game from one seat: only its own decisions, and the last observation after the end."""

    seed: int
    observations: NDArray[np.float32]  # (n + 1, D)
    actions: NDArray[np.int64]  # (n,)
    masks: NDArray[np.int8]  # (n + 1, A); the last one, after the end, has no meaning
    reward: float
    """Of the last step, as the environment pays the seat: 1, 0 or -1 between two; the other steps have 0."""


def episodes(records: list[dict[str, Any]], ruleset: Ruleset, seat: int) -> list[Episode]:
    """A seat's observations, actions and rewards in recorded games.

    Args:
        records: games that began from their seeds.
        seat: its number. Games without a decision of this seat are left out.
    """
    batch = BatchGame(len(records), ruleset)
    batch.reset(seeds=np.array([record["seed"] for record in records]))
    lengths = np.array([len(record["actions"]) for record in records])
    taken = np.full((len(records), int(lengths.max()) + 1), NO_ACTION)
    for row, record in enumerate(records):
        taken[row, : lengths[row]] = [batch.spec.actions.id_of(name) for name in record["actions"]]
    seen: list[list[NDArray[np.float32]]] = [[] for _ in records]
    allowed: list[list[NDArray[np.int8]]] = [[] for _ in records]
    did: list[list[int]] = [[] for _ in records]
    paid = np.zeros(len(records))
    for actions in taken.T[:-1]:
        for row in np.flatnonzero((actions != NO_ACTION) & (batch.to_play == seat)).tolist():
            seen[row].append(batch.observations[row].copy())
            allowed[row].append(batch.masks[row].astype(np.int8))
            did[row].append(int(actions[row]))
        batch.step(np.where(batch.states["end_cause"] > 0, NO_ACTION, actions))
        paid += batch.rewards[:, seat]
    ends = batch.observe(np.full(len(records), seat))
    return [
        Episode(
            int(records[row]["seed"]),
            np.stack([*seen[row], ends[row]]),
            np.array(did[row]),
            np.stack([*allowed[row], idle_mask(batch.spec)]),
            float(paid[row]),
        )
        for row in range(len(records))
        if did[row]
    ]


def read_episodes(folder: Path, seat: int, ruleset: Ruleset) -> Iterator[Episode]:
    """The episodes of all records in a folder that `generate` wrote."""
    chunk: list[dict[str, Any]] = []
    for path in sorted((folder / "records").glob("*.jsonl")):
        for record in read_records(path):
            chunk.append(record)
            if len(chunk) == EPISODES_AT_ONCE:
                yield from episodes(chunk, ruleset, seat)
                chunk = []
    if chunk:
        yield from episodes(chunk, ruleset, seat)


def check_minari(dataset_id: str, side: str, ruleset: AnyRuleset = "standard") -> None:
    """Check that a data set of a seat of a ruleset can be written.

    Raises:
        AgentError: Minari is not installed, the side is unknown, or the data set exists.
    """
    try:
        import minari
    except ImportError as error:
        raise AgentError(
            f"Minari is needed: pip install 'channel-tunnel-env[data]' ({error})"
        ) from None
    seats = seats_of(load_ruleset(ruleset))
    if side not in seats:
        raise AgentError(f"side {side!r}: expected {' or '.join(seats)}")
    place = minari.storage.get_dataset_path(dataset_id)
    if place.exists():
        raise AgentError(
            f"{dataset_id}: this Minari data set exists; choose another name or delete it ({place})"
        )


def export_minari(
    folder: Path, dataset_id: str, side: str, ruleset: AnyRuleset = "standard"
) -> int:
    """Write one seat's episodes of a folder's games as a local Minari data set; returns how many.

    Observations are the vectors of `docs/observation.md` and its siblings; infos hold the `action_mask` of each. Minari keeps
    it below MINARI_DATASETS_PATH.

    Args:
        dataset_id: such as channel-tunnel/britain-v0.

    Raises:
        AgentError: as `check_minari`, or the folder has no records.
    """
    check_minari(dataset_id, side, ruleset)
    import gymnasium
    import minari
    from minari.data_collector import EpisodeBuffer

    rules = load_ruleset(ruleset)
    buffers = [
        EpisodeBuffer(
            id=number,
            seed=episode.seed,
            observations=episode.observations,
            actions=episode.actions,
            rewards=[0.0] * (len(episode.actions) - 1) + [episode.reward],
            # Every end is a termination: a stopped game is scored too.
            terminations=[False] * (len(episode.actions) - 1) + [True],
            truncations=[False] * len(episode.actions),
            infos={"action_mask": episode.masks},
        )
        for number, episode in enumerate(read_episodes(folder, seats_of(rules).index(side), rules))
    ]
    if not buffers:
        raise AgentError(
            f"{folder}: no records; write some with channel-tunnel generate --out {folder}"
        )
    env = gymnasium.make(ANY_RULESET, ruleset=ruleset, side=side)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", UserWarning
        )  # about authors and links, which the user may add
        try:
            minari.create_dataset_from_buffers(
                dataset_id,
                buffers,
                env=env,
                description=f"{agents_of(rules.spec.name).title} as {side} sees it",
            )
        except BaseException:  # a partial data set would block the next attempt
            shutil.rmtree(minari.storage.get_dataset_path(dataset_id), ignore_errors=True)
            raise
    return len(buffers)
