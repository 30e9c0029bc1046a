"""The scripted player reads the ruleset it plays, and on the standard one it plays as it always did."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents import HeuristicAgent, make_agent
from channel_tunnel_agents.games.tunnel_1987.players import ARCHETYPES
from channel_tunnel_agents.games.tunnel_1987.players.scores import score_actions
from channel_tunnel_agents.games.tunnel_1987.players.sight import Sight, figures_of
from channel_tunnel_env import BatchGame, Game, Ruleset, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_IDS
from tests.games.tunnel_1987.positions import legal
from tests.random_games import changed as replaced

# Of the best-scored action in each of 5,120 positions, taken before the player read any ruleset.
CHOICES = {
    "heuristic": "2aecf4f926cba151",
    "racer": "03c8a0f575ee977a",
    "engineer": "a1540a70a85f3fe4",
    "politician": "ddc56d2e9392fea5",
}
ROWS, STEPS = 32, 160


def best(scores: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The best legal action of each row; scores that differ by rounding alone count as equal."""
    rounded = np.round(scores.astype(np.float64), 4)
    rounded[~masks] = -np.inf
    return rounded.argmax(axis=1)


@pytest.mark.parametrize("name", list(CHOICES))
def test_its_choices_on_the_standard_ruleset_stay_what_they_were(name: str) -> None:
    batch = BatchGame(ROWS, "standard", 2026, autoreset=True)
    rng, digest = np.random.default_rng(5), hashlib.sha256()
    figures = figures_of(load_ruleset())
    for _ in range(STEPS):
        chosen = best(score_actions(Sight(batch.observations), ARCHETYPES[name], figures), batch.masks)
        digest.update(chosen.astype(np.uint8).tobytes())
        noise = np.where(batch.masks, rng.random(batch.masks.shape), -1).argmax(axis=1)
        batch.step(np.where(np.arange(ROWS) % 2 == 1, chosen, noise))
    assert digest.hexdigest()[:16] == CHOICES[name]


def changed(base: str = "standard", **changes: Any) -> Ruleset:
    """A ruleset with some keys set, their dots written as double underscores."""
    return replaced(base, {k.replace("__", "."): v for k, v in changes.items()})


def scores(game: Game, ruleset: Ruleset | None) -> dict[str, float]:
    """What the player for a ruleset thinks of each legal action."""
    agent = HeuristicAgent(0, ruleset=ruleset)
    seen = Sight(game.observation(game.mover)[None])
    row = score_actions(seen, agent.weights, agent.figures)[0]
    return {name: float(row[ACTION_IDS[name]]) for name in game.legal_actions()}


def position(ruleset: Ruleset, **sides: dict[str, Any]) -> Game:
    return Game.from_position(sides, ruleset)


LAST = {
    "britain": {"tbm": 8, "route": ["white"], "discs": {"white": 2, "black": 1, "orange": 3}, "storage": [],
                "technology": [0, 0]},
    "france": {"tbm": 8, "route": ["black"], "discs": {"blue": 1}, "technology": [2, 0]},
}  # fmt: skip


@pytest.mark.parametrize(("bonus", "wins"), [(0, False), (1, True)])
def test_it_ends_the_game_by_the_centre_bonus_of_the_ruleset(bonus: int, wins: bool) -> None:
    """Two points behind, one token before the rival: a bonus of one wins the tie."""
    ruleset = changed(scoring__centre_bonus=bonus)
    game = position(ruleset, **LAST)
    agent = make_agent("heuristic", ruleset)
    chosen = agent(game.observation(game.mover)[None], game.action_mask[None])
    after = game.clone().play(int(chosen[0]))
    assert after.is_over == wins and (not wins or after.winner == "britain")


def test_it_knows_the_deviation_limit_of_the_ruleset() -> None:
    """At level 2 a limit of 2 makes the next check dangerous; one of 4 does not."""
    risky = changed(deviation__limit=2, deviation__penalties=[0, 1, 2])
    sides = {
        "britain": {"tbm": 3, "route": ["white"], "discs": {"white": 3, "black": 2}, "storage": [],
                    "deviation": 2},
        "france": {"discs": {"blue": 1}},
    }  # fmt: skip
    game = position(risky, **sides)
    tunnel = legal(game, "plan_tunnel", "tunnel")[0]
    assert scores(game, risky)[tunnel] < scores(game, load_ruleset())[tunnel] - 3


