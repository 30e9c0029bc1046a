"""Data sets of games: tables and records, and what one seat, or every seat, saw and did, for offline learning.

`channel-tunnel generate` calls `generate`; `export_minari` reads a folder that it wrote.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.arena import list_seatings
from channel_tunnel_agents.matches.store import PLAN
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_env import BatchGame, Ruleset, __version__
from channel_tunnel_env.batch import NO_ACTION, AnyRuleset
from channel_tunnel_env.envs.registration import ANY_RULESET
from channel_tunnel_env.envs.results import idle_mask
from channel_tunnel_env.outside.documents import read_json
from channel_tunnel_env.records.record import read_records
from channel_tunnel_env.rulesets.entry import ruleset_entry
from channel_tunnel_env.rulesets.ruleset import load_ruleset

EPISODES_AT_ONCE = 64  # a game of many seats and long observations takes some megabytes
ALL = "all"  # instead of a side: the episodes of every seat
COMPRESSION = 4  # of gzip; observations are mostly zeros
LICENCE = "MIT"
MAIN_FILE = "main_data.hdf5"  # of a Minari data set, in its folder `data`


def generate(
    agents: tuple[str, ...],
    games: int,
    out: Path,
    ruleset: AnyRuleset = "standard",
    seed: int = 0,
    workers: int | None = None,
    begin: Callable[[int], Callable[[int], object]] | None = None,
) -> Results:
    """Play every agent in every seat against every agent, keeping decisions and records.

    Args:
        agents: names; a single agent plays itself.
        games: minimum in total; every table (see `arena`) plays the same number.
        out: folder of the tables; a stopped run goes on.
        ruleset: of any game.
        seed: of the deals and the agents' random choices.
        workers: processes; None: every core. The games do not depend on it.
        begin: called with the number of games; returns a function to call with the number just
            finished.

    Returns:
        The results of all tables.

    Raises:
        AgentError: an unknown agent.
        ChannelTunnelError: an unknown ruleset, or a folder of another run.
    """
    alone = len(agents) == 1
    tables = len(list_seatings(load_ruleset(ruleset), len(agents), alone))
    tournament = Tournament(agents, -(-games // max(1, tables)), seed, ruleset, mirror=alone, decisions=True)
    progress = begin(tournament.total_games) if begin else None
    return play_tournament(tournament, progress, workers, out)


@dataclass(frozen=True)
class Episode:
    """One game from one seat: only its own decisions, and the last observation after the end.

    Attributes:
        seed: of the game.
        observations: float32 (n + 1, D).
        actions: int64 (n,).
        masks: int8 (n + 1, A); the last one, after the end, has no meaning.
        reward: of the last step, as the environment pays the seat: 1, 0 or -1 between two; the other steps have 0.
        seat: its number.
        player: who had the seat: its number among the agents of `generate`.
    """

    seed: int
    observations: NDArray[np.float32]
    actions: NDArray[np.int64]
    masks: NDArray[np.int8]
    reward: float
    seat: int
    player: int = 0


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
            seat,
        )
        for row in range(len(records))
        if did[row]
    ]


def read_episodes(folder: Path, seat: int, ruleset: Ruleset) -> Iterator[Episode]:
    """The episodes of all records in a folder that `generate` wrote.

    Args:
        folder: its place.
        seat: the seat's number, 0 .. S - 1.
        ruleset: the one that was played.

    Yields:
        One episode per game in which the seat decided.

    Raises:
        RecordError: a damaged record.
    """
    for path in sorted((folder / "records").glob("*.jsonl")):
        player = int(path.stem.split("-")[seat])  # its table, then the number of its first deal
        records: Iterator[dict[str, Any]] = iter(read_records(path))
        while chunk := [*islice(records, EPISODES_AT_ONCE)]:
            for episode in episodes(chunk, ruleset, seat):
                yield replace(episode, player=player)


def need_minari() -> Any:
    """The module `minari`; an AgentError if it is not installed."""
    try:
        import minari
    except ImportError as error:
        raise AgentError(f"Minari is needed: pip install 'channel-tunnel-env[data]' ({error})") from None
    return minari


def check_minari(dataset_id: str, side: str, ruleset: AnyRuleset = "standard") -> None:
    """Check that a data set of a seat of a ruleset, or of all of them, can be written.

    Args:
        dataset_id: such as channel-tunnel/britain-v0.
        side: a seat's name, or "all".
        ruleset: the one that is played.

    Raises:
        AgentError: Minari is not installed, the side is unknown, the name is none for Minari, or the data set exists.
    """
    minari = need_minari()
    _seats_of_side(side, load_ruleset(ruleset))
    try:
        minari.dataset.minari_dataset.parse_dataset_id(dataset_id)
    except (TypeError, ValueError):  # TypeError: without a version
        raise AgentError(
            f"{dataset_id!r}: not a name for Minari; expected NAME-vNUMBER or SPACE/NAME-vNUMBER, such as "
            "channel-tunnel/britain-v0"
        ) from None
    place = minari.storage.get_dataset_path(dataset_id)
    if place.exists():
        raise AgentError(f"{dataset_id}: this Minari data set exists; choose another name or delete it ({place})")


def _seats_of_side(side: str, ruleset: Ruleset) -> list[int]:
    seats = ruleset.seats
    if side == ALL:
        return [*range(len(seats))]
    if side not in seats:
        raise AgentError(f"side {side!r}: expected {', '.join(seats)} or {ALL}")
    return [seats.index(side)]


def export_minari(folder: Path, dataset_id: str, side: str, ruleset: AnyRuleset = "standard") -> int:
    """Write the episodes of one seat of a folder's games, or of all, as a local Minari data set.

    Observations are the vectors of `docs/reference/GAME/observation.md`; infos hold the `action_mask` of each, the number
    of the `seat`, and that of the `player` in it among the folder's agents. Minari keeps it below MINARI_DATASETS_PATH.

    Args:
        folder: as `generate` wrote it.
        dataset_id: such as channel-tunnel/britain-v0.
        side: a seat's name, or "all".
        ruleset: the one that was played.

    Returns:
        The number of episodes.

    Raises:
        AgentError: as `check_minari`, or the folder has no records.
    """
    check_minari(dataset_id, side, ruleset)
    import minari

    rules = load_ruleset(ruleset)
    found = (episode for seat in _seats_of_side(side, rules) for episode in read_episodes(folder, seat, rules))
    count, dataset = 0, None
    place = minari.storage.get_dataset_path(dataset_id)
    try:
        while buffers := _buffers(islice(found, EPISODES_AT_ONCE), count):
            if dataset is None:
                dataset = _create(dataset_id, buffers, folder, side, rules)
            else:
                dataset.update_dataset_from_buffer(buffers)
            count += len(buffers)
        if count:
            _compress(place / "data" / MAIN_FILE)
    except BaseException:  # a partial data set would block the next attempt
        shutil.rmtree(place, ignore_errors=True)
        raise
    if not count:
        raise AgentError(f"{folder}: no records; write some with channel-tunnel generate --out {folder}")
    return count


def _buffers(some: Iterable[Episode], first: int) -> list[Any]:
    """Episodes as Minari takes them, numbered from `first`."""
    from minari.data_collector import EpisodeBuffer

    made = []
    for number, episode in enumerate(some, first):
        earlier = len(episode.actions) - 1
        made.append(
            EpisodeBuffer(
                id=number,
                seed=episode.seed,
                observations=episode.observations,
                actions=episode.actions,
                rewards=[0.0] * earlier + [episode.reward],
                # Every end is a termination: a stopped game is scored too.
                terminations=[False] * earlier + [True],
                truncations=[False] * (earlier + 1),
                infos={
                    "action_mask": episode.masks,
                    "seat": np.full(len(episode.masks), episode.seat, np.int8),
                    "player": np.full(len(episode.masks), episode.player, np.int8),
                },
            )
        )
    return made


def _create(dataset_id: str, buffers: list[Any], folder: Path, side: str, ruleset: Ruleset) -> Any:
    """A Minari data set with its first episodes."""
    import gymnasium
    import minari

    first = ruleset.seats[0]
    # By an entry, which can be written down: from the spec that is kept, Minari makes the environment again.
    env = gymnasium.make(ANY_RULESET, ruleset=ruleset_entry(ruleset), side=first if side == ALL else side)
    seen = "every side sees" if side == ALL else f"{side} sees"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about links, which the user may add
        return minari.create_dataset_from_buffers(
            dataset_id,
            buffers,
            env=env,
            algorithm_name=", ".join(agents_of_games(folder)),
            author="channel_tunnel_env maintainers",
            requirements=[f"channel-tunnel-env=={__version__}"],
            description=f"{agents_of(ruleset.spec.name).title} as {seen} it. Licence: {LICENCE}",
        )


def agents_of_games(folder: Path) -> dict[str, str | None]:
    """The agents that played a folder's games in order, with a digest of the files of each policy."""
    policies: dict[str, str | None] = read_json(folder / PLAN)["policies"]
    return policies


def _compress(path: Path) -> None:
    """Rewrite an HDF5 file with its arrays compressed, which is invisible to its readers."""
    import h5py

    small = path.with_suffix(".small")
    with h5py.File(path) as old, h5py.File(small, "w", track_order=True) as new:
        _copy_compressed(old, new)
    small.replace(path)


def _copy_compressed(old: Any, new: Any) -> None:
    for key, value in old.attrs.items():
        new.attrs[key] = value
    for name, item in old.items():
        if hasattr(item, "items"):  # a group of them
            _copy_compressed(item, new.create_group(name, track_order=True))
        else:
            made = new.create_dataset(name, data=item[()], compression=COMPRESSION, shuffle=True)
            for key, value in item.attrs.items():
                made.attrs[key] = value
