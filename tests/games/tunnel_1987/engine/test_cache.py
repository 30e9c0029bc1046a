"""Compiled code is kept in a folder that belongs to the sources it was compiled from."""

from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from channel_tunnel_env.core import jit, kernel_cache, kernels
from channel_tunnel_env.core.kernel_cache import cache_folder, is_private, sources_digest
from tests.games.tunnel_1987.elsewhere import run

PACKAGE = Path(jit.__file__).parents[1]
SOURCES = sorted(
    str(path.relative_to(PACKAGE)) for pattern in ("core/*.py", "games/*/engine/*.py") for path in PACKAGE.glob(pattern)
)


AS_ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
COMPILED = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
STRANGER = 64_321  # a user id that no passwd file has

SMALL_KERNEL = """
from channel_tunnel_env.core.jit import kernel

@kernel
def add_one(x):
    return x + 1
"""


def small_module(folder: Path) -> Any:
    """A module with a kernel that is kept in the folder, not called yet."""
    script = folder / "small.py"
    if not script.exists():
        script.write_text(SMALL_KERNEL)
    spec = importlib.util.spec_from_file_location("small", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def use_small_kernel(folder: Path) -> tuple[int, int]:
    """A kernel compiled into the folder, or found there: its result, and how often it was found."""
    module = small_module(folder)
    result = module.add_one(1)
    return result, sum(module.add_one.stats.cache_hits.values())


@pytest.mark.heavy
@COMPILED
def test_a_change_of_a_file_beside_a_kernel_of_another_package_compiles_it_again(tmp_path: Path) -> None:
    """A kernel may call functions of its neighbours, at whose files numba does not look."""
    (tmp_path / "beside17.py").write_text(
        "from channel_tunnel_env.core.jit import compiled\n@compiled\ndef two():\n    return 2\n"
    )
    (tmp_path / "user17.py").write_text(
        "from beside17 import two\nfrom channel_tunnel_env.core.jit import kernel\n"
        "@kernel\ndef add_two(x):\n    return x + two()\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import user17; print(user17.add_two(1))"
    cache = str(tmp_path / "cache")
    assert run(code, NUMBA_CACHE_DIR=cache) == "3"
    beside = tmp_path / "beside17.py"
    beside.write_text(beside.read_text().replace("return 2", "return 5"))
    assert run(code, NUMBA_CACHE_DIR=cache) == "6"


def copy_sources(folder: Path) -> Path:
    """The package without compiled Python."""
    copy = folder / "package"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One copy for all tests that leave it as it was."""
    return copy_sources(tmp_path_factory.mktemp("copy"))


@pytest.mark.heavy
@COMPILED
def test_another_checkout_of_the_same_sources_loads_what_the_first_compiled(copy: Path, tmp_path: Path) -> None:
    """Its files lie elsewhere, and are younger."""
    code = """
import sys; sys.path.insert(0, {!r})
import numpy as np
from channel_tunnel_env.core import kernels
kernels.copy_game(np.zeros(1, [("a", "i1")]), 0, np.zeros(1, [("a", "i1")]), 0)
stats = kernels.copy_game.stats
print(kernels.__file__, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
    cache = str(tmp_path / "cache")
    (tmp_path / PACKAGE.name).symlink_to(copy)
    for path in (copy / "core").glob("*.py"):
        os.utime(path, (0, 0))
    for checkout, found in ((PACKAGE.parent, "0 1"), (tmp_path, "1 0")):
        told = run(code.format(str(checkout)), NUMBA_CACHE_DIR=cache)
        assert told == f"{checkout}/{PACKAGE.name}/core/kernels.py {found}"


@pytest.mark.parametrize("name", SOURCES)
def test_a_change_in_any_source_changes_the_digest(name: str, copy: Path) -> None:
    assert sources_digest(copy) == sources_digest()
    text = (copy / name).read_text()
    (copy / name).write_text(text + "\n")
    assert sources_digest(copy) != sources_digest()
    (copy / name).write_text(text)
    assert sources_digest(copy) == sources_digest()


def test_a_change_beside_the_engines_keeps_the_digest(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    board = copy / "games" / "carcassonne" / "board" / "__init__.py"
    board.write_text(board.read_text() + "\n")
    assert sources_digest(copy) == sources_digest()


def test_new_and_renamed_sources_change_the_digest(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    (copy / "core" / "extra.py").touch()
    added = sources_digest(copy)
    (copy / "core" / "extra.py").rename(copy / "core" / "other.py")
    assert len({sources_digest(), added, sources_digest(copy)}) == 3


def test_the_cache_folder_is_named_by_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path / f"kernels-{sources_digest()}"
    assert cache_folder().is_dir()


def test_a_cache_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    folder = cache_folder()
    assert folder is not None and is_private(folder)
    assert folder.name == f"kernels-{sources_digest()}"
    assert folder.is_dir() and tmp_path / "temporary" in folder.parents


@COMPILED
def test_the_kernels_are_kept_in_that_folder() -> None:
    for kernel in (kernels.run_game, kernels.step_batch):
        assert Path(kernel._cache.cache_path).is_relative_to(jit._CACHE_FOLDER)
    assert Path(jit._CACHE_FOLDER).name == f"kernels-{sources_digest()}"


def test_importing_the_package_leaves_numbas_own_cache_folder_alone(tmp_path: Path) -> None:
    code = (
        "import numba; before = numba.config.CACHE_DIR\n"
        "import channel_tunnel_env, channel_tunnel_env.games.tunnel_1987.engine.invariants\n"
        "print(before == numba.config.CACHE_DIR, numba.config.CACHE_DIR)"
    )
    default = run(code, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="")
    assert default == "True"
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"True {tmp_path}"


@pytest.mark.heavy
def test_bounds_checked_kernels_are_kept_apart(tmp_path: Path) -> None:
    code = "from channel_tunnel_env.core.kernel_cache import cache_folder; print(cache_folder())"
    plain = run(code, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="0")
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="1") != plain


# --- other users ------------------------------------------------------------------------------------


@AS_ROOT
@pytest.mark.parametrize("part", ["root", "folder"])
def test_a_folder_that_somebody_else_made_is_not_used(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(kernel_cache.tempfile, "tempdir", str(tmp_path))
    expected = cache_folder()
    assert expected is not None
    os.chown(expected if part == "folder" else expected.parent, STRANGER, STRANGER)
    with pytest.warns(RuntimeWarning, match="every process compiles them"):
        assert cache_folder() is None


@pytest.fixture
def safe_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, apart from the user's caches in `tmp_path / "user"`."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user" / "caches"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    return tmp_path / "temporary"


@AS_ROOT
@pytest.mark.parametrize("above", [".", "caches", "caches/channel_tunnel_env", "the folder itself"])
@pytest.mark.parametrize("given", ["others may write", "the group may write", "somebody else's"])
def test_a_folder_that_others_can_swap_or_write_to_is_not_used(
    above: str, given: str, tmp_path: Path, safe_temporary: Path
) -> None:
    home = cache_folder()
    assert home is not None and tmp_path / "user" in home.parents
    place = home if above == "the folder itself" else tmp_path / "user" / above
    if given == "somebody else's":
        os.chown(place, STRANGER, STRANGER)
    else:
        place.chmod(0o777 if given == "others may write" else 0o775)
    other = cache_folder()
    assert other is not None and safe_temporary in other.parents


@AS_ROOT
def test_a_folder_in_one_that_keeps_what_is_not_ones_own_is_used(tmp_path: Path, safe_temporary: Path) -> None:
    """As in /tmp."""
    home = cache_folder()
    (tmp_path / "user").chmod(0o1777)
    assert cache_folder() == home
    os.chown(tmp_path / "user", STRANGER, STRANGER)  # who owns it may move all of it
    assert cache_folder() != home


def test_a_link_on_the_way_is_followed_before_the_way_is_looked_at(tmp_path: Path, safe_temporary: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "user").symlink_to(tmp_path / "elsewhere")
    found = cache_folder()
    assert found is not None and tmp_path / "elsewhere" in found.parents
    (tmp_path / "elsewhere").chmod(0o777)
    found = cache_folder()
    assert found is not None and safe_temporary in found.parents


@AS_ROOT
def test_without_a_folder_that_others_cannot_swap_nothing_is_kept(tmp_path: Path, safe_temporary: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="every process compiles them: set NUMBA_CACHE_DIR"):
        assert cache_folder() is None


@AS_ROOT
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv")
def test_a_user_without_home_and_passwd_entry_can_import_and_compile(tmp_path: Path) -> None:
    """As in containers that run under any user id; it may read everything and write to one folder."""
    tmp_path.chmod(0o1777)
    script = tmp_path / "small.py"
    script.write_text("import channel_tunnel_env\n" + SMALL_KERNEL + "\nprint(add_one(1))")
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "NUMBA_DISABLE_JIT")}
    user = [f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]
    reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    done = subprocess.run(
        ["setpriv", *user, *reads, sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=kept | {"TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr
    if not numba.config.DISABLE_JIT:
        assert (tmp_path / f"channel_tunnel_env-{STRANGER}").stat().st_uid == STRANGER


# --- damaged files ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which kernels are kept."""
    monkeypatch.setattr(jit, "_CACHE_FOLDER", tmp_path)
    return tmp_path


@COMPILED
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_file_is_compiled_anew_and_replaced(kind: str, damage: str, folder: Path) -> None:
    assert use_small_kernel(folder) == (2, 0)
    assert use_small_kernel(folder) == (2, 1)
    (path,) = folder.rglob(f"small.add_one*.{kind}")
    content = bytearray(path.read_bytes())
    if damage == "changed":
        content[len(content) // 2] ^= 255
    else:
        content = content[: len(content) // 2 if damage == "cut" else 0]
    path.write_bytes(content)
    with pytest.warns(RuntimeWarning, match=f"{path.name} is damaged"):
        assert use_small_kernel(folder) == (2, 0)
    assert use_small_kernel(folder) == (2, 1)


@COMPILED
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_folder_in_the_place_of_a_file_is_named_and_the_kernel_compiled(kind: str, folder: Path) -> None:
    assert use_small_kernel(folder) == (2, 0)
    (path,) = folder.rglob(f"small.add_one*.{kind}")
    path.unlink()
    path.mkdir()
    with pytest.warns(RuntimeWarning, match=f"{path.name} cannot be read: Is a directory"):
        assert use_small_kernel(folder) == (2, 0)


@COMPILED
def test_a_file_in_the_place_of_the_folder_is_named_and_the_kernel_compiled(folder: Path) -> None:
    module = small_module(folder)
    kept = Path(module.add_one._cache.cache_path)
    shutil.rmtree(kept)
    kept.touch()
    with pytest.warns(RuntimeWarning, match=r"cannot be read: Not a directory|cannot save") as told:
        assert module.add_one(1) == 2
    assert any("Not a directory" in str(warning.message) for warning in told)


@COMPILED
def test_a_file_of_another_kernel_counts_as_damaged(folder: Path) -> None:
    """It is whole, but its machine code takes other arguments, or does something else."""
    script = folder / "small.py"
    script.write_text(SMALL_KERNEL + "\n\n@kernel\ndef add_two(x):\n    return x + 2\n\n\nadd_two(1)\n")
    assert use_small_kernel(folder) == (2, 0)
    (mine,) = folder.rglob("small.add_one*.nbc")
    (other,) = folder.rglob("small.add_two*.nbc")
    shutil.copy(other, mine)
    with pytest.warns(RuntimeWarning, match=f"{mine.name} is damaged"):
        assert use_small_kernel(folder) == (2, 0)
    assert use_small_kernel(folder) == (2, 1)


@COMPILED
def test_what_another_version_of_a_library_wrote_is_compiled_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert use_small_kernel(folder) == (2, 0)

    def fail(data: bytes) -> None:
        raise AttributeError("Can't get attribute 'Gone' on <module 'numba.core.types'>")

    with monkeypatch.context() as patch:
        patch.setattr(kernel_cache.pickle, "loads", fail)
        assert use_small_kernel(folder) == (2, 0)
    assert use_small_kernel(folder) == (2, 1)


@COMPILED
def test_where_no_folder_takes_anything_kernels_are_compiled_and_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root may write everywhere, the refusal is the system's in words only."""

    def refuse(*given: Any, **named: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)  # numba tries a folder by it
    with pytest.warns(RuntimeWarning, match="add_one: compiled by every process: .*no locator"):
        module = small_module(folder)
    assert module.add_one(1) == 2


# --- several processes --------------------------------------------------------------------------

TOGETHER = """
import sys
from small import add_one

print("ready", flush=True)
sys.stdin.readline()
add_one(1)
print(sum(add_one.stats.cache_misses.values()), flush=True)
"""


@pytest.mark.heavy
@COMPILED
def test_of_processes_that_start_together_one_compiles_and_the_others_load(tmp_path: Path) -> None:
    (tmp_path / "small.py").write_text(SMALL_KERNEL)
    paths = os.pathsep.join([str(tmp_path), str(PACKAGE.parent)])
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": paths}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(3)
    ]
    for worker in workers:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    compiled = [worker.communicate()[0] for worker in workers]
    assert sorted(compiled) == ["0\n", "0\n", "1\n"]


@pytest.mark.skipif(jit.fcntl is None, reason="no locks of files here")
def test_a_suspended_process_holds_nobody_up_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "LONGEST_WAIT", 0.1)
    path = str(tmp_path / "kernel.lock")
    with jit._held(path), jit._held(path):
        pass


def test_a_folder_that_cannot_be_written_compiles_without_a_lock(tmp_path: Path) -> None:
    with jit._held(str(tmp_path / "missing" / "kernel.lock")):
        pass
