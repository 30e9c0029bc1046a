"""A policy of one seat written as a test wants it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from channel_tunnel_agents.players.policy.saved_policy import arrays_of, write_policies


def save_policy(path: Path, weights: Mapping[str, torch.Tensor], card: dict[str, Any]) -> None:
    """Write one seat's policy; `card` must hold `side`, `width` and `depth`."""
    write_policies({path: (arrays_of(weights), card)})
