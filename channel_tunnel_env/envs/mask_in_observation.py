"""A Gymnasium wrapper for libraries that expect the mask of legal actions in the observation."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray


class MaskInObservation(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """`ChannelTunnelEnv` with observations {"observation": float32 (D,), "action_mask": bool (A,)}.

    TorchRL and RLlib use these names; for Tianshou pass "obs" and "mask".

    Args:
        env: an environment with the mask in `info["action_mask"]`, such as `ChannelTunnelEnv`.
        observation: the key of the observation.
        mask: the key of the mask.
        keep_info: False returns an empty info, which holds the same keys at every step. Tianshou needs
            this: it refuses keys that only the last step has, such as the winner.
    """

    def __init__(
        self,
        env: gymnasium.Env[NDArray[np.float32], Any],
        observation: str = "observation",
        mask: str = "action_mask",
        *,
        keep_info: bool = True,
    ) -> None:
        RecordConstructorArgs.__init__(self, observation=observation, mask=mask, keep_info=keep_info)
        gymnasium.Wrapper.__init__(self, env)
        self._keys = observation, mask
        self._keep_info = keep_info
        whether: Any = np.bool_
        actions: Any = env.action_space
        self.observation_space = spaces.Dict(
            {observation: env.observation_space, mask: spaces.Box(0, 1, (actions.n,), whether)}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game, at the learner's first decision.

        Args:
            seed: as in the wrapped environment.
            options: as in the wrapped environment.

        Returns:
            The observation as a dict, and the info, empty without `keep_info`.
        """
        observation, info = self.env.reset(seed=seed, options=options)
        return self._joined(observation, info), self._kept(info)

    def step(self, action: Any) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        """Step the wrapped environment.

        Args:
            action: an id, 0 .. A - 1.

        Returns:
            Observation as a dict, reward, terminated, truncated, info.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        seen = self._joined(observation, info)
        return seen, reward, terminated, truncated, self._kept(info)

    def _joined(self, observation: NDArray[np.float32], info: dict[str, Any]) -> dict[str, Any]:
        values = observation, info["action_mask"].astype(np.bool_)
        return dict(zip(self._keys, values, strict=True))

    def _kept(self, info: dict[str, Any]) -> dict[str, Any]:
        return info if self._keep_info else {}
