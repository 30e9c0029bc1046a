"""A network shaped like Carcassonne: every place of a tile is judged by the same weights.

A place is a cell and a turn. What its four sides show is read from the tile's own north on, so turning
the whole table changes nothing: the score of a place depends on what meets the tile's sides, not on where
it lies. A cell is as likely as its turns together. Followers and seats are summed, so the same weights
play with any number of seats.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from channel_tunnel_agents.games.spec import NetworkParts
from channel_tunnel_agents.players.policy.network import layers_of
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.observation import (
    SECTION_BY_NAME,
    SEEN_CELLS,
    SIDE_COLUMNS,
    observation_size,
    offset,
)

_CELLS = SECTION_BY_NAME["cells"]
_PRESENT, _ID = _CELLS.columns.index("present"), _CELLS.columns.index("id / 1024")
_FITS, _CHOSEN = _CELLS.columns.index("fits turned 0"), _CELLS.columns.index("chosen")
_AROUND = _CELLS.columns.index("tiles around / 8")
_SIDES = _CELLS.columns.index("n city")
_TILE = c.MAX_TYPES
_LAID = len(SECTION_BY_NAME["laid"].columns)
_FLAT = ("phase", "clock", "rules", "robber", "tile", "bag", "openings")
_FIGURES = len(SECTION_BY_NAME["seats"].columns)
_FOLLOWER = len(SECTION_BY_NAME["followers"].columns)
_PLACE = len(SIDE_COLUMNS) * c.NUM_SIDES + (_CHOSEN - _AROUND) + _TILE
_NEVER = -1e8  # the score of a place that does not exist
# Sides of the cell in the order of the tile's own sides, for each turn.
_TURNED = np.array([[(side + turn) % 4 for side in range(4)] for turn in range(4)])


def entity_width(width: int) -> int:
    """Numbers that describe one place, follower or feature."""
    return max(8, width // 4)


class CarcassonneTrunk(nn.Module):
    """The places and followers, the whole, and a score for every place and every claim.

    The features are those of the whole, then the rows' cells, the scores of their four turns, whether a row
    is the cell chosen, and the scores of the thirteen claims.

    Args:
        width: numbers that describe the whole; a place has a quarter of it.
        depth: layers over the whole.
    """

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        size = entity_width(width)
        self.features = width + SEEN_CELLS * (2 + c.NUM_SIDES) + c.NUM_PLACES
        self.place = nn.Linear(_PLACE, size)
        self.follower = nn.Linear(_FOLLOWER, size)
        self.claim = nn.Linear(_LAID + _TILE + c.NUM_PLACES, size)
        flat = sum(SECTION_BY_NAME[name].size(c.MIN_SEATS) for name in _FLAT)
        inputs = flat + 2 * _FIGURES + 2 * size + 2 * size + size
        self.whole = layers_of(inputs, width, depth)
        self.place_again = nn.Linear(size, size)
        self.claim_again = nn.Linear(size, size)
        self.to_place = nn.Linear(width, size, bias=False)
        self.to_claim = nn.Linear(width, size, bias=False)
        self.score_place = nn.Linear(size, 1)
        self.score_claim = nn.Linear(size, 1)
        self.register_buffer("turned", torch.from_numpy(_TURNED), persistent=False)
        self.register_buffer("claims", torch.eye(c.NUM_PLACES), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, features)."""
        players = _players(observations.shape[1])

        def section(name: str) -> torch.Tensor:
            start = offset(name, players)
            return observations[:, start : start + SECTION_BY_NAME[name].size(players)]

        cells = section("cells").unflatten(1, (SEEN_CELLS, -1))
        tile = section("tile")[:, :_TILE]
        rows = cells[:, :, _PRESENT].nonzero()
        owner, places = rows[:, 0], self._places(cells[rows[:, 0], rows[:, 1]], tile, rows[:, 0])
        fits = cells[rows[:, 0], rows[:, 1], _FITS : _FITS + c.NUM_SIDES]
        laid = section("laid").unflatten(1, (c.NUM_PLACES, -1))
        claims = self._claims(laid, tile)
        flat = torch.cat([section(name) for name in _FLAT], 1)
        seats = section("seats").unflatten(1, (players, -1))
        men = torch.relu(self.follower(section("followers").unflatten(1, (players, -1, _FOLLOWER))))
        men = men * section("followers").unflatten(1, (players, -1, _FOLLOWER))[..., :1]
        seen = [flat, seats[:, 0], seats[:, 1:].mean(1)]
        seen += [men[:, 0].sum(1), men[:, 1:].sum((1, 2)), self._best_places(places, fits, owner, flat.shape[0])]
        whole = self.whole(torch.cat([*seen, (claims * laid[..., :1]).sum(1)], 1))
        place_scores = self._score_places(places, whole, owner)
        again = torch.relu(self.claim_again(claims) + self.to_claim(whole)[:, None])
        return torch.cat(
            [
                whole,
                cells[:, :, _ID],
                cells[:, :, _CHOSEN],
                self._spread(place_scores, fits, rows, cells).flatten(1),
                self.score_claim(again)[..., 0],
            ],
            1,
        )

    def _places(self, cells: torch.Tensor, tile: torch.Tensor, owner: torch.Tensor) -> torch.Tensor:
        """Rows (m, columns) of cells -> (m, turn, size)."""
        sides = cells[:, _SIDES:].unflatten(1, (c.NUM_SIDES, -1))[:, self.turned].flatten(2)
        rest = torch.cat([cells[:, _AROUND:_CHOSEN], tile[owner]], 1)
        rest = rest[:, None].expand(-1, c.NUM_SIDES, -1)
        return torch.relu(self.place(torch.cat([sides, rest], 2)))

    def _claims(self, laid: torch.Tensor, tile: torch.Tensor) -> torch.Tensor:
        """Features of the tile just laid (n, 13, columns) -> (n, 13, size)."""
        n = laid.shape[0]
        parts = [laid, tile[:, None].expand(-1, c.NUM_PLACES, -1), self.claims.expand(n, -1, -1)]
        return torch.relu(self.claim(torch.cat(parts, 2)))

    def _best_places(self, places: torch.Tensor, fits: torch.Tensor, owner: torch.Tensor, n: int) -> torch.Tensor:
        """The mean and the largest of each number over the places where the tile fits: (n, 2 size)."""
        size = places.shape[-1]
        fitting = places * fits[..., None]
        sums = fitting.new_zeros(n, size).index_add(0, owner, fitting.sum(1))
        counts = fits.new_zeros(n).index_add(0, owner, fits.sum(1)).clamp(min=1)
        most = fitting.amax(1)
        at = owner[:, None].expand(-1, size)
        most = most.new_zeros(n, size).scatter_reduce(0, at, most, "amax", include_self=True)
        return torch.cat([sums / counts[:, None], most], 1)

    def _score_places(self, places: torch.Tensor, whole: torch.Tensor, owner: torch.Tensor) -> torch.Tensor:
        """(m, turn)."""
        again = torch.relu(self.place_again(places) + self.to_place(whole)[owner][:, None])
        scores: torch.Tensor = self.score_place(again)[..., 0]
        return scores

    def _spread(
        self, scores: torch.Tensor, fits: torch.Tensor, rows: torch.Tensor, cells: torch.Tensor
    ) -> torch.Tensor:
        """The scores (m, turn) at their rows, `_NEVER` elsewhere: (n, row, turn)."""
        scores = torch.where(fits > 0, scores, _NEVER)
        empty = scores.new_full((*cells.shape[:2], c.NUM_SIDES), _NEVER)
        return empty.index_put((rows[:, 0], rows[:, 1]), scores)


