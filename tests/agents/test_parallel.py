"""Work goes where it is sent, with all that it needs, and says in one line why it cannot."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import policy_place
from channel_tunnel_agents.cluster import ray_parallel
from channel_tunnel_agents.cluster.parallel import available_workers, default_workers, keep_processes, spread, spread_on
from channel_tunnel_agents.cluster.ray_parallel import ClusterError
from channel_tunnel_agents.commands import evaluate, train
from channel_tunnel_agents.matches.tournament import TablePart, Tournament
from channel_tunnel_agents.players.policy import card
from tests.agents.little_work import refuse, whose


class Elsewhere:
    """An engine that notes what it is given."""

    cores = 7

    def __init__(self) -> None:
        self.workers: list[int] = []

    def spread(self, work, tasks, workers):
        self.workers.append(workers)
        return ((task, work(task)) for task in tasks)


def test_within_an_engine_all_work_goes_to_it_and_to_nobody_afterwards() -> None:
    engine = Elsewhere()
    before = available_workers()
    with spread_on(engine):
        assert available_workers() == default_workers(little=True) == 7
        assert dict(spread(abs, [-1, -2, -3])) == {-1: 1, -2: 2, -3: 3}
        assert dict(spread(abs, range(20), workers=2))
    assert engine.workers == [3, 2]
    assert available_workers() == before
    assert default_workers(little=True) == 1


@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ("ppo:runs/demo", "runs/demo"),
        ("ppo-search:runs/demo@20ms", "runs/demo"),
        ("frozen:ppo-sample:runs/demo!ban=finance", "runs/demo"),
        ("club", None),
        ("master-search@20ms", None),
        ("ismcts:1000", None),
        ("my_agents:Clever", None),
    ],
)
def test_the_place_of_a_policy_is_read_from_its_name(spec: str, place: str | None) -> None:
    assert policy_place(spec) == place


@dataclass(frozen=True)
class Task:
    agent: str
    part: TablePart
    numbers: np.ndarray


def test_policies_travel_with_the_task_that_names_them(tmp_path: Path, monkeypatch) -> None:
    policy = tmp_path / "policy"
    policy.mkdir()
    (policy / "britain.safetensors").write_bytes(b"britain")
    (policy / "france.safetensors").write_bytes(b"france")
    (policy / "checkpoint.pt").write_bytes(b"too large to travel")
    tournament = Tournament(("random", f"frozen:ppo:{policy}"), 2, ruleset="tiny")
    task = Task("heuristic", TablePart(tournament, (0, 1), 0, 2), np.zeros(3))
    assert ray_parallel.places_in(task) == {str(policy)}

    files = ray_parallel.pack(str(policy))
    assert files == {"britain.safetensors": b"britain", "france.safetensors": b"france"}
    monkeypatch.setattr(card, "MOVED", {})
    (policy / "britain.safetensors").unlink()  # as on another machine
    ray_parallel.unpack({str(policy): files})
    found = card.policy_paths(policy)
    assert {side: path.read_bytes() for side, path in found.items()} == {"britain": b"britain", "france": b"france"}
    ray_parallel.unpack({})
    assert card.policy_paths(policy)["france"] == policy / "france.safetensors"


def test_a_policy_of_one_side_travels_alone(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "france.safetensors"
    path.write_bytes(b"france")
    files = ray_parallel.pack(str(path))
    monkeypatch.setattr(card, "MOVED", {})
    path.unlink()
    ray_parallel.unpack({str(path): files})
    assert {side: p.read_bytes() for side, p in card.policy_paths(path).items()} == {"france": b"france"}


# --- what can be wrong with Ray -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("main", "words", "told"),
    [
        (evaluate.main, "tournament random heuristic --ray", ""),
        (train.main, "smoke --run run --engine rllib", "without --engine rllib the cores of this machine are used"),
    ],
)
def test_without_ray_one_line_says_what_to_install(main, words: str, told: str, monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ray_parallel, "find_spec", lambda name: None)
    assert main(words.split()) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "pip install 'channel-tunnel-env[ray]'" in said and told in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("version", "refused", "warned"),
    [("2.9.3", True, False), ("2.60.1", False, False), ("2.51.0", False, True), ("3.0.0", False, True)],
)
def test_an_old_ray_is_refused_and_an_untested_one_named(
    version: str, refused: bool, warned: bool, monkeypatch
) -> None:
    monkeypatch.setattr(ray_parallel, "find_spec", lambda name: object())
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    said: list[str] = []
    if refused:
        with pytest.raises(ClusterError, match=r"Ray 2\.9\.3: 2\.50 or newer is needed"):
            ray_parallel.check_version(said.append)
    else:
        ray_parallel.check_version(said.append)
    assert bool(said) == warned


def test_ray_alone_means_a_cluster_on_this_machine() -> None:
    words = ["report", "--ray", "--quick"]
    assert evaluate.with_address(words) == ["report", "--ray", "local", "--quick"]
    assert evaluate.with_address(["report", "--ray"]) == ["report", "--ray", "local"]
    words = ["report", "--ray", "head:6379", "--quick"]
    assert evaluate.with_address(words) == words


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--engine tensorflow", "--engine tensorflow: allowed: 'sb3', 'torch', 'rllib'"),
        ("--engine", "--engine"),
        ("--ray head:6379", "only --engine rllib trains on a cluster"),
    ],
)
def test_wrong_words_about_the_engine_are_refused(words: str, told: str, capsys) -> None:
    assert train.main(["smoke", *words.split()]) == 2
    assert told in capsys.readouterr().err


def test_the_digest_of_the_code_sees_a_changed_line_and_not_where_it_lies(tmp_path: Path) -> None:
    from channel_tunnel_agents.cluster.ray_parallel import code_digest

    folders = [tmp_path / name / "agents" for name in ("here", "there", "other")]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "base.py").write_text("ONE = 1\n")
        (folder / "notes.txt").write_text(folder.parent.name)
    (folders[2] / "base.py").write_text("ONE = 2\n")
    here, there, other = (code_digest([folder]) for folder in folders)
    assert here == there != other


@pytest.mark.heavy
@pytest.mark.parametrize(("given", "threads"), [({}, 1), ({"OMP_NUM_THREADS": "2"}, 2)])
def test_the_commands_that_measure_compute_with_one_thread_in_their_own_process_too(
    given: dict[str, str], threads: int
) -> None:
    """As their workers do: on busy cores threads that wait for each other take six times the processor's time."""
    code = "import channel_tunnel_agents.commands.evaluate, torch; print(torch.get_num_threads())"
    around = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=around | given)
    assert done.stdout == f"{threads}\n", done.stderr


# --- processes that are kept ----------------------------------------------------------------------


def pids(work=whose, tasks: int = 4) -> set[int]:
    return {pid for _, pid in spread(work, range(tasks), 2)}


@pytest.mark.heavy
def test_kept_processes_serve_the_next_work_and_end_with_their_context() -> None:
    with keep_processes():
        first = pids()
        assert len(first) == 2 and os.getpid() not in first
        assert pids() <= first
    if Path("/proc").exists():
        assert not any(Path(f"/proc/{pid}").exists() for pid in first)


@pytest.mark.heavy
def test_processes_that_failed_or_were_left_at_work_are_not_kept() -> None:
    with keep_processes():
        first = pids()
        with pytest.raises(ValueError, match=r"\d"):
            pids(refuse)
        again = pids()
        assert not first & again
        played = spread(whose, range(4), 2)
        next(played)
        played.close()
        assert not pids() & again
