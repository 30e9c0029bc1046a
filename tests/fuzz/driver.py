"""The driver: runs a kind's inputs in a child process, and starts another where an input ended it."""

from __future__ import annotations

import importlib
import json
import mmap
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tests.fuzz

SECONDS = 2.0  # of processor time that an input may take
MOST_MEBIBYTES = 1024  # of memory that all inputs together may add
PATIENCE = 60.0  # seconds without a step forward, after which the child counts as hanging
STARTING = 1500.0  # seconds that a child may take to load and compile
MOST_FAILURES = 10  # of a kind, after which it is given up
SHOWN = 2000  # characters of an input that a failure shows
REPORT_EVERY = 15.0  # seconds between two reports

NOTES = struct.Struct("qqqd")  # the child's notes: inputs begun, accepted, refused, MiB added


@dataclass(frozen=True)
class Failure:
    """An input that was not dealt with as it should be."""

    number: int
    reason: str
    data: str


@dataclass
class Result:
    """How a kind's inputs were dealt with."""

    kind: str
    accepted: int = 0
    refused: int = 0
    megabytes: float = 0.0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)


def kinds() -> list[str]:
    """The modules that are a kind of input: known by their functions, without loading them."""
    modules = sorted(Path(tests.fuzz.__file__).parent.glob("*.py"))
    source = {path.stem: path.read_text(encoding="utf-8") for path in modules}
    return [name for name, text in source.items() if "\ndef mutate(" in text]


def load(kind: str) -> Any:
    """The module of a kind."""
    return importlib.import_module(f"tests.fuzz.{kind}")


def generator(kind: str, seed: int, number: int) -> np.random.Generator:
    """The chance that an input follows from."""
    return np.random.default_rng([seed, zlib.crc32(kind.encode()), number])


def show_input(kind: str, seed: int, number: int) -> str:
    """An input, whole."""
    return repr(load(kind).mutate(generator(kind, seed, number)))


def run_kind(
    kind: str, mutations: int, seed: int, first: int = 0, say: Callable[[str], object] | None = None
) -> Result:
    """Check the inputs `first` .. `first + mutations - 1` of a kind.

    Args:
        say: called now and then with how far it is.
    """
    result, begin = Result(kind), time.monotonic()
    end = first + mutations
    while first < end and len(result.failures) < MOST_FAILURES:
        first = _run_child(result, first, end, seed, say)
    result.seconds = time.monotonic() - begin
    return result


def _run_child(result: Result, first: int, end: int, seed: int, say: Callable[[str], object] | None) -> int:
    """Inputs from `first` on, up to one that ends the child; returns the number of the next one."""
    with tempfile.NamedTemporaryFile() as notes, tempfile.TemporaryFile("w+") as failures:
        notes.write(NOTES.pack(first, 0, 0, 0.0))
        notes.flush()
        command = [sys.executable, "-m", "tests.fuzz.child", result.kind, notes.name]
        command += [str(number) for number in (first, end, seed)]
        child = subprocess.Popen(command, stdout=failures)
        with mmap.mmap(notes.fileno(), NOTES.size) as shared:
            hung = _watch(child, shared, result.kind, first, end, say)
            begun, accepted, refused, megabytes = NOTES.unpack(shared[:])
        result.accepted += accepted
        result.refused += refused
        result.megabytes = max(result.megabytes, megabytes)
        failures.seek(0)
        result.failures += [Failure(**json.loads(line)) for line in failures]
    if child.returncode == 0:
        return end
    known = {failure.number for failure in result.failures}
    if begun - 1 not in known:  # else it ended itself, after it had said why
        why = f"no end within {PATIENCE:.0f} s" if hung else f"the process ended: {child.returncode}"
        number = max(begun - 1, first)
        shown = show_input(result.kind, seed, number)[:SHOWN] if begun > first else "(at the start)"
        result.failures.append(Failure(number, why, shown))
    return max(int(begun), first + 1)


def _watch(
    child: subprocess.Popen[bytes],
    shared: mmap.mmap,
    kind: str,
    first: int,
    end: int,
    say: Callable[[str], object] | None,
) -> bool:
    """Wait for the child; end it, and return True, where it stands still."""
    begun, moved = first, time.monotonic()
    start = said = moved
    while child.poll() is None:
        time.sleep(0.02)
        now, at = time.monotonic(), NOTES.unpack(shared[:])[0]
        if at > begun:
            start = start if begun > first else now
            begun, moved = at, now
        elif now - moved > (STARTING if begun == first else PATIENCE):
            child.kill()
            child.wait()
            return True
        if say is not None and now - said > REPORT_EVERY:
            said = now
            left = (now - start) / max(1, begun - first) * (end - begun)
            done = f"{begun:,} of {end:,} inputs, about {left:.0f} s left"
            say(f"{kind}: {done if begun > first else 'loading and compiling'}")
    return False
