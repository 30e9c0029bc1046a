"""What a command says of its own words: plain help on every terminal, and one line about a word that is wrong."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_env.cli import main
from channel_tunnel_env.cli.listing import COMMANDS


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("check --games 1e6", "--games '1e6': a whole number is expected"),
        ("bench --seconds soon", "--seconds 'soon': a number is expected"),
        ("draw a.json b.svg --theme blue", "--theme blue: allowed: 'light', 'dark', 'auto'"),
        ("table --port", "--port: a value is missing"),
        ("replay", "PATH is missing"),
        ("play --oponent random", "--oponent: there is no such option here; did you mean --opponent?"),
        (
            "sweep --param discs.hand=9 --decisions 9 --adapt tuned",
            "--adapt is gone: compare BASE CHANGED --decisions N or report RULES --verdict trains players for changed rules",
        ),
        (
            "report tiny --gate targets.yaml --quick",
            "--gate is gone: channel-tunnel gate RULES TARGETS.yaml answers it",
        ),
        ("compare tiny agenda --frozen --deals 4", "--frozen is gone: name the agent frozen:AGENT"),
        ("draw a.json b.svg --layout narrow", "--layout is gone: every picture is wide; --width sets its pixels"),
        ("play --museum random", "--museum: there is no such option here"),
    ],
)
def test_a_wrong_word_gets_one_line(words: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = words.split()[0]
    assert main(words.split()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"channel-tunnel: {line}; see channel-tunnel {name} --help\n")


@pytest.mark.parametrize("columns", ["80", "300"])
@pytest.mark.parametrize(
    "name", [name for name, known in COMMANDS.items() if known.agents not in ("evaluate", "train", "benchmark")]
)
def test_help_is_plain_text_as_wide_as_the_terminal(
    name: str, columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable, value in (("COLUMNS", columns), ("FORCE_COLOR", "1"), ("TERM", "xterm-256color")):
        monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    shown = capsys.readouterr().out
    assert not ended.value.code and f"channel-tunnel {name}" in shown
    assert not re.search(r"\x1b|\bSTR\b|\{None\}|\(default: (?:None|''|)\)|[╭│]|docs/|configs/|\.py\b", shown)
    text = [line for line in shown.splitlines() if not line.startswith("    channel-tunnel")]
    assert max(map(len, text)) <= min(100, int(columns))
