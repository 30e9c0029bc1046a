"""What holds after every action, recomputed from the tiles that lie (rules 12)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import (
    PARTNER,
    cell_x,
    cell_y,
    edge_node,
    half_node,
    neighbour,
)
from channel_tunnel_env.games.carcassonne.engine.scoring import is_complete, node_kind

INVARIANTS = (
    "all hold",
    "each type: on the table, face down, in hand and out of the game make its count",
    "the grid and the list of tiles agree",
    "the box holds all tiles, tightly, and is no larger than the table",
    "every tile touches an earlier one",
    "touching edges show the same",
    "needs and frontier are what the tiles around show",
    "followers in hand and on tiles make each player's number",
    "at most one follower on a tile",
    "labels, rings and sizes are those of the features that hang together",
    "open ends are the edges without neighbour and the mouths not joined",
    "occupants are the followers of a feature",
    "nothing complete is occupied when a turn begins",
    "tokens in stock and on openings make two of each colour",
    "a half tunnel is the only opening of its colour, a tunnel joins two of one colour",
    "no more turns than tiles",
    "phase, tile and cell agree",
)
(
    _OK,
    _TYPES,
    _GRID,
    _BOX,
    _CONNECTED,
    _EDGES,
    _NEEDS,
    _FOLLOWERS,
    _ONE_PER_TILE,
    _LABELS,
    _OPEN_ENDS,
    _OCCUPANTS,
    _SENT_HOME,
    _TOKENS,
    _TUNNELS,
    _TURNS,
    _PHASE,
) = range(len(INVARIANTS))


@compiled
def check_invariants(state, rules, work):
    """The first invariant that does not hold, as its place in INVARIANTS; 0 where all hold."""
    for broken in (
        _check_types(state, rules),
        _check_grid(state),
        _check_box(state, rules),
        _check_edges(state, rules),
        _check_needs(state, rules),
        _check_followers(state, rules),
        _check_features(state, rules, work),
        _check_sent_home(state, rules),
        _check_tokens(state, rules),
        _check_turn(state),
    ):
        if broken != _OK:
            return broken
    return _OK


@compiled
def _check_types(state, rules):
    for kind in range(c.MAX_TYPES):
        count = int(state.unseen[kind]) + int(state.out_of_game[kind])
        for number in range(int(state.tile_count)):
            count += state.tile_type[number] == kind
        if state.phase == c.CELL or state.phase == c.ROTATE:
            count += state.tile == kind
        face_down = 0
        for place in range(int(state.drawn), int(state.deck_size)):
            face_down += state.deck[place] == kind
        if count != rules.tiles[kind] or face_down != state.unseen[kind]:
            return _TYPES
    return _OK


@compiled
def _check_grid(state):
    filled = 0
    for cell in range(c.NUM_CELLS):
        number = int(state.grid[cell]) - 1
        if number >= 0:
            filled += 1
            if number >= state.tile_count or state.tile_cell[number] != cell:
                return _GRID
    return _OK if filled == state.tile_count else _GRID


@compiled
def _check_box(state, rules):
    west = east = north = south = 0
    for number in range(int(state.tile_count)):
        x = cell_x(state, int(state.tile_cell[number]))
        y = cell_y(state, int(state.tile_cell[number]))
        west, east = min(west, x), max(east, x)
        north, south = min(north, y), max(south, y)
    tight = west == state.west and east == state.east
    tight = tight and north == state.north and south == state.south
    return _OK if tight and east - west < rules.table and south - north < rules.table else _BOX


@compiled
def _edge(state, rules, number, side):
    """What a lying tile shows at a side as it lies."""
    kind, turned = int(state.tile_type[number]), int(state.tile_turned[number])
    return int(rules.edge[kind, (side - turned) & 3])


@compiled
def _check_edges(state, rules):
    for number in range(int(state.tile_count)):
        earlier = 0
        for side in range(c.NUM_SIDES):
            other = int(state.grid[neighbour(int(state.tile_cell[number]), side)]) - 1
            if other >= 0:
                earlier += other < number
                if _edge(state, rules, number, side) != _edge(state, rules, other, side ^ 2):
                    return _EDGES
        if number > 0 and earlier == 0:
            return _CONNECTED
    return _OK


@compiled
def _check_needs(state, rules):
    for cell in range(c.NUM_CELLS):
        in_frontier = (int(state.frontier[cell >> c.ROW_SHIFT]) >> (cell & c.WRAP)) & 1
        if state.grid[cell] != 0:
            if in_frontier:
                return _NEEDS
            continue
        need = 0
        for side in range(c.NUM_SIDES):
            other = int(state.grid[neighbour(cell, side)]) - 1
            if other >= 0:
                need |= _edge(state, rules, other, side ^ 2) << (2 * side)
        if need != state.need[cell] or in_frontier != (need != 0):
            return _NEEDS
    return _OK


@compiled
def _check_followers(state, rules):
    for seat in range(c.MAX_SEATS):
        lying = 0
        for node in range(int(state.first_node[int(state.tile_count)])):
            lying += state.follower[node] == seat
        wanted = int(rules.followers) if seat < rules.players else 0
        if state.hand[seat] < 0 or state.hand[seat] + lying != wanted:
            return _FOLLOWERS
    for number in range(int(state.tile_count)):
        lying = 0
        for node in range(int(state.first_node[number]), int(state.first_node[number + 1])):
            lying += state.follower[node] >= 0
        if lying > 1:
            return _ONE_PER_TILE
    return _OK


@compiled
def _check_features(state, rules, work):
    """Find the features anew, in `work.root`, and compare labels, rings, open ends and occupants."""
    count = int(state.first_node[int(state.tile_count)])
    for node in range(count):
        work.root[node] = node
        work.ends[node] = 0
    for number in range(int(state.tile_count)):
        _join_again(state, rules, number, work)
    for opening in range(c.NUM_OPENINGS):
        node, partner = int(state.mouth_node[opening]), int(state.mouth_partner[opening])
        if node >= 0 and partner < 0:
            work.ends[node] += 1
        elif partner >= 0:
            _unite(work, node, int(state.mouth_node[partner]))
    return _compare_features(state, rules, count, work)


@compiled
def _join_again(state, rules, number, work):
    for side in range(c.NUM_SIDES):
        other = int(state.grid[neighbour(int(state.tile_cell[number]), side)]) - 1
        node = edge_node(state, rules, number, side)
        if node >= 0 and other < 0:
            work.ends[node] += 1
        elif node >= 0:
            _unite(work, node, edge_node(state, rules, other, side ^ 2))
        for half in range(2 * side, 2 * side + 2):
            node = half_node(state, rules, number, half)
            if node >= 0 and other >= 0:
                _unite(work, node, half_node(state, rules, other, int(PARTNER[half])))


@compiled
def _root(work, node):
    while work.root[node] != node:
        node = int(work.root[node])
    return node


@compiled
def _unite(work, one, other):
    work.root[_root(work, one)] = _root(work, other)


@compiled
def _compare_features(state, rules, count, work):
    for node in range(count):
        label = int(state.label[node])
        if _root(work, node) != _root(work, label) or state.label[label] != label:
            return _LABELS
    for label in range(count):
        if state.label[label] != label:
            continue
        nodes = ends = occupants = around = 0
        for node in range(count):
            if _root(work, node) == _root(work, label):
                if state.label[node] != label:
                    return _LABELS
                nodes += 1
                ends += work.ends[node]
                occupants += state.follower[node] >= 0
        node = label
        while True:
            node = int(state.next[node])
            around += 1
            if node == label or around > nodes:
                break
        if nodes != state.nodes[label] or around != nodes:
            return _LABELS
        if ends != state.open[label]:
            return _OPEN_ENDS
        if occupants != state.occupants[label]:
            return _OCCUPANTS
    return _OK


@compiled
def _check_sent_home(state, rules):
    if state.phase != c.CELL and state.phase != c.ROTATE:
        return _OK
    for label in range(int(state.first_node[int(state.tile_count)])):
        occupied = state.label[label] == label and state.occupants[label] > 0
        if occupied and is_complete(state, rules, label, node_kind(state, rules, label)):
            return _SENT_HOME
    return _OK


@compiled
def _check_tokens(state, rules):
    for colour in range(c.NUM_TOKEN_COLOURS):
        lying = joined = 0
        for opening in range(c.NUM_OPENINGS):
            if state.mouth_colour[opening] == colour:
                lying += 1
                joined += state.mouth_partner[opening] >= 0
                if state.mouth_node[opening] < 0:
                    return _TUNNELS
        wanted = c.TOKENS_OF_A_COLOUR if colour < rules.colours else 0
        if state.stock[colour] < 0 or state.stock[colour] + lying != wanted:
            return _TOKENS
        half = int(state.half[colour])
        if (lying == 1) != (half >= 0) or (lying == 2) != (joined == 2):
            return _TUNNELS
        if half >= 0 and state.mouth_colour[half] != colour:
            return _TUNNELS
    for opening in range(c.NUM_OPENINGS):
        partner = int(state.mouth_partner[opening])
        if partner >= 0:
            if partner == opening or state.mouth_partner[partner] != opening:
                return _TUNNELS
            if state.mouth_colour[opening] != state.mouth_colour[partner]:
                return _TUNNELS
    return _OK


@compiled
def _check_turn(state):
    if state.turn > state.deck_size or state.drawn > state.deck_size:
        return _TURNS
    if state.phase == c.OVER:
        return _OK if state.tile == c.NONE else _PHASE
    placed = state.phase == c.CLAIM or state.phase == c.TOKEN
    if state.tile < 0 or (state.cell >= 0) != (placed or state.phase == c.ROTATE):
        return _PHASE
    return _OK if (state.grid[max(0, int(state.cell))] != 0) == placed or not placed else _PHASE
