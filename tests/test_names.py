"""One word, one meaning: no public class name is defined twice, but for those that say the same of several games."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import channel_tunnel_agents
import channel_tunnel_env

PACKAGES = [Path(package.__path__[0]) for package in (channel_tunnel_env, channel_tunnel_agents)]
SHARED = {
    "Game": "the door to every game, a game of any kind in the core, and the class of each game",
    "PositionData": "the shape of a position, of each game that checks it with a model",
    "RulesetData": "the shape of a ruleset, of each game",
    "TunnelCount": "what is counted of tunnels, in each game that counts it",
    "Weights": "what a scripted player weighs, of each game whose player is tuned",
}
"""Names that stand in several places, and why."""


def public_classes() -> dict[str, list[str]]:
    """The public classes by name, each with the modules that define it."""
    found = defaultdict(list)
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path.relative_to(package.parent).as_posix())
    return found


def test_a_public_class_name_has_one_meaning() -> None:
    twice = {name: places for name, places in public_classes().items() if len(places) > 1}
    assert {name: twice[name] for name in set(twice) - set(SHARED)} == {}
