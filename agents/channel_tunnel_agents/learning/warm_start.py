"""The warm start of a run: lessons of a teacher within the run's time, saved on the way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol

from channel_tunnel_agents.learning.config import MOST_OF_THE_TIME, TrainConfig
from channel_tunnel_agents.learning.guards import TrainingStopped
from channel_tunnel_agents.learning.imitation import ImitationLessons
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from channel_tunnel_env.outside.terminal import percent


@dataclass
class Imitated:
    """How far the warm start is.

    Attributes:
        decisions: of the teacher, learned so far.
        is_over: whether self-play has its turn.
    """

    decisions: int = 0
    is_over: bool = False


class TaughtRun(Protocol):
    """The parts of a run that a warm start needs; see `training.TrainingRun`."""

    config: TrainConfig
    ruleset: Ruleset
    model: Any
    env: SelfPlayVecEnv
    imitated: Imitated
    stop_asked: Callable[[], bool]

    def check_weights(self) -> None:
        """Raise TrainingCollapse for non-finite weights."""
        ...

    def evaluate(self) -> dict[str, Figure]:
        """Win rates against the ladder."""
        ...

    def save(self) -> None:
        """Write policies and checkpoint."""
        ...


def decisions_left(config: TrainConfig, imitated: Imitated) -> int:
    """Decisions of the teacher still to learn, if time allows; 0 without a warm start or after it."""
    if config.imitate is None or imitated.is_over:
        return 0
    return max(0, config.imitate_decisions - imitated.decisions)


class WarmStart:
    """Gives a run its lessons.

    Args:
        progress: called with {"warm_start": the share that is done}, and at the end with the results.
    """

    def __init__(self, run: TaughtRun, progress: Callable[[dict[str, Any]], object] | None) -> None:
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
            self._lessons.begin()
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
        self._lessons.end()
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
