"""A sweep: the same deals at every setting of some numbers of a ruleset.

The agent plays itself at every setting: frozen, as it was trained, and on request adapted, by a
training run at every setting. The difference adapted - frozen is what frozen agents hide.

    OUT/points/SETTING/ruleset.yaml      the setting as an overlay
    OUT/points/SETTING/frozen/           its games (see `store`)
    OUT/points/SETTING/tuned-run/        the training run
    OUT/points/SETTING/tuned/            the adapted agent's games
    OUT/sweep.csv, .json, .svg           every figure, and curves
"""

from __future__ import annotations

import io
import json
import math
import shlex
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from channel_tunnel_agents.balance.changing.adapt import NO_TRAINING, Way, adapt_all, adapting_config, default_decisions
from channel_tunnel_agents.balance.changing.compare import differences
from channel_tunnel_agents.balance.changing.overlay import base_name, dump_overlay, make_overlay
from channel_tunnel_agents.balance.changing.parameters import (
    Parameter,
    Point,
    Value,
    base_point,
    grid,
    point_folder,
    read_parameters,
    value_text,
)
from channel_tunnel_agents.balance.measuring.knowledge import reader_note, unseen_lines
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.significance import LEVEL, holm, is_significant
from channel_tunnel_agents.base import FROZEN, AgentError, AnyAgent, agent_seed, reads_rules, searches
from channel_tunnel_agents.matches.tournament import Tournament, play_tournaments
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import Ruleset, __version__
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.rulesets.ruleset import load_ruleset

GAP = "gap"
NONE = Estimate(math.nan, math.nan, math.nan)
CSV, JSON, SVG = "sweep.csv", "sweep.json", "sweep.svg"
BASE_MARK = " (base)"


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

    def budget(self, game: str) -> int:
        """Decisions of each training run."""
        return self.decisions or default_decisions(self.adapt, game)


@dataclass(frozen=True)
class SweepPlan:
    """A sweep whose arguments have been validated.

    Attributes:
        points: the base, then the other settings; the base is first even if it is one of them.
        learner: the policy to train; None: no training.
        notes: what a reader must know about the agents.
    """

    sweep: Sweep
    base: Ruleset
    parameters: tuple[Parameter, ...]
    points: tuple[Point, ...]
    learner: PolicyAgent | None
    notes: tuple[str, ...]

    @property
    def ways(self) -> tuple[str, ...]:
        """Frozen, and the adapted one if the agent is trained."""
        return (NO_TRAINING, self.sweep.adapt) if self.learner else (NO_TRAINING,)

    @property
    def total_games(self) -> int:
        """Number of games of all settings."""
        return len(self.points) * len(self.ways) * self.sweep.deals


