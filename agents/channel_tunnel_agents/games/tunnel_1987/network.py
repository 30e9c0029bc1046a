"""A network shaped like the game: what holds for one colour or slot holds for every other.

Its entities are the five colours, the five spaces with their cards, the pairs of both (a stack of a
colour on a space) and the cards out of sight. Entities of a kind share their weights, so that
renaming colours or slots renames the answers and leaves the value as it is. Water is a colour with
a weight of its own; the two fixed spaces are kinds of their own. Both seats and all rulesets go
through one trunk: side and rules are part of what it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import nn

from channel_tunnel_agents.games.spec import NetworkParts
from channel_tunnel_agents.players.policy.network import layers_of
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, SECTION_BY_NAME

FIXED_SPACES = c.NUM_SPACES - c.NUM_SLOTS
KEEPS = c.MAX_DISCS_PER_COLOUR + 1  # answers per colour on passing
KEY = 8  # size of the vectors whose product says how two colours go together
PLACES_OF_CARDS = 4  # deck, discard, own money, rival's money


def _at(name: str, *places: int | Iterable[int]) -> list[int]:
    """Indices into the observation of some entries of a section."""
    start = SECTION_BY_NAME[name].start
    return [start + k for p in places for k in ([p] if isinstance(p, int) else p)]


def _colour_entries(colour: int) -> list[int]:
    discs = range(c.MAX_DISCS_PER_COLOUR * colour, c.MAX_DISCS_PER_COLOUR * (colour + 1))
    ahead = range(colour, c.MAX_ROUTE * (c.NUM_COLOURS + 1), c.NUM_COLOURS + 1)
    both = (colour, c.NUM_COLOURS + colour)
    found = _at("own_discs", discs) + _at("rival_discs", discs)
    found += _at("own_route", ahead) + _at("rival_route", ahead)
    for name in ("topographical", "storage"):
        found += _at(name, *both)
    alone = ("bag", "unseen_tokens", "unseen_symbols", "placed_rubble", "keep")
    return found + [i for name in (*alone, "rule_tokens", "rule_symbols") for i in _at(name, colour)]


def _pair_entries(s: int, colour: int) -> list[int]:
    at = s * 2 * c.NUM_COLOURS + colour
    found = _at("spaces", at)
    for name in ("own_placements", "rival_placements"):
        found += _at(name, at, at + c.NUM_COLOURS)
    return found


def _space_entries(s: int) -> list[int]:
    heights = range(s * 10 + c.NUM_COLOURS, (s + 1) * 10)
    return _at("spaces", heights) + _at("used_space", s) + _at("closing", s, c.NUM_SPACES + s)


def _slot_entries(k: int) -> list[int]:
    size = SECTION_BY_NAME["display"].size // c.NUM_SLOTS
    shown = _at("display", range(k * size, (k + 1) * size))
    return shown + _at("action_slot", k) + _at("display_points", k)


COLOUR = np.array([_colour_entries(colour) for colour in range(c.NUM_COLOURS)])
PAIR = np.array([[_pair_entries(s, colour) for colour in range(c.NUM_COLOURS)] for s in range(c.NUM_SPACES)])
SPACE = np.array([_space_entries(s) for s in range(c.NUM_SPACES)])
SLOT = np.array([_slot_entries(k) for k in range(c.NUM_SLOTS)])
CARD = np.array(
    [
        _at("unseen_cards", i) + _at("money_cards", i) + _at("rule_cards", range(5 * i, 5 * i + 5))
        for i in range(c.MAX_CARDS)
    ]
)
ENTITIES = (COLOUR, PAIR, SPACE, SLOT, CARD)
REST = np.setdiff1d(np.arange(OBSERVATION_SIZE), np.concatenate([e.ravel() for e in ENTITIES]))
assert len(REST) + sum(e.size for e in ENTITIES) == OBSERVATION_SIZE
_SHAPES = [e.shape for e in ENTITIES]
_SIZES = [*(e.size for e in ENTITIES), len(REST)]
_COUNTS = (c.NUM_COLOURS, c.NUM_SPACES, c.NUM_SPACES * c.NUM_COLOURS)  # entities of each kind
_CARD_FIGURES = c.NUM_CARD_KINDS + 3  # kind, points, cost, money

# The ids that the head's parts answer, in its order; the rest of the ids are answered together.
_PLACE = range(a.PLACE, a.PLACE + PAIR[..., 0].size * 2)
_KEEP = range(a.KEEP_0, a.KEEP_0 + KEEPS * c.NUM_COLOURS)
_RUBBLE = range(a.RUBBLE_0, a.RUBBLE_0 + c.NUM_COLOURS)
_PAY = range(a.PAY_0, a.PAY_0 + len(a.PAY_FIRST))
_EXCHANGE = range(a.EXCHANGE_0, a.EXCHANGE_0 + len(a.EXCHANGE_GIVE))
_CARDS = [at + k for k in range(c.NUM_SLOTS) for at in (a.TAKE_SLOT, a.DEVELOP_SLOT)]
SHAPED = [*_PLACE, *_KEEP, *_RUBBLE, *_PAY, *_EXCHANGE, *_CARDS]
OTHERS = sorted(set(range(a.NUM_ACTIONS)) - set(SHAPED))


def _both(first: Sequence[int], second: Sequence[int]) -> np.ndarray:
    """Places of pairs of colours in a flattened table of all pairs."""
    return np.asarray(first, np.int64) * c.NUM_COLOURS + np.asarray(second, np.int64)


def entity_width(width: int) -> int:
    """Numbers that describe one entity."""
    return max(4, width // 8)


class Pairs(nn.Module):
    """Every pair of a space and a colour, from what it is itself and from both."""

    def __init__(self, inputs: int, size: int) -> None:
        super().__init__()
        self.own = nn.Linear(inputs, size)
        self.of_colour = nn.Linear(size, size, bias=False)
        self.of_space = nn.Linear(size, size, bias=False)

    def forward(self, pairs: torch.Tensor, colours: torch.Tensor, spaces: torch.Tensor) -> torch.Tensor:
        """float (n, 5, 5, inputs), (n, 5, size), (n, 5, size) -> (n, space, colour, size)."""
        of_colour, of_space = self.of_colour(colours)[:, None], self.of_space(spaces)[:, :, None]
        return self.own(pairs).add_(of_colour).add_(of_space).relu_()  # in place saves a tenth of a pass


class GameTrunk(nn.Module):
    """Entities, what they are to each other, the whole, and what the whole is to them.

    The features are those of the whole, then of the colours, the spaces and the pairs.

    Args:
        width: numbers that describe the whole; an entity has an eighth of it.
        depth: layers over the whole.
    """

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        size = entity_width(width)
        self.features = width + size * sum(_COUNTS)
        self.colour = nn.Linear(COLOUR.shape[-1], size)
        self.water = nn.Parameter(torch.zeros(size))
        self.space = nn.Linear(SPACE.shape[-1], size)
        self.fixed = nn.Parameter(torch.zeros(FIXED_SPACES, size))
        self.slot = nn.Linear(SLOT.shape[-1], size)
        self.pairs = Pairs(PAIR.shape[-1], size)
        inputs = len(REST) + PLACES_OF_CARDS * _CARD_FIGURES + 2 * size * (2 + FIXED_SPACES + 1)
        self.whole = layers_of(inputs, width, depth)
        self.to_entities = nn.Linear(width, 2 * size, bias=False)
        self.colour_again = nn.Linear(2 * size, size)
        self.space_again = nn.Linear(2 * size, size)
        self.pairs_again = Pairs(size, size)
        order = np.concatenate([*(e.ravel() for e in ENTITIES), REST])
        self.register_buffer("order", torch.from_numpy(order), persistent=False)
        kinds = torch.arange(1, c.NUM_CARD_KINDS + 1.0) / c.NUM_CARD_KINDS
        self.register_buffer("kinds", kinds, persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, features)."""
        parts = observations.index_select(1, self.order).split(_SIZES, dim=1)
        colour, pair, space, slot, card = (
            part.reshape(-1, *shape) for part, shape in zip(parts, _SHAPES, strict=False)
        )
        colours, spaces = self._first_look(colour, space, slot)
        pairs = self.pairs(pair, colours, spaces)
        colours = torch.cat([colours, pairs.mean(1)], 2)
        spaces = torch.cat([spaces, pairs.mean(2)], 2)
        seen = [parts[-1], self._cards(card), colours[:, 0], colours[:, 1:].mean(1)]
        seen += [spaces[:, :FIXED_SPACES].flatten(1), spaces[:, FIXED_SPACES:].mean(1)]
        whole = self.whole(torch.cat(seen, 1))
        to_colour, to_space = self.to_entities(whole)[:, None].chunk(2, 2)
        colours = self.colour_again(colours).add_(to_colour).relu_()
        spaces = self.space_again(spaces).add_(to_space).relu_()
        pairs = self.pairs_again(pairs, colours, spaces)
        return torch.cat([whole, colours.flatten(1), spaces.flatten(1), pairs.flatten(1)], 1)

    def _first_look(
        self, colour: torch.Tensor, space: torch.Tensor, slot: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Colours and spaces by themselves, each (n, 5, size)."""
        colours, spaces, cards = self.colour(colour), self.space(space), self.slot(slot)
        water, fixed = self.water.to(colours.dtype), self.fixed.to(spaces.dtype)
        colours = torch.cat([colours[:, :1] + water, colours[:, 1:]], 1)
        spaces = torch.cat([spaces[:, :FIXED_SPACES] + fixed, spaces[:, FIXED_SPACES:] + cards], 1)
        return torch.relu(colours), torch.relu(spaces)

    def _cards(self, card: torch.Tensor) -> torch.Tensor:
        """The cards in the deck, in the discard and below each board: how many of each kind, and their points,
        costs and money: (n, 4 * figures)."""
        unseen, money, kind, *figures = card.unbind(2)
        places = torch.stack([unseen == 1, unseen == 0.5, money == 1, money == 0.5], 1)
        is_kind = (kind[..., None] - self.kinds).abs() < 1e-3
        figures = torch.cat([is_kind.to(card.dtype), torch.stack(figures[:3], 2)], 2)
        return torch.bmm(places.to(figures.dtype), figures).flatten(1) / c.NUM_CARD_KINDS


class GameHead(nn.Module):
    """Logits from the features of `GameTrunk`: every colour, slot and pair by the same weights."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width, self.size = width, entity_width(width)
        self.place = nn.ModuleList(nn.Linear(self.size, 2) for _ in range(FIXED_SPACES + 1))
        # On passing, as rubble, paid twice, paid with another, given, taken.
        self.colour = nn.Linear(self.size, KEEPS + 5)
        self.key = nn.Linear(self.size, 3 * KEY)
        self.slot = nn.Linear(self.size, 2)
        self.others = nn.Linear(width, len(OTHERS))
        self.register_buffer("same", torch.eye(c.NUM_COLOURS).bool(), persistent=False)
        for name, pair in (("paid", (a.PAY_FIRST, a.PAY_SECOND)), ("swapped", (a.EXCHANGE_GIVE, a.EXCHANGE_TAKE))):
            self.register_buffer(name, torch.from_numpy(_both(*pair)), persistent=False)
        ids = np.argsort([*SHAPED, *OTHERS])
        self.register_buffer("ids", torch.from_numpy(ids), persistent=False)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """float (n, features) -> float (n, A)."""
        parts = features.split([self.width, *(self.size * n for n in _COUNTS)], dim=1)
        whole, colours, spaces, pairs = (parts[0], *(p.unflatten(1, (-1, self.size)) for p in parts[1:]))
        pairs = pairs.unflatten(1, (c.NUM_SPACES, c.NUM_COLOURS))
        places = [head(pairs[:, k : k + 1]) for k, head in enumerate(self.place[:FIXED_SPACES])]
        places += [self.place[FIXED_SPACES](pairs[:, FIXED_SPACES:])]
        placed = torch.cat(places, 1).transpose(2, 3).flatten(1)  # space, option, colour
        logits = [placed, *self._of_colours(colours), self.slot(spaces[:, FIXED_SPACES:]).flatten(1)]
        return torch.cat([*logits, self.others(whole)], 1).index_select(1, self.ids)

    def _of_colours(self, colours: torch.Tensor) -> list[torch.Tensor]:
        """Logits of keeping, rubble, payments and exchanges."""
        alone = self.colour(colours)
        rubble, twice, paid, given, taken = alone[..., KEEPS:].unbind(2)
        pay, give, take = self.key(colours).chunk(3, 2)
        together = paid[:, :, None] + paid[:, None] + pay @ pay.transpose(1, 2)
        both = torch.where(self.same, twice[..., None], together)
        swap = given[:, :, None] + taken[:, None] + give @ take.transpose(1, 2)
        return [
            alone[..., :KEEPS].flatten(1),
            rubble,
            both.flatten(1).index_select(1, self.paid),
            swap.flatten(1).index_select(1, self.swapped),
        ]


PARTS = NetworkParts(GameTrunk, GameHead)
