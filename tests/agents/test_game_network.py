"""The network shaped like the game: renamed colours and slots get renamed answers, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.actions import action_id
from tests.agents.test_training import small
from tests.random_games import walk
from tests.renaming import rename_action, rename_position, renamings


def network(width: int = 32) -> SeatPolicy:
    """Weights large enough for answers to differ."""
    torch.manual_seed(5)
    policy = SeatPolicy(width, 2, "game")
    for weights in policy.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    return policy.eval()


@torch.inference_mode()
def judge(policy: SeatPolicy, game: Game) -> tuple[np.ndarray, float]:
    logits, value = policy(torch.from_numpy(game.observation())[None])
    return logits[0].numpy(), float(value)


def check_renamed(policy: SeatPolicy, game: Game, names: dict[str, str]) -> int:
    """Compare every legal action of a game with that of the renamed game."""
    other = Game.from_position(rename_position(game.to_position(), names), game.ruleset)
    legal = game.legal_actions()
    renamed = [rename_action(action, names) for action in legal]
    assert sorted(renamed) == sorted(other.legal_actions())
    (logits, value), (there, value_there) = judge(policy, game), judge(policy, other)
    assert value_there == pytest.approx(value, abs=2e-4)
    here = logits[[action_id(action) for action in legal]]
    np.testing.assert_allclose(there[[action_id(a) for a in renamed]], here, atol=2e-3, rtol=1e-4)
    return len(set(np.round(here, 3).tolist()))


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_renaming_colours_and_slots_renames_every_legal_answer(ruleset: str) -> None:
    """In whole games; `keep` asks for the colours in their order, so that it has no renamed position."""
    policy, every, phases, kinds = network(), renamings(), set(), 0
    rng = np.random.default_rng(1)
    for seed in range(6):
        game = Game(ruleset, seed)
        for ply in walk(game, seed, eager=seed % 3 != 0):
            if game.is_over or game.phase == "keep":
                continue
            if ply % 8 == seed or game.phase not in ("turn", *phases):
                phases.add(str(game.phase))
                kinds += check_renamed(policy, game, every[int(rng.integers(1, len(every)))])
    assert {"turn", "window", "rubble", "tunnel_pay", "chain", "finance", "track"} <= phases
    assert kinds > 300


def test_water_is_no_colour_like_the_others() -> None:
    """Swapping blue and white changes what the network says."""
    policy, game = network(), Game("standard", 3)
    names = {"blue": "white", "white": "blue", **{f"slot_{k}": f"slot_{k}" for k in (1, 2, 3)}}
    other = Game.from_position(rename_position(game.to_position(), names), game.ruleset)
    assert abs(judge(policy, game)[1] - judge(policy, other)[1]) > 1e-3


def test_other_rules_change_what_it_says() -> None:
    policy, rules = network(), load_ruleset("standard")
    dearer = rules.with_values({"barriers.france.b.1": 9})
    one, other = (judge(policy, Game(r, 3)) for r in (rules, dearer))
    assert abs(one[1] - other[1]) > 1e-5


@pytest.mark.parametrize("trunk", ["shared", "separate"])
def test_a_run_trains_it(trunk: str, tmp_path: Path) -> None:
    sizes = {"width": 16, "num_games": 16, "steps": 16, "batch_size": 128, "epochs": 1, "decisions": 512}
    run = TrainingRun(small(tmp_path, network="game", trunk=trunk, evaluate_games=2, **sizes))
    before = {name: w.clone() for name, w in run.model.policy.named_parameters()}
    run.train()
    still = [n for n, w in run.model.policy.named_parameters() if torch.equal(w, before[n])]
    # The tiny ruleset may not meet every phase, but every part of the trunk moves.
    assert not [name for name in still if "trunk" in name]
    assert load_policy(run.folder / "britain.safetensors")[1]["network"] == "game"
