"""Resuming a run: what must stay the same, what may change, and what its card then says.

A run's card records how its policies were made, so no later command may rewrite that. What the
first decisions depended on does not change; the rest may change from here on, and the card keeps the old
values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, load_config
from channel_tunnel_agents.players.policy.card import ALSO, also_digests
from channel_tunnel_env import ChannelTunnelError, Ruleset, VersionError
from channel_tunnel_env import __version__ as package_version
from channel_tunnel_env.outside.documents import shorten

CONFIG = "config.yaml"  # the config the run was last started or resumed with
RULES_STAY = "; a resumed run keeps its ruleset: leave --ruleset out, or start again with another --run"

FIXED = (
    "seed",
    "drawn_rulesets",
    "apart_from",
    "start_from",
    "start_from_other_ruleset",
    "imitate",
    "imitate_decisions",
    "width",
    "depth",
    "network",
    "trunk",
)
"""Fields on which the initial weights and the first decisions depend. A resumed run may change all others."""
PLACES = ("run", "ruleset", "also_rulesets")
"""Fields that name files, which may have moved. Rulesets are compared by digest, and the order of `also_rulesets`, too: kept games
say by number which is theirs."""


def changes(card: dict[str, Any], config: TrainConfig) -> dict[str, list[Any]]:
    """The differences between the run of a card and a config: field -> [stored value, new value]. Paths are ignored."""
    there, given = card["config"], json.loads(config.model_dump_json())
    return {
        name: [there[name], given[name]]
        for name in given
        if name not in PLACES and name in there and there[name] != given[name]
    }


def check_changes(card: dict[str, Any], config: TrainConfig, folder: Path) -> dict[str, list[Any]]:
    """`changes`, if a resumed run may make all of them; else a VersionError gives the stored values and says what to do."""
    found = changes(card, config)
    refused = {name: found[name] for name in FIXED if name in found}
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


def also_entry(ruleset: Ruleset) -> dict[str, str]:
    """A card's entry of one ruleset beside the run's own."""
    return {"ruleset": ruleset.name, "ruleset_digest": ruleset.digest}


def check_also(card: dict[str, Any], also: Sequence[Ruleset], path: Path) -> None:
    """Refuse, with a VersionError, other rulesets beside the run's own than those it began with, or another order."""
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
    """The config of a folder's run; None if it cannot be read. The card is authoritative, not this."""
    try:
        return load_config(folder / CONFIG)
    except (ConfigError, ChannelTunnelError):
        return None
