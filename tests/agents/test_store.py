"""A tournament's games: in parts, the same whatever plays them, and kept when it stops."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import types
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents.matches import tournament
from channel_tunnel_agents.matches.store import Store, StoreError
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_env.outside.documents import SEAL, seal_of
from tests.fuzz.mutations import change_bytes, change_data

SMALL = Tournament(("random", "heuristic"), 40, ruleset="tiny")


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> tuple:
    folder = tmp_path_factory.mktemp("store") / "t"
    return play_tournament(SMALL, workers=1, folder=folder), folder


@pytest.mark.heavy
def test_games_are_the_same_in_memory_on_disk_and_in_several_processes(played) -> None:
    results, _ = played
    games = results.store.read("games")
    assert len(games) == SMALL.total_games
    for again in (play_tournament(SMALL, workers=1), play_tournament(SMALL, workers=2)):
        for table in ("games", "cards", "actions", "options", "series"):
            pd.testing.assert_frame_equal(results.store.read(table), again.store.read(table), check_categorical=False)


def test_a_stopped_tournament_goes_on_with_the_parts_that_are_missing(played, monkeypatch) -> None:
    results, folder = played
    before = results.store.read("games")
    (folder / "parts" / "01-00-0000000.json").unlink()
    begun: list[str] = []
    play = tournament.play_part
    monkeypatch.setattr(tournament, "play_part", lambda part: begun.append(part.name) or play(part))
    again = play_tournament(SMALL, workers=1, folder=folder)
    assert begun == ["01-00-0000000"]
    pd.testing.assert_frame_equal(before, again.store.read("games"))


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:100]), "01-00-0000000.parquet: cut or broken"),
        (lambda path: shutil.copy(path.with_name("00-01-0000000.parquet"), path), "01-00-0000000 is played again"),
    ],
)
def test_a_part_that_was_cut_or_copied_over_another_is_named_and_played_again(played, capsys, harm, told: str) -> None:
    results, folder = played
    before = results.store.read("games")
    harm(folder / "games" / "01-00-0000000.parquet")
    again = play_tournament(SMALL, workers=1, folder=folder)
    assert told in capsys.readouterr().out
    pd.testing.assert_frame_equal(before, again.store.read("games"))


def test_a_file_that_is_no_part_is_refused_before_it_is_counted(played) -> None:
    _, folder = played
    stray = folder / "games" / "00-01-0009999.parquet"
    shutil.copy(folder / "games" / "00-01-0000000.parquet", stray)
    with pytest.raises(StoreError, match=r"00-01-0009999.parquet: no part of these games"):
        play_tournament(SMALL, workers=1, folder=folder)
    stray.unlink()


def test_a_part_of_another_plan_is_not_counted(tmp_path, capsys) -> None:
    for name, seed in (("one", 1), ("other", 2)):
        play_tournament(replace(SMALL, seed=seed), workers=1, folder=tmp_path / name)
    for path in (tmp_path / "other").rglob("00-00-*"):
        shutil.copy(path, tmp_path / "one" / path.relative_to(tmp_path / "other"))
    play_tournament(replace(SMALL, seed=1), workers=1, folder=tmp_path / "one")
    said = capsys.readouterr().out
    assert said.count("00-00-0000000 is played again") == said.count("\n") == 1


@pytest.fixture
def kept(tmp_path) -> Store:
    """One part of two small tables."""
    store = Store(PLAN, tmp_path, tables=KEPT)
    table = pd.DataFrame({"deal": [0, 1, 2], "record": ["{}", "{}", "{}"]})
    store.write("a", dict.fromkeys(KEPT, table))
    return Store(PLAN, tmp_path, said.append, tables=KEPT)


KEPT, PLAN = ("games", "records"), {"games": 3}
said: list[str] = []


@pytest.fixture(autouse=True)
def nothing_said() -> None:
    said.clear()


def test_no_changed_seal_is_believed(kept: Store) -> None:
    """Rows that do not fit ended every later run in an AssertionError."""
    seal = kept.folder / "parts" / "a.json"
    whole, rng = seal.read_bytes(), np.random.default_rng(6)
    assert kept.has("a") and not said
    for number in range(200):
        data = change_data(rng, json.loads(whole)) if number % 2 else None
        seal.write_bytes(change_bytes(rng, whole) if data is None else json.dumps(data).encode())
        if kept.has("a"):
            assert json.loads(seal.read_text()) == json.loads(whole)
    assert len(said) > 100
    assert all(line.endswith("part a is played again") and "\n" not in line for line in said)


def resealed(path, **changes) -> None:
    content = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({**content, SEAL: seal_of(content)}))


@pytest.mark.parametrize("rows", [-1, 4, True, "3", 2**62])
def test_rows_that_somebody_sealed_are_counted(kept: Store, rows) -> None:
    seal = kept.folder / "parts" / "a.json"
    tables = json.loads(seal.read_text())["tables"]
    resealed(seal, tables={**tables, "games": {**tables["games"], "rows": rows}})
    if kept.has("a"):
        with pytest.raises(StoreError, match=r"games/a\.parquet: 3 rows, .*; .* is played again"):
            kept.read("games")
        assert not kept.has("a")


def test_a_part_that_was_copied_with_its_seal_is_not_another(kept: Store) -> None:
    for path in [*kept.folder.rglob("a.*")]:
        shutil.copy(path, path.with_stem("b"))
    assert kept.has("a") and not kept.has("b")
    assert said == [f"{kept.folder / 'parts' / 'b.json'}: of another part; part b is played again"]


@pytest.mark.parametrize("name", ["parts/a.json", "games/a.parquet", "records/a.jsonl"])
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "large", "cut"])
def test_what_is_no_file_of_a_part_is_not_read(kept: Store, name: str, kind: str) -> None:
    path = kept.folder / name
    if kind == "large":
        os.truncate(path, 10**12)
    elif kind == "cut":
        os.truncate(path, path.stat().st_size - 4)
    else:
        path.unlink()
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    assert not kept.has("a")
    assert len(said) == 1 and said[0].endswith("part a is played again") and str(path) in said[0]


def test_a_table_that_is_none_is_named(kept: Store) -> None:
    seal, path = kept.folder / "parts" / "a.json", kept.folder / "games" / "a.parquet"
    path.write_bytes(b"PAR1 is no table")
    told = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "rows": 3, "bytes": 16}
    resealed(seal, tables={**json.loads(seal.read_text())["tables"], "games": told})
    assert kept.has("a")
    with pytest.raises(StoreError, match=r"games/a\.parquet: no table: .*is played again") as error:
        kept.read("games")
    assert "\n" not in str(error.value)


def test_another_plans_folder_is_refused_and_left_alone(played) -> None:
    _, folder = played
    other = Tournament(("random", "heuristic"), 40, seed=1, ruleset="tiny")
    before = sorted(folder.rglob("*"))
    with pytest.raises(StoreError, match="another plan: seed is 20000 there and 1 here"):
        play_tournament(other, folder=folder)
    (folder.parent / "odd").mkdir()
    for text in ("{", "[]", "3", "\udcff", '{"a": 1, "a": 2}', "[" * 5000):
        plan = folder.parent / "odd" / "plan.json"
        plan.write_text(text, errors="surrogateescape")
        with pytest.raises(StoreError, match=r"not a plan: .*; choose another folder"):
            play_tournament(other, folder=plan.parent)
    plan.write_text('{"a": "%s"}' % ("x" * 10**6))
    with pytest.raises(StoreError, match="another plan") as caught:
        play_tournament(other, folder=plan.parent)
    assert len(str(caught.value)) < 500
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


PLAYER = """
from {helper} import choose

