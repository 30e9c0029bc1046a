"""The commands, called in this process; a run of the real program."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import channel_tunnel_env
from channel_tunnel_agents.commands.play import choose, find_opponent, number_names
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.cli import main
from channel_tunnel_env.cli.bench import MEASUREMENTS, medians
from channel_tunnel_env.cli.listing import COMMANDS
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.rulesets.settings import differences, settings
from channel_tunnel_env.testing import CheckReport, Violation
from tests.random_games import play_on

ROOT = Path(__file__).parent.parent


def fail(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that must end with status 2 and one clean message; returns the message."""
    assert main(argv) == 2
    message = capsys.readouterr().err
    assert message.startswith("channel-tunnel: ") and "Traceback" not in message
    return message


# --- play ---------------------------------------------------------------------------------------


def test_a_whole_game_against_random(played) -> None:
    shown = played(["1"] * 2000, "--ruleset", "tiny", "--seed", "3", "--side", "france")
    assert "Over: " in shown and "Britain: " in shown and "France> " in shown
    assert "Good-bye" not in shown


def test_a_whole_game_of_two_persons_follows_the_names(played) -> None:
    game = play_on(Game("tiny", 8), 0)
    shown = played(game.actions, "--opponent", "person", "--ruleset", "tiny", "--seed", "8")
    assert game.render().splitlines()[2] in shown


def test_the_end_of_the_input_is_a_polite_end(played) -> None:
    assert "Good-bye." in played(["1"], "--ruleset", "tiny", "--seed", "1")


def test_ctrl_c_is_a_polite_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert main(["play", "--ruleset", "tiny"]) == 0
    assert "Good-bye." in capsys.readouterr().out


def test_words_at_the_prompt(played) -> None:
    lines = [
        "?",
        "why spend 1",
        "why pass",
        "why",
        "undo",
        "place",
        "dance",
        "999",
        "",
        "legend",
        "2",
        "undo",
        "board",
        "quit",
    ]
    shown = played(lines, "--opponent", "person", "--seed", "4")
    for part in (
        "this help",
        "now the game asks for a placement",
        "'pass' is legal",
        "why what?",
        "Nothing to take back",
        "'place' fits 50 actions",
        "no such name",
        "the numbers run from 1 to 51",
        "Good-bye.",
    ):
        assert part in shown, part


def test_undo_goes_back_to_the_position_before(played) -> None:
    shown = played(["pass", "undo", "quit"], "--seed", "4")
    boards = shown.split("1987 Channel Tunnel, base game: round 1")[1:]
    assert boards[0].split("Britain>")[0].splitlines()[3:20] == boards[-1].splitlines()[3:20]


def test_save_and_record(tmp_path: Path, played) -> None:
    import yaml

    position, record = tmp_path / "position.yaml", tmp_path / "games.jsonl"
    lines = ["1", f"save {position}", f"record {record}", "quit"]
    played(lines, "--opponent", "person", "--ruleset", "tiny", "--seed", "4")
    game = Game("tiny", 4)
    game.play(game.legal_ids()[0])
    loaded = Game.from_position(yaml.safe_load(position.read_text()))
    assert loaded.render().partition("TUNNEL")[2] == game.render().partition("TUNNEL")[2]
    assert json.loads(record.read_text()) == json.loads(json.dumps(game.record()))


def test_what_cannot_be_saved_is_told(tmp_path: Path, played) -> None:
    shown = played([f"save {tmp_path}/no/such/folder.yaml", "quit"], "--ruleset", "tiny", "--seed", "4")
    assert "No such file" in shown


def test_a_line_means_one_action() -> None:
    names = ["keep 0 blue", "keep 1 blue", "pass"]
    assert choose("3", names) == "pass"
    assert choose("p", names) == "pass"
    assert choose("keep 1", names) == "keep 1 blue"
    assert choose("start", names) == "start", "a name that is not legal is left to the game"
    with pytest.raises(ValueError, match="fits 2 actions"):
        choose("keep", names)
    with pytest.raises(ValueError, match="1 to 3"):
        choose("0", names)


def test_every_action_is_in_the_numbered_list() -> None:
    shown = number_names(list(ACTION_NAMES))
    assert max(map(len, shown.splitlines())) <= 100
    numbers = {int(word) for word in shown.split() if word.isdecimal()}
    assert numbers >= set(range(1, len(ACTION_NAMES) + 1))
    assert number_names(["pass"]) == "  1 pass"


