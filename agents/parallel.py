"""Work spread over processes, with the same results whatever their number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def available_workers() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    work: Callable[[T], R], tasks: Iterable[T], workers: int | None = None
) -> Iterator[tuple[T, R]]:
    """Tasks with their results, as they finish; with one worker in this process and in order.

    A task must say everything its result depends on, seeds included: who computes it and when changes
    nothing.

    Args:
        work: a function of a module, for other processes must find it.
        tasks: to do; can be pickled.
        workers: processes; None: as many as there are cores.

    Raises:
        ValueError: fewer than one worker.
        Whatever `work` raises; tasks that have not begun are dropped.
    """
    todo = list(tasks)
    count = min(available_workers() if workers is None else workers, len(todo))
    if workers is not None and workers < 1:
        raise ValueError(f"workers {workers}: 1 or more is needed")
    if count <= 1:
        for task in todo:
            yield task, work(task)
        return
    # spawn, for a process that uses threads (torch, numba) must not be forked.
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=_one_thread) as pool:
        running: dict[Future[Any], T] = {pool.submit(work, task): task for task in todo}
        try:
            while running:
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _one_thread() -> None:
    """Each worker has one core."""
    import torch

    torch.set_num_threads(1)
