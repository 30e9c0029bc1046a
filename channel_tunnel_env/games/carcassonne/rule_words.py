"""Names of figures of Carcassonne and of their values, as a player would call them."""

from __future__ import annotations

import re

from channel_tunnel_env.faces.plain_words import NamedFigures, plain_name
from channel_tunnel_env.games.carcassonne.words import TUNNEL_TILES, tile_name

TILES = re.compile(r"tiles\.(\w+)\.count")


def _other(key: str) -> str:
    """The number of a tile by the tile's name."""
    tile = TILES.fullmatch(key)
    return f"tiles, {tile_name(tile[1])}" if tile else plain_name(key)


RULE_WORDS = NamedFigures(
    names={
        "players": "Players",
        "tunnel": "Play with The Tunnel",
        "farm_scoring": "How fields score",
        "small_city": "Points for a complete city of two tiles",
        "token_sets_two": "Token sets of two players",
        "token_sets_three": "Token sets of three players",
        "token_window": "When a token is laid",
        "tunnel_variant": "Who may lay a token where",
        "robber_baron": "The robber baron of the longest road",
        "table": "Size of the table",
        "auto_forced": "Skip decisions with one answer",
        "followers": "Followers",
        "start_tile": "The tile on the table at the start",
        "points.road": "Points for each tile of a complete road",
        "points.road_open": "Points for each tile of an incomplete road",
        "points.city": "Points for each tile of a complete city",
        "points.city_open": "Points for each tile of an incomplete city",
        "points.shield": "Points for each shield in a complete city",
        "points.shield_open": "Points for each shield in an incomplete city",
        "points.cloister": "Points for a complete cloister",
        "points.cloister_open": "Points for each tile of and around an incomplete cloister",
        "points.farm": "Points for each complete city beside a field",
        "points.farm_first": "Points for each city if fields score city by city",
    },
    values={
        "farm_scoring": {
            "third": "each field for itself",
            "second": "a city once for each player",
            "first": "city by city, all its farmers",
            "none": "not at all",
        },
        "token_window": {"after_meeple": "after the follower", "before_meeple": "before the follower"},
        "tunnel_variant": {
            "none": "anybody anywhere",
            "follower": "only on roads with an own follower",
            "steal": "slow owners lose the second token",
            "paired": "from a common stock, also in pairs",
            "no_block": "not first on a rival's road",
        },
        "start_tile": {name: tile_name(name) for name in TUNNEL_TILES},
    },
    other=_other,
)
in_words, changes_in_words = RULE_WORDS.in_words, RULE_WORDS.changes_in_words
figure_in_words = RULE_WORDS.figure_in_words
