"""What is on the table, as plain values: a Board and its parts.

`view` reads them from a game, the drawings show them. They hold only what their viewer may know.
"""

from __future__ import annotations

from dataclasses import dataclass

SLOT_OPTIONS = ("secondary", "develop")


@dataclass(frozen=True, slots=True)
class Place:
    """One space of a route.

    Attributes:
        bored: the tunnel has passed it; it is empty.
        colour: of its token; None if the viewer does not know it.
        symbol: the token has the agenda symbol (False if unknown or without Agenda).
        looked: sides that have looked at it face down; that they looked is public.
    """

    bored: bool
    face_up: bool
    colour: str | None
    symbol: bool
    looked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawnRoute:
    """A side's route, from its own coast to its flag, and how far its machine has come."""

    side: str
    tbm: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A playing card as printed."""

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
        colour, height: of its stack; height 0 means no stack.
        needs: number of discs that the next stack of the side to play needs, by the rules of this
            position; None if no higher stack is possible.
        options: its two options, as in the action names.
        card: on a slot, the card shown; None if there is none.
    """

    name: str
    colour: str
    height: int
    needs: int | None
    options: tuple[str, str]
    card: PrintedCard | None
    in_use: bool

    @property
    def is_slot(self) -> bool:
        """Whether it shows a card; permanent spaces have two fixed actions instead."""
        return self.options == SLOT_OPTIONS


@dataclass(frozen=True, slots=True)
class BuiltCard:
    """A developed card: the tokens on it, whether it is spent, whether it was used this round."""

    card: PrintedCard
    rubble: tuple[str, ...]
    spent: bool
    used: bool


@dataclass(frozen=True, slots=True)
class TrackSpace:
    """A space of a technology track; `barrier` is the price of entering it."""

    points: int
    barrier: int | None
    benefit: str


@dataclass(frozen=True, slots=True)
class Track:
    """A technology track and the position of its counter."""

    side: str
    name: str
    steps: tuple[TrackSpace, ...]
    counter: int


@dataclass(frozen=True, slots=True)
class Side:
    """Everything on one player's board.

    Attributes:
        discs: by colour, in the order of COLOURS; `allowance` is the number they are drawn up to.
        storage: rubble by colour; `room` is the number of spaces.
        deviation: 0, 1, ... for 0, -1, ...; `deviation_limit` is the last safe level.
        money: values of the money cards, ascending.
        score: current points by source, with "total".
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
        """The current total."""
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
    """The last decision: the side that took it, its name, and in words.

    Attributes:
        card: the card that was in the slot that the decision used; None without a slot, or if the
            position before is not known.
    """

    side: str | None
    action: str
    words: str
    card: PrintedCard | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The whole table, for a viewer.

    Attributes:
        viewer: the side whose knowledge this is; None knows everything on the table.
        question: what the game waits for, in words; `result` once it is over, else "".
        turn: the turn in progress in words: the stack laid, what was done, what is in progress.
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
    routes: tuple[DrawnRoute, DrawnRoute]
    spaces: tuple[Space, ...]
    sides: tuple[Side, Side]
    stock: Stock
