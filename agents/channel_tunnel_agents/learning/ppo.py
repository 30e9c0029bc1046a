"""PPO as Stable-Baselines3 runs it, with the budgets of a run and one line for what a GPU does."""

from __future__ import annotations

from typing import Any, Self

import torch
from sb3_contrib import MaskablePPO

from channel_tunnel_agents.learning.guards import TrainingCollapse


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose schedules follow decisions or the clock, whichever is ahead."""

    max_seconds: float | None = None
    trained_seconds = 0.0

    def share_done(self, decisions: int) -> float:
        """The share used of the budget of decisions, or of the clock's."""
        done = self.num_timesteps / decisions
        if self.max_seconds:
            done = max(done, self.trained_seconds / self.max_seconds)
        return min(1.0, done)

    @property
    def remaining(self) -> float:
        """Share of the budget that the schedules hold to be left."""
        return self._current_progress_remaining

    @property
    def updates(self) -> int:
        """Passes over a rollout so far."""
        return int(self._n_updates)

    @updates.setter
    def updates(self, count: int) -> None:
        self._n_updates = count

    @property
    def left_off(self) -> tuple[Any, Any]:
        """Observations (N, D) where the next rollout begins, and which of them begin a game, bool (N,); None before the first."""
        return self._last_obs, self._last_episode_starts

    @left_off.setter
    def left_off(self, found: tuple[Any, Any]) -> None:
        self._last_obs, self._last_episode_starts = found

    def set_budget(self, decisions: int) -> None:
        """Let the schedules follow a budget of `decisions` from here on."""
        self._update_current_progress_remaining(self.num_timesteps, decisions)

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        self._current_progress_remaining = 1.0 - self.share_done(total_timesteps)

    def learn(self, *args: Any, **kwargs: Any) -> Self:
        """As MaskablePPO's; a TrainingCollapse if the GPU has too little memory, or failed."""
        try:
            return super().learn(*args, **kwargs)
        except torch.OutOfMemoryError as error:
            raise TrainingCollapse(
                f"{first_line(error)}; the last checkpoint is kept. Lower batch_size, or num_games and steps, and continue with "
                "--resume"
            ) from None
        except RuntimeError as error:
            if "CUDA" not in str(error):
                raise
            raise TrainingCollapse(
                f"the GPU failed: {first_line(error)}; the last checkpoint goes on on any device: --resume --device cpu"
            ) from None

    def rows_of_rollout(self, most: int) -> tuple[torch.Tensor, torch.Tensor]:
        """About `most` rows of the last rollout, evenly spread: observations (n, D) and masks bool (n, A)."""
        buffer: Any = self.rollout_buffer
        rows = buffer.by_rival.size
        step = max(1, rows // most)
        seen, masks = (each.reshape(rows, -1)[::step] for each in (buffer.observations, buffer.action_masks))
        return torch.from_numpy(seen).to(self.device), torch.from_numpy(masks).to(self.device)

    def waits(self) -> dict[str, Any]:
        """What the last update waited for, if that is measured; see `loop.TorchPPO`."""
        return {}


def first_line(error: BaseException) -> str:
    """What torch says of a failure, without what follows on many lines."""
    return str(error).strip().splitlines()[0][:200]
