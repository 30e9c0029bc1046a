"""Random games of any game, checked after every action: what is broken is found and handed over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.core import checking
from channel_tunnel_env.core.batch import Batch
from channel_tunnel_env.testing import check_ruleset

SMALL = load_ruleset({"base": "carcassonne", "name": "small", "table": 4})


@pytest.mark.parametrize(("rules", "games", "counted"), [("tiny", 1200, "decisions"), (SMALL, 30, "plies")])
def test_the_report_depends_on_the_seed_alone(rules: Any, games: int, counted: str) -> None:
    """1987 has a checker of its own, which shares out chunks of games."""
    one, two = (check_ruleset(rules, games, seed=3, num_threads=n) for n in (1, 2))
    one.seconds = two.seconds = 0.0
    assert one == two and one.games == sum(one.wins.values()) == sum(one.end_causes.values()) == games
    assert one.plies >= one.decisions > games and one.clock == ("turn" if rules is SMALL else "round")
    assert getattr(check_ruleset(rules, games, seed=4), counted) != getattr(one, counted)


def test_a_record_that_breaks_a_rule_stops_the_games_and_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Leaking(Batch):
        """Loses a follower of the first row at the third step."""

        steps = 0

        def step(self, actions: Any) -> None:
            super().step(actions)
            self.steps += 1
            if self.steps == 3:
                self.records["hand"][0, 0] -= 1

    monkeypatch.setattr(checking, "Batch", Leaking)
    report = check_ruleset(SMALL, 20, seed=1)
    assert report.games == 0
    (broken,) = report.violations
    assert "followers in hand and on tiles" in broken.sentence
    assert broken.code and np.array(broken.game.states["hand"]).min() >= 0