def player(observations, masks):
    return choose(masks)
"""
FIRST, LAST = (
    f"def choose(masks):\n    return {code}\n"
    for code in ("masks.argmax(axis=1)", "170 - masks[:, ::-1].argmax(axis=1)")
)


def test_games_of_an_agent_whose_code_has_changed_are_not_its_games(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "some_player.py").write_text(PLAYER.format(helper="some_helper"))
    helper = tmp_path / "some_helper.py"
    helper.write_text(FIRST)
    tournament = Tournament(("random", "some_player:player"), 4, ruleset="tiny")
    play_tournament(tournament, workers=1, folder=tmp_path / "t")
    play_tournament(tournament, workers=1, folder=tmp_path / "t")  # as it was: goes on
    helper.write_text(LAST)
    with pytest.raises(StoreError, match=r"made_of: some_player:player is '[0-9a-f]{16}' there"):
        play_tournament(tournament, workers=1, folder=tmp_path / "t")
    for name in ("some_player", "some_helper"):
        sys.modules.pop(name)


def test_an_agent_whose_code_cannot_be_read_does_not_go_on_with_games(tmp_path, monkeypatch) -> None:
    module = types.ModuleType("typed_in")
    module.player = lambda observations, masks: masks.argmax(axis=1)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "typed_in", module)
    tournament = Tournament(("random", "typed_in:player"), 4, ruleset="tiny")
    play_tournament(tournament, workers=1, folder=tmp_path / "t")
    with pytest.raises(StoreError, match="it is unknown whether typed_in:player"):
        play_tournament(tournament, workers=1, folder=tmp_path / "t")
