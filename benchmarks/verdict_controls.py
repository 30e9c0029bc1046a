"""How far verdicts on rules lie from what much better players get: the rulesets of verdict_controls.yaml.

    python benchmarks/verdict_controls.py train runs/references   # hours; a ruleset that is done is not trained again
    python benchmarks/verdict_controls.py quick runs/empty        # a table: what quick reports say of these rulesets
    python benchmarks/verdict_controls.py full runs/judged flood  # the same for full reports, five minutes a ruleset; of some
    python benchmarks/verdict_controls.py changes runs/empty      # what `compare` says of single figures
    python benchmarks/verdict_controls.py effects runs/judged     # and `compare --decisions 600000`, twenty minutes a figure

The references are policies with five times the training of a report's, from other seeds, with best responses to them.
What they give stands in verdict_controls.json. Their policies stay in the folder, apart from those that reports train.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
if __name__ == "__main__":  # before the package reads it; the processes that train inherit it
    os.environ["CHANNEL_TUNNEL_TUNED"] = sys.argv[2]

import yaml

from channel_tunnel_agents.balance.judging import Plan, judge, judge_change
from channel_tunnel_agents.balance.players.population import Budget
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.outside.files import write_whole

CONTROLS = Path(__file__).with_suffix(".yaml")
REFERENCES = Path(__file__).with_suffix(".json")
BASES = {"tunnel_1987": "standard", "carcassonne": "carcassonne"}
DEALS = 2_000
BUDGET = 3_000_000


@dataclass(frozen=True)
class Effect:
    """A figure of a ruleset, turned; `words` name both, and the reference of the rules that this makes."""

    of: Ruleset
    other: Ruleset
    words: str


def controls() -> tuple[list[Ruleset], list[Effect], tuple[int, ...]]:
    """The rulesets, the single figures of some, and the seeds of the reference policies."""
    document = yaml.safe_load(CONTROLS.read_text(encoding="utf-8"))
    rulesets = [load_ruleset({"base": BASES[entry.pop("game")], **entry}) for entry in document["rulesets"]]
    known, effects = {ruleset.name: ruleset for ruleset in rulesets}, []
    for entry in document["effects"]:
        of, figure, value = known[entry["of"]], entry["figure"], entry["value"]
        effects.append(Effect(of, of.with_values({figure: value}), f"{of.name}, {figure}: {value}"))
    return rulesets, effects, tuple(document["seeds"])


def references() -> dict[str, Any]:
    """What the references give, by the name of the ruleset."""
    return json.loads(REFERENCES.read_text()) if REFERENCES.exists() else {}


def train() -> None:
    """Train the references, ruleset by ruleset, and write what each seat gets."""
    rulesets, effects, seeds = controls()
    plan = Plan(DEALS, budget=Budget(BUDGET, BUDGET // 2, seeds, rounds=1))
    wanted = {ruleset.name: ruleset for ruleset in rulesets} | {effect.words: effect.other for effect in effects}
    for name, ruleset in wanted.items():
        if references().get(name, {}).get("digest") == ruleset.digest:
            continue
        begun = time.time()
        *_, judged = judge(ruleset, plan)
        (first, *_) = judged.verdict.seats
        found = {
            "digest": ruleset.digest,
            "decisions": BUDGET,
            "seeds": seeds,
            "share": round(first.share.value, 4),
            "deals_error": round(first.deals_error, 4),
            "bracket": [round(end, 4) for end in first.bracket],
        }
        write_whole(REFERENCES, (json.dumps(references() | {name: found}, indent=1) + "\n").encode())
        print(f"{name}: {found['share']:.3f} {found['bracket']}, {time.time() - begun:.0f} s", flush=True)


Said = tuple[str, float, Estimate]
"""Of what, what the references give, and what a report says."""


def shares(plan: Plan, names: list[str]) -> Iterable[Said]:
    """The first seat's share in each ruleset, or in those with these names."""
    known = references()
    for ruleset in controls()[0]:
        if ruleset.name in known and ruleset.name in (names or known):
            *_, judged = judge(ruleset, plan)
            yield ruleset.name, known[ruleset.name]["share"], judged.verdict.seats[0].share


def changes(plan: Plan) -> Iterable[Said]:
    """What each single figure changes of it."""
    known = references()
    for effect in controls()[1]:
        if effect.words in known:
            *_, before = judge(effect.of, plan)
            *_, after = judge(effect.other, plan)
            truth = known[effect.words]["share"] - known[effect.of.name]["share"]
            yield effect.words, truth, judge_change(before, after, plan.deals).change


def compare(found: Iterable[Said]) -> None:
    """Print what reports say beside the references, and how often their intervals hold these."""
    print("| rules | reference | report says | off by | holds it |\n|---|---:|---:|---:|---|")
    held, errors = 0, []
    for words, truth, said in found:
        errors.append(abs(said.value - truth))
        held += (holds := said.low <= truth <= said.high)
        percent = f"{100 * said.value:.1f} [{100 * said.low:.1f}, {100 * said.high:.1f}]"
        row = words, f"{100 * truth:.1f}", percent, f"{100 * errors[-1]:.1f}", "yes" if holds else "no"
        print(f"| {' | '.join(row)} |", flush=True)
    if errors:
        mean, worst = 100 * sum(errors) / len(errors), 100 * max(errors)
        print(f"Held {held} of {len(errors)}; off by {mean:.1f} points in the mean, {worst:.1f} at worst.")


if __name__ == "__main__":
    stage = sys.argv[1]
    if stage == "train":
        train()
    elif stage in ("changes", "effects"):
        compare(changes(Plan(budget=None if stage == "changes" else Budget())))
    else:
        compare(shares({"quick": Plan.of(0), "full": Plan(budget=Budget())}[stage], sys.argv[3:]))
