"""A checkpoint of which a bit was changed is refused, or says what was written."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents.learning import checkpoint
from channel_tunnel_agents.learning.checkpoint import read_card
from channel_tunnel_env import VersionError


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
