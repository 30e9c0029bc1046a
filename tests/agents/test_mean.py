"""The mean of two policies' weights."""

from __future__ import annotations

import pytest
import torch

from channel_tunnel_agents.players.policy.mean import average, main
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_env import VersionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.agents.saving import save_untrained


def test_every_weight_is_the_mean_and_the_card_says_so(tmp_path) -> None:
    one, two = (save_untrained(tmp_path / str(seed), 16, 2, seed=seed, decisions=seed) for seed in (1, 2))
    files = average(one, two, tmp_path / "mean", 0.25)
    assert len(files) == len(c.SEATS)
    for file in files:
        mean, card = load_policy(file)
        first, second = (load_policy(folder / file.name)[0].state_dict() for folder in (one, two))
        for name, weights in mean.state_dict().items():
            assert torch.allclose(weights, 0.25 * first[name] + 0.75 * second[name], atol=1e-6)
        assert [(part["decisions"], part["share"]) for part in card["mean_of"]] == [(1, 0.25), (2, 0.75)]


def test_networks_of_two_sizes_have_no_mean_and_nothing_is_written(tmp_path, capsys) -> None:
    one, two = (save_untrained(tmp_path / str(width), width, 2) for width in (16, 32))
    with pytest.raises(VersionError, match="the other one's is"):
        average(one, two, tmp_path / "mean")
    with pytest.raises(ValueError, match=r"share 1\.5: allowed: 0 to 1"):
        average(one, one, tmp_path / "mean", 1.5)
    assert main([str(one), str(tmp_path / "none"), str(tmp_path / "mean")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "mean").exists()
