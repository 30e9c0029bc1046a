"""The notebook that trains and enters `rules-v1`: its cells run in order, with less of everything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.benchmark import contests
from channel_tunnel_agents.benchmark.running import CARD
from channel_tunnel_agents.rulesets.held_apart import held_rulesets
from channel_tunnel_env.tracks import load_track

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "docs" / "tutorials" / "enter_rules.ipynb"
SHORT = {"MINUTES": 0.02, "DRAWN": 3, "GAMES": 64}


@pytest.mark.heavy
def test_the_notebook_trains_apart_from_the_track_and_enters_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    few = {group: rulesets[:1] for group, rulesets in held_rulesets("rules-v1").items()}
    monkeypatch.setattr(contests, "held_rulesets", lambda track: few)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    settings, *rest = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict[str, Any] = {}
    exec(compile(settings, NOTEBOOK.name, "exec"), names)
    assert names.keys() >= SHORT.keys()
    names |= SHORT
    for cell in rest:
        exec(compile(cell, NOTEBOOK.name, "exec"), names)
    said = capsys.readouterr().out
    assert "decisions of self-play in" in said
    assert "near rulesets, zero-shot: " in said
    assert names["run"].config.apart_from == "rules-v1"
    assert names["card"].games == 2 * 2 * load_track("rules-v1").rules.deals
    assert (tmp_path / "runs" / "benchmark" / "rules-v1-entered" / CARD).exists()


def test_the_notebook_is_stored_without_output_and_linked() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
    for page in ("docs/tutorials/enter-the-benchmark.md", "docs/how-to/benchmark-an-agent.md"):
        assert "enter_rules.ipynb)" in (ROOT / page).read_text(encoding="utf-8")
