"""Start and end of a command: `channel-tunnel`, and the scripts of a checkout.

Ctrl-C never shows a traceback. While modules load there is nothing to save, so it ends the process
like any program. After `run_command` has started it is a KeyboardInterrupt, which the command
answers with one line.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from channel_tunnel_env.outside.terminal import printable

SCRIPT, MODULE = "channel-tunnel", "channel_tunnel_env"
TRACEBACK = "CHANNEL_TUNNEL_TRACEBACK"  # environment variable: errors show where they were raised
STOPPED = 128 + signal.SIGINT  # the exit status that shells use


def is_own_command() -> bool:
    """Whether this process is `channel-tunnel` or `python -m channel_tunnel_env`, still loading."""
    first = sys.argv[0] if getattr(sys, "argv", None) else ""
    return Path(first).stem == SCRIPT or (first == "-m" and MODULE in sys.orig_argv)


def end_at_interrupt() -> None:
    """Let Ctrl-C end the process silently, unless the parent process has set it to be ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_command(main: Callable[[], int]) -> int:
    """Run a command and return its exit status; it can import modules of the current folder, unless all may write there.

    Args:
        main: the command; on KeyboardInterrupt it prints one line and returns STOPPED. It lets a BrokenPipeError
            pass: the reader of its output, such as `head`, has enough.
    """
    has_begun_silently = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    if has_begun_silently:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        here = Path.cwd()
    except OSError:
        print(f"{SCRIPT}: the current folder is gone: change to one that is there", file=sys.stderr)
        return 2
    if not (_is_for_all(here) or sys.flags.safe_path or {"", str(here)} & set(sys.path)):
        sys.path.append(str(here))  # last, so that it hides no installed module
    try:
        return main()
    except KeyboardInterrupt:  # a second one, while the first is answered
        return STOPPED
    except BrokenPipeError:
        # Python flushes what is left to print at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        if has_begun_silently:  # nothing is left to answer for
            end_at_interrupt()


def why_not_here(module: str) -> str:
    """The end of a message about a missing module: "", or why one of the current folder is not used."""
    here, name = Path.cwd(), module.partition(".")[0]
    is_here = (here / f"{name}.py").exists() or (here / name).is_dir()
    if str(here) in sys.path or not is_here or not _is_for_all(here):
        return ""
    return f"; everybody may write to {here}, so nothing of it is run"


def _is_for_all(folder: Path) -> bool:
    """Whether everybody can leave a module in a folder, as in /tmp."""
    return os.name == "posix" and bool(folder.stat().st_mode & stat.S_IWOTH)


def error_line(error: BaseException) -> str:
    """An error as one line for a terminal; an OSError as file name and reason, without number."""
    if not isinstance(error, OSError) or not error.strerror:
        return printable(str(error))
    return printable(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)


def empty_words(words: Sequence[str]) -> str:
    """The problem if a command line has an empty word, such as `--out ''`; "" if there is none.

    An empty path would be taken as the current folder.
    """
    for i, word in enumerate(words):
        if not word:
            return f"{words[i - 1] if i else 'the first word'}: an empty value"
        if word.startswith("--") and word.endswith("="):
            return f"{word.removesuffix('=')}: an empty value"
    return ""
