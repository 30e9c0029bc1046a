"""Policies as ONNX: the same figures, and no torch to play."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.players import onnx_policy, shipped
from channel_tunnel_agents.players.onnx_policy import OnnxAgent, export_onnx, main
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.shipped import FOLDER
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("onnx")
    export_onnx(FOLDER / "club", out)
    return out


def positions() -> BatchGame:
    """64 games after forty random decisions."""
    batch, rng = BatchGame(64), np.random.default_rng(0)
    batch.reset(seed=1)
    for _ in range(40):
        batch.step(random_legal(batch.masks, rng))
    return batch


def test_moves_logits_and_values_are_torch_s_in_the_movers_view(folder: Path) -> None:
    batch = positions()
    own, torch_agent = OnnxAgent.load(folder), TorchAgent.load(FOLDER / "club")
    assert (own(batch.observations, batch.masks) == torch_agent(batch.observations, batch.masks)).all()
    for side in c.SEATS:
        logits, values = own.judge(side, batch.observations)
        with torch.inference_mode():
            wanted = torch_agent.policies[side](torch.from_numpy(batch.observations))
        np.testing.assert_allclose(logits, wanted[0].numpy(), atol=1e-5)
        sign = 1 if side == c.SEATS[0] else -1  # torch's are in the view of the first seat
        np.testing.assert_allclose(values, sign * wanted[1].numpy(), atol=1e-5)


def test_it_plays_without_torch(folder: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from channel_tunnel_agents import make_agent; from channel_tunnel_env import Game\n"
        f"agent, game = make_agent({f'onnx:{folder}'!r}), Game('standard', 1)\n"
        "while not game.is_over and len(game.actions) < 30:\n"
        "    game.play(int(agent(game.observation()[None], game.action_mask[None])[0]))\n"
        "print(len(game.actions))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "30"


def test_a_file_of_another_ruleset_is_refused(folder: Path) -> None:
    with pytest.raises(VersionError, match="made for ruleset digest"):
        make_agent(f"onnx:{folder}", load_ruleset("tiny"))


@pytest.mark.parametrize("content", [b"", b"no model", None])
def test_a_broken_or_missing_file_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "britain.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(VersionError, match=r"britain\.onnx: not a policy as ONNX"):
        OnnxAgent.load(path)


def test_without_onnxruntime_one_line_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(AgentError, match=r"pip install 'channel-tunnel-env\[play\]'"):
        OnnxAgent.load(folder)


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
