"""Sizes, kinds, phases and action ids of Eurotunnel Diplomacy (rules 1, 2; ids as the actions name them)."""

from __future__ import annotations

NONE = -1
NOBODY = -1
DRAW = 127  # winner of a game without a solo

# The board.
NUM_POWERS = 7
NUM_PROVINCES = 75
NUM_LOCATIONS = 81  # the provinces, then the coasts of those that have two
NUM_COASTS = 42  # provinces with a coast
NUM_LAND = 56  # provinces that are no sea
NUM_SEAS = 19
NUM_CENTRES = 34
NUM_HOMES = 22
NUM_PAIRS = 213  # of ends that a tunnel may join
NUM_ROUTES = 2094  # of convoys, one way
MAX_NEIGHBOURS = 11  # of a location
MAX_EXITS = 14  # of a province by tunnels
FAR = 127  # steps to a place that cannot be reached

INLAND, COAST, SEA = range(3)
KINDS = ("inland", "coast", "sea")
ARMY, FLEET = 1, 2  # 0: no unit
UNIT_LETTERS = ("", "A", "F")

# Tunnels.
MAX_TUNNELS = 4  # that a power ever builds
# A tunnel goes through these in order; demolished ones were seen by all, vanished ones never were (E43).
NO_TUNNEL, HIDDEN, OPENED, DEMOLISHED, VANISHED = range(5)
TUNNEL_STATES = ("none", "hidden", "open", "demolished", "vanished")

# The year.
SPRING, FALL, WINTER = range(3)
SEASON_LETTERS = "SFW"
MOVEMENT, RETREATS, ADJUSTMENTS, OVER = range(4)
PHASES = ("movement", "retreats", "adjustments", "over")
PHASE_LETTERS = "MRAO"
TURNS_A_YEAR = 2  # spring and fall
UNITS, PERMITS, VOTE = range(3)  # what is asked of a power within a phase

PLAYING, SOLO, DRAW_VOTE, MAX_YEAR = range(4)
END_CAUSES = ("playing", "solo", "draw_vote", "max_year")
BY_SQUARES, BY_SURVIVAL, BY_CENTRES, BY_PIECES = range(4)
LIMIT_SCORES = ("sos", "dss", "centres", "pieces")

BOOK_1971, BOOK_DATC = range(2)
RULEBOOKS = ("1971", "datc")

# Nothing in play is random: only imagined games draw from the stream.
IMAGINED_STREAM = 0
STREAMS = ("imagined",)

HOME, CAPTURED = range(2)
SCORE_SOURCES = ("home", "captured")  # centres

# Kinds of actions, in the order of the ids. Kinds are compared by it: HOLD to CONVOY are the orders of a movement
# phase, MOVE to TUNNEL its moves.
(
    HOLD,
    MOVE,
    VIA,
    TUNNEL,
    DIG,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    CONVOY,
    RETREAT,
    RETREAT_TUNNEL,
    DISBAND,
    BUILD_ARMY,
    BUILD_FLEET,
    WAIVE,
    REMOVE,
    PERMIT,
    PERMIT_DONE,
    VOTE_NO,
    VOTE_DRAW,
) = range(19)

# Action ids: the first of each block.
ID_HOLD = 0
FIRST_MOVE = ID_HOLD + 1
FIRST_VIA = FIRST_MOVE + NUM_LOCATIONS
FIRST_TUNNEL = FIRST_VIA + NUM_COASTS
FIRST_DIG = FIRST_TUNNEL + NUM_LAND
FIRST_SUPPORT_HOLD = FIRST_DIG + NUM_LAND
FIRST_SUPPORT_MOVE = FIRST_SUPPORT_HOLD + NUM_PROVINCES
NUM_SUPPORT_MOVES = 1742  # pairs of a province and a location that some unit could move between
FIRST_CONVOY = FIRST_SUPPORT_MOVE + NUM_SUPPORT_MOVES
NUM_CONVOYS = 1194  # ordered pairs of coasts joined by seas (2.4)
FIRST_RETREAT = FIRST_CONVOY + NUM_CONVOYS
FIRST_RETREAT_TUNNEL = FIRST_RETREAT + NUM_LOCATIONS
ID_DISBAND = FIRST_RETREAT_TUNNEL + NUM_LAND
FIRST_BUILD_ARMY = ID_DISBAND + 1
FIRST_BUILD_FLEET = FIRST_BUILD_ARMY + NUM_HOMES
NUM_FLEET_BUILDS = 17  # home coasts; St. Petersburg has two
ID_WAIVE = FIRST_BUILD_FLEET + NUM_FLEET_BUILDS
FIRST_REMOVE = ID_WAIVE + 1
FIRST_PERMIT = FIRST_REMOVE + NUM_PROVINCES  # by own slot, then by power
ID_PERMIT_DONE = FIRST_PERMIT + MAX_TUNNELS * NUM_POWERS
ID_VOTE_NO = ID_PERMIT_DONE + 1
ID_VOTE_DRAW = ID_VOTE_NO + 1
NUM_ACTIONS = ID_VOTE_DRAW + 1

# How a unit travels (rules 5.2).
NO_WAY, BY_LAND, BY_TUNNEL, BY_CONVOY = range(4)

# Values of a decision (rules 5.4).
NO, YES, UNKNOWN = range(3)

# What became of an order (rules 7.6).
(NOTHING, STOOD, MOVED, FAILED, VOID, DONE, CUT, DISRUPTED) = range(8)
RESULTS = ("", "stood", "moved", "failed", "void", "done", "cut", "disrupted")
DISLODGED = 8  # added to the result of a unit that had to leave
