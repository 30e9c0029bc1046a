"""1987 Channel Tunnel as a reinforcement-learning environment (unofficial).

    from channel_tunnel_env import Game
    game = Game(ruleset="standard", seed=7)
    game.play(game.legal_actions()[0])

`env` and `raw_env` are the PettingZoo environments, `parallel_env` and `simultaneous_env` the parallel ones; they
load on first use.

In the shapes in docstrings, A is the number of actions (`engine.actions.NUM_ACTIONS`) and D the
number of values in an observation (`engine.observation.OBSERVATION_SIZE`).
"""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.entry import end_at_interrupt, is_own_command

if is_own_command():
    end_at_interrupt()  # while the rest loads

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.envs.registration import register_all
from channel_tunnel_env.errors import (
    BatchError,
    ChannelTunnelError,
    GameOverError,
    IllegalActionError,
    PositionError,
    RecordError,
    RulesetError,
    StateError,
    VersionError,
)
from channel_tunnel_env.game import Game
from channel_tunnel_env.games.tunnel_1987.decoding import decode
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.game import Phase
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset
from channel_tunnel_env.versions import __version__

action_names = ACTION_NAMES
"""The name of every action, indexed by id; the same for all rulesets."""

__all__ = [
    "BatchError",
    "BatchGame",
    "ChannelTunnelError",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "Phase",
    "PositionError",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "StateError",
    "VersionError",
    "__version__",
    "action_names",
    "decode",
    "env",
    "load_ruleset",
    "parallel_env",
    "raw_env",
    "simultaneous_env",
]

register_all()

_PETTINGZOO = ("env", "raw_env", "parallel_env")


def __getattr__(name: str) -> Any:
    if name in _PETTINGZOO:
        from channel_tunnel_env.envs import aec

        return getattr(aec, name)
    if name == "simultaneous_env":
        from channel_tunnel_env.envs import simultaneous

        return simultaneous.simultaneous_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
