"""The game of docs/examples/fourth_game comes from a package of its own, and plays like those of this one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.matches.tables import SERIES, games_table, table_names
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import BatchGame, Game, PositionError, env, load_ruleset
from channel_tunnel_env.__main__ import main
from channel_tunnel_env.games import GROUP, game_names, plugin_problems
from channel_tunnel_env.testing import check_game, check_ruleset
from tests.envs.test_aec import play_random
from tests.random_games import play_on
from tests.sites import FOURTH, FOURTH_FOLDER, fourth_game
from tests.table.helpers import Tab, open_table

NAME = FOURTH
PERSONS = {"north": "person", "south": "person"}


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The package on the path, with its entry point."""
    with fourth_game(tmp_path_factory.mktemp("site")):
        yield


def test_its_pyproject_names_the_entry_point() -> None:
    project = tomllib.loads((FOURTH_FOLDER / "pyproject.toml").read_text())["project"]
    assert project["entry-points"][GROUP] == {NAME: NAME}
    assert NAME in game_names() and not plugin_problems()


def test_it_keeps_every_promise_of_a_game() -> None:
    report = check_game(NAME, games=3)
    assert not report.problems, report
    assert not check_ruleset(NAME, games=200, seed=1).violations


def test_it_plays_through_the_one_door() -> None:
    game = Game(NAME, seed=4)
    game.play(game.legal_actions()[0]).play("announce 6").play("check")
    assert game.ruleset.data.caught == 3
    play_on(game, 0)
    assert game.end_cause == "last_turn" and len(game.actions) == 30
    again = Game.from_record(game.record())
    assert again.scores() == game.scores()
    assert Game.from_position(game.to_position()).winner == game.winner


def test_its_record_is_replayed_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = play_on(Game(NAME, seed=6), 0)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game.record()))
    assert main(["replay", str(path)]) == 0
    points = " to ".join(str(points["total"]) for points in game.scores().values())
    ending = f"{game.winner} wins" if game.winner else "a draw"
    assert f"30 decisions: {ending}, {points}" in capsys.readouterr().out


def test_a_bluff_that_is_caught_pays_the_checker_and_the_truth_pays_the_digger() -> None:
    position = {
        "ruleset": NAME,
        "turn": 1,
        "phase": "answer",
        "hands": {"north": [1, 1], "south": 3},
        "shafts": {"north": [], "south": []},
        "card": 4,
        "said": 5,
        "points": {"north": [0, 0, 0], "south": [0, 0, 0]},
    }
    bluff = Game.from_position(position).play("check")
    assert [bluff.scores()[seat]["total"] for seat in bluff.seats] == [0, 3]
    truth = Game.from_position(position | {"said": 4}).play("check")
    assert [truth.scores()[seat]["total"] for seat in truth.seats] == [6, 0]
    believed = Game.from_position(position).play("believe")
    assert [believed.scores()[seat]["total"] for seat in believed.seats] == [5, 0]
    assert "?" in believed.render("south").splitlines()[1].partition("shaft")[2]
    with pytest.raises(PositionError, match="card: there are no more cards 4"):
        Game.from_position(position | {"hands": {"north": [4, 4], "south": 3}, "shown": [4]})


def test_its_rulesets_are_overlays_like_any_other() -> None:
    rules = load_ruleset({"base": NAME, "turns": 2})
    assert len(play_on(Game(rules, 1), 0).actions) == 12
    with pytest.raises(ValueError, match="copies: 1: depths x copies is at least 16"):
        load_ruleset({"base": NAME, "copies": 1})


def test_it_plays_in_batches() -> None:
    batch, rng = BatchGame(8, NAME, seed=2, autoreset=True), np.random.default_rng(0)
    ended = 0
    for _ in range(100):
        batch.step([int(rng.choice(np.flatnonzero(mask))) for mask in batch.masks])
        ended += int(batch.terminated.sum())
    assert ended == 8 * (100 // 30)


def test_it_plays_in_pettingzoo() -> None:
    world = env(ruleset=NAME)
    world.reset(seed=3)
    rewards = play_random(world, np.random.default_rng(0))
    assert set(rewards) == {"north", "south"} and sum(rewards.values()) == 0


def test_it_plays_in_gymnasium() -> None:
    world, rng = gymnasium.make("ChannelTunnel-v1", ruleset=NAME), np.random.default_rng(0)
    _, info = world.reset(seed=3)
    over = False
    while not over:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        _, reward, over, _, info = world.step(action)
    assert reward in (-1, 0, 1)


def test_it_plays_in_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["1"] * 200)
    monkeypatch.setattr("builtins.input", lambda prompt="": (print(prompt, end=""), next(answers))[1])
    assert main(["play", "--ruleset", NAME, "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    assert "Shaft Bluff, seed 3" in shown and "Which card do you dig in?" in shown
    assert "wins." in shown or "A draw." in shown


def test_agents_that_know_no_game_play_matches() -> None:
    rules = load_ruleset(NAME)
    one, other = (make_agent("random", rules, seed) for seed in (1, 2))
    assert play_match(one, other, 20, seed=3, ruleset=rules).games == 20


def test_its_matches_are_kept_like_those_of_any_game() -> None:
    batch, rng = BatchGame(4, NAME, seed=2), np.random.default_rng(0)
    for _ in range(30):
        batch.step([int(rng.choice(np.flatnonzero(mask))) for mask in batch.masks])
    kept = games_table(batch, np.arange(4))
    assert (kept["turns"] == 10).all() and (kept["end_cause"] == "last_turn").all()
    assert table_names(batch.spec) and SERIES not in table_names(batch.spec)


def test_what_the_rival_dug_in_is_never_shown() -> None:
    game = Game(NAME, seed=5)
    game.play(game.legal_actions()[-1]).play("announce 2")
    shown = [game.render("south"), str(game.to_position("south"))]
    assert not any("dug in" in text or "'card'" in text for text in shown)
    assert "dug in" in game.render("north")


def test_it_is_played_in_the_browser_with_its_text_as_the_board(tmp_path: Path) -> None:
    client = open_table(tmp_path / "table", Offers.of([NAME]))
    tab = Tab.new(client, ruleset=NAME, seed=4, seats=PERSONS)
    first, second = (tab.holding(seat) for seat in PERSONS)
    for _ in range(200):
        view = tab.view()
        if view["over"]:
            break
        mover = first if view["to_play"] == "north" else second
        seen = mover.view()
        assert "plain-board" in seen["svg"] and seen["moves"]
        mover.change("play", action=seen["moves"][0]["action"])
    assert view["over"] and view["ending"]["title"]
    assert client.get(f"/static/games/{NAME}.js").text == client.get("/static/games/plain.js").text
    assert client.get("/static/games/chess.js").status_code == 404


def test_its_table_shows_nobody_what_a_seat_hides(tmp_path: Path) -> None:
    tab = Tab.new(open_table(tmp_path / "table", Offers.of([NAME])), ruleset=NAME, seed=4, seats=PERSONS)
    one, other = (tab.holding(seat) for seat in PERSONS)
    mover, rival = (one, other) if tab.view()["to_play"] == "north" else (other, one)
    chosen = mover.view()["moves"][0]["action"]
    mover.change("play", action=chosen)
    assert any(chosen in note for entry in mover.view()["log"] for note in entry["notes"])
    for tab_of_another in (rival, tab.holding()):
        assert chosen not in str(tab_of_another.view()["log"])
    shown = mover.view()["svg"]
    assert shown != rival.view()["svg"] and "holds no seat" in tab.holding().view()["svg"]
