"""Docstrings and comments name sizes, they do not retype them: D and A stay true when the numbers change."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for folder in ("channel_tunnel_env", "agents") for path in (ROOT / folder).rglob("*.py"))
TYPED = re.compile(rf"(?<![\d.,_x])({NUM_ACTIONS}|{OBSERVATION_SIZE})(?![\d.,_]*\d)")
TEXT = (tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1))


def retyped(path: Path) -> list[str]:
    """Lines of text in a source that give a size as a number."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return [
        f"{path.relative_to(ROOT)}:{token.start[0] + i}: {line.strip()}"
        for token in tokens
        if token.type in TEXT
        for i, line in enumerate(token.string.splitlines())
        if TYPED.search(line)
    ]


def test_a_retyped_size_is_found() -> None:
    for line in (f"# bool (n, {NUM_ACTIONS})", f"float32 ({OBSERVATION_SIZE},).", f"# {NUM_ACTIONS} ids"):
        assert TYPED.search(line)
    for line in ("# 0.171 of them", "# 1,171 games", "# 17100", "# 0x679"):
        assert not TYPED.search(line)


@pytest.mark.parametrize("folder", ["channel_tunnel_env", "agents"])
def test_no_text_retypes_a_size(folder: str) -> None:
    found = [line for path in SOURCES if path.is_relative_to(ROOT / folder) for line in retyped(path)]
    assert not found, "write A or D (engine.actions, engine.observation) instead:\n" + "\n".join(found)
