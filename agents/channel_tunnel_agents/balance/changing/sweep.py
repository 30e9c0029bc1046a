"""A sweep: the same deals at every setting of some numbers of a ruleset.

One agent plays itself at every setting, as it is. What players trained for a setting would do is asked of the verdict
(see `judging`).

    OUT/points/SETTING/                  its games (see `store`)
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

from channel_tunnel_agents.balance.changing.compare import LEAST_DEALS, differences
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
from channel_tunnel_agents.balance.measuring.knowledge import reader_note, unseen_lines, verdict_command
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.measuring.significance import LEVEL, holm, is_significant
from channel_tunnel_agents.base import FROZEN, AgentError, AnyAgent, agent_seed, reads_rules, takes_long
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

NONE = Estimate(math.nan, math.nan, math.nan)
CSV, JSON, SVG = "sweep.csv", "sweep.json", "sweep.svg"
BASE_MARK = " (base)"


@dataclass(frozen=True)
class Sweep:
    """What is varied, and who plays how many games.

    Raises:
        AgentError: too few deals, or a measure named twice.
    """

    parameters: tuple[str, ...]
    """KEY=VALUES, as typed; see `parameters`."""
    ruleset: str = "standard"
    agent: str = ""
    """Plays every seat; if empty, who reads the rules, else a scripted player."""
    deals: int = 2000
    """Deals at every setting, always the same ones."""
    seed: int = 20_000
    """Seeds the deals and the agent's random stream."""
    measures: tuple[str, ...] = ()
    """Names; none: the game's main ones."""

    def __post_init__(self) -> None:
        if self.deals < LEAST_DEALS:
            raise AgentError(f"deals: {self.deals}; at least {LEAST_DEALS} needed")
        agent_seed(self.seed)
        if len(set(self.measures)) < len(self.measures):
            raise AgentError(f"measures: one is named twice in {', '.join(self.measures)}")


@dataclass(frozen=True)
class SweepPlan:
    """A sweep whose arguments have been validated.

    Attributes:
        points: the base, then the other settings; the base is first even if it is one of them.
        notes: what a reader must know about the agent.
    """

    sweep: Sweep
    base: Ruleset
    parameters: tuple[Parameter, ...]
    points: tuple[Point, ...]
    notes: tuple[str, ...]

    @property
    def total_games(self) -> int:
        """Number of games of all settings."""
        return len(self.points) * self.sweep.deals


