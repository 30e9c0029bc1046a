"""Where the last decision was taken: the targets that the picture marks."""

from __future__ import annotations

from channel_tunnel_env.board.view import Board, Decision
from channel_tunnel_env.engine.constants import SEATS


def marked_targets(board: Board) -> tuple[str, ...]:
    """Names of the targets at which the last decision was taken, each once and in a fixed order."""
    last = board.last
    return () if last is None else tuple(dict.fromkeys(_targets(board, last)))


def _targets(board: Board, last: Decision) -> list[str]:
    verb, *words = last.action.split()
    side = last.side
    if verb == "place":
        return [f"space:{words[1]}", f"option:{words[1]}:{words[2]}"]
    if verb in ("take", "develop"):
        return [f"card:{words[0]}"]
    if verb == "start":
        return ["start"]
    if side is None:
        return []
    if verb == "keep":
        return [f"disc:{side}:{words[1]}"]
    if verb == "pay":
        return [f"disc:{side}:{colour}" for colour in words]
    if verb == "exchange":
        return [f"disc:{side}:{words[0]}", f"disc:{_rival(side)}:{words[2]}"]
    if verb == "rubble" and words != ["stop"]:
        return [f"storage:{side}"]
    if verb == "track" and words != ["none"]:
        return [f"track:{side}:{words[0]}"]
    if verb == "peek":
        return [f"route:{side if words[0] == 'own' else _rival(side)}:{words[1]}"]
    if verb == "spend":
        return [f"money:{side}"] if words[0].isdigit() else [f"deviation:{side}"]
    if verb == "agenda":
        return [f"agenda:{side}"]
    if verb == "use":
        return _used_cards(board, side, words[0])
    return []


def _used_cards(board: Board, side: str, kind: str) -> list[str]:
    """The copies of a kind that were used this round: which one acted last is not recorded."""
    cards = board.sides[SEATS.index(side)].cards
    return [f"built:{side}:{b.card.key}" for b in cards if b.card.kind == kind and b.used]


def _rival(side: str) -> str:
    return SEATS[1 - SEATS.index(side)]
