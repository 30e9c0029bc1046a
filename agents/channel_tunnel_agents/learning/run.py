"""A run as those see it who watch, teach and keep it; `training.TrainingRun` is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.pool import SnapshotPool
from channel_tunnel_agents.learning.run_rulesets import Curriculum
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv


@dataclass
class Imitated:
    """How far the warm start is.

    Attributes:
        decisions: of the teacher, learned so far.
        is_over: whether self-play has its turn.
    """

    decisions: int = 0
    is_over: bool = False


class Run(Protocol):
    """Its attributes are those of `TrainingRun`."""

    config: TrainConfig
    folder: Path
    ruleset: Ruleset
    also: list[Ruleset]
    form: PolicyForm
    model: Any
    env: SelfPlayVecEnv
    pool: SnapshotPool
    curriculum: Curriculum
    imitated: Imitated
    parent: dict[str, Any] | None
    continued: list[dict[str, Any]]
    changed: dict[str, list[Any]]
    stop_asked: Callable[[], bool]

    @property
    def done(self) -> float:
        """Share of the run that is done."""

    def card(self) -> dict[str, Any]:
        """The card of the saved files."""

    def check_weights(self) -> None:
        """Raise TrainingCollapse for non-finite weights."""

    def snapshot_if_due(self) -> None:
        """Save the current policies if a snapshot is due."""

    def pool_is_due(self) -> bool:
        """Whether new past selves are drawn before the next rollout."""

    def evaluate(self) -> dict[str, Figure]:
        """Win rates against the ladder."""

    def save(self) -> None:
        """Write policies and checkpoint."""
