"""Agents that play Channel Tunnel, found by name.

`random`, `heuristic` and its archetypes `racer`, `engineer`, `politician`, `ismcts:1000` for tree
search with so many simulations a decision (`ismcts:50ms`: with so much time), `ppo:FOLDER` for a
trained run (`ppo-sample:FOLDER` samples instead of taking the most likely action), or
`module:attribute` for any callable `(observations, masks) -> actions` or `agents.base.SearchAgent`.
"""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from agents.base import Agent, AgentError, AnyAgent, SearchAgent
from agents.heuristic import ARCHETYPES, HeuristicAgent
from agents.ismcts import IsmctsAgent
from agents.random_agent import RandomAgent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.opponents import register_opponent

__all__ = [
    "Agent",
    "AgentError",
    "AnyAgent",
    "HeuristicAgent",
    "IsmctsAgent",
    "RandomAgent",
    "SearchAgent",
    "make_agent",
    "make_plain_agent",
]


def make_agent(spec: str, ruleset: Ruleset | None = None, seed: int = 0) -> AnyAgent:
    """The agent that a name stands for.

    Args:
        spec: see the package's docstring.
        ruleset: the one to be played; a policy trained for another is refused.

    Raises:
        AgentError: an unknown name, the message gives the nearest ones; or a wrong budget.
        VersionError: a policy made for another ruleset or version.
    """
    if spec == "random":
        return RandomAgent(seed)
    if spec in ARCHETYPES:
        return HeuristicAgent(seed, ARCHETYPES[spec], spec)
    kind, _, rest = spec.partition(":")
    if kind == "ismcts":
        return IsmctsAgent.from_budget(rest, seed)
    if kind in ("ppo", "ppo-sample") and rest:
        from agents.ppo.agent import PolicyAgent

        return PolicyAgent.load(rest, ruleset, greedy=kind == "ppo", seed=seed)
    if rest:
        return _from_module(kind, rest, spec)
    known = ["random", *ARCHETYPES, "ismcts:1000", "ismcts:50ms", "ppo:FOLDER", "module:attribute"]
    near = difflib.get_close_matches(spec, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise AgentError(f"agent {spec!r}: known: {', '.join(known)}{hint}")


def make_plain_agent(spec: str, ruleset: Ruleset | None = None, seed: int = 0) -> Agent:
    """`make_agent` where only observations and masks are at hand.

    Raises:
        AgentError: as there, or the agent searches.
        VersionError: as there.
    """
    agent = make_agent(spec, ruleset, seed)
    if isinstance(agent, SearchAgent):
        raise AgentError(
            f"agent {spec!r}: it searches, which needs the game itself; expected one that plays from "
            "observations"
        )
    return agent


def _from_module(module: str, attribute: str, spec: str) -> AnyAgent:
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise AgentError(f"agent {spec!r}: {error}") from None
    agent = found() if isinstance(found, type) else found
    if not hasattr(agent, "name"):
        agent.name = spec
    if not callable(agent) and not isinstance(agent, SearchAgent):
        raise AgentError(
            f"agent {spec!r}: it must be callable, (observations, masks) -> actions, or have a "
            "search(batch, rows)"
        )
    return agent  # type: ignore[no-any-return]


def _register(name: str) -> None:
    register_opponent(name, lambda seed: HeuristicAgent(seed, ARCHETYPES[name], name))


for _name in ARCHETYPES:
    _register(_name)
