"""Carcassonne at the table: how turns are judged, and what the designer's page shows.

A turn is judged one round later, beside the turn that the Expert would have played. Both turns are played in the same worlds, in which
the tiles that are left lie in another order. All seats answer as the Amateur (`greedy`). Then the lead is counted as the Amateur
counts it: what lies on the table is scored as if the game ended, and a follower that lies out costs a little.

On the designer's page a tile's number has a field, not its picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games.carcassonne.players import TurnAgent, make_scripted
from channel_tunnel_agents.table.design.game import DesignedGame, DrawnPart
from channel_tunnel_agents.table.minds.reviewed import ReviewedGame, Stretch, mark_of_changes, words_of
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.batch import NO_ACTION
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.games.carcassonne.board.excerpt import STYLE, draw_compared, tile_svg
from channel_tunnel_env.games.carcassonne.rule_words import RULE_WORDS, TILES
from channel_tunnel_env.games.carcassonne.words import tile_name
from channel_tunnel_env.outside.sentences import capital, listed

WORLDS = 24
MARKS = (5.0, 3.0, 1.5)
"""Points of lead lost from which on a turn is a blunder, a mistake, an inaccuracy."""
JUDGE = "expectimax"
FIRST = np.zeros(1, np.intp)
ABOUT = (
    f"The Expert plays each turn again. Its turn and yours are played on for one round in {WORLDS} orders of the tiles that were "
    "left, and the lead is counted as if the game ended then. It knows no plan that takes longer."
)


def _turn(game: Game) -> int:
    return int(game.state.turn)


def _suspect(expert: TurnAgent, stretches: Sequence[Stretch]) -> NDArray[Any]:
    """What the Amateur would have gained by its own turn, by its count at once."""
    player = make_scripted("greedy")
    return np.array([_lost_at_once(player, stretch) for stretch in stretches])


def _lost_at_once(player: TurnAgent, stretch: Stretch) -> float:
    game, best, value = stretch.start.clone(), -np.inf, 0.0
    for action in stretch.actions:
        values = player.values(BatchGame.from_games([game]), 0)
        best, value = max(best, float(values.max())), float(values[action])
        game.play(action)
    return best - value


def weigh(expert: TurnAgent, stretch: Stretch) -> dict[str, Any]:
    """A turn beside that of the Expert; see `ReviewedGame.weigh`."""
    better, only = _turn_of(expert, stretch)
    judged: dict[str, Any] = {
        "side": stretch.seat,
        "when": f"Turn {_turn(stretch.start)}",
        "words": words_of(stretch, stretch.actions),
        "only": only,
        "mark": "",
        "short": "",
        "better": None,
    }
    if only or better == stretch.actions:
        judged["sentences"] = [f"Played: {judged['words']}.", "The Expert would have done the same."]
        return judged
    judged["drawn"] = draw_compared(stretch.start, stretch.actions, better, ("played", "Expert"))
    mine, theirs = _leads(stretch, stretch.actions), _leads(stretch, better)
    words = words_of(stretch, better)
    lead, other = _points(float(mine.mean())), _points(float(theirs.mean()))
    judged["mark"] = mark_of_changes(theirs - mine, MARKS)
    judged["sentences"] = [f"Played: {judged['words']}. Lead one round later: {lead}."]
    if not judged["mark"]:
        judged["sentences"].append(
            f"The Expert would have played: {words}. Lead then: {other}. The difference is small, or may be luck of the tiles."
        )
        return judged
    judged["short"] = f"{lead} \N{RIGHTWARDS ARROW} {other} with the better turn"
    judged["better"] = {"words": words, "path": _path(stretch.start, better[0])}
    judged["sentences"] += [
        f"Better: {words}. Lead one round later: {other}.",
        f"Means over {WORLDS} orders of the tiles that were left; leads as if the game ended then, rounded to half a point.",
    ]
    return judged


def _turn_of(expert: TurnAgent, stretch: Stretch) -> tuple[tuple[int, ...], bool]:
    """The Expert's whole turn, and whether there was no other."""
    game, taken, only = stretch.start.clone(), [], True
    while not game.is_over and _turn(game) == _turn(stretch.start):
        only = only and len(game.legal_ids()) == 1
        taken.append(int(expert.search(BatchGame.from_games([game]), FIRST)[0]))
        game.play(taken[-1])
    return tuple(taken), only


