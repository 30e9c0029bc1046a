"""An estimate in a table of the terminal."""

from __future__ import annotations

import math

from channel_tunnel_agents.sheet import estimate_cell
from channel_tunnel_agents.statistics import Estimate

FOUND = Estimate(0.14, 0.074, 0.221)


def test_a_share_is_in_per_cent_and_its_change_in_percentage_points() -> None:
    assert estimate_cell(FOUND, "share") == "14.0 %\n[7.4, 22.1]"
    assert estimate_cell(FOUND, "share", signed=True) == "+14.0 pp\n[+7.4, +22.1]"


def test_what_is_no_share_has_no_unit() -> None:
    assert estimate_cell(FOUND, "points", signed=True) == "+0.14\n[+0.07, +0.22]"


def test_what_no_deal_shows_is_none() -> None:
    assert estimate_cell(Estimate(math.nan, math.nan, math.nan), "share") == "none"
