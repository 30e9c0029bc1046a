"""How a policy for all rulesets plays rules that designers might write and training never saw.

    python benchmarks/held_out.py list                       # the rulesets of held_out.yaml
    python benchmarks/held_out.py against heuristic          # adept, on all of them
    python benchmarks/held_out.py against heuristic --agent ppo:runs/adept --deals 400 --out shares.json
    python benchmarks/held_out.py against greedy --game carcassonne     # those of held_out_carcassonne.yaml

`against` prints the share of the agent over both seats of each deal (a draw is half), its 95 % interval over deals,
the share of the better seat whoever plays it, and the games that were stopped without result. At a table of n seats the
rival sits in all of them but one, in turn, and equals have 1/n each. Seeds of deals are no seeds of training.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import tyro
import yaml

from channel_tunnel_agents import evaluate
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.statistics import estimate_share
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.outside.files import write_whole

HERE = Path(__file__).parent
Game = Literal["tunnel_1987", "carcassonne"]
LISTS = {
    "tunnel_1987": ("standard", HERE / "held_out.yaml"),
    "carcassonne": ("carcassonne", HERE / "held_out_carcassonne.yaml"),
}
"""Game -> the base of its rulesets, and what each changes."""


@dataclass(frozen=True)
class List:
    """Name, digest and changed figures of each ruleset."""

    game: Game = "tunnel_1987"
    """Whose rulesets."""


@dataclass(frozen=True)
class Against:
    """Play an agent against another one on every ruleset."""

    rival: tyro.conf.Positional[str]
    """Against whom."""
    agent: str = "adept"
    """Who reads the rules."""
    game: Game = "tunnel_1987"
    """Whose rulesets."""
    deals: int = 400
    """Each with both seatings."""
    seed: int = 30_000
    """Of the deals."""
    only: str | None = None
    """A ruleset or a group; all if left out."""
    out: Path | None = None
    """A JSON file for the shares."""


def held_out(only: str | None = None, game: Game = "tunnel_1987") -> dict[str, list[Ruleset]]:
    """The rulesets of each group of a game's list, or of one group, or one ruleset."""
    base, path = LISTS[game]
    groups = yaml.safe_load(path.read_text(encoding="utf-8"))
    found = {
        group: [
            load_ruleset({"base": base, "name": name} | changes)
            for name, changes in rulesets.items()
            if only in (None, group, name)
        ]
        for group, rulesets in groups.items()
    }
    return {group: rulesets for group, rulesets in found.items() if rulesets}


def list_rulesets(game: Game) -> None:
    """One line a ruleset."""
    usual, space = load_ruleset(LISTS[game][0]), SPACES[game]
    figures = space.rules_of(usual).items()
    for group, rulesets in held_out(game=game).items():
        for ruleset in rulesets:
            changed = len(space.rules_of(ruleset).items() - figures)
            print(f"{group:<6}{ruleset.name:<16}{ruleset.digest}  {changed} figures differ")


def of_two_seats(arguments: Against, ruleset: Ruleset) -> list[float]:
    """The share of the agent with its interval, the better seat's, and the games without result, all in %."""
    one, other = (make_agent(name, ruleset, arguments.seed) for name in (arguments.agent, arguments.rival))
    home, away = play_pair(one, other, arguments.deals, arguments.seed, ruleset)
    first, second = ruleset.seats
    points = np.concatenate([home.points(first), away.points(second)])
    share = estimate_share(points, np.tile(np.arange(home.games), 2))
    of_first = np.concatenate([home.points(first), away.points(first)]).mean()
    stopped = (home.stopped + away.stopped) / (home.games + away.games)
    return [share.value, share.low, share.high, max(of_first, 1 - of_first), stopped]


def of_many_seats(arguments: Against, ruleset: Ruleset) -> list[float]:
    """As `of_two_seats`; the better seat is that in which the agent wins most."""
    (found,) = evaluate(arguments.agent, [arguments.rival], arguments.deals, ruleset=ruleset, seed=arguments.seed)
    share, best = found.points, max(each.value for each in found.seats.values())
    return [share.value, share.low, share.high, best, found.stopped / found.games]


def against(arguments: Against) -> None:
    """One line a ruleset, and the mean and lowest share of each group."""
    shares: dict[str, dict[str, list[float]]] = {}
    for group, rulesets in held_out(arguments.only, arguments.game).items():
        shares[group] = {}
        for ruleset in rulesets:
            seats = ruleset.num_seats
            play = of_two_seats if seats == 2 else of_many_seats
            found = [round(100 * x, 2) for x in play(arguments, ruleset)]
            shares[group][ruleset.name] = found
            value, low, high, seat, stopped = found
            even = f"  even {100 / seats:.1f} %" if seats > 2 else ""
            print(
                f"{group:<6}{ruleset.name:<16}{value:5.1f} % [{low:.1f}, {high:.1f}]  "
                f"better seat {seat:.1f} %  stopped {stopped:.1f} %{even}",
                flush=True,
            )
        values = [found[0] for found in shares[group].values()]
        print(f"{group}: mean {np.mean(values):.1f} %, lowest {min(values):.1f} %", flush=True)
    if arguments.out:
        text = json.dumps({**vars(arguments), "out": None, "shares": shares}, indent=1)
        write_whole(arguments.out, text.encode())


def main() -> None:
    """List the rulesets or play on them."""
    torch.set_num_threads(1)
    chosen = tyro.extras.subcommand_cli_from_dict({"list": List, "against": Against})
    if isinstance(chosen, List):
        list_rulesets(chosen.game)
    else:
        against(chosen)


if __name__ == "__main__":
    main()
