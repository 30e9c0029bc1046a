"""The board as text, at most 98 columns wide and plain ASCII.

    print(to_text(game))                   # all that lies on the table, face-down tokens too
    print(to_text(game, viewer="france"))  # only what France knows

Colours are letters, so the board reads the same without any colour: S blue (sea), K black, O orange,
Y yellow, W white. A token in lower case lies face down and is known, a dot is unknown.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from channel_tunnel_env.engine.constants import (
    ACTION_KINDS,
    AGENDA_KINDS,
    BENEFITS,
    COLOURS,
    EUROPEAN_INFLUENCE,
    FIRST_ABILITY,
    FIRST_SLOT,
    NUM_AGENDA,
    SEATS,
    SPACES,
    SUPERVISION,
)
from channel_tunnel_env.engine.tables import NO_BARRIER
from channel_tunnel_env.explain import PHASE_QUESTIONS

if TYPE_CHECKING:
    from channel_tunnel_env.game import Game

LETTERS = "SKOYW"
WIDTH = 98
_HALF = (WIDTH - 4) // 2
_INDENT = 11
_BENEFIT_SIGNS = {"none": "", "peek": "?", "extra_disc": "+", "storage": "#"}
_COSTS = ("free", "discard 1", "place 1", "place 1-2")

ABILITIES = {
    "european_influence": "counts for Political duel and European speech",
    "political_duel": "{duel} points for more European influence than the rival",
    "european_speech": "{speech} for every {per} European influence",
    "media_relations": "{media} points for more cards than the rival",
    "topographical_analysis": "points for different rubble colours on these cards",
    "new_workers": "round start: draw one disc more",
    "exchange": "round start: swap a disc with the rival",
    "improve_technology": "after Technology: Technology again",
    "extra_finance": "in Technology: stands for {finance} M",
    "new_materials": "after any action: take a disc back from the stack",
    "control_room_1": "after Plan: take a disc back from the stack",
    "control_room_2": "after Technology: take a disc back from the stack",
    "control_room_3": "after Plan: Plan again",
    "control_room_4": "after Plan: Tunnel",
    "control_room_5": "after Technology: Technology again",
    "heavy_machinery": "after any action: one more action of choice",
}
LEGEND = (
    "tokens, discs: S blue  K black  O orange  Y yellow  W white;  small: face down, seen;  . unseen",
    "tunnel: = bored  > < TBM  * agenda symbol;  tracks: points of spaces  [ ] counter  |3M| barrier",
    "        ? peek  + extra disc  # storage space;  cards: (KY) rubble on them, (-) spent",
)


def to_text(game: Game, viewer: str | int | None = None, *, legend: bool = True) -> str:
    """The whole board.

    Args:
        game: any game.
        viewer: "britain", "france" or a seat: hide the face-down tokens that it has not looked at.
            None shows everything.
        legend: explain the signs below the board.
    """
    from channel_tunnel_env.game import seat_index

    seat = None if viewer is None else seat_index(viewer)
    boards = [_board(game, side) for side in range(len(SEATS))]
    lines = [
        *_header(game, seat),
        "",
        *_tunnel(game, seat),
        "",
        *_spaces(game),
        "",
        *_table(game),
        "",
        *_beside(*boards),
    ]
    if legend:
        lines += ["", *LEGEND]
    return "\n".join(line.rstrip() for line in lines)


# --- the top ------------------------------------------------------------------------------------


def _header(game: Game, viewer: int | None) -> list[str]:
    seen = "" if viewer is None else f", as {_side(SEATS[viewer])} sees it"
    lines = [f"{game.ruleset.data.title}: round {game.round}{seen}", "-" * WIDTH]
    if game.is_over:
        lines.append(_result(game))
    else:
        question = PHASE_QUESTIONS[str(game.phase)]
        lines.append(f"{_side(game.to_play)} to play: {question}{_detail(game)}")
    turn = _turn(game)
    if turn:
        lines.append(f"this turn: {turn}")
    if game.actions:
        lines.append(f"last decision: {game.actions[-1]}")
    return lines


def _result(game: Game) -> str:
    totals = [game.scores()[side]["total"] for side in SEATS]
    if game.winner is None:
        return f"Over: a draw ({game.end_cause}), {totals[0]} points each"
    winner, loser = str(game.winner), SEATS[1 - SEATS.index(str(game.winner))]
    if game.end_cause == "deviation":
        return f"Over: {_side(winner)} wins, {_side(loser)}'s tunnel has gone off course"
    points = {side: game.scores()[side]["total"] for side in SEATS}
    why = {"centre": "the centre is reached"}.get(str(game.end_cause), str(game.end_cause))
    return f"Over: {_side(winner)} wins by {points[winner]} points to {points[loser]} ({why})"


def _detail(game: Game) -> str:
    """What the question is about."""
    state, seat = game.state, int(game.state.to_play)
    if game.phase == "keep":
        colour = int(state.keep_colour)
        return f" ({COLOURS[colour]}: {int(state.discs[seat, colour])} held)"
    if game.phase == "agenda":
        return f" ({_words(AGENDA_KINDS[int(state.agenda_card)])})"
    if game.phase == "rubble":
        return f" ({_card_name(game, int(state.slots[int(state.action_slot)]))})"
    if game.phase == "promotion":
        return f" ({int(state.promotion_paid)} M paid so far)"
    return ""


def _turn(game: Game) -> str:
    """The turn in progress: the stack laid, what was done, what is being done."""
    state = game.state
    space = int(state.turn_space)
    if space < 0 or game.is_over:
        return ""
    height = int(state.stack_height[space])
    parts = [f"{height} {COLOURS[int(state.stack_colour[space])]} on {SPACES[space]}"]
    if state.last >= 0:
        parts.append(f"{ACTION_KINDS[int(state.last)].capitalize()} done")
    if state.action >= 0:
        parts.append(f"{ACTION_KINDS[int(state.action)].capitalize()} under way")
    return ", ".join(parts)


# --- the tunnel ---------------------------------------------------------------------------------


def _tunnel(game: Game, viewer: int | None) -> list[str]:
    """Britain's route from the left, France's from the right, the flags in the middle."""
    length = int(game._tables[0].route_length)
    britain = [_place(game, 0, i, viewer) for i in range(length)]
    france = [_place(game, 1, i, viewer) for i in range(length)]
    numbers = [f"{i:^4}" for i in range(length)]
    row = "".join(britain) + " || " + "".join(reversed(france))
    top = "".join(numbers) + "flags"[:4] + "".join(reversed(numbers))
    lines = [f"{'TUNNEL':<{_INDENT}}{top}", f"{'  BRITAIN':<{_INDENT}}{row}  FRANCE"]
    peeks = _peeks(game)
    if peeks:
        lines += _wrap("", peeks, WIDTH)
    return lines


def _place(game: Game, side: int, index: int, viewer: int | None) -> str:
    """Four characters: one space of a route."""
    state = game.state
    tbm, revealed = int(state.tbm[side]), int(state.revealed[side])
    if index < tbm:
        return "===="
    letter = LETTERS[int(state.route_colour[side, index])]
    symbol = "*" if game._tables[0].agenda_enabled and state.route_symbol[side, index] else ""
    if index >= revealed:
        if viewer is None or (int(state.peeked[viewer, side]) >> index) & 1:
            letter = letter.lower()
        else:
            letter, symbol = ".", ""
    front = index == tbm
    cell = f">{letter}{symbol}" if side == 0 and front else f"{symbol}{letter}<" if front else ""
    if not front:
        cell = f" {letter}{symbol}" if side == 0 else f"{symbol}{letter} "
    return f"{cell:<4}" if side == 0 else f"{cell:>4}"


def _peeks(game: Game) -> str:
    """Where each player has looked at face-down tokens: that much is public."""
    state, parts = game.state, []
    length = int(game._tables[0].route_length)
    for viewer, name in enumerate(SEATS):
        for side, whose in enumerate(SEATS):
            hidden = range(int(state.revealed[side]), length)
            seen = [str(i) for i in hidden if (int(state.peeked[viewer, side]) >> i) & 1]
            if seen:
                parts.append(f"{_side(name)} has looked at {_side(whose)} {', '.join(seen)}")
    return "; ".join(parts)


# --- spaces, display, table ---------------------------------------------------------------------


def _spaces(game: Game) -> list[str]:
    """The five spaces with their stacks, and the cards of the slots."""
    lines = [
        f"{'SPACES':<21}{'stack':<6}{'needs':<7}{'card':<34}{'pts':<4}{'cost':<10}{'money':<6}secondary"
    ]
    state = game.state
    for space, name in enumerate(SPACES):
        height = int(state.stack_height[space])
        stack = LETTERS[int(state.stack_colour[space])] * height or "-"
        left = f"  {name:<19}{stack:<6}{_needed(game, height):<7}"
        if space < FIRST_SLOT:
            first, second = ACTION_KINDS[space * 2].capitalize(), ACTION_KINDS[space * 2 + 1]
            lines.append(f"{left}{first} or {second.capitalize()}")
        else:
            lines += _slot(game, int(state.slots[space - FIRST_SLOT]), left)
    return lines


def _needed(game: Game, height: int) -> str:
    """Discs that the next stack needs; one more under Supervision."""
    state = game.state
    supervised = not game.is_over and state.agenda_pending[int(state.to_play)] == SUPERVISION
    needed = height + (2 if supervised else 1)
    return f"{needed}+" if needed <= game.ruleset.data.discs.per_colour else "closed"


def _slot(game: Game, card: int, left: str) -> list[str]:
    """The card of a slot: what developing it gives and costs, what else it is good for."""
    if card < 0:
        return [f"{left}(no card)"]
    data = game.ruleset.data.deck.cards[card]
    cost = _COSTS[int(game._tables[0].card_cost[card])]
    figures = f"{data.points:<4}{cost:<10}{f'{data.money} M':<6}{data.secondary.capitalize()}"
    return [f"{left}{data.name:<34}{figures}", f"{'':<36}{_ability(game, card)}"]


def _ability(game: Game, card: int) -> str:
    rules = game._tables[0]
    kind = game.ruleset.data.deck.cards[card].kind
    return ABILITIES[kind].format(
        duel=int(rules.political_duel),
        speech=f"{int(rules.european_speech)} point" + "s" * int(rules.european_speech != 1),
        per=int(rules.european_speech_per),
        media=int(rules.media_relations),
        finance=int(rules.extra_finance),
    )


def _table(game: Game) -> list[str]:
    """Bag and decks."""
    state, rules = game.state, game._tables[0]
    drawn = int(state.deviation_drawn)
    names = game.ruleset.data.deviation.cards
    shown = (
        ", ".join(_deviation_card(names[int(c)]) for c in state.deviation_deck[:drawn]) or "none"
    )
    left = int(rules.num_deviation) - drawn
    lines = [
        f"{'TABLE':<{_INDENT}}bag {_counts(state.bag)};  cards: {int(state.deck_size)} in the deck, "
        f"{int(state.discard).bit_count()} discarded",
        *_wrap("", f"deviation: {left} in the deck, discarded: {shown}", WIDTH),
    ]
    if rules.agenda_enabled:
        left = NUM_AGENDA - int(state.agenda_drawn)
        lines += _wrap("", f"agenda: {left} in the deck", WIDTH)
    return lines


def _deviation_card(name: str) -> str:
    return name.replace("-", " -").replace("0", " 0").replace("none", "colourless")


# --- the boards ---------------------------------------------------------------------------------


def _board(game: Game, seat: int) -> list[str]:
    """One player's board, at most _HALF columns wide."""
    state, rules = game.state, game._tables[0]
    score = game.scores()[SEATS[seat]]
    notes = ["first player"] * int(state.first_player == seat) + ["passed"] * int(
        state.passed[seat]
    )
    marker = "-> " if not game.is_over and state.to_play == seat else ""
    head = f"{marker}{SEATS[seat].upper()}" + (f" ({', '.join(notes)})" if notes else "")
    room = int(rules.storage[seat]) + _gained(rules.extra_storage, state, seat)
    stored = "".join(LETTERS[c] * int(n) for c, n in enumerate(state.storage[seat]))
    total = int(sum(state.discs[seat]))
    limit = int(rules.hand) + _gained(rules.extra_discs, state, seat)
    lines = [
        f"{head:<{_HALF - 11}}{score['total']:>3} points",
        f"{'discs':<{_INDENT}}{_counts(state.discs[seat])}  ({total}; hand {limit})",
        f"{'storage':<{_INDENT}}{' '.join(stored.ljust(room, '_'))}",
        f"{'deviation':<{_INDENT}}{_deviation(game, seat)}",
        *(f"{'track ' + 'ab'[t]:<{_INDENT}}{_track(game, seat, t)}" for t in (0, 1)),
        *_wrap("money", _money(game, seat), _HALF),
    ]
    if rules.agenda_enabled:
        lines += _wrap("agenda", _agenda(game, seat), _HALF)
    cards = _cards(game, seat)
    lines += [
        line for i, card in enumerate(cards) for line in _wrap("" if i else "cards", card, _HALF)
    ]
    parts = [f"{_words(k)} {v}" for k, v in score.items() if v and k != "total"]
    return [*lines, *_wrap("points", ", ".join(parts) or "none", _HALF)]


