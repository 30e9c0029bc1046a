"""What a seat sees: named sections of one float32 vector in [0, 1].

It holds everything that a player with a perfect memory knows, and nothing else: no face-down token
except those the viewer peeked at, no deck order, no result of a rival's peek. "own" is the
viewer's, "rival" the other seat's.

Features are small whole numbers, which bytes hold as they are; floats are each times the scale of its section. They are
collected as int8 in the order of the sections, up to eight at a time (see `core.bits`). The figures of the
ruleset are at the end, copied from the tables (see `rule_figures`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from channel_tunnel_env.core.bits import BYTE, THERMOMETER, WORD, count_bits, put_word, spread_bits
from channel_tunnel_env.core.encoding import Column, share
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.numbers import either, put_share
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.deviation import cards_of_colour, drawn_cards, next_loss
from channel_tunnel_env.games.tunnel_1987.engine.foresight import (
    can_place_on,
    can_place_tunnel,
    tall_placements,
    tunnel_loss,
)
from channel_tunnel_env.games.tunnel_1987.engine.legality import (
    allowance,
    can_move,
    disc_ladder,
    find_placements,
    ready_cards,
    ready_extra_finance,
    stack_margin,
    storage_space,
    total_discs,
)
from channel_tunnel_env.games.tunnel_1987.engine.rule_figures import (
    POINTS_OFFSET,
    RULE_SCALES,
    RULE_SHAPES,
    RULE_SIZE,
    scales_of,
)
from channel_tunnel_env.games.tunnel_1987.engine.scoring import bonus_at_centre, card_count, centre_points, total_score
from channel_tunnel_env.games.tunnel_1987.engine.state import MAX_FEATURES
from channel_tunnel_env.games.tunnel_1987.engine.tables import NO_BARRIER

OBSERVATION_VERSION = 3
_ABILITIES = c.NUM_CARD_KINDS - c.FIRST_ABILITY
_SLOT = c.NUM_CARD_KINDS + 4 + 4 + 2
_TOKEN = c.NUM_COLOURS + 1
_DEVIATION_KINDS = 5 * 3
_SCORE_SPAN = 60
_PLACEMENTS = c.NUM_SPACES * 2 * c.NUM_COLOURS
_LEADS = 16  # thresholds for the lead at the centre, starting at LEAST_LEAD
LEAST_LEAD = -7


@dataclass(frozen=True)
class ScaledSection:
    """A named slice of the vector. `scales` gives the scale of each of its entries."""

    name: str
    start: int
    size: int
    scales: tuple[float, ...]
    meaning: str

    @property
    def slice(self) -> slice:
        """The section's place in the vector."""
        return slice(self.start, self.start + self.size)


