"""The training run: MaskablePPO on the self-play batch, with schedules, evaluation and resume."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import get_device, set_random_seed

from channel_tunnel_agents.learning.checkpoint import find_checkpoint, load_checkpoint, save_checkpoint
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig
from channel_tunnel_agents.learning.guards import TrainingCollapse
from channel_tunnel_agents.learning.imitation import Imitated
from channel_tunnel_agents.learning.loop import TorchPPO
from channel_tunnel_agents.learning.monitor import Monitor, RunLogger, Watcher
from channel_tunnel_agents.learning.pool import SnapshotPool
from channel_tunnel_agents.learning.ppo import SelfPlayPPO, first_line
from channel_tunnel_agents.learning.rollout_buffer import PerSeatRolloutBuffer, ZeroSumRolloutBuffer
from channel_tunnel_agents.learning.run import Run
from channel_tunnel_agents.learning.run_rulesets import Curriculum, also_of_run, check_players, rulesets_of_run
from channel_tunnel_agents.learning.sb3_policy import SelfPlayPolicy
from channel_tunnel_agents.learning.start import WarmStart, start_from
from channel_tunnel_agents.players.policy.form import FORMS, Credit, PolicyForm
from channel_tunnel_agents.players.policy.network import has_fast_bfloat16
from channel_tunnel_agents.registry import make_plain_agent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.sb3 import PER_SEAT, SelfPlayVecEnv
from channel_tunnel_env.rulesets.ruleset import load_ruleset

SNAPSHOTS = "snapshots"  # folder of past selves
POOL_STAY = 800  # steps of every game before other past selves are drawn: about five games


class TrainingRun(Run):
    """A run in its folder: build or resume, train, write policies for both seats.

    Args:
        config: the run's settings.
        resume: continue from the folder's checkpoint.
        ruleset: the config's ruleset, for machines that lack its file; None: read it.
        callbacks: Stable-Baselines3 callbacks, called as usual, after our own.

    Attributes:
        resumed: whether the run continues from a checkpoint.
        imitated: how far its warm start is.
        stop_asked: called after every update; if it returns true, `train` saves and stops.
        noted: what the cards of the saved policies say beside `card`.

    Raises:
        ConfigError: the device does not exist, or rulesets cannot be drawn.
        VersionError: the checkpoint cannot be read, was made for another ruleset or version, or the
            config changes what a resumed run must keep (`resume.FIXED`).
        FileExistsError: the folder already holds a run and `resume` is not set.
    """

    def __init__(
        self,
        config: TrainConfig,
        resume: bool = False,
        ruleset: Ruleset | None = None,
        callbacks: Sequence[BaseCallback] = (),
    ) -> None:
        check_device(config.device)
        super().__init__(config, ruleset or load_ruleset(config.ruleset))
        self.trained_by = "self-play MaskablePPO" if config.engine == "sb3" else "self-play PPO"
        self.callbacks = [*callbacks]
        self.imitated = Imitated()
        self.form = form_of_run(config, self.ruleset)
        self.credit = credit_of(self.form, self.ruleset)
        self.also = also_of_run(config, self.ruleset)
        checkpoint = find_checkpoint(self.folder)
        self._refuse_another(checkpoint is not None, resume)
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(config.threads)
        torch.distributions.Distribution.set_default_validate_args(False)
        rulesets = rulesets_of_run(config, self.ruleset, self.also)
        teacher = [config.imitate] if config.imitate and checkpoint is None else []
        check_players([*config.rivals, *teacher], rulesets, config.drawn_rulesets)
        self.env = SelfPlayVecEnv(
            config.num_games,
            rulesets,
            seed=config.seed,
            num_threads=config.simulator_threads,
            rivals=[
                *(make_plain_agent(name, self.ruleset) for name in config.rivals),
                *(None for _ in range(config.pool_slots)),
            ],
            rival_share=config.rival_share,
            credit=self.credit,
            mix=len(rulesets) > 1,
            lone_learner=is_response(config),
            observation_dtype=config.observation_dtype,
        )
        self.curriculum = Curriculum(len(rulesets), config.drawn_rulesets, config.curriculum)
        self.pool = SnapshotPool(
            self.folder / SNAPSHOTS, self.env, config.pool_slots, self.ruleset, get_device(config.device)
        )
        self.model = self._build_model()
        if config.start_from and checkpoint is None:
            self.parent = start_from(self.model.policy, config, self.ruleset, self.also)
        suffix = ""
        if checkpoint is not None:
            load_checkpoint(self, checkpoint)
            suffix = f"-from-{self.model.num_timesteps}"
        self.model.set_logger(RunLogger(self.folder, suffix))
        self.resumed = checkpoint is not None
        if not self.resumed:
            self._write_config()

    def _build_model(self) -> SelfPlayPPO:
        config = self.config
        set_random_seed(config.seed)
        make: Any = SelfPlayPPO
        if config.engine == "torch":
            make = partial(TorchPPO, values_of_mover=self.form.values_of_mover)
        model: SelfPlayPPO = make(
            SelfPlayPolicy,
            self.env,
            learning_rate=_linear(config.learning_rate, config.final_learning_rate),
            n_steps=config.steps,
            batch_size=config.batch_size,
            n_epochs=config.epochs,
            gamma=1.0,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            ent_coef=config.entropy,
            vf_coef=config.value_weight,
            max_grad_norm=config.max_gradient,
            normalize_advantage=False,  # the buffer does it, over the learner's rows
            **self._credit(),
            policy_kwargs={
                "width": config.width,
                "depth": config.depth,
                "trunk": config.trunk,
                "network": config.network,
                "form": self.form,
                "layout": self.env.batch.encoding.layout,
                "fast": is_fast(config),
            },
            device=config.device,
            seed=config.seed,
        )
        model.max_seconds = None if config.max_minutes is None else config.max_minutes * 60
        return model

    def _credit(self) -> dict[str, Any]:
        """The buffer that gives credit as the game needs it."""
        common = {"games": self.env, "normalise": True}
        if self.credit == PER_SEAT:
            return {"rollout_buffer_class": PerSeatRolloutBuffer, "rollout_buffer_kwargs": common}
        views = {"view": self.env.view, "values_of_mover": self.form.values_of_mover}
        return {"rollout_buffer_class": ZeroSumRolloutBuffer, "rollout_buffer_kwargs": common | views}

    @property
    def finished(self) -> bool:
        """Whether the budget, in decisions or minutes, is used up."""
        model = self.model
        late = bool(model.max_seconds) and model.trained_seconds >= (model.max_seconds or 0)
        return model.num_timesteps > 0 and (late or model.num_timesteps >= self.config.decisions)

    @property
    def lessons_left(self) -> int:
        """Decisions of the teacher that the warm start still has to learn, if time allows."""
        if self.config.imitate is None or self.imitated.is_over:
            return 0
        return max(0, self.config.imitate_decisions - self.imitated.decisions)

    @property
    def decisions_made(self) -> int:
        """Decisions of self-play so far."""
        return int(self.model.num_timesteps)

    @property
    def minutes_spent(self) -> float:
        """Minutes of the run so far, warm start included."""
        return self.model.trained_seconds / 60

    def train(self, progress: Watcher | None = None) -> None:
        """Train to the end of the budget, then save.

        A resumed run whose budget is used up is left unchanged.

        Args:
            progress: called with each status dict.

        Raises:
            TrainingCollapse: non-finite weights; the last good checkpoint is kept.
            TrainingStopped: `stop_asked` returned true; everything is saved, of a warm start all but the update in
                progress.
            OSError: a file could not be written; the previous one is intact.
        """
        if not self._goes_on():
            return
        if self.config.imitate is not None and not self.imitated.is_over:
            WarmStart(self, progress).give()
        left = self.config.decisions - self.model.num_timesteps
        if left > 0:
            callbacks = [Monitor(self, progress), *self.callbacks]
            self.model.learn(left, callbacks, reset_num_timesteps=False)
        self.check_weights()
        self.save()

    def check_weights(self) -> None:
        """Refuse to play with or save non-finite weights: a TrainingCollapse names the update that left them."""
        model = self.model
        if all(bool(torch.isfinite(weights).all()) for weights in model.policy.parameters()):
            return
        raise TrainingCollapse(
            f"update {model.updates // model.n_epochs} ({model.num_timesteps:,} decisions) left "
            "non-finite weights; the checkpoint before it is kept. Lower learning_rate and "
            "continue with --resume"
        )

    def all_weights(self) -> dict[str, dict[str, Any]]:
        """The current weights by side."""
        weights: dict[str, dict[str, Any]] = self.model.policy.all_weights()
        return weights

    # --- past selves ----------------------------------------------------------------------------

    @property
    def done(self) -> float:
        """Share of the run that is done."""
        # Rounded, so that a fifth of the run is exactly a fifth and a due snapshot is not one
        # update late.
        return round(self.model.share_done(self.config.decisions), 9)

    def snapshot_if_due(self) -> None:
        """Save the current policies whenever another 1 / snapshots of the run has passed."""
        name = f"{self.model.num_timesteps:012d}"
        due = self.done * self.config.snapshots >= len(self.pool.names) + 1
        if due and name not in self.pool.names:  # a resumed run may have it already
            self.save_policies(self.folder / SNAPSHOTS / name)
            self.pool.add(name)

    def pool_is_due(self) -> bool:
        """Whether the pool draws new past selves before the next rollout."""
        if not self.config.pool_slots or self.done < self.config.pool_from:
            return False
        updates = self.model.num_timesteps // (self.config.num_games * self.config.steps)
        return updates % -(-POOL_STAY // self.config.steps) == 0 or not any(self.pool.playing[0])

    def save(self) -> None:
        """Write both policies and the checkpoint, each atomically."""
        self.save_policies(self.folder)
        save_checkpoint(self)


def form_of_run(config: TrainConfig, ruleset: Ruleset) -> PolicyForm:
    """The form of the policies that the config trains; a ConfigError if the game has none, or not with this network."""
    form = FORMS.get(ruleset.spec.name)
    if form is None:
        raise ConfigError(f"ruleset {ruleset.name}: games that can be trained: {', '.join(FORMS)}")
    if config.network not in form.networks:
        raise ConfigError(f"network {config.network}: for the game {form.game}: {', '.join(form.networks)}")
    if config.trunk == "separate" and len(form.sides) == 1:
        raise ConfigError(f"trunk separate: one policy plays all seats of {form.game}: shared")
    if config.pool_slots and credit_of(form, ruleset) == PER_SEAT:
        raise ConfigError(
            f"pool_slots {config.pool_slots}: past selves are drawn by their wins between two seats; "
            f"at a table of {ruleset.num_seats}: 0"
        )
    return form


def credit_of(form: PolicyForm, ruleset: Ruleset) -> Credit:
    """How self-play pays by a ruleset: each seat by itself where there are more than two."""
    return form.credit if ruleset.num_seats == 2 else PER_SEAT


def is_response(config: TrainConfig) -> bool:
    """Whether the run learns an answer to one agent, which then holds all seats but the learner's."""
    return config.rival_share == 1 and len(config.rivals) == 1 and not config.pool_slots


def check_device(device: str) -> None:
    """Refuse, with a ConfigError, a device that cannot calculate; torch's wrappers would silently use another one."""
    if device != "cuda":
        return
    if not torch.cuda.is_available():
        raise ConfigError("device cuda: torch finds no GPU here; expected auto or cpu")
    try:
        torch.ones(1, device=device).add(1).item()
    except RuntimeError as error:  # of another kind than torch was built for, an old driver, no memory left
        raise ConfigError(f"device cuda: torch cannot use the GPU: {first_line(error)}; expected auto or cpu") from None


def is_fast(config: TrainConfig) -> bool:
    """Whether the run multiplies matrices in bfloat16."""
    if config.precision == "auto":
        return has_fast_bfloat16(get_device(config.device))
    return config.precision == "bfloat16"


def _linear(start: float, end: float) -> Any:
    return lambda remaining: end + (start - end) * remaining
