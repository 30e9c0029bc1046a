"""Actions, questions and the effects of a move, in words for a person."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from channel_tunnel_env.faces.table import Entry
from channel_tunnel_env.games.tunnel_1987.board.words import result_words
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, BLOCKS, block_of
from channel_tunnel_env.games.tunnel_1987.engine.tables import deviation_names
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.words import kind_name, title
from channel_tunnel_env.outside.sentences import counted

SPACE_NAMES = {
    "plan_tunnel": "Plan/Tunnel",
    "finance_technology": "Finance/Technology",
    "slot_1": "slot 1",
    "slot_2": "slot 2",
    "slot_3": "slot 3",
}

QUESTIONS = {
    "window": "Use a round-start card, or start the round",
    "chain": "Use a card's ability, or end the turn",
    "align": "Spend money to lower your deviation, or stop",
    "tunnel_pay": "You hold no disc of that colour. Choose two discs to pay",
    "finance": "Choose the card to take as money",
    "track": "Choose the counter to move",
    "peek": "Choose a face-down token to look at",
    "develop": "Choose the card to build",
}
"""Questions that are the same in every position of a phase."""


def question(game: Game) -> str:
    """What the game asks for now, addressed to the person who answers."""
    state, seat = game.state, game.mover
    if game.is_over:
        return f"{result_words(game)}."
    match str(game.phase):
        case "turn":
            return "Choose discs to place, or pass"
        case "keep":
            colour = int(state.keep_colour)
            return f"Passing: how many of {int(state.discs[seat, colour])} {c.COLOURS[colour]} discs to keep?"
        case "agenda":
            return f"Keep the agenda card {title(c.AGENDA_KINDS[int(state.agenda_card)])}?"
        case "rubble":
            return f"Which stored token goes to {card_name(game, int(state.slots[int(state.action_slot)]))}?"
        case "promotion":
            return f"Promotion: which money card goes? {int(state.promotion_paid)} M paid so far"
        case phase:
            return QUESTIONS[phase]


def card_name(game: Game, card: int) -> str:
    """A playing card's name."""
    return str(game.ruleset.data.deck.cards[card].name)


# --- an action as a choice ------------------------------------------------------------------------


def action_words(game: Game, action: int) -> str:
    """An action, legal or not, as a choice: "3 yellow on Plan/Tunnel: Plan"."""
    return _WORDS[block_of(action).title](ACTION_NAMES[action].split(), game)


def action_group(action: int) -> str:
    """The space that a placement uses, as a heading; "" for other actions."""
    words = ACTION_NAMES[action].split()
    return SPACE_NAMES[words[2]] if words[0] == "place" else ""


def _place(words: list[str], game: Game) -> str:
    _, colour, space, option = words
    held = int(game.state.discs[game.mover, c.COLOURS.index(colour)])
    return f"{held} {colour} on {SPACE_NAMES[space]}: {_use_of(game, space, option)}"


def _use_of(game: Game, space: str, option: str) -> str:
    slot = c.SPACES.index(space) - 2
    card = int(game.state.slots[slot]) if slot >= 0 else -1
    if card < 0:
        return kind_name(option)
    if option == "develop":
        return f"develop {card_name(game, card)}"
    return f"{kind_name(game.ruleset.data.deck.cards[card].secondary)} (secondary)"


def _shown(words: list[str], game: Game) -> str:
    card = int(game.state.slots[int(words[1][-1]) - 1])
    name = card_name(game, card) if card >= 0 else f"the card of {SPACE_NAMES[words[1]]}"
    if words[0] == "develop":
        return f"Develop {name}"
    money = f" as {game.ruleset.data.deck.cards[card].money} M" if card >= 0 else ""
    return f"Take {name}{money}"


def _track(words: list[str], game: Game) -> str:
    track = "ab".index(words[1])
    place = int(game.state.counter[game.mover, track])
    return f"Move the counter of track {words[1].upper()} to space {place + 1}"


def _peek(words: list[str], game: Game) -> str:
    side = c.SEATS[game.mover if words[1] == "own" else 1 - game.mover]
    return f"Look at {title(side)}'s token {words[2]}"


def _use(words: list[str], game: Game) -> str:
    effect = {
        "new_materials": "take a disc back",
        "control_room_1": "take a disc back",
        "control_room_2": "take a disc back",
        "control_room_3": "Plan",
        "control_room_4": "Tunnel",
        "control_room_5": "Technology",
        "improve_technology": "Technology",
        "new_workers": "draw a disc",
    }[words[1]]
    return f"{title(words[1])}: {effect}"


