"""How quickly a copy of `adept` learns one ruleset, by the settings of its training.

    python benchmarks/copy_settings.py museum parliament --learning-rate 3e-4 --epochs 3 --decisions 674000
    python benchmarks/copy_settings.py museum parliament                             # as the commands tune copies
    python benchmarks/copy_settings.py fieldless --game carcassonne

The rulesets are those of held_out.yaml, or held_out_carcassonne.yaml; the scripted player has a quarter of the games as in every copy. Prints a JSON
line for each: the processor's seconds, and the copy's share against the scripted player on 400 deals in both seats.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import tyro
from held_out import Game, held_out

from channel_tunnel_agents.balance.changing.adapt import SCHOOLS, adapting_config
from channel_tunnel_agents.balance.changing.overlay import dump_ruleset
from channel_tunnel_agents.balance.changing.tuned import RULES, SEED, rivals_of_copies
from channel_tunnel_agents.balance.measuring.footing import footing_against
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.files import write_whole

DEALS, DEALS_SEED = 400, 40_000


@dataclass(frozen=True)
class Arguments:
    """What to train, and how."""

    names: tyro.conf.Positional[tuple[str, ...]]
    """Of the rulesets."""
    game: Game = "tunnel_1987"
    """Whose rulesets."""
    learning_rate: float | None = None
    """At the start; left out: of the game's copies."""
    epochs: int | None = None
    """How often every decision is learned from; left out: of the game's copies."""
    decisions: int = 920_000
    """Of each copy: with two epochs about as long as 674,000 with three."""
    folder: Path = Path("runs", "copy-settings")
    """Gets a run for each ruleset and setting; one that is there goes on."""


def train_copy(
    agent: PolicyAgent, ruleset: Ruleset, run: Path, decisions: int, **settings: Any
) -> None:
    """Train a copy of a policy on one ruleset, as the commands do but for so many decisions; a stopped run goes on."""
    run.mkdir(parents=True, exist_ok=True)
    rules = run / RULES
    write_whole(rules, dump_ruleset(ruleset).encode())
    how = {**SCHOOLS[ruleset.spec.name].copies, **rivals_of_copies(ruleset), **settings}
    config = adapting_config(agent, "tuned", rules, run, decisions, SEED, **how)
    TrainingRun(config, resume=True, ruleset=ruleset).train()


def main() -> None:
    """Train and play."""
    torch.set_num_threads(1)
    asked = tyro.cli(Arguments, description=__doc__)
    agent = PolicyAgent.load(find_policy("adept", asked.game))
    given = {"learning_rate": asked.learning_rate, "epochs": asked.epochs}
    settings = {key: value for key, value in given.items() if value is not None}
    for name in asked.names:
        ((ruleset,),) = held_out(name, asked.game).values()
        run = asked.folder / "-".join([name, *map("{:g}".format, settings.values())])
        begun = time.process_time()
        train_copy(agent, ruleset, run, asked.decisions, **settings)
        spent = round(time.process_time() - begun)
        found = footing_against(
            f"ppo:{run}", measures_of(ruleset).player, ruleset, DEALS, DEALS_SEED
        )
        told = {"ruleset": name, **settings, "decisions": asked.decisions, "seconds": spent}
        print(json.dumps({**told, "share": found.percent}), flush=True)


if __name__ == "__main__":
    main()
