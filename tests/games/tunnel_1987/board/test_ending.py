"""The end of a game in words: who won, why, and by which points."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.board.head import ending
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.table.helpers import random_game


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """Finished games of all kinds."""
    return [random_game(name, seed) for name in ("standard", "tiny", "agenda") for seed in range(25)]


def test_titles_tell_each_side_its_own_result(games) -> None:
    for game in games:
        totals = [game.scores()[side]["total"] for side in c.SEATS]
        for seat, side in enumerate(c.SEATS):
            title = ending(game, side)["title"]
            if game.winner is None:
                assert title == "A draw"
            else:
                assert title.startswith("You won" if game.winner == side else "You lost")
            if game.end_cause == "centre":
                assert title.endswith(f"{totals[seat]} to {totals[1 - seat]}")


def test_a_watcher_reads_names_only(games) -> None:
    for game in games:
        words = " ".join(ending(game).values())
        assert not re.search(r"\b[Yy]ou", words)
        assert "_" not in words


def test_every_cause_is_told(games) -> None:
    causes = set()
    for game in games:
        causes.add(str(game.end_cause))
        for seat, side in enumerate(c.SEATS):
            why, winner = ending(game, side)["why"], game.winner
            if game.end_cause == "deviation":
                assert why.startswith("Your" if winner != side else c.SEATS[1 - seat].capitalize())
            elif game.end_cause == "centre":
                mine = int(game.state.tbm[seat]) == game.ruleset.data.route.length
                assert why.startswith("You reached" if mine else c.SEATS[1 - seat].capitalize())
                if mine and winner != side:
                    assert why == "You reached the centre, but points decide."
    assert {"centre", "deviation"} <= causes


def test_points_are_named_only_where_they_decide(games) -> None:
    for game in games:
        words = ending(game, "britain")["points"]
        if game.end_cause == "deviation" or game.winner is None:
            assert words == ""
        for source, mine, theirs in re.findall(r"(\w[\w ]*) \((-?\d+) to (-?\d+)\)", words):
            assert int(mine) > int(theirs), source
