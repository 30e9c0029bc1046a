"""Builds the wheel and the sdist, checks what is in them, and plays a game from empty environments.

python .ci/package.py                      every Python of PYTHONS that this machine has
python .ci/package.py --pythons 3.11       these only; `this` is the running one

Exit status 1 with one line for each thing that is wrong. Needs `build`, of the extra `dev`.
"""

from __future__ import annotations

import argparse
import email
import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# What goes into the wheel: place in the sources -> place in the wheel.
PACKED = {
    "channel_tunnel_env": "channel_tunnel_env",
    "agents/channel_tunnel_agents": "channel_tunnel_agents",
    "configs": "channel_tunnel_agents/configs",
}
MAX_WHEEL_MB = 7.5  # three quarters are the policies that come with it
MUST_HOLD = (
    "channel_tunnel_env/py.typed",
    "channel_tunnel_env/games/tunnel_1987/rulesets/standard.yaml",
    "channel_tunnel_env/drawing/fonts/LICENSE_DEJAVU",
    "channel_tunnel_agents/players/shipped/master/britain.safetensors",
    "channel_tunnel_agents/players/shipped/SHA256SUMS",
    "channel_tunnel_agents/players/policy/graphs/index.json",
    "channel_tunnel_agents/balance/report/templates/report.html",
    "channel_tunnel_agents/table/static/index.html",
)
HEAVY = ("torch", "stable_baselines3", "ray", "pandas", "pyarrow", "matplotlib")
UNDERNEATH = ("numpy>=2.0", "numba>=0.61")
SMOKE = f"""
import importlib.util, sys
import gymnasium, channel_tunnel_env, channel_tunnel_agents
found = [name for name in {HEAVY!r} if importlib.util.find_spec(name)]
assert not found, f"the core install brought {{found}}"
game = channel_tunnel_env.Game(seed=7)
while not game.is_over:
    game.play(game.legal_actions()[0])
env = gymnasium.make("ChannelTunnel-v1", opponent="heuristic")
env.reset(seed=7)
import numba, numpy
print(numba.__version__, numpy.__version__, game.end_cause, channel_tunnel_env.__file__)
"""
SERVE = ROOT / "tests" / "serve_table.py"
"""The table with the trained players, as the first block of the README installs it."""
FOURTH = ROOT / "docs" / "examples" / "fourth_game"
"""A game of a package of its own, found once it is installed beside the wheel."""
REVIEW = "from channel_tunnel_agents.search import policy_search; from channel_tunnel_agents.table.minds import review"
"""What the table needs to review a game, with nothing but what the README installs for players."""
CHECK_FOURTH = """
from channel_tunnel_env.testing import check_game
report = check_game("shaft_bluff", games=2, interpreted=False)
assert not report.problems, report
"""


@dataclass(frozen=True)
class Installed:
    """What an empty environment of one Python showed."""

    python: str
    numba: str
    numpy: str
    wall_seconds: float
    cpu_seconds: float
    megabytes: float


