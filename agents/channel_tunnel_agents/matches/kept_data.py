"""A local Minari data set, looked at before Minari reads it.

Minari makes room for as many episodes and numbers as the files say, and where they do not say what an environment's
spaces are, it makes the environment that they name, from any module.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.dataset import MAIN_FILE
from channel_tunnel_env.outside.documents import need_mapping, quote, read_json
from channel_tunnel_env.outside.files import open_file

METADATA = "metadata.json"
MOST_NUMBERS = 100_000  # of an observation, or of actions
MOST_TIMES = 1_032  # as large as its file a content may be: deflate makes nothing smaller than that
SPACES = {"observation_space": "Box", "action_space": "Discrete"}


@contextmanager
def reading(dataset_id: str) -> Iterator[None]:
    """Context in which a data set is read: every error is one line that names it.

    Raises:
        AgentError: it cannot be read.
    """
    try:
        yield
    except AgentError:
        raise
    except Exception as error:  # Minari and HDF5 raise anything for a broken file
        why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise AgentError(f"{dataset_id}: not a data set that can be read: {why}") from None


def load_dataset(dataset_id: str) -> Any:
    """A local Minari data set.

    Raises:
        AgentError: Minari is not installed, or there is no such data set that can be read.
    """
    try:
        import minari
    except ImportError as error:
        raise AgentError(f"Minari is needed: pip install 'channel-tunnel-env[data]' ({error})") from None
    with reading(dataset_id):
        place = minari.storage.get_dataset_path(dataset_id)
        if not place.is_dir():
            raise AgentError(f"{dataset_id}: no such Minari data set; expected in {place}")
        _check_files(dataset_id, place / "data")
        return minari.load_dataset(dataset_id)


def _check_files(dataset_id: str, data: Path) -> None:
    """Refuse files that say more than they hold.

    Raises:
        ValueError, OSError: which, and what.
    """
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
            found += _count_steps(arrays, f"episode_{number}")
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


def _count_steps(arrays: dict[str, Any], name: str) -> int:
    """The steps of an episode."""
    rewards = arrays.get(f"{name}/rewards")
    if rewards is None or rewards.ndim != 1:
        raise ValueError(f"{name}: no rewards")
    return len(rewards)


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
