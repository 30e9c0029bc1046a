"""Who sits where at the tables of a tournament."""

from __future__ import annotations

from collections import Counter

import pytest

from channel_tunnel_agents.matches.arena import list_seatings
from channel_tunnel_env import load_ruleset


def carcassonne(players: int):
    return load_ruleset({"base": "carcassonne", "players": players})


def test_two_seats_are_every_ordered_pair_and_a_mirror_each_agent_with_itself() -> None:
    standard = load_ruleset("standard")
    assert list_seatings(standard, 2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list_seatings(standard, 3, mirror=True) == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("agents", [2, 3, 5, 7])
def test_at_mixed_tables_everybody_sits_equally_often_in_every_seat(players: int, agents: int) -> None:
    seatings = list_seatings(carcassonne(players), agents)
    assert len(set(seatings)) == len(seatings)
    for seating in seatings:
        assert len(seating) == players and len(set(seating)) == min(agents, players)
    counts = [Counter(seating[seat] for seating in seatings) for seat in range(players)]
    assert all(count == counts[0] for count in counts)
    assert len(set(counts[0].values())) == 1
    # Before and behind an agent sit the same ones equally often.
    before = Counter(pair for s in seatings for pair in zip(s, s[1:] + s[:1], strict=True))
    assert all(before[a, b] == before[b, a] for a, b in before)


def test_one_against_the_rest_sits_in_every_seat_and_with_itself_once() -> None:
    seatings = list_seatings(load_ruleset("eurotunnel"), 2)
    assert len(seatings) == len(set(seatings)) == 2 * 7 + 2
    assert (0, 1, 1, 1, 1, 1, 1) in seatings and (1, 1, 1, 0, 1, 1, 1) in seatings
    assert (0,) * 7 in seatings and (1,) * 7 in seatings


def test_nobody_sits_alone_at_a_power_that_the_rules_leave_absent() -> None:
    six = load_ruleset({"base": "eurotunnel", "absent": ["ITALY"]})
    italy = six.seats.index("italy")
    seatings = list_seatings(six, 2)
    assert len(seatings) == 2 * 6 + 2
    assert not [s for s in seatings if s.count(s[italy]) == 1]
