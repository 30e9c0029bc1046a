"""The training run on RLlib: multi-agent PPO on the new API stack, with the same config.

Both seats are played by one module, so only the engine differs from `training`: games are stepped
one by one, in this process or in RLlib's env runners on a cluster, and credit is assigned from each
seat's decision to its own next one. It writes the same policy files as `training`.

    RUN/britain.safetensors, france.safetensors    the policies
    RUN/snapshots/DECISIONS/                       past selves
    RUN/rllib/, rllib-previous/                    RLlib's checkpoint, and the one before
"""

from __future__ import annotations

import random
import shutil
import time
from dataclasses import dataclass
from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule

from channel_tunnel_agents.learning.checkpoint import find_checkpoint
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig
from channel_tunnel_agents.learning.guards import TrainingCollapse, TrainingStopped
from channel_tunnel_agents.learning.monitor import Watcher
from channel_tunnel_agents.learning.resume import check_changes
from channel_tunnel_agents.learning.run import StoredRun
from channel_tunnel_agents.learning.start import start_from
from channel_tunnel_agents.learning.training import check_device
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.network import MASKED, SIDE, SelfPlayNetwork, bounded
from channel_tunnel_agents.players.policy.saved_policy import load_policies, load_policy
from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.all_seats import AGENTS
from channel_tunnel_env.envs.rllib import ACTION_MASK, OBSERVATIONS, ChannelTunnelMultiAgentEnv
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import folder_beside
from channel_tunnel_env.rulesets.ruleset import load_ruleset


