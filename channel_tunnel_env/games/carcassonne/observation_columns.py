"""What each number of an observation of Carcassonne counts, and how far, for observations in bytes."""

from __future__ import annotations

from channel_tunnel_env.core.encoding import Column, share
from channel_tunnel_env.games.carcassonne.bounds import points_limit
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import observation as o
from channel_tunnel_env.games.carcassonne.observation_bounds import most_open, most_shields, most_tiles, most_worth
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData

_LENDERS = {
    "score": "untouched sets / 3",
    "score less the viewer's": "half tunnels / 3",
    "worth now": "city",
    "worth if complete": "road",
    "id": "present",
}
_SIGNED = ("score less the viewer's", "x from the middle", "y from the middle")
_HALVES = ("x from the middle", "y from the middle")  # a middle may lie between two cells


def observation_columns(data: RulesetData) -> tuple[Column, ...]:
    """The columns in the order of the sections."""
    most = _most_counts(data)
    found: list[Column] = []
    for section in o.SECTIONS:
        row = [_column(section, place, most) for place in range(len(section.columns))]
        found += row * (section.size(data.players) // len(row))
    return tuple(found)


def _column(section: o.SectionRows, place: int, most: dict[str, int]) -> Column:
    """A column of a section; the words behind its stroke say how many of its counts make 1."""
    word = section.columns[place]
    name, _, unit = word.partition(" / ")
    if name.startswith("unseen of type"):
        return share(f"{section.name}: {word}")
    lender = section.columns.index(_LENDERS[name]) - place if name in _LENDERS else 0
    return Column(
        f"{section.name}: {word}",
        1 / (float(unit or 1) * (2 if name in _HALVES else 1)),
        most[name.removeprefix(name[:2]) if name[:2] in _SIDES else name] if unit else 1,
        name in _SIGNED,
        lender,
    )


_SIDES = tuple(f"{side} " for side in c.SIDES)


def _most_counts(data: RulesetData) -> dict[str, int]:
    """The largest count by what is counted."""
    points, tiles, opened = points_limit(data), most_tiles(data), most_open(data)
    worth, across = most_worth(data), data.table + 2
    return {
        "tiles face down": tiles,
        "turns of the viewer, this one included": tiles,
        "players": c.MAX_SEATS,
        "followers": data.followers,
        "token colours": c.NUM_TOKEN_COLOURS,
        "table": data.table,
        "tiles of the longest road": c.MAX_TILES,
        "score": points,
        "score less the viewer's": points,
        "supply": data.followers,
        "tokens": c.TOKENS_OF_A_COLOUR * data.token_colours,
        "untouched sets": data.token_colours,
        "half tunnels": data.token_colours,
        "followers lying": data.followers,
        "tiles": tiles,
        "open ends or complete cities": opened,
        "open ends": opened,
        "viewer's followers": data.followers,
        "most of another": data.followers,
        "seat": c.MAX_SEATS,
        "shields": most_shields(data),
        "worth now": worth,
        "worth if complete": worth,
        "id": c.NUM_CELLS - 1,
        "x from the middle": across,
        "y from the middle": across,
        "tiles around": c.FILLED_AROUND + 1,
    }