# name, scale of every entry (or a list of them), size, meaning
_SHAPES: tuple[tuple[str, float | list[float], int, str], ...] = (
    ("phase", 1, c.NUM_PHASES, "one-hot of the kind of decision at hand (over, window, turn, ...)"),
    ("to_move", 1, 1, "1 if the viewer is to answer it"),
    ("side", 1, 1, "1 if the viewer is France"),
    ("first_player", 1, 1, "1 if the viewer holds the first-player card"),
    ("passed", 1, 2, "own, rival: has passed this round"),
    ("round", 1 / 20, 2, "round / 20, and empty rounds in a row / the limit"),
    ("score", 1 / _SCORE_SPAN, 3, "own, rival points now / 60, and 0.5 + (own - rival) / 60, clipped"),
    (
        "lead_at_centre",
        1,
        c.NUM_SEATS * _LEADS,
        "own points - rival's at least -7, -6, ... 8, if the viewer's TBM now stood at the centre "
        "(0 wins); then likewise if the rival's did (0 loses)",
    ),
    ("own_discs", 1, 25, "own hand (area): for each colour, at least 1, 2, 3, 4, 5 discs"),
    ("rival_discs", 1, 25, "rival's area, likewise"),
    ("disc_totals", 1 / 15, 4, "own area, rival's area, own allowance, rival's allowance, each / 15"),
    ("bag", 1 / 5, 5, "discs of each colour in the bag / 5"),
    ("spaces", 1, c.NUM_SPACES * 10, "for each space: colour one-hot, then height at least 1 to 5"),
    (
        "display",
        [*[1.0] * (c.NUM_CARD_KINDS + 8), 1 / 4, 1 / 3] * c.NUM_SLOTS,
        c.NUM_SLOTS * _SLOT,
        "for each slot: card kind one-hot, cost one-hot, secondary action one-hot, points / 4, money / 3",
    ),
    ("unseen_cards", 1 / 2, c.MAX_CARDS, "by card id: 1 in the deck, 0.5 in the discard, else 0"),
    ("money_cards", 1 / 2, c.MAX_CARDS, "by card id: 1 own money, 0.5 rival's money, else 0"),
    ("money", 1 / 8, 6, "own, rival: number of money cards of 1, 2, 3 million / 8"),
    (
        "purse",
        [1 / 12, 1 / 12, 1 / 2, 1 / 2],
        4,
        "own millions / 12, rival's / 12, own usable Extra finance / 2, rival's / 2",
    ),
    (
        "own_cards",
        [1 / 10, *[1 / 5] * (c.FIRST_ABILITY - 1), 1 / 20],
        c.FIRST_ABILITY + 1,
        "own area: cards of each blue kind (influence / 10, others / 5), all cards / 20",
    ),
    ("rival_cards", [1 / 10, *[1 / 5] * (c.FIRST_ABILITY - 1), 1 / 20], c.FIRST_ABILITY + 1, "rival's area, likewise"),
    (
        "own_abilities",
        [1 / 4, 1] * _ABILITIES,
        2 * _ABILITIES,
        "for each green and red kind: tokens left / 4, then usable now",
    ),
    ("rival_abilities", [1 / 4, 1] * _ABILITIES, 2 * _ABILITIES, "rival's, likewise"),
    ("topographical", 1, 10, "own, rival: rubble colour lies on a Topographical analysis card"),
    ("own_tracks", 1, c.NUM_TRACKS * c.MAX_TRACK, "for each track: counter at least on space 1, 2, ..."),
    ("rival_tracks", 1, c.NUM_TRACKS * c.MAX_TRACK, "rival's, likewise"),
    (
        "barriers",
        [1 / 8, 1] * 4,
        8,
        "own a, own b, rival a, rival b: price of the next step / 8 (0 none), and the step can be taken",
    ),
    ("own_deviation", 1, c.MAX_DEVIATION, "own deviation at least 1, 2, ..."),
    ("rival_deviation", 1, c.MAX_DEVIATION, "rival's, likewise"),
    ("deviation_risk", 1, 2, "own, rival: chance that the next deviation card loses the game"),
    (
        "deviation_deck",
        1 / 2,
        _DEVIATION_KINDS,
        "cards left in the deviation deck by colour (red, green, yellow, purple, none) and value "
        "(0, -1, -2 or more) / 2",
    ),
    ("deviation_colours", 1, 4, "red, green, yellow, purple: the next card of this colour reshuffles"),
    ("own_tbm", 1, c.MAX_ROUTE, "own TBM has bored at least 1, 2, ... spaces"),
    ("rival_tbm", 1, c.MAX_ROUTE, "rival's, likewise"),
    ("route_left", 1 / 9, 4, "own, rival: spaces left / 9; then own, rival: face-up tokens ahead / 9"),
    (
        "own_route",
        1,
        c.MAX_ROUTE * _TOKEN,
        "own tokens ahead, nearest first: colour one-hot (if face up or peeked), agenda symbol",
    ),
    ("rival_route", 1, c.MAX_ROUTE * _TOKEN, "rival's tokens ahead, likewise"),
    ("rival_peeks", 1, 2 * c.MAX_ROUTE, "own tokens ahead, then rival's: face down and the rival has peeked"),
    ("unseen_tokens", 1 / 4, 5, "tokens of each colour that the viewer has not seen / 4"),
    ("unseen_symbols", 1 / 2, 5, "those of them with an agenda symbol / 2"),
    ("storage", 1 / 3, 10, "own, rival: stored tokens of each colour / 3"),
    ("storage_room", [1 / 3, 1 / 3, 1 / 4, 1 / 4], 4, "own, rival: free spaces / 3; own, rival: spaces / 4"),
    ("agenda_pending", 1, 2 * c.NUM_AGENDA, "own, rival: one-hot of the pending agenda card"),
    ("agenda_completed", 1, 2 * c.NUM_AGENDA, "own, rival: agenda cards completed"),
    ("agenda_unseen", 1, c.NUM_AGENDA, "agenda cards still in their deck"),
    ("agenda_drawn", 1, c.NUM_AGENDA, "one-hot of the agenda card to keep or discard"),
    ("used_space", 1, c.NUM_SPACES, "one-hot of the space of this turn's stack"),
    ("action", 1, c.NUM_ACTION_KINDS, "one-hot of the action in progress"),
    ("last_action", 1, c.NUM_ACTION_KINDS, "one-hot of the action a chain follows"),
    ("action_slot", 1, c.NUM_SLOTS, "one-hot of the slot of the card being developed"),
    ("placed_rubble", 1, c.NUM_COLOURS, "colour of the token already placed on it"),
    (
        "keep",
        [1.0] * c.NUM_COLOURS + [1 / 15],
        c.NUM_COLOURS + 1,
        "colour asked for on passing, and discs kept so far / 15",
    ),
    (
        "turn_flags",
        [1, 1, 1 / 3, 1],
        4,
        "supervised placement, repairs in progress, promotion paid / 3, rival placed last",
    ),
    (
        "tunnel_risk",
        1,
        4,
        "own, rival: chance that its next Tunnel loses by deviation, by the token in front, or what that may be if the "
        "viewer does not know it; then own, rival: likewise if it is water",
    ),
    (
        "own_placements",
        1,
        _PLACEMENTS,
        "what the viewer could place if it were to play: for each space, first and second action, each by colour of stack",
    ),
    ("rival_placements", 1, _PLACEMENTS, "likewise the rival, if the viewer passed or its turn ended here"),
    (
        "tunnel_next",
        1,
        6,
        "own, then rival: one of these placements is a Tunnel; it reaches the centre; it wins there if no deviation does",
    ),
    (
        "closing",
        1,
        c.NUM_SEATS * c.NUM_SPACES,
        "own, then rival, for each space: its tallest placement shuts out the other seat, which could place there now",
    ),
    (
        "display_points",
        1 / 40,
        c.NUM_SLOTS,
        "for each slot: (printed points + 20) / 40, exact where `display` is cut at 0 and 4; 0 if empty",
    ),
)


