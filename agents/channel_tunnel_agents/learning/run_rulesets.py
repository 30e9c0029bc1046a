"""The rulesets that a training run plays by, and how often: drawn ones come again on which the learner has something to gain.

Prioritised level replay (Jiang et al. 2021): a level is a ruleset, its score what the learner misses against a yardstick, the
scripted rival. A seat that loses there may only be the worse one, so the score is that of the better seat. A ruleset
that was not played yet counts as an even one, so new ones come early.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.rulesets import SPACES, RulesetSpace
from channel_tunnel_agents.rulesets.held_apart import HeldApart
from channel_tunnel_env import Ruleset, load_ruleset


def also_of_run(config: TrainConfig, ruleset: Ruleset) -> list[Ruleset]:
    """The rulesets that the config names beside the run's own, each once; a ConfigError if one is of another game."""
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


DOUBT = 2.0  # even games that every ruleset is held to have had in each seat
SHARPNESS = 3.0  # power of the scores


class Curriculum:
    """How often each ruleset is played next, from the games against the scripted rivals.

    Args:
        rulesets: how many there are.
        drawn: how many of them, the last ones, were drawn; only these come again.
        share: of the games that go to rulesets by their score; the rest goes to all alike.

    Attributes:
        games: float64 (rulesets, 2), games against scripted rivals, by the learner's seat.
        lost: float64 (rulesets, 2), how many of them the learner lost; a draw is half.
    """

    def __init__(self, rulesets: int, drawn: int, share: float) -> None:
        self.share = share
        self.is_drawn = np.arange(rulesets) >= rulesets - drawn
        self.games = np.zeros((rulesets, 2))
        self.lost = np.zeros((rulesets, 2))

    def count(self, rulesets: NDArray[np.intp], seats: NDArray[np.intp], lost: NDArray[np.float64]) -> None:
        """Record games that ended: their ruleset, the learner's seat and what it lost, each (n,)."""
        np.add.at(self.games, (rulesets, seats), 1.0)
        np.add.at(self.lost, (rulesets, seats), lost)

    def scores(self) -> NDArray[np.float64]:
        """What the better seat loses on each ruleset, 0 to 1; 0 for those that were not drawn."""
        rates = (self.lost + DOUBT / 2) / (self.games + DOUBT)
        return np.where(self.is_drawn, rates.min(axis=1), 0.0)

    def chances(self) -> NDArray[np.float64]:
        """The probability of each ruleset for the next game; they sum to 1."""
        sharp = self.scores() ** SHARPNESS
        even = np.full(len(sharp), 1 / len(sharp))
        total = sharp.sum()
        return even if not total else (1 - self.share) * even + self.share * sharp / total

    def state(self) -> dict[str, Any]:
        """The state that a checkpoint saves."""
        return {"games": self.games.tolist(), "lost": self.lost.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a `state`; raises if no curriculum of these rulesets can have it."""
        games, lost = (np.asarray(state[name], np.float64) for name in ("games", "lost"))
        if games.shape != self.games.shape or lost.shape != self.lost.shape:
            raise ValueError(f"curriculum of {len(games)} rulesets: the run has {len(self.games)}")
        if not (np.isfinite(games).all() and (lost >= 0).all() and (lost <= games).all()):
            raise ValueError("curriculum: more games lost than played, or non-finite counts")
        self.games, self.lost = games, lost
