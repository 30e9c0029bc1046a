"""Names of the game's things as a player reads them."""

from __future__ import annotations

import re

from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.outside.sentences import counted
from channel_tunnel_env.outside.sentences import title as title

LETTERS = "SKOYW"  # one per colour, in the order of COLOURS: S is the blue of the sea
COLOUR_LETTERS = dict(zip(c.COLOURS, LETTERS, strict=True))
SPACES_IN_WORDS = {
    "plan_tunnel": "Plan / Tunnel",
    "finance_technology": "Finance / Technology",
    "slot_1": "Slot 1",
    "slot_2": "Slot 2",
    "slot_3": "Slot 3",
}

# "1 storage spaces", but neither the end of a list such as "0, 1 points" nor "+1 to its points".
_ONE = re.compile(r"(?<![-,] )(?<![-+\d])1 (?:[a-z]+ ){0,2}?(?:points|spaces|discs|cards|tokens|rounds)\b")


def plain(key: str) -> str:
    """ "heavy_machinery" -> "heavy machinery"."""
    return key.replace("_", " ")


def kind_name(kind: str) -> str:
    """One of the five actions, as written within a sentence."""
    return "Development" if kind == "develop" else kind.capitalize()


def rival_of(side: str) -> str:
    """The other side."""
    return c.SEATS[1 - c.SEATS.index(side)]


def points_words(number: int) -> str:
    """ "1 point", "2 points"."""
    return counted(number, "point")


def in_number(words: str) -> str:
    """ "1 storage spaces" -> "1 storage space"."""
    return _ONE.sub(lambda found: found[0][:-1], words)
