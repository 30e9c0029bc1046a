"""A training loses the last interval at most: full disks, folders that take nothing, kills at any moment, changed bytes."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from channel_tunnel_agents.commands import train
from channel_tunnel_agents.learning import checkpoint
from channel_tunnel_agents.learning.checkpoint import CHECKPOINT, PREVIOUS, read_card
from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_env import VersionError
from tests.agents.test_train_command import TINY

ROOT = Path(__file__).parents[2]


def words(folder: Path) -> list[str]:
    """Of the command line: a training of four updates, each of which is kept."""
    return [*TINY, "--checkpoint-every", "1e-9", "--run", str(folder)]


def tiny(folder: Path, **changes: Any) -> TrainConfig:
    """The same as a config."""
    return train.read_arguments(words(folder))[0].model_copy(update=changes)


# --- no room, no permission -------------------------------------------------------------------------


@pytest.mark.parametrize("log", ["csv", "tensorboard"])
def test_a_full_disk_under_a_log_ends_in_one_line_with_the_last_checkpoint_kept(
    tmp_path, capsys, monkeypatch, log
) -> None:
    from stable_baselines3.common.logger import CSVOutputFormat
    from tensorboard.summary.writer.record_writer import RecordWriter

    assert train.main([*words(tmp_path / "run"), "--decisions", "512"]) == 0
    capsys.readouterr()

    def full(*arguments) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    writer = CSVOutputFormat if log == "csv" else RecordWriter  # which writes in a thread
    monkeypatch.setattr(writer, "write", full)
    assert train.main([*words(tmp_path / "run"), "--resume", "--decisions", "99999"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{tmp_path / 'run'}: the log could not be written: No space left on device" in said
    assert torch.load(tmp_path / "run" / CHECKPOINT, weights_only=True)["decisions"] >= 512


@pytest.mark.parametrize("name", ["config.yaml", CHECKPOINT])
def test_a_full_disk_ends_a_run_in_one_line(tmp_path, capsys, disk_full_for, name) -> None:
    folder = tmp_path / "a folder with a long name [and brackets], so that a terminal would wrap it"
    with disk_full_for(name):
        assert train.main(words(folder)) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"channel-tunnel: {folder / name} (") and "No space left on device" in said
    assert not (folder / name).exists() and not list(folder.glob("*.part"))


@pytest.mark.parametrize("error", [errno.EROFS, errno.EACCES])
def test_a_folder_that_takes_nothing_ends_in_one_line(tmp_path, capsys, monkeypatch, error) -> None:
    """As root may write everywhere, the refusal is the operating system's in words only."""
    run, opened = tmp_path / "run", os.open

    def refusing(path, flags: int, *more, **named):
        if flags & os.O_WRONLY and Path(path).is_relative_to(run):
            raise OSError(error, "Read-only file system", str(path))
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", refusing)
    assert train.main(words(run)) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(run) in said and "Read-only file system" in said


def test_a_folder_that_cannot_be_made_ends_in_one_line(capsys) -> None:
    """Linux makes no folder here, not even for root."""
    assert train.main(words(Path("/proc/self/run"))) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "/proc/self/run" in said


# --- kills ----------------------------------------------------------------------------------------------

KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.checkpoint import find_checkpoint
from channel_tunnel_agents.learning.training import TrainingRun

config = TrainConfig(**eval(sys.argv[1]))
luck, folder, decisions = random.Random(4), Path(config.run), 0
TrainingRun(config.model_copy(update={"run": config.run + "-warm", "decisions": 512})).train()  # compiles
for kill in range(int(sys.argv[2])):
    child = os.fork()
    if not child:
        signal.alarm(300)  # should its parent be killed
        TrainingRun(config, resume=True).train()
        os._exit(3)  # the budget is endless
    begun = time.monotonic()
    while find_checkpoint(folder) is None and time.monotonic() - begun < 60:
        time.sleep(0.01)
    time.sleep(luck.uniform(0, 0.6))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    run = TrainingRun(config, resume=True)
    assert run.model.num_timesteps >= decisions, (run.model.num_timesteps, decisions)
    decisions = run.model.num_timesteps
