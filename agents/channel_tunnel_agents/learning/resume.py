"""Going on with a run: what it must stay, what it may change, and what its card then says.

A run's card tells how its policies came to be, so no later command may rewrite that. What the first
decisions were drawn from stays; the rest may change from here on, and the card keeps what it was.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, load_config
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env import __version__ as package_version

CONFIG = "config.yaml"  # the config as the run was last begun or continued
RULES_STAY = (
    "; a resumed run keeps its ruleset: leave --ruleset out, or begin anew with another --run"
)

Kind = Literal["begun with", "budget", "from here on", "machine", "place"]
FIXED: Kind = "begun with"  # its weights and its first decisions come from it
FIELDS: dict[str, Kind] = {
    "seed": FIXED,
    "ruleset": "place",  # a file may have moved: its content is compared, by digest
    "start_from": FIXED,
    "start_from_other_ruleset": FIXED,
    "imitate": FIXED,
    "imitate_decisions": FIXED,
    "width": FIXED,
    "depth": FIXED,
    "trunk": FIXED,
    "decisions": "budget",
    "max_minutes": "budget",
    "rivals": "from here on",
    "rival_share": "from here on",
    "pool_slots": "from here on",
    "pool_from": "from here on",
    "snapshots": "from here on",
    "num_games": "from here on",
    "steps": "from here on",
    "batch_size": "from here on",
    "epochs": "from here on",
    "learning_rate": "from here on",
    "final_learning_rate": "from here on",
    "entropy": "from here on",
    "final_entropy": "from here on",
    "gae_lambda": "from here on",
    "clip": "from here on",
    "value_weight": "from here on",
    "max_gradient": "from here on",
    "precision": "machine",
    "threads": "machine",
    "simulator_threads": "machine",
    "device": "machine",
    "evaluate_every": "machine",
    "evaluate_games": "machine",
    "checkpoint_every": "machine",
    "run": "place",
}
"""Every field of the config: whether a resumed run may be given another value."""


def changes(card: dict[str, Any], config: TrainConfig) -> dict[str, list[Any]]:
    """What differs from the run as it stands: field -> [its value, the new one]. Places do not count.

    Args:
        card: of the run's checkpoint or policies.
    """
    there, given = card["config"], json.loads(config.model_dump_json())
    return {
        name: [there[name], given[name]]
        for name, kind in FIELDS.items()
        if kind != "place" and name in there and there[name] != given[name]
    }


def check_changes(card: dict[str, Any], config: TrainConfig, folder: Path) -> dict[str, list[Any]]:
    """`changes`, all of which a resumed run may make.

    Raises:
        VersionError: one that it may not, with what is stored and what to do.
    """
    found = changes(card, config)
    refused = {name: pair for name, pair in found.items() if FIELDS[name] == FIXED}
    if refused:
        given = ", ".join(f"{name} {new}" for name, (_, new) in refused.items())
        stored = ", ".join(f"{name} {old}" for name, (old, _) in refused.items())
        them = "it" if len(refused) == 1 else "them"
        raise VersionError(
            f"{folder}: made with {stored}, and {given} was given; a resumed run stays what it is: "
            f"leave {them} as stored, or begin anew with another --run"
        )
    return found


def continuation(decisions: int, changed: dict[str, list[Any]]) -> dict[str, Any]:
    """A card's word on one continuation, after so many decisions."""
    return {"at": decisions, "changed": changed, "package_version": package_version}


def stored_config(folder: Path) -> TrainConfig | None:
    """The config of the run in a folder; None where none can be read. The card decides, not this."""
    try:
        return load_config(folder / CONFIG)
    except (ConfigError, ChannelTunnelError):
        return None
