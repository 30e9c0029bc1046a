"""Work over threads: whoever is interrupted waits for no chunk that is not begun, and leaves no thread in its arrays."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from channel_tunnel_env import testing
from channel_tunnel_env.core.checking import CheckedGames
from channel_tunnel_env.core.threads import run_all, spread_over_threads
from channel_tunnel_env.testing import rulesets

PATIENCE = 10.0  # seconds; a hang, not a slow machine


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_ends_a_check_of_many_games_while_its_chunks_are_played(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what is handed out nor what is begun is waited for."""
    may_end, numbers, played = threading.Event(), itertools.count(1), []

    def play(rules: Any, games: int, seed: Any) -> Any:
        if games == 1:  # compiles
            return None
        number = next(numbers)
        played.append(number)
        if number == threads + 1:  # all threads have been started
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        if number > threads and not may_end.wait(PATIENCE):
            may_end.set()
        return CheckedGames(games, 0, 0, 0, 0, {}, {})

    monkeypatch.setattr(rulesets, "checker_of", lambda spec: play)
    try:
        with pytest.raises(KeyboardInterrupt):
            testing.check_ruleset(games=1_000_000, num_threads=threads)
        assert not may_end.is_set() and threads < len(played) <= 2 * threads
    finally:
        may_end.set()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_tasks(threads: int) -> None:
    assert [*spread_over_threads(lambda n: n * n, range(40), threads)] == [n * n for n in range(40)]


def test_a_few_tasks_are_handed_out_ahead_of_what_is_read() -> None:
    taken = []

    def tasks() -> Any:
        for number in range(10_000):
            taken.append(number)
            yield number

    found = spread_over_threads(str, tasks(), 2)
    assert [next(found), next(found)] == ["0", "1"]
    assert len(taken) < 10
    found.close()


def test_what_a_task_raises_comes_out_where_its_result_would() -> None:
    found = spread_over_threads(lambda n: 6 // n, [3, 2, 0, 1], 2)
    assert [next(found), next(found)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_threads_that_were_left_end_when_their_task_does() -> None:
    may_end, begun = threading.Event(), []

    def work(number: int) -> None:
        begun.append(threading.current_thread())
        assert number or may_end.wait(PATIENCE)

    found = spread_over_threads(work, [1, 0, 0, 0, 0], 2)
    assert next(found) is None
    found.close()
    may_end.set()
    for thread in begun:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in begun) and len(begun) < 5


def test_when_a_part_fails_none_runs_any_more() -> None:
    """They write to arrays of whoever called."""
    begun, ended = [], []
    other, may_end = threading.Event(), threading.Event()

    def work(part: int) -> None:
        begun.append(part)
        if part == 0:
            other.wait(PATIENCE)
            threading.Timer(0.05, may_end.set).start()
            raise ZeroDivisionError
        other.set()
        may_end.wait(PATIENCE)
        ended.append(part)

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(ZeroDivisionError):
            run_all(pool, work, range(100))
        assert may_end.is_set() and sorted(begun) == sorted([0, *ended])
        at_return = len(begun)
    assert len(begun) == at_return
