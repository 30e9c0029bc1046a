"""Work spread over processes or a cluster, with the same results whatever their number.

Everything of the package that can use many cores calls `spread`. Where the work runs is chosen once,
around it: on this machine's cores, or within `with spread_on(engine):` on that engine's (see
`ray_parallel`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """Cores that are not this process's."""

    @property
    def cores(self) -> int:
        """Tasks that it can work on at once."""

    def spread(self, work: Callable[[T], R], tasks: list[T], workers: int) -> Iterator[tuple[T, R]]:
        """As the function of this name, with at most `workers` tasks at once."""


_ENGINE: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def spread_on(engine: Engine | None) -> Iterator[None]:
    """Within, work is spread over the engine's cores; None: over this machine's."""
    token = _ENGINE.set(engine)
    try:
        yield
    finally:
        _ENGINE.reset(token)


def is_elsewhere() -> bool:
    """Whether tasks may run on machines that do not see this one's files."""
    return _ENGINE.get() is not None


def available_workers() -> int:
    """Cores that tasks may use: the engine's, or those of this machine that this process may use."""
    engine = _ENGINE.get()
    if engine is not None:
        return engine.cores
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_workers(little: bool) -> int:
    """Workers where no number is given: every core, but this process alone for `little` work.

    Starting other processes takes some seconds; those of a cluster have started already.
    """
    return 1 if little and not is_elsewhere() else available_workers()


def spread(
    work: Callable[[T], R], tasks: Iterable[T], workers: int | None = None
) -> Iterator[tuple[T, R]]:
    """Tasks with their results, as they finish; with one worker in this process and in order.

    A task must say everything its result depends on, seeds included: who computes it and when changes
    nothing, and a task whose worker was lost can be done again.

    Args:
        work: a function of a module, for other processes must find it.
        tasks: to do; can be pickled.
        workers: processes; None: as many as there are cores.

    Raises:
        ValueError: fewer than one worker.
        Whatever `work` raises; tasks that have not begun are dropped.
    """
    todo = list(tasks)
    if workers is not None and workers < 1:
        raise ValueError(f"workers {workers}: 1 or more is needed")
    count = min(available_workers() if workers is None else workers, len(todo))
    engine = _ENGINE.get()
    if engine is not None:
        yield from engine.spread(work, todo, count)
    elif count <= 1:
        for task in todo:
            yield task, work(task)
    else:
        yield from _spread_over_processes(work, todo, count)


def _spread_over_processes(
    work: Callable[[T], R], todo: list[T], count: int
) -> Iterator[tuple[T, R]]:
    # spawn, for a process that uses threads (torch, numba) must not be forked.
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=one_thread) as pool:
        running: dict[Future[Any], T] = {pool.submit(work, task): task for task in todo}
        try:
            while running:
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def one_thread() -> None:
    """Each worker has one core."""
    import torch

    torch.set_num_threads(1)
