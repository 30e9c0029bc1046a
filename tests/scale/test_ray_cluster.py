"""A Ray cluster plays the same games as this machine, whoever is lost on the way."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.changing.sweep import Sweep, plan_sweep, play_sweep
from channel_tunnel_agents.cluster import ray_parallel
from channel_tunnel_agents.cluster.parallel import spread, spread_on
from channel_tunnel_agents.cluster.ray_parallel import ClusterError, RayCluster
from channel_tunnel_agents.matches.store import TABLES
from channel_tunnel_agents.matches.tournament import TablePart, Tournament, play_part, play_tournament

ray = pytest.importorskip("ray", reason="Ray is not installed; .ci/ray runs these tests")
pytestmark = pytest.mark.ray


@pytest.fixture(scope="module", autouse=True)
def functions_travel() -> None:
    """Workers do not have this module."""
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


def parts() -> list[TablePart]:
    tournament = Tournament(("random", "heuristic"), 12, ruleset="tiny")
    return [TablePart(tournament, (i, j), first, 4) for i in (0, 1) for j in (0, 1) for first in (0, 4, 8)]


def assert_same(one: dict[str, pd.DataFrame], other: dict[str, pd.DataFrame]) -> None:
    assert one.keys() == other.keys()
    for name, table in one.items():
        pd.testing.assert_frame_equal(table, other[name], check_exact=True)


def test_one_process_two_processes_and_a_cluster_write_the_same_tables(
    cluster: RayCluster, run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy and the ruleset are files that the workers cannot see from where they are."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("base: tiny\nname: mine\ntitle: Mine\n")
    shutil.copytree(run_folder, "policy")
    tournament = Tournament(("random", "ppo:policy", "ppo-sample:policy"), 40, ruleset="mine.yaml")
    one = play_tournament(tournament, workers=1)
    two = play_tournament(tournament, workers=2, folder=tmp_path / "two")
    games = []
    with spread_on(cluster):
        ours = play_tournament(tournament, games.append, folder=tmp_path / "cluster")
    assert sum(games) == tournament.total_games == 9 * 40
    tables = [{t: results.store.read(t) for t in TABLES} for results in (one, two, ours)]
    assert_same(tables[0], tables[1])
    assert_same(tables[0], tables[2])


def killed_once(task: tuple[Path, int, TablePart]) -> dict[str, pd.DataFrame]:
    folder, number, part = task
    (folder / f"{number}-{time.time_ns()}").touch()
    if number in (3, 7) and len(list(folder.glob(f"{number}-*"))) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return play_part(part)


def test_the_part_of_a_killed_worker_is_played_again_and_counted_once(cluster: RayCluster, tmp_path: Path) -> None:
    tasks = [(tmp_path, number, part) for number, part in enumerate(parts())]
    with spread_on(cluster):
        done = list(spread(killed_once, tasks))
    assert sorted(task[1] for task, _ in done) == list(range(len(tasks)))
    begun = [int(path.name.partition("-")[0]) for path in tmp_path.iterdir()]
    assert begun.count(3) >= 2
    assert begun.count(7) >= 2
    for task, tables in done:
        assert_same(tables, play_part(task[2]))


def slow_square(number: int) -> int:
    time.sleep(0.5)
    return number * number


def test_a_machine_that_is_lost_takes_no_result_with_it(nodes, cluster: RayCluster) -> None:
    third = nodes.add_node(num_cpus=2)
    found = []
    with spread_on(cluster):
        for number, square in spread(slow_square, range(16)):
            if not found:
                nodes.remove_node(third, allow_graceful=False)
            found.append((number, square))
    assert sorted(found) == [(n, n * n) for n in range(16)]
    nodes.wait_for_nodes()  # until Ray knows of the loss, it gives others' tasks to that machine


def always_killed(number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_task_that_kills_every_worker_ends_in_one_line(cluster, monkeypatch) -> None:
    monkeypatch.setattr(ray_parallel, "RETRIES", 1)
    with spread_on(cluster), pytest.raises(ClusterError, match=r"lost its worker 2 times") as told:
        list(spread(always_killed, [1]))
    assert "\n" not in str(told.value)


def unknown_agent(name: str) -> None:
    raise AgentError(f"agent {name!r}: known: random")


def test_an_error_of_a_task_arrives_as_it_was_raised(cluster: RayCluster) -> None:
    with spread_on(cluster), pytest.raises(AgentError, match=r"^agent 'rando': known: random$"):
        list(spread(unknown_agent, ["rando"]))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"numpy": "1.0"}, r"numpy .* there and 1\.0 here"),
        ({"channel_tunnel_env's code": "0123456789ab"}, r"code .* there and 0123456789ab"),
    ],
    ids=["libraries", "code"],
)
def test_a_machine_with_other_libraries_or_other_code_is_refused_by_name(cluster, monkeypatch, other, words) -> None:
    wanted = ray_parallel.versions() | other
    monkeypatch.setattr(ray_parallel, "versions", lambda: wanted)
    with spread_on(cluster), pytest.raises(ClusterError, match=words):
        list(spread(slow_square, [1]))


def test_a_sweep_plays_on_a_cluster_as_it_does_here(cluster: RayCluster, run_folder: Path, tmp_path: Path) -> None:
    sweep = Sweep(("limits.max_rounds=5,6",), "tiny", f"ppo:{run_folder}", 20)
    here = play_sweep(plan_sweep(sweep), tmp_path / "here", 1)
    with spread_on(cluster):
        there = play_sweep(plan_sweep(sweep), tmp_path / "there")
    pd.testing.assert_frame_equal(here.table, there.table, check_exact=True)
    for own, others in zip(here.games, there.games, strict=True):
        pd.testing.assert_frame_equal(own, others, check_exact=True)


ASK = """
import sys
from channel_tunnel_agents.cluster.parallel import spread, spread_on
from channel_tunnel_agents.cluster.ray_parallel import ray_cluster

