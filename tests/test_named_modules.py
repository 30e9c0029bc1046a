"""What a string names is there: modules that are loaded by name, entry points, and modules that pyproject lists."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import channel_tunnel_agents
import channel_tunnel_env

ROOT = Path(__file__).parents[1]
PACKAGES = [Path(package.__path__[0]) for package in (channel_tunnel_env, channel_tunnel_agents)]
NAMED = re.compile(r"channel_tunnel_(?:env|agents)(?:\.\w+)+(?::\w+)?")
QUOTED = re.compile(r"""["']channel_tunnel_(?:env|agents)\.""")
NO_MODULES = {"channel_tunnel_env.opponents"}
"""Strings of this form that name something else: a group of entry points."""


def has_module(module: str) -> bool:
    """Whether one of our packages has a module."""
    paths = [package.parent.joinpath(*module.split(".")) for package in PACKAGES]
    return any(file.is_file() for path in paths for file in (path.with_suffix(".py"), path / "__init__.py"))


def named_modules() -> dict[str, str]:
    """What strings name, each with a file in which it stands."""
    found = {}
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if not QUOTED.search(text):
                continue
            for node in ast.walk(ast.parse(text)):
                value = getattr(node, "value", None)
                if isinstance(node, ast.Constant) and NAMED.fullmatch(str(value)):
                    found[str(value)] = path.relative_to(package.parent).as_posix()
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for quoted in re.findall(r'"([\w.:*]+)"', project):
        if NAMED.fullmatch(quoted.removesuffix(".*")):
            found[quoted.removesuffix(".*")] = "pyproject.toml"
    return {name: where for name, where in found.items() if name not in NO_MODULES}


def problem_of(name: str, where: str) -> str:
    """What is wrong of a name that stands in a file; empty if nothing is."""
    module, _, attribute = name.partition(":")
    if not has_module(module):
        return f"{where} names {module}"
    return "" if not attribute or hasattr(importlib.import_module(module), attribute) else f"{where} names {name}"


def test_what_a_string_names_is_there() -> None:
    named = named_modules()
    assert len(named) > 30
    assert not [problem for name in sorted(named) if (problem := problem_of(name, named[name]))]


def test_a_name_of_nothing_is_found() -> None:
    assert problem_of("channel_tunnel_env.batches", "x.py") == "x.py names channel_tunnel_env.batches"
    assert problem_of("channel_tunnel_env.batch:Batch0", "x.py")
    assert not problem_of("channel_tunnel_env.batch:BatchGame", "x.py")