def _gained(benefits: Any, state: Any, seat: int) -> int:
    """What both counters have added up to where they stand."""
    return sum(int(benefits[seat, track, int(state.counter[seat, track])]) for track in (0, 1))


def _counts(discs: Any) -> str:
    return " ".join(f"{LETTERS[c]}{int(n)}" for c, n in enumerate(discs))


def _deviation(game: Game, seat: int) -> str:
    """The levels, the present one in brackets."""
    level, limit = int(game.state.deviation[seat]), int(game._tables[0].deviation_limit)
    cells = [f"[{-n}]" if n == level else f" {-n} " for n in range(limit + 1)]
    return "".join(cells) + (f"  [{-level}] lost" if level > limit else "")


def _track(game: Game, seat: int, track: int) -> str:
    """Points of every space, the counter's in brackets, barriers and benefits between."""
    rules, place = game._tables[0], int(game.state.counter[seat, track])
    text = ""
    for space in range(int(rules.track_last[seat, track]) + 1):
        price = int(rules.barrier[seat, track, space])
        if space > 0 and price != NO_BARRIER:
            text += f"|{price}M|"
        sign = _BENEFIT_SIGNS[BENEFITS[int(rules.benefit[seat, track, space])]]
        points = int(rules.track_points[seat, track, space])
        text += f"[{points}{sign}]" if space == place else f" {points}{sign} "
    return text


