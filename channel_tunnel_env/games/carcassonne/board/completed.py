"""The features that a decision or a turn completed, as pieces of the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.outside.sentences import counted
from channel_tunnel_env.outside.sentences import title as seat_title

_UNSCORED = ("claim", "token")  # the tile of the turn lies, and what it completes is not scored yet


@dataclass(frozen=True)
class Completed:
    """A road, city or cloister that has just been completed.

    Attributes:
        kind: CITY, ROAD or CLOISTER.
        nodes: its segments on the table.
        tiles: on which it lies.
        points: by seat; empty if it scored no points, or if it is not the only one of its kind.
    """

    kind: int
    nodes: tuple[int, ...]
    tiles: int
    points: dict[int, int]

    @property
    def words(self) -> str:
        """Such as "city of 4 tiles complete, 8 points for Player 0"."""
        size = "" if self.kind == c.CLOISTER else f" of {counted(self.tiles, 'tile')}"
        gains = ", ".join(f"{points} points for {seat_title(f'player_{seat}')}" for seat, points in self.points.items())
        return f"{c.KINDS[self.kind]}{size} complete" + (f", {gains}" if gains else "")


def completed(before: Game, after: Game) -> list[Completed]:
    """What is complete and scored after a decision and was not before it."""
    if not after.is_over and int(after.state.turn) == int(before.state.turn):
        return []  # scored at the end of a turn
    labels, kinds, scored = _features(after)
    known = _features(before)[2]
    new = scored.copy()
    new[: len(known)] &= ~known
    found = []
    for label in np.unique(labels[new]).tolist():
        nodes = np.flatnonzero(labels == label)
        tiles = len(np.unique(after.states[0]["node_tile"][nodes]))
        found.append((int(kinds[label]), tuple(nodes.tolist()), tiles))
    return [
        Completed(kind, nodes, tiles, _points(before, after, kind, [k for k, *_ in found]))
        for kind, nodes, tiles in found
    ]


def with_completed(games: Iterable[Game]) -> Iterator[tuple[Game, list[Completed]]]:
    """The positions of a game in order, each with what the last turn completed, until another tile lies.

    Args:
        games: from the first position on; may be one object that moves on.
    """
    begun: Game | None = None
    found: list[Completed] = []
    for game in games:
        if begun is None:
            begun = game.clone([])
        elif game.is_over or int(game.state.turn) != int(begun.state.turn):
            begun, found = game.clone([]), completed(begun, game)
        elif str(game.phase) in _UNSCORED:
            found = []
        yield game, found


def last_completed(game: Game) -> list[Completed]:
    """What the last turn completed, as the game's own decisions tell.

    Empty if they do not lead to it: a position without decisions, or luck that its seed does not deal.
    """
    try:
        again, found = list(with_completed(_positions(game)))[-1]
    except IllegalActionError:
        return []
    parts = ("tile_cell", "tile_type", "label")
    same = all(np.array_equal(again.states[part], game.states[part]) for part in parts)
    return found if same else []


def _positions(game: Game) -> Iterator[Game]:
    """The positions that a game's decisions lead through: one object that moves on."""
    if game.start is None:
        again = type(game)(game.ruleset, game.seed)
    else:
        again = type(game).adopt(game.start, game.ruleset)
    yield again
    for action in game.action_ids:
        yield again.play(action)


def _points(before: Game, after: Game, kind: int, kinds: list[int]) -> dict[int, int]:
    """What each seat gained by the only feature of a kind; at the end the final scoring is in it, too."""
    if kinds.count(kind) > 1 or after.is_over:
        return {}
    gained = after.states[0]["tally_points"][:, kind] - before.states[0]["tally_points"][:, kind]
    return {seat: int(points) for seat, points in enumerate(gained) if points > 0}


def _features(game: Game) -> tuple[Any, Any, Any]:
    """By node: the label of its feature, its kind, and whether its feature is complete and scored."""
    state: Any = game.states[0]
    count = int(state["tile_count"])
    nodes = int(state["first_node"][count])
    labels, types = state["label"][:nodes], game.ruleset.data.tile_types()
    kinds = np.array([s.kind for number in state["tile_type"][:count].tolist() for s in types[number].segments])
    scored = np.isin(kinds, (c.CITY, c.ROAD)) & (state["open"][labels] == 0)
    monks = np.flatnonzero(kinds == c.CLOISTER)
    cells = state["tile_cell"][:count]
    filled = [len(_around(cells, state["node_tile"][node])) for node in monks]
    scored[monks] = np.array(filled, int) == 1 + c.FILLED_AROUND
    if not game.is_over and str(game.phase) in _UNSCORED:
        scored &= ~_unscored(state, labels, kinds, count)
    return labels, kinds, scored


def _unscored(state: Any, labels: Any, kinds: Any, count: int) -> Any:
    """The nodes of features that this turn's tile or token touches."""
    last = count - 1
    touched = set(labels[int(state["first_node"][last]) :].tolist())
    if state["mouth"] >= 0:
        touched.add(int(labels[state["mouth_node"][state["mouth"]]]))
    near = _around(state["tile_cell"][:count], last)
    beside = (kinds == c.CLOISTER) & np.isin(state["node_tile"][: len(labels)], near)
    return np.isin(labels, list(touched)) | beside


def _around(cells: Any, number: int) -> Any:
    """The numbers of the tiles in the nine cells around a tile, itself included."""
    apart = []
    for part in (cells % c.WIDTH, cells // c.WIDTH):
        steps = (part - part[number]) % c.WIDTH
        apart.append(np.minimum(steps, c.WIDTH - steps) <= 1)
    return np.flatnonzero(apart[0] & apart[1])
