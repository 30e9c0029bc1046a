"""How far verdicts on rules lie from what much better players get: the rulesets of verdict_controls.yaml.

    python benchmarks/verdict_controls.py train runs/references            # hours; a stopped run goes on
    python benchmarks/verdict_controls.py train runs/references 600000     # a first, coarser look; the next one goes on

The references are policies with several times the training of a report's, from other seeds, with best responses to
them. They are kept apart from the policies that reports train.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
if __name__ == "__main__":  # before the package reads it; the processes that train inherit it
    os.environ["CHANNEL_TUNNEL_TUNED"] = sys.argv[2]

import yaml

from channel_tunnel_agents.balance.empirical.payoffs import play_payoffs
from channel_tunnel_agents.balance.empirical.value import PolicyError, solve_game
from channel_tunnel_agents.balance.players.population import Budget, population_of, train_answers, train_apart
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.outside.files import write_whole

CONTROLS = Path(__file__).with_suffix(".yaml")
BASES = {"tunnel_1987": "standard", "carcassonne": "carcassonne"}
DEALS = 2_000
BUDGET = 3_000_000
FOUND = "references.json"


def controls() -> tuple[list[Ruleset], tuple[int, ...]]:
    """The rulesets, and the seeds of the reference policies."""
    document = yaml.safe_load(CONTROLS.read_text(encoding="utf-8"))
    rulesets = [load_ruleset({"base": BASES[entry.pop("game")], **entry}) for entry in document["rulesets"]]
    return rulesets, tuple(document["seeds"])


def train(folder: Path, decisions: int = BUDGET) -> None:
    """Train the references, ruleset by ruleset, and write what each seat gets."""
    rulesets, seeds = controls()
    budget = Budget(decisions, decisions // 2, seeds)
    found = json.loads((folder / FOUND).read_text()) if (folder / FOUND).exists() else {}
    for ruleset in rulesets:
        if found.get(ruleset.name, {}).get("decisions", 0) >= decisions:
            continue
        begun = time.time()
        population = train_apart(population_of(ruleset), budget)
        apart = play_payoffs(population.names, ruleset, DEALS)
        mixtures = solve_game(apart, (), PolicyError(0, 0)).equilibrium.mixtures
        population = train_answers(population, apart, mixtures, budget)
        payoffs = play_payoffs(population.names, ruleset, DEALS, known=apart)
        solved = solve_game(payoffs, population.answers, PolicyError(0, 0))
        found[ruleset.name] = {
            "digest": ruleset.digest,
            "decisions": decisions,
            "players": list(payoffs.names),
            "first": payoffs.own()[0].tolist(),
            "mixtures": solved.equilibrium.mixtures.tolist(),
            "share": solved.seats[0].share.value,
            "bracket": solved.seats[0].bracket,
            "deals_error": solved.seats[0].deals_error,
        }
        write_whole(folder / FOUND, (json.dumps(found, indent=1) + "\n").encode())
        print(
            f"{ruleset.name}: {found[ruleset.name]['share']:.3f} {solved.seats[0].bracket}, {time.time() - begun:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    train(Path(sys.argv[2]), *map(int, sys.argv[3:]))
