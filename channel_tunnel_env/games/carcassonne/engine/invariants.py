"""What holds after every action, recomputed from the tiles that lie (rules 12).

A record may come from a file: ranges are checked first, so that nothing behind them reads outside an array.
What holds now holds for ever: a record that passes can be played on without breaking one of them.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.bits import count_bits
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import MOST_DRAWS, MOST_PLIES
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import (
    PARTNER,
    cell_at,
    cell_x,
    cell_y,
    edge_node,
    half_node,
    is_frontier,
    neighbour,
    on_table,
    rotations_that_fit,
)
from channel_tunnel_env.games.carcassonne.engine.legality import list_cells
from channel_tunnel_env.games.carcassonne.engine.scoring import find_leaders, is_complete, node_kind

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
    "nothing complete is occupied but what the turn in progress completes",
    "tokens in stock and on openings make two of each colour",
    "a half tunnel is the only opening of its colour, a tunnel joins two of one colour",
    "no more turns than tiles",
    "phase, tile and cell agree",
    "every number is in its range",
    "nodes and tunnel mouths are those of the tiles that lie",
    "the tile just laid has no follower before it is claimed, and then only one of the seat to play",
    "no seat's points, with all that can still be scored, pass twice what a whole game can bring",
    "points by kind add up to no more than the score, tokens and tunnels to no more than lie",
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
    RANGES,
    _NODES,
    _CLAIMED,
    _POINTS,
    _TALLIES,
) = range(len(INVARIANTS))


@compiled
def check_invariants(state, rules, work):
    """The first invariant that does not hold, as its place in INVARIANTS; 0 where all hold.

    Later checks trust what earlier ones have found.
    """
    if not _is_in_range(state, rules):
        return RANGES
    return (
        _check_types(state, rules, work)
        or _check_grid(state)
        or _check_nodes(state, rules)
        or _check_box(state, rules)
        or _check_edges(state, rules)
        or _check_needs(state, rules)
        or _check_followers(state, rules, work)
        or _check_tokens(state, rules)
        or _check_features(state, rules, work)
        or _check_turn(state, rules, work)
        or _check_claimed(state, rules)
        or _check_scored(state, rules, work)
        or _check_tallies(state, rules)
    )


# --- ranges -------------------------------------------------------------------------------------


@compiled
def _is_in_range(state, rules):
    """Whether all that other checks and rules look up is in a table."""
    fits = (
        c.CELL <= state.phase <= c.OVER
        and c.PLAYING <= state.end_cause <= c.LAST_TILE
        and 0 <= state.to_play < rules.players
        and 1 <= state.tile_count <= c.MAX_TILES  # the start tile always lies
        and 0 <= state.drawn <= state.deck_size <= c.MAX_TILES
        and state.turn >= 0
        and 0 <= state.ply <= MOST_PLIES
        and 0 <= state.table_cuts <= c.MOST_FRONTIER * int(state.drawn)  # a draw cuts no cell twice
        and state.seed >= 0
        and c.NONE <= state.tile < c.MAX_TYPES
        and c.NONE <= state.cell < c.NUM_CELLS
        and c.NONE <= state.mouth < c.NUM_OPENINGS
        and c.NOBODY <= state.robber < (rules.players if rules.robber_baron else 0)
        and 0 <= state.longest <= c.MAX_TILES
        and (state.robber >= 0) == (state.longest > 0)  # the first road completed sets both (C75)
    )
    for stream in range(len(state.rng_counter)):
        fits = fits and 0 <= state.rng_counter[stream] <= MOST_DRAWS
    return fits and _are_tiles_in_range(state) and _are_tunnels_in_range(state)


@compiled
def _are_tiles_in_range(state):
    # Below zero it could hide a tile too many. Types and cells are checked where they are counted.
    for kind in range(c.MAX_TYPES):
        if state.out_of_game[kind] < 0:
            return False
    for number in range(int(state.tile_count)):
        if not 0 <= state.tile_turned[number] < c.NUM_SIDES:
            return False
    return True


@compiled
def _are_tunnels_in_range(state):
    for colour in range(c.NUM_TOKEN_COLOURS):
        half, missed = int(state.half[colour]), int(state.missed[colour])
        # Only a half tunnel can have been missed (C70).
        if not (c.NONE <= half < c.NUM_OPENINGS and 0 <= missed <= (half >= 0)):
            return False
    for opening in range(c.NUM_OPENINGS):
        fits = (
            c.NONE <= state.mouth_colour[opening] < c.NUM_TOKEN_COLOURS
            and c.NONE <= state.mouth_partner[opening] < c.NUM_OPENINGS
        )
        if not fits:
            return False
    return True


# --- tiles and features -------------------------------------------------------------------------


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
    # From CLAIM on the turn's tile is one of those that lie.
    in_hand = state.phase == c.CELL or state.phase == c.ROTATE
    if in_hand and not _count_tile(work, int(state.tile)):
        return _TYPES
    for kind in range(c.MAX_TYPES):
        # Types that the ruleset lacks have no tiles, so none of them may be found.
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
    # Each tile has its cell; equal numbers leave no cell with a tile that is not listed.
    return _OK if filled == state.tile_count else _GRID


@compiled
def _check_nodes(state, rules):
    """Nodes are numbered in the order of laying, and openings name theirs."""
    # No type lies more often than the ruleset has it (_check_types), so `node` stays below MAX_SEGMENTS.
    mouths = node = 0
    if state.first_node[0] != 0:
        return _NODES
    for number in range(int(state.tile_count)):
        kind = int(state.tile_type[number])
        for segment in range(int(rules.segments[kind])):
            opening = int(rules.opening[kind, segment])
            if state.node_tile[node] != number:
                return _NODES
            if opening >= 0:
                mouths += 1
                if state.mouth_node[opening] != node:
                    return _NODES
            node += 1
        if state.first_node[number + 1] != node:
            return _NODES
    for opening in range(c.NUM_OPENINGS):
        mouths -= state.mouth_node[opening] != c.NONE
    return _OK if mouths == 0 else _NODES  # no opening of a tile that does not lie names a node


@compiled
def _check_box(state, rules):
    west = east = north = south = 0  # where the start tile lies
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
    # Every cell beside a tile is right, so equal numbers leave no need and no bit elsewhere.
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
            if who < c.NOBODY or who >= c.MAX_SEATS:
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
    """Recompute the features, in `work.root`, and compare labels, rings, open ends and occupants."""
    count = int(state.first_node[int(state.tile_count)])
    for node in range(count):
        work.root[node] = node
        work.ends[node] = 0
    for number in range(int(state.tile_count)):
        _join_again(state, rules, number, work)
    for opening in range(c.NUM_OPENINGS):
        node, partner = int(state.mouth_node[opening]), int(state.mouth_partner[opening])
        # A mouth is an open end until it is joined, with a token or without (C44).
        if node >= 0 and partner < 0:
            work.ends[node] += 1
        elif partner >= 0:
            _unite(work, node, int(state.mouth_node[partner]))  # both mouths lie: see _check_tokens
    return _compare_features(state, count, work)


@compiled
def _join_again(state, rules, number, work):
    """Count a tile's edges without neighbour, and join its segments to those of earlier tiles."""
    for side in range(c.NUM_SIDES):
        other = int(state.grid[neighbour(int(state.tile_cell[number]), side)]) - 1
        if other > number:  # that tile, the later one, joins the two
            continue
        node = edge_node(state, rules, number, side)
        if other < 0:
            if node >= 0:
                work.ends[node] += 1
            continue
        if node >= 0:
            # The edges match (_check_edges), so the other tile has a segment there too.
            _unite(work, node, edge_node(state, rules, other, side ^ 2))
        for half in range(2 * side, 2 * side + 2):
            node = half_node(state, rules, number, half)
            if node >= 0:
                _unite(work, node, half_node(state, rules, other, int(PARTNER[half])))