def _sections() -> tuple[ScaledSection, ...]:
    sections, start = [], 0
    for name, scale, size, meaning in _SHAPES + RULE_SHAPES:
        scales = scales_of(scale, size)
        assert len(scales) == size, name
        sections.append(ScaledSection(name, start, size, scales, meaning))
        start += size
    return tuple(sections)


SECTIONS = _sections()
OBSERVATION_SIZE = SECTIONS[-1].start + SECTIONS[-1].size
SECTION_BY_NAME = {section.name: section for section in SECTIONS}
_SCALE = np.array([scale for section in SECTIONS for scale in section.scales], np.float32)
_RULES = OBSERVATION_SIZE - RULE_SIZE  # where the rule sections begin
_RULE_UNITS = np.float32(1) / RULE_SCALES
_HALF = np.float32(0.5)
# Whole numbers of one observation; a word may be written at the last of them.
FEATURES_SIZE = _RULES + WORD
assert FEATURES_SIZE <= MAX_FEATURES


def _at(name: str) -> int:
    return SECTION_BY_NAME[name].start


_PHASE = _at("phase")
_TO_MOVE, _SIDE, _FIRST_PLAYER, _PASSED = map(_at, ("to_move", "side", "first_player", "passed"))
_ROUND, _SCORE, _LEAD_AT_CENTRE = map(_at, ("round", "score", "lead_at_centre"))
_OWN_DISCS, _RIVAL_DISCS, _TOTALS = map(_at, ("own_discs", "rival_discs", "disc_totals"))
_BAG, _SPACES, _DISPLAY = map(_at, ("bag", "spaces", "display"))
_UNSEEN_CARDS, _MONEY_CARDS, _MONEY, _PURSE = map(_at, ("unseen_cards", "money_cards", "money", "purse"))
_OWN_CARDS, _RIVAL_CARDS = _at("own_cards"), _at("rival_cards")
_OWN_ABILITIES, _RIVAL_ABILITIES = _at("own_abilities"), _at("rival_abilities")
_TOPOGRAPHICAL = _at("topographical")
_OWN_TRACKS, _RIVAL_TRACKS, _BARRIERS = map(_at, ("own_tracks", "rival_tracks", "barriers"))
_OWN_DEVIATION, _RIVAL_DEVIATION = _at("own_deviation"), _at("rival_deviation")
_RISK, _DEVIATION_DECK, _DEVIATION_COLOURS = map(_at, ("deviation_risk", "deviation_deck", "deviation_colours"))
_OWN_TBM, _RIVAL_TBM, _ROUTE_LEFT = map(_at, ("own_tbm", "rival_tbm", "route_left"))
_OWN_ROUTE, _RIVAL_ROUTE, _RIVAL_PEEKS = map(_at, ("own_route", "rival_route", "rival_peeks"))
_UNSEEN_TOKENS, _UNSEEN_SYMBOLS = _at("unseen_tokens"), _at("unseen_symbols")
_STORAGE, _STORAGE_ROOM = _at("storage"), _at("storage_room")
_PENDING, _COMPLETED, _AGENDA_UNSEEN, _AGENDA_DRAWN = map(
    _at, ("agenda_pending", "agenda_completed", "agenda_unseen", "agenda_drawn")
)
_USED_SPACE, _ACTION, _LAST, _ACTION_SLOT = map(_at, ("used_space", "action", "last_action", "action_slot"))
_PLACED_RUBBLE, _KEEP, _TURN_FLAGS = map(_at, ("placed_rubble", "keep", "turn_flags"))
_TUNNEL_RISK, _OWN_PLACEMENTS, _TUNNEL_NEXT, _CLOSING, _DISPLAY_POINTS = map(
    _at, ("tunnel_risk", "own_placements", "tunnel_next", "closing", "display_points")
)


