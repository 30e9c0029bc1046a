"""The table for a page in the browser: the tiles, to be moved and zoomed, beside tile in hand and seats.

Everything to click is a group of class "target" whose data-target is an action's name, or
"mouth 3" for a tunnel mouth. What lies there but cannot be chosen is a target too: a click on it asks why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import circle, escape, group, rect, target
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.completed import Completed, completed
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.table import (
    LaidTable,
    draw_completed,
    draw_follower,
    draw_table,
    draw_token,
    face_down,
    mouth_at,
    turn_in_hand,
)
from channel_tunnel_env.games.carcassonne.board.theme import stylesheet
from channel_tunnel_env.games.carcassonne.board.tiles import TileSheet
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES
from channel_tunnel_env.games.carcassonne.pieces import token_colours
from channel_tunnel_env.games.carcassonne.words import choice_words, edges_words, mouth_words, place_words
from channel_tunnel_env.outside.sentences import title as seat_title

LAYOUTS = ("table", "phone")
_THEME = "auto"
_MOUTH_RADIUS = 15
_NEAR = 14  # of a follower's place, to click
_PALE = 0.72  # scale of a follower that is not put down yet
_STEP = 36  # between pieces in hand
_ROW = 7  # places of a row
_TIMES = "\u00d7"


def draw_page(game: Game, layout: str, before: Game | None = None) -> str:
    """The position as HTML: a drawing each for the table, the tile in hand and the seats.

    Args:
        layout: "table", or "phone" for a narrow page.
        before: the position before the last decision; what that decision completed is lit.
    """
    table, sheet = LaidTable(game), TileSheet(_THEME)
    view = _view(game, table, sheet, completed(before, game) if before else [])
    hand = _hand(game, sheet)
    seats = "".join(_seat(game, seat) for seat in range(len(game.seats)))
    return (
        f'<div class="carcassonne cc-{_THEME} {layout}"><style>{stylesheet(_THEME)}</style>'
        f'<div class="view">{view}</div>{hand}<div class="seats">{seats}</div>'
        f'<svg class="drawings" aria-hidden="true">{sheet.defs()}</svg></div>'
    )


def _svg(name: str, x: float, y: float, width: float, height: float, shapes: str) -> str:
    return f'<svg class="{name}" viewBox="{x:g} {y:g} {width:g} {height:g}">{shapes}</svg>'


def _hand(game: Game, sheet: TileSheet) -> str:
    """The tile in hand as it will lie, and what tiles are left."""
    state = game.state
    left = f"{int(state.deck_size) - int(state.drawn)} tiles face down"
    if game.is_over:
        return f'<section class="hand"><p>{left}</p></section>'
    rest = _rest(game, left, sheet)
    kind = game.ruleset.data.tile_types()[int(state.tile)]
    laid, turned = str(game.phase) in ("claim", "token"), turn_in_hand(game)
    words = "The tile that was laid" if laid else "The tile in hand"
    return (
        f'<section class="hand" aria-label="{words}: {edges_words(kind, turned)}; {left}">'
        f"{_svg('tile', 0, 0, SIZE, SIZE, sheet.tile(kind, 0, 0, turned))}"
        f"<p><b>{words}</b></p>{rest}</section>"
    )


def _rest(game: Game, left: str, sheet: TileSheet) -> str:
    """The tiles that are face down by kind, to be opened."""
    lying = face_down(game)
    if not lying:
        return f'<p class="rest">{left}</p>'
    shown = "".join(
        f'<li aria-label="{number} of tile {kind.name}: {edges_words(kind, 0)}">'
        f"{_svg('tile', 0, 0, SIZE, SIZE, sheet.tile(kind, 0, 0, 0))}"
        f"<span>{kind.name} {_TIMES}{number}</span></li>"
        for kind, number in lying
    )
    return f'<details class="rest"><summary>{left}</summary><ul>{shown}</ul></details>'


def _seat(game: Game, seat: int) -> str:
    """A seat's points by kind, its followers in hand and its tunnel tokens."""
    title, points = seat_title(game.seats[seat]), game.scores()[game.seats[seat]]
    kinds = ", ".join(f"{kind} {points[kind]}" for kind in c.KINDS if points[kind])
    now = " moving" if not game.is_over and game.mover == seat else ""
    men = int(game.state.hand[seat])
    tokens = [colour for colour in token_colours(game.ruleset.data, seat) for _ in range(int(game.state.stock[colour]))]
    label = f"{title}: {points['total']} points, {men} followers and {len(tokens)} tokens in hand"
    return (
        f'<section class="seat{now}" aria-label="{label}">'
        f"{_svg('man', -20, -22, 40, 40, draw_follower(seat, 0, 0))}<h3>{escape(title)}</h3>"
        f"<b>{points['total']}</b><p>{kinds or 'no points yet'}</p>{_stock(seat, men, tokens)}</section>"
    )


def _stock(seat: int, men: int, tokens: list[int]) -> str:
    """Followers, then tokens in hand, in rows of one width, so that each has the same size."""
    followers = [draw_follower(seat, 20, 22)] * men
    laid = [draw_token(colour, 20, 20) for colour in tokens]
    return "".join(
        _svg(
            "stock",
            0,
            0,
            _STEP * _ROW,
            40,
            "".join(group(piece, _STEP * k) for k, piece in enumerate(pieces[i : i + _ROW])),
        )
        for pieces in (followers, laid)
        for i in range(0, len(pieces), _ROW)
    )


