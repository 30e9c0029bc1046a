"""Work spread over a Ray cluster; imported only when one is requested.

A task runs on any worker of the cluster, and its result comes back to this process, the only one to
record it. Ray reassigns a task whose worker or machine was lost; as a task contains everything its
result depends on, the result is the same and counts once.

Sent to the workers: this package's code (a copy earlier on a machine's path takes precedence),
rulesets, and the files of policies. Must be installed on every machine, in the same versions:
Python, Ray and `LIBRARIES`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import socket
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from channel_tunnel_agents.cluster.parallel import available_workers, one_thread
from channel_tunnel_agents.names import policy_place
from channel_tunnel_agents.players.policy import card
from channel_tunnel_env import ChannelTunnelError, Ruleset
from channel_tunnel_env.outside.files import KEPT_BYTES, add_file, read_whole, write_whole
from channel_tunnel_env.outside.foreign import foreign_code

T = TypeVar("T")
R = TypeVar("R")

LOCAL, AUTO = "local", "auto"
CLIENT = "ray://"
ADDRESSES = f"{LOCAL}, {AUTO}, HOST:PORT or {CLIENT}HOST:PORT"
PATIENCE = 5.0  # seconds for a machine to answer
RETRIES = 5  # of a task whose worker is lost; after that, the task itself is assumed to kill workers
QUEUED = 2  # tasks handed out per core, so that no core waits for this process
TESTED = (2, 60)
OLDEST = (2, 50)
LIBRARIES = ("numpy", "numba", "pandas", "torch", "onnxruntime")
PACKAGES = ("channel_tunnel_env", "channel_tunnel_agents")

# For a cluster on this machine: no usage statistics are sent, and its workers have the priority of
# this process, like those of --workers (Ray would give them a lower one).
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}


class ClusterError(ChannelTunnelError):
    """A Ray cluster that does not exist, does not answer, or is incompatible."""


def with_address(words: list[str]) -> list[str]:
    """The command line with "local" added to a `--ray` that has no value."""
    found = []
    for word, following in pairwise([*words, "--"]):
        found.append(word)
        if word == "--ray" and following.startswith("--"):
            found.append(LOCAL)
    return found


@contextmanager
def ray_cluster(
    address: str, warn: Callable[[str], object] = print, workers: int | None = None, asked: str = "--ray"
) -> Iterator[RayCluster]:
    """Join a cluster to spread work over; disconnect at the end.

    Args:
        address: "local" starts one on this machine, "auto" joins the one that this machine belongs to,
            HOST:PORT the one with that head, ray://HOST:PORT one that this machine is not part of.
        warn: called with one line about an untested version of Ray.
        workers: cores of a local cluster; None: all of this machine.
        asked: the option that requested Ray, named in the advice on doing without.

    Raises:
        ClusterError: Ray is missing or too old, or nothing answers at the address.
    """
    check_version(warn, asked)
    import ray

    joined = ray.is_initialized()  # started by the caller, who shuts it down
    if not joined:
        _connect(address, workers or available_workers())
    try:
        yield RayCluster()
    finally:
        if not joined:
            ray.shutdown()


def check_version(warn: Callable[[str], object], asked: str = "--ray") -> None:
    """Refuse a missing or too old Ray, with a ClusterError that says what to install; warn about an untested version."""
    wanted = ".".join(map(str, TESTED))
    install = "pip install 'channel-tunnel-env[ray]'"
    if find_spec("ray") is None:
        raise ClusterError(f"Ray is not installed: {install}; without {asked} the cores of this machine are used")
    found = importlib.metadata.version("ray")
    version = tuple(int(number) for number in re.findall(r"\d+", found)[:2])
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ClusterError(f"Ray {found}: {oldest} or newer is needed: {install}")
    if version != TESTED:
        warn(f"Ray {found} was not tested with this version; if it fails: 'ray[rllib]=={wanted}.*'")


def _connect(address: str, cores: int) -> None:
    """Start or join a cluster, or say why not, as `ray_cluster` does."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import ray

    _say_errors_on_stderr()
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        settings |= {"num_cpus": cores, "include_dashboard": False}
    else:
        _find(os.environ.get("RAY_ADDRESS", AUTO) if address == AUTO else address)
        settings["runtime_env"] = {"py_modules": _own_code(), "excludes": ["**/__pycache__"]}
    try:
        ray.init(address=address, **settings)
    except (OSError, RuntimeError, ValueError, SystemExit) as error:
        why = " ".join(str(error).split())[:300]
        raise ClusterError(
            f"Ray cluster {address}: {why or 'no answer'}; is it up, and of the same Ray and Python? (ray status)"
        ) from None


def _say_errors_on_stderr() -> None:
    """Keep Ray's words about its machines out of the results: it prints them on stdout, and has no setting for that."""
    from ray._private import worker

    ray_prints = getattr(worker, "print_to_stdstream", None)
    if ray_prints is None or hasattr(ray_prints, "__wrapped__"):
        return

    @wraps(ray_prints)
    def printed(data: dict[str, Any], *more: Any, **options: Any) -> None:
        ray_prints(data | {"is_err": True}, *more, **options)

    worker.print_to_stdstream = printed


