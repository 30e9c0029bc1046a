"""The forms of the policies of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env.games import DEFAULT_GAME

FORMS: Mapping[str, PolicyForm] = Parts("policy", "FORM", PolicyForm, plain="form")
"""By the name of the game."""
DEFAULT_FORM = FORMS[DEFAULT_GAME]


def form_of(card: dict[str, Any]) -> PolicyForm | None:
    """The form that a card's policies have; None for a game without policies."""
    game = card.get("game", DEFAULT_GAME)
    return FORMS.get(game) if isinstance(game, str) else None
