"""One word, one meaning: no public class name is defined twice, but for those that say the same of several games."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import channel_tunnel_agents
import channel_tunnel_env

PACKAGES = [Path(package.__path__[0]) for package in (channel_tunnel_env, channel_tunnel_agents)]
SHARED = {"Game", "PositionData", "RulesetData", "TunnelCount", "Weights"}  # what each game has of its own


def test_a_public_class_name_has_one_meaning() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for package in PACKAGES for path in package.rglob("*.py")]
    classes = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    twice = {name for name, count in Counter(classes).items() if count > 1 and not name.startswith("_")}
    assert twice <= SHARED