print(decisions)
"""


@pytest.mark.heavy
@pytest.mark.skipif(not hasattr(sys, "abiflags"), reason="needs fork")
def test_kills_at_any_moment_leave_whole_files_that_go_on(tmp_path) -> None:
    """Every kill is followed by a resume, which must find at least what the one before it found."""
    values = tiny(tmp_path / "run", decisions=10**9).model_dump(mode="json")
    done = subprocess.run([sys.executable, "-c", KILLED, repr(values), "8"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split()[-1]) >= 0
    for side in ("britain", "france"):
        policy, card = load_policy(tmp_path / "run" / f"{side}.safetensors")
        assert card["decisions"] >= 0
        assert all(bool(torch.isfinite(weights).all()) for weights in policy.parameters())


# --- changed bytes --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    """A run of two checkpoints."""
    folder = tmp_path_factory.mktemp("saved") / "run"
    TrainingRun(tiny(folder)).train()
    assert (folder / PREVIOUS).exists()
    return folder


def with_nan(policy: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    name, tensor = next(iter(policy.items()))
    return policy | {name: torch.full_like(tensor, torch.nan)}


def with_infinite_moments(optimizer: dict) -> dict:
    moments = optimizer["state"][0]
    moments["exp_avg"] = torch.full_like(moments["exp_avg"], torch.inf)
    return optimizer


POOL = {"names": ["0"], "rates": {"0": [0.5, 0.5]}, "playing": [], "counted": []}
WRONG_PARTS: dict[str, tuple[str, Any]] = {  # what is another, and which or how
    "card": ("card", "{"),
    "wrong tensor": ("policy", lambda policy: policy | {next(iter(policy)): torch.zeros(3)}),
    "missing tensor": ("policy", lambda policy: dict(list(policy.items())[1:])),
    "weights": ("policy", with_nan),
    "moments": ("optimizer", with_infinite_moments),
    "starts": ("episode_starts", torch.zeros(3)),
    "decisions below 0": ("decisions", -1),
    "decisions in words": ("decisions", "many"),
    "updates": ("updates", 1.5),
    "seconds": ("seconds", float("nan")),
    "pool": ("pool", "[1]"),
    "pool elsewhere": ("pool", json.dumps(POOL | {"names": ["../0"], "rates": {"../0": [0.5, 0.5]}})),
    "pool of no rates": ("pool", json.dumps(POOL | {"rates": {}})),
    "pool of wrong rates": ("pool", json.dumps(POOL | {"rates": {"0": [0.5, 7]}})),
    "pool of strangers": ("pool", json.dumps(POOL | {"playing": [["1", "1"]]})),
}


@pytest.mark.parametrize("way", ["no optimizer", "no card", "cut", "bytes", *WRONG_PARTS])
def test_a_spoilt_checkpoint_is_refused_by_name_and_the_one_before_goes_on(saved, tmp_path, way, capsys) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for path in filter(Path.is_file, saved.iterdir()):
        shutil.copy(path, folder)
    path, data = folder / CHECKPOINT, (folder / CHECKPOINT).read_bytes()
    if way == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif way == "bytes":
        luck = np.random.default_rng(0)
        changed = np.frombuffer(data, np.uint8).copy()
        changed[-400:] = luck.integers(0, 256, 400)  # the directory of the archive
        path.write_bytes(changed.tobytes())
    else:
        state = torch.load(path, weights_only=True)
        key, wrong = WRONG_PARTS.get(way, (way.removeprefix("no "), None))
        there = state.pop(key)
        if wrong is not None:
            state[key] = wrong(there) if callable(wrong) else wrong
        torch.save(state, path)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    with pytest.raises(VersionError, match="not a checkpoint, or truncated") as caught:
        TrainingRun(tiny(folder), resume=True)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert all((folder / name).read_bytes() == content for name, content in before.items())
    assert train.main([*words(folder), "--resume"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    command = re.search(r"mv (\S+) (\S+), then --resume", str(caught.value))
    assert command is not None
    Path(command[1]).replace(command[2])
    resumed = TrainingRun(tiny(folder, decisions=4096), resume=True)
    resumed.train()
    assert resumed.model.num_timesteps == 4096


# --- what is read of a checkpoint -------------------------------------------------------------------


@pytest.fixture
def whole() -> bytes:
    buffer = io.BytesIO()
    numbers = torch.arange(300, dtype=torch.float32)
    torch.save({"card": '{"config": {"decisions": 5}}', "decisions": 7, "policy": numbers}, buffer)
    return buffer.getvalue()


def test_no_changed_bit_is_believed(whole: bytes, tmp_path: Path) -> None:
    path, rng = tmp_path / "checkpoint.pt", np.random.default_rng(4)
    path.write_bytes(whole)
    before = checkpoint._read(path)
    refused = 0
    for _ in range(300):
        changed = bytearray(whole)
        changed[int(rng.integers(len(whole)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(changed))
        try:
            found = checkpoint._read(path)
        except VersionError as error:
            refused += 1
            assert "\n" not in str(error)
            continue
        assert found["card"] == before["card"] and found["decisions"] == before["decisions"]
        assert torch.equal(found["policy"], before["policy"])
    assert refused > 100


@pytest.mark.parametrize("card", ["5", "{}", '{"config": 5}', '{"config": {"decisions": "x"}}', '{"tuned": [1]}'])
def test_a_card_that_is_no_run_s_is_refused(card: str, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    torch.save({"card": card, "decisions": 7}, path)
    with pytest.raises(VersionError, match=r"checkpoint\.pt: "):
        read_card(path)


def test_a_checkpoint_that_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe, device = tmp_path / "pipe.pt", tmp_path / "device.pt"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        with pytest.raises(VersionError, match="a file is expected"):
            read_card(path)


def test_a_little_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    """torch writes its parts as they are; a packed one may hold a thousand times its size."""
    whole, path = io.BytesIO(), tmp_path / "checkpoint.pt"
    torch.save({"card": '{"config": {"decisions": 5}}', "decisions": torch.zeros(100_000)}, whole)
    with zipfile.ZipFile(whole) as there, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in there.infolist():
            packed.writestr(part.filename, there.read(part))
    with pytest.raises(VersionError, match="packed"):
        read_card(path)
