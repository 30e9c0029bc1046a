"""Optional libraries: what needs one that is missing says what to install."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class MissingExtra(ImportError):
    """A library of an extra that is not installed."""


@contextmanager
def needing(what: str, extras: str) -> Iterator[None]:
    """Context in which a missing library is reported as a requirement of what needs it.

    Args:
        what: begins the sentence.
        extras: what `pip install 'channel-tunnel-env[...]'` brings it, such as "play,table".

    Raises:
        MissingExtra: a library is missing; says what to install. Who said so within is believed.
    """
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        raise MissingExtra(
            f"{what} needs more than the core ({error}): pip install 'channel-tunnel-env[{extras}]'"
        ) from None


def load_agents_module(name: str, what: str, extras: str) -> Any:
    """A module of `channel_tunnel_agents`; nothing else here imports that package.

    Raises:
        MissingExtra: the module or a library that it needs is missing; says what to install.
    """
    with needing(what, extras):
        return importlib.import_module(name)


DISTRIBUTIONS = {"resvg_py": "resvg-py", "PIL": "pillow", "pygame": "pygame-ce"}


def need(module: str) -> ModuleType:
    """A module of the extra `render`.

    Raises:
        ImportError: the module is missing; the message says what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        distribution = DISTRIBUTIONS.get(module.partition(".")[0], module)
        raise ImportError(f"drawing pixels needs {distribution}: pip install 'channel-tunnel-env[render]'") from None