def _find(address: str) -> None:
    """Check that a Ray server listens there, or raise a ClusterError; Ray itself takes minutes to find that none does."""
    if address == AUTO:
        return
    host, _, port = address.removeprefix(CLIENT).rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ClusterError(f"--ray {address}: expected {ADDRESSES}")
    try:
        with socket.create_connection((host, int(port)), PATIENCE):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise ClusterError(
            f"Ray cluster {address}: {why}; start one there with `ray start --head --port {port}`, or use --ray {LOCAL}"
        ) from None
    if not _answers(f"{host}:{port}"):
        raise ClusterError(
            f"Ray cluster {address}: what listens there is not Ray; its head's port is 6379 unless given, a "
            f"{CLIENT} server's 10001"
        )


def _answers(target: str) -> bool:
    """Whether the server answers in gRPC, as Ray's do."""
    import grpc

    ready = threading.Event()
    with grpc.insecure_channel(target) as channel:
        channel.subscribe(
            lambda state: ready.set() if state is grpc.ChannelConnectivity.READY else None, try_to_connect=True
        )
        return ready.wait(PATIENCE)


def _own_code() -> list[str]:
    """Folders of the package's code."""
    found = (find_spec(name) for name in PACKAGES)
    return [str(Path(spec.origin).parent) for spec in found if spec and spec.origin]


class RayCluster:
    """The cluster that this process has joined, as an engine of `parallel`."""

    @property
    def cores(self) -> int:
        """Cores of all its machines at the moment."""
        import ray

        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def spread(self, work: Callable[[T], R], tasks: list[T], workers: int) -> Iterator[tuple[T, R]]:
        """Like `parallel.spread`.

        Raises:
            ClusterError: a machine with other versions, or a task that lost its worker repeatedly.
            Exception: what `work` raises.
        """
        import ray

        sender = _Sender(work)
        waiting, running = deque(tasks), dict[Any, T]()
        # Ray itself ensures that no more tasks run at once than there are cores.
        ahead = workers if workers < self.cores else QUEUED * workers
        try:
            while waiting or running:
                while waiting and len(running) < ahead:
                    task = waiting.popleft()
                    running[sender.send(task)] = task
                (done,), _ = ray.wait(list(running), num_returns=1)
                yield running.pop(done), _result(done)
        finally:
            for left in running:
                ray.cancel(left, force=True)


class _Sender:
    """Submits tasks; data that several of them need is sent once."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        import ray

        self._put = ray.put
        self._work = work
        self._versions = versions()
        self._parcels: dict[str, Any] = {}
        self._call = ray.remote(max_retries=RETRIES, num_cpus=1)(do_task)

    def send(self, task: Any) -> Any:
        """A reference to the task's result."""
        places = sorted(places_in(task))
        for place in places:
            if place not in self._parcels:
                self._parcels[place] = self._put(pack(place))
        parcels = [self._parcels[place] for place in places]
        return self._call.remote(self._work, task, self._versions, places, *parcels)


def do_task(work: Callable[[Any], Any], task: Any, expected: dict[str, str], places: list[str], *parcels: Files) -> Any:
    """Run one task on a worker; a ClusterError if this machine has other versions than the caller's."""
    found = versions()
    if found != expected:
        differing = [
            f"{name} {found[name]} there and {expected[name]} here"
            for name in expected
            if found[name] != expected[name]
        ]
        raise ClusterError(
            f"machine {socket.gethostname()}: {', '.join(differing)}; install the same versions, or the "
            "results may differ"
        )
    one_thread()
    unpack(dict(zip(places, parcels, strict=True)))
    with foreign_code(interrupts=True):
        return work(task)


@cache
def versions() -> dict[str, str]:
    """What results depend on: library versions, and a digest of this package's code."""
    found = {"channel_tunnel_env's code": code_digest([Path(folder) for folder in _own_code()])}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "none"
    return found


def code_digest(folders: Iterable[Path]) -> str:
    """12 hex digits of the Python files and rulesets in some folders, independent of where they lie."""
    content = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".yaml"):
                content.update(f"{path.relative_to(folder.parent)}\0".encode())
                add_file(content, path)
    return content.hexdigest()[:12]


def _result(reference: Any) -> Any:
    """The result of a finished task.

    Raises:
        ClusterError: its worker was lost too often.
        What the task raised, without Ray's wrapping.
    """
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(reference)
    except RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from None
        raise ClusterError(str(error).strip().splitlines()[-1]) from None  # it could not be sent
    except RayError as error:
        why = " ".join(str(error).split())[:300]
        raise ClusterError(
            f"a task lost its worker {RETRIES + 1} times ({why}); is there enough memory for one task per core?"
        ) from None


# --- the files that a task needs from the disk of this machine to run on another ------------------
# Rulesets are sent inside the tasks, as values. Policies are named by folder in an agent's name (`ppo:runs/demo`,
# `frozen:ppo:mine!ban=finance`), so their files are sent with the task and are found under the old name on arrival.


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
    files = card.policy_paths(Path(place)).values()
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
    """A folder of this process only; a worker may be killed at any time, so what it leaves is small."""
    return Path(tempfile.mkdtemp(prefix="channel_tunnel-policies-"))