class SelfPlayRLModule(TorchRLModule, ValueFunctionAPI):
    """Plays both seats; `model_config` holds network, width, depth and trunk."""

    def setup(self) -> None:
        """Build the network; RLlib calls it."""
        settings = self.model_config  # RLlib adds its own settings to ours
        self.network = SelfPlayNetwork(settings["width"], settings["depth"], settings["trunk"], settings["network"])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """The logits (n, A) of the legal actions, for acting and for training."""
        seen = batch[Columns.OBS]
        rows = seen[OBSERVATIONS]
        features = self.network.features(rows)
        logits = self.network.logits(features, rows[:, SIDE])
        masked = logits.masked_fill(seen[ACTION_MASK] == 0, MASKED)
        return {Columns.ACTION_DIST_INPUTS: masked, Columns.EMBEDDINGS: features}

    def _act(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        with torch.no_grad():
            out = self._forward(batch)
        del out[Columns.EMBEDDINGS]  # otherwise every row's embeddings would be kept in its episode
        return out

    _forward_inference = _forward_exploration = _act

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Values (n,) from the perspective of each row's own seat.

        Without embeddings the values are used for credit assignment, so they are clipped to the
        range of results; with embeddings they are trained, and clipping would stop the gradient
        (see `network.bounded`).
        """
        rows = batch[Columns.OBS][OBSERVATIONS]
        side = rows[:, SIDE]
        features = self.network.features(rows) if embeddings is None else embeddings
        of_britain = self.network.values(features, side)
        own = torch.where(side > 0.5, -of_britain, of_britain)
        return bounded(own) if embeddings is None else own


LEARNER = "learner"
PAST = "past_{}".format
SNAPSHOTS, CHECKPOINT, PREVIOUS = "snapshots", "rllib", "rllib-previous"
IGNORED = ("imitate", "imitate_decisions", "rivals", "precision", "observation_dtype", "threads")


WITHOUT = {"also_rulesets": "--also-rulesets", "drawn_rulesets": "--drawn-rulesets 0 --curriculum 0"}
"""Fields that mix rulesets, with the words that leave them out of a preset."""


def ignored_fields(config: TrainConfig) -> list[str]:
    """Fields that were set but that this engine ignores."""
    fields = [*IGNORED, *(() if config.pool_slots else ("rival_share",))]
    defaults = TrainConfig.model_fields
    return [name for name in fields if getattr(config, name) != defaults[name].default]


@dataclass
class Seating:
    """Chooses the module that plays a seat, drawn for every game from the game's id.

    In `share` of the games a past self holds one seat; the learner holds the others.
    """

    slots: int
    share: float

    def __call__(self, agent: str, episode: Any, **kwargs: Any) -> str:
        """The module's id."""
        luck = random.Random(episode.id_)
        if not self.slots or luck.random() >= self.share:
            return LEARNER
        seat, slot = luck.randrange(len(AGENTS)), luck.randrange(self.slots)
        return PAST(slot) if agent == AGENTS[seat] else LEARNER


def make_config(config: TrainConfig, ruleset: Ruleset) -> PPOConfig:
    """The config as RLlib's settings.

    `gae_lambda` is per decision of either seat, but RLlib counts only a seat's own decisions, on
    average every other one; hence the square.
    """
    runners = config.simulator_threads if config.simulator_threads > 1 else 0
    model = {"width": config.width, "depth": config.depth, "trunk": config.trunk, "network": config.network}
    modules = [LEARNER, *(PAST(slot) for slot in range(config.pool_slots))]
    specs = {name: RLModuleSpec(module_class=SelfPlayRLModule, model_config=model) for name in modules}

    def falling(start: float, end: float) -> list[list[float]]:
        return [[0, start], [config.decisions, end]]

    return (
        PPOConfig()
        .api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
        .environment(
            ChannelTunnelMultiAgentEnv,
            env_config={"ruleset": ruleset},
            disable_env_checking=True,  # it would play illegal actions
        )
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=-(-config.num_games // max(1, runners)),
            # Complete games only would favour short ones, because they complete first.
            batch_mode="truncate_episodes",
        )
        .multi_agent(
            policies=set(modules), policy_mapping_fn=Seating(config.pool_slots, 0.0), policies_to_train=[LEARNER]
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        .learners(num_gpus_per_learner=_gpus(config.device))
        .training(
            gamma=1.0,
            lambda_=config.gae_lambda**2,
            lr=falling(config.learning_rate, config.final_learning_rate),
            entropy_coeff=falling(config.entropy, config.final_entropy),
            clip_param=config.clip,
            vf_loss_coeff=config.value_weight,
            use_kl_loss=False,
            grad_clip=config.max_gradient,
            grad_clip_by="global_norm",
            train_batch_size_per_learner=config.num_games * config.steps,
            minibatch_size=config.batch_size,
            num_epochs=config.epochs,
        )
        .reporting(min_time_s_per_iteration=0)
        .debugging(seed=config.seed, log_level="ERROR")
    )


def _gpus(device: str) -> int:
    return int(device == "cuda" or (device == "auto" and torch.cuda.is_available()))


class RllibRun(StoredRun):
    """A run in its folder, like `training.TrainingRun`; Ray must be running.

    Args:
        config: the run's settings; see `ignored_fields`.
        resume: continue from the folder's checkpoint.

    Attributes:
        resumed, stop_asked: as `TrainingRun`'s.

    Raises:
        ConfigError: the device does not exist, or rulesets are to be drawn.
        FileExistsError: the folder already holds a run and `resume` is not set, or a run of the
            other engine.
        VersionError: `start_from` does not fit, or the config changes what a resumed run must keep
            (`resume.FIXED`).
    """

    trained_by = "self-play PPO (RLlib)"

    def __init__(self, config: TrainConfig, resume: bool = False) -> None:
        check_device(config.device)
        for field in WITHOUT:
            if getattr(config, field):
                raise ConfigError(f"{field}: this engine mixes no rulesets; {WITHOUT[field]} leaves it out")
        super().__init__(config, load_ruleset(config.ruleset, game=DEFAULT_GAME))
        self._seats = self.ruleset.seats
        places = (self.folder / CHECKPOINT, self.folder / PREVIOUS)
        checkpoint = next((place for place in places if place.exists()), None)
        if find_checkpoint(self.folder) is not None:
            raise FileExistsError(f"{self.folder} holds a run of another engine; choose another --run")
        self._refuse_another(checkpoint is not None, resume)
        self.resumed = checkpoint is not None
        if self.resumed:
            self._check_card()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.algorithm = make_config(config, self.ruleset).build_algo()
        self.decisions = 0
        if checkpoint is not None:
            self.algorithm.restore_from_path(str(checkpoint.absolute()))
            self.decisions = self._decisions_sampled(self.algorithm.metrics.peek(("env_runners",)))
        elif config.start_from:
            network = self._new_network()
            self.parent = start_from(network, config, self.ruleset)
            self._put(LEARNER, network)
        names = (self.folder / SNAPSHOTS).glob("*")
        self.snapshots = sorted(path.name for path in names if path.is_dir())
        self._begun = time.monotonic()
        if not self.resumed:
            self._write_config()

    def _check_card(self) -> None:
        """Check by the card of the run's policies that the run may continue with this config."""
        card = load_policy(self.folder / f"{self._seats[0]}.safetensors", self.ruleset)[1]
        self.changed = check_changes(card, self.config, self.folder)
        self.parent, self.continued = card.get("parent"), card.get("continued", [])

    @property
    def finished(self) -> bool:
        """Whether the budget of decisions is used up; that of minutes applies to one command
        only."""
        return self.decisions >= self.config.decisions

    lessons_left = 0
    """There is no warm start."""
    minutes_spent = 0.0
    """The minutes of this command so far."""

    @property
    def decisions_made(self) -> int:
        """Decisions of self-play so far."""
        return self.decisions

    def train(self, progress: Watcher | None = None) -> None:
        """Train to the end of the budget, then save. `progress` is called with each status dict.

        A resumed run whose budget is used up is left unchanged.

        Raises:
            TrainingCollapse: non-finite weights; the last good checkpoint is kept.
            TrainingStopped: `stop_asked` returned true; everything is saved.
        """
        config = self.config
        if not self._goes_on():
            return
        evaluated = saved = time.monotonic()
        rates: dict[str, Figure] = {}
        while self.done < 1:
            self._seat_past_selves()
            begun, before = time.monotonic(), self.decisions
            sampled = self.algorithm.train()["env_runners"]
            self.decisions = self._decisions_sampled(sampled)
            self._check_weights()
            now = time.monotonic()
            if now - evaluated >= config.evaluate_every:
                rates, evaluated = self.evaluate(), now
            self._snapshot_if_due()
            if now - saved >= config.checkpoint_every:
                self.save()
                saved = now
            if progress:
                returns = sampled.get("agent_episode_returns_mean", {})
                progress(
                    {
                        "done": min(1.0, self.done),
                        "decisions": self.decisions,
                        "decisions_per_second": (self.decisions - before) / (now - begun),
                        "first_seat": self._seats[0],
                        "seats": len(self._seats),
                        "first_seat_wins": (1 + float(returns.get(AGENTS[0], 0.0))) / 2,
                        "rates": rates,
                    }
                )
            if self.stop_asked() and self.done < 1:
                self.save()
                raise TrainingStopped(f"stopped after {self.decisions:,} decisions")
        self.save()

    @property
    def done(self) -> float:
        """Share of the run that is done."""
        done = self.decisions / self.config.decisions
        if self.config.max_minutes:
            done = max(done, (time.monotonic() - self._begun) / 60 / self.config.max_minutes)
        return done

    @staticmethod
    def _decisions_sampled(results: Any) -> int:
        return int(results["num_env_steps_sampled_lifetime"])

    # --- past selves ----------------------------------------------------------------------------

    def _snapshot_if_due(self) -> None:
        """Save the current policies whenever another 1 / snapshots of the run has passed."""
        if self.done * self.config.snapshots >= len(self.snapshots) + 1:
            name = f"{self.decisions:012d}"
            self.save_policies(self.folder / SNAPSHOTS / name)
            self.snapshots.append(name)

    def _seat_past_selves(self) -> None:
        """Fill the pool's places with past selves, drawn uniformly."""
        config = self.config
        if not (config.pool_slots and self.snapshots and self.done >= config.pool_from):
            return
        luck = random.Random(f"{config.seed} {self.decisions}")
        for slot in range(config.pool_slots):
            folder = self.folder / SNAPSHOTS / luck.choice(self.snapshots)
            network = self._new_network()
            network.load_seat_weights(load_policies(policy_paths(folder)))
            self._put(PAST(slot), network)
        seating = Seating(config.pool_slots, config.rival_share)
        self.algorithm.env_runner_group.foreach_env_runner(
            lambda runner: runner.config.multi_agent(policy_mapping_fn=seating)
        )

    # --- weights --------------------------------------------------------------------------------

    def _new_network(self) -> SelfPlayNetwork:
        config = self.config
        return SelfPlayNetwork(config.width, config.depth, config.trunk, config.network)

    def _put(self, module: str, network: SelfPlayNetwork) -> None:
        """Give a module the network's weights, wherever the module runs."""
        state = {f"network.{name}": tensor.numpy() for name, tensor in network.state_dict().items()}
        self.algorithm.set_weights({module: state})

    def network(self) -> SelfPlayNetwork:
        """A copy of the learner's network."""
        network = self._new_network()
        network.load_state_dict({name.removeprefix("network."): value for name, value in self._weights().items()})
        return network

    def _weights(self) -> dict[str, torch.Tensor]:
        """The learner's weights by RLlib's names."""
        state = self.algorithm.get_weights([LEARNER])[LEARNER]
        return {name: torch.as_tensor(value) for name, value in state.items()}

    def _check_weights(self) -> None:
        if not all(bool(torch.isfinite(tensor).all()) for tensor in self._weights().values()):
            raise TrainingCollapse(
                f"{self.decisions:,} decisions left non-finite weights; the previous checkpoint is "
                "kept. Lower learning_rate and continue with --resume"
            )

    def all_weights(self) -> dict[str, dict[str, torch.Tensor]]:
        """The learner's weights by side."""
        return self.network().all_weights()

    def save(self) -> None:
        """Write both policies, then RLlib's checkpoint atomically; the previous one is kept."""
        self.save_policies(self.folder)
        place, previous = self.folder / CHECKPOINT, self.folder / PREVIOUS
        with folder_beside(place) as part:
            self.algorithm.save_to_path(str(part.absolute()))
            if place.exists():
                shutil.rmtree(previous, ignore_errors=True)
                place.rename(previous)
            part.rename(place)

    def close(self) -> None:
        """Release the env runners."""
        self.algorithm.stop()
