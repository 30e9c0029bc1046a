"""A Minari data set is looked at before Minari reads it: what is wrong of it is one line, and nothing large is made of little."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("minari")
pytest.importorskip("torch")
pytest.importorskip("h5py")

import h5py
import numpy as np

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.learning.cloning import check_fits, read_steps
from channel_tunnel_agents.matches.data_card import content_digest, load_dataset
from channel_tunnel_agents.matches.dataset import export_minari
from channel_tunnel_agents.matches.store import PLAN
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.records.record import write_records
from tests.fuzz.mutations import change_bytes, change_data
from tests.random_games import play_on

DATASET, TINY = "channel-tunnel/few-v0", load_ruleset("tiny")
Change = Callable[[Path], object]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short games as a data set; returns the folder of all data sets."""
    home = tmp_path_factory.mktemp("made")
    records = [play_on(Game("tiny", seed), seed).record() for seed in range(2)]
    (home / "games" / "records").mkdir(parents=True)
    write_records(home / "games" / "records" / "00-00-0000000.jsonl", records)
    (home / "games" / PLAN).write_text(json.dumps({"policies": {"random": None}}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINARI_DATASETS_PATH", str(home / "minari"))
        assert export_minari(home / "games", DATASET, "all", "tiny") == 4
    return home / "minari"


@pytest.fixture
def data(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of its files."""
    shutil.copytree(made, tmp_path / "minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return tmp_path / "minari" / DATASET / "data"


def read() -> str:
    """Everything that is read of a data set."""
    dataset = load_dataset(DATASET)
    check_fits(dataset, TINY)
    read_steps(dataset, TINY, False)
    return content_digest(dataset)


def told(**changes: Any) -> Change:
    """Other entries of the metadata; None: without it."""

    def change(data: Path) -> None:
        path = data / "metadata.json"
        content = json.loads(path.read_text()) | changes
        path.write_text(json.dumps({key: v for key, v in content.items() if v is not None}))

    return change


def array(name: str, make: Callable[[Any], Any]) -> Change:
    """Another array in the first episode."""

    def change(data: Path) -> None:
        with h5py.File(data / "main_data.hdf5", "a") as file:
            episode = file["episode_0"]
            before = episode[name][()]
            del episode[name]
            made = make(before)
            if isinstance(made, dict):
                episode.create_dataset(name, **made)
            elif made is not None:
                episode[name] = made

    return change


def large(before: Any) -> dict[str, Any]:
    return {"shape": (10**9, *before.shape[1:]), "dtype": before.dtype, "chunks": (1, *before.shape[1:])}


def box(size: Any) -> str:
    return json.dumps({"type": "Box", "dtype": "float32", "shape": size, "low": [0.0], "high": [1.0]})


def not_a_file(name: str, make: Callable[[Path], object]) -> Change:
    def change(data: Path) -> None:
        (data / name).unlink()
        make(data / name)

    return change


CHANGES: dict[str, Change] = {
    "episodes": told(total_episodes=2**31),
    "episodes below 0": told(total_episodes=-1),
    "episodes as text": told(total_episodes="4"),
    "fewer episodes": told(total_episodes=3),
    "steps": told(total_steps="x"),
    "format": told(data_format="arrow"),
    "no id": told(dataset_id=None),
    "another id": told(dataset_id="channel-tunnel/many-v0"),
    "version": told(minari_version="99"),
    "space of text": told(observation_space="{"),
    "large space": told(observation_space=box([10**11])),
    "other space": told(observation_space=box([7])),
    "no actions": told(action_space=json.dumps({"type": "Discrete", "n": 0, "start": 0})),
    "large observations": array("observations", large),
    "large rewards": array("rewards", large),
    "no rewards": array("rewards", lambda before: None),
    "texts": array("rewards", lambda before: ["x"] * len(before)),
    "not finite": array("rewards", lambda before: before * np.nan),
    "too few masks": array("infos/action_mask", lambda before: before[:-1]),
    "narrow masks": array("infos/action_mask", lambda before: before[:, :-1]),
    "actions that there are not": array("actions", lambda before: before + 10_000),
    "actions below 0": array("actions", lambda before: before - 10_000),
    "no decision": array("actions", lambda before: before[:0]),
    "no rows": array("observations", lambda before: before[0]),
    "seats that there are not": array("infos/seat", lambda before: before + 100),
    "a device": not_a_file("main_data.hdf5", lambda path: path.symlink_to("/dev/zero")),
    "a pipe": not_a_file("main_data.hdf5", os.mkfifo),
    "a folder": not_a_file("metadata.json", Path.mkdir),
    "nothing": not_a_file("main_data.hdf5", lambda path: None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_data_set_that_is_wrong_is_refused_in_one_line(change: Change, data: Path) -> None:
    change(data)
    with pytest.raises(AgentError, match=rf"^{DATASET}: ") as error:
        read()
    assert "\n" not in str(error.value) and len(str(error.value)) < 600


def test_no_environment_that_a_file_names_is_made(data: Path, tmp_path: Path, monkeypatch) -> None:
    """Without its spaces Minari makes the environment of its `env_spec`, whatever module that names."""
    (tmp_path / "named_by_a_file.py").write_text("raise SystemExit('run')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    spec = {"id": "Mine-v0", "entry_point": "named_by_a_file:Env", "kwargs": {}}
    told(observation_space=None, env_spec=json.dumps(spec))(data)
    with pytest.raises(AgentError, match="observation_space"):
        read()
    assert "named_by_a_file" not in sys.modules


def test_a_link_out_of_the_file_is_not_followed(data: Path, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.hdf5", "w") as other:
        other["rewards"] = np.zeros(3)
    with h5py.File(data / "main_data.hdf5", "a") as file:
        del file["episode_0"]["rewards"]
        file["episode_0"]["rewards"] = h5py.ExternalLink(str(tmp_path / "other.hdf5"), "rewards")
    with pytest.raises(AgentError, match=r"rewards: .*link"):
        read()


@pytest.mark.parametrize("name", ["metadata.json", "main_data.hdf5"])
def test_changed_files_end_in_one_line(name: str, data: Path) -> None:
    whole, rng, refused = (data / name).read_bytes(), np.random.default_rng(8), 0
    for number in range(60):
        changed = change_bytes(rng, whole, 2)
        if name.endswith("json") and number % 2:
            changed = json.dumps(change_data(rng, json.loads(whole))).encode()
        (data / name).write_bytes(changed)
        try:
            read()
        except AgentError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 5


def test_what_they_change_is_read(data: Path) -> None:
    assert read() == content_digest(load_dataset(DATASET))
