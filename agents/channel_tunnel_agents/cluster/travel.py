"""The files a task needs from this machine's disk to run on another machine.

Rulesets are sent inside the tasks, as values. Policies are named by folder in an agent's name
(`ppo:runs/demo`, `frozen:onnx:mine!ban=finance`), so their files are sent with the task and are
found under the old name on arrival.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_agents.names import policy_place
from channel_tunnel_agents.players.policy import card
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.files import KEPT_BYTES, read_whole, write_whole

Files = dict[str, bytes]
"""Content by file name."""


def places_in(task: Any) -> set[str]:
    """Folders and files of the policies named anywhere in a task."""
    return {place for word in _words(task) if (place := policy_place(word)) is not None}


def _words(value: Any) -> Iterator[str]:
    """Every string in dataclasses, tuples, lists and dicts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Ruleset):
        return
    elif is_dataclass(value):
        for item in fields(value):
            yield from _words(getattr(value, item.name))
    elif isinstance(value, Mapping):
        yield from _words(list(value.items()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _words(item)


def pack(place: str) -> Files:
    """The files of a policy: a folder's, or a single file.

    Raises:
        VersionError: not a folder with policies or a policy file.
        DocumentError, OSError: as `read_whole`.
    """
    path = Path(place)
    kinds = ("safetensors", "onnx") if path.is_dir() else (path.suffix.removeprefix("."),)
    files = [file for kind in kinds for file in card.policy_paths(path, kind).values()]
    return {file.name: read_whole(file, KEPT_BYTES) for file in files if file.exists()}


def unpack(parcels: Mapping[str, Files]) -> None:
    """Map each path to the files that were sent for it."""
    card.MOVED.clear()
    for place, files in parcels.items():
        folder = _keep(files)
        single = len(files) == 1 and Path(place).name in files
        card.MOVED[Path(place)] = folder / Path(place).name if single else folder


def _keep(files: Files) -> Path:
    """Write the files, once, into a folder of this process."""
    content = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    folder = _own_folder() / content
    if not folder.exists():
        folder.mkdir()
        for name, data in files.items():
            write_whole(folder / name, data)
    return folder


@cache
def _own_folder() -> Path:
    """A folder of this process only; a worker may be killed at any time, so what it leaves is
    small."""
    return Path(tempfile.mkdtemp(prefix="channel_tunnel-policies-"))
