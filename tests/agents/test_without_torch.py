"""Playing and measuring need no torch: the shipped policies of every game, in an environment without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.table import minds
from channel_tunnel_agents.table.minds.agent_process import JOBS
from channel_tunnel_env import Game

pytest.importorskip("onnxruntime")

PLAYS = """
import asyncio
import numpy as np
from channel_tunnel_agents import make_agent
from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.minds.players import AgentPool
from channel_tunnel_env import BatchGame, Game, load_ruleset

for game, spec in AGENT_SPECS.items():
    rules = load_ruleset("standard" if game == "tunnel_1987" else game)
    batch = BatchGame(2, rules, 1)
    searches = [f"{spec.shipped[0]}-search@1ms", f"{spec.shipped[0]}-search@41ms"] if spec.tree else []
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

assert main(["tournament", "random", "club", "club-search@1ms", "--games", "2", "--workers", "2"]) == 0
assert main(["compare", "club", "adept", "--deals", "4", "--workers", "1"]) == 0
few = ["--quick", "--deals", "8", "--levers", "0", "--base", "none", "--out", "report"]
assert main(["report", "--agents", "random", "club", *few]) == 0
assert main(["train", "smoke", "--run", "run"]) == 2
print("measured")
"""


@pytest.fixture
def without_torch(tmp_path: Path) -> dict[str, str]:
    """An environment whose processes, and those that they start, find no torch."""
    for name in ("torch", "stable_baselines3"):
        (tmp_path / "missing" / name).mkdir(parents=True)
        (tmp_path / "missing" / name / "__init__.py").write_text(
            f"raise ImportError('{name} is not installed')\n"
        )
    known = [str(tmp_path / "missing"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, known))}


@pytest.mark.parametrize(
    ("code", "end"),
    [(PLAYS, "played"), pytest.param(MEASURES, "measured", marks=pytest.mark.heavy)],
)
def test_without_torch_all_but_training_works(
    code: str, end: str, without_torch: dict[str, str], tmp_path: Path
) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in code.splitlines())
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env=without_torch,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.rstrip().endswith(end)
    if end == "measured":
        assert "train needs more than the core" in done.stderr
        assert "pip install 'channel-tunnel-env[train]'" in done.stderr


def test_a_review_without_its_libraries_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its intervals need scipy, which playing at the table does not."""
    monkeypatch.setitem(sys.modules, "channel_tunnel_agents.table.minds.review", None)
    monkeypatch.delattr(minds, "review", raising=False)
    with pytest.raises(AgentError, match=r"pip install 'channel-tunnel-env\[report\]'"):
        JOBS["weigh"](None, Game("tiny", 1), (0,), "britain")
