"""Policies played by torch: networks of any size, and those in training."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_agents.players.policy.judge import Judged, places_of_sides
from channel_tunnel_agents.players.policy.network import SeatPolicy, join_equal_trunks


class TorchJudge:
    """One network per side.

    Args:
        policies: side -> its network, at least one. Equal trunks become one.
    """

    def __init__(self, policies: dict[str, SeatPolicy]) -> None:
        self.policies = join_equal_trunks(policies)

    @property
    def form(self) -> PolicyForm:
        """The form of the policies."""
        return next(iter(self.policies.values())).form

    @property
    def sides(self) -> tuple[str, ...]:
        """Those that it has a network for."""
        return tuple(self.policies)

    def judge(self, observations: NDArray[np.float32]) -> Judged:
        """See `Judge`."""
        logits, values = self.judge_rows(observations)
        return logits.numpy(), values.numpy()

    @torch.inference_mode()
    def judge_rows(self, observations: NDArray[np.float32]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values as `judge`, as tensors, wherever the networks are."""
        logits, values = self._answer(observations, next(iter(self.policies.values())).value)
        return logits.cpu(), values.cpu()

    def _answer(self, observations: NDArray[np.float32], head: torch.nn.Module) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.from_numpy(np.ascontiguousarray(observations)).to(next(head.parameters()).device)
        own = places_of_sides(self, observations)
        policies = {side: self.policies[side] for side in own}
        if len(own) == 1:  # as in a match: no need to split the rows
            (policy,) = policies.values()
            found: tuple[torch.Tensor, torch.Tensor] = policy(rows)
            return found
        trunks = {policy.trunk for policy in policies.values()}
        parts = {side: policy.answers for side, policy in policies.items()}
        if len(trunks) == 1:  # one pass for all sides: much faster where rows are few
            rows = trunks.pop()(rows)
        else:
            parts = {**policies}
        logits, values = rows.new_empty(len(rows), self.form.num_actions), rows.new_empty(len(rows))
        for side, places in own.items():
            logits[places], values[places] = parts[side](rows[places])
        return logits, values
