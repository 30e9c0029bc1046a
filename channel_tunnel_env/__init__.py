"""Board games about tunnels as reinforcement-learning environments (unofficial), each by the name of a ruleset.

    from channel_tunnel_env import Game
    game = Game(ruleset="standard", seed=7)  # or "carcassonne", "eurotunnel", ...
    game.play(game.legal_actions()[0])

`Game`, `BatchGame`, `decode`, `action_names_of` and the environments serve every game: 1987 Channel Tunnel, Carcassonne
with The Tunnel, Eurotunnel Diplomacy, and those of other packages. `env` and `raw_env` are the PettingZoo environments,
`parallel_env` and `simultaneous_env` the parallel ones; they load on first use.

In the shapes in docstrings, A is the number of actions (`Game.spec.actions.count`) and D the number of values in an
observation (`Game.spec.observation.size(ruleset)`).
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
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.game import Phase
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset
from channel_tunnel_env.versions import __version__
from channel_tunnel_env.views import action_names_of, decode

action_names = ACTION_NAMES
"""The name of every action of 1987 Channel Tunnel, indexed by id; `action_names_of` serves every game."""

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
    "action_names_of",
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
