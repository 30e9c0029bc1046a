"""Observations as a run holds them, as numbers for its network."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from channel_tunnel_env.core.encoding import Column
from channel_tunnel_env.core.numbers import BYTE_COUNTS, OWN_BITS, OWN_COUNTS


class Decoder(nn.Module):
    """float32 (n, D) from observations in float32, float16 or bytes; of bytes `Encoding.decode` on the network's device.

    Args:
        columns: of the game's observations, for bytes; they may be of any of its rulesets.
    """

    def __init__(self, columns: Sequence[Column] = ()) -> None:
        super().__init__()
        places = torch.arange(len(columns))
        lenders = torch.tensor([column.lender for column in columns], dtype=torch.long)
        signed = torch.tensor([column.signed for column in columns], dtype=torch.bool)
        rooms = torch.tensor([float(column.room) for column in columns])
        kept = {
            "steps": torch.tensor([column.step for column in columns]),
            "wide": places[lenders != 0],
            "lenders": (places + lenders)[lenders != 0],
            "signed": places[signed],
            "rooms": rooms[signed],
        }
        for name, tensor in kept.items():
            self.register_buffer(name, tensor, persistent=False)  # no part of a policy

    def forward(self, held: torch.Tensor) -> torch.Tensor:
        """Observations (n, D)."""
        numbers = held.float()
        if held.dtype != torch.uint8:
            return numbers
        if self.wide.numel():
            lending = held[:, self.lenders]
            numbers[:, self.lenders] = (lending % OWN_COUNTS).float()
            numbers[:, self.wide] += (lending >> OWN_BITS).float() * BYTE_COUNTS
        if self.signed.numel():
            counts = numbers[:, self.signed]
            numbers[:, self.signed] = counts - self.rooms * (counts >= self.rooms / 2)
        return numbers.mul_(self.steps)
