"""Valid requests: strict models with bounds, and files as text, read without executing anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.core.whole_numbers import MAX_SEED
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import LINE, parse_json, parse_yaml
from channel_tunnel_env.records.record import Record

MAX_BODY = 1_000_000  # bytes; the record of a long game has 20,000
MAX_POSITION = 64_000  # characters; a position has 5,000
MAX_GAMES = 10_000  # records in one file
MAX_PLIES = 10_000  # of a record; the longest game of the rules has fewer
SMALL = 8_000  # bytes that are parsed in less than a millisecond
MOST_SEATS = 16
MOST_MILLISECONDS = 10_000  # of a search in the analysis

Name = Annotated[str, Field(min_length=1, max_length=200)]
Ply = Annotated[int, Field(ge=0, le=100_000)]
Version = Annotated[int, Field(ge=0, le=2**31)]
Seats = Annotated[dict[Name, Name], Field(max_length=MOST_SEATS)]
"""Seat -> who holds it: "person" or an agent's name; `Rooms` knows the seats and who holds those left out."""
Target = Annotated[str, Field(min_length=1, max_length=80)]


class Request(BaseModel):
    """Strictly typed; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class NewGame(Request):
    """A new game, from a seed or from a position."""

    ruleset: Name = "standard"
    agenda: bool | None = None
    players: Annotated[int, Field(ge=1, le=10)] | None = None
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = None
    seats: Seats = {}
    open: bool = False
    position: Annotated[str, Field(max_length=MAX_POSITION)] | None = None


class Fork(Request):
    """A new game that begins at a decision of another; not `kept`: a move is tried again, and no file is written."""

    ply: Ply
    seats: Seats = {}
    luck: Literal["same", "anew"] = "same"
    open: bool = False
    kept: bool = True


class OpenRecord(Request):
    """A record to view: its text, or a file of the command line; `line` counts from 1."""

    text: Annotated[str, Field(max_length=MAX_BODY)] | None = None
    file: Name | None = None
    line: Annotated[int, Field(ge=1, le=MAX_GAMES)] | None = None


class Change(Request):
    """A change of the game, for the version that the page shows; alone: undo, restart, open the table, or let the agent move."""

    version: Version


class Move(Change):
    """An action, and what the same seat decides at once after it."""

    action: Name
    then: Annotated[list[Name], Field(max_length=8)] = []


class Writing(Change):
    """An answer to a question of the running phase, or one that is taken away."""

    asked: Annotated[str, Field(max_length=40)]
    action: Annotated[str, Field(max_length=200)]
    given: bool = True


class Lines(Change):
    """Answers to questions of the running phase, as somebody types them."""

    text: Annotated[str, Field(min_length=1, max_length=4000)]


class Called(Request):
    """What the person in a seat wants to be called; "" takes the name away."""

    side: Name
    called: str


class Resignation(Request):
    """Give the game up for a seat."""

    side: Name


class Invitation(Request):
    """A link to the table: to a seat, or with no side for somebody who watches."""

    side: Name | None = None


class Nothing(Request):
    """No more than the wish itself."""


class GuidedGame(Request):
    """Play the guided first game of one of the games."""

    game: Name = DEFAULT_GAME


class Rival(Change):
    """Replace the agent of an agent's seat."""

    side: Name
    agent: Name


class Clicks(Change):
    """Clicks, in order, that do not form a legal move."""

    clicks: Annotated[list[Target], Field(min_length=1, max_length=8)]


class Question(Request):
    """A judge's evaluation of a decision; with milliseconds it looks ahead, of a review it names a side."""

    ply: Ply
    viewer: Name | None = None
    side: Name | None = None
    judge: Name
    milliseconds: Annotated[int, Field(ge=1, le=MOST_MILLISECONDS)] | None = None


Model = TypeVar("Model", bound=Request)


def parse(model: type[Model], body: bytes) -> Model:
    """Parse a request from its body.

    Raises:
        TableError: not JSON, or does not match the model; the sentence names the first wrong key.
    """
    content = read_json(body.decode("utf-8", "replace"), "the request")
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        raise TableError(400, f"{where}: {first['msg']}") from None


def read_json(text: str, what: str) -> Any:
    """Parse JSON from outside."""
    try:
        return parse_json(text, what, LINE)
    except DocumentError as error:
        raise TableError(400, str(error)) from None


def pick_record(lines: Iterable[str], wanted: int | None) -> tuple[Record, int]:
    """One record of a file of records (JSON lines), and the number of records in the file.

    Args:
        lines: lines of the file; only one is parsed as JSON.
        wanted: line number, from 1; None: the first non-empty line.
    """
    count, number, found = 0, 0, ""
    for i, text in enumerate(lines, 1):
        if not text.strip():
            continue
        count += 1
        if i == wanted or (wanted is None and count == 1):
            number, found = i, text
    if not count:
        raise TableError(400, "the file holds no record: one JSON object a line is expected")
    if not found:
        raise TableError(404, f"line {wanted}: the file has no record there ({count} records)")
    content = read_json(found, f"line {number}")
    if not isinstance(content, dict):
        raise TableError(400, f"line {number}: a record is a JSON object")
    if isinstance(content.get("actions"), list) and len(content["actions"]) > MAX_PLIES:
        raise TableError(400, f"line {number}: a record has at most {MAX_PLIES:,} decisions")
    record = Record(content)
    record.line = number
    return record, count


def read_position_text(text: str) -> dict[str, Any]:
    """Parse a position file, YAML or JSON."""
    try:
        return parse_yaml(text, "the position").mapping("a position")
    except DocumentError as error:
        raise TableError(400, str(error)) from None
