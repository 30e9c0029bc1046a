"""How much of the true gain `exploit` finds, where the truth is known: search, and training by budget.

    python benchmarks/known_gains.py [--seed 1]

A policy is trained for a while by self-play on each small game. What a best response wins against it, and what the
responses that were found win, is then computed from the whole tree. Prints a table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from channel_tunnel_agents.exact.solving import answer, play_value
from channel_tunnel_agents.exact.tree import GameTree, grow_tree
from channel_tunnel_agents.learning.config import NEVER, make_config
from channel_tunnel_agents.learning.exploit import search_response, train_response
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games import is_game
from channel_tunnel_env.tracks import load_track

GAMES = {each.key: each.ruleset for each in load_track("exact-v1").exact}
LEARNED = 5_000  # decisions of the policy that is attacked
BUDGETS = (20_000, 100_000, 300_000)  # decisions of each learner
SEARCHED = 5_000  # decisions of the largest game in which a search is asked at every one
SMALL: dict[str, Any] = {"num_games": 64, "steps": 32, "batch_size": 512, "width": 64, "depth": 2, "device": "cpu"}
FAST: dict[str, Any] = {"threads": 1, "evaluate_every": NEVER, "evaluate_games": 1}


def found_shares(ruleset: str, folder: Path, seed: int) -> list[str]:
    """The true gain against a policy, and the share of it that each method finds, as cells of a table."""
    rules = load_ruleset(ruleset)
    learned = {"run": str(folder / "policy"), "ruleset": ruleset, "decisions": LEARNED, "seed": seed}
    network = {"network": FORMS[rules.spec.name].networks[0]}
    TrainingRun(make_config({**learned, **SMALL, **FAST, **network})).train()
    victim = PolicyAgent.load(folder / "policy", rules)
    tree = grow_tree(rules, victim)
    known = answer(tree)
    truth = known.nash_conv / 2
    responses: list[Any] = [search_response(victim, seed=seed)] if len(tree.actions) <= SEARCHED else []
    for budget in BUDGETS:
        run = folder / f"response-{budget}"
        changes = {key: SMALL[key] for key in ("num_games", "steps", "batch_size", "device")}
        responses.append(train_response(victim, run, budget, ruleset=ruleset, seed=seed, **changes, **FAST))
    gains = [gain(tree, grow_tree(rules, response)) for response in responses]
    shares = [f"{gain / truth:.0%}" if truth > 0.005 else "-" for gain in gains]
    return [f"{truth:.3f}", *["-"] * (1 + len(BUDGETS) - len(shares)), *shares]


def gain(victim: GameTree, response: GameTree) -> float:
    """What a response wins of a victim a game, in the mean of both seats."""
    results = []
    for seat in (0, 1):
        mixed = [
            one if whose == seat else other
            for one, other, whose in zip(response.play, victim.play, victim.whose, strict=True)
        ]
        results.append(play_value(replace(victim, play=mixed)))
    return (results[0] - results[1]) / 2


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="*", help=", ".join(GAMES))
    given = parser.parse_args()
    if unknown := set(given.games) - set(GAMES):
        parser.error(f"no such game: {', '.join(sorted(unknown))}; there are {', '.join(GAMES)}")
    print("| game | true gain | search | " + " | ".join(f"training, {budget:,}" for budget in BUDGETS) + " |")
    print("|---" * (3 + len(BUDGETS)) + "|")
    for name in given.games or GAMES:
        if name == GAMES[name] and not is_game(name):
            print(f"| {name}: pip install ./docs/examples/exact_games |", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            print(f"| {name} | " + " | ".join(found_shares(GAMES[name], Path(folder), given.seed)) + " |", flush=True)


if __name__ == "__main__":
    main()
