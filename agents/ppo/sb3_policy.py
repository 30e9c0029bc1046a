"""The network as a policy class of sb3-contrib's MaskablePPO."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from agents.ppo.network import SeatHeads, Trunk
from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import SEATS

MASKED = -1e8  # the logit of an illegal action, as in sb3-contrib


class TrunkExtractor(BaseFeaturesExtractor):
    """The trunk under the name that SB3 looks for."""

    def __init__(self, observation_space: spaces.Box, width: int, depth: int) -> None:
        super().__init__(observation_space, features_dim=width + 1)
        self.trunk = Trunk(width, depth)

    def forward(self, observations: Any) -> Any:
        """float (n, D) -> float (n, width + 1)."""
        return self.trunk(observations)


class SeatHeadsPolicy(MaskableActorCriticPolicy):
    """A shared trunk and one pair of heads for each seat."""

    def __init__(self, *args: Any, width: int = 128, depth: int = 2, **kwargs: Any) -> None:
        self.width = width
        super().__init__(
            *args,
            **kwargs,
            net_arch=[],
            features_extractor_class=TrunkExtractor,
            features_extractor_kwargs={"width": width, "depth": depth},
            ortho_init=False,
        )

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = SeatHeads(self.width, NUM_ACTIONS)
        self.value_net = SeatHeads(self.width, 1)
        for module, gain in (
            (self.features_extractor, np.sqrt(2)),
            (self.action_net, 0.01),
            (self.value_net, 1.0),
        ):
            module.apply(partial(self.init_weights, gain=gain))
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1), log-probabilities (n,).

        The masked distribution is worked out once, where sb3-contrib's does it twice: a fifth of a
        training run. Sampling is by the Gumbel-max trick.
        """
        features = self.extract_features(obs)
        log_probs = torch.log_softmax(self._masked_logits(features, action_masks), dim=1)
        if deterministic:
            actions = log_probs.argmax(dim=1)
        else:
            noise = torch.empty_like(log_probs).exponential_().log()
            actions = (log_probs - noise).argmax(dim=1)
        chosen = log_probs.gather(1, actions[:, None])[:, 0]
        return actions, self.value_net(features), chosen

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values (n, 1), log-probabilities of `actions` (n,), entropies (n,)."""
        features = self.extract_features(obs)
        logits = self._masked_logits(features, action_masks)
        log_probs = torch.log_softmax(logits, dim=1)
        chosen = log_probs.gather(1, actions.long()[:, None])[:, 0]
        entropy = -(torch.softmax(logits, dim=1) * log_probs).sum(dim=1)
        return self.value_net(features), chosen, entropy

    def _masked_logits(self, features: torch.Tensor, action_masks: Any) -> torch.Tensor:
        logits = self.action_net(features)
        if action_masks is not None:
            masks = torch.as_tensor(action_masks, dtype=torch.bool, device=logits.device)
            logits = logits.masked_fill(~masks.reshape(logits.shape), MASKED)
        return logits

    def seat_weights(self, seat: int) -> dict[str, Any]:
        """The state dict of `network.SeatPolicy` for one seat."""
        weights = {
            f"trunk.{name}": tensor
            for name, tensor in self.features_extractor.trunk.state_dict().items()
        }
        for part, heads in (("policy", self.action_net), ("value", self.value_net)):
            for name, tensor in getattr(heads, SEATS[seat]).state_dict().items():
                weights[f"{part}.{name}"] = tensor
        return {name: tensor.detach().cpu().clone() for name, tensor in weights.items()}
