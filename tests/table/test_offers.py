"""What the first screen offers."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.table.rooms.offers import LEVELS, Offers
from channel_tunnel_agents.table.rooms.people import NAMES
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games import BUILT_IN
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import goal, seat_words
from tests.table.helpers import Tab, refused

OTHERS = {"tunnel_1987": "greedy expectimax", "carcassonne": "heuristic master", "eurotunnel": "heuristic builder"}
"""Agents of other games."""


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny", "carcassonne", "eurotunnel"])
def test_a_ruleset_has_its_goal_in_two_lines_and_levels_that_are_agents_of_its_game(client, name) -> None:
    ours = next(ruleset for ruleset in client.get("/api/offers").json()["rulesets"] if ruleset["name"] == name)
    longest = 120 if name == "eurotunnel" else 90
    assert len(ours["goal"]) == 2 and all(len(line) < longest for line in ours["goal"])
    assert "random" in ours["agents"] and not set(OTHERS[ours["game"]].split()) & set(ours["agents"])
    levels = ours["levels"]
    assert [levels[at]["name"] for at in (0, -1)] == ["Beginner", "Club player" if name == "eurotunnel" else "Expert"]
    assert [level["name"] for level in levels] == [level.name for level in LEVELS[ours["game"]]]
    assert len({level["agent"] for level in levels}) == len(levels)
    for level in levels:
        assert level["agent"] in ours["agents"]
        assert level["words"].endswith(".") and len(level["words"]) < 90
        assert ":" not in level["name"] + level["words"]


def test_a_level_needs_its_agent() -> None:
    offers = Offers.of()
    few = Offers(offers.rulesets, ("random",))
    for ruleset in few.to_dict()["rulesets"]:
        assert {level["agent"] for level in ruleset["levels"]} <= {"random"}


def test_goal_and_sides_follow_the_ruleset() -> None:
    base = load_ruleset("standard")
    turned = base.with_values({"deviation.water_draws.france": 2, "storage.france": 2}, "mine")
    assert "9 spaces" in goal(base)[0] and "4 spaces" in goal(load_ruleset("tiny"))[0]
    assert seat_words(base, "france") == ("Has dearer technology, has more storage and does not fear water.")
    assert seat_words(turned, "france") == "Has dearer technology."
    assert seat_words(turned, "britain").startswith("Begins the first round")


def test_every_game_is_offered_and_for_every_number_of_its_players(client) -> None:
    rulesets = {r["name"]: r for r in client.get("/api/offers").json()["rulesets"]}
    assert {r["game"] for r in rulesets.values()} >= set(BUILT_IN)
    assert rulesets["standard"]["players"] is None
    ours = rulesets["carcassonne"]
    assert ours["players"] == {"usual": 2, "allowed": [2, 3, 4, 5, 6]}
    assert [side["title"] for side in ours["sides"].values()] == list(NAMES[:6])
    for number in (2, 5):
        tab = Tab.new(client, ruleset="carcassonne", players=number, seed=1)
        view = tab.view()
        assert list(view["names"].values()) == list(NAMES[:number])
        assert view["title"] == ours["title"] and "Player 0" not in str(view)
    for number in (7, 0, "3"):
        body = {"ruleset": "carcassonne", "players": number}
        assert "players" in refused(client.post("/api/games", json=body), 400)
    body = {"ruleset": "standard", "players": 3}
    assert "as the ruleset says" in refused(client.post("/api/games", json=body), 400)
