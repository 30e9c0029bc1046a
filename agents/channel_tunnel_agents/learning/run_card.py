"""The card of a training run's policies: what it adds to the card of every policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.resume import also_entry
from channel_tunnel_agents.matches.evaluation import LADDER_VERSION
from channel_tunnel_agents.players.policy.card import ALSO, APART_FROM, DRAWN, make_card
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.rulesets.held_apart import draw_of
from channel_tunnel_env import Ruleset


def drawn_card(config: TrainConfig, ruleset: Ruleset) -> dict[str, Any]:
    """The entry that lets policies of drawn rulesets play every ruleset of their game."""
    if not config.drawn_rulesets:
        return {}
    entry = {"count": config.drawn_rulesets, "seed": config.seed}
    if config.apart_from is None:
        return {DRAWN: {"space": SPACES[ruleset.spec.name].version, **entry}}
    draw = draw_of(config.apart_from)
    kept = {APART_FROM: config.apart_from, "figures_apart": draw.apart}
    return {DRAWN: {"space": draw.space, **entry, **kept}}


def run_card(
    ruleset: Ruleset,
    also: Sequence[Ruleset],
    config: TrainConfig,
    algorithm: str,
    decisions: int,
    parent: dict[str, Any] | None = None,
    continued: list[dict[str, Any]] | None = None,
    curve: dict[str, list[list[float]]] | None = None,
) -> dict[str, Any]:
    """Make the card of a training run's policies.

    Args:
        also: rulesets that it was trained for beside this one.
        parent: the parent entry of the policies it started from; see `PretrainedPolicy.parent`.
        continued: one entry per continuation; see `resume.continuation`.
        curve: of the whole run, once it has ended; see `run_curve.curve_entry`.
    """
    return make_card(
        ruleset,
        algorithm=algorithm,
        network=config.network,
        width=config.width,
        depth=config.depth,
        seed=config.seed,
        decisions=decisions,
        ladder_version=LADDER_VERSION,
        config=config.model_dump(),
        **({ALSO: [also_entry(each) for each in also]} if also else {}),
        **drawn_card(config, ruleset),
        **({"parent": parent} if parent else {}),
        **({"continued": continued} if continued else {}),
        **({"curve": curve} if curve else {}),
    )