@compiled
def _root(work, node):
    while work.root[node] != node:
        work.root[node] = work.root[int(work.root[node])]  # halves the path for the next search
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
        # The first finds one feature with two labels, the second two features with one.
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
    """A ring has the nodes that its label says, all of this label; their sums are kept at the label."""
    node = label
    nodes = ends = occupants = 0
    while nodes == 0 or node != label:
        # A ring that never comes back to its label is given up after `count` nodes.
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
        # The second token of a colour joins at once (rules 6.4): two that lie are never apart.
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


# --- the turn in progress -----------------------------------------------------------------------


@compiled
def _check_turn(state, rules, work):
    over, phase = state.phase == c.OVER, int(state.phase)
    # A draw that fits nowhere is no turn; the deck may run out before the first one (C11).
    if state.turn > state.drawn or (state.turn == 0 and not over):
        return _TURNS
    best, leaders = find_leaders(state, rules)
    if not over:
        wanted = c.NOBODY
    elif leaders > 1:
        wanted = c.DRAW
    else:
        wanted = _seat_with(state, best)
    if over != (state.end_cause == c.LAST_TILE) or state.winner != wanted:
        return _PHASE
    if over:
        fits = state.tile == c.NONE and state.cell == c.NONE and state.drawn == state.deck_size
    elif phase == c.CLAIM or phase == c.TOKEN:
        fits = _fits_laid(state, rules, phase)
    else:
        fits = _fits_in_hand(state, rules, phase, work)
    return _OK if fits and _fits_mouth(state, rules, phase) else _PHASE


