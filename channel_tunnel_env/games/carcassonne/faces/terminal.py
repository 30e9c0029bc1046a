"""Carcassonne in the terminal, as `faces.terminal` asks for it.

Nothing but the order of the deck is hidden, and nothing here reads it: every seat is shown the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.faces.terminal import WIDTH, Choice, Steps, folded, folded_lines
from channel_tunnel_env.games.carcassonne.board.table import LaidTable
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.legality import PAIR_FIRST, PAIR_SECOND
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES, action_id
from channel_tunnel_env.games.carcassonne.pieces import TileType
from channel_tunnel_env.games.carcassonne.render import Place, Signs, lying, people_lines, table_lines, tile_signs
from channel_tunnel_env.games.carcassonne.words import SIDES, choice_words, edges_words, effects
from channel_tunnel_env.outside.sentences import title as seat_title

BEGINS_WITH_LEGEND = True
LEGEND = (
    "c city   - | road   . field   # cloister   T tunnel mouth, with a token the letter of its colour",
    "0 to 5 a follower of that player; columns count to the east, rows to the south of the start tile",
)
_ASKED = {
    "cell": "Where does the tile go? The free cells have the numbers of the answers.",
    "rotate": "How does it lie? The numbers are those of the answers.",
    "claim": "A follower on this tile?",
    "token": "A tunnel token on a mouth?",
}
_AROUND = 2  # cells on each side of the tile that is asked about
_GAP = "   "
_MOST_COLUMNS = (WIDTH - 5) // 4
_COORDINATES = re.compile(r"(-?\d{1,2})\s*,\s*(-?\d{1,2})")
_TURN = re.compile(r"turn (\d)")


# --- what is shown --------------------------------------------------------------------------------


def board(game: Game, viewer: str, legend: bool) -> str:
    """The table, the free cells with the numbers of the choices, the players and the question."""
    tiles = lying(game)
    if str(game.phase) == "cell":
        tiles |= _numbered_cells(game)
    lines = [*_whole_table(tiles), ""]
    if legend:
        lines += [*LEGEND, ""]
    *people, turn = people_lines(game)
    lines += people
    if str(game.phase) == "cell":
        words = (turn, _ASKED["cell"], "")
        picture = _beside([tile_signs(_tile_in_hand(game), 0)])
        lines += [f"{left}{_GAP}{right}".rstrip() for left, right in zip(picture, words, strict=True)]
    else:
        lines += [turn] if game.is_over else [turn, *_asked(game)]
    return folded_lines(lines)


def _whole_table(tiles: dict[Place, Signs]) -> list[str]:
    """All tiles, in bands where they are too many for the width; without lines in which nothing lies."""
    xs, ys = zip(*tiles, strict=True)
    rows, lines = range(min(ys), max(ys) + 1), []
    for first in range(min(xs), max(xs) + 1, _MOST_COLUMNS):
        columns = range(first, min(first + _MOST_COLUMNS, max(xs) + 1))
        lines += [line for line in table_lines(tiles, columns, rows) if line.strip()]
    return lines


def _numbered_cells(game: Game) -> dict[Place, Signs]:
    """The cells where the tile may go, with the number of that choice in the middle."""
    table = LaidTable(game)
    return {
        table.place_of(action - c.FIRST_CELL): ("   ", f"{number:^3}", "   ")
        for number, action in enumerate(game.legal_ids(), 1)
    }


def question(game: Game, viewer: str) -> str:
    """The tiles around the one that is asked about, and the question."""
    state = game.state
    chosen = str(game.phase) == "rotate"
    cell = int(state.cell) if chosen else int(state.tile_cell[int(state.tile_count) - 1])
    x, y = LaidTable(game).place_of(cell)
    columns, rows = range(x - _AROUND, x + _AROUND + 1), range(y - 1, y + 2)
    tiles = lying(game)
    if chosen:
        tiles[x, y] = ("   ", " ? ", "   ")
    lines = [line for line in table_lines(tiles, columns, rows) if line.strip()]
    return "\n".join([*lines, "", *_asked(game)])


def _asked(game: Game) -> list[str]:
    phase = str(game.phase)
    if phase == "rotate":
        turns = [action - c.FIRST_ROTATE for action in game.legal_ids()]
        numbers = [f"{number:^3}" for number in range(1, len(turns) + 1)]
        pictures = [tile_signs(_tile_in_hand(game), turned) for turned in turns]
        return [("  " + _GAP.join(numbers)).rstrip(), *_beside(pictures), _ASKED[phase]]
    return [_ASKED[phase]]


def _tile_in_hand(game: Game) -> TileType:
    kinds: list[TileType] = game.ruleset.data.tile_types()
    return kinds[int(game.state.tile)]


def _beside(pictures: list[Signs]) -> list[str]:
    return ["  " + _GAP.join(picture[line] for picture in pictures) for line in range(3)]


def needs_board(game: Game, shown: Game | None) -> bool:
    """The board comes once a turn, and where there is no tile to show the surroundings of."""
    if shown is None or str(game.phase) == "cell":
        return True
    return (int(game.state.turn), game.to_play) != (int(shown.state.turn), shown.to_play)


def ending(game: Game, viewer: str) -> str:
    """The table and the scores."""
    return "\n" + board(game, viewer, legend=False)


# --- choices --------------------------------------------------------------------------------------


def choices(game: Game) -> list[Choice]:
    """Places by their coordinates, turns by what the edges show, followers and tokens in words."""
    table = LaidTable(game)
    return [_choice(game, table, action) for action in game.legal_ids()]


def _choice(game: Game, table: LaidTable, action: int) -> Choice:
    if action < c.FIRST_ROTATE:
        name = _coordinates(table, action - c.FIRST_CELL)
        return Choice(action, name, "column,row", name)
    if action < c.FIRST_CLAIM:
        return Choice(action, edges_words(_tile_in_hand(game), action - c.FIRST_ROTATE))
    if action < c.FIRST_TOKEN or action == c.TOKEN_NONE:
        return Choice(action, choice_words(game, action))
    if action < c.FIRST_TUNNEL:
        mouth = _mouth(table, action - c.FIRST_TOKEN)
        return Choice(action, f"Token at {mouth}", "Token at", mouth)
    first, second = (_mouth(table, int(end[action - c.FIRST_TUNNEL])) for end in (PAIR_FIRST, PAIR_SECOND))
    return Choice(action, f"Join {first} with {second}", f"Join {first} with", second)


def _mouth(table: LaidTable, opening: int) -> str:
    """Such as "east of 2,0": the side of a tile by its coordinates."""
    number, _, segment = table.segment(table.mouths[opening][0])
    side = SIDES[(segment.sides[0] + table.turned[number]) % c.NUM_SIDES]
    return f"{side} of {_coordinates(table, table.cells[number])}"


def _coordinates(table: LaidTable, cell: int) -> str:
    """Such as "2,-1", as the edges of the table count."""
    return "{},{}".format(*table.place_of(cell))


def meant(game: Game, line: str) -> str:
    """An action's name, coordinates such as 2,-1, or "turn 3"."""
    words = line.casefold()
    place, turn = _COORDINATES.fullmatch(words), _TURN.fullmatch(words)
    name = line
    if place:
        name = "cell {} {}".format(*place.groups())
    elif turn:
        name = f"rotate {turn[1]}"
    elif line not in ACTION_NAMES:
        shown = {choice.name.casefold(): choice.action for choice in choices(game)}
        return ACTION_NAMES[shown[words]] if words in shown else ""
    try:
        return ACTION_NAMES[action_id(name)]
    except IllegalActionError:
        return ""


