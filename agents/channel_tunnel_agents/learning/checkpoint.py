"""Checkpoints: all that a run needs to go on as if it had never stopped.

Random streams are not in them: before every update they start anew from the run's seed and the number
of decisions so far, so the resumed run draws what the unbroken one would have drawn.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.pool import SnapshotPool
from channel_tunnel_agents.learning.resume import RULES_STAY, check_changes
from channel_tunnel_agents.players.policy.card import check_card
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.documents import need_mapping, parse_json
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from channel_tunnel_env.files import write_whole

CHECKPOINT = "checkpoint.pt"
PREVIOUS = "checkpoint-previous.pt"


class KeptRun(Protocol):
    """What a checkpoint keeps of a run; see `training.TrainingRun`."""

    config: TrainConfig
    folder: Path
    ruleset: Ruleset
    model: Any
    env: SelfPlayVecEnv
    pool: SnapshotPool
    parent: dict[str, Any] | None
    continued: list[dict[str, Any]]
    changed: dict[str, list[Any]]

    def card(self) -> dict[str, Any]:
        """What the saved files say of the run."""
        ...


def save_checkpoint(run: KeptRun) -> None:
    """Write the checkpoint whole; the one before stays beside it."""
    model, batch = run.model, run.env.batch
    starts = model._last_episode_starts
    state = {
        "card": json.dumps(run.card()),
        "pool": json.dumps(run.pool.state()),
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "updates": model._n_updates,
        "decisions": model.num_timesteps,
        "seconds": model.trained_seconds,
        "progress": model._current_progress_remaining,
        "games": torch.from_numpy(np.frombuffer(batch.states.tobytes(), np.uint8).copy()),
        "episode_starts": torch.from_numpy(
            np.ones(batch.num_games, np.bool_) if starts is None else np.asarray(starts)
        ),
    }
    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_whole(run.folder / CHECKPOINT, buffer.getvalue(), keep=run.folder / PREVIOUS)


def find_checkpoint(folder: Path) -> Path | None:
    """The folder's checkpoint; the previous one where a kill came between the two."""
    return next(
        (folder / name for name in (CHECKPOINT, PREVIOUS) if (folder / name).exists()), None
    )


def load_checkpoint(run: KeptRun, path: Path) -> None:
    """Put the run where the checkpoint left it.

    Raises:
        VersionError: a broken file, made for another ruleset or version, or by a config that this one may not
            change.
    """
    state = _read(path)
    try:
        card = need_mapping(parse_json(state["card"], str(path)), str(path), "the card")
        check_card(card, path, run.ruleset, RULES_STAY)
        run.changed = check_changes(card, run.config, run.folder)
        run.parent, run.continued = card.get("parent"), card.get("continued", [])
        _restore(run, state)
    except VersionError:
        raise
    except Exception as error:  # whatever a changed file leads to
        raise _unreadable(path, error) from None


def _restore(run: KeptRun, state: dict[str, Any]) -> None:
    model = run.model
    model.policy.load_state_dict(state["policy"])
    model.policy.optimizer.load_state_dict(state["optimizer"])
    model._n_updates = state["updates"]
    model.num_timesteps = state["decisions"]
    model.trained_seconds = state["seconds"]
    # Not the checkpoint's: the run may have been given another budget.
    model._update_current_progress_remaining(model.num_timesteps, run.config.decisions)
    run.pool.restore(parse_json(state["pool"], "the pool"))
    if state["games"].numel() == run.env.batch.states.nbytes:
        run.env.batch.restore(state["games"].numpy())
        model._last_obs = run.env.batch.observations.copy()
        model._last_episode_starts = state["episode_starts"].numpy()


def _read(path: Path) -> dict[str, Any]:
    try:
        return dict(torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # torch raises a dozen kinds for a file cut short
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> VersionError:
    """What is wrong with a checkpoint, and how to go on from the one before."""
    why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    text = f"{path}: not a checkpoint, or cut short: {why}"
    previous = path.with_name(PREVIOUS)
    if path.name == CHECKPOINT and previous.exists():
        text += f"; the one before is whole or older: mv {previous} {path}, then --resume"
    return VersionError(text)
