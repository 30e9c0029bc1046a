"""Reports of a sweep: a table for the terminal, CSV, JSON, and curves as SVG."""

from __future__ import annotations

import io
import json
import shlex
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.changing.adapt import NO_TRAINING
from channel_tunnel_agents.balance.changing.parameters import Parameter, Point, Value, value_text
from channel_tunnel_agents.balance.changing.sweep import GAP, Swept
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.significance import LEVEL, is_significant
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import __version__
from channel_tunnel_env.outside.files import write_whole

CSV, JSON, SVG = "sweep.csv", "sweep.json", "sweep.svg"
BASE_MARK = " (base)"
FAIR = 0.5
# Dark and light, so that they differ in greyscale print and for colour-blind readers; markers
# differ too.
LOOKS = ({"color": "#12355b", "marker": "o", "linestyle": "-"}, {"color": "#e69f00", "marker": "s", "linestyle": "--"})
PANEL = (3.4, 2.3)  # inches
MOST_TICKS = 10  # with more values, matplotlib chooses the ticks
HEADROOM = 0.9  # inches for the legend and the caption


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
    names = ("value", "low", "high") if row["way"] == GAP else ("change", "change_low", "change_high")
    if row["base"] and row["way"] != GAP:
        return ""
    change = Estimate(*(row[name] for name in names))
    first, *rest = estimate_cell(change, row["unit"], signed=True).split("\n")
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
        places = {point.ruleset.digest: point.name for point in swept.points}
        names = "; ".join(
            f"{measure} at {places[digest]}" for measure, digest in real[["measure", "digest"]].to_numpy()
        )
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