def _leads(stretch: Stretch, turn: Sequence[int]) -> NDArray[np.float64]:
    """The lead of the seat after a turn and a round, in each of the worlds: (WORLDS,)."""
    games = []
    for world in range(WORLDS):
        game = stretch.start.determinize(stretch.seat, world)
        for action in turn:
            game.play(action)
        games.append(game)
    player, batch = make_scripted("greedy"), BatchGame.from_games(games)
    seat = stretch.start.seat_index(stretch.seat)
    live = _others_play(batch, seat)
    while live.size:
        actions = np.full(WORLDS, NO_ACTION, np.int64)
        actions[live] = player.search(batch, live)
        batch.step_unchecked(actions)
        live = _others_play(batch, seat)
    going: NDArray[np.bool_] = np.asarray(batch.masks.any(axis=1))
    return np.array(
        [player.values(batch, row).max() if going[row] else _margin(batch, row, seat) for row in range(WORLDS)]
    )


def _others_play(batch: BatchGame, seat: int) -> NDArray[np.intp]:
    """The rows in which another seat decides."""
    return np.flatnonzero(batch.masks.any(axis=1) & (batch.to_play != seat))


def _margin(batch: BatchGame, row: int, seat: int) -> float:
    """The final lead over the best of the others."""
    totals = batch.scores_of(batch.records[row : row + 1])[0, :, -1].astype(float)
    return float(totals[seat] - np.delete(totals, seat).max())


def _points(lead: float) -> str:
    """A lead in points, to half a point: the worlds do not bear more."""
    half = round(2 * lead) / 2
    return f"{half:+g}" if half else "0"


def _path(game: Game, action: int) -> list[str]:
    name = game.spec.actions.names[action]
    moves = table_of(game.spec).moves(game)
    return next((move["paths"][0] for move in moves if move["action"] == name), [])


REVIEWED = ReviewedGame(suspect=_suspect, weigh=weigh, judge=JUDGE, about=ABOUT, stretch=_turn)


SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def _label(key: str) -> str:
    """A figure by its name; the number of a tile by the tile's: "Tile A"; under "Points" what they are for."""
    tile = TILES.fullmatch(key)
    name = tile_name(tile[1]) if tile else RULE_WORDS.names[key]
    name = name.removeprefix("Points for ") if key.startswith("points.") else name
    return capital(name)


def _sentence(key: str, value: Any, ruleset: Ruleset) -> str:
    """What lies on a tile."""
    tile = TILES.fullmatch(key)
    if not tile:
        return ""
    data = ruleset.data.tiles[tile[1]]
    parts = ["A cloister"] if data.cloister else []
    parts += [f"a city on {_sides(city.sides)}{' with a shield' if city.shields else ''}" for city in data.cities]
    parts += [
        f"a road {'into a tunnel on' if road.opening is not None else 'on'} {_sides(road.sides)}" for road in data.roads
    ]
    return f"{capital('; '.join(parts))}." if parts else ""


def _sides(letters: str) -> str:
    return listed([SIDES[letter] for letter in letters])


def _pictures(ruleset: Ruleset) -> dict[str, DrawnPart]:
    """The tiles, and how many there are of each."""
    return {
        _label(f"tiles.{kind.name}.count"): DrawnPart(tile_svg(kind), f"{kind.count} tiles")
        for kind in ruleset.data.tile_types()
    }


DESIGNED = DesignedGame(
    units=(
        (r"players", "players"),
        (r"followers", "of each player"),
        (r"token_sets_.*", "sets of tokens of each player"),
        (r"points\..*|small_city", "points"),
        (r"table", "columns and rows"),
        (r"tiles\..*", "of them"),
    ),
    unsaid=(r"tiles\.\w+\.(?!count).*",),
    label=_label,
    values=RULE_WORDS.values,
    sentence=_sentence,
    pictures=_pictures,
    picture_style=STYLE,
    choices={"start_tile": lambda ruleset: [*ruleset.data.tiles]},
)