@compiled
def fill_observation(state, rules, viewer, work, observations, row):
    """Write what `viewer` sees into a row of `observations` (float32 or uint8 (B, OBSERVATION_SIZE)).

    The parts are in the order of the sections.
    """
    for k in range(FEATURES_SIZE):
        work.features[k] = 0
    _see_game(state, rules, viewer, work)
    _see_discs(state, rules, viewer, work)
    _see_display(state, rules, work)
    _see_cards(state, rules, viewer, work)
    _see_technology(state, rules, viewer, work)
    gone = _see_deviation(state, rules, viewer, work)
    water_share = _see_routes(state, rules, viewer, work)
    _see_storage(state, rules, viewer, work)
    if rules.agenda_enabled:
        _see_agenda(state, viewer, work)
    _see_turn(state, viewer, work)
    _see_next_turns(state, rules, viewer, work)
    out = observations[row]
    for k in range(_RULES):
        count = work.features[k]
        out[k] = either(out, np.float32(count) * _SCALE[k], count)
    seen = rules.seen
    for k in range(RULE_SIZE):
        figure = seen[viewer, k]
        out[_RULES + k] = either(out, figure, np.uint8(figure * _RULE_UNITS[k] + _HALF))
    # Shares are no counts: they are written over the zeros that the features left in their places.
    put_share(out, _ROUND + 1, min(int(state.empty_rounds) / int(rules.max_empty_rounds), 1.0))
    _see_chances(state, rules, viewer, gone, water_share, out)