def _money(game: Game, seat: int) -> str:
    state, rules = game.state, game._tables[0]
    cards = state.money_order[seat][: int(state.money_count[seat])]
    values = sorted(int(rules.card_money[int(card)]) for card in cards)
    listed = f" ({' + '.join(map(str, values))})" if len(values) > 1 else ""
    return f"{int(state.money_total[seat])} M{listed}"


def _agenda(game: Game, seat: int) -> str:
    state, parts = game.state, []
    if state.agenda_pending[seat] >= 0:
        parts.append(f"pending {_words(AGENDA_KINDS[int(state.agenda_pending[seat])])}")
    completed = int(state.agenda_completed[seat])
    done = [_words(name) for i, name in enumerate(AGENDA_KINDS) if (completed >> i) & 1]
    if done:
        parts.append(f"completed {', '.join(done)}")
    return "; ".join(parts) or "none"


def _cards(game: Game, seat: int) -> list[str]:
    """The area: influence in one entry, then a card each with its rubble."""
    state, rules = game.state, game._tables[0]
    cards = [c for c in range(int(rules.num_cards)) if (int(state.area[seat]) >> c) & 1]
    influence = [c for c in cards if rules.card_kind[c] == EUROPEAN_INFLUENCE]
    entries = []
    if influence:
        names = [_card_name(game, c).split("(")[-1].rstrip(")") for c in influence]
        entries.append(f"European influence {len(influence)}: {', '.join(names)}")
    return entries + [_card(game, c) for c in cards if c not in influence] or ["none"]


