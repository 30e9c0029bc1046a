"""A digest of the code of an agent of one's own, a module or a program, to detect games that other code played."""

from __future__ import annotations

import ast
import hashlib
import os.path
import shlex
import site
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec, resolve_name
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any

from channel_tunnel_env.outside.files import KEPT_BYTES, add_file, read_whole

OWN_PACKAGES = ("channel_tunnel_agents", "channel_tunnel_env")  # left out: a plan names their version


def sources_digest(name: str, agent: Any) -> str | None:
    """16 hex digits of a module's source and of the modules it imports that are not installed.

    Anything else that decides its moves, such as weights that it reads, is not covered; an agent
    may cover it with an attribute `digest`, a string, which is included.

    Args:
        name: `MODULE:ATTRIBUTE`, imported before.

    Returns:
        None if the module has no source file, so that changes cannot be detected.
    """
    module = sys.modules.get(name.partition(":")[0])
    if module is None or _source(module.__name__) is None:
        return None
    digest = hashlib.sha256(str(getattr(agent, "digest", "")).encode())
    for found, path in sorted(_sources(module.__name__).items()):
        digest.update(found.encode() + b"\0")
        add_file(digest, path)
    return digest.hexdigest()[:16]


def program_digest(command: str) -> str | None:
    """16 hex digits of the files, and of all files of the folders, that a process's command names.

    The program itself counts where it is the only one named: in `python mine.py` it is not the player. What else the
    program reads is not covered.

    Returns:
        None if the command names no file, so that changes cannot be detected.
    """
    first, *words = shlex.split(command)
    named = [path for word in words if (path := _named(word))] or [Path(first)]
    files = [
        (place, file.relative_to(path), file)
        for place, path in enumerate(named)
        for file in sorted([path] if path.is_file() else path.rglob("*"))
        if file.is_file() and file.parent.name != "__pycache__"
    ]
    digest = hashlib.sha256()
    for place, inside, file in files:
        digest.update(f"{place} {inside}".encode() + b"\0")
        add_file(digest, file)
    return digest.hexdigest()[:16] if files else None


def _named(word: str) -> Path | None:
    """The file or folder that a word of a command names, by itself or after `=`; not one that holds the current folder."""
    path = Path(word.rpartition("=")[2])
    if not os.path.exists(path):  # noqa: PTH110  code in a word is too long a name for Path.exists
        return None
    return None if Path.cwd().is_relative_to(path.resolve()) else path


def _sources(first: str) -> dict[str, Path]:
    """The project's source files among a module and its imports, by module."""
    found: dict[str, Path] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        path = None if name in found else _source(name)
        if path is None or (name != first and not _is_project(name, path)):
            continue
        found[name] = path
        waiting += accumulate(name.split("."), "{}.{}".format)  # its packages
        if path.suffix == ".py":
            waiting += _imports(path, name)
    return found


def _imports(path: Path, name: str) -> Iterator[str]:
    """The modules that a source file may import, at the top or later."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    with suppress(SyntaxError, ImportError):  # such a file does not matter: importing it fails as well
        for node in ast.walk(ast.parse(read_whole(path, KEPT_BYTES))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    base = resolve_name("." * node.level + base, package)
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)


def _source(name: str) -> Path | None:
    """The source file of a module; None if there is none."""
    module = sys.modules.get(name)
    place = getattr(module, "__file__", None)
    if not isinstance(module, ModuleType):
        # Not imported yet. A submodule could only be found by importing its package.
        if name.partition(".")[0] not in sys.modules and "." in name:
            return None
        with suppress(ImportError, ValueError, AttributeError, TypeError):
            spec = find_spec(name)
            place = spec.origin if spec is not None and spec.has_location else None
    path = Path(place) if place else None
    return path if path is not None and path.is_file() else None


def _is_project(name: str, path: Path) -> bool:
    """Whether a module is not ours, not Python's and not installed."""
    if name.partition(".")[0] in OWN_PACKAGES:
        return False
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = [*(sysconfig.get_path(kind) for kind in kinds), site.getusersitepackages()]
    return not any(path.resolve().is_relative_to(Path(place).resolve()) for place in installed)