def test_an_opponent_from_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    def last(observations: Any, masks: Any) -> Any:
        return np.array([np.flatnonzero(mask)[-1] for mask in masks])

    module = types.ModuleType("some_agents")
    module.last, module.number = last, 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "some_agents", module)
    game = Game("tiny", seed=1)
    assert find_opponent("some_agents:last", game.ruleset, 0)(game) == game.legal_ids()[-1]
    for wrong in ("some_agents:number", "some_agents:nobody", "no_such_module:x", "nobody"):
        with pytest.raises(ValueError, match=wrong):
            find_opponent(wrong, game.ruleset, 0)


@pytest.mark.parametrize("spec", ["random", "heuristic", "ismcts:2"])
def test_every_agent_is_an_opponent(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["quit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(answers))
    words = ["play", "--side", "france", "--opponent", spec, "--ruleset", "tiny", "--seed", "4"]
    assert main(words) == 0


# --- check, replay ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("{base: tiny, name: mine}", ["rounds)", "end causes centre"]),
        ("{base: carcassonne, table: 4}", ["turns)", "end causes last_tile 20", "player_1"]),
        ("{base: eurotunnel, max_year: 1901}", ["turns)", "end causes max_year 20", "turkey"]),
    ],
)
def test_check_plays_every_game(
    ruleset: str, told: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.yaml").write_text(ruleset)
    assert main(["check", str(tmp_path / "mine.yaml"), "--games", "20"]) == 0
    shown = capsys.readouterr().out
    assert "mine: 20 games" in shown and "no violation" in shown
    assert [text for text in told if text not in shown] == []


def test_check_fails_with_the_position(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken = Violation(3, "cards: each in one place", Game("tiny", 5))

    def stub(*_: Any) -> CheckReport:
        return CheckReport("tiny", games=1, violations=[broken])

    monkeypatch.setattr(importlib.import_module("channel_tunnel_env.cli.check"), "check_ruleset", stub)
    assert main(["check", "tiny"]) == 1
    shown = capsys.readouterr().out
    assert "Invariant 3 is broken" in shown and "seed 5" in shown and "TUNNEL" in shown


def test_check_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert "games 0" in fail(["check", "--games", "0"], capsys)


def test_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(play_on(Game("tiny", seed), 1).record()) + "\n" for seed in range(3)))
    assert main(["replay", str(path), "--board"]) == 0
    shown = capsys.readouterr().out
    assert "3 games replayed" in shown and shown.count("Over: ") == 3
    path.write_text(path.read_text()[:-40])
    fail(["replay", str(path)], capsys)
    fail(["replay", str(tmp_path / "none.jsonl")], capsys)
    path.write_text("")
    assert "games.jsonl: holds no record" in fail(["replay", str(path)], capsys)


# --- rules, docs, bench -------------------------------------------------------------------------


def test_rules_show_every_figure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert main(["rules", "standard"]) == 0
    shown = capsys.readouterr().out
    base = load_ruleset("standard")
    for figure in settings(base):
        assert figure.provenance.source in ("rulebook", "review", "reconstructed")
        assert figure.provenance.why in shown, figure.key
    for card in base.data.deck.cards:
        assert card.name in shown


