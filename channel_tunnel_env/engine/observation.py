"""The former place of what `games.tunnel_1987.engine.observation` says of an observation."""

from channel_tunnel_env.games.tunnel_1987.engine.observation import (
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SECTION_BY_NAME,
    SECTIONS,
)

__all__ = ["OBSERVATION_SIZE", "OBSERVATION_VERSION", "SECTIONS", "SECTION_BY_NAME"]
