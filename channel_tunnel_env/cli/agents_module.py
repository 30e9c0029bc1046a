"""Commands that need the agents, which this package never imports by itself."""

from __future__ import annotations

import importlib
from typing import Any


def load_agents_module(name: str, command: str, extras: str) -> Any:
    """A module of `agents`.

    Raises:
        ImportError: it, or a library that it needs, is missing; says what to install.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{command} needs more than the core ({error}): pip install 'channel-tunnel-env[{extras}]'"
        ) from None
