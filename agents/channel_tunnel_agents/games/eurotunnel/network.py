"""A network shaped like Eurotunnel Diplomacy: an action is judged by what it is about.

Every province is described by the same weights and a vector of its own, then by its neighbours: one half of the
numbers goes along the borders of armies, the other along those of fleets, by matrices that begin as these borders
and are learned. An id of the 3,531 is judged from its features, its kind, source and destination: a query of the
kind, made from the whole and the unit asked, times the key of the province, and for supports and convoys the two
ends against each other. So what is learned of a support in one place holds in another, and for another unit.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from torch import nn

from channel_tunnel_agents.games.spec import NetworkParts
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import observation as seen
from channel_tunnel_env.games.eurotunnel.provinces import load_board

KEY = 32  # numbers of a province that a kind of action asks for
PAIR = 16  # numbers of each end that go into a pair
_PLACES = c.NUM_PROVINCES
_PLACED = (  # kinds of one place; behind them the queries for both ends of supports and convoys
    c.MOVE,
    c.VIA,
    c.TUNNEL,
    c.DIG,
    c.SUPPORT_HOLD,
    c.RETREAT,
    c.RETREAT_TUNNEL,
    c.BUILD_ARMY,
    c.BUILD_FLEET,
    c.REMOVE,
)
_PAIRED = (c.SUPPORT_MOVE, c.CONVOY)
_ONE_PLACE, _NO_PLACE = -1, -2  # in place of a kind
_QUERIES = len(_PLACED) + 2 * len(_PAIRED)
_SECTIONS = (
    seen.BOARD,
    seen.LAST,
    seen.OWN,
    seen.ASKED,
    seen.ASKED + _PLACES,
    seen.TUNNELS,
    seen.PERMISSIONS,
    seen.HOLDING,
    seen.NUMBERS,
    seen.OBSERVATION_SIZE,
)
_SIZES = [end - start for start, end in pairwise(_SECTIONS)]
_PLACE = seen.BOARD_WIDTH + seen.LAST_WIDTH + seen.OWN_WIDTH + 1 + seen.PAIR_WIDTH + c.NUM_POWERS
_FLAT = 2 + c.MAX_TUNNELS * c.NUM_POWERS + (seen.OBSERVATION_SIZE - seen.NUMBERS)


def entity_width(width: int) -> int:
    """Numbers that describe one province; even."""
    return max(8, width // 8 * 2)


def _ends() -> torch.Tensor:
    """float (213, 75): 1 where a pair of tunnel ends touches a province."""
    found = torch.zeros(c.NUM_PAIRS, _PLACES)
    for row, ends in zip(found, load_board().pairs, strict=True):
        row[list(ends)] = 1
    return found


def _borders() -> torch.Tensor:
    """float (2, 75, 75): for armies and fleets, each province's neighbours with equal weights and sum 1."""
    board = load_board()
    found = torch.zeros(2, _PLACES, _PLACES)
    for kind, steps in board.steps.items():
        for place, others in enumerate(steps):
            for other in others:
                found[kind - 1, board.province_of[place], board.province_of[other]] = 1
    return found / found.sum(2, keepdim=True).clamp(min=1)


def _source_columns() -> list[np.ndarray]:
    """The places of the scores of ids: of kinds of one place, of supports and of convoys; and the order of all ids."""
    province = load_board().province_of
    columns: dict[int, list[int]] = {kind: [] for kind in (_ONE_PLACE, *_PAIRED)}
    ids: dict[int, list[int]] = {kind: [] for kind in (*columns, _NO_PLACE)}
    for number, action in enumerate(all_actions()):
        if action.kind in _PLACED:
            at = action.src if action.dst == c.NONE else province[action.dst]
            columns[_ONE_PLACE].append(_PLACED.index(action.kind) * _PLACES + at)
            ids[_ONE_PLACE].append(number)
        elif action.kind in _PAIRED:
            columns[action.kind].append(action.src * _PLACES + province[action.dst])
            ids[action.kind].append(number)
        else:
            ids[_NO_PLACE].append(number)
    order = np.argsort(np.concatenate([*ids.values()]))
    return [*(np.array(found) for found in columns.values()), order]


_COLUMNS = _source_columns()
_OTHERS = c.NUM_ACTIONS - sum(len(columns) for columns in _COLUMNS[:-1])


