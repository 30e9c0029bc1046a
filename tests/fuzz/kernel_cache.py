"""The folder of compiled kernels: its files cut, changed, swapped, taken away, or with a folder in their place."""

from __future__ import annotations

import tempfile
import warnings
from functools import cache
from pathlib import Path

from channel_tunnel_env.core.kernel_cache import SealedFiles
from tests.fuzz.mutations import Files, Random, change_files

STAMP = "0123456789abcdef"
KERNELS = ("first.kernel-1.py311", "second.kernel-9.py311")
KEYS = ("int64", "float64")


def _code(kernel: str, key: str) -> bytes:
    """What stands for the machine code of a kernel for one type of its arguments."""
    return f"{kernel} for {key}".encode() * 20


def _files(folder: Path, kernel: str) -> SealedFiles:
    return SealedFiles(str(folder), kernel, STAMP)


@cache
def _base() -> Files:
    with tempfile.TemporaryDirectory() as name:
        for kernel in KERNELS:
            for key in KEYS:
                _files(Path(name), kernel).save(key, _code(kernel, key))
        return {path.name: path.read_bytes() for path in sorted(Path(name).iterdir())}


def mutate(rng: Random) -> Files:
    """The folder with up to five changes."""
    files = dict(_base())
    for _ in range(int(rng.integers(1, 6))):
        change_files(rng, files, ".tmp.0")
    return files


def check(data: Files, folder: Path) -> str:
    """Every kernel is found as it was saved, or not found; saved anew it is found, unless a folder is in its way."""
    for name, content in data.items():
        if content is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)
    found = [_looks_up(folder, kernel, key) for kernel in KERNELS for key in KEYS]
    return "accepted" if all(found) else "refused"


def _looks_up(folder: Path, kernel: str, key: str) -> bool:
    """Whether a kernel was found at once."""
    files, code = _files(folder, kernel), _code(kernel, key)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = files.load(key)
        assert found in (None, code), f"another kernel was found: {found!r:.80}"
        if found is None:
            try:
                files.save(key, code)
            except OSError:  # the lookup of a kernel warns of it
                assert any(path.is_dir() for path in folder.iterdir())
                return False
            assert files.load(key) == code, "saved anew, it was not found"
    return found is not None
