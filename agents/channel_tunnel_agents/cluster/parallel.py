"""Work spread over processes or a cluster; results do not depend on the number of workers.

Everything in the package that can use many cores calls `spread`. Where the work runs is chosen
once, by the caller: on this machine's cores, or within `with spread_on(engine):` on that engine's
(see `ray_parallel`).
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol, TypeVar, cast

from channel_tunnel_agents.base import AgentError
from channel_tunnel_env import ChannelTunnelError
from channel_tunnel_env.outside.foreign import foreign_code

T = TypeVar("T")
R = TypeVar("R")

PR_SET_PDEATHSIG = 1  # Linux's prctl option: the signal that a process gets when its parent ends


class WorkerError(ChannelTunnelError):
    """A worker process that ended before its work did."""


class Engine(Protocol):
    """A pool of cores outside this process."""

    @property
    def cores(self) -> int:
        """Number of tasks it can work on at once."""

    def spread(self, work: Callable[[T], R], tasks: list[T], workers: int) -> Iterator[tuple[T, R]]:
        """Like the function `spread`, with at most `workers` tasks at once."""


Worker = tuple[Connection, SpawnProcess]
"""Our end of a worker's pipe, and the worker."""
_ENGINE: ContextVar[Engine | None] = ContextVar("engine", default=None)
_KEPT: ContextVar[list[Worker] | None] = ContextVar("kept", default=None)
"""Processes that wait for the next work; None: none are kept."""


@contextmanager
def spread_on(engine: Engine | None) -> Iterator[None]:
    """Context in which work is spread over the engine's cores; None: over this machine's."""
    token = _ENGINE.set(engine)
    try:
        yield
    finally:
        _ENGINE.reset(token)


@contextmanager
def keep_processes() -> Iterator[None]:
    """Context in which the processes of one `spread` serve the next: to start them takes seconds."""
    kept: list[Worker] = []
    token = _KEPT.set(kept)
    try:
        yield
    finally:
        _KEPT.reset(token)
        _end(kept)


def available_workers() -> int:
    """Cores that tasks may use: the engine's, or those of this machine that this process may use."""
    engine = _ENGINE.get()
    if engine is not None:
        return engine.cores
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_workers(little: bool) -> int:
    """Default number of workers: every core, but only this process for `little` work.

    Starting other processes takes a few seconds; those of a cluster are already running.
    """
    return 1 if little and _ENGINE.get() is None else available_workers()


def check_workers(workers: int | None) -> None:
    """Refuse a number of processes below 1 with an AgentError, before other work is done."""
    if workers is not None and workers < 1:
        raise AgentError(f"workers {workers}: 1 or more is needed")


def spread(
    work: Callable[[T], R], tasks: Iterable[T], workers: int | None = None
) -> Generator[tuple[T, R], None, None]:
    """Yield tasks with their results as they finish; with one worker, in this process and in order.

    A task must contain everything its result depends on, seeds included. So its result does not
    depend on where or when it runs, and a task whose worker was lost can be repeated.

    Args:
        work: a module-level function, because other processes must import it.
        tasks: picklable.
        workers: processes; None: as many as there are cores.

    Raises:
        AgentError: fewer than one worker.
        WorkerError: a worker was killed from outside.
        Exception: what `work` raises; all other tasks are dropped.
    """
    todo = list(tasks)
    check_workers(workers)
    count = min(available_workers() if workers is None else workers, len(todo))
    engine = _ENGINE.get()
    if engine is not None:
        yield from engine.spread(work, todo, count)
    elif count <= 1:
        for task in todo:
            yield task, work(task)
    else:
        yield from _spread_over_processes(work, todo, count)


