"""Carcassonne on the designer's page: of a tile its number has a field, not its picture."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.table.design.game import DesignedGame, DrawnPart
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.carcassonne.board.excerpt import STYLE, tile_svg
from channel_tunnel_env.games.carcassonne.rule_words import RULE_WORDS, TILES
from channel_tunnel_env.games.carcassonne.words import tile_name

SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def _label(key: str) -> str:
    """A figure by its name; the number of a tile by the tile's: "Tile A"; under "Points" what they are for."""
    tile = TILES.fullmatch(key)
    name = tile_name(tile[1]) if tile else RULE_WORDS.names[key]
    name = name.removeprefix("Points for ") if key.startswith("points.") else name
    return f"{name[0].upper()}{name[1:]}"


def _sentence(key: str, value: Any, ruleset: Ruleset) -> str:
    """What lies on a tile."""
    tile = TILES.fullmatch(key)
    if not tile:
        return ""
    data = ruleset.data.tiles[tile[1]]
    parts = ["A cloister"] if data.cloister else []
    parts += [f"a city on {_sides(city.sides)}{' with a shield' if city.shields else ''}" for city in data.cities]
    parts += [
        f"a road {'into a tunnel on' if road.opening is not None else 'on'} {_sides(road.sides)}" for road in data.roads
    ]
    told = "; ".join(parts)
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def _sides(letters: str) -> str:
    names = [SIDES[letter] for letter in letters]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _pictures(ruleset: Ruleset) -> dict[str, DrawnPart]:
    """The tiles, and how many there are of each."""
    return {
        _label(f"tiles.{kind.name}.count"): DrawnPart(tile_svg(kind), f"{kind.count} tiles")
        for kind in ruleset.data.tile_types()
    }


GAME = DesignedGame(
    units=(
        (r"players", "players"),
        (r"followers", "of each player"),
        (r"token_sets_.*", "sets of tokens of each player"),
        (r"points\..*|small_city", "points"),
        (r"table", "columns and rows"),
        (r"tiles\..*", "of them"),
    ),
    unsaid=(r"tiles\.\w+\.(?!count).*",),
    label=_label,
    values=RULE_WORDS.values,
    sentence=_sentence,
    pictures=_pictures,
    picture_style=STYLE,
    choices={"start_tile": lambda ruleset: [*ruleset.data.tiles]},
)
