"""What the first screen offers."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.table.minds.levels import LEVELS
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import goal, side_words


def test_every_level_is_an_agent_on_offer_and_says_what_it_does_in_a_line(client) -> None:
    offers = client.get("/api/offers").json()
    levels = offers["levels"]
    assert [levels[at]["name"] for at in (0, -1)] == ["Beginner", "Expert"]
    assert len({level["agent"] for level in levels}) == len(levels) == len(LEVELS[DEFAULT_GAME])
    for level in levels:
        assert level["agent"] in offers["agents"]
        assert level["words"].endswith(".") and len(level["words"]) < 90
        assert ":" not in level["name"] + level["words"]


def test_a_level_needs_its_agent() -> None:
    offers = Offers.of()
    few = Offers(offers.rulesets, ("random",))
    assert [level["agent"] for level in few.to_dict()["levels"]] == ["random"]


def test_goal_and_sides_follow_the_ruleset() -> None:
    base = load_ruleset("standard")
    turned = base.with_values({"deviation.water_draws.france": 2, "storage.france": 2}, "mine")
    assert "9 spaces" in goal(base)[0] and "4 spaces" in goal(load_ruleset("tiny"))[0]
    assert side_words(base, "france") == (
        "Has dearer technology, has more storage and does not fear water."
    )
    assert side_words(turned, "france") == "Has dearer technology."
    assert side_words(turned, "britain").startswith("Begins the first round")


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_the_goal_takes_two_short_lines(client, name) -> None:
    rulesets = {r["name"]: r for r in client.get("/api/offers").json()["rulesets"]}
    assert len(rulesets[name]["goal"]) == 2
    assert all(len(line) < 90 for line in rulesets[name]["goal"])
