"""p-values of paired differences, alone and among many."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

from channel_tunnel_agents.balance.measuring import significance
from channel_tunnel_agents.balance.measuring.significance import (
    ALPHA,
    CERTAINTY,
    LEVEL,
    holm,
    how_sure,
    is_significant,
    noticeable,
    paired_p,
)
from channel_tunnel_agents.statistics import LEAST_DEALS, Estimate, estimate_change


def test_without_any_difference_nothing_is_claimed() -> None:
    assert paired_p([0.0, 0.0, 0.0]) == 1
    assert paired_p([0.5] * 30) == 0
    assert np.isnan(paired_p([1.0]))


def test_a_few_deals_that_differ_have_a_sign_test() -> None:
    """Four that rise prove nothing, however many there are; twenty do, and not if ten of them fall."""
    changes = np.zeros(5000)
    changes[:4] = 1
    assert paired_p(changes) == pytest.approx(2 * 0.5**4)
    changes[:20] = 1
    assert paired_p(changes) == pytest.approx(2 * 0.5**20)
    changes[:10] = -9
    assert paired_p(changes) == 1
    changes[:LEAST_DEALS] = 1
    assert paired_p(changes) == pytest.approx(ttest_rel(changes, np.zeros(5000)).pvalue)


def test_holms_correction_is_that_of_the_library() -> None:
    p_values = np.random.default_rng(2).random((4, 7)) ** 3
    for each in p_values:
        known = multipletests(each, method="holm")[1]
        assert holm(each) == pytest.approx(known, abs=0)
        assert holm([np.nan, *each]) == pytest.approx([np.nan, *known], abs=0, nan_ok=True)
    assert np.isnan(holm([np.nan])).all()


@pytest.mark.parametrize(
    ("p", "interval", "words"),
    [
        (ALPHA / 2, (0.01, 0.03), "surely"),
        (ALPHA, (0.01, 0.03), "probably"),
        (None, (-0.03, -0.01), "probably"),
        (0.2, (-0.01, 0.03), "may be luck"),
        (float("nan"), (0.0, 0.0), "may be luck"),
    ],
)
def test_how_sure_a_change_is_has_three_words(p, interval, words) -> None:
    assert how_sure(p, Estimate(0.02, *interval)) == words
    assert words in CERTAINTY


def test_one_level_and_three_words_everywhere() -> None:
    """No module tests at another level than the one that tables and sentences name, or says "for sure? no" beside "clearly"."""
    assert f"{100 * ALPHA:g} % in all, Holm" == LEVEL
    assert is_significant(ALPHA / 2) and not is_significant(ALPHA)
    assert not is_significant(None) and not is_significant(float("nan"))
    folder = Path(significance.__file__).parents[1]
    sources = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    for name, text in sources.items():
        assert not re.search(r"for sure|clear(ly)?\b|certainly|definitely", text), name
    del sources["significance.py"]
    for name, text in sources.items():
        assert not re.search(r"ALPHA = |p_holm(\"\])? <|\d %( in all|, Holm)", text), name


@pytest.mark.parametrize(
    ("part", "least", "most"), [(0.0, 0.0, 0.02), (0.5, 0.03, 0.35), (1.0, 0.72, 0.88), (1.5, 0.97, 1.0)]
)
def test_four_reports_of_five_notice_the_change_that_a_page_says_they_would(
    part: float, least: float, most: float
) -> None:
    """Planted changes of several sizes among eight tests; a third of the deals turn with luck."""
    rng, tests, deals = np.random.default_rng(3), 8, 400
    luck = rng.choice([-1.0, 0.0, 1.0], p=[1 / 6, 2 / 3, 1 / 6], size=(400, deals))
    limit = float(np.mean([noticeable(estimate_change(each), tests) for each in luck[:50]]))
    planted = luck + part * limit
    others = rng.choice([-1.0, 0.0, 1.0], p=[1 / 6, 2 / 3, 1 / 6], size=(400, tests - 1, deals))
    hits = [
        is_significant(holm([paired_p(mine), *map(paired_p, rest)])[0])
        for mine, rest in zip(planted, others, strict=True)
    ]
    assert least <= np.mean(hits) <= most
