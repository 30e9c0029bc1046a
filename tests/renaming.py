"""The game's symmetries: the four colours other than blue, and the three slots, can be renamed."""

from __future__ import annotations

import itertools
from typing import Any

from channel_tunnel_env.games.tunnel_1987.engine import constants as c

SLOTS = ("slot_1", "slot_2", "slot_3")
DRY = c.COLOURS[1:]  # blue is water
LAID_OUT = ("seed", "streams", "tallies", "deviation_deck", "deviation_discard")  # no colours of discs


def renamings() -> list[dict[str, str]]:
    """Every old name -> new name, 4! x 3! of them; the first changes nothing."""
    return [
        dict(zip((*DRY, *SLOTS), (*colours, *slots), strict=True))
        for colours in itertools.permutations(DRY)
        for slots in itertools.permutations(SLOTS)
    ]


def rename_position(position: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The position in which every colour and slot has its new name."""
    renamed = {k: v if k in LAID_OUT else _rename(v, names) for k, v in position.items()}
    places = [SLOTS.index(names[slot]) for slot in SLOTS]
    cards = dict(zip(places, position["display"], strict=True))
    return renamed | {"display": [cards[k] for k in range(len(SLOTS))]}


def _rename(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, dict):
        return {_rename(key, names): _rename(value, names) for key, value in node.items()}
    if isinstance(node, list):
        return [_rename(value, names) for value in node]
    if isinstance(node, str):  # a name, or a token such as "?white*"
        word = node.strip("?*")
        return node.replace(word, names[word]) if word in names else node
    return node


def rename_action(action: str, names: dict[str, str]) -> str:
    """The name of an action after the renaming; a payment names its two colours in order."""
    words = [names.get(word, word) for word in action.split()]
    if words[0] == "pay":
        words[1:] = sorted(words[1:], key=c.COLOURS.index)
    return " ".join(words)
