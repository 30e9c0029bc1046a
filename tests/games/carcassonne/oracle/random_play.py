"""Random decks and random moves that bring about what seldom happens by itself."""

from __future__ import annotations

import random
from typing import Any

from tests.games.carcassonne.oracle import actions
from tests.games.carcassonne.oracle.oracle import Oracle
from tests.games.carcassonne.oracle.tiles import bag


def shuffled(rules: dict[str, Any], luck: random.Random) -> list[str]:
    """Shuffle the deck; the tunnel tiles come up early, so that tokens are laid."""
    deck = bag(rules.get("tunnel", True))
    luck.shuffle(deck)
    return sorted(deck, key=lambda kind: luck.random() - 0.5 * kind.startswith("TU"))


def choose(game: Oracle, luck: random.Random) -> int:
    """Choose at random, but rather a follower or a token than none, and rather a rare thing."""
    legal = game.legal()
    if game.phase == "TOKEN":
        return choose_token(game, legal, luck)
    roads_and_cities = [a for a in legal if actions.CLAIM_SIDE <= a < actions.CLAIM_CLOISTER]
    if roads_and_cities and luck.random() < 0.4:
        return luck.choice(roads_and_cities)
    return choose_bold(legal, luck)


def choose_token(game: Oracle, legal: list[int], luck: random.Random) -> int:
    """Take every rival's tunnel that may be taken; where that is allowed, leave own ones half."""
    lays = game.tokens()
    rivals = [a for a in legal if any(one.owner not in (None, game.seat) for one, _ in lays[a])]
    if rivals:
        return luck.choice(rivals)
    tunnels = [action for action in legal if actions.TUNNEL <= action < actions.TOKEN_NONE]
    if game.rules["tunnel_variant"] == "steal" and luck.random() < 0.9:
        return luck.choice([action for action in legal if action not in tunnels])
    if tunnels and luck.random() < 0.5:
        return luck.choice(tunnels)
    return choose_bold(legal, luck)


def choose_bold(legal: list[int], luck: random.Random) -> int:
    """Choose at random, but seldom nothing."""
    bold = [action for action in legal if action not in (actions.CLAIM_NONE, actions.TOKEN_NONE)]
    return luck.choice(bold if bold and luck.random() < 0.7 else legal)
