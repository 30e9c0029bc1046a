"""How the user started this program, so that printed commands work when copied.

`channel-tunnel tournament ...` works wherever the package is installed; `python evaluate.py
tournament ...` does the same in a checkout.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

INSTALLED = "channel-tunnel"
_script: ContextVar[str | None] = ContextVar("script", default=None)


@contextmanager
def started_by(script: str | None) -> Iterator[None]:
    """Context in which `train.py` or `evaluate.py` was started; None: the installed command."""
    token = _script.set(script)
    try:
        yield
    finally:
        _script.reset(token)


def program() -> str:
    """The prefix of messages."""
    return _script.get() or INSTALLED


def command_words(command: str) -> list[str]:
    """The first words of a command line, such as "train" or "sweep"."""
    if _script.get() is None:
        return [INSTALLED, command]
    return ["python", "train.py"] if command == "train" else ["python", "evaluate.py", command]
