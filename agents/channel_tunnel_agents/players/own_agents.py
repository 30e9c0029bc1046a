"""The user's own agents: from a module, `module:attribute`, and models of Stable-Baselines3 or sb3-contrib."""

from __future__ import annotations

import hashlib
import importlib
import inspect
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent, own_code_of, searches
from channel_tunnel_env import Ruleset
from channel_tunnel_env.entry import why_not_here


def make_module_agent(name: str, ruleset: Ruleset | None, seed: int) -> AnyAgent:
    """The agent in a module's attribute; a class is instantiated.

    A class is called with `seed=` and `ruleset=` if its signature has them.

    Raises:
        AgentError: no such module or attribute, a class with other required arguments, or not an
            agent; its code fails.
    """
    module, _, attribute = name.partition(":")
    with own_code_of(name):
        try:
            found: Any = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise AgentError(f"agent {name!r}: {error}{why_not_here(module)}") from None
    agent: Any = _build(found, name, ruleset, seed) if isinstance(found, type) else found
    if not callable(agent) and not searches(agent):
        raise AgentError(
            f"agent {name!r}: it must be callable, (observations, masks) -> actions, or have a search(batch, rows)"
        )
    return with_name(agent, name)


def with_name(agent: Any, name: str) -> AnyAgent:
    """The agent, given a name if it has none."""
    if not hasattr(agent, "name"):
        # Attributes cannot be set on a bound method.
        agent = agent if searches(agent) else partial(agent)
        agent.name = name
    return agent  # type: ignore[no-any-return]


def _build(found: type, name: str, ruleset: Ruleset | None, seed: int) -> Any:
    offered = {"seed": seed, "ruleset": ruleset}
    try:
        signature = inspect.signature(found)
        given = {key: value for key, value in offered.items() if key in signature.parameters}
        signature.bind(**given)
    except (TypeError, ValueError) as error:
        raise AgentError(
            f"agent {name!r}: it is made with seed= and ruleset= where its signature has them, and "
            f"nothing else: {error}"
        ) from None
    with own_code_of(name):
        return found(**given)


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

    Raises:
        AgentError: the model was trained on uint8 observations.

    A model without masks may answer with an illegal action, which the caller then reports.
    """

    def __init__(self, model: Model, name: str = "sb3", greedy: bool = True) -> None:
        self.model, self.name, self.greedy = model, name, greedy
        if getattr(getattr(model, "observation_space", None), "dtype", None) == np.uint8:
            raise AgentError(f"agent {name}: its model reads uint8 observations, and agents get float32")
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

    def probabilities(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The probability of each action.

        Args:
            observations: (n, D).
            masks: (n, A).

        Returns:
            (n, A), 0 for illegal actions.

        Raises:
            AgentError: the model's policy has no distribution over actions, as that of a DQN.
        """
        import torch

        policy: Any = getattr(self.model, "policy", None)
        if not hasattr(policy, "get_distribution"):
            raise AgentError(f"agent {self.name}: its model has no probabilities of actions; play it greedily")
        more = {"action_masks": masks} if self._is_maskable else {}
        with torch.no_grad():
            found = policy.get_distribution(policy.obs_to_tensor(observations)[0], **more)
        return np.asarray(found.distribution.probs.cpu().numpy().astype(np.float64))
