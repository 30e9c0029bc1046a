"""Sizes, kinds, phases and action ids of Carcassonne (rules 9)."""

from __future__ import annotations

# The torus: cell = (y & 31) * 32 + (x & 31).
WIDTH = 32
WRAP = WIDTH - 1
ROW_SHIFT = 5
NUM_CELLS = WIDTH * WIDTH
MAX_TABLE = 30  # two rows and columns stay empty, so the torus makes no false neighbours (C12)
FILLED_AROUND = 8  # cells around a cloister

# Sides, clockwise, and half edges, clockwise from the north-west corner; half edge h lies on side h // 2.
NORTH, EAST, SOUTH, WEST = range(4)
SIDES = ("n", "e", "s", "w")
NUM_SIDES = 4
NUM_HALVES = 8

# What an edge shows; 0 is "nothing demanded" in a cell's need.
FIELD_EDGE, ROAD_EDGE, CITY_EDGE = 1, 2, 3
NUM_NEEDS = 256  # two bits per side

# Kinds of segments.
CITY, ROAD, CLOISTER, FIELD = range(4)
KINDS = ("city", "road", "cloister", "field")
NUM_KINDS = 4

# Bounds of the data (rules 11).
MAX_TYPES = 32
MAX_TILES = 80
MAX_SEGMENTS = 288  # of all tiles together
TILE_SEGMENTS = 9  # of one tile
MAX_SEATS = 6
MIN_SEATS = 2
NUM_TOKEN_COLOURS = 6
TOKENS_OF_A_COLOUR = 2
TOKEN_COLOURS = ("blue", "yellow", "grey", "green", "red", "black")
NUM_OPENINGS = 10
MOST_POINTS = 2**15 - 1  # of a seat: what tallies and score tables hold
MOST_FRONTIER = 2 * MAX_TILES + 2  # free cells beside tiles: as many as beside a row of them
NUM_PAIRS = NUM_OPENINGS * (NUM_OPENINGS - 1) // 2

NOBODY = -1
NONE = -1
DRAW = 127  # winner of a game that several seats share

# OVER comes last, so it is also the number of kinds of decision.
CELL, ROTATE, CLAIM, TOKEN, OVER = range(5)
PHASES = ("cell", "rotate", "claim", "token", "over")

PLAYING, LAST_TILE = range(2)  # PLAYING is what a zeroed record says
END_CAUSES = ("playing", "last_tile")

DECK_STREAM = 0
STREAMS = ("deck",)

# Switches with more than two values.
FARM_NONE, FARM_FIRST, FARM_SECOND, FARM_THIRD = range(4)
FARM_SCORINGS = ("none", "first", "second", "third")
NO_VARIANT, FOLLOWER_VARIANT, STEAL_VARIANT, PAIRED_VARIANT, NO_BLOCK_VARIANT = range(5)
TOKEN_AFTER, TOKEN_BEFORE = range(2)
TOKEN_WINDOWS = ("after_meeple", "before_meeple")
VARIANTS = ("none", "follower", "steal", "paired", "no_block")

# Action ids (rules 9): the same for every ruleset and seat.
FIRST_CELL = 0
FIRST_ROTATE = FIRST_CELL + NUM_CELLS
FIRST_CLAIM = FIRST_ROTATE + NUM_SIDES  # by side, which shows a city or a road and never both
CLAIM_CLOISTER = FIRST_CLAIM + NUM_SIDES
FIRST_CLAIM_FIELD = CLAIM_CLOISTER + 1
CLAIM_NONE = FIRST_CLAIM_FIELD + NUM_HALVES
FIRST_TOKEN = CLAIM_NONE + 1  # by opening; the token is of the lowest untouched set (C63)
FIRST_TUNNEL = FIRST_TOKEN + NUM_OPENINGS
TOKEN_NONE = FIRST_TUNNEL + NUM_PAIRS
NUM_ACTIONS = TOKEN_NONE + 1

NUM_PLACES = CLAIM_NONE - FIRST_CLAIM
"""Places of a lying tile where a follower may be put: four sides, cloister, eight half edges."""
