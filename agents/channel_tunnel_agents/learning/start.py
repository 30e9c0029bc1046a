"""Starting a run from existing policies, with the network that their card describes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.learning.config import GENTLE, TrainConfig
from channel_tunnel_agents.players.policy.card import check_card, kept_apart_from, network_of
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_env import Ruleset, VersionError

OTHER_RULES = "; --start-from-other-ruleset lets it in"


class TwoSeatNetwork(Protocol):
    """A trainable network for both seats."""

    def load_seat_weights(self, policies: dict[str, SeatPolicy]) -> None:
        """Take over both sides' policies; see `network.load_seat_weights`."""


def settings_of(name: str, game: str) -> dict[str, Any]:
    """Fields that replace a preset's when a run of a game starts from a policy: network and small steps.

    Raises:
        AgentError, VersionError: no such policy.
    """
    return {**network_of(load_policy(name, None, game).card), **GENTLE}


def start_from(
    network: TwoSeatNetwork, config: TrainConfig, ruleset: Ruleset, also: Sequence[Ruleset] = ()
) -> dict[str, Any]:
    """Load the config's policies into the network; returns their entry for the run's card.

    Raises:
        AgentError: no such policy.
        VersionError: a policy that does not fit, or has another network. Another ruleset is allowed
            with `start_from_other_ruleset`; another observation or action version never is. Or one that may have seen
            the rulesets that the run keeps away from.
    """
    name = str(config.start_from)
    policy = load_policy(name, None, ruleset.spec.name)
    if not (config.start_from_other_ruleset or name.startswith(FROZEN)):
        for card, rules in itertools.product(policy.cards.values(), (ruleset, *also)):
            check_card(card, Path(name), rules, OTHER_RULES)
    track = config.apart_from
    if track and not all(kept_apart_from(card, track) for card in policy.cards.values()):
        raise VersionError(
            f"start_from {name}: not trained apart from the rulesets of {track}, as apart_from asks; "
            "begin without --start-from, or with a policy of such a run"
        )
    made = network_of(policy.card)
    differing = [key for key in ("network", "width", "depth") if made[key] != getattr(config, key)]
    if differing:
        stored = ", ".join(f"{key} {made[key]}" for key in differing)
        given = ", ".join(f"{key} {getattr(config, key)}" for key in differing)
        raise VersionError(f"start_from {name}: its network has {stored}, the config says {given}")
    try:
        network.load_seat_weights(policy.networks)
    except (RuntimeError, ValueError) as error:
        text = " ".join(str(error).split())[:300]
        raise VersionError(f"start_from {name}: does not fit the config: {text}") from None
    return policy.parent()