def main():
    with ray_cluster(sys.argv[1]) as cluster, spread_on(cluster):
        ((_, found),) = spread(len, ["abc"])
        print(cluster.cores, found)

main()
"""


def test_a_cluster_that_is_joined_by_address_does_the_work(nodes) -> None:
    words = [sys.executable, "-c", ASK, nodes.address]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "3"]


TOLD = """
import contextlib, io, sys, time
from channel_tunnel_agents.cluster.ray_parallel import ray_cluster

def main():
    out, err = io.StringIO(), io.StringIO()
    with ray_cluster(sys.argv[1]), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        from ray._private.utils import publish_error_to_driver
        from ray._private.worker import global_worker

        for _ in range(100):  # what was said before Ray listened is lost
            publish_error_to_driver("node", "a machine is gone", global_worker.gcs_client)
            time.sleep(0.1)
            if out.getvalue() or err.getvalue():
                break
    print(repr(out.getvalue()), "a machine is gone" in err.getvalue())

main()
"""


def test_what_ray_says_of_its_machines_does_not_mix_with_the_results(nodes) -> None:
    words = [sys.executable, "-c", TOLD, nodes.address]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "'' True\n"


@pytest.mark.parametrize("address", ["nowhere", "host:port", "ismcts:1000x", "h:0", "ray://x"])
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(ClusterError, match=r"expected local, auto, HOST:PORT or ray://HOST:PORT"):
        ray_parallel._find(address)


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_nobody_at_the_address_is_said_within_seconds(scheme: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.monotonic()
    with pytest.raises(ClusterError, match="ray start --head"):
        ray_parallel._find(f"{scheme}127.0.0.1:{port}")
    assert time.monotonic() - begun < 10


def test_a_server_that_is_not_ray_is_said_within_seconds(monkeypatch) -> None:
    monkeypatch.setattr(ray_parallel, "PATIENCE", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ClusterError, match="is not Ray"):
            ray_parallel._find(f"127.0.0.1:{silent.getsockname()[1]}")


def test_one_worker_means_one_task_at_a_time(cluster, tmp_path: Path) -> None:
    tasks = [(tmp_path, number) for number in range(4)]
    with spread_on(cluster):
        list(spread(span, tasks, workers=1))
    spans = sorted(tuple(map(int, path.name.split("-"))) for path in tmp_path.iterdir())
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def span(task: tuple[Path, int]) -> None:
    begun = time.monotonic_ns()
    time.sleep(0.1)
    (task[0] / f"{begun}-{time.monotonic_ns()}").touch()