@dataclass(frozen=True)
class Swept(SweepPlan):
    """A sweep's games.

    Attributes:
        games: number of the point, way -> games table.
    """

    games: Mapping[tuple[int, str], pd.DataFrame]

    @cached_property
    def measures(self) -> list[Measure]:
        """What is reported."""
        return measures_of(self.base).find(self.sweep.measures)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Every measure at every setting, for each way; then the gaps, adapted less frozen, deal by deal: a row each.

        Index: number of the point. Columns: one per parameter (its value), base (bool), digest, way
        (frozen, tuned, retrained, gap), measure, unit, value, low, high, deals, change, change_low,
        change_high (from the base, on the same deals), p (of the change, or of the gap), p_holm
        (corrected for all changes, or all gaps, of the sweep). What the base or a gap has none of is NaN.
        """
        ways = (*self.ways, *[GAP] * (len(self.ways) > 1))
        rows = [(i, row) for way in ways for i in range(len(self.points)) for row in self._rows(i, way)]
        table = pd.DataFrame([row for _, row in rows], index=[i for i, _ in rows])
        return table.assign(p_holm=table.groupby(table["way"] == GAP)["p"].transform(holm))

    def figures_of(self, points: Sequence[Point], way: str) -> pd.DataFrame:
        """The rows of some settings, in their order and that of the measures."""
        return self.table[self.table["way"] == way].loc[[self.points.index(point) for point in points]]

    def _rows(self, i: int, way: str) -> Iterator[dict[str, Any]]:
        point, is_gap = self.points[i], way == GAP
        keys = [(i, each) for each in self.ways] if is_gap else [(0, way), (i, way)]
        one, other = (self.games[key] for key in keys)
        for d in differences(one, other, self.measures):
            is_change = not (is_gap or point.is_base)
            change = d.change if is_change else NONE
            yield {
                **point.values,
                "base": point.is_base,
                "digest": point.ruleset.digest,
                "way": way,
                "measure": d.measure.name,
                "unit": d.measure.unit,
                **asdict(d.change if is_gap else d.other),
                "deals": d.deals,
                "change": change.value,
                "change_low": change.low,
                "change_high": change.high,
                "p": d.p if is_change or is_gap else math.nan,
            }


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
    game = base.spec.name
    usual = shipped.READERS.get(game, shipped.USUAL)  # a policy, which can learn
    agent = sweep.agent or (shipped.player_of_any_rules(game) if sweep.adapt == NO_TRAINING else usual)
    sweep = replace(sweep, agent=agent, measures=tuple(measure.name for measure in measures))
    parameters = read_parameters(sweep.parameters, base)
    settings = [point for point in grid(parameters, base) if not point.is_base]
    player = make_agent(FROZEN + agent, base)
    learner = None
    if sweep.adapt != NO_TRAINING and isinstance(player, PolicyAgent) and {*player.sides} == {*player.form.sides}:
        learner = player  # only a policy for every seat can be trained
    points = (base_point(parameters, base), *settings)
    notes = _notes(sweep, player, learner is not None, [point.ruleset for point in points])
    return SweepPlan(sweep, base, parameters, points, learner, tuple(notes))


def _notes(sweep: Sweep, agent: AnyAgent, learns: bool, rulesets: Sequence[Ruleset]) -> list[str]:
    if learns:
        start = "from the frozen policy" if sweep.adapt == "tuned" else "from nothing"
        return [
            f"{sweep.agent} was {sweep.adapt} {start} at every setting, the base included, for "
            f"{sweep.budget(rulesets[0].spec.name):,} decisions; the gap is adapted less frozen on the same deals."
        ]
    if isinstance(agent, PolicySearchAgent):
        return [f"{sweep.agent} looks ahead in the changed rules, with a policy that does not learn them."]
    if searches(agent):
        return [f"{sweep.agent} looks ahead in the changed rules, so it adapts by itself."]
    if not isinstance(agent, PolicyAgent):
        return [f"{sweep.agent} plays by fixed rules and does not adapt."]
    if sweep.adapt != NO_TRAINING:
        return [f"{sweep.agent} holds only one side's policy, so it is played frozen."]
    if reads_rules(agent):
        return [
            f"{reader_note(sweep.agent, rulesets[0])} It may not find all that players trained for one setting would; "
            "--adapt tuned looks for that.",
            *unseen_lines([sweep.agent], rulesets),
        ]
    return [
        f"{sweep.agent} is frozen: it plays every setting as it learnt another. Balance that it shows "
        "may be gone once players adapt; --adapt tuned looks for that."
    ]


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
    agents: dict[str, list[str]] = {NO_TRAINING: [FROZEN + plan.sweep.agent] * len(plan.points)}
    if plan.learner:
        if out is None:
            raise AgentError(f"--adapt {plan.sweep.adapt}: --out FOLDER is needed for the training runs")
        agents[plan.sweep.adapt] = _train_all(plan, plan.learner, out, workers, report)
    wanted = {}
    for way in plan.ways:
        for i, (agent, point) in enumerate(zip(agents[way], plan.points, strict=True)):
            tournament = Tournament((agent,), plan.sweep.deals, plan.sweep.seed, point.ruleset, mirror=True)
            wanted[i, way] = tournament, None if out is None else point_folder(point, out) / way
    played = play_tournaments([*wanted.values()], progress, workers)
    games = {key: results.games for key, results in zip(wanted, played, strict=True)}
    return Swept(**vars(plan), games=games)


def _train_all(
    plan: SweepPlan, learner: PolicyAgent, out: Path, workers: int | None, report: Callable[[str], object]
) -> list[str]:
    """Train; returns the names of the adapted agents, one per setting."""
    way, names, planned = plan.sweep.adapt, [], []
    decisions = plan.sweep.budget(plan.base.spec.name)
    for point in plan.points:
        folder = point_folder(point, out)
        ruleset, run = folder / "ruleset.yaml", folder / f"{way}-run"
        ruleset.parent.mkdir(parents=True, exist_ok=True)
        overlay = make_overlay(base_name(plan.sweep.ruleset), plan.base, point.ruleset, point.changes)
        write_whole(ruleset, dump_overlay(overlay).encode())
        planned.append((adapting_config(learner, way, ruleset, run, decisions, plan.sweep.seed), point.ruleset))
        names.append(f"{'ppo' if learner.greedy else 'ppo-sample'}:{run}")
    adapt_all(planned, workers, report)
    return names


# --- terminal -----------------------------------------------------------------------------------


def sheets(swept: Swept) -> list[Sheet]:
    """The figures, their changes from the base, and the gaps if agents adapted."""
    sweep, deals = swept.sweep, f"{swept.sweep.deals:,} deals per setting"
    who = f"{sweep.agent} against itself on {swept.base.name}, the same {deals}"
    found = [_sheet(swept, f"{who} ({way})", way, _figure_cell) for way in swept.ways]
    if len(swept.points) > 1:
        title = "Change from the base, deal by deal (*: more than the noise of that many changes)"
        found += [_sheet(swept, f"{title} ({way})", way, _change_cell) for way in swept.ways]
    if len(swept.ways) > 1:
        title = f"Gap: {swept.ways[1]} less frozen (*: more than the noise of that many gaps)"
        found.append(_sheet(swept, title, GAP, _change_cell))
    return found


def _sheet(swept: Swept, title: str, way: str, cell: Callable[[Mapping[str, Any]], str]) -> Sheet:
    rows = []
    for point in in_order(swept.points):
        values = [value_text(value) for value in point.values.values()]
        values[-1] += BASE_MARK * point.is_base
        rows.append((*values, *(cell(row) for row in swept.figures_of([point], way).to_dict("records"))))
    keys = [parameter.key for parameter in swept.parameters]
    columns = (*keys, *(measure.name for measure in swept.measures))
    return Sheet(title, columns, tuple(rows), names=len(keys))


def in_order(points: Sequence[Point]) -> list[Point]:
    """Points ordered by their numbers, the base among them; a base without a number comes first.

    Words stay in the order in which they were typed, the base's before them.
    """

    def place(value: Value) -> tuple[bool, int]:
        return value is not None, value if isinstance(value, int) else 0

    return sorted(points, key=lambda p: [place(value) for value in p.values.values()])


def _figure_cell(row: Mapping[str, Any]) -> str:
    return estimate_cell(Estimate(row["value"], row["low"], row["high"]), row["unit"])


def _change_cell(row: Mapping[str, Any]) -> str:
    """The change, or a gap; the base has none."""
    if row["base"] and row["way"] != GAP:
        return ""
    names = ("value", "low", "high") if row["way"] == GAP else ("change", "change_low", "change_high")
    first, *rest = estimate_cell(Estimate(*(row[name] for name in names)), row["unit"], signed=True).split("\n")
    return "\n".join([first + "*" * is_significant(row["p_holm"]), *rest])


def verdict(swept: Swept) -> list[str]:
    """The significant changes and gaps, in sentences."""
    lines, table = [*swept.notes], swept.table
    changes, gaps = table[(table["way"] != GAP) & ~table["base"]], table[table["way"] == GAP]
    if len(changes):
        changed = changes["p_holm"].map(is_significant).sum()
        lines.append(f"{changed} of {len(changes)} changes from the base are more than noise ({LEVEL}).")
    if len(gaps):
        real = gaps[gaps["p_holm"].map(is_significant)]
        # Half of the widest interval of the first measure: the size of an effect that could be missed.
        first = swept.measures[0]
        reach = ((gaps["high"] - gaps["low"]) / 2)[gaps["measure"] == first.name].max()
        widest = f"{100 * reach:.1f} points" if _is_share(first) else f"{reach:.2g}"
        names = "; ".join(f"{measure} at {swept.points[i].name}" for i, measure in real["measure"].items())
        lines.append(
            f"{len(real)} of {len(gaps)} gaps are more than noise ({LEVEL})"
            + (f": {names}. There the frozen agent misleads." if names else ".")
            + f" Intervals of a gap in {first.name} reach up to {widest} either way."
        )
    return lines


# --- files --------------------------------------------------------------------------------------


def write_report(swept: Swept, out: Path, doubtful: Sequence[str] = ()) -> None:
    """Write sweep.csv, sweep.json and sweep.svg into a folder.

    Args:
        doubtful: what makes the player doubtful at some settings.
    """
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / CSV, swept.table.to_csv(index=False).encode())
    content = to_dict(swept) | {"doubts": [*doubtful]}
    write_whole(out / JSON, (json.dumps(content, indent=1) + "\n").encode())
    write_whole(out / SVG, draw(swept))


def to_dict(swept: Swept) -> dict[str, Any]:
    """Everything as JSON values; null where there is no figure."""
    rows = swept.table.astype(object).where(swept.table.notna(), None)
    return {
        "command": command_line(swept),
        "package": __version__,
        "ruleset": swept.base.name,
        "digest": swept.base.digest,
        "parameters": {p.key: {"base": p.base, "values": p.values} for p in swept.parameters},
        "sweep": asdict(swept.sweep),
        "notes": verdict(swept),
        "figures": rows.to_dict("records"),
    }


def command_line(swept: Swept) -> str:
    """The command that repeats this sweep, with all defaults spelt out."""
    sweep = swept.sweep
    words = command_words("sweep")
    words += [word for parameter in sweep.parameters for word in ("--param", parameter)]
    words += ["--ruleset", sweep.ruleset, "--agent", sweep.agent, "--deals", str(sweep.deals)]
    words += ["--seed", str(sweep.seed), "--measures", *sweep.measures, "--adapt", sweep.adapt]
    if sweep.adapt != NO_TRAINING:
        words += ["--decisions", str(sweep.budget(swept.base.spec.name))]
    return shlex.join(words)


# --- curves -------------------------------------------------------------------------------------

FAIR = 0.5
# Dark and light, so that they differ in greyscale print and for colour-blind readers; markers
# differ too.
LOOKS = ({"color": "#12355b", "marker": "o", "linestyle": "-"}, {"color": "#e69f00", "marker": "s", "linestyle": "--"})
PANEL = (3.4, 2.3)  # inches
MOST_TICKS = 10  # with more values, matplotlib chooses the ticks
HEADROOM = 0.9  # inches for the legend and the caption


def draw(swept: Swept) -> bytes:
    """The curves as SVG: a row of panels per measure; the parameter with most values is the x axis.

    With several parameters there is one column per setting of the others.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    along = max(swept.parameters, key=lambda parameter: len(parameter.values))
    columns = _columns(swept, along)
    width, height = PANEL[0] * len(columns), PANEL[1] * len(swept.measures) + HEADROOM
    with mpl.rc_context({"svg.hashsalt": "sweep", "svg.fonttype": "none", "font.size": 9}):
        canvas = Canvas((max(width, 1.5 * PANEL[0]), height), layout="constrained")
        axes = canvas.subplots(len(swept.measures), len(columns), sharex=True, sharey="row", squeeze=False)
        for i, measure in enumerate(swept.measures):
            for j, (title, points) in enumerate(columns.items()):
                _draw_panel(axes[i][j], swept, measure, along, points)
                if i == 0:
                    axes[i][j].set_title(title, fontsize=8)
            title = measure.title + (" (%)" if _is_share(measure) else "")
            axes[i][0].set_ylabel("\n".join(textwrap.wrap(title, 24)))
        for axis in axes[-1]:
            axis.set_xlabel(along.key)
        entries: dict[str, Any] = {}
        for axis in axes[:, 0]:
            handles, labels = axis.get_legend_handles_labels()
            entries |= dict(zip(labels, handles, strict=True))
        look: dict[str, Any] = {"loc": "outside lower center", "ncols": 2, "frameon": False}
        canvas.legend(entries.values(), entries.keys(), **look)
        sweep = swept.sweep
        head = f"{sweep.agent} against itself on {swept.base.name}\n{sweep.deals:,} deals per setting, 95 % bands"
        canvas.suptitle(head, fontsize=9)
        buffer = io.BytesIO()
        canvas.savefig(buffer, format="svg", metadata={"Date": None})
        return buffer.getvalue()


