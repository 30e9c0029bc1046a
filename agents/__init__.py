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

import difflib
import importlib
import re
from functools import partial
from pathlib import Path
from typing import Any

from agents import shipped
from agents.base import Agent, AgentError, AnyAgent, SearchAgent, searches
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
    "policy_place",
]

FROZEN = "frozen:"  # before an agent: it may be a policy of another ruleset
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
    if "!" in spec:
        return _make_restricted(spec, ruleset, seed)
    if spec.startswith(FROZEN):
        agent = make_agent(spec.removeprefix(FROZEN), None, seed)
        agent.name = spec
        return agent
    if spec == "random":
        return RandomAgent(seed)
    if spec in ARCHETYPES:
        return HeuristicAgent(seed, ARCHETYPES[spec], spec)
    kind, _, rest = spec.partition(":")
    if kind == "ismcts":
        return IsmctsAgent.from_budget(rest, seed)
    if kind == "onnx" and rest:
        from agents.onnx_policy import OnnxAgent

        return OnnxAgent.load(Path(rest), ruleset)
    policy = _POLICY.fullmatch(spec)
    if policy is not None:
        return _make_policy_agent(policy, ruleset, seed)
    if rest and not kind.startswith("ppo"):
        return _from_module(kind, rest, spec)
    known = ["random", *ARCHETYPES, *shipped.NAMES]
    known += [f"{name}-{search}" for search in ("search", "puct") for name in shipped.NAMES]
    known += ["ismcts:1000", "ismcts:50ms", "ppo:FOLDER", "ppo-search:FOLDER", "onnx:FOLDER"]
    known += ["module:attribute"]
    near = difflib.get_close_matches(spec, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise AgentError(f"agent {spec!r}: known: {', '.join(known)}{hint}")


# ppo:FOLDER, ppo-sample:FOLDER, ppo-search:FOLDER@20ms, master, master-search@20ms, master-puct@20ms
_POLICY = re.compile(
    r"(?:ppo(?P<kind>-sample|-search|-puct)?:(?P<folder>.+?)|"
    rf"(?P<name>{'|'.join(shipped.NAMES)})(?P<search>-search|-puct)?)(?:@(?P<ms>[0-9.]+)ms)?"
)


def policy_place(spec: str) -> str | None:
    """The folder or file that an agent's name says its policy is read from; None where it names none."""
    spec = spec.partition("!")[0]
    while spec.startswith(FROZEN):
        spec = spec.removeprefix(FROZEN)
    kind, _, rest = spec.partition(":")
    if kind == "onnx" and rest:
        return rest
    policy = _POLICY.fullmatch(spec)
    return policy["folder"] if policy else None


def _make_policy_agent(found: re.Match[str], ruleset: Ruleset | None, seed: int) -> AnyAgent:
    """A policy, alone or with search. torch is imported only here."""
    from agents.policy_search import PolicySearchAgent, SearchSettings
    from agents.ppo.agent import PolicyAgent
    from agents.puct import PuctAgent, PuctSettings

    way = found["search"] or found["kind"]
    if found["ms"] and way not in ("-search", "-puct"):
        search = f"{found['name']}-search" if found["name"] else f"ppo-search:{found['folder']}"
        raise AgentError(
            f"agent {found[0]!r}: only a search takes a budget: {search}@{found['ms']}ms"
        )
    folder = found["folder"] or shipped.FOLDER / found["name"]
    agent = PolicyAgent.load(folder, ruleset, way != "-sample", seed)
    agent.name = found[0]
    try:
        budget = float(found["ms"]) if found["ms"] else None
        if way == "-puct":
            return PuctAgent(agent, PuctSettings.of_budget(budget), seed, found[0])
        if way == "-search":
            return PolicySearchAgent(agent, SearchSettings(milliseconds=budget), seed, found[0])
    except ValueError as error:
        raise AgentError(f"agent {found[0]!r}: {error}") from None
    return agent


def _make_restricted(spec: str, ruleset: Ruleset | None, seed: int) -> AnyAgent:
    """AGENT!ban=FAMILY; imported only here, for measuring needs this module."""
    from agents.balance.restricted import RestrictedAgent, split_spec

    name, restriction = split_spec(spec)
    return RestrictedAgent(make_agent(name, ruleset, seed), restriction)


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


def _from_module(module: str, attribute: str, spec: str) -> AnyAgent:
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise AgentError(f"agent {spec!r}: {error}") from None
    agent: Any = found() if isinstance(found, type) else found
    if not callable(agent) and not searches(agent):
        raise AgentError(
            f"agent {spec!r}: it must be callable, (observations, masks) -> actions, or have a "
            "search(batch, rows)"
        )
    if not hasattr(agent, "name"):
        agent = agent if searches(agent) else partial(agent)  # a method takes no attributes
        agent.name = spec
    return agent  # type: ignore[no-any-return]


def _register(name: str) -> None:
    register_opponent(name, lambda seed: make_plain_agent(name, seed=seed))


for _name in (*ARCHETYPES, *shipped.NAMES):
    _register(_name)
