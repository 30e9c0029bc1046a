"""The policy and value network: one trunk, a policy head and a value head for each seat.

The trunk is shared because both seats see the same board from their own side; the heads differ
because the two countries play a different game. Ids and observation are relative to the mover.
"""

from __future__ import annotations

import torch
from torch import nn

from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE, SECTION_BY_NAME

SIDE = SECTION_BY_NAME["side"].start  # 1.0 where the mover is France


class Trunk(nn.Module):
    """[Linear, LayerNorm, ReLU] x depth; the side flag is passed on as one last feature."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for i in range(depth):
            layers += [
                nn.Linear(width if i else OBSERVATION_SIZE, width),
                nn.LayerNorm(width),
                nn.ReLU(),
            ]
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, width + 1)."""
        features: torch.Tensor = self.layers(observations)
        return torch.cat([features, observations[:, SIDE : SIDE + 1]], dim=1)


class SeatHeads(nn.Module):
    """One linear head for each seat; every row uses its own."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.britain = nn.Linear(width, outputs)
        self.france = nn.Linear(width, outputs)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """float (n, width + 1) -> float (n, outputs)."""
        body, side = features[:, :-1], features[:, -1:]
        return torch.where(side > 0.5, self.france(body), self.britain(body))


class SeatPolicy(nn.Module):
    """The policy of one seat alone: trunk and head, for playing."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.trunk = Trunk(width, depth)
        self.policy = nn.Linear(width, NUM_ACTIONS)
        self.value = nn.Linear(width, 1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """float (n, D) -> logits (n, 171), value (n,) in Britain's view, about -1 to 1."""
        body = self.trunk(observations)[:, :-1]
        return self.policy(body), self.value(body)[:, 0]