def _view(game: Game, table: LaidTable, sheet: TileSheet, lit: list[Completed]) -> str:
    """The tiles; the page changes the view box to move and zoom."""
    west, north = table.west * SIZE, table.north * SIZE
    shapes = draw_table(table, sheet) + draw_completed(table, lit)
    shapes += "".join([*_lying(table), *_choices(game, table, sheet)])
    return _svg("tiles", west, north, table.columns * SIZE, table.rows * SIZE, shapes)


def _lying(table: LaidTable) -> Iterator[str]:
    """The tiles as things to ask about."""
    for kind, cell, turned in zip(table.kinds, table.cells, table.turned, strict=True):
        label = f"tile {kind.name} at {place_words(table, cell)}: {edges_words(kind, turned)}"
        yield _cell(table, cell, label, rect(0, 0, SIZE, SIZE, "hit"))


def _cell(table: LaidTable, cell: int, label: str, shapes: str) -> str:
    column, row = table.place_of(cell)
    name = ACTION_NAMES[c.FIRST_CELL + cell]
    return target(name, "laying", label, shapes, column * SIZE, row * SIZE)


def _choices(game: Game, table: LaidTable, sheet: TileSheet) -> Iterable[str]:
    """The targets that can be chosen now, and those that cannot but have a reason to show."""
    phase = "over" if game.is_over else str(game.phase)
    if phase == "cell":
        return _cells(game, table, sheet)
    if phase == "rotate":
        return _rotations(game, table, sheet)
    if phase == "claim":
        return _claims(game, table)
    return _mouths(game, table) if phase == "token" else ()


def _cells(game: Game, table: LaidTable, sheet: TileSheet) -> Iterator[str]:
    """The free cells beside the tiles; in those where the tile fits, how it would lie first."""
    legal = set(game.legal_ids())
    for cell in _frontier(game):
        place = place_words(table, cell)
        if c.FIRST_CELL + cell in legal:
            turned = first_rotation(game, cell)
            shapes = _preview(game, turned, sheet) + rect(5, 5, SIZE - 10, SIZE - 10, "ghost", 8)
            yield _cell(table, cell, f"lay the tile at {place}", shapes)
        else:
            hit = rect(5, 5, SIZE - 10, SIZE - 10, "hit", 8)
            yield _cell(table, cell, f"the free cell at {place}", hit)


def _frontier(game: Game) -> list[int]:
    """The free cells beside the tiles."""
    rows = [int(bits) for bits in game.state.frontier]
    return [row * c.WIDTH + x for row, bits in enumerate(rows) for x in range(c.WIDTH) if bits >> x & 1]


def first_rotation(game: Game, cell: int) -> int:
    """The first rotation in which the tile in hand fits a cell where it can be laid."""
    after = game.clone().play(c.FIRST_CELL + cell)
    if str(after.phase) == "rotate":
        return after.legal_ids()[0] - c.FIRST_ROTATE
    number = int(game.state.tile_count)
    return int(after.state.tile_turned[number])


def _preview(game: Game, turned: int, sheet: TileSheet) -> str:
    """The tile in hand as it would lie."""
    kind = game.ruleset.data.tile_types()[int(game.state.tile)]
    return f'<g class="preview">{sheet.tile(kind, 0, 0, turned)}</g>'


def _rotations(game: Game, table: LaidTable, sheet: TileSheet) -> Iterator[str]:
    """The tile in every rotation that fits, one over the other; the page shows one at a time."""
    cell = int(game.state.cell)
    column, row = table.place_of(cell)
    for action in game.legal_ids():
        label = choice_words(game, action)
        shapes = _preview(game, action - c.FIRST_ROTATE, sheet) + rect(2.5, 2.5, SIZE - 5, SIZE - 5, "chosen", 6)
        yield target(ACTION_NAMES[action], "turning", label, shapes, column * SIZE, row * SIZE)


def _claims(game: Game, table: LaidTable) -> Iterator[str]:
    """A pale follower on every piece of the tile that was laid; those not free are only asked about."""
    number = len(table.cells) - 1
    kind, turned = table.kinds[number], table.turned[number]
    legal, seat = set(game.legal_ids()), game.mover
    for place in range(c.NUM_PLACES):
        piece = kind.place_segment(place, turned)
        if piece < 0:
            continue
        segment = kind.segments[piece]
        x, y = table.point(number, geometry.standing_place(kind, segment))
        action = c.FIRST_CLAIM + place
        free = action in legal
        label = choice_words(game, action)
        shapes = circle(x, y, _NEAR, "hit")
        if free:
            man = draw_follower(seat, 0, 0, lies=segment.kind == c.FIELD)
            shapes += f'<g transform="translate({x:g} {y:g}) scale({_PALE})">{man}</g>'
        yield target(ACTION_NAMES[action], c.KINDS[segment.kind], label, shapes)


def _mouths(game: Game, table: LaidTable) -> Iterator[str]:
    """The tunnel mouths on the table."""
    chosen = {opening for action in game.legal_ids() for opening in openings_of(action)}
    for opening, (node, colour, _) in enumerate(table.mouths):
        if node < 0:
            continue
        x, y = mouth_at(table, node)
        style = "ghost" if opening in chosen and colour < 0 else "hit"
        shapes = circle(x, y, _MOUTH_RADIUS, style)
        yield target(f"mouth {opening}", "token", mouth_words(table, opening), shapes)


def openings_of(action: int) -> tuple[int, ...]:
    """The openings on which an action of the token's phase lays or has a token."""
    if not c.FIRST_TOKEN <= action < c.TOKEN_NONE:
        return ()
    return tuple(int(word) for word in ACTION_NAMES[action].split()[1:])
