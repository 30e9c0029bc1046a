"""The state: one aligned numpy record per game.

A *node* is one segment of a lying tile; nodes are numbered in the order of laying. A *feature* is all
nodes with the same label; the label is one of its nodes, and what is known of the feature stands
there. The nodes of a feature form a ring through `next`, so two features merge by relabelling the
smaller ring and splicing: no search, no undo, and a copied record is a copied game.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.records import new_records, workspace_dtype
from channel_tunnel_env.games.carcassonne.engine import constants as c

STATE_DTYPE = np.dtype(
    [
        # Luck: counter-based streams (see `core.rng`).
        ("rng_key", np.uint64, len(c.STREAMS)),
        ("rng_counter", np.int64, len(c.STREAMS)),
        ("seed", np.int64),
        # The game at large.
        ("ply", np.int32),  # decisions answered, forced ones included
        ("ruleset", np.int16),  # row of the tables
        ("turn", np.int16),  # 1, 2, ...
        ("to_play", np.int8),
        ("phase", np.int8),
        ("end_cause", np.int8),
        ("winner", np.int8),  # seat, DRAW where several share the win, or NOBODY while it goes on
        ("score", np.int32, c.MAX_SEATS),
        ("hand", np.int8, c.MAX_SEATS),  # followers in the supply
        ("robber", np.int8),  # seat that holds the Robber Baron's marker, or NOBODY
        ("longest", np.int16),  # tiles of the longest road completed so far
        # The turn in progress.
        ("tile", np.int8),  # type drawn, or NONE
        ("cell", np.int16),  # where it goes, or NONE
        ("mouth", np.int8),  # opening joined by this turn's token, or NONE
        # The table.
        ("grid", np.uint8, c.NUM_CELLS),  # number of the tile + 1, 0 free
        ("need", np.uint8, c.NUM_CELLS),  # what the neighbours show: two bits per side, 0 nothing
        ("frontier", np.uint32, c.WIDTH),  # by row, bit x: a free cell beside a tile
        ("west", np.int8),  # the box of all tiles, in coordinates of the start tile
        ("east", np.int8),
        ("north", np.int8),
        ("south", np.int8),
        ("table_cuts", np.int16),  # placements that only the finite table forbade (C12)
        # Tiles in the order of laying.
        ("tile_count", np.int16),
        ("tile_type", np.int8, c.MAX_TILES),
        ("tile_turned", np.int8, c.MAX_TILES),  # rotation
        ("tile_cell", np.int16, c.MAX_TILES),
        # The nodes of tile i are first_node[i] .. first_node[i + 1] - 1.
        ("first_node", np.int16, c.MAX_TILES + 1),
        # Nodes.
        ("node_tile", np.uint8, c.MAX_SEGMENTS),
        ("follower", np.int8, c.MAX_SEGMENTS),  # seat of the follower, or NOBODY
        ("label", np.int16, c.MAX_SEGMENTS),
        ("next", np.int16, c.MAX_SEGMENTS),
        # Features, at their label.
        ("nodes", np.int16, c.MAX_SEGMENTS),
        ("open", np.int16, c.MAX_SEGMENTS),  # open ends of a road or city
        ("occupants", np.int8, c.MAX_SEGMENTS),  # followers
        # The deck.
        ("deck", np.int8, c.MAX_TILES),  # types in the order of drawing
        ("deck_size", np.int16),
        ("drawn", np.int16),  # deck[drawn:] is face down
        ("unseen", np.int8, c.MAX_TYPES),  # tiles of each type still face down
        ("out_of_game", np.int8, c.MAX_TYPES),  # tiles of each type that fitted nowhere (C11)
        # Tunnels, by token colour and by opening.
        ("stock", np.int8, c.NUM_TOKEN_COLOURS),  # tokens not laid
        ("half", np.int8, c.NUM_TOKEN_COLOURS),  # opening of the half tunnel, or NONE
        ("missed", np.int8, c.NUM_TOKEN_COLOURS),  # its owner let a chance to finish it pass (C70)
        ("mouth_node", np.int16, c.NUM_OPENINGS),  # NONE: not on the table
        ("mouth_colour", np.int8, c.NUM_OPENINGS),  # colour of the token on it, or NONE
        ("mouth_partner", np.int8, c.NUM_OPENINGS),  # the opening it is joined to, or NONE
        # Tallies for evaluation; no rule reads them.
        ("tally_points", np.int16, (c.MAX_SEATS, c.NUM_KINDS)),  # by kind, final scoring included
        ("tally_first", np.int8, c.MAX_SEATS),  # first tokens laid
        ("tally_second", np.int8, c.MAX_SEATS),  # tunnels finished
    ],
    align=True,
)

WORK_DTYPE = workspace_dtype(
    c.NUM_ACTIONS,
    [
        ("men", np.int16, c.MAX_SEATS),  # followers by seat in a feature
        ("tiles_seen", np.uint64, 2),  # bit per tile of a feature
        ("labels_seen", np.int64, c.MAX_SEGMENTS),  # number of the walk that saw a label last
        ("walk", np.int64),
        ("cities", np.int16, c.MAX_SEGMENTS),  # complete cities beside a field, by label
        ("men_at", np.int16, c.MAX_SEGMENTS),  # nodes with a follower
        ("men_on", np.int64, c.MAX_SEGMENTS),  # by label: followers of each seat, a byte each
        ("row_with", np.int16, c.MAX_SEGMENTS),  # by label: where the observation first shows it
        ("monks", np.int16, c.MAX_SEGMENTS),  # nodes of cloisters with a follower
        ("tiles_of", np.int16, c.MAX_SEGMENTS),  # by label: tiles of the feature
        ("last_tile", np.int16, c.MAX_SEGMENTS),  # by label: the tile counted last
        ("rows_of", np.int8, c.MAX_SEATS),  # followers of each seat shown so far
        # By the label of a city, for the older scorings of farms.
        ("farmers", np.int16, (c.MAX_SEGMENTS, c.MAX_SEATS)),
        ("root", np.int16, c.MAX_SEGMENTS),  # features recomputed by the invariants
        ("ends", np.int16, c.MAX_SEGMENTS),
        ("of_type", np.int16, c.MAX_TYPES),  # tiles counted, by the invariants
    ],
)


def new_states(num_games: int) -> np.ndarray:
    """`num_games` zeroed records; `set_up` fills them."""
    return new_records(num_games, STATE_DTYPE)


def new_workspaces(count: int) -> np.ndarray:
    """`count` workspaces in which luck is free."""
    return new_records(count, WORK_DTYPE)
