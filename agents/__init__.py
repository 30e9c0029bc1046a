"""Agents that play Channel Tunnel, found by name.

    random                uniformly random legal actions
    heuristic             the scripted player; also racer, engineer, politician
    rookie, club, master  the trained policies that come with the package
    ppo:FOLDER            a trained run; ppo-sample:FOLDER samples, where others
                          take the most likely action
    onnx:FOLDER           a policy written by agents.onnx_policy; plays without
                          torch
    master-search         a policy that looks ahead; also rookie-search,
                          club-search, ppo-search:FOLDER; master-search@50ms with
                          so much time a decision
    master-puct           a policy that looks ahead in a tree: slower, stronger;
                          also rookie-puct, club-puct, ppo-puct:FOLDER,
                          master-puct@50ms
    ismcts:1000           tree search with so many simulations a decision;
                          ismcts:50ms with so much time
    module:attribute      any callable (observations, masks) -> actions, or a
                          SearchAgent
    frozen:AGENT          a policy that was trained for another ruleset, as it is
    AGENT!ban=FAMILY      an agent that never takes an action of a family
                          (balance.families) while another is legal
    AGENT!force=FAMILY    ... that takes one whenever it can

Trained policies and what searches with them need torch, but for `onnx:FOLDER`; the others do not.
"""

from __future__ import annotations

from pathlib import Path

from agents import shipped
from agents.base import Agent, AgentError, AnyAgent, SearchAgent, searches
from agents.heuristic import ARCHETYPES, HeuristicAgent
from agents.ismcts import IsmctsAgent
from agents.module_agent import make_module_agent
from agents.names import FROZEN, AgentName, policy_place
from agents.random_agent import RandomAgent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.opponents import register_opponent

__all__ = [
    "FROZEN",
    "FROZEN_LABEL",
    "Agent",
    "AgentError",
    "AgentName",
    "AnyAgent",
    "HeuristicAgent",
    "IsmctsAgent",
    "RandomAgent",
    "SearchAgent",
    "make_agent",
    "make_plain_agent",
    "policy_place",
]

FROZEN_LABEL = (
    "FROZEN: these policies may have been trained for another ruleset and have not adapted to this one. A "
    "side may look weak only because its policy does not know the change; retrain before you believe it."
)


def make_agent(spec: str, ruleset: Ruleset | None = None, seed: int = 0) -> AnyAgent:
    """The agent that a name stands for.

    Args:
        spec: see the package's docstring.
        ruleset: the one to be played; a policy trained for another is refused, but for `frozen:`.

    Raises:
        AgentError: an unknown name, the message gives the nearest ones; or a wrong budget.
        VersionError: a policy made for another ruleset or version.
    """
    name = AgentName.read(spec)
    agent = _make_plainly_named(name, None if name.is_frozen else ruleset, seed)
    if name.is_frozen:
        agent.name = name.plain
    return _restrict(agent, name) if name.restrictions else agent


def _make_plainly_named(name: AgentName, ruleset: Ruleset | None, seed: int) -> AnyAgent:
    """The agent of a name's core."""
    if name.kind == "random":
        return RandomAgent(seed)
    if name.kind == "scripted":
        return HeuristicAgent(seed, ARCHETYPES[name.core], name.core, ruleset)
    if name.kind == "ismcts":
        return IsmctsAgent.from_budget(name.rest, seed)
    if name.kind == "onnx":
        from agents.onnx_policy import OnnxAgent

        return OnnxAgent.load(Path(str(name.folder)), ruleset)
    if name.kind == "policy":
        return _make_policy_agent(name, ruleset, seed)
    return make_module_agent(name, ruleset, seed)


def _make_policy_agent(name: AgentName, ruleset: Ruleset | None, seed: int) -> AnyAgent:
    """A policy, alone or with search. torch is imported only here."""
    from agents.policy_search import PolicySearchAgent, SearchSettings
    from agents.ppo.agent import PolicyAgent
    from agents.puct import PuctAgent, PuctSettings

    if name.milliseconds and name.way not in ("search", "puct"):
        search = f"{name.shipped}-search" if name.shipped else f"ppo-search:{name.folder}"
        raise AgentError(
            f"agent {name.core!r}: only a search takes a budget: {search}@{name.milliseconds}ms"
        )
    folder = name.folder or shipped.FOLDER / str(name.shipped)
    agent = PolicyAgent.load(folder, ruleset, name.way != "sample", seed)
    agent.name = name.core
    try:
        budget = float(name.milliseconds) if name.milliseconds else None
        if name.way == "puct":
            return PuctAgent(agent, PuctSettings.of_budget(budget), seed, name.core)
        if name.way == "search":
            return PolicySearchAgent(agent, SearchSettings(milliseconds=budget), seed, name.core)
    except ValueError as error:
        raise AgentError(f"agent {name.core!r}: {error}") from None
    return agent


def _restrict(agent: AnyAgent, name: AgentName) -> AnyAgent:
    """AGENT!ban=FAMILY; imported only here, for measuring needs this module."""
    from agents.balance.restricted import RestrictedAgent, Restriction

    for words in name.restrictions:
        try:
            restriction = Restriction.read(words)
        except AgentError as error:
            raise AgentError(f"agent '{name.plain}!{words}': {error}") from None
        agent = RestrictedAgent(agent, restriction)
    return agent


def make_plain_agent(spec: str, ruleset: Ruleset | None = None, seed: int = 0) -> Agent:
    """`make_agent` where only observations and masks are at hand.

    Raises:
        AgentError: as there, or the agent searches.
        VersionError: as there.
    """
    agent = make_agent(spec, ruleset, seed)
    if searches(agent):
        raise AgentError(
            f"agent {spec!r}: it searches, which needs the game itself; expected one that plays from "
            "observations"
        )
    return agent


def _register(name: str) -> None:
    register_opponent(
        name, lambda seed, ruleset: make_plain_agent(name, ruleset, seed), takes_ruleset=True
    )


for _name in (*ARCHETYPES, *shipped.NAMES):
    _register(_name)
