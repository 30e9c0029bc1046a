"""The network as an RLModule of RLlib's new API stack."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from channel_tunnel_agents.players.policy.network import MASKED, SIDE, SelfPlayNetwork, bounded
from channel_tunnel_env.envs.rllib import ACTION_MASK, OBSERVATIONS


class SelfPlayRLModule(TorchRLModule, ValueFunctionAPI):
    """Plays both seats; `model_config` holds network, width, depth and trunk."""

    def setup(self) -> None:
        """Build the network; RLlib calls it."""
        settings = self.model_config  # RLlib adds its own settings to ours
        self.network = SelfPlayNetwork(settings["width"], settings["depth"], settings["trunk"], settings["network"])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """The logits (n, A) of the legal actions, for acting and for training."""
        seen = batch[Columns.OBS]
        rows = seen[OBSERVATIONS]
        features = self.network.features(rows)
        logits = self.network.logits(features, rows[:, SIDE])
        masked = logits.masked_fill(seen[ACTION_MASK] == 0, MASKED)
        return {Columns.ACTION_DIST_INPUTS: masked, Columns.EMBEDDINGS: features}

    def _forward_inference(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._act(batch)

    def _forward_exploration(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._act(batch)

    def _act(self, batch: dict[str, Any]) -> dict[str, Any]:
        with torch.no_grad():
            out = self._forward(batch)
        del out[Columns.EMBEDDINGS]  # otherwise every row's embeddings would be kept in its episode
        return out

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Values (n,) from the perspective of each row's own seat.

        Without embeddings the values are used for credit assignment, so they are clipped to the
        range of results; with embeddings they are trained, and clipping would stop the gradient
        (see `network.bounded`).
        """
        rows = batch[Columns.OBS][OBSERVATIONS]
        side = rows[:, SIDE]
        features = self.network.features(rows) if embeddings is None else embeddings
        of_britain = self.network.values(features, side)
        own = torch.where(side > 0.5, -of_britain, of_britain)
        return bounded(own) if embeddings is None else own