def spread_in_order(
    work: Callable[[T], R],
    tasks: Iterable[T],
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    games: Callable[[R], int] = lambda result: 1,
) -> list[R]:
    """`spread`, waited for: the results in the order of their tasks.

    Args:
        progress: called with the number of games just finished.
        games: how many a result stands for.
    """
    waiting = list(tasks)
    places = {id(task): place for place, task in enumerate(waiting)}
    results: dict[int, R] = {}
    for task, result in spread(work, waiting, workers):
        results[places[id(task)]] = result
        if progress is not None:
            progress(games(result))
    return [results[place] for place in range(len(waiting))]


def _spread_over_processes(work: Callable[[T], R], todo: list[T], count: int) -> Iterator[tuple[T, R]]:
    waiting = iter(todo)
    busy: dict[Connection, T] = {}

    def hand_out(pipe: Connection) -> None:
        for task in waiting:
            busy[pipe] = task
            with suppress(BrokenPipeError, ConnectionResetError):  # a dead worker: `_result` reports it
                pipe.send((work, task))
            return

    with _processes(count) as pipes:
        for pipe in pipes:
            hand_out(pipe)
        while busy:
            for pipe in cast("list[Connection]", wait_for(list(busy))):
                task, result = busy.pop(pipe), _result(pipe)
                hand_out(pipe)
                yield task, result


@contextmanager
def _processes(count: int) -> Iterator[list[Connection]]:
    """Pipes to processes that run `serve`; work still in progress at the end is discarded.

    Each process has its own pipe and shares nothing: a killed process leaves no lock and nothing to
    clean up.
    """
    kept = _KEPT.get()
    workers: list[Worker] = []
    idle = False
    try:
        if kept is not None:
            workers += kept[:count]
            del kept[:count]
        _start(workers, count)
        yield [pipe for pipe, _ in workers]
        idle = True  # all that was handed out has been answered
    finally:
        if idle and kept is not None:
            kept += workers
        else:
            _end(workers)


def _start(workers: list[Worker], count: int) -> None:
    """Start as many processes as are missing."""
    # spawn, because a process that uses threads (torch, numba) must not be forked.
    context = get_context("spawn")
    with _without_interrupts():  # inherited by the worker from its start
        while len(workers) < count:
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()  # so that our end closes with the process
            workers.append((ours, process))


def _end(workers: list[Worker]) -> None:
    """End processes, busy or not."""
    for pipe, process in workers:
        pipe.close()
        process.kill()
    for _, process in workers:
        process.join()


def _result(pipe: Connection) -> Any:
    """A worker's answer; raises what the task raised, or a WorkerError if the worker is gone."""
    try:
        result, error = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise WorkerError(
            "a worker process ended in the middle of its work: was it killed, or is there too little memory "
            "for that many (--workers)?"
        ) from None
    if error is not None:
        raise error
    return result


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Context that delays Ctrl-C; processes started in it never see one."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: `serve` ignores SIGINT, a little later
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection) -> None:
    """A worker's main loop: do tasks from the pipe until it closes; exit silently with the parent.

    Receives (work, task); sends (result, None) or (None, error).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    _die_with_parent()
    one_thread()
    with suppress(EOFError, OSError):  # the parent has closed the pipe
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))


def _answer(words: bytes) -> bytes:
    """The pickled answer to a pickled task."""
    try:
        work, task = pickle.loads(words)
        with foreign_code(interrupts=True):
            return pickle.dumps((work(task), None))
    except Exception as error:
        return pickle.dumps((None, _portable(error)))


def _portable(error: Exception) -> Exception:
    """An error that another process can unpickle, with the traceback as its note."""
    trace = f"In a worker process:\n{''.join(traceback.format_exception(error))}"
    error.add_note(trace)
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
        error.add_note(trace)
    return error


def _die_with_parent() -> None:
    """Make this process end when its parent does, for any reason."""
    if sys.platform == "linux":  # works even while no Python thread can run
        with suppress(OSError, AttributeError):  # no glibc: the watcher thread is enough
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait_for([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def one_thread() -> None:
    """Limit a worker to one thread: each has one core."""
    os.environ["OMP_NUM_THREADS"] = "1"  # of torch, if it is loaded later
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