_WORDS: dict[str, Callable[[list[str], Game], str]] = {
    "place": _place,
    "pass": lambda w, g: "Pass for this round",
    "keep": lambda w, g: f"Keep {w[1]} {w[2]}",
    "pay": lambda w, g: f"Pay {w[1]} and {w[2]}" if w[1] != w[2] else f"Pay two {w[1]}",
    "take": _shown,
    "develop": _shown,
    "rubble": lambda w, g: f"Give the {w[1]} token",
    "rubble stop": lambda w, g: "No second token",
    "track": _track,
    "track none": lambda w, g: "Move no counter",
    "peek": _peek,
    "spend": lambda w, g: f"Spend a {w[1]} M card",
    "spend extra": lambda w, g: "Use Extra finance",
    "spend stop": lambda w, g: "Spend no more",
    "use": _use,
    "use machinery": lambda w, g: f"Heavy machinery: {kind_name(w[2])}",
    "use stop": lambda w, g: "End the turn",
    "use workers": _use,
    "exchange": lambda w, g: f"Exchange {w[1]} for {w[3]}",
    "start": lambda w, g: "Start the round",
    "agenda": lambda w, g: f"{w[1].capitalize()} the agenda card",
}
assert set(_WORDS) == {block.title for block in BLOCKS}


# --- the effects of a move ------------------------------------------------------------------------


def narrate(before: Game, action: int, after: Game) -> Entry:
    """A decision and everything that followed from it, including forced answers and luck."""
    name = ACTION_NAMES[action]
    secret = _looked_at(after, name, before.mover) if name.startswith("peek") else ""
    return Entry(
        c.SEATS[before.mover],
        before.round,
        action_words(before, action),
        tuple(_notes(before, after)),
        secret,
        str(before.phase) == "turn",
        name,
        tuple(_face_up_now(before, after)),
        str(before.phase) == "keep",
    )


def _looked_at(after: Game, name: str, seat: int) -> str:
    _, whose, index = name.split()
    side, place = (seat if whose == "own" else 1 - seat), int(index)
    symbol = " with the agenda symbol" if _shows_symbol(after, side, place) else ""
    return f"it is {c.COLOURS[int(after.state.route_colour[side, place])]}{symbol}"


def _shows_symbol(game: Game, side: int, place: int) -> bool:
    return bool(game.ruleset.data.agenda.enabled and game.state.route_symbol[side, place])


def _notes(before: Game, after: Game) -> list[str]:
    old, new = before.state, after.state
    notes = _display_notes(before, after)
    for seat in (before.mover, 1 - before.mover):
        notes += _side_notes(before, after, seat)
    if int(new.round_no) != int(old.round_no):
        notes += _round_notes(after)
    if after.is_over:
        notes.append(f"{result_words(after)}.")
    return notes


def _side_notes(before: Game, after: Game, seat: int) -> list[str]:
    who = title(c.SEATS[seat])
    notes = []
    for find in (_turned_up, _paid, _bored, _drift, _tracks, _money, _cards, _abilities, _agenda, _passed):
        notes += [f"{who} {note}" for note in find(before, after, seat)]
    return notes


def _turned_up(before: Game, after: Game, seat: int) -> list[str]:
    return [
        f"turns up {c.COLOURS[int(after.state.route_colour[seat, i])]}"
        + (" with the agenda symbol" if _shows_symbol(after, seat, i) else "")
        for i in range(int(before.state.revealed[seat]), int(after.state.revealed[seat]))
    ]


def _paid(before: Game, after: Game, seat: int) -> list[str]:
    """Discs paid for a Tunnel, and rubble given for a card."""
    old, new = before.state, after.state
    notes = []
    if int(new.tbm[seat]) > int(old.tbm[seat]) and int(new.round_no) == int(old.round_no):
        discs = [int(b) - int(a) for a, b in zip(old.bag, new.bag, strict=True)]
        if any(n > 0 for n in discs):
            notes.append(f"pays {_counted([max(n, 0) for n in discs])} for the Tunnel")
    given = [int(a) - int(b) for a, b in zip(old.storage[seat], new.storage[seat], strict=True)]
    if any(n > 0 for n in given):
        notes.append(f"gives {_counted([max(n, 0) for n in given])} rubble")
    return notes


def _bored(before: Game, after: Game, seat: int) -> list[str]:
    spaces = before.ruleset.data.route.length
    return [
        f"bores through {c.COLOURS[int(before.state.route_colour[seat, i])]}, {i + 1} of {spaces} to the flag"
        for i in range(int(before.state.tbm[seat]), int(after.state.tbm[seat]))
    ]


