"""Reports of a tuning: tables for the terminal, JSON, and the setting as a ruleset file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.changing.compare_report import cells
from channel_tunnel_agents.balance.changing.overlay import base_name, dump_overlay, make_overlay
from channel_tunnel_agents.balance.changing.parameters import value_text
from channel_tunnel_agents.balance.changing.targets import Check, range_text
from channel_tunnel_agents.balance.changing.tune import PROOF_CONFIDENCE, Tuned
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import CONFIDENCE
from channel_tunnel_env import __version__
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.terminal import percent

BEST, JSON = "best.yaml", "tune.json"
CONFIDENT = percent(PROOF_CONFIDENCE)


def sheets(tuned: Tuned) -> list[Sheet]:
    """The changes from the base, then the targets: the answer comes last, where a terminal shows
    it."""
    deals, known = tuned.best.deals, tuned.tuning.measures.named
    pairs = zip(tuned.before, tuned.best.checks, strict=True)
    return [
        Sheet(
            f"Change from the base, the same {deals:,} fresh deals (Holm over {len(tuned.changes)})",
            ("measure", "base", "found", "change", "p", "p (Holm)"),
            tuple(_change_row(change) for change in tuned.changes),
        ),
        Sheet(
            f"Targets on {deals:,} fresh deals ({CONFIDENT} intervals)",
            ("measure", "target", "base", "base is", "found", "found is"),
            tuple(_target_row(known[before.name], before, after) for before, after in pairs),
        ),
    ]


def _change_row(change: Difference) -> tuple[str, ...]:
    p_values = ("< 0.001" if p < 0.001 else f"{p:.3f}" for p in (change.p, change.p_holm))
    return change.measure.name, *cells(change), *p_values


def _target_row(measure: Measure, before: Check, after: Check) -> tuple[str, ...]:
    found = (cell for check in (before, after) for cell in (estimate_cell(check.found, measure.unit), check.status))
    return after.name, range_text(after, measure), *found


def verdict(tuned: Tuned) -> list[str]:
    """The result and how certain it is, in sentences."""
    played = f"{tuned.trials} trials, {len(tuned.tried)} different settings"
    lines = [played + (f", {tuned.refused} refused by the ruleset" if tuned.refused else "") + "."]
    base, best, status = tuned.tuning.base, tuned.best.point, tuned.best.status
    lines += ["Stopped: this is the best so far; the same command goes on."] if tuned.stopped else []
    if best.is_base:
        lines.append("Nothing tried does better than the base.")
    else:
        was = ", ".join(f"{key} {value_text(base.flat[key])} -> {value}" for key, value in best.changes.items())
        lines.append(f"Best: {was}.")
    open_ones = [f"{check.name} is {check.status}" for check in tuned.best.checks if check.status != "met"]
    if not open_ones:
        lines.append(f"All targets are met, with {100 * CONFIDENCE:g} % confidence for whichever setting was chosen.")
    else:
        lines.append(f"Not met: {'; '.join(open_ones)}.")
    if status == "not settled":
        lines.append("More `deals` in the targets file would settle it.")
    if status == "missed":  # so does every setting that was to be confirmed
        proved, tried = len(tuned.proofs), len(tuned.tried) + tuned.refused
        which = "the best setting misses" if proved == 1 else f"each of the {proved} best settings misses"
        left = "and no other was left" if tried >= tuned.settings else f"of {tuned.settings:,} possible ones"
        lines.append(
            f"Not reachable with these numbers as far as was tried: {which} a target on fresh deals "
            f"({tried:,} settings tried, {left}). Try other numbers, more trials or wider ranges."
        )
    return [*lines, tuned.note]


def best_yaml(tuned: Tuned) -> str:
    """The best setting as an overlay that can be saved and loaded."""
    base, best = tuned.tuning.base, tuned.best.point
    name = base.name if best.is_base else f"{base.name}-tuned"
    overlay = make_overlay(base_name(tuned.tuning.ruleset), base, best.ruleset, best.changes)
    known = tuned.tuning.measures.named
    checks = [
        f"{check.name} {' '.join(estimate_cell(check.found, known[check.name].unit).split())}: {check.status}"
        for check in tuned.best.checks
    ]
    head = f"Found by tuning; {tuned.player} against itself, {tuned.best.deals:,} fresh deals, {CONFIDENT} intervals:"
    return dump_overlay(overlay | {"name": name}, [head, *checks])


def write_report(tuned: Tuned, out: Path, doubtful: Sequence[str] = ()) -> None:
    """Write best.yaml and tune.json into a folder.

    Args:
        doubtful: what makes the player doubtful on the best setting.
    """
    write_whole(out / BEST, best_yaml(tuned).encode())
    content = to_dict(tuned) | {"doubts": [*doubtful]}
    write_whole(out / JSON, (json.dumps(content, indent=1) + "\n").encode())


def to_dict(tuned: Tuned) -> dict[str, Any]:
    """Everything as JSON values."""
    tuning = tuned.tuning
    return {
        "package": __version__,
        "ruleset": tuning.base.name,
        "digest": tuning.base.digest,
        "targets": tuning.targets.model_dump(mode="json"),
        "parameters": list(tuning.parameters),
        "player": tuned.player,
        "trials": tuned.trials,
        "deals": tuning.deals,
        "seed": tuning.first_seed,
        "status": tuned.best.status,
        "confidence": PROOF_CONFIDENCE,
        "proofs": [
            {
                "values": dict(proof.point.values),
                "status": proof.status,
                "looks": proof.looks,
                "checks": _plain(proof.checks),
            }
            for proof in tuned.proofs
        ],
        "best": {
            "values": dict(tuned.best.point.values),
            "changes": dict(tuned.best.point.changes),
            "digest": tuned.best.point.ruleset.digest,
        },
        "checks": {"base": _plain(tuned.before), "best": _plain(tuned.best.checks)},
        "changes": [
            {
                "measure": change.measure.name,
                "base": asdict(change.one),
                "best": asdict(change.other),
                "change": asdict(change.change),
                "deals": change.deals,
                "p": change.p,
                "p_holm": change.p_holm,
            }
            for change in tuned.changes
        ],
        "tried": [{"values": dict(t.point.values), "misfit": t.misfit, "cost": t.cost} for t in tuned.tried],
        "refused": tuned.refused,
        "stopped": tuned.stopped,
        "notes": verdict(tuned),
    }


def _plain(checks: Sequence[Check]) -> list[dict[str, Any]]:
    return [{**asdict(check), "status": check.status} for check in checks]