def test_rules_show_lists_and_titles_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bracket is no mark for the terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "my.yaml"
    path.write_text("base: carcassonne\ntitle: Long [draft] roads\n", encoding="utf-8")
    assert main(["rules", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "Long [draft] roads" in shown
    assert "[{sides: E, opening: null}, {sides: S, opening: null}" in shown


def test_figures_hold_every_value_once() -> None:
    base = load_ruleset("standard")
    keys = [figure.key for figure in settings(base)]
    assert len(keys) == len(set(keys))
    for flat in base.flat:
        if not flat.startswith("deck.cards.") and flat not in ("name", "title"):
            assert sum(flat == key or flat.startswith(f"{key}.") for key in keys) == 1, flat


def test_rules_diff(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "agenda", "--diff", "standard"]) == 0
    assert "agenda.enabled" in capsys.readouterr().out
    assert main(["rules", "standard", "--diff", "standard"]) == 0
    assert "the same game" in capsys.readouterr().out
    assert "nosuch" in fail(["rules", "standard", "--diff", "nosuch"], capsys)
    base = load_ruleset("standard")
    other = base.with_values({"discs.hand": 9})
    assert differences(base, other) == [("discs.hand", "10", "9")]


@pytest.mark.heavy
def test_bench_measures_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """Its first three compile a kernel that nothing else runs."""
    assert main(["bench", "--seconds", "0.001", "--ruleset", "tiny"]) == 0
    shown = capsys.readouterr().out
    assert "Game.play" in shown and "PettingZoo" in shown
    assert len(MEASUREMENTS) == 9


def test_bench_refuses_times_in_which_nothing_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in ("0", "-1", "nan", "inf", "4000"):
        assert main(["bench", "--seconds", seconds, "--ruleset", "tiny"]) == 2
        assert f"--seconds {seconds}: above 0, up to 3,600" in capsys.readouterr().err


@pytest.mark.parametrize("name", [*MEASUREMENTS][3:])
def test_bench_measures_what_is_called_from_python(name: str) -> None:
    assert medians({name: MEASUREMENTS[name]("tiny")}, 0.0)[name] > 0


# --- the program --------------------------------------------------------------------------------


def test_the_program_says_what_is_wrong() -> None:
    words = [sys.executable, "-m", "channel_tunnel_env", "rules", "nosuch"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 2
    assert done.stderr.startswith("channel-tunnel: nosuch: no such file")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_has_an_example(name: str) -> None:
    """As the page of the reference shows it, which another test keeps current."""
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    (shown,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", page, re.S | re.M)
    _, found, below = shown.partition("\nFor example:\n")
    lines = below.partition("\n\n")[0].splitlines()
    assert found and all(line.startswith("    ") for line in lines), name
    assert any(f"channel-tunnel {name} " in line for line in lines)


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["repotr"]])
def test_whoever_names_no_command_sees_all_of_them(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == (0 if words[:1] in (["--help"], ["-h"]) else 2)
    told = capsys.readouterr()
    shown = told.out + told.err
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []
    assert max(map(len, shown.splitlines())) <= 80
    assert ("did you mean 'report'" in told.err) == (words == ["repotr"])


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"channel-tunnel {channel_tunnel_env.__version__}\n"
    assert main(["--version", "too"]) == 2


def test_the_list_of_commands_loads_no_heavy_library() -> None:
    code = (
        "import sys; sys.argv = ['channel-tunnel', '--help']\n"
        "from channel_tunnel_env.__main__ import main; main()\n"
        "print([m for m in ('numba', 'numpy', 'torch', 'tyro', 'gymnasium') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "[]", done.stderr


def test_a_ruleset_comes_first_or_as_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in (["tiny"], ["--ruleset", "tiny"], ["tiny", "--ruleset", "tiny"]):
        assert main(["rules", *words]) == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1
    told = fail(["rules", "standard", "--ruleset", "tiny"], capsys)
    assert told == "channel-tunnel: rules: 2 rulesets, standard and tiny; one is needed\n"


def test_the_extra_that_a_command_advises_is_one_of_the_package() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {one for known in COMMANDS.values() for one in known.extra.split(",")} <= {"", *extras}
    needs_torch = {name for name, known in COMMANDS.items() if known.extra == "train"}
    assert needs_torch == {"train", "exploit", "adapt"}


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *((name, []) for name in ("play", "table", "check", "bench", "warm-up", "report", "adapt")),
        ("generate", ["--out", "never"]),
        ("sweep", ["--param", "rounds=1"]),
        ("tune", ["--param", "rounds=1", "--targets", "targets.yaml"]),
        ("gate", ["targets.yaml"]),
    ],
)
def test_every_command_takes_the_ruleset_in_the_same_place(
    name: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("targets.yaml").write_text("targets: {rounds: [1, 2]}\n")
    Path("mine.yaml").write_text("base: tiny\nno_such_figure: 3\n")
    for words in ([name, "mine.yaml", *more], [name, *more, "--ruleset", "mine.yaml"]):
        told = fail(words, capsys)
        assert "mine.yaml" in told and "no_such_figure" in told
    assert {path.name for path in tmp_path.iterdir()} == {"targets.yaml", "mine.yaml"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tiny"], "gate: a targets file is needed beside the ruleset tiny"),
        ([], "gate: a targets file is needed, such as"),
        (["a.yaml", "tiny", "b.yaml"], "is one file too many: expected one ruleset and one file"),
        (["tiny", "a.yaml", "--ruleset", "standard"], "tiny is one file too many"),
    ],
)
def test_a_gate_needs_one_ruleset_and_one_file_of_targets(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.yaml", "b.yaml"):
        Path(name).write_text("targets: {rounds: [1, 2]}\n")
    assert told in fail(["gate", *words], capsys)


def test_what_the_extras_bring_is_advised_where_python_asks_for_it() -> None:
    """After `pip install '.[play,table]'`, which brings no scipy."""
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "import channel_tunnel_agents\n"
        "try:\n    channel_tunnel_agents.evaluate\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert "pip install 'channel-tunnel-env[report]'" in done.stdout, done.stderr
