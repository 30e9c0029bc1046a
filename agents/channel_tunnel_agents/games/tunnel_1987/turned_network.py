"""The network shaped like the game for many positions at once: the sums of `network`, with the positions side by side.

A graph of `network` itself spends most of its time on moving numbers: a position's entities lie apart, and each is cut
out, broadcast and put back row by row. Here every array ends in the positions, so that what belongs to one entity of all
of them is a run of memory: cutting and joining copy runs, and one product serves every entity of a kind. The answers are
picked at the end, all at once. For a few positions the runs are short, and `network` itself is quicker.

Arrays of entities are (numbers, entities, n), those of the whole (n, numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from channel_tunnel_agents.games.tunnel_1987.network import (
    CARD,
    COLOUR,
    FIXED_SPACES,
    KEEPS,
    OTHERS,
    PAIR,
    REST,
    SHAPED,
    SLOT,
    SPACE,
    GameHead,
    GameTrunk,
    Pairs,
)
from channel_tunnel_agents.players.policy.network import WholeValue, bounded
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

_SLOT_SPACES = SPACE[FIXED_SPACES:]
_ENTRIES = {
    "rest": REST,
    "colour": COLOUR.T,
    "pair": np.moveaxis(PAIR, 2, 0),
    "fixed": SPACE[:FIXED_SPACES].T,
    "slot": np.concatenate([_SLOT_SPACES.T, SLOT.T]),
}
"""Places in an observation, entities last."""
_OF_A_CARD = 0, 1, slice(2, None)  # whether out of sight, whether below a board, its rules
Parts = Sequence[torch.Tensor]


class TurnedNetwork(nn.Module):
    """A policy's trunk and heads, with the weights by their own names.

    Args:
        trunk, policy, value: the parts of a `SeatPolicy` with the network `game`.
    """

    def __init__(self, trunk: GameTrunk, policy: GameHead, value: WholeValue) -> None:
        super().__init__()
        self.trunk, self.policy, self.value = trunk, policy, value
        for name, entries in _ENTRIES.items():
            places = torch.from_numpy(np.ascontiguousarray(entries).ravel())
            self.register_buffer(f"at_{name}", places, persistent=False)
        self.register_buffer("answers", torch.from_numpy(_answers()), persistent=False)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """float (n, D) -> logits (n, A), values (n,), -1 to 1."""
        turned = observations.t()
        seen = {
            name: turned.index_select(0, getattr(self, f"at_{name}")).unflatten(0, entries.shape)
            for name, entries in _ENTRIES.items()
        }
        seen["cards"] = self._cards(observations).t()
        whole, colours, spaces, pairs = self._features(seen)
        return self._logits(whole, colours, spaces, pairs), bounded(self.value(whole)[:, 0])

    # --- the trunk --------------------------------------------------------------------------------

    def _features(self, seen: dict[str, torch.Tensor]) -> Parts:
        """The whole, colours, spaces and pairs."""
        trunk = self.trunk
        colours, spaces = self._first_look(seen)
        pairs = _pairs(trunk.pairs, seen["pair"], colours, spaces)
        colours = torch.cat([colours, pairs.mean(1)])
        spaces = torch.cat([spaces, pairs.mean(2)])
        known = [seen["rest"], seen["cards"], colours[:, 0], colours[:, 1:].mean(1)]
        known += [spaces[:, k] for k in range(FIXED_SPACES)]
        known.append(spaces[:, FIXED_SPACES:].mean(1))
        whole = trunk.whole(torch.cat(known).t())
        to_colour, to_space = (trunk.to_entities.weight @ whole.t())[:, None].chunk(2)
        colours = torch.relu(_linear(trunk.colour_again, colours) + to_colour)
        spaces = torch.relu(_linear(trunk.space_again, spaces) + to_space)
        return whole, colours, spaces, _pairs(trunk.pairs_again, pairs, colours, spaces)

    def _first_look(self, seen: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """Colours and spaces by themselves."""
        trunk = self.trunk
        water = nn.functional.pad(trunk.water[:, None], (0, c.NUM_COLOURS - 1))
        colours = _product(trunk.colour.weight, seen["colour"])
        colours = colours + (trunk.colour.bias[:, None] + water)[..., None]
        fixed = _product(trunk.space.weight, seen["fixed"])
        fixed = fixed + (trunk.space.bias[:, None] + trunk.fixed.t())[..., None]
        both = torch.cat([trunk.space.weight, trunk.slot.weight], 1)
        slots = _product(both, seen["slot"]) + (trunk.space.bias + trunk.slot.bias)[:, None, None]
        return torch.relu(colours), torch.relu(torch.cat([fixed, slots], 1))

    def _cards(self, observations: torch.Tensor) -> torch.Tensor:
        """See `GameTrunk._cards`; the one sum that is another for every position."""
        unseen, money, rules = (_columns(observations, CARD[:, at]) for at in _OF_A_CARD)
        places = torch.stack([unseen == 1, unseen == 0.5, money == 1, money == 0.5], 1)
        figures = rules.unflatten(1, (len(CARD), -1))
        is_kind = (figures[..., :1] - self.trunk.kinds).abs() < 1e-3
        figures = torch.cat([is_kind.to(figures.dtype), figures[..., 1:4]], 2)
        return torch.bmm(places.to(figures.dtype), figures).flatten(1) / c.NUM_CARD_KINDS

    # --- the answers ------------------------------------------------------------------------------

    def _logits(self, whole: torch.Tensor, *entities: torch.Tensor) -> torch.Tensor:
        head, (colours, spaces, pairs) = self.policy, entities
        placed = _product(torch.cat([one.weight for one in head.place]), pairs)
        placed = placed + torch.cat([one.bias for one in head.place])[:, None, None, None]
        alone = _linear(head.colour, colours)
        paid, given, taken = alone[KEEPS + 2], alone[KEEPS + 3], alone[KEEPS + 4]
        pay, give, take = _linear(head.key, colours).chunk(3)
        answers = [
            placed,
            alone,
            paid[:, None] + paid + (pay[:, :, None] * pay[:, None]).sum(0),
            given[:, None] + taken + (give[:, :, None] * take[:, None]).sum(0),
            _linear(head.slot, spaces),
        ]
        others = head.others.weight @ whole.t() + head.others.bias[:, None]
        every = torch.cat([*(one.flatten(0, -2) for one in answers), others])
        return every.index_select(0, self.answers).t()


def _answers() -> np.ndarray:
    """The place of each action's logit among the answers of `_logits`."""
    heads, colours = FIXED_SPACES + 1, range(c.NUM_COLOURS)
    shapes = (
        (heads, 2, c.NUM_SPACES, c.NUM_COLOURS),
        (KEEPS + 5, c.NUM_COLOURS),
        (c.NUM_COLOURS, c.NUM_COLOURS),
        (c.NUM_COLOURS, c.NUM_COLOURS),
        (2, c.NUM_SPACES),
        (len(OTHERS),),
    )
    sizes = [int(np.prod(shape)) for shape in shapes]
    ends = np.cumsum(sizes)
    placed, alone, both, swap, slot, others = (
        np.arange(end - size, end).reshape(shape) for size, end, shape in zip(sizes, ends, shapes, strict=True)
    )
    found: list[Any] = [
        placed[min(s, FIXED_SPACES), option, s, colour]
        for s in range(c.NUM_SPACES)
        for option in range(2)
        for colour in colours
    ]
    found += [alone[k, colour] for colour in colours for k in range(KEEPS)]
    found += [alone[KEEPS, colour] for colour in colours]
    paid = zip(a.PAY_FIRST, a.PAY_SECOND, strict=True)
    found += [alone[KEEPS + 1, first] if first == second else both[first, second] for first, second in paid]
    found += [swap[give, take] for give, take in zip(a.EXCHANGE_GIVE, a.EXCHANGE_TAKE, strict=True)]
    found += [slot[option, FIXED_SPACES + k] for k in range(c.NUM_SLOTS) for option in range(2)]
    found += [*others]
    return np.asarray(found)[np.argsort([*SHAPED, *OTHERS])]


def _columns(observations: torch.Tensor, places: np.ndarray) -> torch.Tensor:
    """The columns (n, k) at places that follow each other."""
    return observations[:, places.min() : places.max() + 1]


def _product(weight: torch.Tensor, entities: torch.Tensor) -> torch.Tensor:
    """float (outputs, inputs), (inputs, ..., n) -> (outputs, ..., n)."""
    return (weight @ entities.flatten(1)).unflatten(1, entities.shape[1:])


def _linear(layer: nn.Linear, entities: torch.Tensor) -> torch.Tensor:
    """A layer over entities (inputs, entities, n)."""
    return _product(layer.weight, entities) + layer.bias[:, None, None]


def _pairs(layer: Pairs, pairs: torch.Tensor, colours: torch.Tensor, spaces: torch.Tensor) -> torch.Tensor:
    """See `Pairs`: (numbers, space, colour, n)."""
    of_colour = _product(layer.of_colour.weight, colours)[:, None]
    of_space = (_product(layer.of_space.weight, spaces) + layer.own.bias[:, None, None])[:, :, None]
    return torch.relu(_product(layer.own.weight, pairs) + of_colour + of_space)
