"""The ids of actions and their names."""

from __future__ import annotations

import pytest

from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.games.eurotunnel.actions import action_id

BLOCKS = {
    "* H": 0,
    "* - ADR": 1,
    "* - STP/SC": 81,
    "* - ALB via convoy": 82,
    "* ~ ALB": 124,
    "* BT ALB": 180,
    "* S ADR": 236,
    "* S ADR - ALB": 311,
    "* S YOR - WAL": 2052,
    "* C ALB - APU": 2053,
    "* C YOR - WAL": 3246,
    "* R ADR": 3247,
    "* R~ ALB": 3328,
    "* D": 3384,
    "A ANK B": 3385,
    "F ANK B": 3407,
    "F STP/SC B": 3423,
    "WAIVE": 3424,
    "ADR D": 3425,
    "PERMIT 0 AUSTRIA": 3500,
    "PERMIT 3 TURKEY": 3527,
    "PERMIT DONE": 3528,
    "VOTE NO": 3529,
    "VOTE DRAW": 3530,
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_of_ids_begins_or_ends_where_it_is_fixed(name: str) -> None:
    assert action_id(name) == BLOCKS[name]


@pytest.mark.parametrize("name", ["* S LON - BUD", "* - XYZ", "F MOS B", ""])
def test_a_text_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(IllegalActionError, match="unknown action; one looks like"):
        action_id(name)
