"""Compiled code is kept in a folder that belongs to the sources it was compiled from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from channel_tunnel_env.engine import jit, kernels
from channel_tunnel_env.engine.jit import cache_folder, sources_digest

ENGINE = Path(jit.__file__).parent
SOURCES = sorted(path.name for path in ENGINE.glob("*.py"))


def run(code: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | variables,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("name", SOURCES)
def test_a_change_in_any_source_changes_the_digest(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "engine"
    shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert sources_digest(copy) == sources_digest()
    text = (copy / name).read_text()
    (copy / name).write_text(text + "\n")
    assert sources_digest(copy) != sources_digest()
    (copy / name).write_text(text)
    assert sources_digest(copy) == sources_digest()


def test_new_and_renamed_sources_change_the_digest(tmp_path: Path) -> None:
    copy = tmp_path / "engine"
    shutil.copytree(ENGINE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "extra.py").touch()
    added = sources_digest(copy)
    (copy / "extra.py").rename(copy / "other.py")
    assert len({sources_digest(), added, sources_digest(copy)}) == 3


def test_the_digest_does_not_depend_on_where_the_sources_lie(tmp_path: Path) -> None:
    """Nor on compiled Python beside them."""
    copy = tmp_path / "elsewhere"
    shutil.copytree(ENGINE, copy)
    assert sources_digest(copy) == sources_digest()


def test_the_cache_folder_is_named_by_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path / f"kernels-{sources_digest()}"
    assert cache_folder().is_dir()


def test_a_cache_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    folder = cache_folder()
    assert folder.name == f"kernels-{sources_digest()}"
    assert folder.is_dir() and tmp_path / "temporary" in folder.parents


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_the_kernels_are_kept_in_that_folder() -> None:
    for kernel in (kernels.run_game, kernels.step_batch):
        assert Path(kernel._cache.cache_path).is_relative_to(jit._CACHE_FOLDER)
    assert Path(jit._CACHE_FOLDER).name == f"kernels-{sources_digest()}"


def test_importing_the_package_leaves_numbas_own_cache_folder_alone(tmp_path: Path) -> None:
    code = (
        "import numba; before = numba.config.CACHE_DIR\n"
        "import channel_tunnel_env, channel_tunnel_env.engine.invariants\n"
        "print(before == numba.config.CACHE_DIR, numba.config.CACHE_DIR)"
    )
    default = run(code, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="")
    assert default == "True"
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"True {tmp_path}"


def test_bounds_checked_kernels_are_kept_apart(tmp_path: Path) -> None:
    code = "from channel_tunnel_env.engine.jit import cache_folder; print(cache_folder())"
    plain = run(code, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="0")
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="1") != plain
