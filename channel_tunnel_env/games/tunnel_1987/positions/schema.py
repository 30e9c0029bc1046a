"""The shape of a position file: its keys, and errors that name key, value and what is allowed.

`position` lays out the pieces; this module checks only what needs no counting of pieces.
"""

# ruff: noqa: RUF012 (pydantic copies defaults; ruff does not see that the base is pydantic's)

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from channel_tunnel_env.errors import PositionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.outside.documents import StrictModel, describe_errors, quote, shorten
from channel_tunnel_env.outside.hints import allowed_words, did_you_mean, known_keys

SLOTS = tuple(f"slot_{i + 1}" for i in range(c.NUM_SLOTS))
_COLOUR = "|".join(c.COLOURS)

Side = Literal[c.SEATS]  # type: ignore[valid-type]
Colour = Literal[c.COLOURS]  # type: ignore[valid-type]
AgendaCard = Literal[c.AGENDA_KINDS]  # type: ignore[valid-type]
ActionKind = Literal[c.ACTION_KINDS]  # type: ignore[valid-type]
Slot = Literal[SLOTS]  # type: ignore[valid-type]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Discs = Annotated[int, Field(ge=0, le=c.MAX_DISCS_PER_COLOUR)]
Tokens = Annotated[int, Field(ge=0, le=c.MAX_TOKENS)]
Token = Annotated[str, Field(pattern=rf"^({_COLOUR})\*?$")]
RouteToken = Annotated[str, Field(pattern=rf"^(\?|\??({_COLOUR})\*?)$")]


class DiscCounts(StrictModel):
    """Discs by colour."""

    blue: Discs = 0
    black: Discs = 0
    orange: Discs = 0
    yellow: Discs = 0
    white: Discs = 0


class TokenCounts(StrictModel):
    """Rubble by colour."""

    blue: Tokens = 0
    black: Tokens = 0
    orange: Tokens = 0
    yellow: Tokens = 0
    white: Tokens = 0


class Stacks(StrictModel):
    """Stacks on the five spaces, each of one colour; 0 discs: a stack taken back disc by disc."""

    plan_tunnel: DiscCounts | None = None
    finance_technology: DiscCounts | None = None
    slot_1: DiscCounts | None = None
    slot_2: DiscCounts | None = None
    slot_3: DiscCounts | None = None


class AreaCard(StrictModel):
    """A developed card and the rubble on it."""

    card: str
    rubble: Annotated[list[Colour], Field(max_length=2)] = []
    used: bool = False


class SideAgenda(StrictModel):
    """A player's agenda cards."""

    pending: AgendaCard | None = None
    completed: list[AgendaCard] = []


class SidePosition(StrictModel):
    """One player. Missing discs, route, storage: dealt as at the start of a game."""

    discs: DiscCounts | None = None
    tbm: Annotated[int, Field(ge=0, le=c.MAX_ROUTE)] = 0
    route: Annotated[list[RouteToken], Field(max_length=c.MAX_ROUTE)] | None = None
    storage: list[Token] | None = None
    deviation: Annotated[int, Field(ge=0, le=2 * c.MAX_DEVIATION)] = 0
    technology: Annotated[list[Annotated[int, Field(ge=0, le=c.MAX_TRACK)]], Field(min_length=2, max_length=2)] = [0, 0]
    money: list[str] = []
    cards: list[AreaCard] = []
    agenda: SideAgenda = SideAgenda()
    peeked: list[list[Any]] = []


class Turn(StrictModel):
    """The turn in progress."""

    space: Literal[tuple(Stacks.model_fields)] | None = None  # type: ignore[valid-type]
    action: ActionKind | None = None
    last: ActionKind | None = None
    slot: Slot | None = None
    new_card: str | None = None
    rubble_placed: Annotated[list[Colour], Field(max_length=2)] = []
    repairing: bool = False
    supervised: bool = False
    agenda_card: AgendaCard | None = None
    promotion_paid: Annotated[int, Field(ge=0, le=20)] = 0
    keep_colour: Colour | None = None
    kept: Annotated[int, Field(ge=0, le=25)] = 0


class Result(StrictModel):
    """How a finished game ended; no winner: a draw."""

    winner: Side | None = None
    end_cause: Literal[c.END_CAUSES[1:]]  # type: ignore[valid-type]
    reacher: Side | None = None


class Position(StrictModel):
    """A position file; a missing key means "as at the start of a game"."""

    ruleset: Any = "standard"
    ruleset_digest: str | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0
    round: Annotated[int, Field(ge=1, le=32767)] = 1
    to_play: Side | None = None
    first_player: Side = c.SEATS[0]
    passed: list[Side] = []
    previous: Side | None = None
    round_placed: bool | None = None
    empty_rounds: Annotated[int, Field(ge=0, le=1000)] = 0
    spaces: Stacks = Stacks()
    display: Annotated[list[str | None], Field(min_length=3, max_length=3)] | None = None
    deck: list[str] = []
    discard: list[str] = []
    deviation_deck: list[str] = []
    deviation_discard: list[str] = []
    agenda_deck: Annotated[list[AgendaCard], Field(max_length=c.NUM_AGENDA)] = []
    agenda_discard: list[AgendaCard] = []
    agenda_drawn: list[AgendaCard] | None = None
    bag: DiscCounts | None = None
    out_of_game: TokenCounts | None = None
    unseen_tokens: list[Token] | None = None
    britain: SidePosition = SidePosition()
    france: SidePosition = SidePosition()
    phase: Literal[c.PHASES] = "turn"  # type: ignore[valid-type]
    turn: Turn = Turn()
    result: Result | None = None
    streams: dict[Literal[c.STREAMS], list[Any]] = {}  # type: ignore[valid-type]
    tallies: dict[str, Any] = {}


def parse_position(position: Any) -> Position:
    """The typed form of a position as read from YAML or JSON.

    Raises:
        PositionError: one line per wrong key.
    """
    if not isinstance(position, dict):
        raise PositionError("a position must be a mapping of keys to values")
    try:
        return Position.model_validate(position)
    except ValidationError as error:
        raise PositionError("\n".join(describe_errors(error, _describe))) from None


def _describe(item: Any) -> str:
    loc = [part for part in item["loc"] if part != "[key]"]
    key = ".".join(map(shorten, loc))
    if item["type"] == "extra_forbidden":
        return f"{key}: unknown key{did_you_mean(loc[-1], known_keys(loc[:-1], Position))}"
    if item["type"] == "missing":
        return f"{key}: missing"
    if "[key]" in item["loc"]:
        return f"{key}: unknown key; allowed: {', '.join(c.STREAMS)}"
    return f"{key}: {quote(item['input'])}: {allowed_words(loc, Position) or item['msg']}"
