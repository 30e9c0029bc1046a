"""How the user started this program, so that the commands we print are commands that work.

`channel-tunnel tournament ...` is there wherever the package is installed; `python evaluate.py tournament ...` is the
same in a checkout.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

INSTALLED = "channel-tunnel"
_script: ContextVar[str | None] = ContextVar("script", default=None)


@contextmanager
def started_by(script: str | None) -> Iterator[None]:
    """Within, `train.py` or `evaluate.py` was started; None: the installed command."""
    token = _script.set(script)
    try:
        yield
    finally:
        _script.reset(token)


def program() -> str:
    """What stands before a message."""
    return _script.get() or INSTALLED


def command_words(command: str) -> list[str]:
    """The first words of a command line, such as "train" or "sweep"."""
    if _script.get() is None:
        return [INSTALLED, command]
    return ["python", "train.py"] if command == "train" else ["python", "evaluate.py", command]
