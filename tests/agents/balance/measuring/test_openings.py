"""Openings: the tree counts lines, and lines come from games."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents.games.tunnel_1987 import openings
from channel_tunnel_agents.games.tunnel_1987.openings import opening_tree, play_openings, turn_name
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.actions import action_id

TINY = load_ruleset("tiny")
LINES = [
    ["tunnel", "plan", "pass"],
    ["tunnel", "plan", "tunnel"],
    ["tunnel", "finance", "tunnel", "pass"],
    ["plan", "plan"],
]
POINTS = np.array([1.0, 0.5, 0.0, 0.0])
DEALS = np.arange(4)


def test_a_node_counts_the_games_that_went_its_way_and_what_they_won() -> None:
    tree = opening_tree(LINES, POINTS, DEALS, least=1)
    assert (tree.games, tree.share, tree.britain.value) == (4, 1, 0.375)
    tunnel, plan = tree.replies
    assert (tunnel.move, tunnel.games, tunnel.share, tunnel.britain.value) == ("tunnel", 3, 0.75, 0.5)
    assert [(r.move, r.games) for r in tunnel.replies] == [("plan", 2), ("finance", 1)]
    assert tunnel.replies[0].share == pytest.approx(2 / 3)
    assert tunnel.replies[1].replies[0].replies == ()  # three turns deep, and no further
    assert [(r.move, r.share, r.replies) for r in plan.replies[0].replies] == [("end", 1, ())]


def test_rare_moves_are_put_together_and_keep_their_games() -> None:
    tree = opening_tree(LINES, POINTS, DEALS, least=2)
    assert [(r.move, r.games) for r in tree.replies] == [("tunnel", 3), ("other", 1)]
    assert tree.replies[1].replies == ()
    assert sum(reply.share for reply in tree.replies) == 1


def test_games_of_one_deal_are_not_as_many_as_they_are() -> None:
    rng = np.random.default_rng(0)
    points = np.repeat(rng.integers(0, 2, 40), 5).astype(float)
    lines = [["tunnel"]] * 200
    own = opening_tree(lines, points, np.arange(200)).britain
    shared = opening_tree(lines, points, np.repeat(np.arange(40), 5)).britain
    assert shared.high - shared.low > 1.8 * (own.high - own.low)


def test_lines_points_and_deals_must_fit() -> None:
    for lines, points in ((LINES[:2], POINTS), ([], np.empty(0))):
        with pytest.raises(ValueError, match=r"one of each a game is needed"):
            opening_tree(lines, points, DEALS[: len(points)])
    with pytest.raises(ValueError, match="depth 0: 1 or more is needed"):
        opening_tree(LINES, POINTS, DEALS, depth=0)


@pytest.mark.parametrize(
    "action, name",
    [
        ("place blue plan_tunnel tunnel", "plan_tunnel tunnel"),
        ("place white slot_3 develop", "slot_3 develop"),
        ("pass", "pass"),
    ],
)
def test_a_turn_is_named_without_its_colour(action: str, name: str) -> None:
    assert turn_name(action_id(action)) == name
    with pytest.raises(ValueError, match="only a placement or a pass is a turn"):
        turn_name(action_id("keep 0 blue"))


def test_the_lines_are_the_first_turns_of_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted player on the same deals, one game at a time."""
    monkeypatch.setattr(openings, "CHUNK", 4)
    found = play_openings("tests.agents.test_agents:FirstLegal", TINY, 10, 3, workers=1)
    for seed, line, points in zip(found.deals, found.lines, found.britain_points, strict=True):
        game, turns = Game(TINY, int(seed)), []
        while not game.is_over:
            action = game.legal_ids()[0]
            if game.phase == "turn":
                turns.append(turn_name(action))
            game.play(action)
        assert line == turns[:3]
        assert points == {"britain": 1.0, "france": 0.0}.get(str(game.winner), 0.5)
