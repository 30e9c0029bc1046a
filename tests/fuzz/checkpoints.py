"""Checkpoints of a training: entries, tensors and bytes changed, several at once."""

from __future__ import annotations

import copy
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import ChannelTunnelError
from tests.fuzz.mutations import Random, any_value, change_bytes, change_data, pick

TINY = {
    "ruleset": "tiny", "num_games": 4, "steps": 64, "batch_size": 128, "epochs": 1, "width": 8,
    "threads": 1, "device": "cpu", "precision": "float32", "evaluate_every": 1e6, "evaluate_games": 4,
    "decisions": 256, "pool_slots": 1, "rival_share": 0.5,
}  # fmt: skip


@cache
def _run() -> Any:
    """A short training that ended, with its folder."""
    from channel_tunnel_agents.learning.config import TrainConfig
    from channel_tunnel_agents.learning.training import TrainingRun

    folder = tempfile.mkdtemp(prefix="fuzz-checkpoint-")
    run = TrainingRun(TrainConfig(**(TINY | {"run": folder})))
    run.train()
    return run


@cache
def _base() -> bytes:
    content: bytes = (_run().folder / "checkpoint.pt").read_bytes()
    return content


def mutate(rng: Random) -> bytes:
    """The content of a checkpoint, changed."""
    import torch

    if rng.random() < 0.25:
        return change_bytes(rng, _base())
    state = torch.load(io.BytesIO(_base()), weights_only=True)
    for _ in range(int(rng.integers(1, 6))):
        _change(rng, state)
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def _change(rng: Random, state: dict[str, Any]) -> None:
    key = pick(rng, sorted(state)) if state else "card"
    value, way = state.get(key), rng.random()
    if way < 0.1:
        state.pop(key, None)
    elif way < 0.2:
        state[key] = any_value(rng)
    elif key in ("card", "pool") and isinstance(value, str) and value.startswith("{"):
        state[key] = json.dumps(change_data(rng, json.loads(value), ("0", "..", "tiny"), most=2))
    elif key in ("policy", "optimizer") and isinstance(value, dict):
        state[key] = copy.deepcopy(value)
        _change_tensors(rng, state[key])
    elif hasattr(value, "numel"):
        state[key] = _changed_tensor(rng, value)
    else:
        state[key] = pick(rng, (-1, 0, 1.5, float("nan"), float("inf"), 2**62, 2**63 - 1, True))


def _change_tensors(rng: Random, holder: dict[Any, Any]) -> None:
    """One entry of nested dicts."""
    while holder:
        key = pick(rng, list(holder))
        if isinstance(holder[key], dict) and holder[key] and rng.random() < 0.9:
            holder = holder[key]
            continue
        if hasattr(holder[key], "numel"):
            holder[key] = _changed_tensor(rng, holder[key])
        else:
            holder[key] = any_value(rng)
        return


def _changed_tensor(rng: Random, tensor: Any) -> Any:
    """Another number in it, or another size or type."""
    import torch

    way, changed = rng.random(), tensor.clone()
    if way < 0.5 and changed.numel():
        number = pick(rng, (0, 1, 3) if not changed.is_floating_point() else (np.nan, np.inf, 1e30, 0.0))
        changed.view(-1)[int(rng.integers(changed.numel()))] = number
        return changed
    if way < 0.7:
        return changed[:-1] if changed.ndim and len(changed) else changed.reshape(1)
    if way < 0.85:
        return changed.to(pick(rng, (torch.float64, torch.int8, torch.bool, torch.float16)))
    return torch.full_like(changed, 0)


def check(data: bytes, folder: Path) -> str:
    """Resume from it; what is accepted has possible games, finite weights and a policy that answers."""
    from channel_tunnel_agents.learning.checkpoint import load_checkpoint
    from channel_tunnel_env.core.machine import check_states

    run, path = _run(), folder / "checkpoint.pt"
    path.write_bytes(data)
    try:
        load_checkpoint(run, path)
    except ChannelTunnelError as error:
        assert len(str(error)) < 2000 and "\n" not in str(error)
        return "refused"
    batch = run.env.batch
    check_states(batch.spec, batch.records, batch.tables)
    for numbers in _answers(run):
        assert np.isfinite(numbers).all(), "not finite"
    assert run.model.num_timesteps >= 0
    return "accepted"


def _answers(run: Any) -> tuple[Any, Any]:
    import torch

    with torch.inference_mode():
        observations = torch.from_numpy(run.env.batch.observations)
        log_probs, values = run.model.policy.judge(observations, run.env.batch.masks)
    return log_probs.numpy(), values.numpy()


def warm(folder: Path) -> None:
    """Train the run that is changed."""
    assert check(_base(), folder) == "accepted"
