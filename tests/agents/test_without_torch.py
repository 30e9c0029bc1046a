"""Playing and measuring need no torch, and playing no library of the report: the shipped policies of every game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.table import minds
from channel_tunnel_agents.table.minds.agent_process import JOBS
from channel_tunnel_env import Game

pytest.importorskip("onnxruntime")

SERVE = Path(__file__).parents[1] / "serve_table.py"
TRAINING = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "filelock")
MEASURING = ("scipy", "optuna", "statsmodels", "pandas", "pyarrow", "matplotlib", "jinja2")

PLAYS = """
import asyncio
import numpy as np
from channel_tunnel_agents import make_agent
from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.players.scripted import TREES
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.minds.players import AgentPool
from channel_tunnel_env import BatchGame, Game, load_ruleset

for game, spec in AGENT_SPECS.items():
    rules = load_ruleset("standard" if game == "tunnel_1987" else game)
    batch = BatchGame(2, rules, 1)
    searches = [f"{spec.shipped[0]}-search@1ms", f"{spec.shipped[0]}-search@41ms"] if game in TREES else []
    for name in [*spec.shipped, *searches]:
        batch.check(choose_actions(make_agent(name, rules), batch, np.arange(2)), np.arange(2))

offers, players = Offers.of(), AgentPool()
try:
    for name in ("club", "master-puct@5ms"):
        assert name.split("-")[0] in offers.agents
        assert asyncio.run(players.choose(name, Game("standard", 1))) in Game("standard", 1).legal_ids()
finally:
    players.close()
print("played")
"""
MEASURES = """
from channel_tunnel_env.__main__ import main

assert main(["tournament", "random", "club", "club-search@1ms", "--deals", "2", "--workers", "2"]) == 0
assert main(["compare", "club", "adept", "--deals", "4", "--workers", "1"]) == 0
few = ["--quick", "--deals", "8", "--levers", "0", "--base", "none", "--out", "report"]
assert main(["report", "--agents", "random", "club", *few]) == 0
assert main(["train", "smoke", "--run", "run"]) == 2
print("measured")
"""


def environment_without(names: Iterable[str], folder: Path) -> dict[str, str]:
    """One whose processes, and those that they start, do not find these libraries."""
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(
            f"raise ModuleNotFoundError('{name} is not installed', name='{name}')\n"
        )
    known = [str(folder), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, known))}


@pytest.fixture
def to_play(tmp_path: Path) -> dict[str, str]:
    """An environment with the extras `play` and `table` alone."""
    return environment_without((*TRAINING, *MEASURING), tmp_path / "missing")


@pytest.mark.heavy
def test_without_torch_all_but_training_works(tmp_path: Path) -> None:
    said = run_in(environment_without(TRAINING, tmp_path / "missing"), MEASURES, "measured", tmp_path)
    assert "train needs more than the core" in said
    assert "pip install 'channel-tunnel-env[train]'" in said


def test_playing_needs_no_library_of_the_report(to_play: dict[str, str], tmp_path: Path) -> None:
    run_in(to_play, PLAYS, "played", tmp_path)


def test_the_table_needs_no_library_of_the_report(to_play: dict[str, str], tmp_path: Path) -> None:
    """The designer's page does, and a line says so."""
    done = subprocess.run([sys.executable, SERVE], cwd=tmp_path, env=to_play, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert not found["offers"]["design"], found
    missing = [line for line in found["said"] if line.startswith("No designer's page: ")]
    assert missing and "[report,table]" in missing[0], found


def run_in(environment: dict[str, str], code: str, end: str, folder: Path) -> str:
    """Run a script that must print `end` last; returns its standard error."""
    script = folder / "script.py"
    script.write_text("if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in code.splitlines()))
    done = subprocess.run([sys.executable, str(script)], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.rstrip().endswith(end)
    return done.stderr


def test_a_review_without_its_libraries_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its intervals need scipy, which playing at the table does not."""
    monkeypatch.setitem(sys.modules, "channel_tunnel_agents.table.minds.review", None)
    monkeypatch.delattr(minds, "review", raising=False)
    with pytest.raises(AgentError, match=r"pip install 'channel-tunnel-env\[report\]'"):
        JOBS["weigh"](None, Game("tiny", 1), (0,), "britain")
