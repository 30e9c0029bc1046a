"""The opponents of a released track stay who they were, whoever bears their names now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from channel_tunnel_agents.benchmark import opponents
from channel_tunnel_agents.benchmark.contests import budgets_of, files_of_ladder, list_contests
from channel_tunnel_agents.benchmark.opponents import agent_as_it_was, files_of
from channel_tunnel_agents.benchmark.running import opponents_of
from channel_tunnel_agents.games import agents_of
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.tracks import RELEASED, load_track

STANDARD = load_ruleset("standard")
ON_A_LADDER = [name for name in RELEASED if load_track(name).ladder]


@pytest.mark.parametrize("name", ON_A_LADDER)
def test_every_opponent_of_a_ladder_is_played_by_what_its_strength_was_measured_with(name) -> None:
    track = load_track(name)
    known = files_of_ladder(track)
    found = opponents_of(list_contests(track, "random", budgets_of(track)[:1]))
    assert found and found == {rival: known[rival] for rival in found}


@pytest.fixture
def an_earlier_club(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose club was another agent before: the one that is called rookie here."""
    spec = replace(agents_of("tunnel_1987"), earlier={"club": ("rookie",)})
    monkeypatch.setattr(opponents, "agents_of", lambda game: spec)


@pytest.mark.usefixtures("an_earlier_club")
@pytest.mark.parametrize("player", ["club", "rookie"])
def test_an_opponent_is_who_has_the_files_of_the_ladder(player: str) -> None:
    assert agent_as_it_was("club", STANDARD, files_of(player, STANDARD)) == player


@pytest.mark.usefixtures("an_earlier_club")
@pytest.mark.parametrize("files", [None, "of nobody here"])
def test_an_opponent_that_nobody_measured_is_who_has_the_name(files: str | None) -> None:
    assert agent_as_it_was("club", STANDARD, files) == "club"
