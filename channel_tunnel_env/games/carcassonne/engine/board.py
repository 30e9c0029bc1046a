"""The table: cells, laying a tile, joining features (rules 3, C10, C12, C32)."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.carcassonne.engine import constants as c

# Across an edge, half edge h meets PARTNER[h].
PARTNER = np.array([5, 4, 7, 6, 1, 0, 3, 2], np.int8)
_DX = np.array([0, 1, 0, -1], np.int64)
_DY = np.array([-1, 0, 1, 0], np.int64)  # y grows to the south
_U1 = np.uint32(1)


@compiled
def cell_at(x, y):
    """The cell of coordinates relative to the start tile."""
    # In two's complement y & 31 is y modulo 32 below zero too.
    return (y & c.WRAP) * c.WIDTH + (x & c.WRAP)


@compiled
def neighbour(cell, side):
    """The cell beyond a side."""
    # Coordinates modulo 32 are enough: cell_at wraps a step off the grid.
    return cell_at((cell & c.WRAP) + _DX[side], (cell >> c.ROW_SHIFT) + _DY[side])


@compiled
def cell_x(state, cell):
    """x of a cell on or beside the table's tiles, relative to the start tile."""
    # Counted from the column west of the box: to the one east of it they are 32 at most, so each has one x.
    west = int(state.west)
    return west - 1 + (((cell & c.WRAP) - west + 1) & c.WRAP)


@compiled
def cell_y(state, cell):
    """y of a cell on or beside the table's tiles, relative to the start tile."""
    north = int(state.north)
    return north - 1 + (((cell >> c.ROW_SHIFT) - north + 1) & c.WRAP)


@compiled
def spread_out(state, rules):
    """Whether the box of all tiles is as wide or as high as the table, so that its bound forbids cells."""
    wide = int(state.east) - int(state.west) + 1
    high = int(state.south) - int(state.north) + 1
    # Never more: no tile is laid beyond the bound (C12).
    return wide == rules.table or high == rules.table


@compiled
def on_table(state, rules, cell):
    """Whether all tiles stay on the table if one is laid on this frontier cell (C12)."""
    x, y = cell_x(state, cell), cell_y(state, cell)
    wide = max(int(state.east), x) - min(int(state.west), x)
    high = max(int(state.south), y) - min(int(state.north), y)
    return wide < rules.table and high < rules.table  # the differences are one less than the extents


@compiled
def is_frontier(state, cell):
    """Whether a cell is free and beside a tile."""
    # A cell keeps its need when a tile is laid on it, so a need does not say that it is free.
    return state.grid[cell] == 0 and state.need[cell] != 0


@compiled
def rotations_that_fit(state, rules, kind, cell):
    """Bit set of the rotations in which a type fits a frontier cell, the table's bound aside."""
    return int(rules.fit[kind, int(state.need[cell])])


@compiled
def lay_tile(state, rules, kind, turned, cell):
    """Lay a tile, its segments free, and join them to what they touch. Returns its number."""
    number = int(state.tile_count)
    state.tile_count = number + 1
    state.tile_type[number] = kind
    state.tile_turned[number] = turned
    state.tile_cell[number] = cell
    state.grid[cell] = number + 1
    _widen_box(state, cell)
    _add_nodes(state, rules, number)
    state.frontier[cell >> c.ROW_SHIFT] &= ~(_U1 << np.uint32(cell & c.WRAP))
    for side in range(c.NUM_SIDES):
        beyond = neighbour(cell, side)
        other = int(state.grid[beyond]) - 1
        opposite = side ^ 2  # north is 0 and south 2, east 1 and west 3
        if other >= 0:
            _join_edge(state, rules, number, side, other, opposite)
        else:
            # Turned clockwise, the tile shows at a side what is printed `turned` sides before it.
            edge = int(rules.edge[kind, (side - turned) & 3])
            # Only this tile can lie at that edge of the cell, so its two bits were 0.
            state.need[beyond] |= np.uint8(edge << (2 * opposite))
            state.frontier[beyond >> c.ROW_SHIFT] |= _U1 << np.uint32(beyond & c.WRAP)
    return number


@compiled
def _widen_box(state, cell):
    x, y = cell_x(state, cell), cell_y(state, cell)
    state.west = min(int(state.west), x)
    state.east = max(int(state.east), x)
    state.north = min(int(state.north), y)
    state.south = max(int(state.south), y)


@compiled
def _add_nodes(state, rules, number):
    """Give each segment of a new tile a node and a feature of its own."""
    kind = int(state.tile_type[number])
    first = int(state.first_node[number])
    count = int(rules.segments[kind])
    state.first_node[number + 1] = first + count
    for segment in range(count):
        node = first + segment
        state.node_tile[node] = number
        state.follower[node] = c.NOBODY
        state.label[node] = node
        state.next[node] = node
        state.nodes[node] = 1
        state.occupants[node] = 0
        state.open[node] = rules.open_ends[kind, segment]
        opening = int(rules.opening[kind, segment])
        # A type with an opening has a single tile, so an opening has at most one node.
        if opening >= 0:
            state.mouth_node[opening] = node


@compiled
def edge_node(state, rules, number, side):
    """The node of a lying tile's city or road at a side as it lies, or NONE on a field edge."""
    kind, turned = int(state.tile_type[number]), int(state.tile_turned[number])
    segment = int(rules.edge_segment[kind, (side - turned) & 3])
    return int(state.first_node[number]) + segment if segment >= 0 else c.NONE


@compiled
def half_node(state, rules, number, half):
    """The node of a lying tile's field at a half edge as it lies, or NONE on a city edge."""
    kind, turned = int(state.tile_type[number]), int(state.tile_turned[number])
    segment = int(rules.half_segment[kind, (half - 2 * turned) & 7])  # a quarter turn moves two half edges
    return int(state.first_node[number]) + segment if segment >= 0 else c.NONE


@compiled
def _join_edge(state, rules, number, side, other, opposite):
    """Join what two tiles show each other across an edge: city or road, and fields by half edges."""
    node = edge_node(state, rules, number, side)
    if node >= 0:
        # The edges match (C10), so the other tile has a city or road there too.
        join(state, node, edge_node(state, rules, other, opposite))
        close_two_ends(state, node)  # even if both were one feature: that closes a ring (C25)
    # Fields meet by half edges: a road parts an edge into two of them (C32). Tunnels join no fields (C64).
    for half in range(2 * side, 2 * side + 2):
        node = half_node(state, rules, number, half)
        if node >= 0:
            join(state, node, half_node(state, rules, other, int(PARTNER[half])))


@compiled
def join(state, one, other):
    """Make one feature of the features of two nodes, if they are not one already."""
    kept, gone = int(state.label[one]), int(state.label[other])
    if kept == gone:
        return
    # The smaller feature is relabelled, so that a game relabels each node a logarithmic number of times at most.
    if state.nodes[kept] < state.nodes[gone]:
        kept, gone = gone, kept
    node = gone
    for _ in range(int(state.nodes[gone])):
        state.label[node] = kept
        node = int(state.next[node])
    # Two rings of nodes become one when a link of each is exchanged.
    after_kept, after_gone = int(state.next[kept]), int(state.next[gone])
    state.next[kept], state.next[gone] = after_gone, after_kept
    state.nodes[kept] += state.nodes[gone]
    # The ends that met are taken off by close_two_ends: fields are joined too, and have none.
    state.open[kept] += state.open[gone]
    state.occupants[kept] += state.occupants[gone]


@compiled
def close_two_ends(state, node):
    """Two open ends of a feature have met, across an edge or through a tunnel."""
    state.open[int(state.label[node])] -= 2
