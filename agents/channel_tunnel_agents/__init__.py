"""Agents that play the games, found by name.

In every game:

    random                uniformly random legal actions
    ismcts:1000           tree search with that many simulations per decision;
                          ismcts:50ms with that much time
    module:attribute      any callable (observations, masks) -> actions, or a
                          SearchAgent

In Carcassonne (`games.carcassonne.players`):

    points, greedy        the scripted players that look at whole turns; also
                          farmer, builder, monk, tunneller, blocker
    expectimax            greedy that looks at the answers to its best turns

In Eurotunnel Diplomacy (`games.eurotunnel.players`):

    hold, lively          the scripted players that hold, and that play at random
                          with many moves
    greedy                every unit walks to the nearest centre of others
    dumb, dumb_tunnel     a DumbBot-like player, and one that digs tunnels too

In 1987 Channel Tunnel:

    heuristic             the scripted player; also racer, engineer, politician
    rookie, club, master  the trained policies that come with the package
    adept                 the trained policy that reads the rules and plays any ruleset
    ppo:FOLDER            a trained run; ppo-sample:FOLDER samples, where others
                          take the most likely action
    tuned:COPY            adept, trained on for one ruleset by `channel-tunnel adapt`
    master-search         a policy that looks ahead; also rookie-search,
                          club-search, ppo-search:FOLDER; master-search@50ms with
                          that much time per decision, in a tree from 40 ms on
    master-puct           a policy that looks ahead in a tree: slower, stronger;
                          also rookie-puct, club-puct, ppo-puct:FOLDER,
                          master-puct@50ms
    frozen:AGENT          a policy that was trained for another ruleset, as it is
    AGENT!ban=FAMILY      an agent that never takes an action of a family
                          (balance.families) while another is legal
    AGENT!force=FAMILY    ... that takes one whenever it can

Trained policies and the agents that search with them need ONNX Runtime; those whose network has another size than
the shipped ones need torch. The others do not.
"""

from typing import Any

from channel_tunnel_agents.base import FROZEN, Agent, AgentError, AnyAgent, SearchAgent
from channel_tunnel_agents.games.tunnel_1987.players import HeuristicAgent
from channel_tunnel_agents.names import AgentName, policy_place
from channel_tunnel_agents.players.own_agents import Sb3Agent
from channel_tunnel_agents.players.scripted import RandomAgent
from channel_tunnel_agents.registry import FROZEN_LABEL, make_agent, make_plain_agent
from channel_tunnel_agents.search.ismcts import IsmctsAgent
from channel_tunnel_env.outside.foreign import needing

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
    "Sb3Agent",
    "Score",
    "SearchAgent",
    "evaluate",
    "make_agent",
    "make_plain_agent",
    "policy_place",
]


def __getattr__(name: str) -> Any:
    """Import `evaluate` and `Score`, which need scipy, on first access."""
    if name in ("evaluate", "Score"):
        with needing(f"channel_tunnel_agents.{name}", "report"):
            from channel_tunnel_agents.matches import evaluation

        return getattr(evaluation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
