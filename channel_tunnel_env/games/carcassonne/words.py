"""The table in words for a person: places, followers, tunnel mouths, choices, what a decision did."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.table import LaidTable
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.kernels import survey_feature
from channel_tunnel_env.games.carcassonne.engine.legality import PAIR_FIRST, PAIR_SECOND
from channel_tunnel_env.games.carcassonne.engine.state import WORK_DTYPE
from channel_tunnel_env.games.carcassonne.pieces import Segment, TileType
from channel_tunnel_env.outside.sentences import capital, counted, listed
from channel_tunnel_env.outside.sentences import title as seat_title

SIDES = ("north", "east", "south", "west")
FOLLOWERS = {c.CITY: "knight", c.ROAD: "thief", c.CLOISTER: "monk", c.FIELD: "farmer"}
_HALF_TILE = geometry.SIZE / 2


TUNNEL_TILES = {"TU1": "tunnel tile 1", "TU2": "tunnel tile 2", "TU3": "tunnel tile 3", "TU4": "tunnel tile 4"}


def tile_name(kind: str) -> str:
    """A type of tile as people call it: "tile V", "tunnel tile 2"."""
    return TUNNEL_TILES.get(kind, f"tile {kind}")


# --- places ---------------------------------------------------------------------------------------


def place_words(table: LaidTable, cell: int) -> str:
    """A cell as a way from the start tile: "2 east, 1 north"."""
    column, row = table.place_of(cell)
    parts = [f"{abs(column)} {'east' if column > 0 else 'west'}"] if column else []
    parts += [f"{abs(row)} {'south' if row > 0 else 'north'}"] if row else []
    return ", ".join(parts) or "the start tile"


def edges_words(kind: TileType, turned: int) -> str:
    """What a turned tile shows: "city north, road east and west, field south"."""
    shown: dict[str, list[str]] = {name: [] for name in ("city", "road", "tunnel", "field")}
    for side in range(c.NUM_SIDES):
        shown[_edge_word(kind, (side - turned) % c.NUM_SIDES)].append(SIDES[side])
    return ", ".join(f"{name} {listed(sides)}" for name, sides in shown.items() if sides)


def _edge_word(kind: TileType, side: int) -> str:
    """What a tile that is not turned shows at a side."""
    number = kind.segment_at_side(side)
    if number < 0:
        return "field"
    segment = kind.segments[number]
    return "tunnel" if segment.opening >= 0 else c.KINDS[segment.kind]


def direction(kind: TileType, segment: Segment, turned: int) -> str:
    """Where a piece of a turned tile lies on it: "north-east", or "" in the middle."""
    if len(segment.sides) == 1:
        return SIDES[(segment.sides[0] + turned) % c.NUM_SIDES]
    x, y = geometry.turned(geometry.standing_place(kind, segment), turned)
    north_south = "" if abs(y - _HALF_TILE) < 9 else "north" if y < _HALF_TILE else "south"
    east_west = "" if abs(x - _HALF_TILE) < 9 else "west" if x < _HALF_TILE else "east"
    return "-".join(filter(None, (north_south, east_west)))


def mouth_words(table: LaidTable, opening: int) -> str:
    """A tunnel mouth on the table: "the east mouth of the tile at 2 east"."""
    number, _, segment = table.segment(table.mouths[opening][0])
    side = SIDES[(segment.sides[0] + table.turned[number]) % 4]
    return f"the {side} mouth at {place_words(table, table.cells[number])}"


# --- choices --------------------------------------------------------------------------------------


def choice_words(game: Game, action: int) -> str:
    """A legal action as a choice."""
    table, kinds = LaidTable(game), game.ruleset.data.tile_types()
    if action < c.FIRST_ROTATE:
        return f"Lay the tile at {place_words(table, action - c.FIRST_CELL)}"
    if action < c.FIRST_CLAIM:
        turned = action - c.FIRST_ROTATE
        return f"Lay it with {edges_words(kinds[int(game.state.tile)], turned)}"
    if action < c.CLAIM_NONE:
        return _claim_words(game, table, action - c.FIRST_CLAIM)
    if action == c.CLAIM_NONE:
        return "No follower"
    if action == c.TOKEN_NONE:
        return "No token"
    if action < c.FIRST_TUNNEL:
        return f"First token on {mouth_words(table, action - c.FIRST_TOKEN)}"
    pair = action - c.FIRST_TUNNEL
    ends = (mouth_words(table, int(end[pair])) for end in (PAIR_FIRST, PAIR_SECOND))
    return f"Finish a tunnel: {' to '.join(ends)}"


def _claim_words(game: Game, table: LaidTable, place: int) -> str:
    number = len(table.cells) - 1
    kind, turned = table.kinds[number], table.turned[number]
    node = table.first_node[number] + kind.place_segment(place, turned)
    segment = table.segment(node)[2]
    man, feature = FOLLOWERS[segment.kind].capitalize(), c.KINDS[segment.kind]
    if segment.kind == c.CLOISTER:
        return f"{man} in the cloister: {c.FILLED_AROUND - _survey(game, node)[2]} of {c.FILLED_AROUND} tiles around it lie"
    where = direction(kind, segment, turned)
    tiles, _, ends, *_ = _survey(game, node)
    size = counted(tiles, "tile")
    if segment.kind != c.FIELD:
        size += f", {counted(ends, 'open end')}" if ends else ", complete"
    preposition = "on" if segment.kind == c.ROAD else "in"
    return f"{man} {preposition} the {feature}{' ' * bool(where)}{where}: {size}"


def _survey(game: Game, node: int) -> list[int]:
    """Tiles, nodes, open ends, shields and followers by seat of a node's feature."""
    out = np.zeros(4 + c.MAX_SEATS, np.int64)
    survey_feature(game.states, 0, game.tables, node, new_records(1, WORK_DTYPE), out)
    return [int(value) for value in out]


