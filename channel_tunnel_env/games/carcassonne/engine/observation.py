"""What a seat sees, as numbers in named sections: float32, or the counts behind them as bytes (see `core.numbers`).

Everything but the order of the deck is public. Seats are counted from the viewer in turn order: 0 is the
viewer, 1 the seat after it. Rows without a content are zero.
"""

from __future__ import annotations

from typing import NamedTuple

from channel_tunnel_env.core.bits import lowest_bit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.numbers import put, put_share, put_wide
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import cell_x, cell_y, edge_node, neighbour, rotations_that_fit
from channel_tunnel_env.games.carcassonne.engine.legality import (
    claimed_segment,
    is_unclaimed,
    list_cells,
    may_start,
    owns_colour,
    tunnel_colour,
    untouched_colour,
)
from channel_tunnel_env.games.carcassonne.engine.scoring import (
    cells_around,
    city_worth,
    list_fed_cities,
    node_kind,
    shields,
    worth,
)

SEEN_FOLLOWERS = 7  # rows per seat; more followers of a seat are not shown
SEEN_CELLS = 96  # rows; random play has at most 72 legal cells, more are not shown


class SectionRows(NamedTuple):
    """A part of the observation: `rows` rows of `columns`; `per_seat` as often as there are seats."""

    name: str
    columns: tuple[str, ...]
    rows: int = 1
    per_seat: bool = False

    def size(self, players: int) -> int:
        """Numbers in a game of `players` seats."""
        return len(self.columns) * self.rows * (players if self.per_seat else 1)


def _sides(*columns: str) -> tuple[str, ...]:
    return tuple(f"{side} {column}" for side in c.SIDES for column in columns)


SIDE_COLUMNS = ("city", "road", "viewer's", "another's", "open ends / 8", "tiles / 16")


def _each(word: str, count: int) -> tuple[str, ...]:
    return tuple(f"{word} {i}" for i in range(count))


SECTIONS = (
    SectionRows("phase", (*c.PHASES[: c.OVER], "viewer decides")),
    SectionRows("clock", ("tiles face down / 75", "turns of the viewer, this one included / 38")),
    SectionRows(
        "rules",
        (
            *("players / 6", "tunnel", *(f"farms {name}" for name in c.FARM_SCORINGS)),
            *("small city 4", "token first", *(f"variant {name}" for name in c.VARIANTS)),
            *("robber baron", "followers / 7", "token colours / 6", "table / 30"),
        ),
    ),
    SectionRows("robber", ("viewer's", "another's", "tiles of the longest road / 20")),
    SectionRows(
        "seats",
        (
            *("score / 150", "score less the viewer's / 100", "supply / 7", "tokens / 6"),
            *("untouched sets / 3", "half tunnels / 3", "followers lying / 7", "to move"),
        ),
        per_seat=True,
    ),
    SectionRows("tile", (*_each("type", c.MAX_TYPES), *_each("turned", c.NUM_SIDES))),
    SectionRows("bag", _each("unseen of type", c.MAX_TYPES)),
    SectionRows(
        "laid", ("present", *c.KINDS, "free", "tiles / 16", "open ends or complete cities / 8"), rows=c.NUM_PLACES
    ),
    SectionRows(
        "openings",
        (
            *("on the table", "unclaimed", "half: viewer's", "half: another's", "finished"),
            *("tiles / 16", "open ends / 8", "viewer's followers / 7", "most of another / 7"),
            *("viewer may start", "viewer may join", "owner missed a chance"),
        ),
        rows=c.NUM_OPENINGS,
    ),
    SectionRows(
        "followers",
        (
            *("present", "viewer's", "seat / 6", *c.KINDS, "tiles / 16", "shields / 4"),
            *("open ends / 8", "viewer's followers / 7", "most of another / 7"),
            *("worth now / 30", "worth if complete / 30"),
        ),
        rows=SEEN_FOLLOWERS,
        per_seat=True,
    ),
    SectionRows(
        "cells",
        (
            *("present", "id / 1024", "x from the middle / 32", "y from the middle / 32"),
            *_each("fits turned", c.NUM_SIDES),
            *("tiles around / 8", "viewer's cloister around", "another's cloister around"),
            *("chosen", *_sides(*SIDE_COLUMNS)),
        ),
        rows=SEEN_CELLS,
    ),
)
SECTION_BY_NAME = {section.name: section for section in SECTIONS}


