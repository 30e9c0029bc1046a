"""Where the last decision was taken: the targets that the picture marks.

A used card has usually left its slot and another card is there now; the mark follows the used card.
"""

from __future__ import annotations

from channel_tunnel_env.games.tunnel_1987.board.values import Board, Decision
from channel_tunnel_env.games.tunnel_1987.board.words import slot_of
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.words import rival_of


def marked_targets(board: Board) -> tuple[str, ...]:
    """Names of the targets of the last decision, each once and in a fixed order."""
    last = board.last
    return () if last is None else tuple(dict.fromkeys(_targets(board, last)))


def _targets(board: Board, last: Decision) -> list[str]:
    verb, *words = last.action.split()
    side = last.side
    if verb == "place":
        option = f"option:{words[1]}:{words[2]}"
        used = [option] if slot_of(last.action) is None else _used_card(board, last, option)
        return [f"space:{words[1]}", *used]
    if verb in ("take", "develop"):
        return _used_card(board, last, f"card:{words[0]}") or [f"space:{words[0]}"]
    if verb == "start":
        return ["start"]
    if side is None:
        return []
    if verb == "keep":
        return [f"disc:{side}:{words[1]}"]
    if verb == "pay":
        return [f"disc:{side}:{colour}" for colour in words]
    if verb == "exchange":
        return [f"disc:{side}:{words[0]}", f"disc:{rival_of(side)}:{words[2]}"]
    if verb == "rubble" and words != ["stop"]:
        return [f"storage:{side}"]
    if verb == "track" and words != ["none"]:
        return [f"track:{side}:{words[0]}"]
    if verb == "peek":
        return [f"route:{side if words[0] == 'own' else rival_of(side)}:{words[1]}"]
    if verb == "spend":
        return [f"money:{side}"] if words[0].isdigit() else [f"deviation:{side}"]
    if verb == "agenda":
        return [f"agenda:{side}"]
    if verb == "use":
        return _used_cards(board, side, words[0])
    return []


def _used_card(board: Board, last: Decision, in_slot: str) -> list[str]:
    """Where the card used by the decision is now: still `in_slot`, or on its new owner's board."""
    shown = board.spaces[c.FIRST_SLOT + (slot_of(last.action) or 0)].card
    lies_there = board.phase == "rubble" if last.card is None else shown == last.card
    if lies_there:
        return [in_slot]
    if last.side is None:
        return []
    secondary = last.action.endswith("secondary")
    if last.action.startswith("take") or (secondary and last.card and last.card.secondary == "finance"):
        return [f"money:{last.side}"]
    cards = board.sides[c.SEATS.index(last.side)].cards
    return [f"built:{last.side}:{built.card.key}" for built in cards if built.card == last.card]


def _used_cards(board: Board, side: str, kind: str) -> list[str]:
    """The cards of a kind that were used this round; which one acted last is not recorded."""
    cards = board.sides[c.SEATS.index(side)].cards
    return [f"built:{side}:{b.card.key}" for b in cards if b.card.kind == kind and b.used]
