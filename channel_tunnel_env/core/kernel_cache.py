"""Where compiled kernels are kept, and how they are read back.

Numba stores machine code as pickles, so anyone who can write to the folder, or put another in its place, can run
code in the process that reads it. A folder is therefore used only if no other user can do so, or if
NUMBA_CACHE_DIR names it. Each file begins with a digest of its name and its content; if that does not
match, the kernel is compiled again and the file replaced. What cannot be read or written is named, and the
kernel compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

NAME = "channel_tunnel_env"
SOURCES = ("core/**/*.py", "games/*/engine/**/*.py")
"""The package's files that hold kernels; a kernel may consist of functions of several of them."""
SHARED = (NAME, "channel_tunnel_agents")
"""Packages whose kernels consist only of functions of this package and of their own folder."""
_PACKAGE = Path(__file__).parents[1]
_GUESTS: dict[Any, str] = {}
"""Numba's type of a record -> digest of the sources of its game, for games of other packages."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_DIGEST_BYTES = hashlib.sha256().digest_size


def sources_digest(folder: Path = _PACKAGE, patterns: Iterable[str] = SOURCES) -> str:
    """Digest (16 hex digits) of the files of a folder that may hold kernels, by default the package's."""
    digest = hashlib.sha256()
    # Sorted, because a folder lists its files in any order; a set, because patterns may overlap.
    for path in sorted({path for pattern in patterns for path in folder.glob(pattern)}):
        digest.update(path.relative_to(folder).as_posix().encode())  # a file that moves is a change
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def watch_sources(record_type: Any, function: Callable[..., Any]) -> None:
    """Let kernels over a game's records depend on the sources of the package that brings the game.

    The folder's name covers the games of this package only. A game that comes from elsewhere becomes part of the
    same loops, so its sources count in the index of every kernel that takes one of its records: a change there
    makes new entries, and compiles nothing of the other games.

    Args:
        record_type: numba's type of the game's record.
        function: a rule of the game.
    """
    package = function.__module__.partition(".")[0]
    if package in SHARED:
        return
    home = getattr(sys.modules.get(package), "__path__", None)
    if home is None:  # one file, not a package
        file = Path(function.__code__.co_filename)
        _GUESTS[record_type] = sources_digest(file.parent, [file.name])
        return
    # A namespace package has several folders.
    _GUESTS[record_type] = "-".join(sources_digest(Path(folder), ["**/*.py"]) for folder in home)


# --- the folder -----------------------------------------------------------------------------------


