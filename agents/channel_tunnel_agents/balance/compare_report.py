"""A comparison as a table, with a sentence that sums it up."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.compare import Difference
from channel_tunnel_agents.balance.significance import ALPHA, LEVEL
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate

MOST_NOISE = 12  # most measures shown that are not significant


def comparison_sheet(differences: list[Difference], one: str, other: str) -> Sheet:
    """The significant differences, then the next ones, most certain first."""
    surviving = [d for d in differences if d.survives]
    others = [d for d in differences if d.differing and not d.survives]
    rows = tuple(
        (
            d.measure.title,
            estimate_cell(d.one, d.measure.unit),
            estimate_cell(d.other, d.measure.unit),
            estimate_cell(d.change, d.measure.unit, signed=True),
            f"{d.differing:,} of {d.deals:,}",
            f"{d.p_holm:.2g}",
            "yes" if d.survives else "no",
        )
        for d in surviving + others[:MOST_NOISE]
    )
    columns = (
        "measure",
        Path(one).name,
        Path(other).name,
        "change",
        "deals differ",
        "p, corrected",
        "survives?",
    )
    return Sheet(f"{other} less {one}, the same deals", columns, rows)


def estimate_cell(found: Estimate, unit: str, signed: bool = False) -> str:
    """A value above its interval; shares in per cent, their changes in percentage points."""
    scale, digits, end = (100, 1, " %") if unit == "share" else (1, 2, "")
    sign = "+" if signed else ""
    value = f"{found.value * scale:{sign}.{digits}f}{end}"
    return f"{value}\n[{found.low * scale:{sign}.{digits}f}, {found.high * scale:{sign}.{digits}f}]"


def are_identical(differences: list[Difference]) -> bool:
    """Whether no deal differs in any measure."""
    return not any(d.differing for d in differences)


def verdict(differences: list[Difference]) -> str:
    """The result of the comparison, in words."""
    if are_identical(differences):
        return f"Identical on every deal: {differences[0].deals:,} deals, not one measure of one game differs."
    surviving = [d for d in differences if d.survives]
    if not surviving:
        return (
            f"Nothing survives: of {len(differences)} measures none differs by more than their number "
            f"would by luck ({LEVEL}). Effects smaller than the intervals may exist."
        )
    names = ", ".join(d.measure.title for d in surviving[:5])
    more = f" and {len(surviving) - 5} more" if len(surviving) > 5 else ""
    return (
        f"{len(surviving)} of {len(differences)} measures differ by more than luck ({LEVEL}): "
        f"{names}{more}."
    )


def comparison_dict(differences: list[Difference], one: str, other: str) -> dict[str, Any]:
    """Every figure, JSON-serialisable; NaN as null."""
    return {
        "one": one,
        "other": other,
        "alpha": ALPHA,
        "measures": [
            {
                "name": d.measure.name,
                "title": d.measure.title,
                "unit": d.measure.unit,
                "one": plain(d.one),
                "other": plain(d.other),
                "change": plain(d.change),
                "deals": d.deals,
                "differing": d.differing,
                "p": d.p,
                "p_holm": d.p_holm,
                "survives": d.survives,
            }
            for d in differences
        ],
    }


def plain(found: Estimate) -> dict[str, float | None]:
    """An estimate as JSON values."""
    return {key: None if value != value else value for key, value in asdict(found).items()}
