"""A sweep: the same deals at every setting of some numbers of a ruleset.

The agent plays itself at every setting: frozen, as it was trained, and on request adapted, by a
training run at every setting. The difference adapted - frozen is what frozen agents hide.

    OUT/points/SETTING/ruleset.yaml      the setting as an overlay
    OUT/points/SETTING/frozen/           its games (see `store`)
    OUT/points/SETTING/tuned-run/        the training run
    OUT/points/SETTING/tuned/            the adapted agent's games
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pandas as pd

from channel_tunnel_agents.balance.changing.adapt import (
    NO_TRAINING,
    Way,
    adapt_all,
    can_learn,
    default_decisions,
    how_it_adapts,
    name_of_adapted,
    plan_adaptation,
)
from channel_tunnel_agents.balance.changing.compare import Difference, compare
from channel_tunnel_agents.balance.changing.overlay import base_name, dump_overlay, make_overlay
from channel_tunnel_agents.balance.changing.parameters import (
    Parameter,
    Point,
    base_point,
    grid,
    read_parameters,
    value_text,
)
from channel_tunnel_agents.balance.measuring.knowledge import reader_note, unseen_lines
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.significance import holm, is_significant
from channel_tunnel_agents.base import FROZEN, AgentError, AnyAgent, agent_seed, reads_rules
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament, play_tournaments
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.rulesets.ruleset import load_ruleset

LONGEST_NAME = 120  # of a folder's name; a longer one is replaced by the ruleset's digest
GAP = "gap"


@dataclass(frozen=True)
class Sweep:
    """What is varied, and who plays how many games.

    Raises:
        AgentError: too few deals or decisions, or a measure named twice.
    """

    parameters: tuple[str, ...]
    """KEY=VALUES, as typed; see `parameters`."""
    ruleset: str = "standard"
    agent: str = ""
    """Plays every seat; if empty, who reads the rules, else club."""
    deals: int = 2000
    """Deals at every setting, always the same ones."""
    seed: int = 20_000
    """Seeds the deals, the agent's random stream and training."""
    measures: tuple[str, ...] = ()
    """Names; none: the game's main ones."""
    adapt: Way = NO_TRAINING
    decisions: int | None = None
    """Budget of each training run, decisions of both seats; None: see `default_decisions`."""

    def __post_init__(self) -> None:
        for name, value, least in (
            ("deals", self.deals, 2),
            ("decisions", 1 if self.decisions is None else self.decisions, 1),
        ):
            if value < least:
                raise AgentError(f"{name}: {value}; at least {least} needed")
        agent_seed(self.seed)
        if self.adapt == NO_TRAINING and self.decisions is not None:
            raise AgentError(
                f"decisions: {self.decisions:,}, and nothing is trained; --adapt tuned or --adapt retrained does"
            )
        if len(set(self.measures)) < len(self.measures):
            raise AgentError(f"measures: one is named twice in {', '.join(self.measures)}")


@dataclass(frozen=True)
class SweepFigure:
    """One measure at one setting.

    Attributes:
        way: frozen, tuned or retrained; or gap: adapted minus frozen, deal by deal.
        found: the figure; 95 % interval.
        change: change from the base on the same deals; None at the base and for a gap.
        p: p-value of no change, or of no gap; 1 at the base.
        p_holm: the same, corrected for all changes, or all gaps, of the sweep.
    """

    point: Point
    way: str
    measure: Measure
    found: Estimate
    change: Estimate | None
    deals: int
    p: float
    p_holm: float = 1.0

    @property
    def is_significant(self) -> bool:
        """Whether the change, or the gap, stands out from the noise of that many figures."""
        return is_significant(self.p_holm)