# --- what happened --------------------------------------------------------------------------------


def tell(steps: Steps, after: Game, viewer: str, persons: frozenset[str]) -> str | None:
    """A turn in a line or two, when it is over: what an agent did, and what everybody gained by it."""
    first = steps[0][0]
    if not after.is_over and int(after.state.turn) == int(first.state.turn):
        return None
    parts = []
    if first.to_play not in persons:
        parts.append(f"{seat_title(str(first.to_play))}: {'; '.join(_deeds(steps))}")
    afterwards = [before for before, _ in steps[1:]] + [after]
    for (before, action), then in zip(steps, afterwards, strict=True):
        parts += [text for text in effects(before, action, then) if " draws tile " not in text]
    return folded("; ".join(parts), "  ")


def _deeds(steps: Steps) -> Iterator[str]:
    """Decisions in words, without how the tile lies, which the board shows, and what was not done."""
    for before, action in steps:
        if action < c.FIRST_ROTATE:
            yield f"tile {_tile_in_hand(before).name} to {_coordinates(LaidTable(before), action - c.FIRST_CELL)}"
        elif action >= c.FIRST_CLAIM and action not in (c.CLAIM_NONE, c.TOKEN_NONE):
            name = _choice(before, LaidTable(before), action).name
            yield name[:1].lower() + name[1:]


assert all(len(line) <= WIDTH for line in LEGEND)
