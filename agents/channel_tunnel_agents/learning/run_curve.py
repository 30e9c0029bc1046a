"""The curve of one run: its wins against the yardsticks over its decisions, read from its log, drawn and summed up."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.files import KEPT_BYTES, read_whole, write_whole

CURVE = "curve.png"
LOGS = "progress*.csv"  # a resumed run has one per part
DECISIONS = "time/total_timesteps"
LADDER = "ladder/"
LOW, HIGH = " low", " high"
PANEL = (3.4, 2.3)  # inches
INK = "#12355b"
CARD_POINTS = 40  # of a yardstick in a card: a run of an hour has some 60


def read_ladder(folder: Path) -> pd.DataFrame:
    """Shares by decisions: a column for each yardstick and seat, and two for its interval, ending in LOW and HIGH.

    No rows for a run that was not evaluated. A DocumentError or OSError if its log cannot be read.
    """
    parts = [part for path in sorted(folder.glob(LOGS)) if (part := _read_log(path)) is not None]
    if not parts:
        return pd.DataFrame()
    log = pd.concat(parts).dropna(subset=[DECISIONS]).drop_duplicates(DECISIONS, keep="last")
    log = log.set_index(DECISIONS).sort_index()
    names = [column for column in log.columns if column.startswith(LADDER)]
    return log[names].rename(columns=lambda column: column.removeprefix(LADDER))


def _read_log(path: Path) -> pd.DataFrame | None:
    """A part of a log; None if it is empty: the run was already finished when it was resumed."""
    content = read_whole(path, KEPT_BYTES)
    if not content:
        return None
    try:
        log = pd.read_csv(io.BytesIO(content))
    except ValueError as error:
        raise DocumentError(str(path), f"not the log of a run: {error}") from None
    if DECISIONS not in log:
        raise DocumentError(str(path), f"not the log of a run: it has no column {DECISIONS}")
    return log


def write_curve(folder: Path, decisions: int, rates: Mapping[str, Figure]) -> Path:
    """Draw a run's evaluations as `curve.png`; returns its path.

    `rates` are the last evaluation, after so many decisions, which the log does not have, by yardstick and seat.
    """
    path = folder / CURVE
    write_whole(path, draw_curve(read_ladder(folder), decisions, rates))
    return path


def curve_entry(folder: Path, decisions: int, rates: Mapping[str, Figure]) -> dict[str, list[list[float]]]:
    """The curve as a card has it: by yardstick and seat, `[decisions, share, low, high]` at each evaluation.

    At most CARD_POINTS of them, evenly chosen, the first and the last included. For the arguments see `write_curve`.
    """
    log = read_ladder(folder)
    return {name: _card_rows(log, decisions, name, rate) for name, rate in rates.items()}


def _card_rows(log: pd.DataFrame, decisions: int, name: str, rate: Figure) -> list[list[float]]:
    points = _with_last(points_of(log, name), decisions, rate)
    chosen = np.unique(np.linspace(0, len(points) - 1, CARD_POINTS).round().astype(int))
    return [
        [int(at), *(round(float(value), 4) for value in row)]
        for at, row in zip(points.index[chosen], points.to_numpy()[chosen], strict=True)
    ]


def draw_curve(log: pd.DataFrame, decisions: int, rates: Mapping[str, Figure]) -> bytes:
    """One panel for each yardstick and seat as PNG: the shares, and their 95 % intervals as a band."""

    def paint(axes: Any, name: str) -> None:
        points = _with_last(points_of(log, name), decisions, rates[name])
        millions = points.index.to_numpy(float) / 1e6
        share, low, high = (100 * points[column].to_numpy() for column in points.columns)
        axes.fill_between(millions, low, high, color=INK, alpha=0.2, linewidth=0)
        axes.plot(millions, share, color=INK, linewidth=1.6, marker="o", markersize=3)
        axes.set_ylim(0, 102)
        axes.set_xlim(left=0)

    sizes = {"axes.titlesize": 9, "axes.labelsize": 8, "xtick.labelsize": 8, "ytick.labelsize": 8, "figure.dpi": 150}
    return draw_panels([*rates], paint, sizes, format="png")


def draw_panels(
    names: Sequence[str], paint: Callable[[Any, str], object], settings: dict[Any, Any], **saved: Any
) -> bytes:
    """A picture with a panel for each yardstick, whose curves over the decisions `paint` draws.

    Args:
        settings: of matplotlib.
        saved: how the picture is saved.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    with mpl.rc_context(settings):
        canvas = Figure((PANEL[0] * columns, PANEL[1] * rows), layout="constrained")
        for place, name in enumerate(names, 1):
            axes = canvas.add_subplot(rows, columns, place)
            paint(axes, name)
            axes.set_title(name, loc="left")
            axes.set_xlabel("million decisions")
            axes.set_ylabel("games won, %")
            axes.grid(alpha=0.3)
        buffer = io.BytesIO()
        canvas.savefig(buffer, **saved)
    return buffer.getvalue()


def points_of(log: pd.DataFrame, name: str) -> pd.DataFrame:
    """Share, low and high of one yardstick by decisions, as far as it was evaluated."""
    columns = [name, name + LOW, name + HIGH]
    if not {*columns} <= {*log.columns}:
        return pd.DataFrame(columns=columns, dtype=float)
    return log[columns].dropna().astype(float)


def _with_last(points: pd.DataFrame, decisions: int, rate: Figure) -> pd.DataFrame:
    """The points and the last evaluation, which the log does not have."""
    points.loc[float(decisions)] = [rate.value, rate.low, rate.high]
    return points