class Round(nn.Module):
    """What a province learns from its neighbours. Provinces come first: float (75, n, size)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.borders = nn.Parameter(_borders())
        self.both = nn.Linear(2 * size, size)
        self.norm = nn.LayerNorm(size)

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        """float (75, n, size) -> float (75, n, size)."""
        borders = self.borders.to(places.dtype)
        near = [
            (matrix @ half.flatten(1)).view_as(half) for matrix, half in zip(borders, places.chunk(2, 2), strict=True)
        ]
        found: torch.Tensor = self.norm(places + torch.relu(self.both(torch.cat([places, *near], 2))))
        return found


class EurotunnelTrunk(nn.Module):
    """Provinces, what they are to each other, and the whole.

    The features are those of the whole, of the province of the unit asked, and of every province a key and its part
    in pairs, as source and as destination.

    Args:
        width: numbers that describe the whole; a province has a quarter of it.
        depth: rounds in which provinces look at their neighbours.
    """

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        size = entity_width(width)
        self.features = width + size + _PLACES * (KEY + 2 * PAIR)
        self.place = nn.Linear(_PLACE, size)
        self.flat = nn.Linear(_FLAT, size, bias=False)
        self.own = nn.Parameter(0.1 * torch.randn(_PLACES, 1, size))
        self.rounds = nn.ModuleList(Round(size) for _ in range(depth))
        self.whole = nn.Sequential(nn.Linear(_FLAT + 3 * size, width), nn.LayerNorm(width), nn.ReLU())
        self.keys = nn.Linear(size, KEY + 2 * PAIR)
        self.register_buffer("ends", _ends(), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, features)."""
        board, last, own, asked, kind, tunnels, permits, held, numbers = observations.split(_SIZES, dim=1)
        ends = tunnels.unflatten(1, (c.NUM_PAIRS, -1)).transpose(1, 2) @ self.ends
        parts = [part.unflatten(1, (_PLACES, -1)) for part in (board, last, own, asked, held)]
        flat = torch.cat([kind, permits, numbers], 1)
        seen_there = torch.cat([*parts, ends.transpose(1, 2)], 2).transpose(0, 1)
        places = torch.relu(self.place(seen_there) + self.flat(flat) + self.own)
        for look in self.rounds:
            places = look(places)
        unit = (places * asked.t()[..., None]).sum(0)
        whole = self.whole(torch.cat([flat, places.mean(0), places.amax(0), unit], 1))
        keys = self.keys(places).transpose(0, 1).flatten(1)
        return torch.cat([whole, unit, keys], 1)


class EurotunnelHead(nn.Module):
    """Logits from the features of `EurotunnelTrunk`, by the kind, source and destination of each id."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.asking = width + entity_width(width)
        self.queries = nn.Linear(self.asking, _QUERIES * KEY)
        self.gates = nn.Linear(self.asking, len(_PAIRED) * PAIR)
        self.others = nn.Linear(self.asking, _OTHERS)
        self.bias = nn.Parameter(torch.zeros(c.NUM_ACTIONS))
        for name, columns in zip(("placed", "supports", "convoys", "ids"), _COLUMNS, strict=True):
            self.register_buffer(name, torch.from_numpy(columns), persistent=False)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """float (n, features) -> float (n, A)."""
        asking = features[:, : self.asking]
        places = features[:, self.asking :].unflatten(1, (_PLACES, -1))
        keys, sources, goals = places.split([KEY, PAIR, PAIR], dim=2)
        queries = self.queries(asking).unflatten(1, (_QUERIES, KEY))
        scores = queries @ keys.transpose(1, 2)
        placed, ends = scores.split([len(_PLACED), 2 * len(_PAIRED)], dim=1)
        gates = self.gates(asking).unflatten(1, (len(_PAIRED), 1, PAIR))
        pairs = [
            ((sources * gates[:, k]) @ goals.transpose(1, 2) + ends[:, 2 * k, :, None] + ends[:, 2 * k + 1, None])
            .flatten(1)
            .index_select(1, columns)
            for k, columns in enumerate((self.supports, self.convoys))
        ]
        placed = placed.flatten(1).index_select(1, self.placed)
        logits = torch.cat([placed, *pairs, self.others(asking)], 1).index_select(1, self.ids)
        return logits + self.bias


PARTS = NetworkParts(EurotunnelTrunk, EurotunnelHead)
