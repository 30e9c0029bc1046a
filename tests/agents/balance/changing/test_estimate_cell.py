"""An estimate in a table of the terminal."""

from __future__ import annotations

import math

import pytest

from channel_tunnel_agents.sheet import estimate_cell
from channel_tunnel_agents.statistics import Estimate


@pytest.mark.parametrize(
    ("ends", "unit", "signed", "cell"),
    [
        ((0.14, 0.074, 0.221), "share", False, "14.0 %\n[7.4, 22.1]"),
        ((0.14, 0.074, 0.221), "share", True, "+14.0 pp\n[+7.4, +22.1]"),
        ((0.14, 0.074, 0.221), "points", True, "+0.14\n[+0.07, +0.22]"),
        ((math.nan, math.nan, math.nan), "share", False, "none"),
    ],
)
def test_a_share_is_in_per_cent_its_change_in_points_and_what_no_deal_shows_is_none(ends, unit, signed, cell) -> None:
    assert estimate_cell(Estimate(*ends), unit, signed) == cell
