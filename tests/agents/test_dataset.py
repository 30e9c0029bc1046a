"""Data sets: what a seat saw, did and got."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.matches.dataset import check_minari, export_minari, generate, read_episodes
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.cli import main
from channel_tunnel_env.records.record import read_records

STANDARD = load_ruleset()
FEW_TILES = {"base": "carcassonne", "name": "small", "table": 4}
SHORT = {"base": "eurotunnel", "name": "short", "max_year": 1901}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("data") / "games"
    generate(("random", "heuristic"), 12, out, seed=5)
    return out


@pytest.fixture
def minari(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The library, with a folder of its own for data sets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return pytest.importorskip("minari")


def own_decisions(record: dict, side: str) -> tuple[list, list, list, Game]:
    """Observations, masks and actions of a side, game after game on single games."""
    game = Game(STANDARD, record["seed"])
    seen, masks, did = [], [], []
    for action in record["actions"]:
        if game.to_play == side:
            seen.append(game.observation(side))
            masks.append(game.action_mask)
            did.append(action)
        game.play(action)
    return seen, masks, did, game


@pytest.mark.parametrize("seat, side", [(0, "britain"), (1, "france")])
def test_an_episode_holds_a_seat_s_own_decisions_and_its_result(folder: Path, seat: int, side: str) -> None:
    from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES

    records = [r for path in sorted((folder / "records").iterdir()) for r in read_records(path)]
    episodes = list(read_episodes(folder, seat, STANDARD))
    assert len(episodes) == len(records) == 12
    for episode, record in zip(episodes, records, strict=True):
        seen, masks, did, game = own_decisions(record, side)
        assert [ACTION_NAMES[a] for a in episode.actions] == did
        np.testing.assert_array_equal(episode.observations[:-1], np.stack(seen))
        np.testing.assert_array_equal(episode.observations[-1], game.observation(side))
        np.testing.assert_array_equal(episode.masks[:-1], np.stack(masks))
        assert episode.masks[-1].sum() == 1, "nothing to decide, and no mask of zeros"
        won = 0 if game.winner is None else 1 if game.winner == side else -1
        assert episode.reward == won


def test_games_are_spread_over_all_pairings(folder: Path, tmp_path: Path) -> None:
    assert sorted(path.name for path in (folder / "records").iterdir()) == [
        f"{i:02d}-{j:02d}-0000000.jsonl" for i in (0, 1) for j in (0, 1)
    ]
    alone = generate(("random",), 5, tmp_path / "one", ruleset="tiny")
    assert alone.tournament.total_games == 5


def test_a_minari_data_set_gives_the_episodes_back(folder: Path, tmp_path: Path, minari: Any) -> None:
    assert export_minari(folder, "channel-tunnel/test-v0", "france") == 12
    kept = minari.load_dataset("channel-tunnel/test-v0")
    episodes = list(read_episodes(folder, 1, STANDARD))
    assert kept.total_episodes == 12
    for episode, own in zip(kept.iterate_episodes(), episodes, strict=True):
        np.testing.assert_array_equal(episode.observations, own.observations)
        np.testing.assert_array_equal(episode.actions, own.actions)
        np.testing.assert_array_equal(episode.infos["action_mask"], own.masks)
        assert episode.rewards.tolist() == [0.0] * (len(own.actions) - 1) + [own.reward]
        assert episode.terminations[-1] and not episode.truncations.any()
    with pytest.raises(AgentError, match="exists; choose another name"):
        export_minari(folder, "channel-tunnel/test-v0", "france")
    with pytest.raises(AgentError, match="no records; write some with"):
        export_minari(tmp_path, "channel-tunnel/other-v0", "france")


@pytest.mark.parametrize("side", ["first", "all"])
@pytest.mark.parametrize(
    "ruleset", ["tiny", {"base": "tiny", "name": "hands", "discs": {"hand": 3}}, FEW_TILES, SHORT], ids=str
)
def test_the_environment_of_a_minari_data_set_is_made_again_from_it(
    ruleset: Any, side: str, tmp_path: Path, minari: Any
) -> None:
    rules = load_ruleset(ruleset)
    generate(("random",), 1, tmp_path / "games", rules, workers=1)
    seat = rules.seats[0] if side == "first" else side
    export_minari(tmp_path / "games", "channel-tunnel/any-v0", seat, rules)
    kept = minari.load_dataset("channel-tunnel/any-v0")
    env = kept.recover_environment()
    assert env.unwrapped.game.ruleset.digest == rules.digest
    assert env.unwrapped.seat == 0
    assert env.observation_space == kept.observation_space
    assert env.action_space == kept.action_space
    seen, _ = env.reset(seed=1)
    assert seen in kept.observation_space


@pytest.mark.heavy
@pytest.mark.parametrize(("ruleset", "seat"), [(FEW_TILES, 1), (SHORT, 2)], ids=str)
def test_every_game_has_a_minari_data_set(ruleset: Any, seat: int, tmp_path: Path, minari: Any) -> None:
    rules = load_ruleset(ruleset)
    side = rules.seats[seat]
    generate(("random",), 2, tmp_path / "games", rules, seed=3, workers=1)
    assert export_minari(tmp_path / "games", "channel-tunnel/any-v0", side, rules) == 2
    kept = minari.load_dataset("channel-tunnel/any-v0")
    records = [record for path in sorted((tmp_path / "games" / "records").iterdir()) for record in read_records(path)]
    for episode, record in zip(kept.iterate_episodes(), records, strict=True):
        game = Game.from_record(record)
        assert episode.observations.shape[1] == game.observation(side).size
        np.testing.assert_array_equal(episode.observations[-1], game.observation(side))
        assert episode.infos["action_mask"][:-1][range(len(episode.actions)), episode.actions].all()
        assert abs(episode.rewards[-1]) > 0 and not episode.rewards[:-1].any()
    with pytest.raises(AgentError, match="side 'nobody'"):
        export_minari(tmp_path / "games", "channel-tunnel/other-v0", "nobody", rules)


def test_the_command_writes_games_and_goes_on(tmp_path: Path, capsys) -> None:
    command = ["generate", "--games", "6", "--out", str(tmp_path / "x"), "--workers", "1"]
    assert main([*command, "--ruleset", "tiny"]) == 0
    assert "6 games in" in capsys.readouterr().out
    assert main([*command, "--ruleset", "tiny"]) == 0
    assert main(command) == 2
    assert "holds games of another plan" in capsys.readouterr().err


@pytest.mark.usefixtures("minari")
def test_a_minari_name_that_is_taken_is_said_before_any_game(folder: Path, tmp_path: Path, capsys) -> None:
    export_minari(folder, "channel-tunnel/taken-v0", "britain")
    command = ["generate", "--games", "6", "--out", str(tmp_path / "x"), "--workers", "1"]
    assert main([*command, "--minari", "channel-tunnel/taken-v0"]) == 2
    assert "exists; choose another name" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_half_a_minari_data_set_is_taken_away(
    folder: Path, tmp_path: Path, minari: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk_full(*_: object, **__: object) -> None:
        (tmp_path / "minari" / "channel-tunnel" / "half-v0").mkdir(parents=True)
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(minari, "create_dataset_from_buffers", disk_full)
        with pytest.raises(OSError, match="no space"):
            export_minari(folder, "channel-tunnel/half-v0", "france")
    assert export_minari(folder, "channel-tunnel/half-v0", "france") == 12


@pytest.mark.heavy
def test_the_number_of_games_is_spread_over_the_tables_of_seven_seats(tmp_path: Path) -> None:
    """Two agents have 16 tables there, and not four."""
    played = generate(("random", "dumb"), 16, tmp_path / "seven", ruleset=load_ruleset(SHORT), workers=1)
    assert played.tournament.total_games == 16


@pytest.mark.parametrize("name", ["mine", "", "../mine-v0", "my data-v0", "mine-v-1"])
def test_a_name_that_minari_does_not_take_is_refused_before_games_are_played(name: str) -> None:
    pytest.importorskip("minari")
    with pytest.raises(AgentError, match="expected NAME-vNUMBER"):
        check_minari(name, "britain")
