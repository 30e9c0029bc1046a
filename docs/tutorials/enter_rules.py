"""Stock MaskablePPO enters `rules-v1`: it trains on rulesets apart from those of the track, and is then played on these.

python enter_rules.py 10          minutes of training; the default is a test that everything runs
channel-tunnel benchmark rules-v1 enter_rules:Trained --budgets 0    # the score card
"""

import sys
import time
from pathlib import Path

from sb3_contrib import MaskablePPO

from channel_tunnel_agents import Sb3Agent, evaluate
from channel_tunnel_agents.rulesets.held_apart import held_rulesets, train_rulesets
from channel_tunnel_env.envs.sb3 import SeatVecEnv

TRACK, ROWS, SEED, GAMES = "rules-v1", 32, 1, 4
MODEL = Path("runs") / "enter_rules.zip"


def itself(observations, masks):
    """The model as it is now, as its own rival."""
    return model.predict(observations, action_masks=masks)[0]


class Trained(Sb3Agent):
    """The trained model, as the benchmark makes it."""

    def __init__(self) -> None:
        super().__init__(MaskablePPO.load(MODEL, device="cpu"), "enter_rules")


if __name__ == "__main__":
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    rulesets = train_rulesets(TRACK, ROWS, SEED)  # each row of the batch plays its own
    env = SeatVecEnv(num_envs=ROWS, ruleset=rulesets, side="both", opponent=itself, seed=SEED)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,  # only the result counts
        gae_lambda=0.8,
        seed=SEED,
        device="cpu",
    )
    end = time.monotonic() + 60 * minutes
    model.learn(10**9, callback=lambda *_: time.monotonic() < end)
    MODEL.parent.mkdir(exist_ok=True)
    model.save(MODEL)
    for group, held in held_rulesets(TRACK).items():
        (score,) = evaluate(Trained(), ["heuristic"], GAMES, ruleset=held[0])
        print(f"{group}: {score}")
