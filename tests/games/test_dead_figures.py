"""A figure that can change nothing is not seen: no player plays otherwise because of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import BatchGame, Ruleset, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.tables import BASE, BASE_SYMBOLS, BASE_TOKENS, make_tables

GAMES = 32


def without_cards(*kinds: str) -> dict[str, Any]:
    """The base game without the cards of some kinds."""
    plain = load_ruleset("standard").plain()
    cards = [card for card in plain["deck"]["cards"] if card["kind"] not in kinds]
    influence = sum(card["kind"] == "european_influence" for card in cards)
    plain["deck"] |= {"cards": cards, "size": len(cards), "influence_cards": influence}
    return plain | {"name": "fewer-cards"}


PLACEBOS: list[tuple[Any, dict[str, Any]]] = [
    ("standard", {"agenda.points.training": 9, "agenda.points.promotion": 0}),
    ("standard", {"rubble.agenda_symbols.blue": 0}),
    ("standard", {"switches.supervision_mode": "soft"}),
    ("standard", {"switches.supervision_completed": "at_placement"}),
    ("standard", {"discs.keep_limit": 24}),
    (without_cards("political_duel"), {"scoring.political_duel": 12}),
    (without_cards("european_speech"), {"scoring.european_speech": 7}),
    (without_cards("media_relations"), {"scoring.media_relations": 7}),
    (without_cards("topographical_analysis"), {"scoring.topographical_analysis.2": 9}),
    (without_cards("extra_finance"), {"extra_finance": 9}),
    (without_cards("heavy_machinery"), {"switches.heavy_machinery_same_type": True}),
    ({"base": "carcassonne", "name": "x", "tunnel": False}, {"token_window": "before_meeple"}),
    ({"base": "carcassonne", "name": "x", "tunnel": False}, {"tunnel_variant": "steal"}),
]
ALIVE: list[tuple[Any, dict[str, Any]]] = [
    ("agenda", {"agenda.points.training": 9}),
    ("agenda", {"rubble.agenda_symbols.blue": 0}),
    ("standard", {"discs.keep_limit": 3}),
    ("standard", {"scoring.political_duel": 12}),
    ("carcassonne", {"tunnel_variant": "steal"}),
]


def changed(base: Any, values: dict[str, Any]) -> tuple[Ruleset, Ruleset]:
    ruleset = load_ruleset(base)
    other = {key: not ruleset.flat[key] if value is True else value for key, value in values.items()}
    return ruleset, ruleset.with_values(other)


def observations(ruleset: Ruleset) -> list[np.ndarray]:
    """What the movers of some random games see, decision by decision, and the scores."""
    batch, rng = BatchGame(GAMES, ruleset), np.random.default_rng(1)
    batch.reset(seeds=np.arange(GAMES))
    seen = []
    while (going := batch.masks.any(axis=1)).any():
        seen.append(batch.observe(np.maximum(batch.to_play, 0))[going].copy())
        actions = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        batch.step(np.where(going, actions, -1))
    return [*seen, batch.scores()]


@pytest.mark.parametrize(("base", "values"), PLACEBOS, ids=lambda each: str(each)[:40])
def test_rulesets_that_differ_in_dead_figures_are_seen_alike(base, values) -> None:
    ruleset, other = changed(base, values)
    assert ruleset.digest != other.digest
    for one, two in zip(observations(ruleset), observations(other), strict=True):
        np.testing.assert_array_equal(one, two)


def test_dead_figures_are_shown_as_the_base_game_has_them() -> None:
    row = make_tables([load_ruleset("standard")])[0]
    for name, value in BASE.items():
        np.testing.assert_array_equal(row[name], value, name)
    assert (np.bincount(row.token_colour[: row.num_tokens]) == BASE_TOKENS).all()
    assert (np.bincount(row.token_colour, row.token_symbol, 5) == BASE_SYMBOLS).all()


@pytest.mark.parametrize(("base", "values"), ALIVE, ids=lambda each: str(each)[:40])
def test_a_figure_that_matters_is_seen(base, values) -> None:
    ruleset, other = changed(base, values)
    assert not np.array_equal(observations(ruleset)[0], observations(other)[0])
