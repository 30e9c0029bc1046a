"""Promises of measurements that were made beforehand: the same as measured now, and used for no other settings."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.known_measures import BASE, job_of
from channel_tunnel_agents.balance.report.measurements import known_file, look_up, plan_of, read_known, write_known
from channel_tunnel_agents.games.tunnel_1987.card_effects import measure_card_effects
from channel_tunnel_agents.games.tunnel_1987.report.cards import EFFECTS_IN_BASE, KNOWN
from channel_tunnel_env import load_ruleset

QUICK = True


@pytest.mark.parametrize("quick", [QUICK, not QUICK])
def test_the_base_is_known_to_reports_of_the_shipped_policy(quick: bool, tmp_path: Path) -> None:
    taken = look_up(EFFECTS_IN_BASE, job_of(quick), tmp_path)
    assert taken is not None, "python benchmarks/known_measures.py writes it anew"
    assert len(taken.result["cards"]) == len(job_of(quick).ruleset.card_keys)


@pytest.mark.heavy
def test_what_is_known_is_what_is_measured() -> None:
    job = job_of(QUICK)
    known = read_known(EFFECTS_IN_BASE.name, plan_of(EFFECTS_IN_BASE, job), KNOWN)
    cards = [known["cards"][i]["key"] for i in (0, 17)]
    deals = known["deals"]
    again = measure_card_effects(job.agent, job.ruleset, deals, job.seed, 1, cards=cards, by_side=False)
    by_deal = {card["key"]: card["by_deal"] for card in known["cards"]}
    assert {card.key: list(card.by_deal) for card in again.cards} == {c: by_deal[c] for c in cards}


def test_other_settings_are_not_known(tmp_path: Path) -> None:
    job = job_of(QUICK)
    for other in (
        replace(job, agent_digest="0" * 16),
        replace(job, settings=replace(job.settings, seed=1)),
        replace(job, settings=replace(job.settings, deals=499)),
        replace(job, settings=replace(job.settings, ruleset="agenda"), ruleset=load_ruleset("agenda")),
    ):
        assert look_up(EFFECTS_IN_BASE, other, tmp_path) is None
    assert look_up(replace(EFFECTS_IN_BASE, known=None), job, tmp_path) is None


def test_a_file_of_other_settings_is_not_used(tmp_path: Path) -> None:
    own: dict[str, Any] = {"agent": "adept", "ruleset": BASE}
    path = write_known("worth", own, [1, 2], tmp_path)
    assert read_known("worth", own, tmp_path) == [1, 2]
    assert known_file("worth", dict(reversed(own.items())), tmp_path) == path
    path.write_bytes(gzip.compress(json.dumps({"settings": {}, "result": [3]}).encode()))
    assert read_known("worth", own, tmp_path) is None
