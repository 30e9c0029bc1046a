"""Positions as plain values, in the form of the scenarios: read into a record, and written from one.

    ruleset: carcassonne
    board: [D 0 0 0, U 1 0 1 A@r0, ...]   in the order of laying: TYPE x y rotation [SEAT@segment of its follower]
    tokens: [TU3.S=A1, ...]               mouth = seat and its set; P for a common stock
    missed: [A1, ...]                     half tunnels whose owner let a chance to finish them pass
    score: [12, 9]
    robber: [A, 4]                        who holds the Robber Baron, and the tiles of that road
    out: [C, ...]                         tiles that fitted nowhere
    phase: cell                           or rotate, claim, token, over
    to_play: A
    tile: U                               in hand, in the phases cell and rotate
    cell: [2, 0]                          chosen for it, in the phase rotate
    mouth: TU3.S                          joined by this turn's token
    deck: [E, V, ...]                     face down, in the order of drawing; left out: shuffled by `seed`

Seats are A to F; x grows to the east, y to the south; a rotation counts quarter turns clockwise. Segments are
named by kind and number in the ruleset: c0 a city, r1 a road, f0 a field, m the cloister. A mouth is named by
its tile and its side while that is not turned. What a player has in hand follows from what lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from channel_tunnel_env.core import kernels as core_kernels
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.records import MOST_DRAWS, MOST_PLIES
from channel_tunnel_env.errors import PositionError, RulesetError, StateError
from channel_tunnel_env.game import first_record
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import kernels
from channel_tunnel_env.games.carcassonne.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.carcassonne.pieces import SIDE_LETTERS, TileType, place_of
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData
from channel_tunnel_env.outside.documents import StrictModel, plain_errors, quote, written_number
from channel_tunnel_env.rulesets.entry import entry_ruleset, ruleset_entry
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset

SEATS = "ABCDEF"
COMMON = "P"
_LETTERS = {"c": c.CITY, "r": c.ROAD, "m": c.CLOISTER, "f": c.FIELD}
Points = Annotated[int, Field(ge=0, le=c.MOST_POINTS)]
Tokens = Annotated[int, Field(ge=0, le=c.NUM_OPENINGS)]
_IN_HAND = ("cell", "rotate")


class PositionData(StrictModel):
    """A position; keys and values as above, and what only statistics and luck need."""

    ruleset: str | dict[str, Any] = "carcassonne"
    ruleset_digest: str | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0
    board: list[str]
    tokens: list[str] = Field(default=[])
    missed: list[str] = Field(default=[])
    score: list[Points] = Field(default=[])
    robber: list[str | int] | None = None
    out: list[str] = Field(default=[])
    phase: Literal["cell", "rotate", "claim", "token", "over"] = "cell"
    to_play: str = "A"
    tile: str | None = None
    cell: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    mouth: str | None = None
    deck: list[str] | None = None
    turn: Annotated[int, Field(ge=1, le=c.MAX_TILES)] | None = None
    points: list[Annotated[list[Points], Field(min_length=4, max_length=4)]] = Field(default=[])
    first_tokens: list[Tokens] = Field(default=[])
    second_tokens: list[Tokens] = Field(default=[])
    table_cuts: Annotated[int, Field(ge=0, le=c.MOST_FRONTIER * c.MAX_TILES)] = 0
    ply: Annotated[int, Field(ge=0, le=MOST_PLIES)] = 0
    stream: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None


# --- names ----------------------------------------------------------------------------------------


def cell_at(x: int, y: int) -> int:
    """The cell of coordinates."""
    return (y % c.WIDTH) * c.WIDTH + x % c.WIDTH


def opening_names(types: Sequence[TileType]) -> dict[str, int]:
    """Opening -> number: tile and side of the tile not turned, such as TU3.S."""
    return {
        f"{kind.name}.{SIDE_LETTERS[segment.sides[0]]}": segment.opening
        for kind in types
        for segment in kind.segments
        if segment.opening >= 0
    }


def segment_number(kind: TileType, name: str) -> int:
    """The segment of a type with a name such as r0.

    Raises:
        ValueError: it has no such part.
    """
    number = written_number(name[1:] or "0")
    own = [i for i, segment in enumerate(kind.segments) if segment.kind == _LETTERS.get(name[:1], -1)]
    if number is None or number >= len(own):
        raise ValueError(f"tile {kind.name} has no segment {quote(name)}")
    return own[number]


def set_colour(data: RulesetData, owner: str) -> int:
    """The token colour of a set such as A1.

    Raises:
        ValueError: there is no such set.
    """
    letter, number = owner[:1], written_number(owner[1:])
    if number is not None and 1 <= number <= c.NUM_TOKEN_COLOURS and data.tunnel:
        common = data.tunnel_variant == "paired"
        if letter == COMMON and common:
            return number - 1
        colour = SEATS.find(letter or "?") + (number - 1) * data.players
        if letter in SEATS[: data.players] and not common and colour < data.token_colours:
            return colour
    raise ValueError(f"{quote(owner)} is no set of tokens under these rules")


# --- pieces on the table, one at a time -----------------------------------------------------------


class PlacedPieces:
    """A record on which pieces are put as a position names them.

    Args:
        ruleset: of the game.
        states: an array of one record that was laid out, without tiles.
        tables: the ruleset's figures.
    """

    def __init__(self, ruleset: Ruleset, states: Any, tables: Any) -> None:
        self.data: RulesetData = ruleset.data
        self.types = self.data.tile_types()
        self.names = [kind.name for kind in self.types]
        self.openings = opening_names(self.types)
        self.states, self.tables = states, tables

    @property
    def state(self) -> Any:
        """The record."""
        return self.states[0]

    def kind(self, name: str) -> int:
        """The number of a type of tile.

        Raises:
            ValueError: it does not exist.
        """
        if name not in self.names:
            raise ValueError(f"there is no tile {quote(name)}")
        return self.names.index(name)

    def seat(self, letter: str) -> int:
        """The number of a seat.

        Raises:
            ValueError: it does not exist.
        """
        seats = SEATS[: self.data.players]
        if len(letter) != 1 or letter not in seats:
            raise ValueError(f"{quote(letter)} is no seat; allowed: {', '.join(seats)}")
        return seats.index(letter)

    def lay(self, line: str) -> None:
        """Lay "TYPE x y rotation [SEAT@segment]".

        Raises:
            ValueError: it is none, or the tile cannot lie there.
        """
        name, x, y, turned, *men = line.split()
        kind, cell, rotation = self.kind(name), cell_at(int(x), int(y)), int(turned)
        self._check_place(kind, cell, rotation)
        number = kernels.lay_in_game(self.states, 0, self.tables, kind, rotation, cell)
        for word in men:
            letter, at, segment = word.partition("@")
            if not at or len(men) > 1:
                raise ValueError(f"{quote(word)}: at most one follower on a tile, as A@r0")
            self._put_follower(number, self.seat(letter), segment_number(self.types[kind], segment))

    def _check_place(self, kind: int, cell: int, rotation: int) -> None:
        if not 0 <= rotation < c.NUM_SIDES:
            raise ValueError("a rotation is 0 to 3")
        if self.state["grid"][cell]:
            raise ValueError("a tile lies there already")
        need = int(self.state["need"][cell])
        if self.state["tile_count"] and not need:
            raise ValueError("no earlier tile lies beside it")
        fitting = int(self.tables["fit"][0][kind, need])
        if not fitting >> rotation % self.types[kind].period & 1:
            raise ValueError("its edges do not match the tiles beside it")

    def _put_follower(self, number: int, seat: int, segment: int) -> None:
        node = int(self.state["first_node"][number]) + segment
        self.state["follower"][node] = seat
        self.state["occupants"][int(self.state["label"][node])] += 1
        self.state["hand"][seat] -= 1

    def opening(self, name: str) -> int:
        """The number of a mouth on the table.

        Raises:
            ValueError: it does not exist.
        """
        number = self.openings.get(name, c.NONE)
        if number < 0 or self.state["mouth_node"][number] < 0:
            raise ValueError(f"no mouth {quote(name)} is on the table")
        return number

    def lay_token(self, line: str) -> None:
        """A token that lies already, as "opening=SEAT set".

        Raises:
            ValueError: no such mouth or set, or it has its token.
        """
        name, _, owner = line.partition("=")
        mouth, colour = self.opening(name), set_colour(self.data, owner)
        if self.state["mouth_colour"][mouth] >= 0:
            raise ValueError("a token lies there already")
        if self.state["stock"][colour] == 0:
            raise ValueError(f"both tokens of {quote(owner)} lie elsewhere")
        half = int(self.state["half"][colour])
        self.state["stock"][colour] -= 1
        self.state["mouth_colour"][mouth] = colour
        self.state["half"][colour] = mouth
        if half >= 0:
            kernels.join_in_game(self.states, 0, half, mouth)


# --- reading --------------------------------------------------------------------------------------


def read_states(position: Mapping[str, Any], ruleset: AnyRuleset | Path | None = None) -> tuple[Any, Ruleset]:
    """The record that a position describes, an array of one, and its rules.

    Args:
        position: see above; all but `board` and `tile` may be left out.
        ruleset: replaces the one that the position names.

    Raises:
        PositionError: a key or value is wrong, or play cannot reach the position.
    """
    try:
        data = PositionData.model_validate(dict(position))
        rules = entry_ruleset(data.ruleset, ruleset, data.ruleset_digest)
    except ValidationError as error:
        raise PositionError("\n".join(plain_errors(error, "position"))) from None
    except RulesetError as error:
        raise PositionError(str(error)) from None
    if rules.spec.name != "carcassonne":
        raise PositionError(f"ruleset: {rules.name} is of the game {rules.spec.name}")
    machine = machine_of(rules)
    states, work = new_states(1), new_workspaces(1)
    kernels.lay_out_game(states, 0, machine.tables, new_states(1), work)
    core_kernels.key_position(states, 0, data.seed)
    layout = PlacedPieces(rules, states, machine.tables)
    _read_table(layout, data)
    _read_deck(layout, data, machine, work)
    try:
        return machine.possible_state(states), rules
    except StateError as error:
        raise PositionError(f"not a possible position: {error}") from None


def _read_table(layout: PlacedPieces, data: PositionData) -> None:
    """Everything that lies, the scores and whose turn it is."""
    if not data.board or data.board[0].split()[:4] != [layout.data.start_tile, "0", "0", "0"]:
        raise PositionError(f"board: it begins with {layout.data.start_tile} 0 0 0")
    _check_box(layout, data.board)
    for line in data.board:
        _named(f"board: {quote(line)}", layout.lay, line)
    for line in data.tokens:
        _named(f"tokens: {quote(line)}", layout.lay_token, line)
    for owner in data.missed:
        colour = _named("missed", set_colour, layout.data, owner)
        if layout.state["half"][colour] < 0:
            raise PositionError(f"missed: {quote(owner)} is no half tunnel")
        layout.state["missed"][colour] = 1
    _read_seats(layout, data)
    layout.state["to_play"] = _named("to_play", layout.seat, data.to_play)
    for name in ("table_cuts", "ply"):
        layout.state[name] = getattr(data, name)


def _named(where: str, read: Any, *given: Any) -> Any:
    """What a function reads; its ValueError as a PositionError that says where."""
    try:
        return read(*given)
    except ValueError as error:
        raise PositionError(f"{where}: {error}") from None


def _check_box(layout: PlacedPieces, board: list[str]) -> None:
    """Check that the lines have the right form, that no tile is used too often, and that the table holds them."""
    places = []
    for line in board:
        words = line.split()
        if not 4 <= len(words) <= 5 or not all(_is_small(word) for word in words[1:4]):
            raise PositionError(f"board: {quote(line)}; allowed: TYPE x y rotation [SEAT@segment]")
        places.append((int(words[1]), int(words[2])))
        kind = _named(f"board: {quote(line)}", layout.kind, words[0])
        lying = sum(other.split()[:1] == words[:1] for other in board)
        if lying > layout.types[kind].count:
            raise PositionError(f"board: {lying} tiles {words[0]}; there are {layout.types[kind].count}")
    for axis in (0, 1):
        reach = [place[axis] for place in places]
        if max(reach) - min(reach) >= layout.data.table:
            raise PositionError(f"board: it is wider or higher than {layout.data.table} cells")


def _is_small(word: str) -> bool:
    number = written_number(word.removeprefix("-"))
    return number is not None and number < 1000


def _read_seats(layout: PlacedPieces, data: PositionData) -> None:
    """Lists with an entry per seat, and the Robber Baron."""
    fields = {
        "score": "score",
        "points": "tally_points",
        "first_tokens": "tally_first",
        "second_tokens": "tally_second",
    }
    for name, field in fields.items():
        values = getattr(data, name)
        if len(values) not in (0, layout.data.players):
            raise PositionError(f"{name}: {len(values)} entries; allowed: {layout.data.players}")
        for seat, value in enumerate(values):
            layout.state[field][seat] = value
    if data.robber is not None:
        match data.robber:
            case [str(letter), int(tiles)] if layout.data.robber_baron and 0 < tiles <= c.MAX_TILES:
                layout.state["robber"] = _named("robber", layout.seat, letter)
                layout.state["longest"] = tiles
            case _:
                raise PositionError(
                    f"robber: {quote(data.robber)}; allowed: [SEAT, tiles] under a ruleset with robber_baron"
                )


def _read_deck(layout: PlacedPieces, data: PositionData, machine: Any, work: Any) -> None:
    """The turn in progress and the tiles that are face down: all that lie nowhere else."""
    state = layout.state
    left = {name: kind.count for name, kind in zip(layout.names, layout.types, strict=True)}
    seen = [*(line.split()[0] for line in data.board), *data.out]
    _read_turn(layout, data, work)
    if data.phase in _IN_HAND:
        seen.append(str(data.tile))
    for name in seen:
        if left.get(name, 0) == 0:
            raise PositionError(f"tile {quote(name)}: there are no more of them")
        left[name] -= 1
    deck = [name for name, count in left.items() for _ in range(count)]
    if data.deck is not None and sorted(data.deck) != sorted(deck):
        raise PositionError(f"deck: it must hold the other {len(deck)} tiles: {' '.join(deck)}")
    if data.phase == "over" and deck:
        raise PositionError(f"phase: over, but {len(deck)} tiles are left")
    state["unseen"], state["out_of_game"] = 0, 0
    for name, count in left.items():
        state["unseen"][layout.kind(name)] = count
    for name in data.out:
        state["out_of_game"][layout.kind(name)] += 1
    state["drawn"] = int(state["deck_size"]) - len(deck)
    if state["turn"] > state["drawn"]:
        raise PositionError(f"turn: {int(state['turn'])}; no more turns than tiles: at most {int(state['drawn'])}")
    drawn = [layout.kind(name) for name in seen[1:]]
    face_down = [layout.kind(name) for name in data.deck or deck]
    state["deck"][: int(state["deck_size"])] = [*drawn, *face_down]
    if data.deck is None:
        machine.determinize_game(layout.states, 0, layout.tables, 0, data.seed, work)
    if data.stream is not None:
        key, counter = data.stream
        if not (0 <= key < 2**64 and 0 <= counter <= MOST_DRAWS):
            raise PositionError(f"stream: {quote(data.stream)}; allowed: key 0..2**64-1, counter 0..2**61")
        state["rng_key"][c.DECK_STREAM], state["rng_counter"][c.DECK_STREAM] = key, counter
    state["seed"] = data.seed


def _read_turn(layout: PlacedPieces, data: PositionData, work: Any) -> None:
    """Phase, tile in hand or just laid, the cell chosen for it, and the turn's number."""
    state, laid = layout.state, len(data.board) - 1
    state["phase"] = c.PHASES.index(data.phase)
    in_hand = data.phase in _IN_HAND
    state["turn"] = data.turn or laid + in_hand
    if in_hand != (data.tile is not None) or (data.phase == "rotate") != (data.cell is not None):
        raise PositionError("phase: cell needs a tile, rotate a tile and a cell, other phases no tile and no cell")
    if data.mouth is not None:
        if data.phase != "claim":
            raise PositionError("mouth: only in the phase claim")
        state["mouth"] = _named("mouth", layout.opening, data.mouth)
    if in_hand:
        _read_hand(layout, data, work)
    elif data.phase == "over":
        _read_end(state, layout.data.players)
    else:
        if laid < 1:
            raise PositionError(f"phase: {data.phase}, but only the start tile lies")
        if data.phase == "token" and not layout.data.tunnel:
            raise PositionError("phase: token, in a game without tunnels")
        state["tile"], state["cell"] = state["tile_type"][laid], state["tile_cell"][laid]