def _columns(swept: Swept, along: Parameter) -> dict[str, list[Point]]:
    """Setting of the other parameters -> its points, ascending; points without a number are left
    out."""
    columns: dict[str, list[Point]] = {}
    for point in in_order(swept.points):
        if point.values[along.key] is not None:
            others = (f"{k}={value_text(v)}" for k, v in point.values.items() if k != along.key)
            columns.setdefault("\n".join(others), []).append(point)
    return columns


def _draw_panel(axis: Any, swept: Swept, measure: Measure, along: Parameter, points: list[Point]) -> None:
    scale = 100 if _is_share(measure) else 1
    places = _places(along)
    x = [places[point.values[along.key]] for point in points]
    for way, look in zip(swept.ways, LOOKS, strict=False):
        found = swept.figures_of(points, way)
        value, low, high = (
            scale * found.loc[found["measure"] == measure.name, key] for key in ("value", "low", "high")
        )
        axis.plot(x, value, label=way, markersize=4, **look)
        axis.fill_between(x, low, high, color=look["color"], alpha=0.25, linewidth=0)
    if measure.seats:
        axis.axhline(scale * FAIR, color="#777777", linewidth=0.8, label="even sides")
    if along.base is not None:
        axis.axvline(places[along.base], color="#777777", linewidth=0.8, linestyle=":", label="base")
    if any(isinstance(value, bool | str) for value in along.values):
        axis.set_xticks(list(places.values()), [value_text(value) for value in places])
    elif len(along.values) <= MOST_TICKS:
        axis.set_xticks(along.values)
    else:
        axis.xaxis.get_major_locator().set_params(integer=True)
    axis.margins(x=0.06)


def _places(along: Parameter) -> dict[Value, int]:
    """Where a parameter's values stand on the x axis: a number at itself, words side by side."""
    values = dict.fromkeys((along.base, *along.values))
    return {v: v if type(v) is int else place for place, v in enumerate(values)}


def _is_share(measure: Measure) -> bool:
    return measure.unit == "share"
