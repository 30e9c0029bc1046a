"""`channel-tunnel warm-up`: every part of it runs for every game, and wrong words are answered in a line."""

from __future__ import annotations

import pytest

from channel_tunnel_env.cli import main
from channel_tunnel_env.cli.warm_up import MANY, PARTS
from channel_tunnel_env.games import game_names
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets, load_ruleset


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_there_for_every_game(part: str, game: str) -> None:
    assert [*PARTS[part](load_ruleset(builtin_rulesets(game)[-1]))]


@pytest.mark.heavy
def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--ruleset", "tiny", "--workers", "2", "--observation-dtype", "uint8"]
    assert main(["warm-up", *words]) == 0
    first, *parts, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{len(PARTS) + 1} parts, 2 at a time; compiled code goes to ")
    assert sorted(line.rpartition(",")[0] for line in parts) == sorted(
        f"tunnel_1987: {part}" for part in (*PARTS, f"{MANY}, uint8")
    )
    assert last.startswith("Ready after ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ruleset", "tyny"], "tyny"),
        (["--workers", "0"], "workers 0: 1 or more are needed"),
    ],
)
def test_wrong_words_are_answered_in_a_line(words, said, capsys) -> None:
    assert main(["warm-up", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
