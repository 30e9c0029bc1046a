"""A saved policy knows itself: a changed bit is refused, and the files of a pair are written together or not at all."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.players.policy.saved_policy import KNOWN_FILES, policy_card, read_policy
from channel_tunnel_agents.players.shipped import FOLDER
from channel_tunnel_env import VersionError
from tests.agents.saving import save_untrained

SIDES = ("britain", "france")


def flipped(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    changed[int(rng.integers(len(changed)))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def test_no_changed_bit_of_a_policy_is_believed(tmp_path: Path) -> None:
    save_untrained(tmp_path, 8, 1, decisions=5)
    path, rng = tmp_path / "britain.safetensors", np.random.default_rng(1)
    whole, (weights, card) = path.read_bytes(), read_policy(path)
    size = int.from_bytes(whole[:8], "little") + 8
    parts = [range(len(whole)), range(size)]
    for number in range(300):
        at = int(rng.choice(parts[number % 2]))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << int(rng.integers(8))]) + whole[at + 1 :])
        try:
            read, told = read_policy(path)
        except VersionError as error:
            assert "\n" not in str(error)
            continue
        assert told == card  # padding of the header
        assert all(np.array_equal(read[name], weights[name]) for name in weights)


def test_a_changed_card_is_not_read_either(tmp_path: Path) -> None:
    save_untrained(tmp_path, 8, 1, decisions=5)
    path = tmp_path / "britain.safetensors"
    path.write_bytes(path.read_bytes().replace(b'\\"decisions\\": 5', b'\\"decisions\\": 6'))
    with pytest.raises(VersionError, match=r"britain\.safetensors: .*its digest"):
        policy_card(path)


@pytest.mark.parametrize("name", ["master", "rookie"])
def test_a_copy_of_a_shipped_policy_that_was_changed_is_refused(name: str, tmp_path: Path) -> None:
    path, rng = tmp_path / "france.safetensors", np.random.default_rng(2)
    shutil.copy(FOLDER / name / path.name, path)
    whole = path.read_bytes()
    read_policy(path)
    for _ in range(20):
        path.write_bytes(flipped(whole, rng))
        with pytest.raises(VersionError):
            read_policy(path)


def test_every_shipped_policy_without_a_digest_of_its_own_is_listed() -> None:
    files_of_ours = sorted(FOLDER.rglob("*.safetensors"))
    listed = dict(line.split()[::-1] for line in KNOWN_FILES.read_text().splitlines())
    assert {*listed} == {path.relative_to(FOLDER).as_posix() for path in files_of_ours}
    for path in files_of_ours:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert listed[path.relative_to(FOLDER).as_posix()] == digest


def test_a_full_disk_leaves_the_pair_that_there_was(tmp_path: Path, disk_full_for: Any) -> None:
    save_untrained(tmp_path, 8, 1, seed=1, decisions=1)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    words = r"france\.safetensors .* not written: .*; nothing has changed"
    with disk_full_for("france.safetensors"), pytest.raises(OSError, match=words):
        save_untrained(tmp_path, 8, 1, seed=2, decisions=2)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_in_the_place_of_the_second_file_leaves_the_first(tmp_path: Path) -> None:
    save_untrained(tmp_path, 8, 1, seed=1, decisions=1)
    before = (tmp_path / "britain.safetensors").read_bytes()
    (tmp_path / "france.safetensors").unlink()
    (tmp_path / "france.safetensors").mkdir()
    with pytest.raises(IsADirectoryError, match=r"france\.safetensors.*nothing has changed"):
        save_untrained(tmp_path, 8, 1, seed=2, decisions=2)
    assert (tmp_path / "britain.safetensors").read_bytes() == before