def _read_hand(layout: PlacedPieces, data: PositionData, work: Any) -> None:
    """The tile in hand, which fits somewhere, and the cell chosen for it."""
    kind = _named("tile", layout.kind, str(data.tile))
    count = kernels.list_game_cells(layout.states, 0, layout.tables, kind, work)
    cells = [int(action) - c.FIRST_CELL for action in work["legal"][0][:count]]
    if not cells:
        raise PositionError(f"tile: {data.tile} fits nowhere on this table")
    layout.state["tile"] = kind
    if data.cell is not None:
        if cell_at(*data.cell) not in cells:
            raise PositionError(f"cell: {data.tile} does not fit at {data.cell}")
        layout.state["cell"] = cell_at(*data.cell)


def _read_end(state: Any, players: int) -> None:
    """Who won by the scores."""
    totals = state["score"][:players]
    best = np.flatnonzero(totals == totals.max())
    state["end_cause"] = c.LAST_TILE
    state["winner"] = best[0] if len(best) == 1 else c.DRAW


# --- writing --------------------------------------------------------------------------------------


def write_position(game: Game, seat: int | None = None) -> dict[str, Any]:
    """The position of a game.

    Args:
        seat: leaves out the order of the deck, which no seat knows; None writes everything.
    """
    return write_state(game.states[0], game.ruleset, hides=seat is not None)


