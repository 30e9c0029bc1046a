"""Output: every command explains itself on a terminal of ASCII, and no text from a file steers a terminal."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from channel_tunnel_agents.commands import evaluate, train
from channel_tunnel_agents.players import onnx_policy
from channel_tunnel_agents.players.shipped import __main__ as shipped
from channel_tunnel_env import cli
from channel_tunnel_env.outside.terminal import tolerate_any_terminal

MAINS: dict[str, Callable[[list[str]], int]] = {
    "channel-tunnel": cli.main,
    "train.py": partial(train.main, script="train.py"),
    "evaluate.py": partial(evaluate.main, script="evaluate.py"),
    "channel_tunnel_agents.players.shipped": shipped.main,
    "channel_tunnel_agents.players.onnx_policy": onnx_policy.main,
}
COMMANDS = [
    *((name, ["--help"]) for name in MAINS),
    *((name, []) for name in MAINS if name != "train.py"),  # which would train
    *(("channel-tunnel", [command, "--help"]) for command in cli.COMMANDS),
    *(("evaluate.py", [command, "--help"]) for command in evaluate.COMMANDS),
]


@pytest.mark.parametrize(("name", "words"), COMMANDS, ids=lambda value: "".join(value) or "bare")
def test_help_needs_no_more_than_ascii(name: str, words: list[str], monkeypatch) -> None:
    streams = {s: io.TextIOWrapper(io.BytesIO(), encoding="ascii") for s in ("stdout", "stderr")}
    for stream, wrapper in streams.items():
        monkeypatch.setattr(sys, stream, wrapper)
    try:
        status = MAINS[name](words)
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == (0 if words else 2)
    for wrapper in streams.values():
        wrapper.flush()
    said = b"".join(wrapper.buffer.getvalue() for wrapper in streams.values())  # type: ignore[attr-defined]
    assert len(said) > 100 and b"codec can't encode" not in said


def test_a_title_does_not_steer_the_terminal(tmp_path: Path, capsys) -> None:
    path = tmp_path / "my.yaml"
    for text in (
        'base: standard\ntitle: "\\e[2J"\n',
        'base: standard\nextra_finance: {value: 2, why: "\\e[31m"}\n',
        'base: standard\ndeck: {cards: {heavy_machinery: {name: "\\u202e"}}}\n',
        '"\\e[2J": 1\n',
        'base: "\\e[2J"\n',
    ):
        path.write_text(text)
        assert cli.main(["rules", str(path)]) == 2
        said = "".join(capsys.readouterr())
        assert "control characters are not allowed in a text" in said
        assert not {"\x1b", "\u202e"} & set(said)
    assert cli.main(["rules", "no\x1b[2Jsuch"]) == 2
    assert "\x1b" not in "".join(capsys.readouterr())


def test_a_stream_that_was_closed_is_the_null_device(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)  # as Python leaves it after `<&-` and `>&-`
    tolerate_any_terminal()
    assert sys.stdin.read() == ""
    for stream in (sys.stdout, sys.stderr):
        assert stream.write("x") == 1


@pytest.mark.parametrize(
    ("given", "least", "most"),
    [
        ("0", 20, 10_000),
        ("1", 20, 20),
        ("-5", 20, 10_000),
        ("wide", 20, 10_000),
        ("9" * 30, 10_000, 10_000),
        ("132", 132, 132),
    ],
)
def test_a_width_in_which_nothing_can_be_read_is_replaced(
    given: str, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", given)
    tolerate_any_terminal()
    assert least <= shutil.get_terminal_size().columns <= most
    assert least <= Console(file=io.StringIO()).width <= most
