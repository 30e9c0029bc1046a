"""Each room keeps to its number of lines: budgets.yaml."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
BUDGETS: dict[str, int] = yaml.safe_load(Path(__file__).with_name("budgets.yaml").read_text(encoding="utf-8"))
COUNTED = {".py", ".js", ".css", ".html"}
AT_THE_TOP = {"train.py", "evaluate.py"}
MOST_SLACK = 250  # lines that a room may fall below its budget before that is lowered


def room_of(path: str) -> str:
    """The room of a file; a KeyError names one without a room."""
    found = [room for room in BUDGETS if path.startswith(f"{room}/")]
    if not found:
        raise KeyError(f"{path}: in no room of {Path(__file__).with_name('budgets.yaml')}")
    return max(found, key=len)


def sizes() -> Counter[str]:
    """Lines of each room, of tracked files."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no checkout")
    lines: Counter[str] = Counter()
    for path in filter(None, listed.split("\0")):
        if Path(path).suffix in COUNTED and path not in AT_THE_TOP and (ROOT / path).exists():
            lines[room_of(path)] += len((ROOT / path).read_text(encoding="utf-8").splitlines())
    return lines


def test_every_room_keeps_to_its_lines_and_every_file_has_a_room() -> None:
    found = sizes()
    over = {room: lines for room, lines in found.items() if lines > BUDGETS[room]}
    assert not over, f"over their budgets in tests/budgets.yaml: {over}"


def test_a_budget_follows_a_room_that_became_smaller() -> None:
    found = sizes()
    slack = {room: lines for room, lines in found.items() if lines < BUDGETS[room] - MOST_SLACK}
    assert not slack, f"lower their budgets in tests/budgets.yaml: {slack}"
    assert found.keys() == BUDGETS.keys()
