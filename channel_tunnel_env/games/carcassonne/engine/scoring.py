"""What features are worth (rules 5, 7; C24-C37, C59, C75)."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.bits import count_bits, lowest_bit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import cell_at

_ONE = np.uint64(1)
_WORD_SHIFT, _WORD_BITS = 6, 63  # tile number -> its word of 64 bits, and its bit there


@compiled
def node_kind(state, rules, node):
    """City, road, cloister or field."""
    number = int(state.node_tile[node])
    return int(rules.kind[int(state.tile_type[number]), node - int(state.first_node[number])])


@compiled
def survey(state, label, work):
    """Walk a feature: its followers by seat go to `work.men`; returns its distinct tiles (C24)."""
    for seat in range(c.MAX_SEATS):
        work.men[seat] = 0
    work.tiles_seen[0] = np.uint64(0)
    work.tiles_seen[1] = np.uint64(0)
    node = label
    for _ in range(int(state.nodes[label])):
        number = int(state.node_tile[node])
        # A set, because a tile may enter its own feature twice (C24); rulebooks count tiles, not segments.
        work.tiles_seen[number >> _WORD_SHIFT] |= _ONE << np.uint64(number & _WORD_BITS)
        who = int(state.follower[node])
        if who >= 0:
            work.men[who] += 1
        node = int(state.next[node])
    return count_bits(np.int64(work.tiles_seen[0])) + count_bits(np.int64(work.tiles_seen[1]))


@compiled
def shields(state, rules, label):
    """Shields in a city feature."""
    found = 0
    node = label
    for _ in range(int(state.nodes[label])):
        number = int(state.node_tile[node])
        segment = node - int(state.first_node[number])
        found += int(rules.shields[int(state.tile_type[number]), segment])
        node = int(state.next[node])
    return found


@compiled
def cells_around(state, cell):
    """Filled cells among the eight around a cell."""
    filled = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            filled += state.grid[cell_at((cell & c.WRAP) + dx, (cell >> c.ROW_SHIFT) + dy)] != 0
    return filled - 1  # its own tile is among the nine; for a free cell callers add 1 again


@compiled
def worth(state, rules, label, kind, tiles):
    """Points of a road, city or cloister of `tiles` distinct tiles, as it stands (rules 5)."""
    if kind == c.CLOISTER:
        around = cells_around(state, int(state.tile_cell[int(state.node_tile[label])]))
        return rules.cloister_points if around == c.FILLED_AROUND else (1 + around) * rules.cloister_open
    if kind == c.ROAD:
        return tiles * (rules.road_points if state.open[label] == 0 else rules.road_open)
    return city_worth(state, rules, label, tiles, shields(state, rules, label))


@compiled
def city_worth(state, rules, label, tiles, arms):
    """`worth` of a city with that number of shields."""
    if state.open[label] > 0:
        return tiles * rules.city_open + arms * rules.shield_open
    # By a switch the smallest city is worth half (C26).
    if tiles == 2 and rules.small_city == 2:
        return tiles + arms
    return tiles * rules.city_points + arms * rules.shield_points


@compiled
def pay_majority(state, rules, points, kind, work):
    """Give points to every seat with the most followers in `work.men` (C27)."""
    most = 0
    for seat in range(int(rules.players)):
        most = max(most, int(work.men[seat]))
    # Without followers all seats would tie with 0, and each would be paid.
    if most == 0:
        return
    for seat in range(int(rules.players)):
        # A tie pays every leader in full (C27, C36); the others get nothing.
        if work.men[seat] == most:
            pay(state, seat, points, kind)


@compiled
def pay(state, seat, points, kind):
    """Add points to a seat's score and to its tally of that kind."""
    state.score[seat] += points
    state.tally_points[seat, kind] += points


