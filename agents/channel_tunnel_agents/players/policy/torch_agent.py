"""A policy in training as an agent: played, and drawn from, as it is trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from channel_tunnel_agents.base import agent_seed
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, Architecture, PolicyForm
from channel_tunnel_agents.players.policy.network import SeatPolicy, TorchJudge, sample
from channel_tunnel_agents.players.policy.saved_policy import load_policies
from channel_tunnel_env import Ruleset


class TorchAgent(PolicyAgent):
    """Plays with torch's networks by side, whose weights may change, and draws actions as training does."""

    def __init__(self, policies: dict[str, SeatPolicy], name: str = "ppo", greedy: bool = True, seed: int = 0) -> None:
        self._torch = TorchJudge(policies)
        super().__init__(self._torch, name, greedy, seed)
        self._generator = torch.Generator().manual_seed(seed)

    @classmethod
    def load(cls, path: str | Path, ruleset: Ruleset | None = None, greedy: bool = True, seed: int = 0) -> TorchAgent:
        """See `PolicyAgent.load`."""
        agent = cls(load_policies(policy_paths(Path(path)), ruleset), f"ppo:{path}", greedy, seed)
        agent.folder = Path(path)
        return agent

    @classmethod
    def of_weights(
        cls,
        weights: dict[str, dict[str, torch.Tensor]],
        width: int,
        depth: int,
        greedy: bool = True,
        network: Architecture = "mlp",
        form: PolicyForm = DEFAULT_FORM,
    ) -> TorchAgent:
        """Make an agent from each side's `SeatPolicy` weights, such as those of a running training."""
        policies = {}
        for side, tensors in weights.items():
            policy = SeatPolicy(width, depth, network, form)
            policy.load_state_dict(tensors)
            policies[side] = policy.eval()
        return cls(policies, greedy=greedy)

    @property
    def policies(self) -> dict[str, SeatPolicy]:
        """Side -> its network."""
        return self._torch.policies

    def reseed(self, seed: int) -> None:
        """Re-seed the drawing of actions."""
        self._generator.manual_seed(agent_seed(seed))

    def _draw(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        logits, _ = self._torch.judge_rows(observations)
        legal = torch.from_numpy(np.ascontiguousarray(masks))
        with torch.inference_mode():
            log_probs = logits.masked_fill_(~legal, -torch.inf).log_softmax(dim=1)
        return np.asarray(sample(log_probs, self._generator).numpy())
