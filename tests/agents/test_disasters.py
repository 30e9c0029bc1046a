"""A full disk, a folder that cannot be written, Ctrl-C, kill -9: one line, and nothing lost but the last part."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from channel_tunnel_agents.commands import evaluate
from channel_tunnel_env import cli

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/dev/full and /sys are Linux's")

PLAY = ["--workers", "1", "--ruleset", "tiny"]
SKIPPED = "sides matrix length luck tension economy cards actions restricted openings health"
COMMANDS = {
    "tournament": ["tournament", "random", "racer", "engineer", "--deals", "60", *PLAY],
    "report": ["report", "--agents", "random", "racer", "--deals", "60", *PLAY],
    "generate": ["generate", "--agents", "random", "racer", "--games", "80", *PLAY],
}
COMMANDS["report"] += ["--skip", *SKIPPED.split()]
PROGRESS = re.compile(r"[a-z ]+: (\d+ %|done in |\d+ s$|[\d,]+ done)")

DRIVER = """
import json, os, random, signal, sys, time
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_env import cli

def run(words, seconds=None, number=signal.SIGKILL):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os._exit((cli.main if words[0] == "generate" else evaluate.main)(words))
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, number)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def sealed(folder):
    found = {}
    for top, _, names in os.walk(folder):
        if os.path.basename(top) == "parts":
            for name in (n for n in names if n.endswith(".json")):
                path = os.path.join(top, name)
                found[os.path.relpath(path, folder)] = os.stat(path).st_mtime_ns
    return found

def disturb(words, whole, killed):
    begun = time.monotonic()
    statuses = [run([*words, "--out", whole])]
    spent = time.monotonic() - begun
    run([*words, "--out", killed], chance.uniform(0.2, 0.9) * spent)
    stopped = run([*words, "--out", killed], 0.4 * spent, signal.SIGINT), open("said").read()
    before = sealed(killed)
    statuses.append(run([*words, "--out", killed]))
    return dict(statuses=statuses, stopped=stopped, before=before, after=sealed(killed))

chance = random.Random(5)
tasks = json.loads(sys.argv[1])
print(json.dumps({name: disturb(*task) for name, task in tasks.items()}))
"""


def run(name: str, out: Path) -> int:
    main = cli.main if name == "generate" else evaluate.main
    return main([*COMMANDS[name], "--out", str(out)])


def errors(said: str) -> list[str]:
    """The lines that are not progress, of which a slow machine shows some."""
    return [line for line in said.splitlines() if not PROGRESS.match(line)]


def games_in(folder: Path) -> pd.DataFrame:
    """All games of a folder; a report has those of the base beside its own."""
    return pd.concat([pd.read_parquet(path) for path in sorted(folder.rglob("games/*.parquet"))])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_line_and_costs_one_part(name: str, tmp_path: Path, capsys, disk_full_for) -> None:
    assert run(name, tmp_path / "whole") == 0
    found = tmp_path.rglob("parts/01-01-0000000.json")
    last = min(found, key=lambda path: len(path.parts))  # its own games, not those of a base
    last.unlink()
    capsys.readouterr()
    with disk_full_for("/games/01-01-0000000.parquet"):
        assert run(name, tmp_path / "whole") == 2
    (said,) = errors(capsys.readouterr().err)
    assert said.endswith("not written: No space left on device; nothing has changed")
    kept = {path: path.stat().st_mtime_ns for path in last.parent.iterdir()}
    assert run(name, tmp_path / "whole") == 0
    assert kept and all(path.stat().st_mtime_ns == then for path, then in kept.items())
    assert last.exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_cannot_be_written_is_one_line(name: str, tmp_path: Path, capsys) -> None:
    folder = Path("/sys/kernel")  # even root cannot write there
    if os.geteuid():
        folder = tmp_path / "locked"
        folder.mkdir(mode=0o500)
    assert run(name, folder / "out") == 2
    said = capsys.readouterr()
    (line,) = errors(said.err)
    assert "not permitted" in line or "denied" in line
    assert str(folder) in line
    assert not said.out.strip()


SWALLOWED = "Exception ignored"  # Python drops what is raised inside a callback of ctypes or of a weak reference


@pytest.fixture(scope="module")
def disturbed(tmp_path_factory) -> tuple[Path, dict[str, Any]]:
    """Every command once to its end and once killed, interrupted and finished; by one process, which loads torch once."""
    folder = tmp_path_factory.mktemp("disturbed")
    tasks = {
        name: [words, str(folder / name / "whole"), str(folder / name / "killed")] for name, words in COMMANDS.items()
    }
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(tasks)],
        capture_output=True,
        text=True,
        timeout=900,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(evaluate.__file__).parent)},
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_kill_at_any_moment_loses_no_finished_part(name: str, disturbed) -> None:
    folder, results = disturbed
    whole, killed, found = folder / name / "whole", folder / name / "killed", results[name]
    assert found["statuses"] == [0, 0]
    status, said = found["stopped"]
    if SWALLOWED in said:
        assert status == 0, said  # a callback took the signal: the command went on to its end
    else:
        assert (status, len(errors(said))) in ((130, 1), (130, 2), (0, 0)), said
        assert "Traceback" not in said
    assert found["before"].items() <= found["after"].items()
    pd.testing.assert_frame_equal(games_in(whole), games_in(killed))
    for file in ("results.json", "report.json"):
        if (whole / file).exists():
            one, other = ((f / file).read_text().replace(str(f), "") for f in (whole, killed))
            assert one == other