@dataclass(frozen=True)
class Swept:
    """A sweep's games.

    Attributes:
        points: the base, then the other settings; the base is first even if it is one of them.
        ways: frozen, and the adapted one if the agent was trained.
        notes: what a reader must know about the agents.
    """

    sweep: Sweep
    base: Ruleset
    parameters: tuple[Parameter, ...]
    points: Sequence[Point]
    ways: tuple[str, ...]
    games: Mapping[tuple[int, str], pd.DataFrame]
    notes: tuple[str, ...]

    @cached_property
    def measures(self) -> list[Measure]:
        """What is reported."""
        return measures_of(self.base).find(self.sweep.measures)

    @cached_property
    def figures(self) -> list[SweepFigure]:
        """Every measure at every setting, for each way; then the gaps."""
        gaps: list[SweepFigure] = []
        if len(self.ways) > 1:
            gaps = _corrected([f for i in range(len(self.points)) for f in self._gaps(i)])
        levels = [f for way in self.ways for i in range(len(self.points)) for f in self._at(i, way)]
        return _corrected(levels) + gaps

    def figures_of(self, point: Point, way: str) -> list[SweepFigure]:
        """In the order of the measures."""
        return [f for f in self.figures if f.point is point and f.way == way]

    def _at(self, i: int, way: str) -> list[SweepFigure]:
        point, games = self.points[i], self.games[i, way]
        changes = self._differences(self.games[0, way], games)
        return [
            SweepFigure(
                point,
                way,
                measure,
                measure.estimate(games),
                None if point.is_base else changes[measure.name].change,
                games["deal"].nunique(),
                changes[measure.name].p,
            )
            for measure in self.measures
        ]

    def _gaps(self, i: int) -> list[SweepFigure]:
        frozen, adapted = (self.games[i, way] for way in self.ways)
        found = self._differences(frozen, adapted)
        return [
            SweepFigure(self.points[i], GAP, m, found[m.name].change, None, found[m.name].deals, found[m.name].p)
            for m in self.measures
        ]

    def _differences(self, one: pd.DataFrame, other: pd.DataFrame) -> dict[str, Difference]:
        return {d.measure.name: d for d in compare(one, other, self.measures)}


def _corrected(figures: list[SweepFigure]) -> list[SweepFigure]:
    """Holm's correction over all of them; figures of the base are not tests."""
    tested = [f for f in figures if f.change is not None or f.way == GAP]
    if not tested:
        return figures
    corrected = iter(holm([f.p for f in tested]))
    wanted = {id(f) for f in tested}
    return [replace(f, p_holm=float(next(corrected))) if id(f) in wanted else f for f in figures]


@dataclass(frozen=True)
class SweepPlan:
    """A sweep whose arguments have been validated; nothing has been played yet."""

    sweep: Sweep
    base: Ruleset
    parameters: tuple[Parameter, ...]
    points: tuple[Point, ...]
    learner: PolicyAgent | None
    """The policy to train; None: no training."""
    notes: tuple[str, ...]

    @property
    def ways(self) -> tuple[str, ...]:
        """Frozen, and the adapted one if the agent is trained."""
        return (NO_TRAINING, self.sweep.adapt) if self.learner else (NO_TRAINING,)

    @property
    def total_games(self) -> int:
        """Number of games of all settings."""
        return len(self.points) * len(self.ways) * self.sweep.deals


def _usual_player(sweep: Sweep, game: str) -> str:
    """Who plays every setting; where it is to learn, a policy."""
    if sweep.adapt == NO_TRAINING:
        return shipped.player_of_any_rules(game)
    return shipped.READERS.get(game, shipped.USUAL)


def plan_sweep(sweep: Sweep) -> SweepPlan:
    """Validate a sweep: read the ruleset, the parameters and the agent.

    Raises:
        AgentError: an unknown agent, measure or parameter, a value that the ruleset refuses, a number of seats
            among the parameters, or a game in which nothing is measured.
        RulesetError: no such ruleset.
        VersionError: a policy of another observation or action version.
    """
    base = load_ruleset(sweep.ruleset)
    measures = measures_of(base).find(sweep.measures)
    agent = sweep.agent or _usual_player(sweep, base.spec.name)
    sweep = replace(sweep, agent=agent, measures=tuple(measure.name for measure in measures))
    parameters = read_parameters(sweep.parameters, base)
    settings = [point for point in grid(parameters, base) if not point.is_base]
    player = make_agent(FROZEN + agent, base)
    learner = player if sweep.adapt != NO_TRAINING and can_learn(player) else None
    assert learner is None or isinstance(learner, PolicyAgent)
    return SweepPlan(
        sweep,
        base,
        parameters,
        (base_point(parameters, base), *settings),
        learner,
        tuple(_notes(sweep, player, learner is not None, [base, *(p.ruleset for p in settings)])),
    )