def write_start(game: Game) -> dict[str, Any]:
    """The first record of a game as a position.

    Raises:
        RecordError: the game was dealt from its seed.
    """
    return write_state(first_record(game), game.ruleset)


def write_state(state: Any, ruleset: Ruleset, hides: bool = False) -> dict[str, Any]:
    """A record as a position.

    Args:
        state: the record.
        ruleset: its rules.
        hides: leave out what is face down, the seed and the stream.
    """
    data: RulesetData = ruleset.data
    types = data.tile_types()
    names, phase = [kind.name for kind in types], c.PHASES[int(state["phase"])]
    position: dict[str, Any] = {
        "ruleset": ruleset_entry(ruleset),
        "ruleset_digest": ruleset.digest,
        "board": [_tile_line(state, types, number) for number in range(int(state["tile_count"]))],
        "tokens": _token_lines(state, data),
        "missed": [_owner(data, k) for k in range(c.NUM_TOKEN_COLOURS) if state["missed"][k]],
        "score": state["score"][: data.players].tolist(),
        "out": [name for i, name in enumerate(names) for _ in range(int(state["out_of_game"][i]))],
        "phase": phase,
        "to_play": SEATS[int(state["to_play"])],
        "turn": int(state["turn"]),
        "points": state["tally_points"][: data.players].tolist(),
        "first_tokens": state["tally_first"][: data.players].tolist(),
        "second_tokens": state["tally_second"][: data.players].tolist(),
        "table_cuts": int(state["table_cuts"]),
        "ply": int(state["ply"]),
    }
    if state["robber"] >= 0:
        position["robber"] = [SEATS[int(state["robber"])], int(state["longest"])]
    if phase in _IN_HAND:
        position["tile"] = names[int(state["tile"])]
    if phase == "rotate":
        position["cell"] = list(place_of(state, int(state["cell"])))
    if phase == "claim" and state["mouth"] >= 0:
        position["mouth"] = _mouth_name(types, int(state["mouth"]))
    if not hides:
        drawn, size = int(state["drawn"]), int(state["deck_size"])
        position["deck"] = [names[int(kind)] for kind in state["deck"][drawn:size]]
        position["seed"] = int(state["seed"])
        position["stream"] = [int(state["rng_key"][0]), int(state["rng_counter"][0])]
    return position


