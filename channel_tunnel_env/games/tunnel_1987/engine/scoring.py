"""Scoring (rules 6.3): points by source, and the winner."""

from __future__ import annotations

from channel_tunnel_env.core.bits import count_bits
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

SCORE_SOURCES = (
    "cards",
    "technology",
    "deviation",
    "centre",
    "political_duel",
    "european_speech",
    "media_relations",
    "topographical_analysis",
    "agenda",
    "head_start",
)
NUM_SCORE_SOURCES = len(SCORE_SOURCES)
VARIANT_SOURCES = frozenset({"head_start"})
"""Those that the box has none of; what is 0 of them is not shown."""


@compiled
def technology_points(state, rules, seat):
    """Points of the spaces that both counters stand on (A52)."""
    a, b = int(state.counter[seat, 0]), int(state.counter[seat, 1])
    return int(rules.track_points[seat, 0, a]) + int(rules.track_points[seat, 1, b])


@compiled
def deviation_penalty(state, rules, seat):
    """Points lost to deviation, as a positive number."""
    # A side that lost by deviation is beyond the last level that has a penalty.
    return int(rules.penalties[min(int(state.deviation[seat]), int(rules.deviation_limit))])


@compiled
def centre_points(state, rules, seat):
    """Points that the seat got for reaching the centre."""
    # Only one seat can have it: the game ends where the first machine arrives (A82).
    return bonus_at_centre(state, rules, seat) if state.reacher == seat else 0


@compiled
def bonus_at_centre(state, rules, seat):
    """The bonus for reaching the centre first, plus one point per token on the rival's side."""
    left = int(rules.route_length) - int(state.tbm[1 - seat])
    return int(rules.centre_bonus) + int(rules.centre_per_rival_token) * left


@compiled
def card_count(state, seat):
    """Cards that Media relations counts: the area and completed agenda cards (A47, A48)."""
    return count_bits(state.area[seat]) + count_bits(int(state.agenda_completed[seat]))


@compiled
def duel_points(state, rules, seat):
    """Political duel: points per card, for more influence cards than the rival."""
    cards = int(state.kind_count[seat, c.POLITICAL_DUEL])
    own = state.kind_count[seat, c.EUROPEAN_INFLUENCE]
    # "More" is required: with as many as the rival no side gets the points (A49).
    ahead = own > state.kind_count[1 - seat, c.EUROPEAN_INFLUENCE]
    return int(rules.political_duel) * cards if ahead else 0


@compiled
def speech_points(state, rules, seat):
    """European speech: points per card, for every two influence cards."""
    cards = int(state.kind_count[seat, c.EUROPEAN_SPEECH])
    if cards == 0:
        return 0  # a division costs more than the rest
    influence = int(state.kind_count[seat, c.EUROPEAN_INFLUENCE])
    return int(rules.european_speech) * cards * (influence // int(rules.european_speech_per))


@compiled
def media_points(state, rules, seat):
    """Media relations: points per card, for more cards than the rival."""
    cards = int(state.kind_count[seat, c.MEDIA_RELATIONS])
    # As in the duel, equality gives nothing (A49).
    if cards == 0 or card_count(state, seat) <= card_count(state, 1 - seat):
        return 0
    return int(rules.media_relations) * cards


@compiled
def topographical_points(state, rules, seat):
    """Topographical analysis: by the number of different rubble colours on the cards."""
    # A set of colours: a repeated one adds nothing (A50).
    return int(rules.topographical[count_bits(int(state.topographical[seat]))])


@compiled
def agenda_sum(state, rules, seat):
    """Completed agenda cards add points, the pending one subtracts them."""
    if not rules.agenda_enabled:
        return 0
    points = 0
    completed = int(state.agenda_completed[seat])
    for kind in range(c.NUM_AGENDA):
        points += int(rules.agenda_points[kind]) * ((completed >> kind) & 1)
    if state.agenda_pending[seat] >= 0:
        # It stays against its owner even where Control room 4 ended the game before it could be met (A78).
        points -= int(rules.agenda_points[int(state.agenda_pending[seat])])
    return points


@compiled
def fill_scores(state, rules, seat, out):
    """Write the seat's points by source, in the order of SCORE_SOURCES; returns the total."""
    out[0] = state.printed_points[seat]
    out[1] = technology_points(state, rules, seat)
    out[2] = -deviation_penalty(state, rules, seat)
    out[3] = centre_points(state, rules, seat)
    out[4] = duel_points(state, rules, seat)
    out[5] = speech_points(state, rules, seat)
    out[6] = media_points(state, rules, seat)
    out[7] = topographical_points(state, rules, seat)
    out[8] = agenda_sum(state, rules, seat)
    out[9] = rules.start_points[seat]
    return total_score(state, rules, seat)


@compiled
def total_score(state, rules, seat):
    """The seat's points if the game ended now."""
    return (
        int(state.printed_points[seat])
        + technology_points(state, rules, seat)
        - deviation_penalty(state, rules, seat)
        + centre_points(state, rules, seat)
        + duel_points(state, rules, seat)
        + speech_points(state, rules, seat)
        + media_points(state, rules, seat)
        + topographical_points(state, rules, seat)
        + agenda_sum(state, rules, seat)
        + int(rules.start_points[seat])
    )


@compiled
def seat_ahead(state, rules):
    """The seat with more points now, or DRAW."""
    difference = total_score(state, rules, 0) - total_score(state, rules, 1)
    return c.DRAW if difference == 0 else (0 if difference > 0 else 1)


@compiled
def decide_winner(state, rules):
    """Most points; a tie goes to the seat that reached the centre (rules 6.4)."""
    winner = seat_ahead(state, rules)
    # Without a seat at the centre, as where nothing happened for too long, a tie stays a draw (6.4, 6.5).
    if winner == c.DRAW and state.reacher != c.NOBODY:
        winner = int(state.reacher)
    state.winner = winner
