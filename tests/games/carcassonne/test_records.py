"""A record of Carcassonne replays with its deck, whatever the streams would deal."""

from __future__ import annotations

import json

import pytest

import channel_tunnel_env
from channel_tunnel_env import Game, RecordError
from channel_tunnel_env.records.record import write_records
from tests.games.carcassonne.records import played


def test_the_deck_is_in_the_record_and_counts() -> None:
    record = played(4, 3).record()
    assert [entry[1] for entry in record["luck"]] == ["deck"] and len(record["luck"][0][2]) == 75
    other = json.loads(json.dumps(record))
    deck = other["luck"][0][2]
    deck[-1], deck[-2] = deck[-2], deck[-1]
    other["seed"] = 77
    assert Game.from_record(other).tile == played(4, 3).tile
    other["luck"][0][2][-1] = "C" if deck[-1] != "C" else "D"
    with pytest.raises(RecordError, match="ply 0: the recorded luck does not fit the game"):
        Game.from_record(other)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "game 'chess': allowed: tunnel_1987, carcassonne"),
        ({"actions": ["place blue plan_tunnel plan"]}, "ply 1: .* no such action"),
        ({"ruleset": {"name": "standard"}}, "game carcassonne: the ruleset is of the game tunnel_1987"),
    ],
)
def test_what_does_not_fit_the_game_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        Game.from_record(played(3, 1).record() | change)


def test_a_record_of_the_first_game_names_no_game() -> None:
    assert "game" not in channel_tunnel_env.Game("tiny", 1).record()


def test_the_commands_replay_and_draw_it(tmp_path, capsys) -> None:
    from channel_tunnel_env.cli.draw import draw
    from channel_tunnel_env.cli.replay import replay as replay_command

    path = tmp_path / "games.jsonl"
    game = played(10_000, 6)
    write_records(path, [game.record(), played(9, 7).record()])
    assert replay_command(path) == 0
    said = capsys.readouterr().out
    assert f"player_0 {game.scores()['player_0']['total']}" in said and "in turn" in said
    assert draw(path, tmp_path / "board.svg") == 0
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == game.to_svg()
