"""Policies as ONNX files for other programs: the same figures as torch's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents.players import onnx_policy, shipped
from channel_tunnel_agents.players.onnx_policy import export_onnx, main
from channel_tunnel_agents.players.policy.graphs import load_runtime
from channel_tunnel_agents.players.policy.saved_policy import policy_card
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.shipped import FOLDER
from channel_tunnel_env import BatchGame, VersionError
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module", params=["club", pytest.param("master", marks=pytest.mark.heavy)])
def name(request: pytest.FixtureRequest) -> str:
    """A policy of either kind of network."""
    return request.param


@pytest.fixture(scope="module")
def folder(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("onnx")
    export_onnx(FOLDER / name, out)
    return out


def test_a_file_s_logits_and_values_are_torch_s_in_the_view_of_its_side(name: str, folder: Path) -> None:
    batch, wanted, rng = BatchGame(64, seed=1), TorchAgent.load(FOLDER / name), np.random.default_rng(0)
    for _ in range(40):
        batch.step(random_legal(batch.masks, rng))
    near = {"club": {"atol": 1e-5}, "master": {"atol": 1e-4, "rtol": 1e-4}}[name]
    for side in c.SEATS:
        file = load_runtime().InferenceSession(folder / f"{side}.onnx")
        sign = 1 if side == c.SEATS[0] else -1  # torch's are in the view of the first seat
        for rows in (batch.observations[:1], batch.observations):
            logits, values = file.run(["logits", "values"], {"observations": rows})
            with torch.inference_mode():
                theirs = wanted.policies[side](torch.from_numpy(rows))
            np.testing.assert_allclose(logits, theirs[0].numpy(), **near)
            np.testing.assert_allclose(values, sign * theirs[1].numpy(), **near)


def test_a_file_has_the_card_of_the_policy(name: str, folder: Path) -> None:
    for side in c.SEATS:
        metadata = load_runtime().InferenceSession(folder / f"{side}.onnx").get_modelmeta().custom_metadata_map
        assert json.loads(metadata["card"]) == policy_card(FOLDER / name / f"{side}.safetensors")


@pytest.mark.parametrize("name", shipped.OF_GAME[DEFAULT_GAME])
def test_the_command_takes_every_agent_of_the_package_by_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Path] = []
    monkeypatch.setattr(onnx_policy, "export_onnx", lambda policy, folder: taken.append(policy) or [])
    assert main([name, str(tmp_path)]) == 0
    assert taken == [shipped.folder_of(name)]


def test_the_command_names_what_cannot_be_read(tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "nothing"), str(tmp_path)]) == 2
    assert "channel_tunnel_agents.players.onnx_policy" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["carcassonne", "eurotunnel"])
def test_policies_of_other_games_are_refused_by_name(game: str, tmp_path: Path) -> None:
    with pytest.raises(VersionError, match=f"as ONNX only policies of tunnel_1987, not {game}"):
        export_onnx(shipped.find_policy("club", game), tmp_path / "there")
    assert not (tmp_path / "there").exists()
