"""The factory that makes agents from names. What plays policies is imported only when an agent needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import Agent, AgentError, AnyAgent, agent_seed, check_game, searches
from channel_tunnel_agents.names import RESTRICTION, TUNED_RUNS, AgentName
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.own_agents import Sb3Agent, make_module_agent, with_name
from channel_tunnel_agents.players.process_agent import ProcessAgent, process_of_module
from channel_tunnel_agents.players.restricted import RestrictedAgent, Restriction
from channel_tunnel_agents.players.scripted import PLAYERS, TREES, RandomAgent
from channel_tunnel_agents.search.ismcts import IsmctsAgent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.opponents import check_trained, reseed
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, load_ruleset

TREE_FROM = 40.0
"""Milliseconds per decision from which a search grows a tree; with less, playing moves out is stronger (docs/explanation/search.md)."""
FROZEN_LABEL = (
    "FROZEN: these policies may have been trained for another ruleset and have not adapted to this one. A "
    "side may look weak only because its policy does not know the change; retrain before you believe it."
)


def make_agent(spec: str, ruleset: AnyRuleset | None = None, seed: int = 0) -> AnyAgent:
    """Make the agent with a name.

    Args:
        spec: the name; the reference page of agents lists them.
        ruleset: the one to be played; a policy trained for another is refused, except with
            `frozen:`. None: any.
        seed: of the agent's random choices; 0 or more.

    Returns:
        A plain agent or a searching one.

    Raises:
        AgentError: an unknown name, the message gives the nearest ones; or a wrong budget or seed.
        VersionError: an agent of another game, or a policy made for another ruleset or version.
    """
    seed, ruleset = agent_seed(seed), None if ruleset is None else load_ruleset(ruleset)
    name = AgentName.read(spec, ruleset.spec.name if ruleset is not None else None)
    if name.games and ruleset is not None:
        check_game(name.core, name.games, ruleset)
    game = ruleset.spec.name if ruleset is not None else (*name.games, DEFAULT_GAME)[0]
    agent = _make_plainly_named(name, None if name.is_frozen else ruleset, seed, game)
    if name.is_frozen:
        agent.name = name.plain
    return _restrict(agent, name, game) if name.restrictions else agent


def make_apart(spec: str, ruleset: Ruleset, seed: int = 0, place: int = 0) -> AnyAgent:
    """`make_agent`, with a module in a process of its own, which gets only observations.

    Agents of one name and `place` share a process, one after the other.
    """
    name = AgentName.read(spec)
    if name.kind == "module":
        spec = RESTRICTION.join((process_of_module(name.core), *name.restrictions))
    agent = make_agent(spec, ruleset, seed)
    inner = innermost(agent)
    if isinstance(inner, ProcessAgent):
        inner.place = place
    if name.kind == "module":
        inner.name = agent.name = name.core
        inner.variables = {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    return agent


def innermost(agent: Any) -> Any:
    """The agent inside restrictions and wrappers."""
    while (inner := getattr(agent, "agent", getattr(agent, "func", None))) is not None:
        agent = inner
    return agent


def _make_plainly_named(name: AgentName, ruleset: Ruleset | None, seed: int, game: str) -> AnyAgent:
    """Make the agent of a name's core."""
    if name.kind == "random":
        return RandomAgent(seed)
    if name.kind == "scripted":
        return PLAYERS[game].make_scripted(name.core, ruleset, seed)
    if name.kind == "ismcts":
        return IsmctsAgent.from_budget(name.rest, seed)
    if name.kind == "process":
        return ProcessAgent(name.rest, ruleset, seed)
    if name.kind == "policy":
        return _make_policy_agent(name, ruleset, seed, game)
    return make_module_agent(name.core, ruleset, seed)


