"""The table as text: three characters by three per tile, and what the players hold below.

c city, - | road, . field, # cloister, 0-5 a follower of that seat where it stands, a tunnel mouth
as T, or as the letter of the token's colour once a token lies on it (b y g n r k)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.plain_words import result_words
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import TOKEN_LETTERS, TileType, place_of, token_colours

__all__ = ["result_words", "to_text"]

_SIDE_AT = ((0, 1), (1, 2), (2, 1), (1, 0))  # (line, column) of north, east, south, west
_HALF_AT = ((0, 0), (0, 2), (0, 2), (2, 2), (2, 2), (2, 0), (2, 0), (0, 0))
_CENTRE = (1, 1)
_MOUTH = "T"
_EMPTY = ("   ", "   ", "   ")
Place = tuple[int, int]
Signs = Sequence[str]
"""The three lines of a tile, or of a free cell."""


def to_text(game: Game, viewer: int | None = None) -> str:
    """The whole position; nothing but the order of the deck is hidden, and that is not shown."""
    state = game.state
    columns, rows = range(state.west, state.east + 1), range(state.north, state.south + 1)
    return "\n".join([*table_lines(lying(game), columns, rows), "", *_players(game), *_turn(game)])


def people_lines(game: Game) -> list[str]:
    """What the players have, and whose turn it is."""
    return [*_players(game), *_turn(game)]


def table_lines(tiles: Mapping[Place, Signs], columns: range, rows: range) -> list[str]:
    """A part of the table, with the coordinates from the start tile above and on the left."""
    lines = ["     " + "".join(f"{x:^4}" for x in columns).rstrip()]
    for y in rows:
        row = [tiles.get((x, y), _EMPTY) for x in columns]
        for line in range(3):
            label = f"{y:>4} " if line == 1 else "     "
            lines.append((label + " ".join(tile[line] for tile in row)).rstrip())
    return lines


def lying(game: Game) -> dict[Place, Signs]:
    """The lines of the lying tiles by coordinates relative to the start tile."""
    state, types = game.state, game.ruleset.data.tile_types()
    found = {}
    for number in range(int(state.tile_count)):
        place = place_of(state, int(state.tile_cell[number]))
        found[place] = _tile(game, types[int(state.tile_type[number])], number)
    return found


def _tile(game: Game, kind: TileType, number: int) -> Signs:
    """A lying tile with its tokens and its follower."""
    state, turned = game.state, int(game.state.tile_turned[number])
    signs = [list(line) for line in tile_signs(kind, turned)]
    for i, segment in enumerate(kind.segments):
        node = int(state.first_node[number]) + i
        line, column = _places(segment, turned)[0]
        if segment.opening >= 0:
            signs[line][column] = _mouth(state, segment.opening)
        if state.follower[node] >= 0:
            signs[line][column] = str(int(state.follower[node]))
    return ["".join(line) for line in signs]


def tile_signs(kind: TileType, turned: int) -> Signs:
    """A tile as it is printed, turned by `turned` quarter turns."""
    signs = [list("..."), list("..."), list("...")]
    for segment in kind.segments:
        for line, column in _places(segment, turned):
            if segment.opening >= 0:
                signs[line][column] = _MOUTH
            elif segment.kind != c.FIELD:
                signs[line][column] = _sign(segment.kind, (line, column))
    return ["".join(line) for line in signs]


def _places(segment: Any, turned: int) -> list[tuple[int, int]]:
    """Where a segment of a lying tile is drawn; its follower stands at the first place."""
    if segment.kind == c.CLOISTER:
        return [_CENTRE]
    if segment.kind == c.FIELD:
        return [_HALF_AT[(half + 2 * turned) % c.NUM_HALVES] for half in segment.halves]
    return [_SIDE_AT[(side + turned) % c.NUM_SIDES] for side in segment.sides]


def _sign(kind: int, place: tuple[int, int]) -> str:
    if kind == c.CITY:
        return "c"
    if kind == c.CLOISTER:
        return "#"
    return "|" if place[1] == 1 else "-"


def _mouth(state: Any, opening: int) -> str:
    colour = int(state.mouth_colour[opening])
    return _MOUTH if colour < 0 else TOKEN_LETTERS[colour]


def _players(game: Game) -> list[str]:
    state, scores = game.state, game.scores()
    lines = []
    for seat, name in enumerate(game.seats):
        points = scores[name]
        parts = ", ".join(f"{kind} {points[kind]}" for kind in c.KINDS if points[kind])
        tokens = sum(int(state.stock[k]) for k in token_colours(game.ruleset.data, seat))
        text = f"{name}: {points['total']} points{f' ({parts})' if parts else ''}, {int(state.hand[seat])} followers"
        lines.append(text + (f", {tokens} tunnel tokens" if game.ruleset.data.tunnel else ""))
    return lines


def _turn(game: Game) -> list[str]:
    state = game.state
    left = int(state.deck_size) - int(state.drawn)
    if game.is_over:
        won = game.winner or "several players"
        return [f"The last tile is laid: {won} won."]
    kind = game.ruleset.data.tile_types()[int(state.tile)].name
    return [f"Turn {int(state.turn)}: {game.to_play} has tile {kind}, next choice: {game.phase}; {left} tiles left"]
