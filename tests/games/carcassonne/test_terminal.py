"""Carcassonne in the terminal: whole games by typing, words for every choice, a board that fits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from channel_tunnel_env.cli import main
from channel_tunnel_env.faces.terminal import WIDTH
from channel_tunnel_env.games.carcassonne.faces import terminal
from channel_tunnel_env.games.carcassonne.game import Game

COUNTS = dict.fromkeys("ACEFGHIJKLMNOPQRSTX", 0) | {"B": 1, "D": 1, "U": 4, "V": 4, "W": 2}
SHORT = {
    "base": "carcassonne",
    "name": "short",
    "title": "Carcassonne, a few tiles",
    "tiles": {name: {"count": count} for name, count in COUNTS.items()},
}


@pytest.fixture
def short(tmp_path: Path) -> str:
    path = tmp_path / "short.yaml"
    path.write_text(yaml.safe_dump(SHORT))
    return str(path)


def test_a_whole_game_against_an_agent_ends_with_the_scores(short, played) -> None:
    shown = played(["1"] * 200, "--ruleset", short, "--opponent", "greedy", "--seed", "3")
    assert "Good-bye" not in shown and "The last tile is laid: " in shown
    assert "Player 1: tile " in shown, "the rival's turn"
    text = shown.replace("Player 0> ", "")
    assert max(map(len, text.splitlines())) <= WIDTH + 2


def test_persons_play_all_seats_by_the_words_that_are_shown(short, played) -> None:
    rng, game = np.random.default_rng(4), Game(short, 9)
    typed = []
    while not game.is_over:
        choice = rng.choice(np.array(terminal.choices(game), object))
        typed.append(choice.name.upper() if rng.random() < 0.5 else choice.name)
        game.play(choice.action)
    shown = played(typed, "--ruleset", short, "--opponent", "person", "--seed", "9")
    assert shown.endswith(f"{terminal.ending(game, 'player_0')}\n")
    assert "Player 1> " in shown


@pytest.mark.parametrize("seed", range(3))
def test_every_choice_has_one_name_and_a_free_cell_shows_its_number(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = Game({"base": "carcassonne", "name": "c", "token_window": "before_meeple"}, seed)
    while not game.is_over:
        choices = terminal.choices(game)
        names = [choice.name.casefold() for choice in choices]
        assert [choice.action for choice in choices] == game.legal_ids()
        assert len(set(names)) == len(names), names
        for choice in choices:
            assert terminal.meant(game, choice.name) == game.spec.actions.names[choice.action]
        shown = terminal.board(game, "player_0", legend=False)
        assert max(map(len, shown.splitlines())) <= WIDTH
        if game.phase == "cell":
            cells = shown.split("\n\n")[0].split()
            assert {str(number) for number in range(1, len(choices) + 1)} <= set(cells)
        game.play(int(rng.choice(game.legal_ids())))


def test_the_board_of_a_usual_game_leaves_room_for_the_question() -> None:
    """Tiles are laid as near to the start tile as they fit."""
    game, heights = Game(seed=5), []
    while not game.is_over:
        choice = terminal.choices(game)[0]
        if game.phase == "cell":
            heights.append(len(terminal.board(game, "player_0", legend=False).splitlines()))
            choice = min(terminal.choices(game), key=lambda c: sum(int(x) ** 2 for x in c.name.split(",")))
        game.play(choice.action)
    assert np.median(heights) <= 34, "six of forty lines for the choices"


def test_words_at_the_prompt(tmp_path: Path, played) -> None:
    position, record = tmp_path / "position.yaml", tmp_path / "games.jsonl"
    lines = ["why 0,0", "why turn 2", "why 1,0", "9,9", "legend", "1,0", "undo", "board", "1,0"]
    lines += [f"save {position}", f"record {record}", "undo", "undo", "quit"]
    shown = played(lines, "--ruleset", "carcassonne", "--opponent", "person", "--seed", "3")
    for words in (
        "a tile lies there",
        "now the game asks for a cell",
        "'1,0' is legal",
        "no tile lies beside that cell",
        "# cloister",
        "Nothing to take back",
        "Good-bye.",
    ):
        assert words in shown, words
    game = Game(seed=3).play("cell 1 0")
    saved = yaml.safe_load(position.read_text())
    assert Game.from_position(saved).render() == game.render()
    assert json.loads(record.read_text())["actions"] == game.actions
    out = tmp_path / "board.svg"
    assert main(["draw", str(position), str(out)]) == 0
    assert out.read_text() == game.to_svg()


def test_a_side_that_the_game_has_not_is_refused(capsys) -> None:
    assert main(["play", "--ruleset", "carcassonne", "--side", "britain"]) == 2
    message = capsys.readouterr().err
    assert "side 'britain': allowed: player_0, player_1" in message
