"""Resuming a run: what must stay the same, what may change, and what its card then says.

A run's card records how its policies were made, so no later command may rewrite that. What the
first decisions depended on does not change; the rest may change from here on, and the card keeps the old
values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, load_config
from channel_tunnel_agents.players.policy.card import ALSO, also_digests
from channel_tunnel_env import ChannelTunnelError, Ruleset, VersionError
from channel_tunnel_env import __version__ as package_version
from channel_tunnel_env.outside.documents import shorten

CONFIG = "config.yaml"  # the config the run was last started or resumed with
RULES_STAY = "; a resumed run keeps its ruleset: leave --ruleset out, or start again with another --run"

Kind = Literal["begun with", "budget", "from here on", "machine", "place"]
FIXED: Kind = "begun with"  # the initial weights and first decisions depend on it
FIELDS: dict[str, Kind] = {
    "seed": FIXED,
    "ruleset": "place",  # a file may have moved: its content is compared, by digest
    "also_rulesets": "place",  # likewise, and their order: kept games say by number which is theirs
    "drawn_rulesets": FIXED,
    "apart_from": FIXED,
    "curriculum": "from here on",
    "start_from": FIXED,
    "start_from_other_ruleset": FIXED,
    "imitate": FIXED,
    "imitate_decisions": FIXED,
    "width": FIXED,
    "depth": FIXED,
    "network": FIXED,
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
    "observation_dtype": "machine",
    "threads": "machine",
    "simulator_threads": "machine",
    "device": "machine",
    "engine": "from here on",
    "evaluate_every": "machine",
    "evaluate_games": "machine",
    "checkpoint_every": "machine",
    "run": "place",
}
"""For every field of the config: whether a resumed run may change it."""


def changes(card: dict[str, Any], config: TrainConfig) -> dict[str, list[Any]]:
    """The differences from the stored run: field -> [stored value, new value]. Paths are ignored.

    Args:
        card: the card of the run's checkpoint or policies.
    """
    there, given = card["config"], json.loads(config.model_dump_json())
    return {
        name: [there[name], given[name]]
        for name, kind in FIELDS.items()
        if kind != "place" and name in there and there[name] != given[name]
    }


def check_changes(card: dict[str, Any], config: TrainConfig, folder: Path) -> dict[str, list[Any]]:
    """`changes`, after checking that a resumed run may make all of them.

    Raises:
        VersionError: a change that is not allowed; the message gives the stored value and what to
            do.
    """
    found = changes(card, config)
    refused = {name: pair for name, pair in found.items() if FIELDS[name] == FIXED}
    if refused:
        given = ", ".join(f"{name} {_as_line(new)}" for name, (_, new) in refused.items())
        stored = ", ".join(f"{name} {_as_line(old)}" for name, (old, _) in refused.items())
        them = "it" if len(refused) == 1 else "them"
        raise VersionError(
            f"{folder}: made with {stored}, and {given} was given; a resumed run stays what it is: "
            f"leave {them} as stored, or start again with another --run"
        )
    return found


def _as_line(value: Any) -> str:
    """A value for a message: short, even if the card's is long."""
    return " ".join(shorten(value).split())


def check_also(card: dict[str, Any], also: Sequence[Ruleset], path: Path) -> None:
    """Check that a resumed run plays by the same other rulesets, in the same order.

    Raises:
        VersionError: they, their contents or their order differ.
    """
    from channel_tunnel_agents.learning.run_card import also_entry  # its imports take seconds

    stored = also_digests(card)
    if stored == [each.digest for each in also]:
        return
    lists = (
        ", ".join(_as_line("{ruleset} ({ruleset_digest})".format_map(entry)) for entry in entries) or "none"
        for entries in (card.get(ALSO, []), [*map(also_entry, also)])
    )
    raise VersionError(
        "{}: made with also_rulesets {}, this is {}; a resumed run keeps its rulesets and their order: "
        "leave them as stored, or start again with another --run".format(path, *lists)
    )


def continuation(decisions: int, changed: dict[str, list[Any]]) -> dict[str, Any]:
    """A card's entry for one continuation, after this many decisions."""
    return {"at": decisions, "changed": changed, "package_version": package_version}


def stored_config(folder: Path) -> TrainConfig | None:
    """The config of a folder's run; None if it cannot be read. The card is authoritative, not
    this."""
    try:
        return load_config(folder / CONFIG)
    except (ConfigError, ChannelTunnelError):
        return None