def cache_folder() -> Path | None:
    """The folder for the current sources, created if needed; None, with a warning, if there is no safe one.

    Tried in this order: NUMBA_CACHE_DIR; the user's cache folder; a folder of the user in the temporary directory.
    """
    name = f"kernels-{sources_digest()}{_code_flags()}"
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named and _can_be_made(Path(named) / name):
        return Path(named) / name
    for root in _private_roots():
        # Links are resolved: what counts is who can write to the folders that they lead to.
        if _can_be_made(root / name) and is_private(folder := (root / name).resolve()):
            return folder
    warnings.warn(
        "no private folder for compiled kernels, so every process compiles them: set NUMBA_CACHE_DIR to a folder "
        "that only you can write to",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def _private_roots() -> Iterator[Path]:
    """Folders that normally belong only to the user."""
    if not os.environ.get("NUMBA_CACHE_DIR"):
        caches = _user_caches()
        if caches is not None:
            yield caches / NAME
    user = os.geteuid() if hasattr(os, "geteuid") else os.environ.get("USERNAME", "user")
    try:
        yield Path(tempfile.gettempdir()) / f"{NAME}-{user}"
    except OSError:  # no directory is writable, not even the working directory
        return


def _user_caches() -> Path | None:
    """The user's cache folder; None for a user without a home, as in containers."""
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None


def _code_flags() -> str:
    """Settings that change the machine code but are missing from numba's own index."""
    flags = {"b": numba.config.BOUNDSCHECK, "d": numba.config.DEBUGINFO_DEFAULT}
    return "".join(f"-{name}" for name, value in flags.items() if value)


def _can_be_made(folder: Path) -> bool:
    """Try to create the folder; whether it exists and is writable."""
    try:
        folder.parent.parent.mkdir(parents=True, exist_ok=True)
        # The folders above are not ours, so only these two are closed to others.
        for path in (folder.parent, folder):
            path.mkdir(exist_ok=True, mode=0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK)  # it may exist and be read-only


def is_private(folder: Path) -> bool:
    """Whether only the user of this process, and root, can write to a folder or put another in its place.

    Others may write to a folder above if its sticky bit keeps them from moving what is not theirs, as in /tmp.

    Args:
        folder: absolute, without links.
    """
    if not hasattr(os, "geteuid"):
        return True  # Windows: the folders tried belong to the user
    # A sticky bit is enough above. In the folder itself, others could still add files.
    return _is_closed(folder, 0) and all(_is_closed(above, stat.S_ISVTX) for above in folder.parents)


def _is_closed(folder: Path, openness: int) -> bool:
    """Whether this is the user's or root's, and closed to others unless it has a bit of `openness`."""
    status = folder.lstat()  # not `stat`: a link in place of the folder must not pass
    return (
        stat.S_ISDIR(status.st_mode)
        and status.st_uid in (0, os.geteuid())  # root can write anywhere anyhow
        and not (status.st_mode & _OTHERS_WRITE and not status.st_mode & openness)
    )


# --- the files ------------------------------------------------------------------------------------


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's index and data files, each starting with a digest of its name and its content."""

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._seal(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_index(self) -> dict[Any, str]:
        content = self._open(self._index_path)
        if content is None:
            return {}
        version, stamp, overloads = content
        # The index of another version of numba, or of other sources, counts as empty.
        return dict(overloads) if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_data(self, name: str, data: Any) -> None:
        self._seal(self._data_path(name), data)

    def _load_data(self, name: str) -> Any:
        content = self._open(self._data_path(name))
        if content is None:
            raise FileNotFoundError(name)  # numba then compiles
        return content

    def _seal(self, path: str, content: Any) -> None:
        data = self._dump(content)
        # Numba writes a file beside this one and renames it: no reader sees half of it.
        with self._open_for_write(path) as file:
            file.write(_seal_of(path, data) + data)

    def _open(self, path: str) -> Any:
        """The content; None if the file is missing, damaged or of another version of a library."""
        try:
            sealed = Path(path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _warn(f"{path} cannot be read: {error.strerror or error}; its kernels are compiled again")
            return None
        data = sealed[_DIGEST_BYTES:]
        # Before it is unpickled, because damaged bytes may name any function.
        if _seal_of(path, data) != sealed[:_DIGEST_BYTES]:
            _warn(f"{path} is damaged; its kernels are compiled again")
            return None
        try:
            return pickle.loads(data)
        except Exception:  # it is whole: what it names was elsewhere when it was written
            return None


def _seal_of(path: str, data: bytes) -> bytes:
    # The name counts too: a file copied to the place of another does not pass.
    return hashlib.sha256(Path(path).name.encode() + b"\0" + data).digest()


@contextlib.contextmanager
def _named_errors() -> Iterator[None]:
    """Warn of what the system refuses while kernels are looked up or saved; they are compiled then."""
    try:
        yield
    except OSError as error:
        _warn(f"cannot save compiled kernels: {error.filename or ''}: {error.strerror or error}")


class WatchedIndex(FunctionCache):  # type: ignore[misc]
    """Numba's index of one kernel, in which the sources of games from elsewhere count too."""

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        # Records come in arrays, whose `dtype` is their type.
        types = {getattr(argument, "dtype", argument) for argument in signature}
        # Sorted: a set has no order, and the key needs one.
        sources = sorted(_GUESTS[record] for record in types if record in _GUESTS)
        return (*super()._index_key(signature, codegen), *sources)


def seal_files(dispatcher: Any, cache: Path) -> None:
    """Make a dispatcher store its code in sealed files.

    Numba names a kernel's folder by the path of its source, and compiles it again if the time of that file differs.
    Here the content decides, of the kernel's own file and of those beside it, of which it may consist too; `cache`
    tells of the sources of this package. So equal checkouts share their kernels. Those of strangers stay where
    numba puts them: they may consist of files of other folders.

    Args:
        cache: see `cache_folder`.
    """
    lookup = getattr(dispatcher, "_cache", None)
    files = getattr(lookup, "_cache_file", None)
    if type(files) is not IndexDataCacheFile:  # without a cache there are no files to seal
        return
    lookup._guard_against_spurious_io_errors = _named_errors  # type: ignore[union-attr]
    # Numba has made these objects already, so they change their class.
    files.__class__ = SealedFiles
    dispatcher._cache.__class__ = WatchedIndex
    function = dispatcher.py_func
    files._source_stamp = sources_digest(Path(function.__code__.co_filename).parent, ["*.py"])
    package = function.__module__.rpartition(".")[0]
    if package.partition(".")[0] in SHARED:
        shared = cache / f"{package}-{files._source_stamp}"
        with contextlib.suppress(OSError):  # `save` warns
            shared.mkdir(exist_ok=True, mode=0o700)
        files._cache_path, files._index_path = str(shared), str(shared / files._index_name)


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=3)
