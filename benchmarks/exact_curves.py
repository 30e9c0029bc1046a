"""How far baselines are from perfect play where it is known: exact exploitability by decisions, and beside strength.

    pip install ./docs/examples/exact_games
    python benchmarks/exact_curves.py runs/exact           # ten minutes of a core; a stopped run goes on

Self-play PPO (the engine torch), the same with much entropy, and MaskablePPO as it comes (`maskable_ppo.py`) learn each game from five seeds. A
tree search needs no training. All luck is counted through, so a point has no error of its own. No setting was tuned for a game, but that much
entropy helps was seen on one seed of each. Writes docs/images/exact-curves.png and .csv: results in stakes, exploitability and what a game against `random` brings, in the
mean of both seats.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pandas as pd
from known_gains import FAST, GAMES, SMALL, gain
from maskable_ppo import GAMES as ROWS
from maskable_ppo import SEATS, SETTINGS, new_model
from matplotlib.figure import Figure

from channel_tunnel_agents.base import AnyAgent
from channel_tunnel_agents.exact.solving import answer
from channel_tunnel_agents.exact.tree import GameTree, grow_tree
from channel_tunnel_agents.learning.config import make_config
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.own_agents import Sb3Agent
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, load_ruleset

IMAGES = Path(__file__).parents[1] / "docs" / "images"
PLAYED = ("kuhn", "leduc", "liars_dice")  # with hidden information: there good play is mixed
DECISIONS, POINTS = 400_000, 8
SEEDS = range(1, 6)
STOCK, SEARCH = "MaskablePPO", "ismcts"
SEARCHES = tuple(f"{SEARCH}:{count}" for count in (30, 100, 300, 1000))  # simulations
LEARNERS = {"self-play PPO": {}, "with entropy 0.1": {"entropy": 0.1, "final_entropy": 0.1}}
COLOURS = {"self-play PPO": "#12355b", "with entropy 0.1": "#3f9bbf", STOCK: "#b5651d", SEARCH: "#5a7d2a"}
COLUMNS = ["game", "agent", "seed", "decisions", "exploitability", "v_random"]


def judged(ruleset: Ruleset, agent: AnyAgent, uniform: GameTree) -> tuple[float, float]:
    """The exploitability of an agent, and what it wins of uniform play a game."""
    tree = grow_tree(ruleset, agent)
    return answer(tree).exploitability, gain(uniform, tree)


def own_curve(ruleset: Ruleset, own: dict[str, Any]) -> Iterator[tuple[int, AnyAgent]]:
    """The snapshots of a self-play run and its end; they draw their actions."""
    run = Path(own["run"])
    network = {"network": FORMS[ruleset.spec.name].networks[0]}
    settings = {**SMALL, **FAST, **network, "decisions": DECISIONS, "snapshots": POINTS, "engine": "torch"}
    TrainingRun(make_config(settings | own), resume=run.exists()).train()
    for place in sorted((run / "snapshots").glob("*/")):  # named by their decisions
        yield int(place.name), PolicyAgent.load(place, ruleset, greedy=False)
    yield DECISIONS, PolicyAgent.load(run, ruleset, greedy=False)


def stock_curve(name: str, seed: int) -> Iterator[tuple[int, AnyAgent]]:
    """MaskablePPO against itself, as often."""
    model = new_model(name, seed)
    rows = ROWS * SETTINGS["n_steps"]
    updates = DECISIONS // SEATS // rows // POINTS
    for point in range(1, POINTS + 1):
        model.learn(updates * rows, reset_num_timesteps=False)
        yield point * updates * rows * SEATS, Sb3Agent(model, greedy=False)


def rows_of(game: str, folder: Path) -> Iterator[tuple[str, str, int, int, float, float]]:
    """The points of every agent on a game."""
    name = GAMES[game]
    ruleset = load_ruleset(name)
    uniform = grow_tree(ruleset, make_agent("random", ruleset))
    for name_of, seed in itertools.product(SEARCHES, SEEDS):
        yield game, name_of, seed, 0, *judged(ruleset, make_agent(name_of, ruleset, seed), uniform)
    for seed in SEEDS:
        for learner, settings in LEARNERS.items():
            run = folder / game / f"{learner.replace(' ', '-')}-{seed}"
            own = {"run": str(run), "ruleset": name, "seed": seed, **settings}
            for decisions, agent in own_curve(ruleset, own):
                yield game, learner, seed, decisions, *judged(ruleset, agent, uniform)
        for decisions, agent in stock_curve(name, seed):
            yield game, STOCK, seed, decisions, *judged(ruleset, agent, uniform)


def draw(found: pd.DataFrame) -> Figure:
    """A column a game: exploitability by decisions, and beside what is won of uniform play."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    panels = figure.subplots(2, len(PLAYED))
    for (above, below), (game, part) in zip(panels.T, found.groupby("game", sort=False), strict=True):
        searches = part["agent"].str.startswith(SEARCH)
        for (agent, _), line in part[~searches].groupby(["agent", "seed"], sort=False):
            above.plot(line["decisions"] / 1000, line["exploitability"], color=COLOURS[str(agent)], lw=0.9)
            below.plot(*line.iloc[-1][["v_random", "exploitability"]], "o", ms=3, color=COLOURS[str(agent)])
        for _, same in part[searches].groupby("agent", sort=False):
            middle = same[["v_random", "exploitability"]].median()
            above.axhline(middle["exploitability"], color=COLOURS[SEARCH], lw=0.6, ls=":")
            below.plot(same["v_random"], same["exploitability"], ".", ms=3, color=COLOURS[SEARCH])
        above.set(title=str(game), xlabel="thousand decisions")
        below.set(xlabel="won v random")
        for axis in (above, below):
            axis.set_ylim(bottom=0)
    panels[0, 0].set_ylabel("exploitability")
    panels[1, 0].set_ylabel("exploitability")
    for kind, colour in COLOURS.items():
        panels[0, -1].plot([], [], color=colour, label=kind)
    panels[0, -1].legend(frameon=False, fontsize=8)
    return figure


def main(out: Path) -> None:
    """Train and judge what is missing, and draw."""
    for game in PLAYED:
        kept = out / f"{game}.csv"
        if not kept.exists():
            table = pd.DataFrame(rows_of(game, out), columns=COLUMNS)
            out.mkdir(parents=True, exist_ok=True)
            table.to_csv(kept, index=False, float_format="%.4f")
    found = pd.concat([pd.read_csv(out / f"{game}.csv") for game in PLAYED])
    found.to_csv(IMAGES / "exact-curves.csv", index=False)
    draw(found).savefig(IMAGES / "exact-curves.png", dpi=150)
    print(found.groupby(["game", "agent"], sort=False)[["exploitability", "v_random"]].last())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
