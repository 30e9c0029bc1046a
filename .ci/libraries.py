"""Runs the example of every library in an environment of its own; writes docs/compatibility.md.

python .ci/libraries.py                      all of them; about 10 minutes and 8 GB the first time
python .ci/libraries.py --only torchrl       one or more; the page is left alone
python .ci/libraries.py --venvs FOLDER       where the environments are kept (build/libraries)
python .ci/libraries.py --keep-page          run all and leave the page as it is

Exit status 1 if an example fails, 75 if a library could not be installed and the others passed; the page is then
left as it is. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import ast
import platform
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PAGE = ROOT / "docs" / "compatibility.md"
CONSTRAINTS = ROOT / "constraints.txt"
SECONDS = 900  # an example is stopped after so long
NOT_INSTALLED = 75  # exit status: nobody to blame here
PLAIN = str.maketrans({"|": "/", "{": "(", "}": ")"})  # signs that mean something in a page's table
VERSION_CODE = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


@dataclass(frozen=True)
class Library:
    """A library, its example and what to install for it.

    Args:
        name: as its makers write it.
        distribution: the package whose version is reported.
        example: a file of docs/examples.
        venv: the environment; libraries may share one.
        requirements: what is installed there beside this package.
        extras: of this package.
        note: what a user has to know.
    """

    name: str
    distribution: str
    example: str
    venv: str
    requirements: tuple[str, ...] = ()
    extras: str = ""
    note: str = ""


TORCH = next(x for x in CONSTRAINTS.read_text().splitlines() if x.startswith("torch=="))
LIBRARIES = (
    Library("PettingZoo", "pettingzoo", "pettingzoo_loop.py", "train", (TORCH,), "train"),
    Library("Gymnasium", "gymnasium", "gymnasium_loop.py", "train", (TORCH,), "train"),
    Library(
        "Stable-Baselines3, one seat",
        "sb3-contrib",
        "sb3_one_seat.py",
        "train",
        (TORCH,),
        "train",
    ),
    Library(
        "Stable-Baselines3, self-play",
        "sb3-contrib",
        "sb3_self_play.py",
        "train",
        (TORCH,),
        "train",
    ),
    Library(
        "Pretrained policies, torch",
        "torch",
        "pretrained_policy.py",
        "train",
        (TORCH,),
        "train",
    ),
    Library(
        "RLlib",
        "ray",
        "rllib_self_play.py",
        "ray",
        (TORCH, "ray[rllib]>=2.50"),
        note="takes Gymnasium back to 1.2",
    ),
    Library("TorchRL", "torchrl", "torchrl_ppo.py", "torchrl", (TORCH, "torchrl>=0.14")),
    Library(
        "OpenSpiel",
        "open_spiel",
        "openspiel_bots.py",
        "openspiel",
        (TORCH, "open_spiel>=2.0"),
        note="its C++ `ISMCTSBot` cannot search games written in Python; its Python one can",
    ),
    Library("Tianshou", "tianshou", "tianshou_dqn.py", "tianshou", (TORCH, "tianshou>=2.0")),
    Library(
        "AgileRL",
        "agilerl",
        "agilerl_ppo.py",
        "agilerl",
        (TORCH, "agilerl>=2.58", "peft"),
        note="does not import without `peft`; takes PettingZoo back to 1.26, which has no registry",
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What an example did."""

    library: Library
    version: str
    python: str
    passed: bool
    said: str
    cpu_seconds: float


