"""The whole rulebook in our own words, with the figures of a ruleset; `rulebook.md` has the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from channel_tunnel_env.faces.rulebook import read_sections
from channel_tunnel_env.games.carcassonne.bounds import farm_points
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import TileType
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData
from channel_tunnel_env.outside.sentences import counted
from channel_tunnel_env.rulesets.ruleset import Ruleset

SOURCE = Path(__file__).with_name("rulebook.md")
TUNNEL_SECTIONS = ("tunnels", "tokens", "blocking")


@lru_cache(maxsize=16)
def rulebook(ruleset: Ruleset) -> tuple[dict[str, Any], ...]:
    """The sections (see `faces.rulebook`)."""
    data: RulesetData = ruleset.data
    left_out = () if data.tunnel else TUNNEL_SECTIONS
    return read_sections(SOURCE, figures(data), {"tiles": partial(_tiles, data)}, left_out)


# --- figures --------------------------------------------------------------------------------------


def figures(data: RulesetData) -> dict[str, str]:
    """Every `{name}` of the text."""
    tiles = sum(kind.count for kind in data.tile_types())
    return {
        "tiles": str(tiles),
        "deck": str(tiles - 1),
        "start": data.start_tile,
        "followers": str(data.followers),
        "table": str(data.table),
        **{name: counted(number, "point") for name, number in data.points if not name.startswith("farm")},
        "small_city": _small_city(data),
        "fields": _FIELDS[data.farm_scoring].format(points=_farm(data)),
        "field_end": "nothing under these rules."
        if data.farm_scoring == "none"
        else f"{_farm(data)} for each complete city beside it; see [fields](#fields).",
        "robber": _ROBBER if data.robber_baron else "",
        **_tunnel_figures(data),
    }


def _farm(data: RulesetData) -> str:
    return counted(farm_points(data), "point")


def _small_city(data: RulesetData) -> str:
    """A complete city of two tiles, where it is an exception."""
    if data.small_city == 2:
        return "A complete city of exactly two tiles is small: 1 point for each tile and each shield."
    return "That holds for a city of two tiles as well."


_FIELDS = {
    "third": "At the end each field is scored for itself: who has most farmers in it gets {points} for each complete "
    "city that it touches, no matter who built it. A city can count for several fields, also of one player.",
    "second": "At the end each field is scored for itself: who has most farmers in it gets {points} for each complete "
    "city that it touches. A city can count for several players, but for each player **only once**.",
    "first": "At the end each complete city is scored for itself: all farmers in all fields that touch it are "
    "counted, and who has most of them gets {points} for that city. Each field may count for several cities.",
    "none": "Fields score nothing under these rules. You may still put a farmer there, but it never comes home.",
}
_ROBBER = (
    "**Robber Baron**: the player who completes the longest road so far, occupied or not, takes the marker. An equally long "
    "one does not take it. At the end its holder gets 1 point for each complete road on the table."
)


def _tunnel_figures(data: RulesetData) -> dict[str, str]:
    """Sentences that depend on the tunnel and its switches."""
    follower = "**Follower**: you may put one on this tile. See [followers](#followers)."
    if not data.tunnel:
        names = ("goal_tunnel", "tokens", "step_two", "laying_tunnel", "claim_tunnel", "or_tokens")
        more = ("road_tunnel", "half_open", "end_tokens", "openings", "token_stock")
        empty = dict.fromkeys((*names, *more, "token_window", "variant"), "")
        return empty | {"step_one": follower}
    token = "**Token**: you may lay one on a tunnel mouth. See [tokens](#tokens)."
    is_before = data.token_window == "before_meeple"
    return {
        "goal_tunnel": "Tokens on tunnel mouths join roads far from each other.",
        "tokens": f"**Tunnel tokens**. {_stock(data)}",
        "step_one": token if is_before else follower,
        "step_two": follower if is_before else token,
        "laying_tunnel": " and tokens",
        "claim_tunnel": "That is seen through all finished tunnels; a half tunnel leads nowhere.",
        "or_tokens": " and tokens",
        "road_tunnel": "A tunnel mouth is an open end until it is joined.",
        "half_open": "What lies behind a half tunnel does not count.",
        "end_tokens": " and tokens",
        "openings": str(sum(segment.opening >= 0 for kind in data.tile_types() for segment in kind.segments)),
        "token_stock": _stock(data),
        "token_window": _BEFORE if is_before else _AFTER,
        "variant": _VARIANTS[data.tunnel_variant],
    }


def _stock(data: RulesetData) -> str:
    """What tokens there are, and whose."""
    size = c.TOKENS_OF_A_COLOUR
    if data.tunnel_variant == "paired":
        return f"All {data.token_colours} colours, {size} tokens each, are one common stock."
    sets = data.token_sets
    colours = "of one colour" if sets == 1 else f"in each of {sets} colours"
    return f"With {data.players} players each has {size} tokens {colours}."


_AFTER = (
    "The moment for a token is after the follower and before scoring. So you may claim a free road and then join it "
    "to one on which others stand."
)
_BEFORE = (
    "The moment for a token is after laying the tile and before the follower. So a road that you join to an occupied "
    "one cannot be claimed any more."
)
_VARIANTS = {
    "none": "Four variants of tokens have been suggested against blocking. They are not in play.",
    "follower": "**Variant in play, own roads only**: a token, first or second, may be laid only on a mouth whose road "
    "holds a follower of yours before it is joined. A follower put down this turn counts.",
    "steal": "**Variant in play, taking over**: if the owner of a half tunnel could have laid the second token in a "
    "later turn and did not, a player with a follower on that road may lay it. It comes out of the owner's stock and "
    "is the one token of that turn. The owner may still lay it too, as long as it is there.",
    "paired": "**Variant in play, pairs**: tokens are a common stock. A single first token may be laid only on a mouth "
    "whose road has no follower at all. Both tokens of a fresh colour may be laid together on any two free mouths. "
    "The second token of a half tunnel may be laid by anybody. A follower put down this turn counts.",
    "no_block": "**Variant in play, no blocking**: a first token may not be laid on a mouth whose road holds a "
    "follower of another player, even if yours stands there as well. Second tokens are free.",
}


# --- lists ----------------------------------------------------------------------------------------


def _tiles(data: RulesetData) -> list[str]:
    """How many tiles there are with each kind of feature."""
    kinds = data.tile_types()
    features: dict[str, Callable[[TileType], bool]] = {
        "with city": lambda kind: _has(kind, c.CITY),
        "with a shield": lambda kind: any(segment.shields > 0 for segment in kind.segments),
        "with road": lambda kind: _has(kind, c.ROAD),
        "with a cloister": lambda kind: _has(kind, c.CLOISTER),
        "with tunnel mouths": lambda kind: any(segment.opening >= 0 for segment in kind.segments),
    }
    numbers = {words: sum(kind.count for kind in kinds if fits(kind)) for words, fits in features.items()}
    return [f"**{counted(number, 'tile')}** {words}" for words, number in numbers.items() if number]


def _has(kind: TileType, feature: int) -> bool:
    return any(segment.kind == feature for segment in kind.segments)
