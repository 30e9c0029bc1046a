"""The network as a policy class of sb3-contrib's MaskablePPO."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, Architecture, PolicyForm
from channel_tunnel_agents.players.policy.network import (
    MASKED,
    SeatWeights,
    bounded,
    initialise,
    make_heads,
    make_trunk,
    probabilities,
    run_trunk,
    sample,
    side_flags,
)
from channel_tunnel_env.core.encoding import ByteLayout
from channel_tunnel_env.core.numbers import BYTE_COUNTS, OWN_BITS, OWN_COUNTS


class Decoder(nn.Module):
    """float32 (n, D) from observations in float32, or in bytes of a layout: `Encoding.decode` on the network's device."""

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
        """Observations (n, D); what is rounded already stays so."""
        if held.dtype == torch.bfloat16:
            return held
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


class TrunkExtractor(BaseFeaturesExtractor):
    """The trunk as SB3's features extractor; the side flag is appended as the last feature."""

    def __init__(
        self,
        observation_space: spaces.Box,
        width: int,
        depth: int,
        shared: bool,
        network: Architecture,
        fast: bool,
        form: PolicyForm,
    ) -> None:
        trunk: Any = make_trunk(width, depth, shared, network, form)
        super().__init__(observation_space, features_dim=trunk.features + 1)
        self.fast, self.form = fast, form
        self.trunk = trunk

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, features + 1)."""
        side = side_flags(observations, self.form)
        return torch.cat([self.features(observations), side], dim=1)

    def features(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, features)."""
        with torch.autocast(observations.device.type, torch.bfloat16, enabled=self.fast):
            return run_trunk(self.trunk, observations, self.form).float()


class SelfPlayPolicy(SeatWeights, MaskableActorCriticPolicy):
    """A trunk, and heads for each side.

    Args:
        width, depth: size of a trunk.
        trunk: "shared" by all sides, or "separate".
        network: "mlp" or "game".
        form: of the game's policies.
        layout: of observations in bytes, if they come so.
        fast: multiply the trunks' matrices in bfloat16; weights, heads and losses stay float32.
    """

    def __init__(
        self,
        *args: Any,
        width: int = 128,
        depth: int = 2,
        trunk: str = "shared",
        network: Architecture = "mlp",
        form: PolicyForm = DEFAULT_FORM,
        layout: ByteLayout | None = None,
        fast: bool = False,
        **kwargs: Any,
    ) -> None:
        self.width, self.network, self.form = width, network, form
        self.layout = layout
        super().__init__(
            *args,
            **kwargs,
            net_arch=[],
            features_extractor_class=TrunkExtractor,
            features_extractor_kwargs={
                "width": width,
                "depth": depth,
                "shared": trunk == "shared",
                "network": network,
                "fast": fast,
                "form": form,
            },
            optimizer_kwargs={"eps": 1e-5, "fused": True},
            ortho_init=False,
        )

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net, self.value_net = make_heads(self.width, self.network, self.form)
        self.decode = Decoder(self.layout)
        initialise(self.features_extractor.trunk, self.action_net, self.value_net)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1), log-probabilities (n,).

        The masked distribution is computed once; sb3-contrib computes it twice, which is a fifth of
        a training run.
        """
        log_probs, values = self.judge(obs, action_masks)
        actions = log_probs.argmax(dim=1) if deterministic else sample(log_probs)
        chosen = log_probs.gather(1, actions[:, None])[:, 0]
        return actions, bounded(values), chosen

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values (n, 1), log-probabilities of `actions` (n,), entropies (n,)."""
        log_probs, values = self.judge(obs, action_masks)
        chosen = log_probs.gather(1, actions.long()[:, None])[:, 0]
        entropy = -(probabilities(log_probs) * log_probs).sum(dim=1)
        return values, chosen, entropy

    def judge(self, obs: torch.Tensor, action_masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities of all actions (n, A) and values (n, 1), not yet bounded."""
        features, side = self._features_and_side(obs)
        logits = self.action_net(features, side)
        if action_masks is not None:
            masks = torch.as_tensor(action_masks, dtype=torch.bool, device=logits.device)
            logits = logits.masked_fill(~masks.reshape(logits.shape), MASKED)
        return torch.log_softmax(logits, dim=1), self.value_net(features, side)

    @property
    def rounds_first(self) -> bool:
        """Whether nothing of an observation is read before it is rounded to bfloat16."""
        return self.network == "mlp" and self.features_extractor.fast

    def predict_values(self, obs: torch.Tensor) -> torch.Tensor:
        """Values (n, 1)."""
        features, side = self._features_and_side(obs)
        return bounded(self.value_net(features, side))

    def _features_and_side(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Features (n, width) and side flags (n,), apart: to append the side costs a copy of all features, twice."""
        numbers = self.decode(obs)
        return self.features_extractor.features(numbers), side_flags(numbers, self.form)[:, 0]

    def get_distribution(self, obs: torch.Tensor, action_masks: Any = None) -> Any:
        """The distribution of actions, for `model.predict`."""
        return super().get_distribution(self.decode(obs), action_masks)

    def _get_action_dist_from_latent(self, latent_pi: torch.Tensor) -> Any:
        """For `model.predict`, which needs a distribution; the latent is the features and the side."""
        logits = self.action_net(latent_pi[:, :-1], latent_pi[:, -1])
        return self.action_dist.proba_distribution(action_logits=logits)

    @property
    def parts(self) -> tuple[Any, Any, Any]:
        """Trunk, policy heads, value heads."""
        return self.features_extractor.trunk, self.action_net, self.value_net
