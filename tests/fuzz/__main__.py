"""`python -m tests.fuzz`: see the package."""

from __future__ import annotations

import argparse
import os
import sys

from channel_tunnel_env.core.threads import spread_over_threads
from tests.fuzz.driver import Result, kinds, run_kind, show_input


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 1 where an input failed; 2 for a kind that there is none of."""
    known = kinds()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz what is read.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(known)}; all")
    parser.add_argument("--mutations", type=int, default=10_000, help="inputs for each kind")
    parser.add_argument("--seed", type=int, default=1, help="inputs follow from it and their number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="kinds at a time")
    parser.add_argument("--only", type=int, help="one input alone, by its number, shown whole")
    options = parser.parse_args(argv)
    unknown = sorted(set(options.kinds) - set(known))
    if unknown:
        parser.error(f"no such kind: {', '.join(unknown)}; there are {', '.join(known)}")
    chosen = options.kinds or known
    if options.only is not None:
        for kind in chosen:
            print(show_input(kind, options.seed, options.only))
    count, first = (options.mutations, 0) if options.only is None else (1, options.only)
    failed = False
    for result in spread_over_threads(
        lambda kind: run_kind(kind, count, options.seed, first, _say), chosen, options.jobs
    ):
        print(_summary(result, options.seed), flush=True)
        failed |= bool(result.failures)
    return int(failed)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _summary(result: Result, seed: int) -> str:
    lines = [
        f"{result.kind}: {result.accepted:,} accepted, {result.refused:,} refused, "
        f"{len(result.failures)} failed, {result.seconds:.0f} s, {result.megabytes:.0f} MiB more memory"
    ]
    for failure in result.failures:
        lines += [
            f"  python -m tests.fuzz {result.kind} --seed {seed} --only {failure.number}",
            *(f"    {line}" for line in failure.reason.splitlines()),
            f"    input: {failure.data}",
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