def main() -> int:
    """Build, look inside, install, play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pythons", nargs="+", default=list(PYTHONS), help="such as 3.11 3.13")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel, sdist = built(Path(folder))
        wrong = [*faults_of_wheel(wheel), *faults_of_sdist(sdist)]
        for line in wrong:
            print(f"package: {line}", file=sys.stderr)
        if wrong:
            return 1
        use_beside_foreign_agents(wheel, Path(folder))
        megabytes = wheel.stat().st_size / 1e6
        print(f"{wheel.name} {megabytes:.2f} MB, {sdist.name} {sdist.stat().st_size / 1e6:.2f} MB")
        results = []
        for version in arguments.pythons:
            python = sys.executable if version == "this" else interpreter(version)
            if python is None:
                print(f"Python {version}: not on this machine")
                continue
            results.append(install_and_play(python, wheel, Path(folder) / f"venv-{version}"))
            r = results[-1]
            print(
                f"Python {r.python}: plays; numba {r.numba}, numpy {r.numpy}; on top of them "
                f"{r.wall_seconds:.1f} s ({r.cpu_seconds:.1f} s CPU), {r.megabytes:.0f} MB",
                flush=True,
            )
    if not results:
        print(f"package: none of {', '.join(arguments.pythons)} is here", file=sys.stderr)
        return 1
    return 0


def built(folder: Path) -> tuple[Path, Path]:
    """The wheel, built from the sdist, and the sdist."""
    out = folder / "dist"
    command = [sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)]
    pins = str(ROOT / "constraints.txt")  # of the build backend; pip's older and newer name
    environment = os.environ | {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"package: the build failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return next(out.glob("*.whl")), next(out.glob("*.tar.gz"))


def faults_of_wheel(wheel: Path) -> list[str]:
    """What is missing from the wheel, stray in it, or wrong in its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        info = next(name.split("/")[0] for name in names if ".dist-info/" in name)
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
        scripts = archive.read(f"{info}/entry_points.txt").decode()
        licence = [name for name in names if name.startswith(info) and name.endswith("/LICENSE")]
    inside = {name for name in names if not name.startswith(info)}
    kept = {packed(name) for name in tracked()}
    faults = [f"the wheel lacks {name}" for name in sorted(kept - inside)]
    faults += [f"the wheel holds {name}, which is not tracked" for name in sorted(inside - kept)]
    faults += [f"the wheel lacks {name}" for name in MUST_HOLD if name not in inside]
    tops = {name.split("/")[0] for name in inside}
    faults += [f"the wheel installs {name!r}" for name in sorted(tops - {*PACKED.values()})]
    faults += [] if licence else ["the wheel lacks the licence"]
    if wheel.stat().st_size > MAX_WHEEL_MB * 1e6:
        faults.append(f"the wheel has {wheel.stat().st_size / 1e6:.1f} MB, over {MAX_WHEEL_MB}")
    return faults + faults_of_metadata(metadata, scripts)


def faults_of_metadata(metadata: email.message.Message, scripts: str) -> list[str]:
    """Where the wheel's metadata differs from pyproject.toml or the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = [x for x in metadata.get_all("Requires-Dist") or [] if "extra ==" not in x]
    pairs = {
        "Version": (metadata["Version"], version()),
        "Name": (metadata["Name"], project["name"]),
        "Requires-Python": (metadata["Requires-Python"], project["requires-python"]),
        "Requires-Dist": (sorted(core), sorted(project["dependencies"])),
        "License-Expression": (metadata["License-Expression"], project["license"]),
        "License-File": (sorted(metadata.get_all("License-File") or []), sorted(project["license-files"])),
        "Provides-Extra": (sorted(metadata.get_all("Provides-Extra") or []), sorted(project["optional-dependencies"])),
    }
    faults = [f"{key} is {is_!r}, expected {due!r}" for key, (is_, due) in pairs.items() if is_ != due]
    for entry in (*project["scripts"], *project["entry-points"]):
        if entry not in scripts:
            faults.append(f"no entry point {entry}")
    return faults


def faults_of_sdist(sdist: Path) -> list[str]:
    """What the sdist lacks for building, testing and reading."""
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    needed = {*tracked(), "pyproject.toml", "README.md", "LICENSE", "train.py", "evaluate.py"}
    return [f"the sdist lacks {name}" for name in sorted(needed - inside)]


def tracked() -> set[str]:
    """The files that go into the wheel and git knows, by their place in the sources."""
    command = ["git", "ls-files", *PACKED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def packed(name: str) -> str:
    """Where a file of the sources lies in the wheel."""
    place = next(place for place in PACKED if name.startswith(f"{place}/"))
    return PACKED[place] + name.removeprefix(place)


def version() -> str:
    """The package's version, as its sources say it."""
    text = (ROOT / "channel_tunnel_env" / "versions.py").read_text(encoding="utf-8")
    return next(x.split('"')[1] for x in text.splitlines() if x.startswith("__version__"))


def interpreter(wanted: str) -> str | None:
    """A Python of this version: the running one, one on the path, or one that pyenv keeps."""
    if sys.version.startswith(f"{wanted}."):
        return sys.executable
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{wanted}.*/bin/python"))
    return str(kept[-1]) if kept else shutil.which(f"python{wanted}")


