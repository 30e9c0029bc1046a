"""Commands begin and end well: no traceback at Ctrl-C, no empty values, modules of the current folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import cli
from channel_tunnel_env.entry import STOPPED, empty_words, is_own_command, run_command

ROOT = Path(cli.__file__).parents[2]
PATIENCE = 120.0  # seconds; a hang, not a slow machine
COMMANDS = {
    "evaluate.py": ["evaluate.py", "tournament", "random", "heuristic"],
    "train.py": ["train.py", "smoke", "--run", "never"],
    "channel-tunnel": ["-m", "channel_tunnel_env", "bench"],
}
TELL_WHEN_LOADING = """
import sys
class Loading:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            open({place!r}, "w").close()
sys.meta_path.insert(0, Loading())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("command", COMMANDS)
def test_an_early_interrupt_ends_a_command_without_a_word(command: str, tmp_path: Path) -> None:
    place = tmp_path / "loading"
    (tmp_path / "sitecustomize.py").write_text(TELL_WHEN_LOADING.format(place=str(place)))
    process = subprocess.Popen(
        [sys.executable, *COMMANDS[command]],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    deadline = time.monotonic() + PATIENCE
    while not place.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=PATIENCE)
    assert said == b""
    assert process.returncode in (-signal.SIGINT, STOPPED)  # 130 to a shell, either way


def test_a_later_interrupt_is_the_commands_to_answer() -> None:
    def main() -> int:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        assert run_command(main) == STOPPED
        assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, before)


def test_whoever_has_interrupts_ignored_keeps_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run_command(lambda: 3) == 3
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_program_that_only_uses_the_package_is_not_a_command_of_it(monkeypatch) -> None:
    assert not is_own_command()
    monkeypatch.setattr(sys, "argv", ["/usr/bin/channel-tunnel"])
    assert is_own_command()
    monkeypatch.setattr(sys, "argv", ["-m"])
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "channel_tunnel_env", "bench"])
    assert is_own_command()
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "pytest"])
    assert not is_own_command()


def test_modules_of_the_current_folder_are_found_after_all_others(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    run_command(lambda: 0)
    run_command(lambda: 0)
    assert sys.path.count(str(tmp_path)) == 1
    assert sys.path[-1] == str(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_nothing_is_run_from_a_folder_to_which_everybody_may_write(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    (tmp_path / "left_here.py").write_text("def agent(observations, masks): ...\n")
    tmp_path.chmod(0o1777)  # as /tmp is
    with pytest.raises(AgentError, match=r"left_here.*; everybody may write to .*, so nothing of"):
        run_command(lambda: make_agent("left_here:agent") and 0)
    tmp_path.chmod(0o755)
    assert run_command(lambda: 0 if make_agent("left_here:agent") else 1) == 0


@pytest.mark.skipif(os.name != "posix", reason="a folder in use cannot be deleted elsewhere")
def test_a_folder_that_is_gone_ends_a_command_in_a_line(tmp_path, monkeypatch, capsys) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        assert run_command(lambda: cli.main(["rules", "tiny"])) == 2
    finally:
        os.chdir(tmp_path)
    told = capsys.readouterr()
    assert told.err == "channel-tunnel: the current folder is gone: change to one that is there\n"
    assert not told.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["generate", "--out", ""], "--out: an empty value"),
        (["generate", "--out="], "--out: an empty value"),
        ([""], "the first word: an empty value"),
        (["generate", "--out", "here"], ""),
    ],
)
def test_an_empty_value_is_refused(words: list[str], told: str, capsys) -> None:
    assert empty_words(words) == told
    if told:
        assert cli.main(words) == 2
        assert capsys.readouterr().err == f"channel-tunnel: {told}\n"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["train.py", "--help"], marks=pytest.mark.heavy),
        pytest.param(["evaluate.py", "report", "--help"], marks=pytest.mark.heavy),
        ["-m", "channel_tunnel_env", "rules", "standard"],
    ],
    ids=["train", "evaluate", "channel-tunnel"],
)
def test_a_reader_that_has_enough_ends_a_command_quietly(words: list[str]) -> None:
    ends = subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert ends.stdout is not None
    ends.stdout.close()
    assert ends.communicate()[1] == b""