def _drift(before: Game, after: Game, seat: int) -> list[str]:
    old, new = int(before.state.deviation[seat]), int(after.state.deviation[seat])
    drawn = int(after.state.tally_draws[seat]) - int(before.state.tally_draws[seat])
    notes = []
    if drawn:
        notes.append(_drawn_cards(before, after, drawn) + f": deviation {-new}")
    elif new < old:
        notes.append(f"corrects its deviation to {-new}")
    return notes


def _drawn_cards(before: Game, after: Game, drawn: int) -> str:
    """The deviation cards that are face up now; after a reshuffle only their number is known."""
    start, stop = int(before.state.deviation_drawn), int(after.state.deviation_drawn)
    if stop - start != drawn:
        return f"draws {counted(drawn, 'deviation card')}, and the deck is reshuffled"
    return "draws " + " and ".join(
        f"{'colourless' if colour == 'none' else colour} {-level}" for colour, level in _face_up_now(before, after)
    )


def _face_up_now(before: Game, after: Game) -> list[tuple[str, int]]:
    """The deviation cards that were drawn and are still face up: colour and level."""
    start, stop = int(before.state.deviation_drawn), int(after.state.deviation_drawn)
    drawn = int(sum(after.state.tally_draws)) - int(sum(before.state.tally_draws))
    if not drawn or stop - start != drawn:
        return []
    names = [deviation_names(after.ruleset)[int(i)] for i in after.state.deviation_deck[start:stop]]
    found = [re.fullmatch(r"([a-z]+)-?(\d+)", name) for name in names]
    return [(match[1], int(match[2])) for match in found if match]


def _tracks(before: Game, after: Game, seat: int) -> list[str]:
    return [
        f"reaches space {int(after.state.counter[seat, track])} of track {name.upper()}"
        for track, name in enumerate("ab")
        if after.state.counter[seat, track] > before.state.counter[seat, track]
    ]


def _money(before: Game, after: Game, seat: int) -> list[str]:
    old, new = int(before.state.money_total[seat]), int(after.state.money_total[seat])
    if new > old:
        return [f"has {new} M now"]
    return [f"spends {old - new} M"] if new < old else []


def _cards(before: Game, after: Game, seat: int) -> list[str]:
    gained = int(after.state.area[seat]) & ~int(before.state.area[seat])
    return [f"develops {card_name(after, i)}" for i in range(after.ruleset.data.deck.size) if gained >> i & 1]


def _abilities(before: Game, after: Game, seat: int) -> list[str]:
    used = after.state.tally_ability[seat] - before.state.tally_ability[seat]
    return [f"uses {title(kind)}" for kind, n in zip(c.CARD_KINDS, used, strict=True) if n]


def _agenda(before: Game, after: Game, seat: int) -> list[str]:
    done = int(after.state.agenda_completed[seat]) & ~int(before.state.agenda_completed[seat])
    notes = [f"completes {title(name)}" for i, name in enumerate(c.AGENDA_KINDS) if done >> i & 1]
    pending = int(after.state.agenda_pending[seat])
    if pending >= 0 and pending != int(before.state.agenda_pending[seat]):
        notes.append(f"has {title(c.AGENDA_KINDS[pending])} pending")
    card = int(after.state.agenda_card)
    if card >= 0 and card != int(before.state.agenda_card) and after.mover == seat:
        notes.append(f"draws the agenda card {title(c.AGENDA_KINDS[card])}")
    return notes


def _passed(before: Game, after: Game, seat: int) -> list[str]:
    if after.state.passed[seat] and not before.state.passed[seat]:
        return ["passes"]
    return []


def _display_notes(before: Game, after: Game) -> list[str]:
    return [
        f"{card_name(after, int(new))} comes to slot {i + 1}"
        for i, (old, new) in enumerate(zip(before.state.slots, after.state.slots, strict=True))
        if new != old and new >= 0
    ]


def _round_notes(after: Game) -> list[str]:
    notes = [f"Round {after.round} begins"]
    if after.is_over:
        return notes
    for seat, side in enumerate(c.SEATS):
        notes.append(f"{title(side)} holds {_counted(after.state.discs[seat])}")
    return notes


def _counted(discs: Any) -> str:
    parts = [f"{int(n)} {colour}" for colour, n in zip(c.COLOURS, discs, strict=True) if n]
    return ", ".join(parts) or "no discs"


def opening(game: Game) -> tuple[str, ...]:
    """What is face up before the first decision."""
    return (
        *(f"{title(s)} holds {_counted(game.state.discs[i])}" for i, s in enumerate(c.SEATS)),
        f"{title(c.SEATS[int(game.state.first_player)])} holds the first-player card",
    )
