"""The training run: MaskablePPO on the self-play batch, with schedules, evaluation and resume."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, make_output_format
from stable_baselines3.common.utils import set_random_seed

from agents import make_plain_agent
from agents.arena import play_match
from agents.base import Agent
from agents.heuristic import HeuristicAgent
from agents.ppo.agent import PolicyAgent
from agents.ppo.config import TrainConfig, dump_config
from agents.ppo.imitation import imitate
from agents.ppo.network import SeatPolicy
from agents.ppo.rollout_buffer import ZeroSumRolloutBuffer
from agents.ppo.saved_policy import check_card, make_card, save_policy, write_whole
from agents.ppo.sb3_policy import SeatHeadsPolicy
from agents.random_agent import RandomAgent
from channel_tunnel_env import VersionError, load_ruleset
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv

CHECKPOINT = "checkpoint.pt"
EVALUATION_SEED = 987_654_321  # never a training seed's deals


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose schedules follow decisions or the clock, whichever is ahead."""

    max_seconds: float | None = None
    trained_seconds = 0.0

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        done = num_timesteps / total_timesteps
        if self.max_seconds:
            done = max(done, self.trained_seconds / self.max_seconds)
        self._current_progress_remaining = max(0.0, 1.0 - done)


class TrainingRun:
    """A run in its folder: build or resume, train, leave policies for both seats.

    Args:
        config: what to do.
        resume: go on from the folder's checkpoint.

    Raises:
        VersionError: the checkpoint was made for another ruleset, version or network.
        FileExistsError: the folder already holds a run and `resume` was not asked for.
    """

    def __init__(self, config: TrainConfig, resume: bool = False) -> None:
        self.config = config
        self.folder = Path(config.run)
        self.ruleset = load_ruleset(config.ruleset)
        checkpoint = self.folder / CHECKPOINT
        if checkpoint.exists() and not resume:
            raise FileExistsError(
                f"{self.folder} already holds a run; go on with --resume or choose another --run"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(config.threads)
        torch.distributions.Distribution.set_default_validate_args(False)
        self.env = SelfPlayVecEnv(
            config.num_games,
            self.ruleset,
            seed=config.seed,
            num_threads=config.simulator_threads,
            rivals=[
                make_plain_agent(name, self.ruleset, config.seed + i)
                for i, name in enumerate(config.rivals)
            ],
            rival_share=config.rival_share,
        )
        self.model = self._build_model()
        suffix = ""
        if resume and checkpoint.exists():
            self._load(checkpoint)
            suffix = f"-from-{self.model.num_timesteps}"
        formats = [
            make_output_format(kind, str(self.folder), suffix) for kind in ("csv", "tensorboard")
        ]
        self.model.set_logger(Logger(str(self.folder), formats))
        write_whole(self.folder / "config.yaml", dump_config(config).encode())

    def _build_model(self) -> SelfPlayPPO:
        config = self.config
        set_random_seed(config.seed)
        model = SelfPlayPPO(
            SeatHeadsPolicy,
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
            rollout_buffer_class=ZeroSumRolloutBuffer,
            normalize_advantage=False,  # the buffer does it, over the learner's rows
            rollout_buffer_kwargs={
                "view": self.env.view,
                "rival_rows": lambda: self.env.rival_rows,
                "normalise": True,
            },
            policy_kwargs={
                "width": config.width,
                "depth": config.depth,
                "optimizer_kwargs": {"eps": 1e-5},
            },
            device=config.device,
            seed=config.seed,
        )
        model.max_seconds = None if config.max_minutes is None else config.max_minutes * 60
        return model

    def train(self, progress: Any = None) -> None:
        """Train to the end of the budget, then save. `progress` is called with each status dict."""
        self._imitate(progress)
        left = self.config.decisions - self.model.num_timesteps
        if left > 0:
            callback = _RunCallback(self, progress)
            self.model.learn(left, callback, reset_num_timesteps=False)
        self.save()

    def _imitate(self, progress: Any) -> None:
        """The warm start, once: a run that has begun self-play does not repeat it."""
        config, model = self.config, self.model
        if config.imitate is None or model.num_timesteps > 0:
            return
        begun = time.monotonic()
        teacher = make_plain_agent(config.imitate, self.ruleset, config.seed)
        agreement = imitate(model, self.env, teacher, config.imitate_decisions, config.seed)
        model.trained_seconds += time.monotonic() - begun
        if progress:
            progress({"imitation": config.imitate, "agreement": agreement, **self.evaluate()})

    # --- policies and evaluation ----------------------------------------------------------------

    def agent(self, greedy: bool = True) -> PolicyAgent:
        """The present policies as an agent."""
        policies = {}
        for seat, side in enumerate(SEATS):
            policy = SeatPolicy(self.config.width, self.config.depth)
            policy.load_state_dict(self.model.policy.seat_weights(seat))
            policies[side] = policy.eval()
        return PolicyAgent(policies, "ppo", greedy)

    def evaluate(self) -> dict[str, float]:
        """Win rate of each side's policy against random and heuristic play."""
        agent, games = self.agent(), self.config.evaluate_games
        yardsticks: list[Agent] = [RandomAgent(0), HeuristicAgent(0)]
        rates = {}
        for rival in yardsticks:
            for side in SEATS:
                home: Agent = agent if side == "britain" else rival
                away: Agent = rival if side == "britain" else agent
                result = play_match(home, away, games, EVALUATION_SEED, self.ruleset)
                rates[f"{side} v {rival.name}"] = result.wins(side) / games
        return rates

    # --- disk -----------------------------------------------------------------------------------

    def card(self, **more: Any) -> dict[str, Any]:
        """What the saved files say of this run."""
        return make_card(
            self.ruleset,
            algorithm="self-play MaskablePPO",
            width=self.config.width,
            depth=self.config.depth,
            seed=self.config.seed,
            decisions=self.model.num_timesteps,
            config=self.config.model_dump(),
            **more,
        )

    def save(self) -> None:
        """Write both policies and the checkpoint, each whole or not at all."""
        for seat, side in enumerate(SEATS):
            weights = self.model.policy.seat_weights(seat)
            save_policy(self.folder / f"{side}.safetensors", weights, self.card(side=side))
        buffer = io.BytesIO()
        torch.save(self._state(), buffer)
        write_whole(self.folder / CHECKPOINT, buffer.getvalue())

    def _state(self) -> dict[str, Any]:
        model, batch = self.model, self.env.batch
        _algorithm, keys, place, *_ = np.random.get_state()
        return {
            "card": json.dumps(self.card()),
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "updates": model._n_updates,
            "decisions": model.num_timesteps,
            "seconds": model.trained_seconds,
            "progress": model._current_progress_remaining,
            "torch_rng": torch.get_rng_state(),
            "numpy_rng": torch.from_numpy(np.asarray(keys).astype(np.int64)),
            "numpy_rng_place": place,
            "games": torch.from_numpy(np.frombuffer(batch.states.tobytes(), np.uint8).copy()),
            "episode_starts": torch.from_numpy(self._episode_starts()),
        }

    def _episode_starts(self) -> NDArray[np.bool_]:
        starts = self.model._last_episode_starts
        return np.ones(self.config.num_games, np.bool_) if starts is None else np.asarray(starts)

    def _load(self, path: Path) -> None:
        try:
            state = torch.load(path, weights_only=True)
        except Exception as error:
            raise VersionError(f"{path}: not a checkpoint, or cut short: {error}") from None
        card = json.loads(state["card"])
        check_card(card, path, self.ruleset)
        for key in ("width", "depth"):
            if card[key] != getattr(self.config, key):
                raise VersionError(
                    f"{path}: made with {key} {card[key]}, the config says {getattr(self.config, key)}"
                )
        model = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model._n_updates = state["updates"]
        model.num_timesteps = state["decisions"]
        model.trained_seconds = state["seconds"]
        model._current_progress_remaining = state["progress"]
        if state["games"].numel() == self.env.batch.states.nbytes:
            self.env.batch.restore(state["games"].numpy())
            model._last_obs = self.env.batch.observations.copy()
            model._last_episode_starts = state["episode_starts"].numpy()
        torch.set_rng_state(state["torch_rng"])
        keys = state["numpy_rng"].numpy().astype(np.uint32)
        np.random.set_state(("MT19937", keys, state["numpy_rng_place"], 0, 0.0))


def _linear(start: float, end: float) -> Any:
    return lambda remaining: end + (start - end) * remaining


class _RunCallback(BaseCallback):
    """Schedules, clock, tallies, evaluation and checkpoints between updates."""

    def __init__(self, run: TrainingRun, progress: Any) -> None:
        super().__init__()
        self.run = run
        self.progress = progress
        self.rates: dict[str, float] = {}
        self._begun = self._evaluated = self._saved = time.monotonic()
        self._seconds_before = run.model.trained_seconds
        self._decisions_before = run.model.num_timesteps
        self._clear()

    def _clear(self) -> None:
        self.games = self.britain_wins = self.truncated = 0

    def _on_rollout_start(self) -> None:
        config, model = self.run.config, self.run.model
        remaining = model._current_progress_remaining
        model.ent_coef = _linear(config.entropy, config.final_entropy)(remaining)

    def _on_step(self) -> bool:
        for row in np.flatnonzero(self.locals["dones"] & self.run.env.self_play):
            info = self.locals["infos"][row]
            self.games += 1
            self.britain_wins += info["outcome"] > 0
            self.truncated += info["truncated_game"]
        model = self.run.model
        model.trained_seconds = self._seconds_before + time.monotonic() - self._begun
        return not model.max_seconds or model.trained_seconds < model.max_seconds

    def _on_rollout_end(self) -> None:
        run, now = self.run, time.monotonic()
        if now - self._evaluated >= run.config.evaluate_every:
            self.rates = run.evaluate()
            for name, rate in self.rates.items():
                self.logger.record(f"evaluation/{name}", rate)
            self._evaluated = time.monotonic()
        if now - self._saved >= run.config.checkpoint_every:
            run.save()
            self._saved = time.monotonic()
        self._report()

    def _report(self) -> None:
        model = self.run.model
        seconds = max(time.monotonic() - self._begun, 1e-9)
        status: dict[str, Any] = {
            "decisions": model.num_timesteps,
            "decisions_per_second": (model.num_timesteps - self._decisions_before) / seconds,
            "done": 1 - model._current_progress_remaining,
            "britain_self_play": self.britain_wins / max(self.games, 1),
            "truncated": self.truncated / max(self.games, 1),
            "entropy_bonus": model.ent_coef,
            **self.rates,
        }
        for name in ("decisions_per_second", "britain_self_play", "truncated", "entropy_bonus"):
            self.logger.record(f"self_play/{name}", status[name])
        self.logger.record("self_play/decisions", model.num_timesteps)
        if self.progress:
            self.progress(status)
        self._clear()
