"""What a seat sees: named sections of one float32 vector in [0, 1].

Everything a player with a perfect memory knows, and nothing else: no face-down token but those the
viewer peeked at, no deck order, no rival peek's result. "own" is the viewer's, "rival" the other's.
Whole vector is written in one pass: zero, then set what is not zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from channel_tunnel_env.engine.bits import count_bits
from channel_tunnel_env.engine.constants import (
    CHAIN,
    COLOURLESS,
    EUROPEAN_INFLUENCE,
    FIRST_ABILITY,
    KEEP,
    MAX_CARDS,
    MAX_DEVIATION,
    MAX_ROUTE,
    MAX_TRACK,
    NUM_ACTION_KINDS,
    NUM_AGENDA,
    NUM_CARD_KINDS,
    NUM_COLOURS,
    NUM_PHASES,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_SPACES,
    NUM_TRACKS,
    OVER,
)
from channel_tunnel_env.engine.jit import compiled
from channel_tunnel_env.engine.legality import (
    allowance,
    can_move,
    ready_cards,
    ready_extra_finance,
    storage_space,
    total_discs,
)
from channel_tunnel_env.engine.scoring import card_count, total_score
from channel_tunnel_env.engine.tables import NO_BARRIER

OBSERVATION_VERSION = 1
_ABILITIES = NUM_CARD_KINDS - FIRST_ABILITY
_SLOT = NUM_CARD_KINDS + 4 + 4 + 2
_TOKEN = NUM_COLOURS + 1
_DEVIATION_KINDS = 5 * 3


@dataclass(frozen=True)
class Section:
    """A named run of the vector."""

    name: str
    start: int
    size: int
    meaning: str

    @property
    def slice(self) -> slice:
        """The section's place in the vector."""
        return slice(self.start, self.start + self.size)


_SHAPES = (
    ("phase", NUM_PHASES, "one-hot of the kind of decision at hand (over, window, turn, ...)"),
    ("to_move", 1, "1 if the viewer is to answer it"),
    ("side", 1, "1 if the viewer is France"),
    ("first_player", 1, "1 if the viewer holds the first-player card"),
    ("passed", 2, "own, rival: has passed this round"),
    ("round", 2, "round / 20, and empty rounds in a row / the limit"),
    ("score", 3, "own, rival points now / 60, and 0.5 + (own - rival) / 60, each clipped"),
    ("own_discs", 25, "own area: for each colour, at least 1, 2, 3, 4, 5 discs"),
    ("rival_discs", 25, "rival's area, likewise"),
    ("disc_totals", 4, "own area / 15, rival's area / 15, own allowance / 15, rival's allowance / 15"),
    ("bag", 5, "discs of each colour in the bag / 5"),
    ("spaces", NUM_SPACES * 10, "for each space: colour one-hot, then height at least 1 to 5"),
    (
        "display",
        NUM_SLOTS * _SLOT,
        "for each slot: card kind one-hot, cost one-hot, secondary action one-hot, points / 4, money / 3",
    ),
    ("unseen_cards", MAX_CARDS, "by card id: 1 in the deck, 0.5 in the discard, else 0"),
    ("money_cards", MAX_CARDS, "by card id: 1 own money, 0.5 rival's money, else 0"),
    ("money", 6, "own, rival: money cards of 1, 2, 3 million, each number / 8"),
    ("purse", 4, "own millions / 12, rival's / 12, own usable Extra finance / 2, rival's / 2"),
    ("own_cards", FIRST_ABILITY + 1, "own area: cards of each blue kind / 5 (influence / 10), all cards / 20"),
    ("rival_cards", FIRST_ABILITY + 1, "rival's area, likewise"),
    ("own_abilities", 2 * _ABILITIES, "for each green and red kind: tokens left / 4, then usable now"),
    ("rival_abilities", 2 * _ABILITIES, "rival's, likewise"),
    ("topographical", 10, "own, rival: rubble colour lies on a Topographical analysis card"),
    ("own_tracks", NUM_TRACKS * MAX_TRACK, "for each track: counter at least on space 1, 2, ..."),
    ("rival_tracks", NUM_TRACKS * MAX_TRACK, "rival's, likewise"),
    (
        "barriers",
        8,
        "own a, own b, rival a, rival b: price of the next step / 8 (0 none), and the step can be taken",
    ),
    ("own_deviation", MAX_DEVIATION, "own deviation at least 1, 2, ..."),
    ("rival_deviation", MAX_DEVIATION, "rival's, likewise"),
    ("deviation_risk", 2, "own, rival: chance that the next deviation card loses the game"),
    (
        "deviation_deck",
        _DEVIATION_KINDS,
        "cards left in the deviation deck by colour (red, green, yellow, purple, none) and value "
        "(0, -1, -2 or more) / 2",
    ),
    ("deviation_colours", 4, "red, green, yellow, purple: the next card of this colour reshuffles"),
    ("own_tbm", MAX_ROUTE, "own TBM has bored at least 1, 2, ... spaces"),
    ("rival_tbm", MAX_ROUTE, "rival's, likewise"),
    ("route_left", 4, "own, rival: spaces left / 9; then own, rival: face-up tokens ahead / 9"),
    (
        "own_route",
        MAX_ROUTE * _TOKEN,
        "own tokens ahead, nearest first: colour one-hot (if face up or peeked), agenda symbol",
    ),
    ("rival_route", MAX_ROUTE * _TOKEN, "rival's tokens ahead, likewise"),
    ("rival_peeks", 2 * MAX_ROUTE, "own tokens ahead, then rival's: face down and the rival has peeked"),
    ("unseen_tokens", 5, "tokens of each colour that the viewer has not seen / 4"),
    ("unseen_symbols", 5, "those of them with an agenda symbol / 2"),
    ("storage", 10, "own, rival: stored tokens of each colour / 3"),
    ("storage_room", 4, "own, rival: free spaces / 3; own, rival: spaces / 4"),
    ("agenda_pending", 2 * NUM_AGENDA, "own, rival: one-hot of the pending agenda card"),
    ("agenda_completed", 2 * NUM_AGENDA, "own, rival: agenda cards completed"),
    ("agenda_unseen", NUM_AGENDA, "agenda cards still in their deck"),
    ("agenda_drawn", NUM_AGENDA, "one-hot of the agenda card to keep or discard"),
    ("used_space", NUM_SPACES, "one-hot of the space of this turn's stack"),
    ("action", NUM_ACTION_KINDS, "one-hot of the action in progress"),
    ("last_action", NUM_ACTION_KINDS, "one-hot of the action a chain follows"),
    ("action_slot", NUM_SLOTS, "one-hot of the slot of the card being developed"),
    ("placed_rubble", NUM_COLOURS, "colour of the token already placed on it"),
    ("keep", NUM_COLOURS + 1, "colour asked for on passing, and discs kept so far / 15"),
    ("turn_flags", 4, "supervised placement, repairs in progress, promotion paid / 3, rival placed last"),
)


