"""What is on the table, read once from a game into plain values.

`read_board(game, viewer)` is the only place where drawings get data from the record: what the
viewer may not know is left out here, so nothing drawn from a Board can show it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from channel_tunnel_env.games.tunnel_1987.board.values import (
    SLOT_OPTIONS,
    Board,
    BuiltCard,
    Decision,
    DrawnRoute,
    Place,
    PrintedCard,
    Side,
    Space,
    Stock,
    Track,
    TrackSpace,
)
from channel_tunnel_env.games.tunnel_1987.board.words import (
    card_short_name,
    decision_words,
    question_detail,
    result_words,
    slot_of,
    turn_words,
)
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.tables import NO_BARRIER
from channel_tunnel_env.games.tunnel_1987.explain import PHASE_QUESTIONS, Capacity, Survey, survey
from channel_tunnel_env.games.tunnel_1987.game import Game, tables_of
from channel_tunnel_env.games.tunnel_1987.rule_words import ability_words
from channel_tunnel_env.rulesets.ruleset import Ruleset

__all__ = ["Place", "printed_cards", "printed_tracks", "read_board"]

TRACKS = ("a", "b")
ABILITY_KINDS = c.CARD_KINDS[c.FIRST_ABILITY :]


def read_board(game: Game, viewer: str | int | None = None, *, before: Game | Board | None = None) -> Board:
    """The table as `viewer` knows it.

    Args:
        viewer: "britain", "france" or a seat; None sees face-down tokens too.
        before: the position before the last decision, if available: only it shows a card that the
            decision used and that has since left its slot.
    """
    seat = None if viewer is None else game.seat_index(viewer)
    allowed = survey(game.states, 0, game.tables)
    return Board(
        title=str(game.ruleset.data.title),
        ruleset=game.ruleset.name,
        viewer=None if seat is None else c.SEATS[seat],
        round=game.round,
        phase=str(game.phase),
        to_play=game.to_play,
        question=PHASE_QUESTIONS[str(game.phase)] + question_detail(game),
        turn=turn_words(game),
        result=f"Over: {result_words(game)}" if game.is_over else "",
        last=_last_decision(game, before),
        agenda=bool(game.tables[0].agenda_enabled),
        routes=(_route(game, 0, seat), _route(game, 1, seat)),
        spaces=_spaces(game, allowed),
        sides=_sides(game, allowed),
        stock=_stock(game),
    )


def _last_decision(game: Game, before: Game | Board | None) -> Decision | None:
    last = game.last_decision
    if last is None:
        return None
    slot = slot_of(last[1])
    shown = None if slot is None or before is None else _shown(before)[slot]
    return Decision(last[0], last[1], decision_words(last[1], shown), shown)


def _shown(before: Game | Board) -> tuple[PrintedCard | None, ...]:
    """The cards of the slots."""
    if isinstance(before, Board):
        return tuple(space.card for space in before.spaces[c.FIRST_SLOT :])
    cards = printed_cards(before.ruleset)
    return tuple(cards[slot] if slot >= 0 else None for slot in before.state.slots.tolist())


# --- the tunnel ---------------------------------------------------------------------------------


def _route(game: Game, side: int, viewer: int | None) -> DrawnRoute:
    state, rules = game.state, game.tables[0]
    tbm, revealed = int(state.tbm[side]), int(state.revealed[side])
    peeked = state.peeked[:, side].tolist()
    colours, symbols = state.route_colour[side].tolist(), state.route_symbol[side].tolist()
    places = []
    for index in range(int(rules.route_length)):
        face_up = index < revealed
        known = face_up or viewer is None or peeked[viewer] >> index & 1
        looked = () if face_up else tuple(s for i, s in enumerate(c.SEATS) if peeked[i] >> index & 1)
        bored = index < tbm
        shown = known and not bored
        places.append(
            Place(
                bored=bored,
                face_up=face_up,
                colour=c.COLOURS[colours[index]] if shown else None,
                symbol=bool(shown and rules.agenda_enabled and symbols[index]),
                looked=looked,
            )
        )
    return DrawnRoute(c.SEATS[side], tbm, tuple(places))


# --- spaces and cards ---------------------------------------------------------------------------


@lru_cache(maxsize=64)
def printed_cards(ruleset: Ruleset) -> tuple[PrintedCard, ...]:
    """The playing cards of a ruleset, by id."""
    return tuple(
        PrintedCard(
            key=card.card,
            kind=card.kind,
            name=card.name,
            short_name=card_short_name(card.kind, card.name),
            points=card.points,
            cost=card.cost,
            money=card.money,
            secondary=card.secondary,
            ability=ability_words(ruleset, card.kind),
            is_influence=card.kind == c.CARD_KINDS[c.EUROPEAN_INFLUENCE],
            is_ability=card.kind in ABILITY_KINDS,
        )
        for card in ruleset.data.deck.cards
    )


def _spaces(game: Game, allowed: Survey) -> tuple[Space, ...]:
    state, cards = game.state, printed_cards(game.ruleset)
    most = int(game.tables[0].per_colour)
    colours, heights = state.stack_colour.tolist(), state.stack_height.tolist()
    slots, turn_space = state.slots.tolist(), int(state.turn_space)
    found = []
    for i, name in enumerate(c.SPACES):
        card, options = None, SLOT_OPTIONS
        if i < c.FIRST_SLOT:
            options = (c.ACTION_KINDS[2 * i], c.ACTION_KINDS[2 * i + 1])
        elif slots[i - c.FIRST_SLOT] >= 0:
            card = cards[slots[i - c.FIRST_SLOT]]
        found.append(
            Space(
                name=name,
                colour=c.COLOURS[colours[i]],
                height=heights[i],
                needs=heights[i] + allowed.margin if heights[i] < most else None,
                options=options,
                card=card,
                in_use=not game.is_over and turn_space == i,
            )
        )
    return tuple(found)


def _built(game: Game, seat: int) -> tuple[BuiltCard, ...]:
    """The cards in the area, influence first."""
    state = game.state
    area, used, rubble = int(state.area[seat]), int(state.used), state.card_rubble.tolist()
    found = []
    for i, card in enumerate(printed_cards(game.ruleset)):
        if area >> i & 1:
            tokens = tuple(c.COLOURS[colour - 1] for colour in rubble[i] if colour)
            spent = card.is_ability and not tokens
            found.append(BuiltCard(card, tokens, spent, bool(used >> i & 1)))
    return tuple(sorted(found, key=lambda built: not built.card.is_influence))


# --- the players --------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def printed_tracks(ruleset: Ruleset) -> tuple[tuple[tuple[TrackSpace, ...], ...], ...]:
    """The steps of the technology tracks by seat and track."""
    rules = tables_of(ruleset)[0]
    return tuple(tuple(_steps(rules, seat, track) for track in range(len(TRACKS))) for seat in range(len(c.SEATS)))


def _steps(rules: Any, seat: int, track: int) -> tuple[TrackSpace, ...]:
    steps = []
    for space in range(int(rules.track_last[seat, track]) + 1):
        price = int(rules.barrier[seat, track, space])
        steps.append(
            TrackSpace(
                points=int(rules.track_points[seat, track, space]),
                barrier=None if space == 0 or price == NO_BARRIER else price,
                benefit=c.BENEFITS[int(rules.benefit[seat, track, space])],
            )
        )
    return tuple(steps)


def _sides(game: Game, allowed: Survey) -> tuple[Side, Side]:
    scores, (britain, france) = game.scores(), allowed.sides
    return _side(game, 0, britain, scores[c.SEATS[0]]), _side(game, 1, france, scores[c.SEATS[1]])


def _side(game: Game, seat: int, most: Capacity, score: dict[str, int]) -> Side:
    state, rules = game.state, game.tables[0]
    name = c.SEATS[seat]
    steps, counters = printed_tracks(game.ruleset)[seat], state.counter[seat].tolist()
    cards = printed_cards(game.ruleset)
    money = state.money_order[seat].tolist()[: int(state.money_count[seat])]
    pending, completed = int(state.agenda_pending[seat]), int(state.agenda_completed[seat])
    return Side(
        name=name,
        to_play=game.to_play == name,
        first_player=bool(state.first_player == seat),
        passed=bool(state.passed[seat]),
        discs=tuple(state.discs[seat].tolist()),
        allowance=most.allowance,
        storage=tuple(state.storage[seat].tolist()),
        room=most.storage,
        deviation=int(state.deviation[seat]),
        deviation_limit=int(rules.deviation_limit),
        money=tuple(sorted(cards[card].money for card in money)),
        tracks=tuple(Track(name, TRACKS[t], steps[t], counters[t]) for t in range(len(TRACKS))),
        cards=_built(game, seat),
        agenda_pending=c.AGENDA_KINDS[pending] if pending >= 0 else None,
        agenda_completed=tuple(k for i, k in enumerate(c.AGENDA_KINDS) if completed >> i & 1),
        score=tuple(score.items()),
    )


# --- bag and decks ------------------------------------------------------------------------------


def _stock(game: Game) -> Stock:
    state, rules = game.state, game.tables[0]
    drawn = int(state.deviation_drawn)
    colours, values = rules.deviation_colour.tolist(), rules.deviation_value.tolist()
    return Stock(
        bag=tuple(state.bag.tolist()),
        deck=int(state.deck_size),
        discard=int(state.discard).bit_count(),
        deviation_deck=int(rules.num_deviation) - drawn,
        deviation_discard=tuple(
            (c.DEVIATION_COLOURS[colours[card]], values[card]) for card in state.deviation_deck.tolist()[:drawn]
        ),
        agenda_deck=c.NUM_AGENDA - int(state.agenda_drawn) if rules.agenda_enabled else None,
    )
