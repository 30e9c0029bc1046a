"""Agents from the user's own modules: `module:attribute`."""

from __future__ import annotations

import importlib
import inspect
from functools import partial
from typing import Any

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
