"""Loading of the agents' package for commands that need it; nothing else here imports it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def load_agents_module(name: str, command: str, extras: str) -> Any:
    """A module of `channel_tunnel_agents`.

    Raises:
        ImportError: the module or a library that it needs is missing; says what to install.
    """
    with needing(command, extras):
        return importlib.import_module(name)


@contextmanager
def needing(command: str, extras: str) -> Iterator[None]:
    """Context in which a missing library is reported as a requirement of the command.

    Raises:
        ImportError: a library is missing; says what to install.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f"{command} needs more than the core ({error}): pip install 'channel-tunnel-env[{extras}]'"
        ) from None
