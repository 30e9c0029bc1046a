"""The game's pieces: discs, stacks, rubble, flags, the boring machine, small signs."""

from __future__ import annotations

from functools import lru_cache

from channel_tunnel_env.drawing.svg import circle, group, path, rect, text
from channel_tunnel_env.games.tunnel_1987.words import COLOUR_LETTERS

DISC = 13  # radius of a disc in a hand or a stack
LETTER_DROP = 4.6  # from a letter's middle down to its baseline

# Rubble is angular and discs are round, so the two can be distinguished without colour.
_STONE = "M-6-14 6-15 14-6 15 6 7 14-5 15-14 7-15-5Z"
_SMALL_STONE = "M-4-9 4-10 9-4 10 4 5 9-3 10-9 5-10-3Z"
_EYE = "M-9 0Q0-8 9 0Q0 8-9 0Z"
_STAR = "M0-7 2-2 7-2 3 1 4.5 6 0 3-4.5 6-3 1-7-2-2-2Z"
_BOX = "M-8-5H8V7H-8ZM-8-5 0-9 8-5"


@lru_cache(maxsize=256)
def disc(x: float, y: float, colour: str, radius: float = DISC, letter: bool = True) -> str:
    """An action disc with its letter."""
    shape = circle(x, y, radius, colour)
    return shape + text(x, y + LETTER_DROP, COLOUR_LETTERS[colour], f"{colour}-t") * letter


@lru_cache(maxsize=256)
def fan(colour: str, number: int, step: float, radius: float = DISC) -> str:
    """Discs of one colour overlapping to the right, the first at 0, only the last with a letter."""
    last = number - 1
    return "".join(disc(i * step, 0, colour, radius, letter=i == last) for i in range(number))


def no_disc(x: float, y: float, colour: str, radius: float = DISC) -> str:
    """The empty place for discs of a colour."""
    ring = circle(x, y, radius, "ghost")
    return ring + text(x, y + LETTER_DROP, COLOUR_LETTERS[colour], "s-m")


def stone(x: float, y: float, colour: str, symbol: bool = False) -> str:
    """A rubble token face up, with the agenda symbol if it has one."""
    star = path(_STAR, "star", x + 11, y - 11) if symbol else ""
    return path(_STONE, colour, x, y) + text(x, y + LETTER_DROP, COLOUR_LETTERS[colour], f"{colour}-t") + star


def small_stone(x: float, y: float, colour: str) -> str:
    """A rubble token on a card."""
    return path(_SMALL_STONE, colour, x, y) + text(x, y + LETTER_DROP, COLOUR_LETTERS[colour], f"{colour}-t")


def hidden_stone(x: float, y: float, colour: str | None, symbol: bool = False) -> str:
    """A rubble token face down; what is known about it is drawn small on its back."""
    back = path(_STONE, "back", x, y)
    if colour is None:
        return back + text(x, y + LETTER_DROP, "?", "n-m")
    star = path(_STAR, "star", x + 11, y - 11) if symbol else ""
    return back + small_stone(x, y, colour) + star


def eye(x: float, y: float, on: str = "") -> str:
    """A look at a face-down token; `on` is "-p" on white paper, in every theme."""
    return group(path(_EYE, f"sign{on}") + circle(0, 0, 2.6, f"dot{on}"), x, y)


def star(x: float, y: float) -> str:
    """The agenda symbol."""
    return path(_STAR, "star", x, y)


def benefit_sign(x: float, y: float, benefit: str, on: str = "") -> str:
    """What a technology space gives: a look, an extra disc, an extra storage space."""
    if benefit == "peek":
        return eye(x, y, on)
    if benefit == "extra_disc":
        return group(circle(0, 0, 8, f"sign{on}") + path("M-4 0H4M0-4V4", f"sign{on}"), x, y)
    if benefit == "storage":
        return path(_BOX, f"sign{on}", x, y)
    return ""


def flag(x: float, y: float, side: str) -> str:
    """A flag of 30 by 20."""
    if side == "france":
        drawing = rect(0, 0, 10, 20, "fb") + rect(10, 0, 10, 20, "fw") + rect(20, 0, 10, 20, "fr")
    else:
        drawing = (
            rect(0, 0, 30, 20, "fb")
            + path("M0 0 30 20M30 0 0 20", "fx")
            + path("M0 0 30 20M30 0 0 20", "fy")
            + rect(12, 0, 6, 20, "fw")
            + rect(0, 7, 30, 6, "fw")
            + rect(13.5, 0, 3, 20, "fr")
            + rect(0, 8.5, 30, 3, "fr")
        )
    return group(drawing + rect(0, 0, 30, 20, "flag"), x, y)


def machine(x: float, y: float, side: str) -> str:
    """The tunnel boring machine, its cutter towards the middle of the Channel; 46 by 34."""
    drawing = (
        rect(-22, -11, 30, 22, side, 4)
        + rect(8, -15, 6, 30, "steel")
        + path("M14-17Q23-9 23 0Q23 9 14 17Z", "steel")
        + path("M14-8H21M14 0H23M14 8H21", "flag")
        + rect(-18, -6, 7, 7, "pill", 1)
        + rect(-8, -6, 7, 7, "pill", 1)
        + circle(-16, 12, 3.5, "steel")
        + circle(0, 12, 3.5, "steel")
    )
    turn = " scale(-1 1)" if side == "france" else ""
    return f'<g transform="translate({x:g} {y:g}){turn}">{drawing}</g>'


@lru_cache(maxsize=64)
def note(x: float, y: float, words: str, width: float = 38) -> str:
    """A bank note."""
    return rect(x, y, width, 22, "note", 3) + text(x + width / 2, y + 15.5, words, "b-m")