def test_it_knows_what_water_does_to_each_side() -> None:
    """Blue rubble costs France what the ruleset says, not what the standard one does."""
    dry, wet = load_ruleset(), changed(deviation__water_draws__france=2)
    sides = {
        "to_play": "france",
        "france": {"tbm": 3, "route": ["blue"], "discs": {"white": 3, "blue": 2}, "storage": [],
                   "deviation": 3},
        "britain": {"discs": {"blue": 1}},
    }  # fmt: skip
    game = position(wet, **sides)
    tunnel = legal(game, "white", "plan_tunnel", "tunnel")[0]
    assert scores(game, wet)[tunnel] < scores(game, dry)[tunnel] - 3


def test_it_knows_points_and_places_of_the_tracks() -> None:
    """The track whose next step scores more is the better one; a benefit counts where it lies."""
    rich = changed(track_points__france__b=[0, 8, 9, 10, 11, 12])
    sides = {
        "to_play": "france", "france": {"discs": {"white": 2, "black": 1}, "storage": []},
        "britain": {"discs": {"blue": 1}},
    }  # fmt: skip
    game = position(rich, **sides).play("place white finance_technology technology")
    mine, standard = scores(game, rich), scores(game, None)
    assert mine["track b"] > mine["track a"] + 3 and standard["track b"] <= standard["track a"] + 1
    early = changed(benefits__france__a={1: "extra_disc"})
    game = position(early, **sides).play("place white finance_technology technology")
    assert scores(game, early)["track a"] > scores(game, None)["track a"] + 0.5


def test_it_knows_what_extra_finance_stands_for() -> None:
    """One card that pays six levels off is worth more than one that pays three."""
    rich = changed(extra_finance=6, deviation__limit=7, deviation__penalties=list(range(8)))
    sides = {
        "britain": {"discs": {"white": 2, "black": 1}, "storage": [], "deviation": 6,
                    "cards": [{"card": "extra_finance_1", "rubble": ["white"]}]},
        "france": {"discs": {"blue": 1}},
    }  # fmt: skip
    game = position(rich, **sides).play("place white finance_technology technology").play("track b")
    less = rich.with_values({"extra_finance": 3})
    assert scores(game, rich)["spend extra_finance"] > scores(game, less)["spend extra_finance"] + 2


def test_it_keeps_no_agenda_card_that_scores_nothing() -> None:
    poor = changed("agenda", agenda__points__training=0)
    sides = {
        "agenda_deck": ["training"],
        "britain": {"tbm": 2, "route": ["black", "?orange*"], "discs": {"white": 2, "black": 1},
                    "storage": []},
        "france": {"discs": {"blue": 1}},
    }  # fmt: skip
    game = Game.from_position(sides, poor).play("place white plan_tunnel plan")
    assert scores(game, load_ruleset("agenda"))["agenda keep"] > 0 > scores(game, poor)["agenda keep"]


@pytest.mark.parametrize("name", list(ARCHETYPES))
def test_it_plays_any_ruleset_to_the_end(name: str) -> None:
    """Short routes, long tracks, large payments: every score is a number."""
    for ruleset in (
        load_ruleset("tiny"),
        changed("agenda", extra_finance=20, deviation__limit=0, deviation__penalties=[0],
                switches__final_tunnel_deviation_check=True),
        changed(deviation__limit=7, deviation__penalties=list(range(8)), deviation__water_draws__britain=4),
    ):  # fmt: skip
        agent = make_agent(name, ruleset)
        batch = BatchGame(16, ruleset, 3, autoreset=True)
        for _ in range(60):
            row = score_actions(Sight(batch.observations), agent.weights, agent.figures)
            assert np.isfinite(row[batch.masks]).all()
            batch.step(agent(batch.observations, batch.masks))