def _notes(sweep: Sweep, agent: AnyAgent, learns: bool, rulesets: Sequence[Ruleset]) -> list[str]:
    policy, game = isinstance(agent, PolicyAgent), rulesets[0].spec.name
    if learns:
        decisions = sweep.decisions or default_decisions(sweep.adapt, game)
        start = "from the frozen policy" if sweep.adapt == "tuned" else "from nothing"
        return [
            f"{sweep.agent} was {sweep.adapt} {start} at every setting, the base included, for "
            f"{decisions:,} decisions; the gap is adapted less frozen on the same deals."
        ]
    if policy and sweep.adapt == NO_TRAINING and reads_rules(agent):
        return [
            f"{reader_note(sweep.agent, rulesets[0])} It may not find all that players trained for one setting would; "
            "--adapt tuned looks for that.",
            *unseen_lines([sweep.agent], rulesets),
        ]
    if policy and sweep.adapt == NO_TRAINING:
        return [
            f"{sweep.agent} is frozen: it plays every setting as it learnt another. Balance that it shows "
            "may be gone once players adapt; --adapt tuned looks for that."
        ]
    if policy:
        return [f"{sweep.agent} holds only one side's policy, so it is played frozen."]
    return [f"{sweep.agent} {how_it_adapts(agent)}."]


def play_sweep(
    plan: SweepPlan,
    out: Path | None,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    report: Callable[[str], object] = print,
) -> Swept:
    """Train if requested, then play every setting.

    Args:
        out: folder that keeps games and training runs, so that a stopped sweep resumes; None: keep
            nothing, which is not allowed with training.
        workers: processes; None: every core, one for a short sweep. The games do not depend on it.
        progress: called with the number of games just finished.
        report: called with one line when training runs begin or end.

    Raises:
        AgentError: training without a folder, or a run of another config in it.
        StoreError: the folder holds games played with other arguments.
    """
    if plan.learner and out is None:
        raise AgentError(f"--adapt {plan.sweep.adapt}: --out FOLDER is needed for the training runs")
    matches = [_match(plan, point, NO_TRAINING, plan.sweep.agent, out) for point in plan.points]
    if plan.learner and out is not None:
        names = _train_all(plan, plan.learner, out, workers, report)
        matches += [
            _match(plan, point, plan.sweep.adapt, name, out) for point, name in zip(plan.points, names, strict=True)
        ]
    played = play_tournaments([(match.tournament, match.folder) for match in matches], progress, workers)
    games = [results.store.read("games") for results in played]
    keys = [(i, way) for way in plan.ways for i in range(len(plan.points))]
    return Swept(
        plan.sweep, plan.base, plan.parameters, plan.points, plan.ways, dict(zip(keys, games, strict=True)), plan.notes
    )


@dataclass(frozen=True)
class Match:
    """The games of one setting."""

    tournament: Tournament
    folder: Path | None


def play_mirror(match: Match, workers: int | None = 1) -> pd.DataFrame:
    """The games table of an agent against itself."""
    results = play_tournament(match.tournament, workers=workers, folder=match.folder)
    return results.store.read("games")


def _match(plan: SweepPlan, point: Point, way: str, agent: str, out: Path | None) -> Match:
    sweep = plan.sweep
    name = FROZEN + agent if way == NO_TRAINING else agent
    tournament = Tournament((name,), sweep.deals, sweep.seed, point.ruleset, mirror=True)
    return Match(tournament, None if out is None else point_folder(point, out) / way)


def _train_all(
    plan: SweepPlan, learner: PolicyAgent, out: Path, workers: int | None, report: Callable[[str], object]
) -> list[str]:
    """Train; returns the names of the adapted agents, one per setting."""
    way, names, todo = plan.sweep.adapt, [], []
    decisions = plan.sweep.decisions or default_decisions(way, plan.base.spec.name)
    for point in plan.points:
        folder = point_folder(point, out)
        ruleset, run = folder / "ruleset.yaml", folder / f"{way}-run"
        write_ruleset(ruleset, plan, point)
        planned = plan_adaptation(learner, way, ruleset, run, decisions, plan.sweep.seed)
        if planned is not None:
            todo.append(planned)
        names.append(name_of_adapted(learner, run))
    if todo:
        report(f"{len(todo)} training runs of {decisions:,} decisions")
    adapt_all(todo, workers, report)
    return names


def write_ruleset(path: Path, plan: SweepPlan, point: Point) -> None:
    """Write a setting as an overlay that any command can load."""
    path.parent.mkdir(parents=True, exist_ok=True)
    overlay = make_overlay(base_name(plan.sweep.ruleset), plan.base, point.ruleset, point.changes)
    write_whole(path, dump_overlay(overlay).encode())


def point_folder(point: Point, out: Path) -> Path:
    """The folder of a setting: `points/discs.hand=9,extra_finance=2`."""
    name = ",".join(f"{key}={value_text(value)}" for key, value in point.values.items())
    return out / "points" / (name if len(name) <= LONGEST_NAME else point.ruleset.digest)
