"""What one policy for every ruleset lacks on one: `adept` on rulesets that it was never trained on.

    python benchmarks/adept.py list                            # the rulesets kept out of training
    python benchmarks/adept.py against heuristic frozen:master # on all of them, paired deals
    python benchmarks/adept.py play runs/adept-proof           # against a policy trained for each, paired deals
    python benchmarks/adept.py play runs/adept-proof --way retrained --decisions 12000000
    python benchmarks/adept.py play runs/adept-proof --rival ppo:runs/one --first 2 --count 1
    python benchmarks/adept.py cards runs/adept-proof          # what a card is worth, to adept and to that policy
    python benchmarks/adept.py sweeps runs/adept-sweeps        # effects of single figures: at once, and retrained
    python benchmarks/adept.py effects runs/adept-sweeps       # the same copies on more deals, and other agents

`play`: the rival goes on from adept's weights (`tuned`), or learns from nothing (`retrained`), on the one ruleset
alone. Shares are adept's, over both seats of each deal, with 95 % intervals. `sweeps` runs the command `sweep`
for each figure; the gap in `britain_wins` is adept's error. `effects` trains nothing: it plays agents and the copies
of such a folder on other deals, and tells the error of the share and that of its change from the base. A stopped
command goes on.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from numpy.typing import NDArray

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.balance.changing.adapt import (
    TUNED_DECISIONS,
    Way,
    adapt_all,
    name_of_adapted,
    plan_adaptation,
)
from channel_tunnel_agents.balance.changing.overlay import dump_ruleset
from channel_tunnel_agents.balance.changing.sweep import (
    GAP,
    Sweep,
    plan_sweep,
    play_sweep,
    point_folder,
)
from channel_tunnel_agents.balance.changing.sweep_report import write_report
from channel_tunnel_agents.games.tunnel_1987.measuring.card_effects import measure_card_effects
from channel_tunnel_agents.matches.arena import play_match, play_pair
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.statistics import Estimate, estimate_mean
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import write_whole

HELD_OUT_SEED = 20_261_123  # training draws with the seed of its config, a small number
HELD_OUT = 12
VERSION = 1  # of the distribution that they are draws of
FIGURES = (
    "storage.britain=1,3",
    "deviation.water_draws.britain=1,3",
    "barriers.france.a.0=0,4",
    "scoring.centre_bonus=0,6",
    "scoring.political_duel=1,5",
    "extra_finance=2,5",
    "discs.hand=8,12",
    "head_start.allowance.france=-2,2",
    "switches.final_tunnel_deviation_check=true",
)
"""One figure of `standard` at a time."""


@dataclass(frozen=True)
class List:
    """Name, digest and size of each ruleset kept out of training."""


@dataclass(frozen=True)
class Against:
    """Play adept against other agents on the rulesets kept out, without training."""

    rivals: tyro.conf.Positional[tuple[str, ...]]
    """Against whom."""
    agent: str = "adept"
    """Who reads the rules."""
    deals: int = 500
    """Each with both seatings."""
    seed: int = 20_000
    """Of the deals."""


@dataclass(frozen=True)
class Trained:
    """The agent beside policies that are trained for one ruleset each."""

    folder: tyro.conf.Positional[Path]
    """Keeps the training runs and the games."""
    agent: str = "adept"
    """Who reads the rules."""
    way: Way = "tuned"
    """How the others are trained."""
    decisions: int = TUNED_DECISIONS
    """Of each training run."""
    deals: int = 2000
    """Of each match, with both seatings, or of each setting."""
    seed: int = 20_000
    """Of training and deals."""


@dataclass(frozen=True)
class Proof(Trained):
    """On the rulesets kept out."""

    first: int = 0
    """Of the rulesets ..."""
    count: int = HELD_OUT
    """... and how many."""
    rival: str | None = None
    """Plays in place of the trained policies; nothing is trained."""

    def rulesets(self) -> list[Ruleset]:
        """Those asked for."""
        return held_out()[self.first : self.first + self.count]


@dataclass(frozen=True)
class Play(Proof):
    """Train a policy for each ruleset kept out, and play it against adept."""


@dataclass(frozen=True)
class Cards(Proof):
    """Train a policy for each ruleset kept out, and compare what each card is worth in its play and in adept's."""


@dataclass(frozen=True)
class Sweeps(Trained):
    """Sweep each figure, with the agent at once and adapted."""

    figures: tuple[str, ...] = FIGURES
    """As `sweep --param` takes them."""