@compiled
def find_leaders(state, rules):
    """The highest total, and how many seats have it."""
    best, leaders = int(state.score[0]), 1
    for seat in range(1, int(rules.players)):
        if state.score[seat] > best:
            best, leaders = int(state.score[seat]), 1
        elif state.score[seat] == best:
            leaders += 1
    return best, leaders


@compiled
def is_complete(state, rules, label, kind):
    """Whether a feature has no open end; a field never is complete."""
    # Farmers stay to the end, also in a closed field (C35).
    if kind == c.FIELD:
        return False
    if kind == c.CLOISTER:
        cell = int(state.tile_cell[int(state.node_tile[label])])
        return cells_around(state, cell) == c.FILLED_AROUND
    # A ring has no ends and is complete when no end is open (C25).
    return state.open[label] == 0


@compiled
def score_turn(state, rules, work):
    """Score every complete, occupied road, city and cloister; followers go home (rules 2.5).

    Only features of the tile just laid, the road just joined and cloisters beside the tile can have
    become complete.
    """
    longest = 0
    number = int(state.tile_count) - 1
    # In any order: features do not influence each other, and one met again has no followers left (C31).
    for node in range(int(state.first_node[number]), int(state.first_node[number + 1])):
        longest = max(longest, _score_if_complete(state, rules, node, work))
    # A token may complete a road far from the tile, through old tunnels too (C53).
    if state.mouth >= 0:
        node = int(state.mouth_node[int(state.mouth)])
        longest = max(longest, _score_if_complete(state, rules, node, work))
    # Anybody's tile may complete a cloister, one tile several of them (C29).
    _score_cloisters_around(state, rules, int(state.tile_cell[number]), work)
    # A road of equal length does not take the marker (C75).
    if rules.robber_baron and longest > state.longest:
        state.longest = longest
        state.robber = state.to_play


@compiled
def _score_if_complete(state, rules, node, work):
    """Score the feature of a node if it is complete; returns the tiles of a complete road, else 0."""
    label = int(state.label[node])
    kind = node_kind(state, rules, label)
    if not is_complete(state, rules, label, kind):
        return 0
    # Before followers are asked for: the Robber Baron looks at empty roads too (C75).
    tiles = survey(state, label, work)
    # A complete feature without followers scores nothing (C28).
    if state.occupants[label] > 0:
        pay_majority(state, rules, worth(state, rules, label, kind, tiles), kind, work)
        _send_home(state, rules, label, work)
    return tiles if kind == c.ROAD else 0


@compiled
def _send_home(state, rules, label, work):
    """Followers of a feature go back to their supplies (C19)."""
    # `work.men` is still what the survey of this feature counted.
    for seat in range(int(rules.players)):
        state.hand[seat] += work.men[seat]
    node = label
    for _ in range(int(state.nodes[label])):
        state.follower[node] = c.NOBODY
        node = int(state.next[node])
    state.occupants[label] = 0


@compiled
def _score_cloisters_around(state, rules, cell, work):
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            beside = cell_at((cell & c.WRAP) + dx, (cell >> c.ROW_SHIFT) + dy)
            number = int(state.grid[beside]) - 1
            if number >= 0:
                segment = int(rules.cloister_segment[int(state.tile_type[number])])
                if segment >= 0:
                    _score_if_complete(state, rules, int(state.first_node[number]) + segment, work)


@compiled
def score_end(state, rules, work):
    """Final scoring: incomplete features, farms, the Robber Baron (rules 7)."""
    count = int(state.first_node[int(state.tile_count)])
    for label in range(count):
        if state.label[label] == label and state.occupants[label] > 0:
            kind = node_kind(state, rules, label)
            if kind != c.FIELD:
                tiles = survey(state, label, work)
                pay_majority(state, rules, worth(state, rules, label, kind, tiles), kind, work)
    score_farms(state, rules, work)
    if rules.robber_baron and state.robber >= 0:
        for label in range(count):
            is_road = state.label[label] == label and node_kind(state, rules, label) == c.ROAD
            if is_road and state.open[label] == 0:
                pay(state, int(state.robber), 1, c.ROAD)


