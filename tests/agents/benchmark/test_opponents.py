"""The opponents of a track are those whose strengths its ladder has."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.benchmark.contests import budgets_of, list_contests
from channel_tunnel_agents.benchmark.running import opponents_of, reference_of
from channel_tunnel_env.tracks import FILES, RELEASED, load_track

ON_A_LADDER = [name for name in RELEASED if load_track(name).ladder]


@pytest.mark.parametrize("name", ON_A_LADDER)
def test_every_opponent_of_a_ladder_is_played_by_what_its_strength_was_measured_with(name) -> None:
    track = load_track(name)
    reference = reference_of(track)
    assert reference is not None
    found = opponents_of(list_contests(track, "random", budgets_of(track)[:1]))
    assert found and found == {rival: reference[FILES][rival] for rival in found}
