"""The state: one aligned numpy record per game.

`new_states(N)` gives N games as one recarray. Copying a game is one assignment, a batch is one
array; pickling, saving and hashing need no extra code. Piles are counts, card sets are bit masks,
and only ordered decks are sequences. Seats: 0 Britain, 1 France.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.records import new_records, workspace_dtype
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS

_SEAT = c.NUM_SEATS
STATE_DTYPE = np.dtype(
    [
        # Luck: counter-based streams (see `core.rng`).
        ("rng_key", np.uint64, c.NUM_STREAMS),
        ("rng_counter", np.int64, c.NUM_STREAMS),
        ("seed", np.int64),
        # Card sets, bit i = card i.
        ("discard", np.int64),
        ("area", np.int64, _SEAT),  # developed cards, face up and face down
        ("money", np.int64, _SEAT),  # cards below the board
        ("charged", np.int64),  # ability cards in an area that still hold rubble
        ("charged_twice", np.int64),  # those that hold two tokens
        ("used", np.int64),  # abilities used this round
        # The game as a whole.
        ("ply", np.int32),  # decisions answered, forced ones included
        ("ruleset", np.int16),  # row of the tables
        ("round_no", np.int16),  # 1, 2, ...
        ("empty_rounds", np.int16),  # rounds in a row without a placement
        ("to_play", np.int8),
        ("phase", np.int8),
        ("first_player", np.int8),
        ("passed", np.int8, _SEAT),
        ("round_placed", np.int8),  # a stack was placed this round
        ("previous", np.int8),  # seat whose placement was the previous turn of this round, or -1
        ("winner", np.int8),  # seat, DRAW, or NOBODY while it goes on
        ("end_cause", np.int8),
        ("reacher", np.int8),  # seat that reached the centre, or NOBODY
        # The turn in progress.
        ("turn_space", np.int8),  # space of this turn's stack, or -1
        ("action", np.int8),  # kind of the action in progress, or -1
        ("last", np.int8),  # kind of the action last completed this turn, or -1
        ("action_slot", np.int8),  # slot the action is bound to or has chosen, or -1
        ("new_card", np.int8),  # card taken by the action in progress or just completed, or -1
        ("rubble_placed", np.int8),  # tokens laid on the card being developed
        ("repairing", np.int8),  # this Technology action serves Repairs
        ("supervised", np.int8),  # this placement serves Supervision
        ("agenda_card", np.int8),  # agenda card to keep or discard, or -1
        ("promotion_paid", np.int8),  # million paid so far for Promotion
        ("keep_colour", np.int8),  # colour asked for on passing
        ("kept", np.int8),  # discs kept so far on passing
        # Discs.
        ("bag", np.int8, c.NUM_COLOURS),
        ("discs", np.int8, (_SEAT, c.NUM_COLOURS)),  # the areas
        ("stack_colour", np.int8, c.NUM_SPACES),
        ("stack_height", np.int8, c.NUM_SPACES),  # 0: empty
        # Rubble: colour and agenda symbol by own index; 0..tbm-1 are gone, ..revealed-1 face up.
        ("route_colour", np.int8, (_SEAT, c.MAX_ROUTE)),
        ("route_symbol", np.int8, (_SEAT, c.MAX_ROUTE)),
        ("tbm", np.int8, _SEAT),
        ("revealed", np.int8, _SEAT),
        ("peeked", np.int16, (_SEAT, _SEAT)),  # [viewer, side]: bit mask of indices looked at
        ("storage", np.int8, (_SEAT, c.NUM_COLOURS)),
        ("out_of_game", np.int8, c.NUM_COLOURS),
        ("card_rubble", np.int8, (c.MAX_CARDS, 2)),  # colour + 1 of the tokens on a card, 0 none
        # Cards in order.
        ("deck", np.int8, c.MAX_CARDS),  # the next card is deck[deck_size - 1]
        ("deck_size", np.int8),
        ("slots", np.int8, c.NUM_SLOTS),  # card shown, or -1
        ("money_order", np.int8, (_SEAT, c.MAX_CARDS)),  # card ids, oldest first
        ("money_count", np.int8, _SEAT),
        # Deviation: one array, the first `deviation_drawn` cards are the discard.
        ("deviation", np.int8, _SEAT),
        ("deviation_deck", np.int8, c.MAX_DEVIATION_CARDS),
        ("deviation_drawn", np.int8),
        ("counter", np.int8, (_SEAT, c.NUM_TRACKS)),  # technology
        # Agenda.
        ("agenda_deck", np.int8, c.NUM_AGENDA),
        ("agenda_drawn", np.int8),
        ("agenda_pending", np.int8, _SEAT),  # kind, or -1
        ("agenda_completed", np.int8, _SEAT),  # bit mask of kinds
        # Sums kept beside the card sets (checked against them by `check_invariants`).
        ("kind_count", np.int8, (_SEAT, c.NUM_CARD_KINDS)),  # cards of a kind in the area
        ("topographical", np.int8, _SEAT),  # bit mask of rubble colours on Topographical analysis
        ("printed_points", np.int16, _SEAT),
        ("money_total", np.int16, _SEAT),
        # Tallies for evaluation; no rule reads them.
        ("leader", np.int8),  # seat ahead at the last round start, or DRAW
        ("lead_changes", np.int16),
        ("tally_placed", np.int16, (_SEAT, c.NUM_SPACES, 2)),  # by space and option
        ("tally_action", np.int16, (_SEAT, c.NUM_ACTION_KINDS)),  # completed, of any origin
        ("tally_ability", np.int16, (_SEAT, c.NUM_CARD_KINDS)),  # abilities used
        ("tally_income", np.int16, _SEAT),  # million gained by Finance
        ("tally_barrier", np.int16, _SEAT),  # million paid at barriers, surplus included
        ("tally_align", np.int16, _SEAT),  # million spent on alignment
        ("tally_draws", np.int16, _SEAT),  # deviation cards drawn
        ("tally_drift", np.int16, _SEAT),  # deviation levels they cost
        ("tally_kept", np.int16, _SEAT),  # discs kept on passing
        ("card_shown", np.int16, c.MAX_CARDS),  # times a card came to a slot
        ("card_financed", np.int16, (_SEAT, c.MAX_CARDS)),
        ("card_developed", np.int16, c.MAX_CARDS),  # round in which it was developed, 0 never
    ],
    align=True,
)


def new_states(num_games: int) -> np.ndarray:
    """`num_games` zeroed records; `set_up` fills them."""
    return new_records(num_games, STATE_DTYPE)


# --- the workspace (see `core.records`) -----------------------------------------------------------

MAX_FEATURES = 1024  # `observation` asserts that its own fit

WORK_DTYPE = workspace_dtype(
    NUM_ACTIONS,
    [
        ("tokens", np.int16, c.MAX_TOKENS),  # rubble being shuffled
        ("features", np.int8, MAX_FEATURES),  # whole numbers of an observation
        ("placements", np.int64, c.NUM_SEATS),  # what each seat could place
    ],
)


def new_workspaces(count: int) -> np.ndarray:
    """`count` workspaces in which luck is free."""
    return new_records(count, WORK_DTYPE)