def observation_size(players: int) -> int:
    """Floats of an observation in a game of `players` seats."""
    return sum(section.size(players) for section in SECTIONS)


def offset(name: str, players: int) -> int:
    """Where a section begins.

    Raises:
        KeyError: there is no such section.
    """
    names = [section.name for section in SECTIONS]
    if name not in names:
        raise KeyError(f"{name!r}: sections: {', '.join(names)}")
    return sum(section.size(players) for section in SECTIONS[: names.index(name)])


_CELL_COLUMNS = len(SECTION_BY_NAME["cells"].columns)
_SIDE = len(SIDE_COLUMNS)
# What counts are divided by; `observation_columns` says how large the quotients can be.
SCORE, APART = 150.0, 100.0  # points of a seat, and by how many two differ
DECK, TURNS = 75.0, 38.0
TILES, OPEN, MEN, SHIELDS, POINTS = 16.0, 8.0, 7.0, 4.0, 30.0
TOKENS, SETS = 6.0, 3.0
LONGEST = 20.0  # tiles of the Robber Baron's road
ACROSS = 32.0  # cells
AROUND = 8.0  # cells
SEATS, TABLE = 6.0, 30.0
_ROADS_AND_CITIES = 0b10101010  # in a cell's need: the higher bit of each side
_MEN_BITS = 8  # per seat in `work.men_on`: six seats fit an int64, and a ruleset gives a seat at most 20
_MEN_MASK = (1 << _MEN_BITS) - 1


@compiled
def fill_observation(state, rules, viewer, work, observations, row):
    """Write what a seat sees to a row of `observations`, float32 or uint8 (B, D)."""
    out = observations[row]
    # What follows writes only rows with a content.
    for k in range(out.shape[0]):
        out[k] = 0.0
    men = _note_features(state, work)
    at = _fill_phase(state, viewer, out)
    at = _fill_clock(state, rules, viewer, out, at)
    at = _fill_rules(rules, out, at)
    at = _fill_robber(state, rules, viewer, out, at)
    at = _fill_seats(state, rules, viewer, out, at)
    at = _fill_tile(state, out, at)
    at = _fill_bag(state, rules, out, at)
    at = _fill_laid(state, rules, work, out, at)
    at = _fill_openings(state, rules, viewer, work, out, at)
    at = _fill_followers(state, rules, viewer, men, work, out, at)
    _fill_cells(state, rules, viewer, men, work, out, at)


@compiled
def _note_features(state, work):
    """Note tiles and followers of each feature by its label, and list the nodes with a follower.

    `work.men_on` is noted only for occupied features. Returns how many followers lie.
    """
    count = int(state.first_node[int(state.tile_count)])
    for node in range(count):
        work.tiles_of[node] = 0
        work.last_tile[node] = c.NONE
    men = 0
    for node in range(count):
        label = int(state.label[node])
        if work.last_tile[label] != state.node_tile[node]:  # the nodes of a tile are together
            work.last_tile[label] = state.node_tile[node]
            work.tiles_of[label] += 1
        work.men_at[men] = node  # overwritten unless somebody is there; a branch costs more
        men += state.follower[node] >= 0
    for k in range(men):
        label = int(state.label[int(work.men_at[k])])
        work.men_on[label] = 0
        work.row_with[label] = c.NONE
    for k in range(men):
        node = int(work.men_at[k])
        work.men_on[int(state.label[node])] += 1 << _MEN_BITS * int(state.follower[node])
    return men


@compiled
def _men_on(state, label, work):
    """Followers on a feature by seat, `_MEN_BITS` bits each; 0 if there are none."""
    return int(work.men_on[label]) if state.occupants[label] > 0 else 0


@compiled
def seat_after(rules, viewer, seat):
    """How many seats after the viewer a seat comes."""
    return (seat - viewer) % int(rules.players)


@compiled
def _fill_phase(state, viewer, out):
    if state.phase != c.OVER:
        out[int(state.phase)] = 1.0
        out[c.OVER] = state.to_play == viewer
    return c.OVER + 1


