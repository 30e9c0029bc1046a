"""The card of a Minari data set: who played, under which licence, how much it is, and how it is made again.

The digest is of what the data set says when it is read, episode by episode, and not of its files, which hold times and
versions of libraries.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.dataset import LICENCE, MAIN_FILE, agents_of_games, need_minari
from channel_tunnel_agents.matches.store import PLAN
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_env import Ruleset, __version__
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.outside.documents import LINE, StrictModel, describe_errors, need_mapping, quote, read_json
from channel_tunnel_env.outside.files import open_file, read_lines, write_whole

CARD = "data-card.json"  # in the folder of the games
Whole = Annotated[int, Field(ge=1)]
Hex = Annotated[str, Field(pattern="^[0-9a-f]+$")]
ARRAYS = (
    (("observations",), "<f4"),
    (("actions",), "<i8"),
    (("rewards",), "<f8"),
    (("infos", "action_mask"), "i1"),
    (("infos", "seat"), "i1"),
    (("infos", "player"), "i1"),
)
"""What the digest is of, in this order, as which bytes."""


class DataCardError(ChannelTunnelError, ValueError):
    """A file that is not a data card, or a data set that is not the one of a card."""


class DataCard(StrictModel):
    """What a Minari data set is.

    Attributes:
        dataset: its id.
        agents: who played, in the order of the infos' `player`; with a digest of the files of each policy.
        seats: whose episodes there are, in the order of the infos' `seat`.
        games, episodes, steps: how many. An episode is one seat's part of a game, a step one of its decisions.
        seed: of the deals and of the agents' luck.
        bytes: of the file.
        sha256: of the content, see `content_digest`.
        command: that makes it.
    """

    data_card: Literal[1]
    dataset: str
    title: str
    licence: str
    game: str
    ruleset: str
    ruleset_digest: Hex
    agents: dict[str, Hex | None]
    seats: list[str]
    games: Whole
    episodes: Whole
    steps: Whole
    observation_version: Whole
    observation_size: Whole
    action_version: Whole
    num_actions: Whole
    seed: int
    bytes: Whole
    sha256: Hex
    command: str
    package: str


def content_digest(dataset: Any) -> str:
    """SHA-256 of a Minari data set's episodes in order: their seeds and their arrays."""
    digest = hashlib.sha256()
    with reading(dataset.spec.dataset_id):
        known = dataset.storage.get_episode_metadata(dataset.episode_indices)
        for each, episode in zip(known, dataset.iterate_episodes(), strict=True):
            digest.update(np.array([int(each["seed"])], "<i8").tobytes())
            for path, form in ARRAYS:
                array: Any = episode
                for key in path:
                    array = array[key] if isinstance(array, dict) else getattr(array, key)
                digest.update(np.ascontiguousarray(array, form).tobytes())
    return digest.hexdigest()


def make_data_card(dataset_id: str, folder: Path, ruleset: Ruleset, seats: list[str], command: str) -> DataCard:
    """The card of a local data set, written from the games of a folder by `command`, with the episodes of `seats`."""
    from minari.storage import get_dataset_path

    dataset, spec = load_dataset(dataset_id), ruleset.spec
    form, plan = FORMS[spec.name], read_json(folder / PLAN)
    episodes = int(dataset.total_episodes)
    return DataCard(
        data_card=1,
        dataset=dataset_id,
        title=f"{agents_of(spec.name).title}: what {', '.join(seats)} saw and did",
        licence=LICENCE,
        game=spec.name,
        ruleset=ruleset.name,
        ruleset_digest=ruleset.digest,
        agents=agents_of_games(folder),
        seats=seats,
        games=sum(1 for path in (folder / "records").glob("*.jsonl") for _ in read_lines(path, LINE.size)),
        episodes=episodes,
        steps=int(dataset.total_steps),
        observation_version=form.observation_version,
        observation_size=spec.observation.size(ruleset),
        action_version=form.action_version,
        num_actions=spec.actions.count,
        seed=int(plan["seed"]),
        bytes=(get_dataset_path(dataset_id) / "data" / MAIN_FILE).stat().st_size,
        sha256=content_digest(dataset),
        command=command,
        package=__version__,
    )


def write_data_card(card: DataCard, path: Path) -> None:
    """Write a card."""
    write_whole(path, (card.model_dump_json(indent=1) + "\n").encode())


def read_data_card(path: Path) -> DataCard:
    """A card from its file.

    Raises:
        DocumentError: not JSON.
        DataCardError: not a data card; one line for all that is wrong.
    """
    try:
        return DataCard.model_validate(read_json(path))
    except ValidationError as error:
        lines = describe_errors(error, lambda item: f"{'.'.join(map(str, item['loc']))}: {item['msg']}")
        raise DataCardError(f"{path}: not a data card: {'; '.join(lines)}") from None


