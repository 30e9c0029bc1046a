"""What every change of a plain ruleset of 1987 Channel Tunnel uses: a choice, and figures that follow from others."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from channel_tunnel_agents.rulesets.space import Plain
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.ruleset import Switches

KEPT = "auto_forced"  # a switch of the environment, which changes no game and stays on
RULINGS: dict[str, tuple[Any, ...]] = {
    name: get_args(field.annotation) or (False, True)
    for name, field in Switches.model_fields.items()
}
"""Every switch and its values."""


def one_of(rng: np.random.Generator, choices: Any) -> Any:
    """Any of some choices."""
    return choices[int(rng.integers(len(choices)))]


def fit_symbols(plain: Plain) -> None:
    """No more symbols than tokens."""
    rubble = plain["rubble"]
    for colour, tokens in rubble["tokens"].items():
        rubble["agenda_symbols"][colour] = min(rubble["agenda_symbols"][colour], tokens)


def count_cards(plain: Plain) -> None:
    """The sizes that the deck states are those of its list."""
    cards = plain["deck"]["cards"]
    plain["deck"]["size"] = len(cards)
    influence = sum(card["kind"] == c.CARD_KINDS[c.EUROPEAN_INFLUENCE] for card in cards)
    plain["deck"]["influence_cards"] = influence
