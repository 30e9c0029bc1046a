"""Train configs, targets and plans: what the programs read of settings, with the text changed."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.changing.targets import load_targets
from channel_tunnel_agents.learning.config import (
    MAX_DEPTH,
    MAX_ROWS,
    MAX_SEED,
    MAX_WIDTH,
    PRESETS,
    ConfigError,
    dump_config,
    load_config,
)
from channel_tunnel_agents.matches.store import StoreError, keep_plan
from channel_tunnel_env.errors import DocumentError
from tests.fuzz.mutations import pick
from tests.fuzz.text import change_text, check_message

PLAN = {"agents": ["random"], "seed": 1, "ruleset": "tiny"}
OTHERS = (
    "agent: heuristic\ndeals: 2000\nseed: 7\ntargets:\n  britain_wins: [0.46, 0.54]\n  rounds: [null, 9]\n",
    '{"agents": ["random"], "seed": 1, "ruleset": "tiny"}\n',
    "run: runs/x\nrivals: [random, heuristic]\nrival_share: 0.2\nmax_minutes: 3.5\nstart_from: null\ndevice: cpu\n",
)


@cache
def _seeds() -> list[str]:
    return [*OTHERS, *OTHERS, *(path.read_text() for path in sorted(PRESETS.glob("*.yaml")))]


def mutate(rng: np.random.Generator) -> str | bytes:
    """A file of settings, changed."""
    return change_text(rng, pick(rng, _seeds()))


def check(data: str | bytes, folder: Path) -> str:
    """Read it as each kind of settings there is; what is accepted lies within the bounds."""
    content = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    path = folder / "plan.json"  # by that name it is read as a plan as well
    path.write_bytes(content)
    accepted = [_reads(path, reader) for reader in (_config, _targets, _plan)]
    return "accepted" if any(accepted) else "refused"


def _reads(path: Path, reader) -> bool:  # type: ignore[no-untyped-def]
    try:
        reader(path)
    except (ConfigError, AgentError, StoreError, DocumentError) as error:
        check_message(error)
        assert "http" not in str(error), "a link of a library in a message"
        return False
    return True


def _config(path: Path) -> None:
    config = load_config(path)
    assert config.num_games * config.steps <= MAX_ROWS
    assert config.width <= MAX_WIDTH and config.depth <= MAX_DEPTH and config.seed <= MAX_SEED
    path.with_name("again.yaml").write_text(dump_config(config))
    assert load_config(path.with_name("again.yaml")) == config


def _targets(path: Path) -> None:
    for low, high in load_targets(path).targets.values():
        assert low is not None or high is not None
        assert all(bound is None or math.isfinite(bound) for bound in (low, high))


def _plan(path: Path) -> None:
    keep_plan(path.parent, PLAN)
