"""Names and structural sizes, which no ruleset can change.

Numbers that a ruleset may change (hands, tracks, points ...) live in `tables`. Values here are
plain integers, so that compiled and interpreted code are the same.
"""

SEATS = ("britain", "france")
BRITAIN, FRANCE = 0, 1
NUM_SEATS = 2
NOBODY = -1
DRAW = 2

COLOURS = ("blue", "black", "orange", "yellow", "white")
NUM_COLOURS = 5
BLUE = 0  # blue rubble is water (rules, Deviation)

SPACES = ("plan_tunnel", "finance_technology", "slot_1", "slot_2", "slot_3")
NUM_SPACES = 5
PLAN_TUNNEL, FINANCE_TECHNOLOGY, FIRST_SLOT = 0, 1, 2
NUM_SLOTS = 3

# Kinds of action a turn or a chain can take.
ACTION_KINDS = ("plan", "tunnel", "finance", "technology", "develop")
PLAN, TUNNEL, FINANCE, TECHNOLOGY, DEVELOP = range(5)
NUM_ACTION_KINDS = 5

# Costs of a playing card, in rubble tokens.
COSTS = ("free", "discard1", "place1", "place1or2")
FREE, DISCARD_1, PLACE_1, PLACE_1_OR_2 = range(4)

CARD_KINDS = (
    "european_influence",
    "political_duel",
    "european_speech",
    "media_relations",
    "topographical_analysis",
    "new_workers",
    "exchange",
    "improve_technology",
    "extra_finance",
    "new_materials",
    "control_room_1",
    "control_room_2",
    "control_room_3",
    "control_room_4",
    "control_room_5",
    "heavy_machinery",
)
(
    EUROPEAN_INFLUENCE,
    POLITICAL_DUEL,
    EUROPEAN_SPEECH,
    MEDIA_RELATIONS,
    TOPOGRAPHICAL_ANALYSIS,
    NEW_WORKERS,
    EXCHANGE,
    IMPROVE_TECHNOLOGY,
    EXTRA_FINANCE,
    NEW_MATERIALS,
    CONTROL_ROOM_1,
    CONTROL_ROOM_2,
    CONTROL_ROOM_3,
    CONTROL_ROOM_4,
    CONTROL_ROOM_5,
    HEAVY_MACHINERY,
) = range(16)
NUM_CARD_KINDS = 16
FIRST_ABILITY = NEW_WORKERS  # this kind and all later ones have an ability (green and red cards)

AGENDA_KINDS = ("training", "warehouse_inspection", "check_up", "repairs", "supervision", "promotion")
TRAINING, WAREHOUSE_INSPECTION, CHECK_UP, REPAIRS, SUPERVISION, PROMOTION = range(6)
NUM_AGENDA = 6
PROMOTION_PRICE = 3  # million (rules, Agenda)

DEVIATION_COLOURS = ("red", "green", "yellow", "purple", "none")
COLOURLESS = 4

BENEFITS = ("none", "peek", "extra_disc", "storage")
NO_BENEFIT, PEEK_BENEFIT, EXTRA_DISC, STORAGE_SPACE = range(4)

PHASES = (
    "over",
    "window",
    "turn",
    "keep",
    "agenda",
    "tunnel_pay",
    "finance",
    "promotion",
    "track",
    "peek",
    "align",
    "develop",
    "rubble",
    "chain",
)
(
    OVER,
    WINDOW,
    TURN,
    KEEP,
    AGENDA,
    TUNNEL_PAY,
    FINANCE_CARD,
    PROMOTION_PAY,
    TRACK,
    PEEK,
    ALIGN,
    DEVELOP_CARD,
    RUBBLE,
    CHAIN,
) = range(14)
NUM_PHASES = 14

END_CAUSES = ("none", "centre", "deviation", "max_rounds", "empty_rounds", "dead_position")
NOT_ENDED, CENTRE, DEVIATION, MAX_ROUNDS, EMPTY_ROUNDS, DEAD_POSITION = range(6)
FIRST_STOP = MAX_ROUNDS  # this cause and all later ones stop a game without progress, scored (rules A56)

# Sources of luck, each with its own random stream.
STREAMS = ("rubble", "cards", "deviation", "agenda", "discs")
RUBBLE_STREAM, CARD_STREAM, DEVIATION_STREAM, AGENDA_STREAM, DISC_STREAM = range(5)
NUM_STREAMS = 5

# Structural limits: array sizes, and therefore upper bounds for the values of a ruleset.
MAX_ROUTE = 9  # spaces per side; the peek ids name nine
MAX_TOKENS = 2 * MAX_ROUTE + 2 * 3
MAX_CARDS = 40  # card sets are bit masks in an int64
MAX_DISCS_PER_COLOUR = 5  # the keep ids name 0 to 5
NO_KEEP_LIMIT = 99  # of discs; more than any hand
MAX_TRACK = 7  # last space of a technology track
MAX_STORAGE = 6
MAX_DEVIATION_CARDS = 24
MAX_DEVIATION = 7  # last safe level a ruleset may set
MAX_MONEY = 3  # million on one card; the spend ids name 1 to 3
NUM_TRACKS = 2
