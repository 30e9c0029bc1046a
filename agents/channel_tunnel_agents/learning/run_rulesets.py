"""The rulesets that a training run plays by."""

from __future__ import annotations

from collections.abc import Sequence

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.rulesets import SPACES, RulesetSpace
from channel_tunnel_agents.rulesets.held_apart import HeldApart
from channel_tunnel_env import Ruleset, load_ruleset


def also_of_run(config: TrainConfig, ruleset: Ruleset) -> list[Ruleset]:
    """The rulesets that the config names beside the run's own, each once.

    Raises:
        ConfigError: one is of another game.
        RulesetError: one cannot be read.
    """
    others = {each.digest: each for each in map(load_ruleset, config.also_rulesets)}
    others.pop(ruleset.digest, None)
    for other in others.values():
        if other.spec.name != ruleset.spec.name:
            raise ConfigError(
                f"also_rulesets: {other.name} is of the game {other.spec.name}, {ruleset.name} of {ruleset.spec.name}"
            )
    return [*others.values()]


def check_players(names: Sequence[str], rulesets: Sequence[Ruleset], drawn: int) -> None:
    """Check that rivals, or the agent to imitate, fit every ruleset of the run; `frozen:` lets a policy in.

    Args:
        rulesets: see `rulesets_of_run`; drawn ones come last.
        drawn: how many those are. One is looked at: a policy for some rulesets does not fit any of them.

    Raises:
        AgentError, VersionError: one is unknown or does not fit.
    """
    others = rulesets[: len(rulesets) - drawn]
    for ruleset in {each.digest: each for each in (*others, *rulesets[-1:])}.values():
        for name in names:
            make_agent(name, ruleset)


def rulesets_of_run(config: TrainConfig, ruleset: Ruleset, also: Sequence[Ruleset]) -> list[Ruleset]:
    """The ruleset, which the run's policies are evaluated on, then the other rulesets of its games.

    If some are drawn, a quarter of the entries are the ruleset, those beside it and the game's own.

    Raises:
        ConfigError: rulesets are to be drawn, and the game has no way to; or those of the config's track are of another
            game.
        TrackError: there is no such track, or a ruleset is too near to one of its.
    """
    if not config.drawn_rulesets:
        return [ruleset, *also]
    space = SPACES.get(ruleset.spec.name)
    if space is None:
        games = ", ".join(SPACES)
        raise ConfigError(f"drawn_rulesets: {ruleset.spec.name} has no drawn rulesets; only for {games}")
    space = space.at_table_of(ruleset)
    known = {each.digest: each for each in (ruleset, *also, *map(load_ruleset, space.bases))}
    often = -(-config.drawn_rulesets // (3 * len(known)))
    return [*known.values()] * often + _drawn(config, space, [*known.values()])


def _drawn(config: TrainConfig, space: RulesetSpace, known: Sequence[Ruleset]) -> list[Ruleset]:
    """The drawn rulesets, away from those of the config's track; the known ones must be, too."""
    if config.apart_from is None:
        return space.draw(config.drawn_rulesets, config.seed)
    apart = HeldApart(config.apart_from)
    if apart.draw.game != space.game:
        raise ConfigError(f"apart_from: {config.apart_from} is of the game {apart.draw.game}, the run of {space.game}")
    apart.check(known)
    return apart.training_draws(config.drawn_rulesets, config.seed)
