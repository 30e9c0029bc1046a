"""What sb3-contrib's own MaskablePPO learns by playing itself, in both seats, against random play: JSON lines.

    python benchmarks/self_play.py --decisions 100000 --seed 1

`stock`: `SeatVecEnv(side="both")`, the model its own opponent, a stock rollout buffer. `zero_sum`: `SelfPlayVecEnv` with
`ZeroSumRolloutBuffer`, in which every decision played is learned from. A decision is one that the learner learns from;
`stock` plays about two for each.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from channel_tunnel_agents.learning.rollout_buffer import ZeroSumRolloutBuffer
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.players.random_agent import RandomAgent
from channel_tunnel_agents.statistics import Rate
from channel_tunnel_env.envs.sb3 import ZERO_SUM, SeatVecEnv, SelfPlayVecEnv

GAMES = 32  # at a time, in training
DEALS = 2000
DEAL_SEED = 20000
WAYS = ("stock", "zero_sum")


class Player:
    """A model as an agent, and as its own opponent in training."""

    name = "learner"
    model: MaskablePPO

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """A sampled action per row."""
        return np.asarray(self.model.predict(observations, action_masks=masks)[0])


def train(way: str, ruleset: str, decisions: int, seed: int) -> Player:
    """A learner after that many decisions, with the settings of docs/examples."""
    player, settings = Player(), dict[str, Any]()
    if way == "stock":
        env: Any = SeatVecEnv(GAMES, ruleset, side="both", opponent=player, seed=seed)
    else:
        env = SelfPlayVecEnv(GAMES, ruleset, seed=seed, credit=ZERO_SUM)
        settings = {"rollout_buffer_class": ZeroSumRolloutBuffer}
    player.model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.8,
        seed=seed,
        device="cpu",
        **settings,
    )
    player.model.learn(decisions)
    return player


def shares(player: Player, ruleset: str) -> dict[str, Any]:
    """Wins against random play as each side, with 95 % intervals."""
    found = {}
    for side in ("britain", "france"):
        seats = {"britain": RandomAgent(3), "france": RandomAgent(3)} | {side: player}
        match = play_match(seats["britain"], seats["france"], DEALS, DEAL_SEED, ruleset)
        rate = Rate(match.wins(side), match.games)
        found[side] = {"share": rate.share, "interval": [round(end, 4) for end in rate.interval]}
    return found


def main() -> None:
    """One JSON line per way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ruleset", default="standard")
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for way in arguments.ways:
        begun = time.process_time()
        player = train(way, arguments.ruleset, arguments.decisions, arguments.seed)
        seconds = round(time.process_time() - begun)
        line = {"way": way, "decisions": player.model.num_timesteps, "cpu_seconds": seconds}
        print(json.dumps(line | shares(player, arguments.ruleset)), flush=True)


if __name__ == "__main__":
    main()
