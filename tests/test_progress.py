"""Progress says how far a command is and how long it will take, on a terminal and in a file."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys

import pytest

from channel_tunnel_env.outside.progress import (
    EVERY,
    FIRST_LINE,
    FORMAT,
    JSON,
    JSON_EVERY,
    JsonLines,
    ProgressLines,
    Stage,
    duration,
    show_progress,
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_time_left_leaves_out_what_the_first_report_brings() -> None:
    clock = Clock()
    stage = Stage("games", 1000, clock)
    assert stage.seconds_left is None
    clock.now += 60  # compiling
    stage.advance(500)  # kept from an earlier run
    assert stage.seconds_left is None
    clock.now += 10
    stage(100)
    assert stage.seconds_left == pytest.approx(40)
    assert stage.figures == "60 %, 600 of 1,000, about 40 s left"


@pytest.mark.parametrize(
    ("total", "done", "figures"), [(1.0, 0.25, "25 %"), (None, 3, "3 done"), (0, 0, "0 of 0"), (4, 4, "100 %, 4 of 4")]
)
def test_figures_show_what_is_known(total: float | None, done: float, figures: str) -> None:
    stage = Stage("s", total)
    stage.reach(done)
    assert stage.figures == figures
    stage.reach(done, "compiling")
    assert stage.figures == f"{figures}, compiling"


@pytest.mark.parametrize(("seconds", "words"), [(40, "40 s"), (180, "3 min"), (7800, "2 h 10 min"), (0.2, "0 s")])
def test_durations_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_lines_come_at_intervals_even_where_nothing_is_reported() -> None:
    clock, out = Clock(), io.StringIO()
    lines = ProgressLines(out, clock)
    stage = lines.begin("games", 10)
    lines.tick()
    assert not out.getvalue()
    clock.now += FIRST_LINE
    lines.tick()
    lines.tick()
    assert out.getvalue() == "games: 0 %, 0 of 10\n"
    stage.advance(2)
    clock.now += EVERY
    lines.tick()
    stage.advance(8)
    clock.now += EVERY
    lines.tick()
    assert out.getvalue().splitlines()[1:] == ["games: 20 %, 2 of 10", f"games: done in {FIRST_LINE + EVERY:.0f} s"]


def test_a_short_stage_says_nothing(capsys) -> None:
    with show_progress() as progress:
        progress.begin("games", 2).advance(2)
    assert capsys.readouterr() == ("", "")


def test_a_bar_is_drawn_on_a_terminal_and_results_go_where_they_are_sent() -> None:
    code = (
        "from channel_tunnel_env.outside.progress import show_progress\n"
        "with show_progress() as progress:\n"
        "    progress.begin('games', 8).advance(4)\n"
        "    print('a result')\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        assert process.stdout.read() == b"a result\n"
        shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "games" in shown
    assert "50 %, 4 of 8" in shown


def test_a_program_can_read_the_progress_as_json_lines(capsys, monkeypatch) -> None:
    clock, out = Clock(), io.StringIO()
    lines = JsonLines(out, clock)
    stage = lines.begin("games", 10)
    stage.advance(1)  # too soon after the first line
    clock.now += JSON_EVERY
    stage.advance(1)
    lines.say("a word")
    stage.advance(8)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line.get("done") for line in told] == [0, 2, None, 10]
    assert told[0] == {"stage": "games", "done": 0.0, "total": 10, "left": None}
    assert told[1]["left"] == pytest.approx(2.0)
    assert told[2] == {"say": "a word"}
    monkeypatch.setenv(FORMAT, JSON)
    with show_progress() as progress:
        progress.begin("games", 1)
    assert json.loads(capsys.readouterr().err)["stage"] == "games"
