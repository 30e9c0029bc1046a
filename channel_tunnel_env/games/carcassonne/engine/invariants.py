"""What holds after every action, recomputed from the tiles that lie (rules 12)."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.bits import count_bits
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
    """The first invariant that does not hold, as its place in INVARIANTS; 0 where all hold.

    Later checks trust what earlier ones have found.
    """
    return (
        _check_types(state, rules, work)
        or _check_grid(state)
        or _check_box(state, rules)
        or _check_edges(state, rules)
        or _check_needs(state, rules)
        or _check_followers(state, rules, work)
        or _check_tokens(state, rules)
        or _check_features(state, rules, work)
        or _check_sent_home(state, rules)
        or _check_turn(state)
    )


@compiled
def _check_types(state, rules, work):
    for kind in range(c.MAX_TYPES):
        work.of_type[kind] = 0
    for place in range(int(state.drawn), int(state.deck_size)):
        if not _count_tile(work, int(state.deck[place])):
            return _TYPES
    for kind in range(c.MAX_TYPES):
        if work.of_type[kind] != state.unseen[kind]:
            return _TYPES
        work.of_type[kind] += state.out_of_game[kind]
    for number in range(int(state.tile_count)):
        if not _count_tile(work, int(state.tile_type[number])):
            return _TYPES
    in_hand = state.phase == c.CELL or state.phase == c.ROTATE
    if in_hand and not _count_tile(work, int(state.tile)):
        return _TYPES
    for kind in range(c.MAX_TYPES):
        if work.of_type[kind] != rules.tiles[kind]:
            return _TYPES
    return _OK


@compiled
def _count_tile(work, kind):
    """Count a tile of a type; False if there is no such type."""
    if kind < 0 or kind >= c.MAX_TYPES:
        return False
    work.of_type[kind] += 1
    return True


@compiled
def _check_grid(state):
    filled = 0
    for cell in range(c.NUM_CELLS):
        filled += state.grid[cell] != 0
    for number in range(int(state.tile_count)):
        cell = int(state.tile_cell[number])
        if cell < 0 or cell >= c.NUM_CELLS or state.grid[cell] != number + 1:
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
    """Each free cell beside a tile shows what its neighbours do; no other cell shows a need."""
    beside = 0
    for number in range(int(state.tile_count)):
        for side in range(c.NUM_SIDES):
            cell = neighbour(int(state.tile_cell[number]), side)
            if state.grid[cell] == 0:
                need = _need_anew(state, rules, cell)
                if need != state.need[cell] or not _in_frontier(state, cell):
                    return _NEEDS
                # A cell counts for the first of the tiles around it.
                beside += need & ((1 << 2 * (side ^ 2)) - 1) == 0
    needing = 0
    for cell in range(c.NUM_CELLS):
        needing += (state.grid[cell] == 0) & (state.need[cell] != 0)
    in_frontier = 0
    for row in range(c.WIDTH):
        in_frontier += count_bits(np.int64(state.frontier[row]))
    return _OK if beside == needing and beside == in_frontier else _NEEDS


@compiled
def _in_frontier(state, cell):
    return (int(state.frontier[cell >> c.ROW_SHIFT]) >> (cell & c.WRAP)) & 1 != 0


@compiled
def _need_anew(state, rules, cell):
    """What the tiles around a free cell show, two bits a side."""
    need = 0
    for side in range(c.NUM_SIDES):
        other = int(state.grid[neighbour(cell, side)]) - 1
        if other >= 0:
            need |= _edge(state, rules, other, side ^ 2) << (2 * side)
    return need


@compiled
def _check_followers(state, rules, work):
    for seat in range(c.MAX_SEATS):
        work.men[seat] = 0
    for number in range(int(state.tile_count)):
        lying = 0
        for node in range(int(state.first_node[number]), int(state.first_node[number + 1])):
            who = int(state.follower[node])
            if who >= c.MAX_SEATS:
                return _FOLLOWERS
            if who >= 0:
                work.men[who] += 1
                lying += 1
        if lying > 1:
            return _ONE_PER_TILE
    for seat in range(c.MAX_SEATS):
        wanted = int(rules.followers) if seat < rules.players else 0
        if state.hand[seat] < 0 or state.hand[seat] + work.men[seat] != wanted:
            return _FOLLOWERS
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
    return _compare_features(state, count, work)


@compiled
def _join_again(state, rules, number, work):
    """Count a tile's edges without neighbour, and join its segments to those of earlier tiles."""
    for side in range(c.NUM_SIDES):
        other = int(state.grid[neighbour(int(state.tile_cell[number]), side)]) - 1
        if other > number:
            continue
        node = edge_node(state, rules, number, side)
        if other < 0:
            if node >= 0:
                work.ends[node] += 1
            continue
        if node >= 0:
            _unite(work, node, edge_node(state, rules, other, side ^ 2))
        for half in range(2 * side, 2 * side + 2):
            node = half_node(state, rules, number, half)
            if node >= 0:
                _unite(work, node, half_node(state, rules, other, int(PARTNER[half])))


@compiled
def _root(work, node):
    while work.root[node] != node:
        work.root[node] = work.root[int(work.root[node])]
        node = int(work.root[node])
    return node


@compiled
def _unite(work, one, other):
    work.root[_root(work, one)] = _root(work, other)


@compiled
def _compare_features(state, count, work):
    """Nodes have the same label where they hang together, and only there; the rings leave none out."""
    for node in range(count):
        label = int(state.label[node])
        if label < 0 or label >= count or state.label[label] != label:
            return _LABELS
        root = _root(work, node)
        if state.label[root] != label or _root(work, label) != root:
            return _LABELS
    in_rings = 0
    for label in range(count):
        if state.label[label] == label:
            broken = _compare_ring(state, label, count, work)
            if broken != _OK:
                return broken
            in_rings += int(state.nodes[label])
    return _OK if in_rings == count else _LABELS


@compiled
def _compare_ring(state, label, count, work):
    """A ring has the nodes that its label says, all of this label; their sums stand at the label."""
    node = label
    nodes = ends = occupants = 0
    while nodes == 0 or node != label:
        if node < 0 or node >= count or state.label[node] != label or nodes == count:
            return _LABELS
        nodes += 1
        ends += work.ends[node]
        occupants += state.follower[node] >= 0
        node = int(state.next[node])
    if nodes != state.nodes[label]:
        return _LABELS
    if ends != state.open[label]:
        return _OPEN_ENDS
    return _OK if occupants == state.occupants[label] else _OCCUPANTS


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
            colour = state.mouth_colour[opening]
            if colour < 0 or colour != state.mouth_colour[partner]:
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
