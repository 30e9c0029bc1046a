"""The names that `channel_tunnel_env` offers, and its environments registered with the libraries that keep registers."""

from __future__ import annotations

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
    "load_ruleset",
]

register_all()