def _sections() -> tuple[Section, ...]:
    sections, start = [], 0
    for name, size, meaning in _SHAPES:
        sections.append(Section(name, start, size, meaning))
        start += size
    return tuple(sections)


SECTIONS = _sections()
OBSERVATION_SIZE = SECTIONS[-1].start + SECTIONS[-1].size
SECTION_BY_NAME = {section.name: section for section in SECTIONS}


def _at(name: str) -> int:
    return SECTION_BY_NAME[name].start


_PHASE = _at("phase")
_TO_MOVE, _SIDE, _FIRST_PLAYER, _PASSED = map(_at, ("to_move", "side", "first_player", "passed"))
_ROUND, _SCORE = _at("round"), _at("score")
_OWN_DISCS, _RIVAL_DISCS, _TOTALS = map(_at, ("own_discs", "rival_discs", "disc_totals"))
_BAG, _SPACES, _DISPLAY = map(_at, ("bag", "spaces", "display"))
_UNSEEN_CARDS, _MONEY_CARDS, _MONEY, _PURSE = map(
    _at, ("unseen_cards", "money_cards", "money", "purse")
)
_OWN_CARDS, _RIVAL_CARDS = _at("own_cards"), _at("rival_cards")
_OWN_ABILITIES, _RIVAL_ABILITIES = _at("own_abilities"), _at("rival_abilities")
_TOPOGRAPHICAL = _at("topographical")
_OWN_TRACKS, _RIVAL_TRACKS, _BARRIERS = map(_at, ("own_tracks", "rival_tracks", "barriers"))
_OWN_DEVIATION, _RIVAL_DEVIATION = _at("own_deviation"), _at("rival_deviation")
_RISK, _DEVIATION_DECK, _DEVIATION_COLOURS = map(
    _at, ("deviation_risk", "deviation_deck", "deviation_colours")
)
_OWN_TBM, _RIVAL_TBM, _ROUTE_LEFT = map(_at, ("own_tbm", "rival_tbm", "route_left"))
_OWN_ROUTE, _RIVAL_ROUTE, _RIVAL_PEEKS = map(_at, ("own_route", "rival_route", "rival_peeks"))
_UNSEEN_TOKENS, _UNSEEN_SYMBOLS = _at("unseen_tokens"), _at("unseen_symbols")
_STORAGE, _STORAGE_ROOM = _at("storage"), _at("storage_room")
_PENDING, _COMPLETED, _AGENDA_UNSEEN, _AGENDA_DRAWN = map(
    _at, ("agenda_pending", "agenda_completed", "agenda_unseen", "agenda_drawn")
)
_USED_SPACE, _ACTION, _LAST, _ACTION_SLOT = map(
    _at, ("used_space", "action", "last_action", "action_slot")
)
_PLACED_RUBBLE, _KEEP, _TURN_FLAGS = map(_at, ("placed_rubble", "keep", "turn_flags"))


