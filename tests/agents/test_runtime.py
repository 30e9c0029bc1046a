"""Who plays here is told to nobody: ONNX Runtime, which would report its use, is loaded in one place and silent."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import channel_tunnel_agents
import channel_tunnel_env
from channel_tunnel_agents.players.policy import graphs
from channel_tunnel_agents.players.policy.graphs import SILENCE

pytest.importorskip("onnxruntime")

PLAYS = """
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.shipped import folder_of

assert type(PolicyAgent.load(folder_of("rookie", "tunnel_1987")).network).__name__ == "OnnxJudge"
"""
REPORTS = Path(".cache", "Microsoft")  # where it keeps what it has not sent yet


@pytest.mark.skipif(sys.platform == "win32", reason="there it keeps no file")
def test_playing_a_policy_leaves_no_report(tmp_path: Path) -> None:
    """In an empty home."""
    known = {key: value for key, value in os.environ.items() if key != SILENCE}
    here = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    words = [sys.executable, "-c", PLAYS]
    done = subprocess.run(words, env=known | here, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not [path for path in tmp_path.rglob("*") if REPORTS in path.relative_to(tmp_path).parents]


def test_who_wants_the_reports_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SILENCE, "0")
    graphs.load_runtime()
    assert os.environ[SILENCE] == "0"


def test_it_is_loaded_in_one_place() -> None:
    roots = [Path(next(iter(each.__path__))) for each in (channel_tunnel_agents, channel_tunnel_env)]
    found = {
        path
        for root in roots
        for path in root.rglob("*.py")
        if any(
            line.split()[:2] in (["import", "onnxruntime"], ["from", "onnxruntime"])
            for line in path.read_text(encoding="utf-8").splitlines()
        )
    }
    assert found == {Path(graphs.__file__)}
