"""Trained policies as an agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.card import plays_all_rulesets, policy_paths
from channel_tunnel_agents.players.policy.form import Architecture, PolicyForm
from channel_tunnel_agents.players.policy.forms import DEFAULT_FORM
from channel_tunnel_agents.players.policy.network import SeatPolicy, join_equal_trunks, sample
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_env import Ruleset
from channel_tunnel_env.core.jit import kernel

FAST_ROWS = 256  # bfloat16 pays for multiples of this number of rows: every other number of rows costs a set-up of its own
Part = Callable[[torch.Tensor], Any]  # of a policy: rows -> a tensor, or several, with as many rows


class PolicyAgent:
    """Plays with one policy per side.

    Args:
        policies: side -> policy; a missing side cannot be played.
        greedy: take the most likely action; else sample.

    Attributes:
        folder: it was loaded from; None for weights.
        reads_rules: its policies were trained on many rulesets, and play any.
    """

    def __init__(
        self, policies: dict[str, SeatPolicy], name: str = "ppo", greedy: bool = True, seed: int = 0
    ) -> None:
        self.policies = policies
        self.name = name
        self.greedy = greedy
        self.folder: Path | None = None
        self.reads_rules = False
        self._generator = torch.Generator().manual_seed(seed)

    @classmethod
    def load(
        cls, path: str | Path, ruleset: Ruleset | None = None, greedy: bool = True, seed: int = 0
    ) -> PolicyAgent:
        """Load from a run folder or one side's file.

        Raises:
            VersionError: made for another ruleset or version, or not a policy.
        """
        files = policy_paths(Path(path))
        loaded = {side: load_policy(file, ruleset) for side, file in files.items()}
        policies = {side: policy for side, (policy, _) in loaded.items()}
        agent = cls(join_equal_trunks(policies), f"ppo:{path}", greedy, seed)
        agent.folder = Path(path)
        agent.reads_rules = all(plays_all_rulesets(card) for _, card in loaded.values())
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
    ) -> PolicyAgent:
        """Make an agent from each side's `SeatPolicy` weights, such as those of a running
        training."""
        policies = {}
        for side, tensors in weights.items():
            policy = SeatPolicy(width, depth, network, form)
            policy.load_state_dict(tensors)
            policies[side] = policy.eval()
        return cls(join_equal_trunks(policies), greedy=greedy)

    @property
    def form(self) -> PolicyForm:
        """That of its policies."""
        return next((policy.form for policy in self.policies.values()), DEFAULT_FORM)

    def reseed(self, seed: int) -> None:
        """Re-seed the sampling."""
        self._generator.manual_seed(seed)

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """One action per row, by the policy of the row's side."""
        if self.greedy:
            actions = np.empty(len(masks), np.int64)
            _take_best(self._judge(observations)[0].numpy(), masks, actions)
            return actions
        log_probs, _ = self.think(observations, masks)
        return np.asarray(sample(log_probs, self._generator).numpy())

    def think(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], fast: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (n, A), minus infinity if illegal, and values (n,).

        Values are in the view that the form says (in the 1987 game Britain's), from -1, a sure loss,
        to 1. `fast` multiplies in bfloat16 where that pays: good enough for a search.
        """
        logits, values = self._judge(observations, fast)
        legal = torch.from_numpy(np.ascontiguousarray(masks))
        with torch.inference_mode():
            return logits.masked_fill_(~legal, -torch.inf).log_softmax(dim=1), values

    def judge(
        self, observations: NDArray[np.float32], fast: bool = False
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits (n, A) of all actions, legal or not, and values (n,) as in `think`."""
        logits, values = self._judge(observations, fast)
        return logits.numpy(), values.numpy()

    @torch.inference_mode()
    def _judge(
        self, observations: NDArray[np.float32], fast: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n, A) of all actions and values (n,); each row by its side's policy."""
        rows = torch.from_numpy(np.ascontiguousarray(observations))
        side_of_rows = self.form.side_of_rows(observations)
        own = {
            side: places
            for place, side in enumerate(self.form.sides)
            if (places := np.flatnonzero(side_of_rows == place)).size
        }
        fast = fast and all(policy.gains_by_bfloat16 for policy in self.policies.values())
        policies = {side: self._policy(side) for side in own}
        parts: dict[str, Part] = {**policies}
        if len(own) == 1:  # as in a match: no need to split the rows
            (part,) = parts.values()
            return _run(part, rows, fast)
        trunks = {policy.trunk for policy in policies.values()}
        if len(trunks) == 1:  # one pass for all sides: much faster where rows are few
            rows = _run(trunks.pop(), rows, fast)
            parts = {side: policy.answers for side, policy in policies.items()}
        logits, values = torch.empty(len(rows), self.form.num_actions), torch.empty(len(rows))
        for side, places in own.items():
            logits[places], values[places] = _run(parts[side], rows[places], fast)
        return logits, values

    def _policy(self, side: str) -> SeatPolicy:
        if side not in self.policies:
            raise ValueError(
                f"{self.name} has no policy for {side}; it plays {list(self.policies)}"
            )
        return self.policies[side]


def _run(part: Part, rows: torch.Tensor, fast: bool) -> Any:
    """What a part makes of the rows, in float32; `fast` multiplies in bfloat16 where that pays."""
    many = len(rows) // FAST_ROWS * FAST_ROWS if fast else 0
    if not many:
        return part(rows)
    with torch.autocast("cpu", torch.bfloat16):
        found = [part(rows[:many])]
    if many < len(rows):
        found.append(part(rows[many:]))
    if isinstance(found[0], torch.Tensor):
        return torch.cat([x.float() for x in found])
    return tuple(torch.cat([x.float() for x in each]) for each in zip(*found, strict=True))


@kernel
def _take_best(logits, masks, actions):  # type: ignore[no-untyped-def]
    """Write the legal action with the highest logit, the first on ties, of every row into
    actions."""
    for i in range(logits.shape[0]):
        best = -1
        for action in range(logits.shape[1]):
            if masks[i, action] and (best < 0 or logits[i, action] > logits[i, best]):
                best = action
        actions[i] = best
