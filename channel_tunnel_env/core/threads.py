"""Work over threads that can be interrupted: `with ThreadPoolExecutor` waits for all that was handed out.

Compiled loops release the GIL and cannot be stopped. So nothing more is begun, and what runs is either left to end
unseen (`spread_over_threads`) or waited for, if it writes to the caller's arrays (`run_all`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
PAUSE = 0.2
"""Seconds of a wait: Python overlooks a signal that comes as a wait begins, and on Windows until it ends."""
AHEAD = 2  # tasks of a thread that are handed out before their results are read


def spread_over_threads(work: Callable[[T], R], tasks: Iterable[T], threads: int) -> Iterator[R]:
    """Yield the results in the order of the tasks; a caller that leaves does not wait.

    Tasks are taken a few ahead, so there may be any number of them. What runs when the reader leaves, as by Ctrl-C,
    ends unseen, or with the process.

    Args:
        threads: 1 or more.

    Raises:
        Exception: what `work` raises, in its task's place.
    """
    waiting, ahead = iter(tasks), deque[Future[R]]()
    line: SimpleQueue[tuple[Future[R], T] | None] = SimpleQueue()  # None ends a thread
    started = 0

    def serve() -> None:
        while (next_one := line.get()) is not None:
            answer, task = next_one
            if answer.set_running_or_notify_cancel():  # False: the reader left before
                try:
                    answer.set_result(work(task))
                except BaseException as error:  # of any kind: the reader waits for an answer
                    answer.set_exception(error)

    try:
        while True:
            for task in islice(waiting, AHEAD * threads - len(ahead)):
                ahead.append(Future())
                line.put((ahead[-1], task))
                if started < threads:  # no more threads than tasks
                    started += 1
                    # A daemon does not keep the process from ending.
                    Thread(target=serve, name=f"spread-{started}", daemon=True).start()
            if not ahead:
                return
            while not wait(islice(ahead, 1), PAUSE).done:
                pass
            yield ahead.popleft().result()
    finally:  # also when the reader leaves
        for answer in ahead:
            answer.cancel()
        for _ in range(started):
            line.put(None)  # each thread takes one and ends


def run_all(pool: Executor, work: Callable[[T], object], tasks: Iterable[T]) -> None:
    """Do tasks on a pool's threads; when this returns or raises, all of them have ended or will never start.

    Raises:
        Exception: what `work` raises.
    """
    begun = [pool.submit(work, task) for task in tasks]
    try:
        for task in begun:
            task.result()
    # Ctrl-C too: after this the caller's arrays must not be written to.
    except BaseException:
        for task in begun:
            task.cancel()
        wait(begun)  # what runs cannot be cancelled
        raise
