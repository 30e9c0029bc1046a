"""`channel-tunnel warm-up`: every part of it runs for every game, and wrong words are answered in a line."""

from __future__ import annotations

import importlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from channel_tunnel_agents.commands.warm_up import MANY, PARTS
from channel_tunnel_env.cli import main
from channel_tunnel_env.entry import STOPPED
from channel_tunnel_env.games import game_names
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets, load_ruleset

warm_up = importlib.import_module("channel_tunnel_agents.commands.warm_up")
PATIENCE = 120.0  # seconds; a hang, not a slow machine


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_there_for_every_game(part: str, game: str) -> None:
    assert [*PARTS[part](load_ruleset(builtin_rulesets(game)[-1]))]


@pytest.mark.heavy
def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "PARTS", {part: PARTS[part] for part in [*PARTS][:2]})
    words = ["--ruleset", "tiny", "--workers", "2", "--observation-dtype", "uint8"]
    assert main(["warm-up", *words]) == 0
    first, *parts, last = capsys.readouterr().out.splitlines()
    assert first.startswith("3 parts, 2 at a time; compiled code goes to ")
    assert sorted(line.rpartition(",")[0] for line in parts) == sorted(
        f"tunnel_1987: {part}" for part in (*[*PARTS][:2], f"{MANY}, uint8")
    )
    assert last.startswith("Ready after ")


def sleep(folder: Path, ruleset: object) -> Iterator[None]:
    (folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()
    time.sleep(PATIENCE)
    yield


@pytest.mark.heavy
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_ends_what_is_being_compiled_and_begins_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        deadline = time.monotonic() + PATIENCE
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(warm_up, "PARTS", dict.fromkeys("abc", partial(sleep, tmp_path)))
    threading.Thread(target=interrupt).start()
    assert main(["warm-up", "--ruleset", "tiny", "--workers", "2"]) == STOPPED
    begun = [path.name for path in tmp_path.iterdir()]
    assert len(begun) == 2
    for name in begun:
        with pytest.raises(ProcessLookupError):
            os.kill(int(name.partition("-")[0]), 0)


def test_without_a_folder_to_keep_it_nothing_is_compiled(monkeypatch, capsys) -> None:
    monkeypatch.setattr(warm_up, "cache_folder", lambda: None)
    assert main(["warm-up"]) == 2
    assert "there is no folder to keep compiled code in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"), [(["--ruleset", "tyny"], "tyny"), (["--workers", "0"], "workers 0: 1 or more are needed")]
)
def test_wrong_words_are_answered_in_a_line(words, said, capsys) -> None:
    assert main(["warm-up", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