def main() -> int:
    """Run them, print a line each, write the page after a complete run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="words of names, such as torchrl")
    parser.add_argument("--venvs", type=Path, default=ROOT / "build" / "libraries")
    parser.add_argument("--keep-page", action="store_true", help="do not write the page")
    arguments = parser.parse_args()
    chosen = [
        library
        for library in LIBRARIES
        if not arguments.only or any(w.lower() in library.name.lower() for w in arguments.only)
    ]
    if not chosen:
        parser.error(f"--only {arguments.only}: known: {', '.join(x.name for x in LIBRARIES)}")
    outcomes, missing = [], 0
    for library in chosen:
        try:
            python = prepared(library, arguments.venvs.resolve())
        except subprocess.CalledProcessError as error:
            print(f"{library.name}: left out, could not be installed: {error}", flush=True)
            missing += 1
            continue
        outcomes.append(run(library, python))
        result = "passed" if outcomes[-1].passed else "FAILED"
        print(f"{library.name} {outcomes[-1].version} {result}: {outcomes[-1].said}", flush=True)
    if not (arguments.only or arguments.keep_page or missing):
        PAGE.write_text(page(outcomes), encoding="utf-8", newline="\n")
        print(f"wrote {PAGE.relative_to(ROOT)}")
    failed = [outcome.library.name for outcome in outcomes if not outcome.passed]
    if failed:
        print(f"FAILED: {', '.join(failed)}", flush=True)
        return 1
    return NOT_INSTALLED if missing else 0


def prepared(library: Library, venvs: Path) -> Path:
    """The Python of the library's environment, made or brought up to date if need be."""
    folder = venvs / library.venv
    python = folder / "bin" / "python"
    wanted = [*library.requirements, f"{ROOT}[{library.extras}]" if library.extras else str(ROOT)]
    stamp = folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == "\n".join(wanted):
        return python
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    # Twice quiet: errors alone. A list of warnings would push the results out of a short log.
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    (folder / "torch.txt").write_text(TORCH)  # the one that constraints.txt names, and no other
    subprocess.run([*pip, "-c", folder / "torch.txt", *wanted[:-1], "-e", wanted[-1]], check=True)
    stamp.write_text("\n".join(wanted))
    return python


def run(library: Library, python: Path) -> Outcome:
    """Run the example; CPU seconds count, which another program's load does not change."""
    version = subprocess.run(
        [python, "-c", VERSION_CODE, library.distribution], capture_output=True, text=True
    ).stdout.strip()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [python, EXAMPLES / library.example], capture_output=True, text=True, timeout=SECONDS
        )
        passed, lines = done.returncode == 0, (done.stdout if done.returncode == 0 else done.stderr)
    except subprocess.TimeoutExpired:
        passed, lines = False, f"stopped after {SECONDS} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = lines.strip().splitlines()[-1] if lines.strip() else "said nothing"
    return Outcome(library, version, platform.python_version(), passed, said, spent)


def page(outcomes: list[Outcome]) -> str:
    """The compatibility page."""
    rows = [
        f"| {o.library.name} | {o.library.distribution} {o.version} | {o.python} "
        f"| [{o.library.example}](examples/{o.library.example}) "
        f"| {'passed' if o.passed else '**failed**'}: {o.said.translate(PLAIN)} "
        f"| {o.cpu_seconds:.0f} |"
        for o in outcomes
    ]
    notes = [f"- {o.library.name}: {o.library.note}." for o in outcomes if o.library.note]
    purposes = [f"- `{o.library.example}`: {purpose(o.library)}" for o in outcomes]
    return "\n".join(
        [
            "<!-- Written by `python .ci/libraries.py` from what it ran; do not edit. -->",
            "",
            "# Libraries: what was run with which version",
            "",
            "Each library has an example of at most 60 lines, ready to copy. They were run as they stand, at their "
            "smoke size, in environments apart from one another (those of the extra `train` share one); nothing else is claimed. Run them again with `make "
            "libraries`.",
            "",
            "| library | version | Python | example | result | CPU s |",
            "| --- | --- | --- | --- | --- | --- |",
            *rows,
            "",
            "## What they show",
            "",
            *purposes,
            "",
            "## What to know",
            "",
            "- What a smoke run learned is no measure of a library; the seconds include its import, and half a minute for the first that runs the engine from a new folder, which compiles it.",
            *notes,
            "",
        ]
    )


def purpose(library: Library) -> str:
    """The first line of the example's docstring."""
    tree = ast.parse((EXAMPLES / library.example).read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