@compiled
def fill_observation(state, rules, viewer, out):
    """Write what `viewer` sees into `out` (float32[OBSERVATION_SIZE])."""
    out[:] = 0.0
    _fill_game(state, rules, viewer, out)
    _fill_discs(state, rules, viewer, out)
    _fill_display(state, rules, out)
    _fill_card_sets(state, rules, viewer, out)
    _fill_areas(state, rules, viewer, out)
    _fill_technology(state, rules, viewer, out)
    _fill_deviation(state, rules, viewer, out)
    _fill_routes(state, rules, viewer, out)
    if rules.agenda_enabled:
        _fill_agenda(state, viewer, out)
    _fill_turn(state, rules, viewer, out)


@compiled
def _fill_game(state, rules, viewer, out):
    out[_PHASE + int(state.phase)] = 1.0
    out[_TO_MOVE] = state.to_play == viewer and state.phase != OVER
    out[_SIDE] = viewer
    out[_FIRST_PLAYER] = state.first_player == viewer
    out[_PASSED] = state.passed[viewer]
    out[_PASSED + 1] = state.passed[1 - viewer]
    out[_ROUND] = min(int(state.round_no) * 0.05, 1.0)
    out[_ROUND + 1] = min(int(state.empty_rounds) / int(rules.max_empty_rounds), 1.0)
    own = total_score(state, rules, viewer)
    rival = total_score(state, rules, 1 - viewer)
    if not rules.facedown_visible:
        rival -= _facedown_points(state, rules, 1 - viewer)
    out[_SCORE] = _clip(own / 60.0)
    out[_SCORE + 1] = _clip(rival / 60.0)
    out[_SCORE + 2] = _clip(0.5 + (own - rival) / 60.0)


@compiled
def _clip(x):
    return min(max(x, 0.0), 1.0)


@compiled
def _facedown_cards(state, rules, seat):
    """Set of the seat's spent ability cards."""
    return state.area[seat] & rules.ability_cards & ~state.charged


@compiled
def _facedown_points(state, rules, seat):
    cards = _facedown_cards(state, rules, seat)
    points = 0
    for card in range(int(rules.num_cards)):
        if cards & (1 << card):
            points += int(rules.card_points[card])
    return points