def _make_policy_agent(name: AgentName, ruleset: Ruleset | None, seed: int, game: str) -> AnyAgent:
    """Make a policy, with or without search. What plays it is imported only here."""
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings

    if name.milliseconds and name.way not in ("search", "puct"):
        search = f"{name.shipped}-search" if name.shipped else f"ppo-search:{name.folder}"
        raise AgentError(f"agent {name.core!r}: only a search takes a budget: {search}@{name.milliseconds}ms")
    folder = name.folder or shipped.folder_of(str(name.shipped), game)
    if name.is_tuned and not Path(folder).is_dir():
        there = ", ".join(sorted(path.name for path in TUNED_RUNS.glob("*/"))) or "none"
        raise AgentError(f"agent {name.core!r}: no such policy in {TUNED_RUNS}; there: {there}")
    agent = PolicyAgent.load(folder, ruleset, name.way != "sample", seed)
    agent.name = name.core
    if name.is_frozen:
        agent.cards = {}
    tree = TREES.get(agent.form.game)
    if name.way == "puct" and tree is None:
        games = ", ".join(TREES)
        raise AgentError(
            f"agent {name.core!r}: a puct search plays {games}, this policy {agent.form.game}; "
            "ppo-search:FOLDER and ismcts:1000 search in every game"
        )
    try:
        budget = float(name.milliseconds) if name.milliseconds else None
        has_time = (budget or 0.0) >= TREE_FROM
        if tree is not None and (name.way == "puct" or (name.way == "search" and has_time)):
            return tree.make_tree_player(agent, budget, seed, name.core)
        if name.way == "search":
            return PolicySearchAgent(agent, SearchSettings(milliseconds=budget), seed, name.core)
    except ValueError as error:
        raise AgentError(f"agent {name.core!r}: {error}") from None
    return agent


def _restrict(agent: AnyAgent, name: AgentName, game: str) -> AnyAgent:
    """Apply restrictions: AGENT!ban=FAMILY."""
    for words in name.restrictions:
        try:
            restriction = Restriction.read(words, game)
        except AgentError as error:
            raise AgentError(f"agent '{name.plain}!{words}': {error}") from None
        agent = RestrictedAgent(agent, restriction)
    return agent


def make_plain_agent(spec: str, ruleset: Ruleset | None = None, seed: int = 0) -> Agent:
    """`make_agent` for callers that have only observations and masks.

    Args:
        spec: as for `make_agent`.
        ruleset: as for `make_agent`.
        seed: as for `make_agent`.

    Returns:
        An agent that is called with observations and masks.

    Raises:
        AgentError: as `make_agent`, or the agent searches.
        VersionError: as `make_agent`.
    """
    agent = make_agent(spec, ruleset, seed)
    if searches(agent):
        raise AgentError(
            f"agent {spec!r}: it searches, which needs the game itself; expected one that plays from observations"
        )
    return agent


def as_agent(agent: Any, ruleset: Ruleset | None = None, seed: int = 0) -> AnyAgent:
    """Make an agent from what the caller has.

    Args:
        agent: a name, an agent, any callable (observations, masks) -> actions, or a model of
            Stable-Baselines3.
        ruleset: the one to be played; a policy trained for another is refused, see `make_agent`.
        seed: for a name, or an agent that has a `reseed(seed)`.

    Raises:
        AgentError: as `make_agent`, or `agent` is none of these.
        VersionError: as `make_agent`.
    """
    if isinstance(agent, str):
        return make_agent(agent, ruleset, seed)
    if ruleset is not None:
        check_trained(agent, ruleset)
    reseed(agent, seed)
    if hasattr(agent, "predict"):
        return Sb3Agent(agent, type(agent).__name__)
    if not callable(agent) and not hasattr(agent, "search"):
        raise AgentError(
            f"agent {agent!r:.80}: expected a name, a callable (observations, masks) -> actions, a "
            "search(batch, rows), or a model with predict"
        )
    return with_name(agent, getattr(agent, "__name__", type(agent).__name__))


def find_opponent(name: str) -> Callable[[int, Ruleset], AnyAgent]:
    """The factory of an environment's opponent, an entry point used by `envs.opponents`; an AgentError for an unknown name."""
    AgentName.read(name)
    return lambda seed, ruleset: make_agent(name, ruleset, seed)