@dataclass(frozen=True)
class Effects:
    """Play agents and the copies that `sweeps` trained, each against itself, on the same new deals."""

    folder: tyro.conf.Positional[Path]
    """Of `sweeps`."""
    agents: tuple[str, ...] = ("adept", "frozen:master")
    """Who is compared with the copies."""
    way: Way = "tuned"
    """How the copies were trained."""
    deals: int = 10_000
    """Of each setting."""
    seed: int = 500_000
    """Of the deals."""


def held_out() -> list[Ruleset]:
    """The rulesets kept out of training."""
    return SPACES[DEFAULT_GAME].at(VERSION).draw(HELD_OUT, HELD_OUT_SEED)


def in_percent(found: Estimate, form: str = ".1f") -> tuple[str, str]:
    """The value and its interval, in hundredths."""
    low, value, high = (f"{100 * x:{form}}" for x in (found.low, found.value, found.high))
    return value, f"[{low}, {high}]"


def list_rulesets() -> None:
    """One line a ruleset: its name, its digest and how many of its figures the standard one has not."""
    standard, space = load_ruleset("standard"), SPACES[DEFAULT_GAME]
    usual = space.rules_of(standard).items()
    for ruleset in held_out():
        changed = len(space.rules_of(ruleset).items() - usual)
        print(f"{ruleset.name}  {ruleset.digest}  {changed} figures differ from {standard.name}")


def against(arguments: Against) -> None:
    """One line a rival: the agent's share of all games, the interval over rulesets, and the worst ruleset."""
    rulesets = held_out()
    for rival in arguments.rivals:
        shares = []
        for ruleset in rulesets:
            agents = (
                make_agent(name, ruleset, arguments.seed) for name in (arguments.agent, rival)
            )
            home, away = play_pair(*agents, arguments.deals, arguments.seed, ruleset)
            shares.append(float((home.points("britain") + away.points("france")).mean()) / 2)
        value, interval = in_percent(estimate_mean(np.array(shares)))
        print(
            f"{arguments.agent} v {rival}: {value} % {interval} of the games on {len(shares)} rulesets, "
            f"from {100 * min(shares):.1f} to {100 * max(shares):.1f} %",
            flush=True,
        )


def play(arguments: Play) -> None:
    """One line a ruleset, and the mean of all."""
    shares, errors = [], []
    for ruleset in arguments.rulesets():
        file, rival = adapted(arguments, ruleset)
        settings = Tournament((arguments.agent, rival), arguments.deals, arguments.seed, str(file))
        results = play_tournament(settings, workers=1)
        pair = results.pair(0, 1)
        shares.append(pair.both.share)
        sides = [100 * results.first_seat((i, i)).share for i in range(2)]
        errors.append(sides[1] - sides[0])
        print(
            f"{ruleset.name}: {pair.both} of the games; Britain wins {sides[0]:.1f} % of adept's own games, "
            f"{sides[1]:.1f} % of the rival's",
            flush=True,
        )
    if len(shares) > 1:
        value, interval = in_percent(estimate_mean(np.array(shares)))
        print(f"mean of {len(shares)} rulesets: {value} % {interval}")
    print(f"Britain's share of wins: mean error {np.mean(np.abs(errors)):.1f} points")


def cards(arguments: Cards) -> None:
    """One line a ruleset: how far adept's card effects lie from those of the policy trained for it."""
    for ruleset in arguments.rulesets():
        file, rival = adapted(arguments, ruleset)
        rules = load_ruleset(file)
        one, other = (
            measure_card_effects(name, rules, arguments.deals, arguments.seed, workers=1)
            for name in (arguments.agent, rival)
        )
        effects = np.array([[card.both.value for card in found.cards] for found in (one, other)])
        changes = np.array(
            [np.subtract(b.by_deal, a.by_deal) for a, b in zip(one.cards, other.cards, strict=True)]
        )
        noise = changes.var(axis=1, ddof=1) / arguments.deals
        # What both agents' luck adds to the mean square is known, and taken off.
        error = max(0.0, float(np.mean(np.diff(effects, axis=0)[0] ** 2 - noise))) ** 0.5
        spread = float(effects[1].std())
        print(
            f"{ruleset.name}: {len(one.cards)} cards, error {100 * error:.1f} points (root mean square, noise taken off), "
            f"where the effects themselves spread by {100 * spread:.1f}; correlation {np.corrcoef(effects)[0, 1]:.2f}",
            flush=True,
        )