@compiled
def _fill_discs(state, rules, viewer, out):
    for i in range(NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        at = _OWN_DISCS if i == 0 else _RIVAL_DISCS
        total = 0
        for colour in range(NUM_COLOURS):
            n = int(state.discs[seat, colour])
            total += n
            for k in range(5):
                out[at + colour * 5 + k] = n > k
        out[_TOTALS + i] = min(total / 15.0, 1.0)
        out[_TOTALS + 2 + i] = min(allowance(state, rules, seat) / 15.0, 1.0)
    for colour in range(NUM_COLOURS):
        out[_BAG + colour] = int(state.bag[colour]) * 0.2
    for space in range(NUM_SPACES):
        height = int(state.stack_height[space])
        if height > 0:
            at = _SPACES + space * 10
            out[at + int(state.stack_colour[space])] = 1.0
            for k in range(5):
                out[at + 5 + k] = height > k


@compiled
def _fill_display(state, rules, out):
    for slot in range(NUM_SLOTS):
        card = int(state.slots[slot])
        if card >= 0:
            at = _DISPLAY + slot * _SLOT
            out[at + int(rules.card_kind[card])] = 1.0
            out[at + NUM_CARD_KINDS + int(rules.card_cost[card])] = 1.0
            out[at + NUM_CARD_KINDS + 4 + int(rules.card_secondary[card])] = 1.0
            out[at + NUM_CARD_KINDS + 8] = _clip(int(rules.card_points[card]) * 0.25)
            out[at + NUM_CARD_KINDS + 9] = int(rules.card_money[card]) / 3.0


@compiled
def _fill_card_sets(state, rules, viewer, out):
    own, rival, discard = state.money[viewer], state.money[1 - viewer], state.discard
    gone = own | rival | discard | state.area[0] | state.area[1]
    for slot in range(NUM_SLOTS):
        if state.slots[slot] >= 0:
            gone |= 1 << int(state.slots[slot])
    deck = rules.all_cards & ~gone
    for card in range(MAX_CARDS):
        out[_UNSEEN_CARDS + card] = ((deck >> card) & 1) + ((discard >> card) & 1) * 0.5
        out[_MONEY_CARDS + card] = ((own >> card) & 1) + ((rival >> card) & 1) * 0.5


@compiled
def _fill_areas(state, rules, viewer, out):
    for i in range(NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        for value in range(3):
            cards = state.money[seat] & rules.money_cards[value + 1]
            out[_MONEY + i * 3 + value] = min(count_bits(cards) * 0.125, 1.0)
        out[_PURSE + i] = min(int(state.money_total[seat]) / 12.0, 1.0)
        out[_PURSE + 2 + i] = min(ready_extra_finance(state, rules, seat) * 0.5, 1.0)
        at = _OWN_CARDS if i == 0 else _RIVAL_CARDS
        for kind in range(FIRST_ABILITY):
            scale = 0.1 if kind == EUROPEAN_INFLUENCE else 0.2
            out[at + kind] = min(int(state.kind_count[seat, kind]) * scale, 1.0)
        out[at + FIRST_ABILITY] = min(card_count(state, seat) * 0.05, 1.0)
        _fill_abilities(state, rules, seat, _OWN_ABILITIES if i == 0 else _RIVAL_ABILITIES, out)
        colours = int(state.topographical[seat])
        for colour in range(NUM_COLOURS):
            out[_TOPOGRAPHICAL + i * NUM_COLOURS + colour] = (colours >> colour) & 1
        at = _STORAGE + i * NUM_COLOURS
        stored = 0
        for colour in range(NUM_COLOURS):
            n = int(state.storage[seat, colour])
            stored += n
            out[at + colour] = min(n / 3.0, 1.0)
        space = storage_space(state, rules, seat)
        out[_STORAGE_ROOM + i] = _clip((space - stored) / 3.0)
        out[_STORAGE_ROOM + 2 + i] = min(space * 0.25, 1.0)


@compiled
def _fill_abilities(state, rules, seat, at, out):
    cards = state.area[seat] & state.charged
    if cards == 0:
        return
    usable = ready_cards(state, seat)
    if state.phase == CHAIN and state.new_card >= 0 and not rules.new_card_usable:
        usable &= ~(1 << int(state.new_card))
    for i in range(_ABILITIES):
        copies = cards & rules.kind_cards[FIRST_ABILITY + i]
        tokens = count_bits(copies) + count_bits(copies & state.charged_twice)
        out[at + 2 * i] = min(tokens * 0.25, 1.0)
        out[at + 2 * i + 1] = (usable & copies) != 0


@compiled
def _fill_technology(state, rules, viewer, out):
    for i in range(NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        at = _OWN_TRACKS if i == 0 else _RIVAL_TRACKS
        for track in range(NUM_TRACKS):
            place = int(state.counter[seat, track])
            for k in range(MAX_TRACK):
                out[at + track * MAX_TRACK + k] = place > k
            step = _BARRIERS + (i * NUM_TRACKS + track) * 2
            if place < rules.track_last[seat, track]:
                price = int(rules.barrier[seat, track, place + 1])
                if price != NO_BARRIER:
                    out[step] = min(price * 0.125, 1.0)
                out[step + 1] = can_move(state, rules, seat, track)


@compiled
def _fill_deviation(state, rules, viewer, out):
    own, rival = int(state.deviation[viewer]), int(state.deviation[1 - viewer])
    for k in range(MAX_DEVIATION):
        out[_OWN_DEVIATION + k] = own > k
        out[_RIVAL_DEVIATION + k] = rival > k
    drawn, size = int(state.deviation_drawn), int(rules.num_deviation)
    own_room, rival_room = int(rules.deviation_limit) - own, int(rules.deviation_limit) - rival
    own_losses, rival_losses = 0, 0
    for i in range(size):
        card = int(state.deviation_deck[i])
        colour, value = int(rules.deviation_colour[card]), int(rules.deviation_value[card])
        if i < drawn:
            if colour != COLOURLESS:
                out[_DEVIATION_COLOURS + colour] = 1.0
        else:
            place = _DEVIATION_DECK + colour * 3 + min(value, 2)
            out[place] = min(out[place] + 0.5, 1.0)
            own_losses += value > own_room
            rival_losses += value > rival_room
    left = max(size - drawn, 1)
    out[_RISK] = own_losses / left
    out[_RISK + 1] = rival_losses / left


@compiled
def _fill_routes(state, rules, viewer, out):
    length = int(rules.route_length)
    symbols = rules.agenda_enabled == 1
    for i in range(NUM_SEATS):
        side = viewer if i == 0 else 1 - viewer
        tbm, revealed = int(state.tbm[side]), int(state.revealed[side])
        at = _OWN_TBM if i == 0 else _RIVAL_TBM
        for k in range(MAX_ROUTE):
            out[at + k] = tbm > k
        out[_ROUTE_LEFT + i] = (length - tbm) / 9.0
        out[_ROUTE_LEFT + 2 + i] = (revealed - tbm) / 9.0
        at = _OWN_ROUTE if i == 0 else _RIVAL_ROUTE
        seen, rival_seen = int(state.peeked[viewer, side]), int(state.peeked[1 - viewer, side])
        for index in range(tbm, length):
            colour, ahead = int(state.route_colour[side, index]), index - tbm
            symbol = symbols and state.route_symbol[side, index] == 1
            if index < revealed or (seen >> index) & 1:
                out[at + ahead * _TOKEN + colour] = 1.0
                if symbol:
                    out[at + ahead * _TOKEN + NUM_COLOURS] = 1.0
            else:
                out[_UNSEEN_TOKENS + colour] = min(out[_UNSEEN_TOKENS + colour] + 0.25, 1.0)
                if symbol:
                    out[_UNSEEN_SYMBOLS + colour] = min(out[_UNSEEN_SYMBOLS + colour] + 0.5, 1.0)
            if index >= revealed and (rival_seen >> index) & 1:
                out[_RIVAL_PEEKS + i * MAX_ROUTE + ahead] = 1.0


@compiled
def _fill_agenda(state, viewer, out):
    for i in range(NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        if state.agenda_pending[seat] >= 0:
            out[_PENDING + i * NUM_AGENDA + int(state.agenda_pending[seat])] = 1.0
        completed = int(state.agenda_completed[seat])
        for kind in range(NUM_AGENDA):
            out[_COMPLETED + i * NUM_AGENDA + kind] = (completed >> kind) & 1
    for k in range(int(state.agenda_drawn), NUM_AGENDA):
        out[_AGENDA_UNSEEN + int(state.agenda_deck[k])] = 1.0
    if state.agenda_card >= 0:
        out[_AGENDA_DRAWN + int(state.agenda_card)] = 1.0


@compiled
def _fill_turn(state, rules, viewer, out):
    if state.turn_space >= 0:
        out[_USED_SPACE + int(state.turn_space)] = 1.0
    if state.action >= 0:
        out[_ACTION + int(state.action)] = 1.0
    if state.last >= 0:
        out[_LAST + int(state.last)] = 1.0
    if state.action_slot >= 0:
        out[_ACTION_SLOT + int(state.action_slot)] = 1.0
        if state.rubble_placed > 0:
            card = int(state.slots[int(state.action_slot)])
            out[_PLACED_RUBBLE + int(state.card_rubble[card, 0]) - 1] = 1.0
    if state.phase == KEEP:
        out[_KEEP + int(state.keep_colour)] = 1.0
        out[_KEEP + NUM_COLOURS] = min(int(state.kept) / 15.0, 1.0)
    out[_TURN_FLAGS] = state.supervised
    out[_TURN_FLAGS + 1] = state.repairing
    out[_TURN_FLAGS + 2] = int(state.promotion_paid) / 3.0
    out[_TURN_FLAGS + 3] = state.previous == 1 - viewer
