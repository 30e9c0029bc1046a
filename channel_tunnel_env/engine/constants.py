"""The former place of `games.tunnel_1987.engine.constants`."""

from channel_tunnel_env.games.tunnel_1987.engine.constants import *  # noqa: F403
