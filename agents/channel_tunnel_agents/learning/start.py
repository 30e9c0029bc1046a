"""How a run starts: from existing policies, with the network that their card describes, and with the lessons of a teacher."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.learning.config import GENTLE, MOST_OF_THE_TIME, TrainConfig
from channel_tunnel_agents.learning.guards import TrainingStopped
from channel_tunnel_agents.learning.imitation import BEGIN, END, ImitationLessons
from channel_tunnel_agents.learning.run import Run
from channel_tunnel_agents.players.policy.card import check_card, kept_apart_from, network_of
from channel_tunnel_agents.players.policy.network import SeatWeights
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.terminal import percent

OTHER_RULES = "; --start-from-other-ruleset lets it in"


def settings_of(name: str, game: str) -> dict[str, Any]:
    """Fields that replace a preset's when a run of a game starts from a policy: network and small steps."""
    return {**network_of(load_policy(name, None, game).card), **GENTLE}


def start_from(
    network: SeatWeights, config: TrainConfig, ruleset: Ruleset, also: Sequence[Ruleset] = ()
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


class WarmStart:
    """Gives a run its lessons.

    Args:
        progress: called with {"warm_start": the share that is done}, and at the end with the results.
    """

    def __init__(self, run: Run, progress: Callable[[dict[str, Any]], object] | None) -> None:
        config, model = run.config, run.model
        assert config.imitate is not None
        self._run, self._progress = run, progress
        teacher = make_agent(config.imitate, run.ruleset, config.seed)
        self._lessons = ImitationLessons(model, run.env, teacher, config.seed)
        rows = self._lessons.rows
        self._wanted = max(rows, config.imitate_decisions // rows * rows)
        self._most_seconds = MOST_OF_THE_TIME * (model.max_seconds or math.inf)
        self._seconds_before, self._begun = model.trained_seconds, monotonic()
        self._saved = self._begun
        self._share = 0.0

    def give(self) -> None:
        """Teach until the decisions or the time for it are used up, then save.

        Raises:
            TrainingStopped: a stop was asked; all but the update in progress is saved.
            TrainingCollapse: non-finite weights; the last good checkpoint is kept.
        """
        run, imitated = self._run, self._run.imitated
        if run.model.left_off[0] is None:  # not restored by a checkpoint
            self._lessons.new_games(BEGIN)
        agreement = 0.0
        while not self._is_enough():
            try:
                agreement = self._lessons.update(imitated.decisions, self._tell, self._stop_if_asked)
            except TrainingStopped:
                run.save()
                raise
            run.check_weights()
            imitated.decisions += self._lessons.rows
            self._save_if_due()
        self._lessons.new_games(END)
        imitated.is_over = True
        if self._progress and not run.stop_asked():
            found = {"imitation": run.config.imitate, "agreement": agreement}
            self._progress(found | {"rates": run.evaluate()})
        self._count_time()
        run.save()

    def _is_enough(self) -> bool:
        decisions = self._run.imitated.decisions
        if not decisions:
            return False
        rows = self._lessons.rows
        return decisions + rows > self._wanted or self._run.model.trained_seconds >= self._most_seconds

    def _tell(self, part: float) -> None:
        """Say how much is done, by decisions or by the clock, whichever is ahead; `part` of the update is."""
        self._count_time()
        decisions = self._run.imitated.decisions + part * self._lessons.rows
        by_clock = self._run.model.trained_seconds / self._most_seconds
        self._share = min(1.0, max(self._share, decisions / self._wanted, by_clock))
        if self._progress:
            self._progress({"warm_start": self._share})

    def _count_time(self) -> None:
        self._run.model.trained_seconds = self._seconds_before + monotonic() - self._begun

    def _stop_if_asked(self) -> None:
        if self._run.stop_asked():
            raise TrainingStopped(f"stopped after {percent(self._share, 0)} of the warm start")

    def _save_if_due(self) -> None:
        self._count_time()
        if monotonic() - self._saved >= self._run.config.checkpoint_every:
            self._run.save()
            self._saved = monotonic()
