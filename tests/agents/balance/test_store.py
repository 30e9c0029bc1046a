"""A tournament's games: in parts, the same whatever plays them, and kept when it stops."""

from __future__ import annotations

import pandas as pd
import pytest

from agents.balance.store import Store, StoreError
from agents.tournament import Tournament, play_tournament

SMALL = Tournament(("random", "heuristic"), 40, ruleset="tiny")


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> tuple:
    folder = tmp_path_factory.mktemp("store") / "t"
    return play_tournament(SMALL, workers=1, folder=folder), folder


def test_games_are_the_same_in_memory_on_disk_and_in_several_processes(played) -> None:
    results, _ = played
    games = results.store.read("games")
    assert len(games) == SMALL.total_games
    for again in (play_tournament(SMALL, workers=1), play_tournament(SMALL, workers=2)):
        for table in ("games", "cards", "actions", "options"):
            pd.testing.assert_frame_equal(
                results.store.read(table), again.store.read(table), check_categorical=False
            )


def test_a_stopped_tournament_goes_on_with_the_parts_that_are_missing(played, monkeypatch) -> None:
    results, folder = played
    before = results.store.read("games")
    (folder / "games" / "01-00-0000000.parquet").unlink()
    begun = []
    monkeypatch.setattr("agents.tournament.play_part", _noting(begun))
    again = play_tournament(SMALL, workers=1, folder=folder)
    assert begun == ["01-00-0000000"]
    pd.testing.assert_frame_equal(before, again.store.read("games"))


def test_a_cut_file_is_named_and_its_part_played_again(played, capsys) -> None:
    results, folder = played
    before = results.store.read("cards")
    path = folder / "cards" / "00-01-0000000.parquet"
    path.write_bytes(path.read_bytes()[:100])
    again = play_tournament(SMALL, workers=1, folder=folder)
    assert f"{path}: cut or broken" in capsys.readouterr().out
    pd.testing.assert_frame_equal(before, again.store.read("cards"))


def test_another_plans_folder_is_refused_and_left_alone(played) -> None:
    _, folder = played
    other = Tournament(("random", "heuristic"), 40, seed=1, ruleset="tiny")
    before = sorted(folder.rglob("*"))
    with pytest.raises(StoreError, match="another plan: seed is 20000 there and 1 here"):
        play_tournament(other, folder=folder)
    (folder.parent / "odd").mkdir()
    (folder.parent / "odd" / "plan.json").write_text("{")
    with pytest.raises(StoreError, match="not a plan"):
        play_tournament(other, folder=folder.parent / "odd")
    assert sorted(folder.rglob("*")) == before


def test_unknown_tables_get_the_nearest_name() -> None:
    with pytest.raises(StoreError, match="did you mean 'games'"):
        Store({}).read("game")


def test_a_games_row_adds_up(played) -> None:
    games = played[0].store.read("games")
    for side in ("britain", "france"):
        sources = [c for c in games if c.startswith("points_") and c.endswith(side)]
        assert (games[sources].sum(axis=1) == games[f"score_{side}"]).all()
    assert (games.margin == games.score_britain - games.score_france).all()
    won = games.winner.map({"britain": 1.0, "france": 0.0, "draw": 0.5}).astype(float)
    assert (won == games.britain_points).all()


def test_a_card_is_taken_only_if_it_was_shown_and_an_action_only_if_legal(played) -> None:
    store = played[0].store
    cards, actions = store.read("cards"), store.read("actions")
    assert (cards.shown > 0).all()
    assert ((cards.developed_round > 0) == cards.developed_by.notna()).all()
    assert (actions.taken <= actions.legal).all()
    assert actions.taken.sum() == store.read("options").decisions.sum() > 0


def _noting(names: list[str]):
    from agents.tournament import play_part

    def play(part):
        names.append(part.name)
        return play_part(part)

    return play