# --- decisions ------------------------------------------------------------------------------------


def decision_words(before: Game, action: int) -> str:
    """A decision that was taken, for the log."""
    if action >= c.FIRST_CLAIM:
        return choice_words(before, action)
    kind = before.ruleset.data.tile_types()[int(before.state.tile)]
    if action >= c.FIRST_ROTATE:
        return f"Turned: {edges_words(kind, action - c.FIRST_ROTATE)}"
    return f"{capital(tile_name(kind.name))} to {place_words(LaidTable(before), action - c.FIRST_CELL)}"


def effects(before: Game, action: int, after: Game) -> Iterator[str]:
    """What followed from a decision: points, tiles that fitted nowhere, the next tile, the end."""
    old, new = before.scores(), after.scores()
    for seat in before.seats:
        gains = [(kind, new[seat][kind] - old[seat][kind]) for kind in c.KINDS]
        words = ", ".join(f"{points} for {_PLURAL[kind]}" for kind, points in gains if points)
        if words:
            yield f"{seat_title(seat)} scores {words}"
    yield from _followers_home(before, action, after)
    kinds = after.ruleset.data.tile_types()
    for number, kind in enumerate(kinds):
        for _ in range(int(after.state.out_of_game[number]) - int(before.state.out_of_game[number])):
            yield f"{tile_name(kind.name)} fits nowhere and leaves the game"
    if after.is_over:
        yield "the last tile is laid"
    elif int(after.state.turn) != int(before.state.turn):
        yield f"{seat_title(str(after.to_play))} draws {tile_name(kinds[int(after.state.tile)].name)}"
    if action >= c.FIRST_CLAIM:
        yield from _laid_by_itself(before, after)


def _laid_by_itself(before: Game, after: Game) -> Iterator[str]:
    """Tiles with one place and one rotation, which were not asked about."""
    table = LaidTable(after)
    for number in range(int(before.state.tile_count), len(table.cells)):
        place = place_words(table, table.cells[number])
        yield f"{tile_name(table.kinds[number].name)} fits in one way only, at {place}"


_PLURAL = {"city": "cities", "road": "roads", "cloister": "cloisters", "field": "fields"}


def _followers_home(before: Game, action: int, after: Game) -> Iterator[str]:
    """Followers that came back, the one that this decision put down included."""
    claims = c.FIRST_CLAIM <= action < c.CLAIM_NONE
    for number, seat in enumerate(before.seats):
        home = int(after.state.hand[number]) - int(before.state.hand[number])
        home += claims and number == before.mover
        if home > 0:
            yield f"{counted(home, 'follower')} of {seat_title(seat)} come{'s' * (home == 1)} home"