@dataclass(frozen=True)
class Swept(SweepPlan):
    """A sweep's games.

    Attributes:
        games: the table of each point.
    """

    games: Sequence[pd.DataFrame]

    @cached_property
    def measures(self) -> list[Measure]:
        """What is reported."""
        return measures_of(self.base).find(self.sweep.measures)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Every measure at every setting, a row each.

        Index: number of the point. Columns: one per parameter (its value), base (bool), digest, measure, unit, value,
        low, high, deals, change, change_low, change_high (from the base, on the same deals), p (of the change), p_holm
        (corrected for all changes of the sweep). The base's changes are NaN.
        """
        rows = [(i, row) for i in range(len(self.points)) for row in self._rows(i)]
        table = pd.DataFrame([row for _, row in rows], index=[i for i, _ in rows])
        return table.assign(p_holm=holm(table["p"]))

    def figures_of(self, points: Sequence[Point]) -> pd.DataFrame:
        """The rows of some settings, in their order and that of the measures."""
        return self.table.loc[[self.points.index(point) for point in points]]

    def _rows(self, i: int) -> Iterator[dict[str, Any]]:
        point = self.points[i]
        for d in differences(self.games[0], self.games[i], self.measures):
            change = NONE if point.is_base else d.change
            yield {
                **point.values,
                "base": point.is_base,
                "digest": point.ruleset.digest,
                "measure": d.measure.name,
                "unit": d.measure.unit,
                **asdict(d.other),
                "deals": d.deals,
                "change": change.value,
                "change_low": change.low,
                "change_high": change.high,
                "p": math.nan if point.is_base else d.p,
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
    agent = sweep.agent or shipped.player_of_any_rules(base.spec.name)
    sweep = replace(sweep, agent=agent, measures=tuple(measure.name for measure in measures))
    parameters = read_parameters(sweep.parameters, base)
    settings = [point for point in grid(parameters, base) if not point.is_base]
    player = make_agent(FROZEN + agent, base)
    points = (base_point(parameters, base), *settings)
    notes = _notes(sweep, player, [point.ruleset for point in points])
    return SweepPlan(sweep, base, parameters, points, tuple(notes))


def _notes(sweep: Sweep, agent: AnyAgent, rulesets: Sequence[Ruleset]) -> list[str]:
    if isinstance(agent, PolicySearchAgent):
        return [f"{sweep.agent} looks ahead in the changed rules, with a policy that does not learn them."]
    if takes_long(agent):
        return [f"{sweep.agent} looks ahead in the changed rules, so it adapts by itself."]
    if not isinstance(agent, PolicyAgent):
        return [f"{sweep.agent} plays by fixed rules and does not adapt."]
    command = verdict_command(rulesets[0], "SETTING.yaml")
    if reads_rules(agent):
        more = f" Players trained for one setting may find more: {command}" if command else ""
        return [reader_note(sweep.agent, rulesets[0]) + more, *unseen_lines([sweep.agent], rulesets)]
    trained = f"; {command} trains them" if command else ""
    return [
        f"{sweep.agent} is frozen: it plays every setting as it learnt another. Balance that it shows "
        f"may be gone once players adapt{trained}."
    ]


def play_sweep(
    plan: SweepPlan, out: Path | None, workers: int | None = None, progress: Callable[[int], object] | None = None
) -> Swept:
    """Play every setting.

    Args:
        out: folder that keeps the games, so that a stopped sweep resumes; None: keep nothing.
        workers: processes; None: every core, one for a short sweep. The games do not depend on it.
        progress: called with the number of games just finished.

    Raises:
        StoreError: the folder holds games played with other arguments.
    """
    sweep, agents = plan.sweep, (FROZEN + plan.sweep.agent,)
    wanted = [
        (
            Tournament(agents, sweep.deals, sweep.seed, point.ruleset, mirror=True),
            None if out is None else point_folder(point, out),
        )
        for point in plan.points
    ]
    games = [results.games for results in play_tournaments(wanted, progress, workers)]
    return Swept(**vars(plan), games=games)


# --- terminal -----------------------------------------------------------------------------------


def sheets(swept: Swept) -> list[Sheet]:
    """The figures, and their changes from the base."""
    sweep = swept.sweep
    who = f"{sweep.agent} against itself on {swept.base.name}, the same {sweep.deals:,} deals per setting"
    found = [_sheet(swept, who, _figure_cell)]
    if len(swept.points) > 1:
        title = "Change from the base, deal by deal (*: more than the noise of that many changes)"
        found.append(_sheet(swept, title, _change_cell))
    return found


def _sheet(swept: Swept, title: str, cell: Callable[[Mapping[str, Any]], str]) -> Sheet:
    rows = []
    for point in in_order(swept.points):
        values = [value_text(value) for value in point.values.values()]
        values[-1] += BASE_MARK * point.is_base
        rows.append((*values, *(cell(row) for row in swept.figures_of([point]).to_dict("records"))))
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
    """The change; the base has none."""
    if row["base"]:
        return ""
    change = Estimate(row["change"], row["change_low"], row["change_high"])
    first, *rest = estimate_cell(change, row["unit"], signed=True).split("\n")
    return "\n".join([first + "*" * is_significant(row["p_holm"]), *rest])


def verdict(swept: Swept) -> list[str]:
    """What a reader must know, and how many changes are significant."""
    lines, changes = [*swept.notes], swept.table[~swept.table["base"]]
    if len(changes):
        changed = changes["p_holm"].map(is_significant).sum()
        lines.append(f"{changed} of {len(changes)} changes from the base are more than noise ({LEVEL}).")
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
    words += ["--seed", str(sweep.seed), "--measures", *sweep.measures]
    return shlex.join(words)


# --- curves -------------------------------------------------------------------------------------

COLOUR = "#12355b"
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
    found = swept.figures_of(points)
    value, low, high = (scale * found.loc[found["measure"] == measure.name, key] for key in ("value", "low", "high"))
    axis.plot(x, value, label=swept.sweep.agent, markersize=4, color=COLOUR, marker="o")
    axis.fill_between(x, low, high, color=COLOUR, alpha=0.25, linewidth=0)
    if measure.seats:
        axis.axhline(scale * EVEN, color="#777777", linewidth=0.8, label="even sides")
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
