"""The child of the driver: checks inputs one by one and writes down how far it is.

    python -m tests.fuzz.child KIND NOTES FIRST END SEED

A failure is a line of JSON on standard output. What cannot be gone on from ends the process.
"""

from __future__ import annotations

import json
import mmap
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.fuzz.driver import MOST_MEBIBYTES, NOTES, SECONDS, SHOWN, generator, load

ADDRESS_SPACE = 4 * 2**30  # bytes more than at the start; a larger allocation is refused by the system
OUTCOMES = ("accepted", "refused")


class TooLong(BaseException):
    """An input took more processor time than it may."""


def main() -> int:
    """Exit status 0; 1 where memory has run out of hand."""
    kind, notes_name, *numbers = sys.argv[1:]
    first, end, seed = map(int, numbers)
    module, answers = load(kind), sys.stdout
    sys.stdout = sys.stderr  # what the project prints is no answer of ours
    _warm(module)
    _limit_memory()
    signal.signal(signal.SIGPROF, _give_up)
    before, counts = _peak_mebibytes(), dict.fromkeys(OUTCOMES, 0)
    with Path(notes_name).open("r+b") as file, mmap.mmap(file.fileno(), NOTES.size) as notes:
        for number in range(first, end):
            data = module.mutate(generator(kind, seed, number))
            notes[:] = NOTES.pack(number + 1, *counts.values(), _peak_mebibytes() - before)
            reason = _check(module, data, counts)
            added = _peak_mebibytes() - before
            if added > MOST_MEBIBYTES:
                reason = f"{added:.0f} MiB of memory more than at the start\n{reason}"
            notes[:] = NOTES.pack(number + 1, *counts.values(), added)
            if reason:
                failure = {"number": number, "reason": reason, "data": repr(data)[:SHOWN]}
                print(json.dumps(failure), file=answers, flush=True)
            if added > MOST_MEBIBYTES:
                return 1
    return 0


def check_inputs(kind: str, numbers: Iterable[int], seed: int) -> Iterator[str]:
    """What is wrong with each of some inputs, "" if nothing is, in this process: it may end or fill it."""
    module, counts = load(kind), dict.fromkeys(OUTCOMES, 0)
    _warm(module)
    before = signal.signal(signal.SIGPROF, _give_up)
    try:
        for number in numbers:
            yield _check(module, module.mutate(generator(kind, seed, number)), counts)
    finally:
        signal.signal(signal.SIGPROF, before)


def _warm(module: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        getattr(module, "warm", lambda folder: None)(Path(folder))


def _check(module: Any, data: Any, counts: dict[str, int]) -> str:
    """What is wrong with how the input was dealt with; "" if nothing is."""
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                outcome = module.check(data, Path(folder))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    except TooLong:
        return f"more than {SECONDS:.0f} s of processor time\n{traceback.format_exc(limit=-4)}"
    except Exception:
        return traceback.format_exc(limit=-6)
    if outcome not in counts:
        return f"the outcome {outcome!r}; expected {' or '.join(OUTCOMES)}"
    counts[outcome] += 1
    return ""


def _give_up(number: int, frame: Any) -> None:
    raise TooLong


def _peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _limit_memory() -> None:
    """An allocation out of all bounds becomes a MemoryError, and so a failure."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * mmap.PAGESIZE + ADDRESS_SPACE, resource.RLIM_INFINITY))


if __name__ == "__main__":
    sys.exit(main())
