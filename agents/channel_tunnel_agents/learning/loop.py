"""The engine `torch`: PPO of our own, with games on the processor's cores and everything else on one device.

It is Stable-Baselines3's MaskablePPO with its two hot parts replaced, so that schedules, logs, callbacks, checkpoints and
policies are those of the engine `sb3`; of one rollout both learn the same.

The games are one batch in two halves: while the network answers for one half, the processor's threads step the other. Only
observations and packed masks go to the device, from pinned memory, and only actions come back; a rollout stays there. On the
processor there is nothing to overlap, so all games are one half.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from channel_tunnel_agents.learning import credit
from channel_tunnel_agents.learning.guards import TrainingCollapse
from channel_tunnel_agents.learning.ppo import SelfPlayPPO
from channel_tunnel_agents.learning.rollout_buffer import minibatches
from channel_tunnel_agents.players.policy.network import bounded, probabilities, sample
from channel_tunnel_env.envs.sb3 import PER_SEAT, SelfPlayVecEnv
from channel_tunnel_env.errors import IllegalActionError

GAMES, COPIES, NETWORK = "games", "copies", "network"  # what a run waits for
FIGURES = ("policy_gradient_loss", "value_loss", "entropy_loss", "loss", "clip_fraction", "approx_kl")
MOST_PIECES = 256  # of a minibatch that does not fit in the device's memory
T = TypeVar("T")


class Rollout:
    """T decisions of N games: what the network reads and says on the device, what the games say beside them.

    Attributes:
        seen: (T, N, D), observations as the games hold them, or rounded, if the network rounds them first.
        masks: bool (T, N, A); packed, uint8 (T, N, A / 8).
        actions, log_probs, values: (T, N), of the network.
        movers, by_rival, rewards, ended: (T, N), rewards (T, N, S), arrays of numpy.
    """

    def __init__(self, steps: int, env: SelfPlayVecEnv, device: torch.device, packed: bool, rounded: bool) -> None:
        batch, shape = env.batch, (steps, env.num_envs)
        actions = batch.masks.shape[1]
        dtype = torch.from_numpy(batch.observations[:0]).dtype
        dtype = torch.bfloat16 if rounded and dtype.is_floating_point else dtype
        masks = (torch.uint8, -(-actions // 8)) if packed else (torch.bool, actions)
        self.seen = torch.zeros((*shape, batch.observations.shape[1]), dtype=dtype, device=device)
        self.masks = torch.zeros((*shape, masks[1]), dtype=masks[0], device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_probs, self.values = (torch.zeros(shape, device=device) for _ in range(2))
        self.movers, self.by_rival = np.zeros(shape, np.int8), np.zeros(shape, np.bool_)
        self.rewards, self.ended = np.zeros((*shape, len(batch.seats)), np.float32), np.zeros(shape, np.bool_)


@dataclass
class Half:
    """Some games in a row, and the network's answers for them.

    Attributes:
        rows: the first of them, and the one after the last.
        masks: uint8 (rows, A / 8), pinned: packed masks on their way to the device; else empty.
        actions: int64 (rows,), pinned: on their way back.
        last: float (rows,), the values of the positions that are not decided yet.
        marks: on a GPU, events before and after the copies there, and when the actions are back.
    """

    rows: tuple[int, int]
    masks: torch.Tensor
    actions: torch.Tensor
    last: torch.Tensor
    marks: tuple[Any, ...]

    @property
    def part(self) -> slice:
        """The rows as a slice."""
        return slice(*self.rows)


class TorchPPO(SelfPlayPPO):
    """See the module. Made as MaskablePPO is, of `SelfPlayPolicy` and a `SelfPlayVecEnv`.

    Args:
        values_of_mover: as of `ZeroSumRolloutBuffer`.
        halves: in how many parts games are played; None: as many as pay on the device.
        packed: masks go to the device, and stay there, in bits; None: where they travel.

    Attributes:
        pieces: in how many pieces a minibatch goes through the network: more only where memory ran out.
        judge: observations and masks -> log-probabilities and values, compiled on a GPU.
    """

    def __init__(
        self,
        *args: Any,
        values_of_mover: bool = False,
        halves: int | None = None,
        packed: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.values_of_mover = values_of_mover
        self.games: SelfPlayVecEnv = self.env
        on_gpu = self.device.type == "cuda"
        self.packed = on_gpu if packed is None else packed
        self.pieces = 1
        self.judge: Callable[..., Any] = self.policy.judge
        if on_gpu:
            self.judge = torch.compile(self.policy.judge, dynamic=True)
            _pin(self.games.batch.observations)
        self._shifts = torch.arange(8, dtype=torch.uint8, device=self.device)
        self.kept = Rollout(self.n_steps, self.games, self.device, self.packed, self.policy.rounds_first)
        count = min(self.n_envs, halves or (2 if on_gpu else 1))
        edges = np.linspace(0, self.n_envs, count + 1).astype(int).tolist()
        self._halves = [self._half(a, b, on_gpu) for a, b in pairwise(edges)]
        self._spent = dict.fromkeys((GAMES, COPIES, NETWORK), 0.0)
        self._acted = 0.0  # seconds that the device took for the answers

    def _half(self, first: int, last: int, on_gpu: bool) -> Half:
        rows = last - first
        masks = torch.zeros(
            (rows if self.packed else 0, self.kept.masks.shape[-1]), dtype=torch.uint8, pin_memory=on_gpu
        )
        actions = torch.zeros(rows, dtype=torch.int64, pin_memory=on_gpu)
        marks = tuple(torch.cuda.Event(enable_timing=True) for _ in range(3)) if on_gpu else ()
        return Half((first, last), masks, actions, torch.zeros(rows), marks)

    # --- playing --------------------------------------------------------------------------------

    @torch.no_grad()
    def collect_rollouts(
        self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play `n_rollout_steps` decisions in every game; false if a callback stopped it.

        A TrainingCollapse says that the network's answers are no numbers.
        """
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        for half in self._halves:
            self._ask(half, 0)
        for step in range(n_rollout_steps):
            for half in self._halves:
                self._play(half, step)
                self._ask(half, step + 1)
            self.num_timesteps += env.num_envs
            callback.update_locals({"self": self, "env": env, "dones": env.ended, "rewards": env.paid, "n_steps": step})
            if not callback.on_step():
                return False
        self.left_off = env.batch.observations, env.ended.copy()
        with self._waiting(NETWORK):
            self._give_credit()
        callback.on_rollout_end()  # which asks what was waited for
        self._spent, self._acted = dict.fromkeys(self._spent, 0.0), 0.0
        return True

    def _ask(self, half: Half, step: int) -> None:
        """Send a half's positions to the device and let the network answer; waits for nothing on a GPU."""
        kept, batch, part = self.kept, self.games.batch, half.part
        is_last = step == len(kept.seen)  # only judged: no decision is made there
        with self._waiting(COPIES):
            for mark in half.marks[:1]:
                mark.record()
            held = torch.from_numpy(batch.observations[part])
            if is_last:
                seen = held.to(self.device, kept.seen.dtype, non_blocking=True)
            else:
                seen = kept.seen[step, part].copy_(held, non_blocking=True)
                legal = torch.from_numpy(batch.masks[part])
                if self.packed:
                    half.masks.numpy()[:] = np.packbits(batch.masks[part], axis=1, bitorder="little")
                    legal = half.masks
                kept.masks[step, part].copy_(legal, non_blocking=True)
            for mark in half.marks[1:2]:
                mark.record()
        with self._waiting(NETWORK):
            if is_last:
                half.last = self.policy.predict_values(seen)[:, 0]
                return
            masks = self._legal(kept.masks[step, part])
            log_probs, values = self._halving(lambda pieces: self._answers(seen, masks, pieces))
            actions = sample(log_probs)
            kept.actions[step, part], kept.values[step, part] = actions, bounded(values[:, 0])
            kept.log_probs[step, part] = log_probs.gather(1, actions[:, None])[:, 0]
            half.actions.copy_(actions, non_blocking=True)
            for mark in half.marks[2:]:
                mark.record()

    def _answers(self, seen: torch.Tensor, masks: torch.Tensor, pieces: int) -> tuple[torch.Tensor, torch.Tensor]:
        parts = zip(seen.chunk(pieces), masks.chunk(pieces), strict=True)
        log_probs, values = zip(*(self.judge(*part) for part in parts), strict=True)
        return torch.cat(log_probs), torch.cat(values)

    def _play(self, half: Half, step: int) -> None:
        """Play a half's actions once they are back."""
        kept, env, part = self.kept, self.games, half.part
        begun = time.perf_counter()
        for mark in half.marks[2:]:
            mark.synchronize()
        waited = time.perf_counter() - begun
        if half.marks:
            sent, copied, answered = half.marks
            copying, network = (a.elapsed_time(b) / 1e3 for a, b in ((sent, copied), (copied, answered)))
            self._acted += copying + network
            share = copying / max(copying + network, 1e-9)
            self._spent[COPIES] += waited * share
            self._spent[NETWORK] += waited * (1 - share)
        with self._waiting(GAMES):
            try:
                env.play(half.actions.numpy(), *half.rows)
            except IllegalActionError as error:
                if bool(torch.isfinite(kept.log_probs[step, part]).all()):
                    raise  # a rival's
                raise TrainingCollapse(
                    f"after {self.num_timesteps:,} decisions the network's answers are no numbers; the last checkpoint is kept. "
                    "Lower learning_rate and continue with --resume"
                ) from error
            kept.movers[step, part], kept.by_rival[step, part] = env.movers[part], env.rival_rows[part]
            kept.rewards[step, part], kept.ended[step, part] = env.seat_rewards[part], env.ended[part]

    def _give_credit(self) -> None:
        """Advantages and returns of the rollout, as the rollout buffers of the engine `sb3` give them."""
        kept, env = self.kept, self.games
        reach = self.gamma, self.gae_lambda
        values, last = kept.values, torch.cat([half.last for half in self._halves])
        movers, waiting = (self._there(each.astype(np.int64)) for each in (kept.movers, env.batch.to_play))
        stakes = env.batch.machine.spec.outcome.stakes
        rewards, ended, learned = (self._there(each) for each in (kept.rewards, kept.ended, ~kept.by_rival))
        rewards = rewards / stakes
        if env.credit == PER_SEAT:
            advantages, judged = credit.per_seat(rewards, values, ended, last, movers, waiting, *reach)
            self.returns, learned = advantages + values, judged & learned
        else:
            own = credit.signs(movers == env.view)
            view = own if self.values_of_mover else torch.ones_like(own)
            if self.values_of_mover:
                last = last * credit.signs(waiting == env.view)
            advantages = credit.zero_sum(rewards[..., env.view], values * view, ended, last, *reach) * own
            self.returns = advantages * own * view + values
        self.advantages = credit.normalised(advantages, learned)

    def _there(self, array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    def _legal(self, masks: torch.Tensor) -> torch.Tensor:
        """bool (n, A) of masks as they are kept."""
        if not self.packed:
            return masks
        return ((masks[..., None] >> self._shifts) & 1).bool().flatten(1)[:, : self.games.batch.masks.shape[1]]

    # --- learning -------------------------------------------------------------------------------

    def train(self) -> None:
        """Learn from the rollout, as MaskablePPO does from its buffer."""
        with self._waiting(NETWORK):
            self._train()

    def _train(self) -> None:
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip = float(self.clip_range(self._current_progress_remaining))
        kept = self.kept
        fields = [
            each.flatten(0, 1)
            for each in (kept.seen, kept.masks, kept.actions, kept.log_probs, self.advantages, self.returns)
        ]
        movers, epochs = kept.movers.reshape(-1), []
        for _ in range(self.n_epochs):
            figures = []
            for part in minibatches(movers, self.batch_size):
                rows = torch.from_numpy(part).to(self.device, non_blocking=True)
                batch = [each.index_select(0, rows) for each in fields]
                figures.append(self._halving(partial(self._step, batch, clip)))
            epochs.append(torch.stack(figures))
            self.updates += 1
        self._log(torch.cat(epochs).mean(0), epochs[-1].mean(0), clip)

    def _step(self, batch: list[torch.Tensor], clip: float, pieces: int) -> torch.Tensor:
        """One step of the optimiser; returns the figures, by `FIGURES`.

        The pieces' gradients are added up, so their number changes nothing but the memory that is needed at once.
        """
        rows, policy = len(batch[0]), self.policy
        policy.optimizer.zero_grad(set_to_none=True)
        total = torch.zeros(len(FIGURES), device=self.device)
        for piece in zip(*(each.chunk(pieces) for each in batch), strict=True):
            share = len(piece[0]) / rows
            loss, figures = self.losses(clip, *piece)
            (loss * share).backward()
            total += figures * share
        clip_grad_norm_(policy.parameters(), self.max_grad_norm)
        policy.optimizer.step()
        return total

    def losses(
        self,
        clip: float,
        seen: torch.Tensor,
        masks: torch.Tensor,
        actions: torch.Tensor,
        before: torch.Tensor,
        advantages: torch.Tensor,
        returns: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """PPO's loss of some decisions, and its figures (see `FIGURES`)."""
        log_probs, values = self.judge(seen, self._legal(masks))
        change = log_probs.gather(1, actions[:, None])[:, 0] - before
        ratio = change.exp()
        gain = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
        error = functional.mse_loss(values[:, 0], returns)
        certainty = (probabilities(log_probs) * log_probs).sum(1).mean()
        loss = gain + self.ent_coef * certainty + self.vf_coef * error
        with torch.no_grad():
            clipped = ((ratio - 1).abs() > clip).float().mean()
            kl = (ratio - 1 - change).mean()
            return loss, torch.stack([gain, error, certainty, loss, clipped, kl])

    def _log(self, means: torch.Tensor, last_epoch: torch.Tensor, clip: float) -> None:
        """Record the figures under the names that MaskablePPO gives them; its KL is that of the last epoch."""
        found = dict(zip(FIGURES, means.tolist(), strict=True)) | {"approx_kl": float(last_epoch[-1])}
        left = (self.returns - self.kept.values).var(unbiased=False) / self.returns.var(unbiased=False)
        found |= {"explained_variance": 1 - float(left), "clip_range": clip}
        for name, value in found.items():
            self.logger.record(f"train/{name}", value)
        self.logger.record("train/n_updates", self.updates, exclude="tensorboard")

    # --- memory and time ------------------------------------------------------------------------

    def _halving(self, work: Callable[[int], T]) -> T:
        """`work` in `pieces`; if memory is too small for one, in twice as many from here on, up to MOST_PIECES."""
        while True:
            try:
                return work(self.pieces)
            except torch.OutOfMemoryError:
                if self.pieces >= MOST_PIECES:
                    raise
            self.pieces *= 2  # not in the handler, which holds on to what did not fit
            if self.device.type == "cuda":
                torch.cuda.empty_cache()

    @contextmanager
    def _waiting(self, what: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._spent[what] += time.perf_counter() - begun

    def rows_of_rollout(self, most: int) -> tuple[torch.Tensor, torch.Tensor]:
        """As of `SelfPlayPPO`."""
        seen, masks = (each.flatten(0, 1) for each in (self.kept.seen, self.kept.masks))
        step = max(1, len(seen) // most)
        return seen[::step], self._legal(masks[::step])

    def waits(self) -> dict[str, Any]:
        """`waits`: the share of an update's time that was spent on games, copies and network, as the processor saw it; on a
        GPU also `cores`: how many would step the games while the network answers."""
        total = sum(self._spent.values()) or 1.0
        found: dict[str, Any] = {"waits": {name: spent / total for name, spent in self._spent.items()}}
        if self._acted:
            found["cores"] = max(1, round(self.games.batch.num_threads * self._spent[GAMES] / self._acted))
        return found


def _pin(array: NDArray[Any]) -> None:
    """Let the GPU read an array where it lies; if the system refuses, copies of it only take longer."""
    runtime: Any = torch.cuda.cudart()
    place = array.ctypes.data
    if int(runtime.cudaHostRegister(place, array.nbytes, 0)) == 0:
        weakref.finalize(array, runtime.cudaHostUnregister, place)