@compiled
def score_farms(state, rules, work):
    """Farms, by one of the published scorings (C34)."""
    if rules.farm_scoring == c.FARM_NONE:
        return
    count = int(state.first_node[int(state.tile_count)])
    if rules.farm_scoring != c.FARM_THIRD:
        # Only these add up by city; the third scoring pays field by field (C34).
        for label in range(count):
            for seat in range(int(rules.players)):
                work.farmers[label, seat] = 0
    for label in range(count):
        occupied = state.label[label] == label and state.occupants[label] > 0
        if occupied and node_kind(state, rules, label) == c.FIELD:
            _score_field(state, rules, label, work)
    if rules.farm_scoring != c.FARM_THIRD:
        _score_cities_fed(state, rules, count, work)


@compiled
def list_fed_cities(state, rules, label, work):
    """The complete cities that a field touches, by label, to `work.cities`; returns how many."""
    # A new number voids the marks of all earlier walks, so none has to be cleared.
    work.walk += 1
    count = 0
    node = label
    for _ in range(int(state.nodes[label])):
        number = int(state.node_tile[node])
        first = int(state.first_node[number])
        touched = int(rules.touches[int(state.tile_type[number]), node - first])
        count = _list_city(state, first, touched, count, work)
        while touched & (touched - 1) != 0:  # hardly ever more than one
            touched &= touched - 1
            count = _list_city(state, first, touched, count, work)
        node = int(state.next[node])
    return count


@compiled
def _list_city(state, first, touched, count, work):
    """List the lowest city of a tile that a field touches, if there is one and it is complete and not listed.

    Returns how many are listed. What lies there is as good as random: to overwrite costs less than a branch.
    """
    # If no city is touched, the tile's first node stands in; it exists, and is not counted.
    city = int(state.label[first + (lowest_bit(touched) if touched != 0 else 0)])
    # Once for each city, however many segments of the field touch it (C33); an open city feeds no farmer (C37).
    new = (touched != 0) & (state.open[city] == 0) & (work.labels_seen[city] != work.walk)
    work.labels_seen[city] = work.walk if new else work.labels_seen[city]
    work.cities[count] = city
    return count + int(new)


@compiled
def _score_field(state, rules, label, work):
    """Third scoring: pay for every complete city the field touches. Else note who feeds which city."""
    survey(state, label, work)
    count = list_fed_cities(state, rules, label, work)
    if rules.farm_scoring == c.FARM_THIRD:
        if count > 0:  # no complete city, no points (C37)
            pay_majority(state, rules, count * int(rules.farm_points), c.FIELD, work)
        return
    most = 0
    for seat in range(int(rules.players)):
        most = max(most, int(work.men[seat]))
    for k in range(count):
        _note_farmers(rules, int(work.cities[k]), most, work)


@compiled
def _note_farmers(rules, city, most, work):
    """First scoring: all farmers count. Second: a seat with the majority in any of its fields is fed."""
    for seat in range(int(rules.players)):
        if rules.farm_scoring == c.FARM_FIRST:
            work.farmers[city, seat] += work.men[seat]
        elif rules.farm_scoring == c.FARM_SECOND and work.men[seat] == most:
            work.farmers[city, seat] = 1  # all fed seats tie with 1, so each is paid, once for a city (C34)


@compiled
def _score_cities_fed(state, rules, count, work):
    """First and second scoring: city by city, the most farmers, or every seat that is fed."""
    points = int(rules.farm_points)
    # Labels that are no city, or a city that feeds no one, have no farmers and pay nothing.
    for city in range(count):
        for seat in range(c.MAX_SEATS):
            work.men[seat] = work.farmers[city, seat] if seat < rules.players else 0
        pay_majority(state, rules, points, c.FIELD, work)