class CarcassonneHead(nn.Module):
    """Logits from the features of `CarcassonneTrunk`."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.claims = nn.Linear(width, c.NUM_PLACES + 1)
        self.tokens = nn.Linear(width, c.NUM_ACTIONS - c.FIRST_TOKEN)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """float (n, features) -> float (n, A)."""
        n = features.shape[0]
        sizes = [self.width, SEEN_CELLS, SEEN_CELLS, SEEN_CELLS * c.NUM_SIDES, c.NUM_PLACES]
        whole, ids, chosen, scores, claimed = features.split(sizes, dim=1)
        scores = scores.unflatten(1, (SEEN_CELLS, c.NUM_SIDES))
        ids = (ids * c.NUM_CELLS).round().long()
        # Rows without a cell say cell 0, which may be another row's: the larger score stays.
        cells = scores.new_full((n, c.NUM_CELLS), _NEVER)
        cells = cells.scatter_reduce(1, ids, scores.logsumexp(2), "amax")
        turns = (scores * chosen[..., None]).sum(1)
        claims = self.claims(whole)
        claims = torch.cat([claims[:, :-1] + claimed, claims[:, -1:]], 1)
        return torch.cat([cells, turns, claims, self.tokens(whole)], 1)


def _players(size: int) -> int:
    """The number of seats in an observation of this size."""
    sizes = [observation_size(players) for players in range(c.MIN_SEATS, c.MAX_SEATS + 1)]
    return c.MIN_SEATS + sizes.index(size)


PARTS = NetworkParts(CarcassonneTrunk, CarcassonneHead)