@compiled
def _fill_clock(state, rules, viewer, out, at):
    """Turns are counted as if every tile could be placed."""
    left = int(state.deck_size) - int(state.drawn)
    put(out, at, left, DECK)
    if state.phase != c.OVER:
        players = int(rules.players)
        later = (viewer - int(state.to_play)) % players  # turns of others before the viewer's
        # Draw 0 was this turn's, draw k is the k-th tile left: the viewer's are `later`, `later + players` and so on.
        put(out, at + 1, (left - later + players) // players, TURNS)
    return at + 2


@compiled
def _fill_rules(rules, out, at):
    put(out, at, int(rules.players), SEATS)
    out[at + 1] = rules.tunnel
    out[at + 2 + int(rules.farm_scoring)] = 1.0
    at += 2 + 4  # one column for each scoring of farms
    out[at] = rules.small_city == 4
    # Without tunnels neither of these changes anything, and no player may play otherwise because of them.
    out[at + 1] = rules.tunnel and rules.token_window == c.TOKEN_BEFORE
    out[at + 2 + (int(rules.variant) if rules.tunnel else c.NO_VARIANT)] = 1.0
    at += 2 + 5  # one column for each variant
    out[at] = rules.robber_baron
    put(out, at + 1, int(rules.followers), MEN)
    put(out, at + 2, int(rules.colours), TOKENS)
    put(out, at + 3, int(rules.table), TABLE)
    return at + 4


@compiled
def _fill_robber(state, rules, viewer, out, at):
    out[at] = state.robber == viewer
    out[at + 1] = state.robber >= 0 and state.robber != viewer
    put(out, at + 2, int(state.longest), LONGEST)
    return at + 3


@compiled
def _fill_seats(state, rules, viewer, out, at):
    players = int(rules.players)
    for after in range(players):
        seat = (viewer + after) % players
        score = int(state.score[seat])
        put(out, at + 2, int(state.hand[seat]), MEN)
        # Before the scores, whose upper bits go to the columns of sets and half tunnels (see `put_wide`).
        _fill_tokens(state, rules, seat, out, at + 3)
        put_wide(out, at, at + 4, score, SCORE)
        put_wide(out, at + 1, at + 5, score - int(state.score[viewer]), APART)
        put(out, at + 6, int(rules.followers) - int(state.hand[seat]), MEN)
        out[at + 7] = state.phase != c.OVER and state.to_play == seat
        at += 8
    return at


@compiled
def _fill_tokens(state, rules, seat, out, at):
    """Tokens, untouched sets and half tunnels that a seat may use; those of a common stock are everybody's."""
    tokens = untouched = halves = 0
    for colour in range(int(rules.colours)):
        if owns_colour(rules, seat, colour):
            tokens += int(state.stock[colour])
            untouched += state.stock[colour] == c.TOKENS_OF_A_COLOUR
            halves += state.half[colour] >= 0
    put(out, at, tokens, TOKENS)
    put(out, at + 1, untouched, SETS)
    put(out, at + 2, halves, SETS)


@compiled
def _fill_tile(state, out, at):
    """The drawn type; its rotation once it lies."""
    # `tile` keeps the type until the turn ends, also once it lies.
    if state.phase != c.OVER:
        out[at + int(state.tile)] = 1.0
    if state.phase == c.CLAIM or state.phase == c.TOKEN:
        out[at + c.MAX_TYPES + int(state.tile_turned[int(state.tile_count) - 1])] = 1.0
    return at + c.MAX_TYPES + c.NUM_SIDES


@compiled
def _fill_bag(state, rules, out, at):
    for kind in range(int(rules.num_types)):
        if rules.tiles[kind] > 0:  # a ruleset may have no tile of a type
            put_share(out, at + kind, state.unseen[kind] / rules.tiles[kind])
    return at + c.MAX_TYPES


@compiled
def _fill_laid(state, rules, work, out, at):
    """The features of the tile just laid, by the place where a follower would go."""
    if state.phase == c.CLAIM or state.phase == c.TOKEN:
        first = int(state.first_node[int(state.tile_count) - 1])
        for place in range(c.NUM_PLACES):
            segment = claimed_segment(state, rules, place)
            if segment >= 0:
                label = int(state.label[first + segment])
                kind = node_kind(state, rules, label)
                here = at + 8 * place
                out[here] = 1.0
                out[here + 1 + kind] = 1.0
                out[here + 5] = state.occupants[label] == 0
                put(out, here + 6, int(work.tiles_of[label]), TILES)
                put(out, here + 7, _open_ends(state, rules, label, kind, work), OPEN)
    return at + 8 * c.NUM_PLACES


@compiled
def _open_ends(state, rules, label, kind, work):
    """Open ends of a road or city, empty cells around a cloister, complete cities beside a field."""
    if kind == c.FIELD:
        return list_fed_cities(state, rules, label, work)
    if kind == c.CLOISTER:
        cell = int(state.tile_cell[int(state.node_tile[label])])
        return c.FILLED_AROUND - cells_around(state, cell)
    return int(state.open[label])


@compiled
def _fill_openings(state, rules, viewer, work, out, at):
    can_start = untouched_colour(state, rules, viewer) >= 0  # a first token needs both of its colour in stock (C63)
    for opening in range(c.NUM_OPENINGS):
        node = int(state.mouth_node[opening])
        if node >= 0:
            here = at + 12 * opening
            colour = int(state.mouth_colour[opening])
            out[here] = 1.0
            if colour < 0:
                out[here + 1] = 1.0
            elif state.mouth_partner[opening] >= 0:
                out[here + 4] = 1.0
            else:
                # In a common stock every half tunnel counts as the viewer's, who may finish it (C71).
                mine = owns_colour(rules, viewer, colour)
                out[here + 2] = mine
                out[here + 3] = not mine
                out[here + 11] = state.missed[colour]
            label = int(state.label[node])
            put(out, here + 5, int(work.tiles_of[label]), TILES)
            put(out, here + 6, int(state.open[label]), OPEN)
            _fill_men(rules, viewer, _men_on(state, label, work), out, here + 7)
            if is_unclaimed(state, opening):
                out[here + 9] = can_start and may_start(state, rules, viewer, opening)
    _fill_joins(state, rules, viewer, out, at + 10)
    return at + 12 * c.NUM_OPENINGS


@compiled
def _fill_men(rules, viewer, men, out, at):
    """The viewer's followers on a feature, and the most that another seat has."""
    most = 0
    for seat in range(int(rules.players)):
        if seat != viewer:
            most = max(most, men >> _MEN_BITS * seat & _MEN_MASK)
    put(out, at, men >> _MEN_BITS * viewer & _MEN_MASK, MEN)
    put(out, at + 1, most, MEN)


@compiled
def _fill_joins(state, rules, viewer, out, at):
    """Mark the openings that the viewer may join to another."""
    for a in range(c.NUM_OPENINGS):
        if state.mouth_node[a] >= 0:
            for b in range(a + 1, c.NUM_OPENINGS):
                if tunnel_colour(state, rules, viewer, a, b) >= 0:
                    out[at + 12 * a] = 1.0
                    out[at + 12 * b] = 1.0


@compiled
def _fill_followers(state, rules, viewer, men, work, out, at):
    """A block of rows for each seat, from the viewer on; a row for each of its followers on the table."""
    columns = 14
    for seat in range(c.MAX_SEATS):
        work.rows_of[seat] = 0
    for k in range(men):
        node = int(work.men_at[k])
        seat = int(state.follower[node])
        if work.rows_of[seat] < SEEN_FOLLOWERS:  # a ruleset may give a seat more followers than rows
            after = seat_after(rules, viewer, seat)
            here = at + columns * (after * SEEN_FOLLOWERS + int(work.rows_of[seat]))
            work.rows_of[seat] += 1
            label = int(state.label[node])
            # A feature is judged once; its other followers differ from the first only in whose they are.
            same = int(work.row_with[label])
            if same < 0:
                work.row_with[label] = here
                _fill_occupied(state, rules, viewer, label, work, out, here)
            else:
                out[here : here + columns] = out[same : same + columns]
            out[here + 1] = after == 0
            put(out, here + 2, after, SEATS)
    return at + columns * SEEN_FOLLOWERS * int(rules.players)


@compiled
def _fill_occupied(state, rules, viewer, label, work, out, at):
    """What the rows of all followers on a feature have in common."""
    kind = node_kind(state, rules, label)
    tiles = int(work.tiles_of[label])
    out[at] = 1.0
    out[at + 3 + kind] = 1.0
    put(out, at + 7, tiles, TILES)
    _fill_men(rules, viewer, int(work.men_on[label]), out, at + 10)
    arms = int(shields(state, rules, label)) if kind == c.CITY else 0
    put(out, at + 8, arms, SHIELDS)
    ends = _open_ends(state, rules, label, kind, work)
    now, complete = _worths(state, rules, label, kind, tiles, arms, ends)
    put(out, at + 9, ends, OPEN)
    # The marks of city and road, written above, lend the upper bits.
    put_wide(out, at + 12, at + 3, now, POINTS)
    put_wide(out, at + 13, at + 4, complete, POINTS)


@compiled
def _worths(state, rules, label, kind, tiles, arms, ends):
    """Points of a feature if the game ended now, and if no tile were missing."""
    if kind == c.FIELD:
        points = 0 if rules.farm_scoring == c.FARM_NONE else ends * int(rules.farm_points)
        return points, points  # a field never is complete (C35)
    if kind == c.CITY:
        now = int(city_worth(state, rules, label, tiles, arms))
        return now, tiles * int(rules.city_points) + arms * int(rules.shield_points)
    now = int(worth(state, rules, label, kind, tiles))
    return now, int(rules.cloister_points) if kind == c.CLOISTER else tiles * int(rules.road_points)


@compiled
def _fill_cells(state, rules, viewer, men, work, out, at):
    """The cells where the drawn tile fits, while it is not laid."""
    if state.phase != c.CELL and state.phase != c.ROTATE:
        return
    monks = _list_monks(state, rules, men, work)
    count = list_cells(state, rules, int(state.tile), SEEN_CELLS, work)
    # Twice, since the middle may lie between two cells, and counts are whole.
    twice_middle_x = int(state.west) + int(state.east)
    twice_middle_y = int(state.north) + int(state.south)
    for k in range(count):
        cell = int(work.legal[k]) - c.FIRST_CELL
        here = at + _CELL_COLUMNS * k
        out[here] = 1.0
        # An id has ten bits; `present` lends the upper two.
        put_wide(out, here + 1, here, cell, c.NUM_CELLS)
        put(out, here + 2, 2 * cell_x(state, cell) - twice_middle_x, 2 * ACROSS)
        put(out, here + 3, 2 * cell_y(state, cell) - twice_middle_y, 2 * ACROSS)
        bits = rotations_that_fit(state, rules, int(state.tile), cell)
        while bits != 0:
            out[here + 4 + lowest_bit(bits)] = 1.0
            bits &= bits - 1
        put(out, here + 8, cells_around(state, cell) + 1, AROUND)  # the cell itself is free
        _fill_monks(state, viewer, cell, monks, work, out, here + 9)
        out[here + 11] = state.phase == c.ROTATE and state.cell == cell
        shown = int(state.need[cell]) & _ROADS_AND_CITIES
        while shown != 0:
            side = lowest_bit(shown) >> 1
            shown &= shown - 1
            _fill_side(state, rules, viewer, cell, side, work, out, here + 12 + _SIDE * side)


@compiled
def _list_monks(state, rules, men, work):
    """The nodes of cloisters with a follower to `work.monks`; returns how many."""
    count = 0
    for k in range(men):
        node = int(work.men_at[k])
        if node_kind(state, rules, node) == c.CLOISTER:
            work.monks[count] = node
            count += 1
    return count


@compiled
def _fill_monks(state, viewer, cell, monks, work, out, at):
    """Mark whose monks a tile on a free cell would be around."""
    for k in range(monks):
        node = int(work.monks[k])
        cloister = int(state.tile_cell[int(state.node_tile[node])])
        dx = (cell & c.WRAP) - (cloister & c.WRAP) + 1 & c.WRAP
        dy = (cell >> c.ROW_SHIFT) - (cloister >> c.ROW_SHIFT) + 1 & c.WRAP
        # Differences on the torus, moved up by one: 0 to 2 is beside.
        if dx <= 2 and dy <= 2:
            out[at + (state.follower[node] != viewer)] = 1.0


@compiled
def _fill_side(state, rules, viewer, cell, side, work, out, at):
    """The city or road that a neighbour shows to a free cell, if it shows one."""
    shown = int(state.need[cell]) >> 2 * side & 3
    number = int(state.grid[neighbour(cell, side)]) - 1
    label = int(state.label[edge_node(state, rules, number, side ^ 2)])
    men = _men_on(state, label, work)
    own = men >> _MEN_BITS * viewer & _MEN_MASK
    out[at] = shown == c.CITY_EDGE
    out[at + 1] = shown == c.ROAD_EDGE
    out[at + 2] = own != 0
    out[at + 3] = men != own << _MEN_BITS * viewer  # whether another seat's byte is not zero
    put(out, at + 4, int(state.open[label]), OPEN)
    put(out, at + 5, int(work.tiles_of[label]), TILES)
