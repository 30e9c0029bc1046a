"""Registers the environments with PettingZoo (>= 1.27) and Gymnasium, if installed.

Every built-in ruleset of every game that is found has the id `channel_tunnel/RULESET-VERSION` in both libraries; no
game is imported for it. `ChannelTunnel-VERSION` in Gymnasium plays any ruleset, which is an argument.

The ids are known once `channel_tunnel_env` is imported. A spawned worker, such as one of Stable-Baselines3's
`SubprocVecEnv` on macOS and Windows, imports nothing by itself: pass the id as `channel_tunnel_env:ChannelTunnel-v1`, and
Gymnasium imports the package first.
"""

from __future__ import annotations

import re

from channel_tunnel_env.games import DEFAULT_GAME, environment_version, ruleset_folders
from channel_tunnel_env.rulesets.overlay import builtin_rulesets

VERSION = environment_version(DEFAULT_GAME)
NAMESPACE = "channel_tunnel"
ANY_RULESET = f"ChannelTunnel-{VERSION}"
"""The id that serves every ruleset in Gymnasium."""
_NAME = re.compile(r"[\w.-]+", re.ASCII)


def environment_ids() -> dict[str, str]:
    """Id -> the built-in ruleset that it plays; of a ruleset that two games have, that of the first.

    A ruleset whose file has a name that the libraries would not take, such as "my rules", has no id.
    """
    ids: dict[str, str] = {}
    for game in ruleset_folders():
        for ruleset in builtin_rulesets(game):
            if ruleset not in ids.values() and _NAME.fullmatch(ruleset):
                ids[f"{NAMESPACE}/{ruleset}-{environment_version(game)}"] = ruleset
    return ids


def register_all() -> None:
    """Register with both libraries; idempotent."""
    register_gymnasium()
    register_pettingzoo()


def register_gymnasium() -> None:
    """Register `ChannelTunnel` and the id of each built-in ruleset, single and vectorised."""
    try:
        import gymnasium
    except ImportError:
        return
    rulesets = {ANY_RULESET: {}, **{name: {"ruleset": r} for name, r in environment_ids().items()}}
    for name, kwargs in rulesets.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="channel_tunnel_env.envs.single:ChannelTunnelEnv",
                vector_entry_point="channel_tunnel_env.envs.vector:ChannelTunnelVectorEnv",
                disable_env_checker=True,
                order_enforce=False,
                kwargs=kwargs,
            )


def register_pettingzoo() -> None:
    """Register the id of each built-in ruleset, AEC and parallel."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, parallel_registry, register
    except (ImportError, FileNotFoundError):
        # before 1.27 it has no registry; and it asks for the current folder, which may be gone
        return
    for name, ruleset in environment_ids().items():
        kwargs = {"ruleset": ruleset}
        if name not in aec_registry:
            register("aec", name, "channel_tunnel_env.envs.aec:env", kwargs=kwargs)
        if name not in parallel_registry:
            register("parallel", name, "channel_tunnel_env.envs.aec:parallel_env", kwargs=kwargs)