def install_and_play(python: str, wheel: Path, venv: Path) -> Installed:
    """Install the wheel alone, away from the sources, and play a game with it; then with the trained players at the table."""
    subprocess.run([python, "-m", "venv", venv], check=True)
    inner = venv / "bin" / "python"
    pip = [inner, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-compile", *UNDERNEATH], check=True, stderr=subprocess.DEVNULL)
    before, begun, used = size(venv), time.perf_counter(), cpu()
    subprocess.run([*pip, wheel], check=True, stderr=subprocess.DEVNULL)
    wall, spent, grown = time.perf_counter() - begun, cpu() - used, size(venv) - before
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment["NUMBA_CACHE_DIR"] = str(venv / "kernels")
    environment["NUMBA_OPT"] = "0"  # half the compiling; what is checked is the same
    said = output([inner, "-c", SMOKE], venv, environment).split()
    if not said[-1].startswith(str(venv)):
        raise SystemExit(f"package: played {said[-1]}, not what was installed in {venv}")
    words = output([venv / "bin" / "channel-tunnel", "rules"], venv, environment)
    if "France" not in words:
        raise SystemExit(f"package: `channel-tunnel rules` said:\n{words[-500:]}")
    play = [venv / "bin" / "channel-tunnel", "play", "--side", "france", "--opponent", "heuristic"]
    output([*play, "--ruleset", "tiny"], venv, environment, "quit\n")
    subprocess.run([*pip, f"{wheel}[play,table]"], check=True, stderr=subprocess.DEVNULL)
    offers = json.loads(output([inner, SERVE], venv, environment))["offers"]
    if "master" not in offers["agents"]:
        raise SystemExit(f"package: the table offers {offers['agents']}, without master")
    output([inner, "-c", REVIEW], venv, environment)
    output([*play[:-1], "master"], venv, environment, "quit\n")
    subprocess.run([*pip, "--no-deps", FOURTH], check=True, stderr=subprocess.DEVNULL)
    output([inner, "-c", CHECK_FOURTH], venv, environment)
    full = output([inner, "-c", "import platform; print(platform.python_version())"], venv, {})
    return Installed(full.strip(), said[0], said[1], wall, spent, grown)


def use_beside_foreign_agents(wheel: Path, folder: Path) -> None:
    """Train, play, report and enter the benchmark from an empty folder with the wheel, beside a package of somebody's named `agents`.

    The libraries are those of the running Python; the wheel comes before them.
    """
    installed, foreign, empty = (folder / name for name in ("installed", "foreign", "empty"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--target", installed, wheel], check=True)
    (foreign / "agents").mkdir(parents=True)
    (foreign / "agents" / "__init__.py").write_text("MINE = True\n")
    empty.mkdir()
    environment = {**os.environ, "PYTHONPATH": f"{foreign}:{installed}"}
    python = [sys.executable, "-m", "channel_tunnel_env"]
    whose = "import agents, channel_tunnel_agents as a; print(agents.MINE, a.__file__)"
    said = output([sys.executable, "-c", whose], empty, environment).split()
    if said != ["True", str(installed / "channel_tunnel_agents" / "__init__.py")]:
        raise SystemExit(f"package: beside a foreign `agents`, Python found {said}")
    tiny = ["--ruleset", "tiny"]
    output([*python, "train", "smoke", "--run", "run", *tiny], empty, environment)
    play = ["play", "--side", "france", "--opponent", "ppo:run", *tiny]
    output([*python, *play], empty, environment, "quit\n")
    agents = ["--agents", "random", "heuristic", "ppo:run"]
    report = ["report", *agents, "--quick", "--deals", "40", "--out", "report", *tiny]
    output([*python, *report], empty, environment)
    if not (empty / "report" / "report.html").is_file():
        raise SystemExit("package: no report was written")
    bench = [*python, "benchmark"]
    output([*bench, "duel-v1", "random", "--out", "bench"], empty, environment)
    output([*bench, "--check", "bench/card.json", "--parts", "1"], empty, environment)
    print("Beside a foreign package `agents`: trains, plays, reports, enters the benchmark.", flush=True)


def output(command: list[object], folder: Path, environment: dict[str, str], typed: str = "") -> str:
    """What a command prints; the end of its errors if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=environment, input=typed, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"package: {' '.join(words)[:200]} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def cpu() -> float:
    """CPU seconds of the finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def size(folder: Path) -> float:
    """Megabytes below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    sys.exit(main())
