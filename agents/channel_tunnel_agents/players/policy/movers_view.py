"""A network whose values are those of the seat that moves."""

from __future__ import annotations

import torch


class InMoversView(torch.nn.Module):
    """A network of one side, for programs that know no view but the mover's.

    Args:
        network: observations -> logits, and values in the view of the first seat.
        is_first: the side is that seat.
    """

    def __init__(self, network: torch.nn.Module, is_first: bool) -> None:
        super().__init__()
        self.network, self.is_first = network, is_first

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n, A) and values (n,) of observations (n, D)."""
        logits, values = self.network(observations)
        return logits, values if self.is_first else 0.0 - values  # `Sub`, which files of this kind may hold
