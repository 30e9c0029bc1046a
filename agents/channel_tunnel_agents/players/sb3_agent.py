"""A model of Stable-Baselines3 or sb3-contrib as an agent."""

from __future__ import annotations

import hashlib
import inspect
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Model(Protocol):
    """The interface a model needs."""

    def predict(self, observation: NDArray[np.float32], **options: Any) -> tuple[Any, Any]:
        """Actions for observations (n, D), and an unused state."""
        ...


class Sb3Agent:
    """Plays with a model's `predict`; a maskable model gets the masks.

    Args:
        model: trained on observations (D,) of this package, such as `MaskablePPO.load("model.zip")`.
        name: as shown in tables.
        greedy: the most likely action, or a sampled one.

    A model without masks may answer with an illegal action, which the caller then reports.
    """

    def __init__(self, model: Model, name: str = "sb3", greedy: bool = True) -> None:
        self.model, self.name, self.greedy = model, name, greedy
        self._is_maskable = "action_masks" in inspect.signature(model.predict).parameters

    @property
    def digest(self) -> str:
        """The digest of the model's weights, so that games of other weights are not taken for its own; empty without weights."""
        policy = getattr(self.model, "policy", None)
        if policy is None or not hasattr(policy, "state_dict"):
            return ""
        digest = hashlib.sha256()
        for name, values in sorted(policy.state_dict().items()):
            digest.update(name.encode() + b"\0" + values.detach().cpu().numpy().tobytes())
        return digest.hexdigest()[:16]

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.integer[Any]]:
        """One action per row."""
        more = {"action_masks": masks} if self._is_maskable else {}
        actions, _ = self.model.predict(observations, deterministic=self.greedy, **more)
        chosen: NDArray[np.integer[Any]] = np.asarray(actions)
        return chosen
