"""Checkpoints: everything a run needs to resume as if it had never stopped.

Random streams are not saved: before every update they are re-seeded from the run's seed and the
number of decisions so far, so a resumed run draws what an uninterrupted one would have drawn.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
import torch

from channel_tunnel_agents.learning.imitation import Imitated
from channel_tunnel_agents.learning.resume import RULES_STAY, check_also, check_changes
from channel_tunnel_agents.learning.run import Run
from channel_tunnel_agents.players.policy.card import check_card, check_entries
from channel_tunnel_agents.players.policy.saved_policy import MAX_WEIGHT
from channel_tunnel_env import VersionError
from channel_tunnel_env.outside.documents import need_mapping, parse_json, quote
from channel_tunnel_env.outside.files import open_file, write_whole

CHECKPOINT = "checkpoint.pt"
PREVIOUS = "checkpoint-previous.pt"
MOMENTS = ("exp_avg", "exp_avg_sq")  # of Adam: running means of gradients and of their squares


def save_checkpoint(run: Run) -> None:
    """Write the checkpoint atomically; the previous one is kept beside it."""
    model, batch = run.model, run.env.batch
    _, starts = model.left_off
    state = {
        "card": json.dumps(run.card()),
        "pool": json.dumps(run.pool.state()),
        "curriculum": json.dumps(run.curriculum.state()) if run.config.curriculum else None,
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "updates": model.updates,
        "decisions": model.num_timesteps,
        "seconds": model.trained_seconds,
        "imitated": run.imitated.decisions,
        "imitation_over": run.imitated.is_over,
        "progress": model.remaining,
        "games": torch.from_numpy(np.frombuffer(batch.states.tobytes(), np.uint8).copy()),
        "episode_starts": torch.from_numpy(
            np.ones(batch.num_games, np.bool_) if starts is None else np.asarray(starts)
        ),
    }
    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_whole(run.folder / CHECKPOINT, buffer.getvalue(), keep=run.folder / PREVIOUS)


def find_checkpoint(folder: Path) -> Path | None:
    """The folder's checkpoint; the previous one if the process was killed between the two moves."""
    return next((folder / name for name in (CHECKPOINT, PREVIOUS) if (folder / name).exists()), None)


def load_checkpoint(run: Run, path: Path) -> None:
    """Restore the run from a checkpoint.

    Raises:
        VersionError: a broken file, one made for another ruleset or version, or a config that
            changes what a resumed run must keep.
    """
    state = _read(path)
    with _whole(path):
        card = _card_of(state, path)
        check_card(card, path, run.ruleset, RULES_STAY, own=True)
        check_also(card, run.also, path)
        run.changed = check_changes(card, run.config, run.folder)
        run.parent, run.continued = card.get("parent"), card.get("continued", [])
        _restore(run, state)


def read_card(path: Path) -> tuple[dict[str, Any], int]:
    """A checkpoint's card, and the decisions made so far; a VersionError for a broken file."""
    state = _read(path)
    with _whole(path):
        return _card_of(state, path), int(state["decisions"])


def _card_of(state: dict[str, Any], path: Path) -> dict[str, Any]:
    card = need_mapping(parse_json(state["card"], str(path)), str(path), "the card")
    check_entries(card, path)
    if "decisions" not in card.get("config", {}):
        raise VersionError(f"{path}: its card says nothing of the run's config")
    return card


def _check_numbers(run: Run, state: dict[str, Any]) -> None:
    """Refuse, with a ValueError, a counter, weight, moment or flag that no run can have: it would load but not train."""
    for name in ("decisions", "updates"):
        if type(state[name]) is not int or not 0 <= state[name] < 2**62:
            raise ValueError(f"{name}: {quote(state[name])}: a whole number from 0 is needed")
    seconds = state["seconds"]
    if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:
        raise ValueError(f"seconds: {quote(seconds)}: a number from 0 is needed")
    shapes = {name: each.shape for name, each in run.model.policy.state_dict().items()}
    for name, tensor in state["policy"].items():
        if tensor.shape != shapes.get(name):  # before its numbers: a few may be repeated without end
            raise ValueError(f"{name:.60}: not of the shape of this network's")
        if not bool((tensor.float().abs() <= MAX_WEIGHT).all()):
            raise ValueError(f"{name:.60}: weights that are not finite, or beyond {MAX_WEIGHT:g}")
    _check_moments([*run.model.policy.parameters()], state["optimizer"]["state"])
    starts = state["episode_starts"]
    if starts.dtype != torch.bool or starts.ndim != 1:
        raise ValueError(f"episode_starts: {starts.dtype} of shape {tuple(starts.shape)}")
    if state["games"].numel() == run.env.batch.states.nbytes and len(starts) != run.env.num_envs:
        raise ValueError(f"episode_starts: {len(starts)} for {run.env.num_envs} games")