@compiled
def _see_game(state, rules, viewer, work):
    work.features[_PHASE + int(state.phase)] = 1
    work.features[_TO_MOVE] = state.to_play == viewer and state.phase != c.OVER
    work.features[_SIDE] = viewer
    work.features[_FIRST_PLAYER] = state.first_player == viewer
    work.features[_PASSED] = state.passed[viewer]
    work.features[_PASSED + 1] = state.passed[1 - viewer]
    work.features[_ROUND] = min(int(state.round_no), 20)
    own = total_score(state, rules, viewer)
    rival = total_score(state, rules, 1 - viewer)
    if not rules.facedown_visible:
        rival -= _facedown_points(state, rules, 1 - viewer)  # the viewer knows its own (A45)
    work.features[_SCORE] = _within(own, _SCORE_SPAN)
    work.features[_SCORE + 1] = _within(rival, _SCORE_SPAN)
    work.features[_SCORE + 2] = _within(_SCORE_SPAN // 2 + own - rival, _SCORE_SPAN)
    _see_lead_at_centre(state, rules, viewer, own - rival, work)


@compiled
def _see_lead_at_centre(state, rules, viewer, lead, work):
    """The lead if the centre's points are counted: whether it would pay to end the game (6.3)."""
    # What has been won at the centre is taken out, so that it does not count twice.
    lead -= centre_points(state, rules, viewer) - centre_points(state, rules, 1 - viewer)
    for i in range(c.NUM_SEATS):
        first = viewer if i == 0 else 1 - viewer
        bonus = bonus_at_centre(state, rules, first)
        steps = _within(lead + (bonus if i == 0 else -bonus) - LEAST_LEAD + 1, _LEADS)
        at = _LEAD_AT_CENTRE + i * _LEADS
        put_word(work.features, at, THERMOMETER[min(steps, WORD)])
        put_word(work.features, at + WORD, THERMOMETER[max(steps - WORD, 0)])


@compiled
def _within(number, most):
    return min(max(number, 0), most)


@compiled
def _facedown_points(state, rules, seat):
    """Points of the seat's spent ability cards, which lie face down."""
    cards = state.area[seat] & rules.ability_cards & ~state.charged
    points = 0
    for card in range(int(rules.num_cards)):
        points += int(rules.card_points[card]) * int((cards >> card) & 1)
    return points


@compiled
def _see_discs(state, rules, viewer, work):
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        at = _OWN_DISCS + i * (_RIVAL_DISCS - _OWN_DISCS)
        for colour in range(c.NUM_COLOURS):
            # A word is longer than a colour's five places: the next colours write theirs later.
            put_word(work.features, at + colour * 5, THERMOMETER[int(state.discs[seat, colour])])
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        work.features[_TOTALS + i] = min(total_discs(state.discs[seat]), 15)
        work.features[_TOTALS + 2 + i] = min(allowance(state, rules, seat), 15)
    for colour in range(c.NUM_COLOURS):
        work.features[_BAG + colour] = state.bag[colour]
    for space in range(c.NUM_SPACES):
        height, at = int(state.stack_height[space]), _SPACES + space * 10
        # An empty space holds the number of some colour too, which must not show.
        colour = BYTE[int(state.stack_colour[space])] * np.uint64(height > 0)
        put_word(work.features, at, colour)
        put_word(work.features, at + 5, THERMOMETER[height])


@compiled
def _see_display(state, rules, work):
    for slot in range(c.NUM_SLOTS):
        card = int(state.slots[slot])
        if card >= 0:
            at = _DISPLAY + slot * _SLOT
            work.features[at + int(rules.card_kind[card])] = 1
            work.features[at + c.NUM_CARD_KINDS + int(rules.card_cost[card])] = 1
            work.features[at + c.NUM_CARD_KINDS + 4 + int(rules.card_secondary[card])] = 1
            work.features[at + c.NUM_CARD_KINDS + 8] = _within(int(rules.card_points[card]), 4)
            work.features[at + c.NUM_CARD_KINDS + 9] = rules.card_money[card]
            work.features[_DISPLAY_POINTS + slot] = int(rules.card_points[card]) + POINTS_OFFSET


@compiled
def _see_cards(state, rules, viewer, work):
    """Where every card is, then money and areas."""
    own, rival, discard = state.money[viewer], state.money[1 - viewer], state.discard
    gone = own | rival | discard | state.area[0] | state.area[1]
    for slot in range(c.NUM_SLOTS):
        if state.slots[slot] >= 0:
            gone |= 1 << int(state.slots[slot])
    deck = rules.all_cards & ~gone  # as a set, because its order is hidden (2.7)
    for k in range(0, c.MAX_CARDS, WORD):
        # In halves: 2 in the deck, 1 in the discard.
        unseen = spread_bits(deck >> k)
        put_word(work.features, _UNSEEN_CARDS + k, unseen + unseen + spread_bits(discard >> k))
    for k in range(0, c.MAX_CARDS, WORD):
        mine = spread_bits(own >> k)
        put_word(work.features, _MONEY_CARDS + k, mine + mine + spread_bits(rival >> k))
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        for value in range(3):
            cards = count_bits(state.money[seat] & rules.money_cards[value + 1])
            work.features[_MONEY + i * 3 + value] = min(cards, 8)
        work.features[_PURSE + i] = min(int(state.money_total[seat]), 12)
        work.features[_PURSE + 2 + i] = min(ready_extra_finance(state, rules, seat), 2)
        at = _OWN_CARDS + i * (_RIVAL_CARDS - _OWN_CARDS)
        for kind in range(c.FIRST_ABILITY):
            most = 10 if kind == c.EUROPEAN_INFLUENCE else 5
            work.features[at + kind] = min(int(state.kind_count[seat, kind]), most)
        work.features[at + c.FIRST_ABILITY] = min(card_count(state, seat), 20)
        at = _OWN_ABILITIES + i * (_RIVAL_ABILITIES - _OWN_ABILITIES)
        _see_abilities(state, rules, seat, at, work)
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        colours = spread_bits(int(state.topographical[seat]))
        put_word(work.features, _TOPOGRAPHICAL + i * c.NUM_COLOURS, colours)


@compiled
def _see_abilities(state, rules, seat, at, work):
    # Without a charged card there is nothing to write: the places are zero already.
    cards = state.area[seat] & state.charged
    if cards == 0:
        return
    usable = ready_cards(state, seat)
    if state.phase == c.CHAIN and state.new_card >= 0 and not rules.new_card_usable:
        usable &= ~(1 << int(state.new_card))  # it is not offered either (A33)
    for i in range(_ABILITIES):
        copies = cards & rules.kind_cards[c.FIRST_ABILITY + i]
        tokens = count_bits(copies) + count_bits(copies & state.charged_twice)
        work.features[at + 2 * i] = min(tokens, 4)
        work.features[at + 2 * i + 1] = (usable & copies) != 0


@compiled
def _see_technology(state, rules, viewer, work):
    # Words before single numbers: a track has seven places, so a store of eight bytes clears the place behind it.
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        at = _OWN_TRACKS + i * (_RIVAL_TRACKS - _OWN_TRACKS)
        for track in range(c.NUM_TRACKS):
            place = int(state.counter[seat, track])
            put_word(work.features, at + track * c.MAX_TRACK, THERMOMETER[place])
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        for track in range(c.NUM_TRACKS):
            place = int(state.counter[seat, track])
            step = _BARRIERS + (i * c.NUM_TRACKS + track) * 2
            if place < rules.track_last[seat, track]:
                price = int(rules.barrier[seat, track, place + 1])
                work.features[step] = 0 if price == NO_BARRIER else min(price, 8)
                work.features[step + 1] = can_move(state, rules, seat, track)
            else:
                work.features[step] = 0


@compiled
def _see_deviation(state, rules, viewer, work):
    """Returns the set of cards in the discard."""
    own, rival = int(state.deviation[viewer]), int(state.deviation[1 - viewer])
    put_word(work.features, _OWN_DEVIATION, THERMOMETER[min(own, c.MAX_DEVIATION)])
    put_word(work.features, _RIVAL_DEVIATION, THERMOMETER[min(rival, c.MAX_DEVIATION)])
    gone = drawn_cards(state, int(state.deviation_drawn))
    deck, heavier = rules.deviation_cards & ~gone, rules.heavier_cards
    for colour in range(c.COLOURLESS + 1):
        left = deck & cards_of_colour(rules, colour)
        at = _DEVIATION_DECK + colour * 3
        work.features[at] = min(count_bits(left & ~heavier[0]), 2)
        work.features[at + 1] = min(count_bits(left & heavier[0] & ~heavier[1]), 2)
        work.features[at + 2] = min(count_bits(left & heavier[1]), 2)
    for colour in range(c.COLOURLESS):
        work.features[_DEVIATION_COLOURS + colour] = (gone & rules.colour_cards[colour]) != 0
    return gone


@compiled
def _see_routes(state, rules, viewer, work):
    """Returns the share of water among the tokens that the viewer has not seen."""
    length = int(rules.route_length)
    for i in range(c.NUM_SEATS):
        tbm = int(state.tbm[viewer if i == 0 else 1 - viewer])
        at = _OWN_TBM + i * (_RIVAL_TBM - _OWN_TBM)
        put_word(work.features, at, THERMOMETER[min(tbm, WORD)])
        work.features[at + WORD] = tbm > WORD  # the ninth space is beyond a word
    unseen, symbols = np.uint64(0), np.uint64(0)  # each byte counts a colour
    covered, water = 0, 0
    for i in range(c.NUM_SEATS):
        side = viewer if i == 0 else 1 - viewer
        tbm, revealed = int(state.tbm[side]), int(state.revealed[side])
        work.features[_ROUTE_LEFT + i] = length - tbm
        work.features[_ROUTE_LEFT + 2 + i] = revealed - tbm
        at = _OWN_ROUTE + i * (_RIVAL_ROUTE - _OWN_ROUTE)
        known = int(state.peeked[viewer, side]) | ((1 << revealed) - 1)
        for index in range(tbm, length):
            colour = BYTE[int(state.route_colour[side, index])]
            symbol = bool(rules.agenda_enabled) and state.route_symbol[side, index] == 1
            if (known >> index) & 1:
                word = colour + BYTE[c.NUM_COLOURS] if symbol else colour
                put_word(work.features, at + (index - tbm) * _TOKEN, word)
            else:
                unseen += colour
                covered += 1
                water += state.route_colour[side, index] == c.BLUE
                if symbol:
                    symbols += colour
    for i in range(c.NUM_SEATS):
        side = viewer if i == 0 else 1 - viewer
        tbm, revealed = int(state.tbm[side]), int(state.revealed[side])
        # Without tokens that have been turned up since, and from the TBM on.
        ahead = (int(state.peeked[1 - viewer, side]) >> revealed) << (revealed - tbm)
        at = _RIVAL_PEEKS + i * c.MAX_ROUTE
        put_word(work.features, at, spread_bits(ahead))
        work.features[at + WORD] = (ahead >> WORD) & 1
    put_word(work.features, _UNSEEN_TOKENS, unseen)
    put_word(work.features, _UNSEEN_SYMBOLS, symbols)
    for colour in range(c.NUM_COLOURS):
        work.features[_UNSEEN_TOKENS + colour] = min(int(work.features[_UNSEEN_TOKENS + colour]), 4)
        work.features[_UNSEEN_SYMBOLS + colour] = min(int(work.features[_UNSEEN_SYMBOLS + colour]), 2)
    return water / max(covered, 1)


@compiled
def _see_storage(state, rules, viewer, work):
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        for colour in range(c.NUM_COLOURS):
            work.features[_STORAGE + i * c.NUM_COLOURS + colour] = min(int(state.storage[seat, colour]), 3)
        space = storage_space(state, rules, seat)
        work.features[_STORAGE_ROOM + i] = _within(space - total_discs(state.storage[seat]), 3)
        work.features[_STORAGE_ROOM + 2 + i] = min(space, 4)


@compiled
def _see_agenda(state, viewer, work):
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        if state.agenda_pending[seat] >= 0:
            work.features[_PENDING + i * c.NUM_AGENDA + int(state.agenda_pending[seat])] = 1
        completed = int(state.agenda_completed[seat])
        for kind in range(c.NUM_AGENDA):
            work.features[_COMPLETED + i * c.NUM_AGENDA + kind] = (completed >> kind) & 1
    for k in range(int(state.agenda_drawn), c.NUM_AGENDA):  # as a set, because its order is hidden (2.7)
        work.features[_AGENDA_UNSEEN + int(state.agenda_deck[k])] = 1
    if state.agenda_card >= 0:
        work.features[_AGENDA_DRAWN + int(state.agenda_card)] = 1


@compiled
def _see_turn(state, viewer, work):
    if state.turn_space >= 0:
        work.features[_USED_SPACE + int(state.turn_space)] = 1
    if state.action >= 0:
        work.features[_ACTION + int(state.action)] = 1
    if state.last >= 0:
        work.features[_LAST + int(state.last)] = 1
    if state.action_slot >= 0:
        work.features[_ACTION_SLOT + int(state.action_slot)] = 1
        if state.rubble_placed > 0:  # the first of two tokens
            card = int(state.slots[int(state.action_slot)])
            work.features[_PLACED_RUBBLE + int(state.card_rubble[card, 0]) - 1] = 1
    if state.phase == c.KEEP:
        work.features[_KEEP + int(state.keep_colour)] = 1
        work.features[_KEEP + c.NUM_COLOURS] = min(int(state.kept), 15)
    work.features[_TURN_FLAGS] = state.supervised
    work.features[_TURN_FLAGS + 1] = state.repairing
    work.features[_TURN_FLAGS + 2] = min(int(state.promotion_paid), 3)
    work.features[_TURN_FLAGS + 3] = state.previous == 1 - viewer


@compiled
def _see_next_turns(state, rules, viewer, work):
    """What each seat could place, and what that would do to the other."""
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        placements = find_placements(state, rules, seat, stack_margin(state, rules, seat))
        work.placements[seat] = placements
        for k in range(0, _PLACEMENTS, WORD):
            put_word(work.features, _OWN_PLACEMENTS + i * _PLACEMENTS + k, spread_bits(placements >> k))
    # Steps of the lead at the centre: the first seat to reach it also wins a tie (6.4).
    own_wins = work.features[_LEAD_AT_CENTRE - LEAST_LEAD] == 1
    rival_wins = work.features[_LEAD_AT_CENTRE + _LEADS - LEAST_LEAD + 1] == 0
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        tunnel = can_place_tunnel(state, rules, work.placements[seat])
        centre = tunnel & (int(state.tbm[seat]) + 1 == rules.route_length)
        work.features[_TUNNEL_NEXT + i * 3] = tunnel
        work.features[_TUNNEL_NEXT + i * 3 + 1] = centre
        work.features[_TUNNEL_NEXT + i * 3 + 2] = centre & (own_wins if i == 0 else rival_wins)
        _see_closing(state, rules, seat, _CLOSING + i * c.NUM_SPACES, work)


@compiled
def _see_closing(state, rules, seat, at, work):
    """Spaces on which the seat's tallest placement is too high for the other seat's discs."""
    other = 1 - seat
    most = 0
    for colour in range(c.NUM_COLOURS):
        most = max(most, int(state.discs[other, colour]))
    # The other seat must be `margin` higher, so from this height on its tallest stack is too low.
    height = most + 1 - stack_margin(state, rules, other)
    placements, others = work.placements[seat], work.placements[other]
    tall = tall_placements(disc_ladder(state, seat), placements, height)
    for space in range(c.NUM_SPACES):
        work.features[at + space] = can_place_on(tall, space) & can_place_on(others, space)


@compiled
def _see_chances(state, rules, viewer, gone, water_share, out):
    """The chances that the next deviation card, and the next Tunnel, of each seat lose (rules 4)."""
    for i in range(c.NUM_SEATS):
        seat = viewer if i == 0 else 1 - viewer
        front = int(state.tbm[seat])
        risk, water = 0.0, 0.0
        if front < rules.route_length:
            known = int(state.peeked[viewer, seat]) | ((1 << int(state.revealed[seat])) - 1)
            share = water_share  # tokens that the viewer has not seen are alike to it
            if (known >> front) & 1:
                share = 1.0 if state.route_colour[seat, front] == c.BLUE else 0.0
            water = tunnel_loss(state, rules, seat, c.BLUE, gone)
            dry = tunnel_loss(state, rules, seat, c.BLUE + 1, gone)
            risk = share * water + (1.0 - share) * dry
        # Levels that the next card may cost without losing the game: only beyond the limit is it lost.
        room = int(rules.deviation_limit) - int(state.deviation[seat])
        put_share(out, _RISK + i, next_loss(rules, gone, room))
        put_share(out, _TUNNEL_RISK + i, risk)
        put_share(out, _TUNNEL_RISK + c.NUM_SEATS + i, water)


# Places in their sections; all other numbers are counts over the scale of their entry.
_SHARES = {"round": {1}, "deviation_risk": {0, 1}, "tunnel_risk": {0, 1, 2, 3}}


@cache
def observation_columns() -> tuple[Column, ...]:
    """The columns, the same under every ruleset; no count exceeds what makes 1."""
    return tuple(
        share(f"{section.name} {place}")
        if place in _SHARES.get(section.name, ())
        else Column(f"{section.name} {place}", float(np.float32(scale)), round(1 / scale))
        for section in SECTIONS
        for place, scale in enumerate(section.scales)
    )
