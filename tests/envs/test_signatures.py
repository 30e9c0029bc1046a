"""A function that makes an environment takes what the class of that environment takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from channel_tunnel_env.envs.aec import env, parallel_env, raw_env
from channel_tunnel_env.envs.simultaneous import SimultaneousEnv, simultaneous_env


def arguments(call: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    """Name, kind and default of each."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(call).parameters.values()]


@pytest.mark.parametrize(
    ("function", "made"), [(env, raw_env), (parallel_env, raw_env), (simultaneous_env, SimultaneousEnv)]
)
def test_a_function_takes_what_its_environment_takes(function, made) -> None:
    assert arguments(function) == arguments(made)
