"""A run as it lies in its folder, whichever engine trains it: its config, its policies, and the card that they have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from channel_tunnel_agents.learning.config import TrainConfig, dump_config
from channel_tunnel_agents.learning.resume import CONFIG, also_entry, continuation
from channel_tunnel_agents.matches.evaluation import LADDER_VERSION, climb
from channel_tunnel_agents.players.policy.card import ALSO, APART_FROM, DRAWN, make_card
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, PolicyForm
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.rulesets.held_apart import draw_of
from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.files import write_whole

if TYPE_CHECKING:
    from channel_tunnel_agents.learning.imitation import Imitated
    from channel_tunnel_agents.learning.pool import SnapshotPool
    from channel_tunnel_agents.learning.run_rulesets import Curriculum
    from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv


class StoredRun(ABC):
    """What the runs of all engines have.

    Args:
        config: the run's settings.
        ruleset: the first that it trains for.

    Attributes:
        also: rulesets that it trains for beside that one.
        trained_by: the algorithm, as its card says.
        resumed: whether the run continues from a checkpoint.
        changed: fields that this continuation changes; see `resume.changes`.
        parent: the entry of the policies that it started from; see `PretrainedPolicy.parent`.
        continued: an entry for each continuation; see `resume.continuation`.
        curve: of the whole run, once it has ended; see `run_curve.curve_entry`.
        stop_asked, noted: see `TrainingRun`.
    """

    form: PolicyForm = DEFAULT_FORM
    also: Sequence[Ruleset] = ()
    trained_by: str
    resumed: bool

    def __init__(self, config: TrainConfig, ruleset: Ruleset) -> None:
        self.config, self.ruleset, self.folder = config, ruleset, Path(config.run)
        self.changed: dict[str, list[Any]] = {}
        self.parent: dict[str, Any] | None = None
        self.continued: list[dict[str, Any]] = []
        self.curve: dict[str, list[list[float]]] = {}
        self.stop_asked: Callable[[], bool] = lambda: False
        self.noted: Callable[[], dict[str, Any]] = dict

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the budget is used up."""

    @property
    @abstractmethod
    def decisions_made(self) -> int:
        """Decisions of self-play so far."""

    @abstractmethod
    def all_weights(self) -> dict[str, dict[str, Any]]:
        """The current weights by side, as those of `SeatPolicy`."""

    def agent(self, greedy: bool = True) -> TorchAgent:
        """The current policies as an agent.

        Args:
            greedy: it plays the most likely action; else it samples.

        Returns:
            An agent with a copy of the weights.
        """
        config = self.config
        return TorchAgent.of_weights(self.all_weights(), config.width, config.depth, greedy, config.network, self.form)

    def evaluate(self) -> dict[str, Figure]:
        """Play the current policies against each yardstick of the ladder.

        Returns:
            Seat and yardstick -> win rate, 0 .. 1, with an interval.
        """
        return climb(self.agent(), self.config.evaluate_games, self.ruleset)

    def save_policies(self, folder: Path) -> None:
        """Write one file per seat."""
        save_policies(folder, self.all_weights(), self.card() | self.noted())

    def card(self) -> dict[str, Any]:
        """The card of the saved files: what a run adds to the card of every policy."""
        config = self.config
        return make_card(
            self.ruleset,
            algorithm=self.trained_by,
            network=config.network,
            width=config.width,
            depth=config.depth,
            seed=config.seed,
            decisions=self.decisions_made,
            ladder_version=LADDER_VERSION,
            config=config.model_dump(),
            **({ALSO: [also_entry(each) for each in self.also]} if self.also else {}),
            **_drawn_entry(config, self.ruleset),
            **({"parent": self.parent} if self.parent else {}),
            **({"continued": self.continued} if self.continued else {}),
            **({"curve": self.curve} if self.curve else {}),
        )

    def _refuse_another(self, is_there: bool, resume: bool) -> None:
        """A FileExistsError if the folder holds a run that is not to go on."""
        if is_there and not resume:
            raise FileExistsError(f"{self.folder} already holds a run; go on with --resume or choose another --run")

    def _goes_on(self) -> bool:
        """Whether something is left to do. A resumed run then notes that it goes on."""
        if self.resumed:
            if self.finished:
                return False
            self.continued.append(continuation(self.decisions_made, self.changed))
            self._write_config()
        return True

    def _write_config(self) -> None:
        write_whole(self.folder / CONFIG, dump_config(self.config).encode())


class Run(StoredRun):
    """A run as those see it who watch, teach and keep it; `training.TrainingRun` is one."""

    model: Any
    env: SelfPlayVecEnv
    pool: SnapshotPool
    curriculum: Curriculum
    imitated: Imitated

    @property
    @abstractmethod
    def done(self) -> float:
        """Share of the run that is done."""

    @abstractmethod
    def check_weights(self) -> None:
        """Raise TrainingCollapse for non-finite weights."""

    @abstractmethod
    def snapshot_if_due(self) -> None:
        """Save the current policies if a snapshot is due."""

    @abstractmethod
    def pool_is_due(self) -> bool:
        """Whether new past selves are drawn before the next rollout."""

    @abstractmethod
    def save(self) -> None:
        """Write policies and checkpoint."""


def _drawn_entry(config: TrainConfig, ruleset: Ruleset) -> dict[str, Any]:
    """The entry that lets policies of drawn rulesets play every ruleset of their game."""
    if not config.drawn_rulesets:
        return {}
    entry = {"count": config.drawn_rulesets, "seed": config.seed}
    if config.apart_from is None:
        return {DRAWN: {"space": SPACES[ruleset.spec.name].version, **entry}}
    draw = draw_of(config.apart_from)
    kept = {APART_FROM: config.apart_from, "figures_apart": draw.apart}
    return {DRAWN: {"space": draw.space, **entry, **kept}}
