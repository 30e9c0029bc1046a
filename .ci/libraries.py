"""Runs the example of every library in an environment of its own; writes docs/how-to/other-libraries.md.

python .ci/libraries.py                      all of them; about 10 minutes and 8 GB the first time
python .ci/libraries.py --only torchrl       one or more; the page is left alone
python .ci/libraries.py --venvs FOLDER       where the environments are kept (build/libraries)
python .ci/libraries.py --keep-page          run all and leave the page as it is

Exit status 1 if an example or a test fails, 75 if a library could not be installed and the others passed; the page is then
left as it is. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import ast
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PAGE = ROOT / "docs" / "how-to" / "other-libraries.md"
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
        note: what a user has to know: the rest of a sentence that begins with the name.
        tests: a file of tests that need the library, and so run nowhere else; they require pytest.
    """

    name: str
    distribution: str
    example: str
    venv: str
    requirements: tuple[str, ...] = ()
    extras: str = ""
    note: str = ""
    tests: str = ""


TORCH = next(x for x in CONSTRAINTS.read_text().splitlines() if x.startswith("torch=="))
LIBRARIES = (
    Library("PettingZoo", "pettingzoo", "pettingzoo_loop.py", "train", (TORCH,), "train"),
    Library("Gymnasium", "gymnasium", "gymnasium_loop.py", "train", (TORCH,), "train"),
    Library("Stable-Baselines3, one seat", "sb3-contrib", "sb3_one_seat.py", "train", (TORCH,), "train"),
    Library("Stable-Baselines3, self-play", "sb3-contrib", "sb3_self_play.py", "train", (TORCH,), "train"),
    Library("Pretrained policies, torch", "torch", "pretrained_policy.py", "train", (TORCH,), "train"),
    Library(
        "RLlib",
        "ray",
        "rllib_self_play.py",
        "ray",
        (TORCH, "ray[rllib]>=2.50"),
        note="replaces your Gymnasium by 1.2, so give it an environment of its own",
    ),
    Library("TorchRL", "torchrl", "torchrl_ppo.py", "torchrl", (TORCH, "torchrl>=0.14")),
    Library(
        "OpenSpiel",
        "open_spiel",
        "openspiel_bots.py",
        "openspiel",
        (TORCH, "open_spiel>=2.0", "pytest"),
        note="has two `ISMCTSBot`s: the one in C++ cannot search games written in Python, the one in Python can",
        tests="tests/envs/test_openspiel.py",
    ),
    Library(
        "Tianshou",
        "tianshou",
        "tianshou_dqn.py",
        "tianshou",
        (TORCH, "tianshou>=2.0", "pytest"),
        tests="tests/agents/benchmark/test_tianshou_dqn.py",
    ),
    Library(
        "AgileRL",
        "agilerl",
        "agilerl_ppo.py",
        "agilerl",
        (TORCH, "agilerl>=2.58", "peft"),
        note="needs `peft`, and replaces your PettingZoo by 1.26, which has no registry",
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
    # One at a time in their order, while the examples before run; one environment may serve several.
    installing = ThreadPoolExecutor(1)
    pythons = [installing.submit(prepared, library, arguments.venvs.resolve()) for library in chosen]
    for library, made in zip(chosen, pythons, strict=True):
        try:
            python = made.result()
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
    """The Python of the library's environment, made or brought up to date if need be.

    Raises:
        subprocess.CalledProcessError: what others publish could not be installed.
    """
    folder = venvs / library.venv
    python = folder / "bin" / "python"
    wanted = [*library.requirements, f"{ROOT}[{library.extras}]" if library.extras else str(ROOT)]
    stamp = folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == "\n".join(wanted):
        return python
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    # Twice quiet: errors alone. A list of warnings would push the results out of a short log.
    pip = [python, "-m", "pip", "install", "-qq", "--no-compile", "--disable-pip-version-check"]
    (folder / "torch.txt").write_text(TORCH)  # the one that constraints.txt names, and no other
    pip += ["-c", folder / "torch.txt", *library.requirements]
    subprocess.run(pip, check=True)
    # What others publish is there: that this package does not go with it is a fault.
    if subprocess.run([*pip, "-e", wanted[-1]], check=False).returncode:
        raise SystemExit(f"{library.name}: this package cannot be installed beside it")
    stamp.write_text("\n".join(wanted))
    return python


def run(library: Library, python: Path) -> Outcome:
    """Run the example, then the tests."""
    version = subprocess.run(
        [python, "-c", VERSION_CODE, library.distribution], capture_output=True, text=True
    ).stdout.strip()
    example: list[Path | str] = [python, EXAMPLES / library.example]
    pytest = "-m pytest -q --noconftest -o pythonpath=benchmarks"  # the tests' own settings need all that CI installs
    tests: list[Path | str] = [python, *pytest.split(), library.tests]
    try:
        done = subprocess.run(example, capture_output=True, text=True, timeout=SECONDS)
        passed, lines = done.returncode == 0, (done.stdout if done.returncode == 0 else done.stderr)
        if passed and library.tests:
            tested = subprocess.run(tests, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
            if tested.returncode:
                passed, lines = False, tested.stdout
    except subprocess.TimeoutExpired:
        passed, lines = False, f"stopped after {SECONDS} s"
    said = lines.strip().splitlines()[-1] if lines.strip() else "said nothing"
    return Outcome(library, version, platform.python_version(), passed, said)


def page(outcomes: list[Outcome]) -> str:
    """The page of libraries."""
    rows = [
        f"| {o.library.name} | [{o.library.example}](../examples/{o.library.example}): {purpose(o.library)} "
        f"| {o.library.distribution} {o.version} "
        f"| {'passed' if o.passed else '**failed**'}: {o.said.translate(PLAIN)} |"
        for o in outcomes
    ]
    notes = [f"- {o.library.name} {o.library.note}." for o in outcomes if o.library.note]
    python = ", ".join(sorted({o.python for o in outcomes}))
    return "\n".join(
        [
            "<!-- Written by `python .ci/libraries.py` from what it ran; do not edit. -->",
            "",
            "# Use another library",
            "",
            "Each library has an example of at most 60 lines that you can copy and change. Every example runs as it is, in an "
            "environment of its own (those of the extra `train` share one).",
            "",
            f"| library | example | tested with Python {python} and | what it printed |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
            "These runs train for seconds, so what they print shows that the example works, not how good the library is. "
            "`make libraries` runs them all again (ten minutes and 8 GB of disk the first time).",
            "",
            "## Before you start",
            "",
            "- Install torch for the CPU first, unless you have a GPU: see [Install](install.md).",
            *notes,
            "",
        ]
    )


def purpose(library: Library) -> str:
    """What the first line of the example's docstring says of it, after the library's name."""
    tree = ast.parse((EXAMPLES / library.example).read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").splitlines()[0].partition(": ")[2]


if __name__ == "__main__":
    sys.exit(main())
