"""The tiles on the table with followers and tokens, in units of 100 a tile; the start tile lies at (0, 0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import circle, escape, path, rect, target, text
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.completed import Completed
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE, Point
from channel_tunnel_env.games.carcassonne.board.tiles import TileSheet
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import TOKEN_LETTERS, Segment, TileType, token_owner
from channel_tunnel_env.outside.sentences import title as seat_title

_PAWN = "M0-19A7.5 7.5 0 0 1 5-6L15 14H-15L-5-6A7.5 7.5 0 0 1 0-19Z"
_TOKEN_RADIUS = 13.0
_WAITING_RADIUS = 16.5  # of the ring around the token of a half tunnel
_OWNER = (25.0, 12.0)  # where its owner's number stands beside the token, and the radius of its disc
_GAIN = 25.0  # radius of the disc with what a completed feature brought
_CORNERS = "M4 20V4H20M80 4H96V20M96 80V96H80M20 96H4V80"
_COMPASS = "M0-11L2.6-2.6L11 0L2.6 2.6L0 11L-2.6 2.6L-11 0L-2.6-2.6Z"


class LaidTable:
    """What lies on the table, read from the record once; the record's own fields are slow to reach."""

    def __init__(self, game: Game) -> None:
        state: Any = game.states[0]
        self.data = game.ruleset.data
        self.types: list[TileType] = self.data.tile_types()
        # One row of free cells is shown around the tiles.
        self.west, self.north = int(state["west"]) - 1, int(state["north"]) - 1
        self.columns = int(state["east"]) + 2 - self.west
        self.rows = int(state["south"]) + 2 - self.north
        count = int(state["tile_count"])
        self.cells: list[int] = state["tile_cell"][:count].tolist()
        self.kinds = [self.types[k] for k in state["tile_type"][:count].tolist()]
        self.turned: list[int] = state["tile_turned"][:count].tolist()
        # The numbers of the tiles that are drawn, with what stands on them.
        self.shown: Collection[int] = range(count)
        self.first_node: list[int] = state["first_node"][: count + 1].tolist()
        self.tile_of_node: list[int] = state["node_tile"][: self.first_node[count]].tolist()
        self.followers: list[int] = state["follower"][: self.first_node[count]].tolist()
        mouths = ("mouth_node", "mouth_colour", "mouth_partner")
        self.mouths: list[tuple[int, int, int]] = list(zip(*(state[name].tolist() for name in mouths), strict=True))

    def place_of(self, cell: int) -> tuple[int, int]:
        """A cell of the torus as column and row from the start tile."""
        column = self.west + (cell % c.WIDTH - self.west) % c.WIDTH
        return column, self.north + (cell // c.WIDTH - self.north) % c.WIDTH

    def segment(self, node: int) -> tuple[int, TileType, Segment]:
        """A node's tile number, type and segment."""
        number = self.tile_of_node[node]
        kind = self.kinds[number]
        return number, kind, kind.segments[node - self.first_node[number]]

    def point(self, number: int, point: Point) -> Point:
        """A point of a lying tile that is not turned, as one of the table."""
        column, row = self.place_of(self.cells[number])
        x, y = geometry.turned(point, self.turned[number])
        return column * SIZE + x, row * SIZE + y


def face_down(game: Game) -> list[tuple[TileType, int]]:
    """The tile types that are still face down and how many of each: which they are is public, their order is not."""
    state, types = game.state, game.ruleset.data.tile_types()
    left = Counter(map(int, state.deck[int(state.drawn) : int(state.deck_size)]))
    return [(types[number], count) for number, count in sorted(left.items())]


def turn_in_hand(game: Game) -> int:
    """How the tile of the turn lies, once that is decided."""
    state = game.state
    return int(state.tile_turned[int(state.tile_count) - 1]) if game.phase in ("claim", "token") else 0


def draw_table(table: LaidTable, sheet: TileSheet, below: str = "") -> str:
    """Everything on the table.

    Args:
        sheet: takes the drawings of the tiles.
        below: shapes that lie under the tiles.
    """
    tiles = [sheet.tile(table.kinds[n], *table.place_of(table.cells[n]), table.turned[n]) for n in table.shown]
    return "".join([below, *tiles, _start(table), *_tunnels(table), *_men(table), _last(table)])


def _start(table: LaidTable) -> str:
    """The corners of the start tile and a compass in one of them: places are counted from here."""
    if 0 not in table.shown:
        return ""
    column, row = table.place_of(table.cells[0])
    x, y = column * SIZE, row * SIZE
    marks = path(_CORNERS, "start") + path(_COMPASS, "compass", 84, 84)
    return f'<g data-mark="start" transform="translate({x:g} {y:g})"><title>the start tile</title>{marks}</g>'


def _men(table: LaidTable) -> list[str]:
    """The followers; farmers lie, with a ring around them."""
    found = []
    for node, seat in enumerate(table.followers):
        if seat >= 0 and table.tile_of_node[node] in table.shown:
            number, kind, segment = table.segment(node)
            x, y = table.point(number, geometry.standing_place(kind, segment))
            found.append(draw_follower(seat, x, y, lies=segment.kind == c.FIELD))
    return found


def draw_follower(seat: int, x: float, y: float, lies: bool = False) -> str:
    """A follower of a seat with the seat's number."""
    ring = circle(x, y, 21, "lying") if lies else ""
    return ring + path(_PAWN, f"seat{seat}", x, y) + _number(seat, x, y + 11.5)


def _number(seat: int, x: float, y: float) -> str:
    """A seat's number on a piece; a table that knows who sits there may write another sign in its place."""
    return f'<text class="seat{seat}-t" data-seat="{seat}" x="{x:g}" y="{y:g}">{seat}</text>'


def draw_token(colour: int, x: float, y: float) -> str:
    """A tunnel token with its colour's letter."""
    name = f"token-{c.TOKEN_COLOURS[colour]}"
    return circle(x, y, _TOKEN_RADIUS, name) + text(x, y + 5.5, TOKEN_LETTERS[colour], f"{name}-t")


def _tunnels(table: LaidTable) -> list[str]:
    """A line between the ends of every finished tunnel, and the tokens on the mouths."""
    lines, tokens = [], []
    for opening, (node, colour, partner) in enumerate(table.mouths):
        if node < 0 or colour < 0 or table.tile_of_node[node] not in table.shown:
            continue
        x, y = mouth_at(table, node)
        token = draw_token(colour, x, y)
        tokens.append(token if partner >= 0 else _waiting(table, node, colour, token))
        if partner > opening:
            other = mouth_at(table, table.mouths[partner][0])
            lines += [path(f"M{x:g} {y:g}L{other[0]:g} {other[1]:g}", style) for style in ("linked-edge", "linked")]
    return lines + tokens


def _waiting(table: LaidTable, node: int, colour: int, token: str) -> str:
    """The token of a half tunnel within a ring of its owner's colour and dashes, and the owner's number."""
    x, y = mouth_at(table, node)
    owner = token_owner(table.data, colour)
    whose = "half tunnel" + (f" of {seat_title(f'player_{owner}')}" if owner is not None else "")
    ring = circle(x, y, _WAITING_RADIUS, "waiting")
    if owner is not None:
        number, _, segment = table.segment(node)
        apart, radius = _OWNER
        bx, by = table.point(number, geometry.beside_mouth(segment, apart))
        ring += circle(x, y, _WAITING_RADIUS, f"waiting{owner}")
        token += circle(bx, by, radius, f"owner{owner}") + _number(owner, bx, by + 5.5)
    return f'<g data-mark="half"><title>{whose}</title>{ring}{token}</g>'


def mouth_at(table: LaidTable, node: int) -> Point:
    number, _, segment = table.segment(node)
    return table.point(number, geometry.mouth(segment))


def draw_completed(table: LaidTable, features: Sequence[Completed]) -> str:
    """What has just been completed, as light upon it, with the points where they are known."""
    return "".join(_lit(table, feature) for feature in features)


def _lit(table: LaidTable, feature: Completed) -> str:
    shapes = []
    for node in feature.nodes:
        number, kind, segment = table.segment(node)
        column, row = table.place_of(table.cells[number])
        place = f"translate({column * SIZE:g} {row * SIZE:g}) rotate({90 * table.turned[number]} 50 50)"
        shapes.append(f'<g transform="{place}">{_light(kind, segment)}</g>')
    number, kind, segment = table.segment(feature.nodes[-1])
    x, y = table.point(number, geometry.standing_place(kind, segment))
    for k, (seat, points) in enumerate(feature.points.items()):
        right = x + 2 * _GAIN * k
        shapes.append(circle(right, y, _GAIN, f"owner{seat}"))
        shapes.append(text(right, y + 5.5, f"+{points}", f"seat{seat}-t"))
    return (
        f'<g class="lit" data-lit="{c.KINDS[feature.kind]}" role="img" '
        f'aria-label="{escape(feature.words)}">{"".join(shapes)}</g>'
    )


def _light(kind: TileType, segment: Segment) -> str:
    """A piece of a completed feature."""
    if segment.kind == c.CITY:
        area, walls = geometry.city_outline(segment.sides)
        return path(area, "lit-area") + (path(walls, "lit-wall") if walls else "")
    if segment.kind == c.ROAD:
        return path(geometry.road_path(kind, segment), "lit-road")
    return rect(14, 14, SIZE - 28, SIZE - 28, "lit-close", 20)


def draw_ghosts(game: Game, table: LaidTable) -> str:
    """The cells where the tile in hand may go, as targets to click, or the cell that was chosen for it."""
    if game.is_over or game.phase not in ("cell", "rotate"):
        return ""
    if game.phase == "rotate":
        column, row = table.place_of(int(game.state.cell))
        return rect(column * SIZE + 2.5, row * SIZE + 2.5, SIZE - 5, SIZE - 5, "chosen", 6)
    found = []
    for action, name in zip(game.legal_ids(), game.legal_actions(), strict=True):
        column, row = table.place_of(action - c.FIRST_CELL)
        ghost = rect(5, 5, SIZE - 10, SIZE - 10, "ghost", 8)
        found.append(target(name, "laying", f"lay the tile at {name}", ghost, column * SIZE, row * SIZE))
    return "".join(found)


def _last(table: LaidTable) -> str:
    """A frame around the tile laid last."""
    last = len(table.cells) - 1
    if not last or last not in table.shown:
        return ""
    column, row = table.place_of(table.cells[last])
    return rect(column * SIZE + 1.5, row * SIZE + 1.5, SIZE - 3, SIZE - 3, "last", 4)