def _check_moments(parameters: list[torch.Tensor], kept: dict[int, dict[str, Any]]) -> None:
    """Refuse, with a ValueError, moments of the optimizer that do not belong to the parameters, by their numbers."""
    for number, moments in kept.items():
        if type(number) is not int or not 0 <= number < len(parameters):
            raise ValueError(f"optimizer: parameter {quote(number)}: there are {len(parameters)}")
        shapes = {"step": torch.Size(), **dict.fromkeys(MOMENTS, parameters[number].shape)}
        for name, shape in shapes.items():
            tensor = moments[name]
            if tensor.shape != shape or not tensor.is_floating_point():
                raise ValueError(f"optimizer: {name} of parameter {number}: not of its shape")
            lowest = -math.inf if name == MOMENTS[0] else 0
            if not bool((torch.isfinite(tensor) & (tensor >= lowest)).all()):
                raise ValueError(f"optimizer: {name} of parameter {number}: impossible numbers")


def _restore(run: Run, state: dict[str, Any]) -> None:
    _check_numbers(run, state)
    model = run.model
    model.policy.load_state_dict(state["policy"])
    # What the config or the code sets, such as its decay, is not the checkpoint's to say.
    settings = model.policy.optimizer.state_dict()["param_groups"]
    kept = {"state": state["optimizer"]["state"], "param_groups": settings}
    model.policy.optimizer.load_state_dict(kept)
    model.updates = state["updates"]
    model.num_timesteps = state["decisions"]
    model.trained_seconds = state["seconds"]
    # A checkpoint without these was made after the warm start: before that, none was.
    had_lessons = bool(state["optimizer"]["state"])
    run.imitated = Imitated(state.get("imitated", 0), state.get("imitation_over", had_lessons))
    # Not the checkpoint's value: the run may have been given another budget.
    model.set_budget(run.config.decisions)
    run.pool.restore(parse_json(state["pool"], "the pool"))
    if run.config.curriculum and state.get("curriculum"):
        run.curriculum.restore(parse_json(state["curriculum"], "the curriculum"))
    if state["games"].numel() == run.env.batch.states.nbytes:
        run.env.batch.restore(state["games"].numpy())
        model.left_off = run.env.batch.observations.copy(), state["episode_starts"].numpy()


def _read(path: Path) -> dict[str, Any]:
    with _whole(path), open_file(path) as file:
        _check_sums(file)
        return dict(torch.load(file, map_location="cpu", weights_only=True))


def _check_sums(file: BufferedReader) -> None:
    """Compare every part of a checkpoint with its checksum, which torch does not look at; raises if one was changed."""
    with zipfile.ZipFile(file) as parts:
        size = sum(part.file_size for part in parts.infolist())
        if size > os.fstat(file.fileno()).st_size:
            raise ValueError("its parts are packed, or lie upon each other; torch writes them as they are")
        changed = parts.testzip()
    if changed is not None:
        raise ValueError(f"{changed:.60} was changed since it was written")
    file.seek(0)


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """Context in which a bad checkpoint is a VersionError, with advice on resuming from the previous one."""
    try:
        yield
    except VersionError:
        raise
    except Exception as error:  # a corrupt file can raise anything, and torch has a dozen kinds of errors
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        text = f"{path}: not a checkpoint, or truncated: {why}"
        previous = path.with_name(PREVIOUS)
        if path.name == CHECKPOINT and previous.exists():
            text += f"; to resume from the previous one: mv {previous} {path}, then --resume"
        raise VersionError(text) from None