@compiled
def _seat_with(state, points):
    seat = 0
    while state.score[seat] != points:  # `points` is a seat's score, so this ends
        seat += 1
    return seat


@compiled
def _fits_laid(state, rules, phase):
    """The turn's tile is the last that lies, and it is not the start tile."""
    number = int(state.tile_count) - 1
    return (
        number > 0
        and state.tile == state.tile_type[number]
        and state.cell == state.tile_cell[number]
        and (phase == c.CLAIM or rules.tunnel != 0)
    )


@compiled
def _fits_in_hand(state, rules, phase, work):
    """The tile drawn has a place; in ROTATE it fits on the cell chosen."""
    kind, cell = int(state.tile), int(state.cell)
    if kind < 0 or (cell >= 0) != (phase == c.ROTATE):
        return False
    if phase == c.CELL:
        return list_cells(state, rules, kind, 1, work) > 0
    fits = is_frontier(state, cell) and rotations_that_fit(state, rules, kind, cell) != 0
    return fits and on_table(state, rules, cell)


@compiled
def _fits_mouth(state, rules, phase):
    """A mouth stands for the tunnel that this turn's token has finished, while its tile is claimed."""
    if state.mouth == c.NONE:
        return True
    # If the token comes last the turn ends with it, and begin_turn clears the mouth.
    before = rules.tunnel != 0 and rules.token_window == c.TOKEN_BEFORE
    return before and phase == c.CLAIM and state.mouth_partner[int(state.mouth)] >= 0


@compiled
def _check_claimed(state, rules):
    if state.phase != c.CLAIM and state.phase != c.TOKEN:
        return _OK
    claimed = state.phase == c.TOKEN and rules.token_window == c.TOKEN_AFTER
    number = int(state.tile_count) - 1
    for node in range(int(state.first_node[number]), int(state.first_node[number + 1])):
        who = int(state.follower[node])
        if who >= 0 and not (claimed and who == state.to_play):
            return _CLAIMED
    return _OK


# --- points -------------------------------------------------------------------------------------


