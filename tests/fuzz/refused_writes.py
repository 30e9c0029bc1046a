"""Folders that take no more: the system refuses a write at some moment, once or from then on.

As root may write everywhere, the refusals are the system's in words: its functions that change files raise.
"""

from __future__ import annotations

import errno
import json
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from channel_tunnel_env.outside.files import append_lines, write_whole
from tests.fuzz.mutations import Random, pick

ERRORS = (errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT, errno.EIO)
CHANGING = ("open", "write", "fsync", "replace", "link", "mkdir", "unlink", "ftruncate")
OLD, NEW, KEPT = b"old content\n" * 30, b"new content\n" * 40, b"kept before\n"
LINES = [json.dumps({"line": number}).encode() for number in range(4)]


class Refusal(NamedTuple):
    """Which calls fail: those from number `first` on, or it alone."""

    way: str
    first: int
    error: int
    lasts: bool
    functions: tuple[str, ...]
    at_most: int  # bytes that a system call writes


def mutate(rng: Random) -> Refusal:
    """A way to write, and when the system refuses it."""
    chosen = tuple(name for name in CHANGING if rng.random() < 0.7) or CHANGING
    return Refusal(
        pick(rng, sorted(WAYS)),
        int(rng.integers(12)),
        pick(rng, ERRORS),
        bool(rng.random() < 0.6),
        chosen,
        int(pick(rng, (1, 7, 100, 10_000))),
    )


def check(data: Refusal, folder: Path) -> str:
    """Write under the refusals: an OSError at most, and every file is whole."""
    write, look = WAYS[data.way]
    (folder / "file").write_bytes(OLD)
    (folder / "kept").write_bytes(KEPT)
    try:
        with _refusing(data, folder), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            write(folder)
    except OSError as error:
        assert error.errno == data.error, f"another error: {error!r}"
        look(folder, False)
        return "refused"
    look(folder, True)
    return "accepted"


@contextmanager
def _refusing(data: Refusal, folder: Path) -> Iterator[None]:
    """The system's functions, refusing what changes the folder."""
    before = {name: getattr(os, name) for name in CHANGING}
    calls = iter(range(10**9))

    def guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if name == "write":
                given = (given[0], bytes(given[1])[: data.at_most])
            reads = name == "open" and not given[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if name in data.functions and not reads:
                number = next(calls)
                if number == data.first or (data.lasts and number > data.first):
                    raise OSError(data.error, os.strerror(data.error), str(given[0]))
            return function(*given, **named)

        return call

    try:
        for name, function in before.items():
            setattr(os, name, guarded(name, function))
        yield
    finally:
        for name, function in before.items():
            setattr(os, name, function)


# --- ways to write, and what must hold of the files then -------------------------------------------


def _whole(folder: Path) -> None:
    write_whole(folder / "file", NEW)


def _old_or_new(folder: Path, done: bool) -> None:
    found = (folder / "file").read_bytes()
    assert found == NEW if done else found in (OLD, NEW)
    assert (folder / "kept").read_bytes() == KEPT
    # What was left half-written is taken away, or replaced by the next writer.
    write_whole(folder / "file", NEW)
    assert not [path for path in folder.iterdir() if path.name not in ("file", "kept")]


def _keeping(folder: Path) -> None:
    write_whole(folder / "file", NEW, keep=folder / "kept")


def _one_of_them(folder: Path, done: bool) -> None:
    kept = (folder / "kept").read_bytes()
    if done:
        assert (folder / "file").read_bytes() == NEW and kept == OLD
    elif (folder / "file").exists():
        assert ((folder / "file").read_bytes(), kept) in ((OLD, KEPT), (NEW, OLD))
    else:  # between the two moves: the old one is found under its other name
        assert kept == OLD


def _new(folder: Path) -> None:
    write_whole(folder / "other", NEW, is_new=True)


def _none_or_new(folder: Path, done: bool) -> None:
    assert (folder / "file").read_bytes() == OLD
    if done or (folder / "other").exists():
        assert (folder / "other").read_bytes() == NEW


def _lines(folder: Path) -> None:
    append_lines(folder / "file", LINES)


def _whole_lines(folder: Path, done: bool) -> None:
    found = (folder / "file").read_bytes()
    wholes = [OLD + b"".join(line + b"\n" for line in LINES[:count]) for count in range(5)]
    if done:
        assert found == wholes[-1]
    else:  # where nothing can be undone, a line may be cut: the next writer moves it aside
        assert any(found.startswith(whole) for whole in wholes)
        cut = found[found.rfind(b"\n") + 1 :]
        assert not cut or any(line.startswith(cut) for line in LINES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        append_lines(folder / "file", [b"{}"], lambda line: line.endswith(b"}"))
    for line in (folder / "file").read_bytes().removeprefix(OLD).splitlines():
        json.loads(line)


def _policies(folder: Path) -> None:
    import torch

    from channel_tunnel_agents.players.policy.saved_policy import save_policies

    save_policies(folder / "run", {"britain": {"x": torch.zeros(2)}}, {"width": 8})


def _no_half_policy(folder: Path, done: bool) -> None:
    from safetensors import safe_open

    path = folder / "run" / "britain.safetensors"
    if done or path.exists():
        with safe_open(str(path), framework="np") as file:
            assert list(file.keys()) == ["x"]


WAYS: dict[str, tuple[Callable[[Path], None], Callable[[Path, bool], None]]] = {
    "whole": (_whole, _old_or_new),
    "whole, the old one kept": (_keeping, _one_of_them),
    "new": (_new, _none_or_new),
    "lines": (_lines, _whole_lines),
    "policies": (_policies, _no_half_policy),
}


def warm(folder: Path) -> None:
    """Load the libraries."""
    _policies(folder)
    _no_half_policy(folder, True)