def _tile_line(state: Any, types: Sequence[TileType], number: int) -> str:
    kind = types[int(state["tile_type"][number])]
    x, y = place_of(state, int(state["tile_cell"][number]))
    line = f"{kind.name} {x} {y} {int(state['tile_turned'][number])}"
    first = int(state["first_node"][number])
    for i, segment in enumerate(kind.segments):
        seat = int(state["follower"][first + i])
        if seat >= 0:
            place = [j for j, s in enumerate(kind.segments) if s.kind == segment.kind].index(i)
            letter = next(key for key, value in _LETTERS.items() if value == segment.kind)
            line += f" {SEATS[seat]}@{letter}{'' if letter == 'm' else place}"
    return line


def _token_lines(state: Any, data: RulesetData) -> list[str]:
    types = data.tile_types()
    return [
        f"{_mouth_name(types, opening)}={_owner(data, int(colour))}"
        for opening, colour in enumerate(state["mouth_colour"])
        if colour >= 0
    ]


def _mouth_name(types: Sequence[TileType], opening: int) -> str:
    return next(name for name, number in opening_names(types).items() if number == opening)


def _owner(data: RulesetData, colour: int) -> str:
    """A token colour as seat and set."""
    if data.tunnel_variant == "paired":
        return f"{COMMON}{colour + 1}"
    return f"{SEATS[colour % data.players]}{colour // data.players + 1}"
