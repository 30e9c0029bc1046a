"""The policy and value network: a trunk, shared or one a seat, and two heads for each seat.

A shared trunk learns from both seats' decisions, because both see the same board from their own
side; the heads differ because the two countries play a different game. Ids and observation are
relative to the mover.
"""

from __future__ import annotations

import math
from functools import partial

import torch
from torch import nn

from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE, SECTION_BY_NAME

LOG2_E = 1 / math.log(2)
MASKED = -1e8  # the logit of an illegal action, as in sb3-contrib
SIDE = SECTION_BY_NAME["side"].start  # 1.0 where the mover is France


class Trunk(nn.Module):
    """[Linear, LayerNorm, ReLU] x depth."""

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
        """float (n, D) -> float (n, width)."""
        features: torch.Tensor = self.layers(observations)
        return features


class SeatModules(nn.Module):
    """One module for each seat; every row goes through its own seat's."""

    def __init__(self, britain: nn.Module, france: nn.Module) -> None:
        super().__init__()
        self.britain = britain
        self.france = france

    def forward(self, rows: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """float (n, inputs), side flags (n,), 1 for France -> float (n, outputs)."""
        is_france = side > 0.5
        british, french = (~is_france).nonzero()[:, 0], is_france.nonzero()[:, 0]
        parts = torch.cat([self.britain(rows[british]), self.france(rows[french])])
        # Back into the order of the rows: part k belongs to row order[k].
        order = torch.cat([british, french])
        return torch.empty_like(parts).index_copy(0, order, parts)


class SeatPolicy(nn.Module):
    """The policy of one seat alone: trunk and head, for playing."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.trunk = Trunk(width, depth)
        self.policy = nn.Linear(width, NUM_ACTIONS)
        self.value = nn.Linear(width, 1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """float (n, D) -> logits (n, 171), value (n,) in Britain's view, -1 to 1."""
        body = self.trunk(observations)
        return self.policy(body), bounded(self.value(body)[:, 0])


class SelfPlayNetwork(nn.Module):
    """The policies of both seats as one module: every row goes through its mover's.

    Args:
        width, depth: of a trunk.
        trunk: "shared" by both seats, or "separate".
    """

    def __init__(self, width: int, depth: int, trunk: str = "shared") -> None:
        super().__init__()
        self.shared = trunk == "shared"
        self.trunk: nn.Module = (
            Trunk(width, depth)
            if self.shared
            else SeatModules(Trunk(width, depth), Trunk(width, depth))
        )
        self.policy = SeatModules(*(nn.Linear(width, NUM_ACTIONS) for _ in SEATS))
        self.value = SeatModules(*(nn.Linear(width, 1) for _ in SEATS))
        for module, gain in ((self.trunk, math.sqrt(2)), (self.policy, 0.01), (self.value, 1.0)):
            module.apply(partial(_init_orthogonal, gain=gain))

    def features(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, width)."""
        if self.shared:
            return self.trunk(observations)
        return self.trunk(observations, observations[:, SIDE])

    def logits(self, features: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """Features (n, width), side flags (n,) -> logits (n, 171)."""
        return self.policy(features, side)

    def values(self, features: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """Features (n, width), side flags (n,) -> values (n,) in Britain's view, not yet bounded."""
        return self.value(features, side)[:, 0]

    def seat_weights(self, side: str) -> dict[str, torch.Tensor]:
        """The state dict of `SeatPolicy` for one side."""
        parts = {
            "trunk": self.trunk if self.shared else getattr(self.trunk, side),
            "policy": getattr(self.policy, side),
            "value": getattr(self.value, side),
        }
        return {
            f"{part}.{name}": tensor.detach().cpu().clone()
            for part, module in parts.items()
            for name, tensor in module.state_dict().items()
        }

    def load_seat_weights(self, policies: dict[str, SeatPolicy]) -> None:
        """Take over both sides' policies.

        Raises:
            KeyError, ValueError: a side lacks, or their trunks differ and this one is shared.
            RuntimeError: they are of another width or depth.
        """
        trunks = [policies[side].trunk.state_dict() for side in SEATS]
        if self.shared:
            if any(not torch.equal(trunks[0][name], trunks[1][name]) for name in trunks[0]):
                raise ValueError("the seats' trunks differ: set trunk: separate")
            self.trunk.load_state_dict(trunks[0])
        for side, trunk in zip(SEATS, trunks, strict=True):
            if not self.shared:
                getattr(self.trunk, side).load_state_dict(trunk)
            getattr(self.policy, side).load_state_dict(policies[side].policy.state_dict())
            getattr(self.value, side).load_state_dict(policies[side].value.state_dict())


def _init_orthogonal(module: nn.Module, gain: float) -> None:
    if isinstance(module, nn.Linear):
        nn.init.orthogonal_(module.weight, gain=gain)
        nn.init.zeros_(module.bias)


def bounded(values: torch.Tensor) -> torch.Tensor:
    """Values as results can be: -1, a loss, to 1, a win.

    Where the linear head says more than 1, winning at once looks worse than going on: a policy without
    this learns to put off the last Tunnel of a won game for ever.
    """
    return values.clamp(-1.0, 1.0)


def probabilities(log_probs: torch.Tensor) -> torch.Tensor:
    """exp, by way of base 2: the processor's exp is ten times slower where the result is 0, and that is
    most of a masked row."""
    return torch.exp2(log_probs * LOG2_E)


def sample(
    log_probs: torch.Tensor,
    generator: torch.Generator | None = None,
    uniform: torch.Tensor | None = None,
) -> torch.Tensor:
    """One action a row from log-probabilities (n, A), by inversion: (n,).

    Several times as fast as `torch.multinomial` or Gumbel noise on a processor, and rows given the
    same numbers in [0, 1) as `uniform` (n,) take the same chances.
    """
    cumulated = probabilities(log_probs).cumsum(dim=1)
    if uniform is None:
        uniform = torch.rand(len(log_probs), generator=generator, device=log_probs.device)
    # A little less than the last sum, so that rounding cannot lead past the last legal action.
    level = uniform[:, None] * (cumulated[:, -1:] * 0.999999)
    return torch.searchsorted(cumulated, level, right=True)[:, 0]


def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether the device multiplies bfloat16 matrices faster than float32 ones."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
