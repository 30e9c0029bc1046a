"""Observations as a run holds them, as numbers for its network."""

from __future__ import annotations

import torch
from torch import nn

from channel_tunnel_env.core.encoding import ByteLayout
from channel_tunnel_env.core.numbers import BYTE_COUNTS, OWN_BITS, OWN_COUNTS


class Decoder(nn.Module):
    """float32 (n, D) from observations in float32 or bytes; of bytes `Encoding.decode` on the network's device.

    Args:
        layout: of a row of bytes, if they come so.
    """

    def __init__(self, layout: ByteLayout | None = None) -> None:
        super().__init__()
        known = layout or ByteLayout(())
        kept = {
            "steps": torch.from_numpy(known.steps).float(),
            "wide": torch.from_numpy(known.wide),
            "lenders": torch.from_numpy(known.lenders),
            "signed": torch.from_numpy(known.signed),
            "rooms": torch.from_numpy(known.rooms).float(),
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