@compiled
def _check_scored(state, rules, work):
    """What is complete was scored, unless this turn completes it; no more can follow than the bound allows."""
    _mark_due(state, rules, work)
    left = _points_in_the_bag(state, rules)
    for node in range(int(state.first_node[int(state.tile_count)])):
        label, kind = int(state.label[node]), node_kind(state, rules, node)
        due = work.labels_seen[label] == work.walk
        scored = is_complete(state, rules, label, kind) and not due
        if scored and state.occupants[label] > 0:
            return _SENT_HOME
        left += _points_of_node(state, rules, node, kind, scored)
    # The final scoring has paid for what lies, and no tile follows.
    if state.phase == c.OVER:
        left = 0
    for seat in range(c.MAX_SEATS):
        points = int(state.score[seat])
        if points < 0 or points + left > rules.points_limit or (points > 0 and seat >= rules.players):
            return _POINTS
    return _OK


@compiled
def _mark_due(state, rules, work):
    """Mark the labels that this turn's scoring looks at: of its tile, its tunnel, and cloisters around."""
    work.walk += 1
    if state.phase != c.CLAIM and state.phase != c.TOKEN:  # no label has the new mark: nothing is due
        return
    number = int(state.tile_count) - 1
    cell = int(state.tile_cell[number])
    for node in range(int(state.first_node[number]), int(state.first_node[number + 1])):
        work.labels_seen[int(state.label[node])] = work.walk
    if state.mouth >= 0:
        node = int(state.mouth_node[int(state.mouth)])
        work.labels_seen[int(state.label[node])] = work.walk
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            other = int(state.grid[cell_at((cell & c.WRAP) + dx, (cell >> c.ROW_SHIFT) + dy)]) - 1
            if other >= 0:
                segment = int(rules.cloister_segment[int(state.tile_type[other])])
                if segment >= 0:
                    # A cloister is joined to nothing, so its node is its label.
                    work.labels_seen[int(state.first_node[other]) + segment] = work.walk


@compiled
def _points_in_the_bag(state, rules):
    """The most that the segments of tiles not laid yet can bring a seat."""
    points = 0
    for kind in range(c.MAX_TYPES):
        in_hand = (state.phase == c.CELL or state.phase == c.ROTATE) and state.tile == kind
        tiles = int(state.unseen[kind]) + in_hand
        for segment in range(int(rules.segments[kind])):
            road = rules.kind[kind, segment] == c.ROAD
            # The Robber Baron gets 1 for each complete road (C75), of which there are no more than segments.
            points += tiles * (int(rules.most_points[kind, segment]) + (road & rules.robber_baron))
    return points


@compiled
def _points_of_node(state, rules, node, kind, scored):
    """The most that a lying segment can still bring a seat; the Robber Baron counts roads at the end."""
    number = int(state.node_tile[node])
    segment = node - int(state.first_node[number])
    points = 0 if scored else int(rules.most_points[int(state.tile_type[number]), segment])
    return points + ((kind == c.ROAD) & rules.robber_baron)


@compiled
def _check_tallies(state, rules):
    firsts = seconds = 0
    for seat in range(c.MAX_SEATS):
        points = 0
        for kind in range(c.NUM_KINDS):
            if state.tally_points[seat, kind] < 0:
                return _TALLIES
            points += int(state.tally_points[seat, kind])
        if points > state.score[seat]:  # less is possible: a position need not say what points were for
            return _TALLIES
        first, second = int(state.tally_first[seat]), int(state.tally_second[seat])
        if first < 0 or second < 0 or (seat >= rules.players and first + second > 0):
            return _TALLIES
        firsts += first
        seconds += second
    begun = finished = 0
    for colour in range(c.NUM_TOKEN_COLOURS):
        lying = c.TOKENS_OF_A_COLOUR - int(state.stock[colour]) if colour < rules.colours else 0
        begun += lying > 0
        finished += lying == c.TOKENS_OF_A_COLOUR
    # Fewer are possible: a pair laid together has no first token (C71), and a position need not count them.
    return _OK if firsts <= begun and seconds <= finished else _TALLIES