def check_data(card: DataCard) -> None:
    """Check that the local data set is that of a card.

    Raises:
        AgentError: it does not exist.
        DataCardError: it is another one.
    """
    dataset = load_dataset(card.dataset)
    found = content_digest(dataset)
    if found != card.sha256:
        raise DataCardError(
            f"{card.dataset}: content {found[:16]}..., its card says {card.sha256[:16]}...: {int(dataset.total_steps):,} steps, "
            f"{card.steps:,} on the card"
        )


# --- a data set on this machine, looked at before Minari reads it ---------------------------------
# Minari makes room for as many episodes and numbers as the files say, and where they do not say what an environment's spaces
# are, it makes the environment that they name, from any module.


METADATA = "metadata.json"
MOST_NUMBERS = 100_000  # of an observation, or of actions
MOST_TIMES = 1_032  # as large as its file a content may be: deflate makes nothing smaller than that
SPACES = {"observation_space": "Box", "action_space": "Discrete"}


@contextmanager
def reading(dataset_id: str) -> Iterator[None]:
    """Context in which a data set is read: every error is an AgentError, one line that names it."""
    try:
        yield
    except AgentError:
        raise
    except Exception as error:  # Minari and HDF5 raise anything for a broken file
        why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise AgentError(f"{dataset_id}: not a data set that can be read: {why}") from None


def load_dataset(dataset_id: str) -> Any:
    """A local Minari data set; an AgentError if Minari is not installed, or there is none that can be read."""
    minari = need_minari()
    with reading(dataset_id):
        place = minari.storage.get_dataset_path(dataset_id)
        if not place.is_dir():
            raise AgentError(f"{dataset_id}: no such Minari data set; expected in {place}")
        _check_files(dataset_id, place / "data")
        return minari.load_dataset(dataset_id)


def _check_files(dataset_id: str, data: Path) -> None:
    """Refuse, with a ValueError or OSError, files that say more than they hold."""
    import h5py

    told = need_mapping(read_json(data / METADATA), METADATA)
    for key, kind in SPACES.items():
        _check_space(told.get(key), key, kind)
    for key, wanted in (("dataset_id", dataset_id), ("data_format", "hdf5")):
        if told.get(key) != wanted:
            raise ValueError(f"{key} {quote(told.get(key))}: {wanted} is expected")
    episodes, steps = told.get("total_episodes"), told.get("total_steps")
    with open_file(data / MAIN_FILE) as whole:
        room = os.fstat(whole.fileno()).st_size * MOST_TIMES
    with h5py.File(data / MAIN_FILE) as file:
        if type(episodes) is not int or not 1 <= episodes == len(file):
            raise ValueError(f"total_episodes {quote(episodes)}: there are {len(file):,}")
        found = 0
        for number in range(episodes):
            arrays = dict(_arrays(file, f"episode_{number}"))
            room -= sum(math.prod(a.shape) * a.dtype.itemsize for a in arrays.values())
            if room < 0:
                raise ValueError(f"episode_{number} is larger than its file can hold")
            rewards = arrays.get(f"episode_{number}/rewards")
            if rewards is None or rewards.ndim != 1:
                raise ValueError(f"episode_{number}: no rewards")
            found += len(rewards)
    if type(steps) is not int or steps != found:
        raise ValueError(f"total_steps {quote(steps)}: there are {found:,}")


def _check_space(text: Any, key: str, kind: str) -> None:
    """Refuse a space of another kind, or one too large to be made."""
    space = json.loads(text) if isinstance(text, str) else None
    if not isinstance(space, dict) or space.get("type") != kind:
        raise ValueError(f"{key} {quote(text)}: a {kind} is expected")
    sizes = space.get("shape") if kind == "Box" else [space.get("n")]
    if not isinstance(sizes, list) or len(sizes) != 1:
        raise ValueError(f"{key}: shape {quote(sizes)}: one number is expected")
    if type(sizes[0]) is not int or not 1 <= sizes[0] <= MOST_NUMBERS:
        raise ValueError(f"{key} of {quote(sizes[0])}: allowed: 1 to {MOST_NUMBERS:,}")


def _arrays(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The arrays of numbers below a place, by their paths."""
    import h5py

    link = group.get(name.rpartition("/")[2], getlink=True)
    if not isinstance(link, h5py.HardLink):
        raise ValueError(f"{name}: missing, or a link to elsewhere")
    found = group[name.rpartition("/")[2]]
    if isinstance(found, h5py.Group):
        for inner in found:
            yield from _arrays(found, f"{name}/{inner}")
    elif found.dtype.kind not in "biuf" or found.external or found.is_virtual:
        raise ValueError(f"{name}: no numbers of this file")
    else:
        yield name, found