def adapted(arguments: Proof, ruleset: Ruleset) -> tuple[Path, str]:
    """The ruleset's file, and the name of the policy that is trained for it, now or before, or of the rival."""
    file = arguments.folder / f"{ruleset.name}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, dump_ruleset(ruleset).encode())
    if arguments.rival is not None:
        return file, arguments.rival
    agent = make_agent(arguments.agent, ruleset)
    assert isinstance(agent, PolicyAgent)
    run = arguments.folder / f"{ruleset.name}-{arguments.way}"
    planned = plan_adaptation(agent, arguments.way, file, run, arguments.decisions, arguments.seed)
    adapt_all([planned] if planned else [], 1, lambda line: None)
    return file, name_of_adapted(agent, run)


def sweeps(arguments: Sweeps) -> None:
    """One line a setting but the base: adept's error in the first seat's share of wins, in points."""
    errors, base_run = [], None
    for figure in arguments.figures:
        key = figure.partition("=")[0]
        sweep = Sweep(
            (figure,),
            agent=arguments.agent,
            deals=arguments.deals,
            seed=arguments.seed,
            adapt=arguments.way,
            decisions=arguments.decisions,
        )
        folder, plan = arguments.folder / key, plan_sweep(sweep)
        run = point_folder(plan.points[0], folder) / f"{arguments.way}-run"
        if base_run is not None and not run.exists():  # the base is the same ruleset in every sweep
            shutil.copytree(base_run, run)
        base_run = run
        swept = play_sweep(plan, folder, 1, report=lambda line: None)
        write_report(swept, folder)
        for each in swept.figures:
            if each.way == GAP and each.measure.name == "britain_wins" and not each.point.is_base:
                errors.append(abs(each.found.value))
                value, interval = in_percent(each.found, "+.1f")
                print(f"{each.point.name}: retrained less adept {value} {interval}", flush=True)
    print(f"mean error of {len(errors)} settings: {100 * sum(errors) / len(errors):.1f} points")


def effects(arguments: Effects) -> None:
    """One line a setting and agent: the first seat's share and its change from the base, each beside the copy's."""
    base_gaps: dict[str, NDArray[np.float64]] = {}
    errors: dict[str, list[NDArray[np.float64]]] = {agent: [] for agent in arguments.agents}
    for folder, rules in settings_of(arguments.folder):
        copy = f"ppo:{folder / f'{arguments.way}-run'}"
        results = {
            name: first_seat_points(name, rules, arguments.deals, arguments.seed)
            for name in (copy, *arguments.agents)
        }
        gaps = {agent: results[copy] - results[agent] for agent in arguments.agents}
        base_gaps = base_gaps or gaps
        for agent, gap in gaps.items():
            turn = gap - base_gaps[agent]
            shares = [f"{100 * results[name].mean():.1f}" for name in (agent, copy)]
            if gaps is not base_gaps:
                errors[agent].append(np.abs([gap.mean(), turn.mean()]))
            told = (" ".join(in_percent(estimate_mean(each), "+.1f")) for each in (gap, turn))
            print(
                "{}: {} {} %, copy {} %; copy less agent {}, in the change {}".format(
                    folder.name, agent, *shares, *told
                ),
                flush=True,
            )
    for agent, found in errors.items():
        of_share, of_change = 100 * np.mean(found, axis=0)
        print(
            f"{agent}: mean error of {len(found)} settings {of_share:.1f} points, of their changes {of_change:.1f}"
        )


def settings_of(folder: Path) -> list[tuple[Path, Ruleset]]:
    """The folders of all settings of some sweeps, with their rulesets: the base first, and once."""
    points = sorted(folder.glob("*/points/*"))
    rules = {point: load_ruleset(point / "ruleset.yaml") for point in points}
    base = load_ruleset("standard").digest
    changed = [(point, ruleset) for point, ruleset in rules.items() if ruleset.digest != base]
    return [next(each for each in rules.items() if each[1].digest == base), *changed]


def first_seat_points(name: str, rules: Ruleset, deals: int, seed: int) -> NDArray[np.float64]:
    """What the first seat has of each deal when an agent plays itself."""
    agents = (make_agent(name, rules, seed) for _ in rules.seats)
    return play_match(*agents, deals, seed, rules).points(rules.seats[0])


def main() -> None:
    """List, play, measure cards, sweep or compare effects."""
    torch.set_num_threads(1)
    arguments = tyro.cli(List | Against | Play | Cards | Sweeps | Effects, description=__doc__)  # type: ignore[call-overload]
    if isinstance(arguments, List):
        list_rulesets()
    elif isinstance(arguments, Against):
        against(arguments)
    elif isinstance(arguments, Play):
        play(arguments)
    elif isinstance(arguments, Cards):
        cards(arguments)
    elif isinstance(arguments, Effects):
        effects(arguments)
    else:
        sweeps(arguments)


if __name__ == "__main__":
    main()
