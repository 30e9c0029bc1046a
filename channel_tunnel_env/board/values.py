"""What lies on the table, as plain values: a Board and its parts.

`view` reads them from a game, the drawings show them. They hold no more than their viewer may know.
"""

from __future__ import annotations

from dataclasses import dataclass

SLOT_OPTIONS = ("secondary", "develop")


@dataclass(frozen=True, slots=True)
class Place:
    """One space of a route.

    Attributes:
        bored: the tunnel has passed it; nothing lies there.
        colour: of its token, None where the viewer does not know it.
        symbol: the token carries the agenda symbol (False where unknown or without Agenda).
        looked: sides that have looked at it face down; that much is public.
    """

    bored: bool
    face_up: bool
    colour: str | None
    symbol: bool
    looked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """A side's route, from its own coast to its flag, and how far its machine has come."""

    side: str
    tbm: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card as it is printed."""

    key: str
    kind: str
    name: str
    short_name: str
    points: int
    cost: str
    money: int
    secondary: str
    ability: str
    is_influence: bool
    is_ability: bool


@dataclass(frozen=True, slots=True)
class Space:
    """An action space.

    Attributes:
        colour, height: of its stack; height 0 is no stack.
        needs: discs that the next stack of the side to play takes, by the rules of this position; None
            where nobody can lay a higher one.
        options: its two options, as the action names call them.
        card: on a slot, the card shown; None where there is none.
    """

    name: str
    colour: str
    height: int
    needs: int | None
    options: tuple[str, str]
    card: Card | None
    in_use: bool

    @property
    def is_slot(self) -> bool:
        """It shows a card, where the permanent spaces have two actions of their own."""
        return self.options == SLOT_OPTIONS


@dataclass(frozen=True, slots=True)
class BuiltCard:
    """A developed card: tokens on it, whether it is used up, whether it was used this round."""

    card: Card
    rubble: tuple[str, ...]
    spent: bool
    used: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A space of a technology track; `barrier` is the price of entering it."""

    points: int
    barrier: int | None
    benefit: str


@dataclass(frozen=True, slots=True)
class Track:
    """A technology track and where its counter stands."""

    side: str
    name: str
    steps: tuple[Step, ...]
    counter: int


@dataclass(frozen=True, slots=True)
class Side:
    """All that lies before one player.

    Attributes:
        discs: by colour, in the order of COLOURS; `allowance` is what they are drawn up to.
        storage: rubble by colour; `room` is the number of spaces.
        deviation: 0, 1, ... for 0, -1, ...; `deviation_limit` is the last safe level.
        money: values of the money cards, ascending.
        score: points by source as things stand, with "total".
    """

    name: str
    to_play: bool
    first_player: bool
    passed: bool
    discs: tuple[int, ...]
    allowance: int
    storage: tuple[int, ...]
    room: int
    deviation: int
    deviation_limit: int
    money: tuple[int, ...]
    tracks: tuple[Track, ...]
    cards: tuple[BuiltCard, ...]
    agenda_pending: str | None
    agenda_completed: tuple[str, ...]
    score: tuple[tuple[str, int], ...]

    @property
    def points(self) -> int:
        """The total as things stand."""
        return dict(self.score)["total"]


@dataclass(frozen=True, slots=True)
class Stock:
    """Bag and decks; `deviation_discard` holds (colour, level) in the order drawn."""

    bag: tuple[int, ...]
    deck: int
    discard: int
    deviation_deck: int
    deviation_discard: tuple[tuple[str, int], ...]
    agenda_deck: int | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision last taken: by whom, its name, and in words.

    Attributes:
        card: the card of the slot that it used, as it lay there then; None without one, or where the
            position before is not known.
    """

    side: str | None
    action: str
    words: str
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The whole table, for a viewer.

    Attributes:
        viewer: the side whose knowledge this is; None knows all that lies on the table.
        question: what the game waits for, in words; `result` once it is over, else "".
        turn: the turn in progress in words: the stack laid, what was done, what is being done.
    """

    title: str
    ruleset: str
    viewer: str | None
    round: int
    phase: str
    to_play: str | None
    question: str
    turn: tuple[str, ...]
    result: str
    last: Decision | None
    agenda: bool
    routes: tuple[Route, Route]
    spaces: tuple[Space, ...]
    sides: tuple[Side, Side]
    stock: Stock