def _card(game: Game, card: int) -> str:
    """A card's name, and for cards that take rubble the tokens on it."""
    state = game.state
    text = _card_name(game, card)
    tokens = "".join(LETTERS[int(colour) - 1] for colour in state.card_rubble[card] if colour)
    if tokens:
        text += f" ({tokens})"
    elif game._tables[0].card_kind[card] >= FIRST_ABILITY:
        text += " (-)"
    return text + " used this round" * ((int(state.used) >> card) & 1)


# --- words --------------------------------------------------------------------------------------


def _card_name(game: Game, card: int) -> str:
    return str(game.ruleset.data.deck.cards[card].name)


def _side(name: str | None) -> str:
    return str(name).capitalize()


def _words(key: str) -> str:
    return key.replace("_", " ")


def _wrap(label: str, text: str, width: int) -> list[str]:
    """`text` beside a label, folded to the width."""
    lines = textwrap.wrap(text, width - _INDENT) or [""]
    return [f"{label if i == 0 else '':<{_INDENT}}{line}" for i, line in enumerate(lines)]


def _beside(left: list[str], right: list[str]) -> list[str]:
    rows = max(len(left), len(right))
    left, right = [*left, *[""] * (rows - len(left))], [*right, *[""] * (rows - len(right))]
    return [f"{a:<{_HALF}}  | {b}" for a, b in zip(left, right, strict=True)]
