"""Registers the environments with PettingZoo (>= 1.27) and Gymnasium, if installed."""

from __future__ import annotations

from channel_tunnel_env.versions import ENVIRONMENT

VERSION = ENVIRONMENT[-1].version
RULESETS = {
    "standard": VERSION,
    "agenda": VERSION,
    "tiny": VERSION,
    "carcassonne": "v0",
    "eurotunnel": "v0",
}
"""Ruleset -> the version of its environments in PettingZoo's registry."""


def register_all() -> None:
    """Register with both libraries; idempotent. Gymnasium calls it through its entry point."""
    register_gymnasium()
    register_pettingzoo()


def register_gymnasium() -> None:
    """Register the current `ChannelTunnel` id, single and vectorised; ruleset is an argument."""
    try:
        import gymnasium
    except ImportError:
        return
    name = f"ChannelTunnel-{VERSION}"
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="channel_tunnel_env.envs.single:ChannelTunnelEnv",
            vector_entry_point="channel_tunnel_env.envs.vector:ChannelTunnelVectorEnv",
            disable_env_checker=True,
            order_enforce=False,
        )


def register_pettingzoo() -> None:
    """Register `channel_tunnel/standard` (current version) and other rulesets, AEC and parallel."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, parallel_registry, register
    except ImportError:  # PettingZoo before 1.27 has no registry
        return
    for ruleset, version in RULESETS.items():
        name = f"channel_tunnel/{ruleset}-{version}"
        kwargs = {"ruleset": ruleset}
        if name not in aec_registry:
            register("aec", name, "channel_tunnel_env.envs.aec:env", kwargs=kwargs)
        if name not in parallel_registry:
            register("parallel", name, "channel_tunnel_env.envs.aec:parallel_env", kwargs=kwargs)
