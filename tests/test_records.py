"""Game records: written, replayed without the random streams, and refused where they do not fit."""

from __future__ import annotations

import copy
import json
import pickle
import random
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import BatchGame, Game, RecordError
from channel_tunnel_env.records.record import read_records, replay_plies, write_record, write_records
from tests.games.tunnel_1987.positions import record_bytes, rules
from tests.random_games import EVERY_RULESET


def play_randomly(game: Game, seed: int, plies: int = 10_000) -> Game:
    chooser = random.Random(seed)
    for _ in range(plies):
        if game.is_over:
            break
        legal = game.legal_actions()
        if "pass" in legal and len(legal) > 1 and chooser.random() < 0.8:
            legal.remove("pass")
        game.play(chooser.choice(legal))
    return game


def finished(ruleset: Any = "standard", seed: int = 1) -> Game:
    return play_randomly(Game(ruleset, seed), seed)


def through_json(record: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(record))


def same_but_streams(a: Game, b: Game) -> bool:
    names = [n for n in a._states.dtype.names if n not in ("rng_key", "rng_counter", "seed")]
    return all(np.array_equal(a._states[n], b._states[n]) for n in names)


def same(a: Game, b: Game) -> bool:
    """Whether two games are one game, all luck to come included."""
    return a.states.tobytes() == b.states.tobytes()


GAMES = {
    **{f"{name} {seed}": (name, seed) for name in ("standard", "agenda", "tiny") for seed in range(3)},
    "carcassonne": ("carcassonne", 2),
    "four seats": ({"base": "carcassonne", "players": 4, "tunnel_variant": "steal"}, 2),
    "eurotunnel": ({"base": "eurotunnel", "max_year": 1903}, 2),
    "six powers": (
        {"base": "eurotunnel", "max_year": 1902, "rulebook": "datc", "draw_vote": True, "absent": ["ITALY"]},
        2,
    ),
}


@pytest.mark.parametrize(("ruleset", "seed"), GAMES.values(), ids=GAMES)
def test_replay_gives_the_same_game(ruleset: Any, seed: int) -> None:
    game = finished(ruleset, seed)
    record = game.record()
    assert record.get("game", "tunnel_1987") == game.spec.name and record["result"]["winner"] == game.winner
    again = Game.from_record(through_json(record))
    assert same(game, again)
    assert again.actions == game.actions and again.seed == game.seed
    assert again.record() == game.record()


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_replay_takes_the_luck_from_the_record_not_from_the_streams(ruleset: str) -> None:
    game = finished(ruleset, 4)
    record = through_json(game.record())
    record["seed"] = 987654321  # other streams: every shuffle and draw would differ
    again = Game.from_record(record)
    assert again.seed == 987654321
    assert again.scores() == game.scores() and same_but_streams(game, again)


@pytest.mark.parametrize("ruleset", EVERY_RULESET)
def test_a_replayed_game_is_at_every_decision_the_one_that_was_played(ruleset: str) -> None:
    """So it goes on with the same luck whatever is played, as does one that began from a position."""
    first = Game(ruleset, 5)
    for began in (first, Game.from_position(first.clone().to_position(), first.ruleset)):
        moments = [began]
        while not moments[-1].is_over and len(moments) < 120:
            moments.append(play_randomly(moments[-1].clone(), len(moments), 1))
        again = replay_plies(Game, through_json(moments[-1].record()))
        for moment, replayed in zip(moments, again, strict=True):
            assert same(moment, replayed)
            if len(moment.actions) % 40 == 30:
                assert same(play_randomly(moment, 6, 60), play_randomly(replayed.clone(), 6, 60))


@pytest.mark.parametrize("ruleset", ["agenda", "carcassonne"])
def test_a_game_from_a_position_is_recorded_with_its_start(ruleset: str) -> None:
    middle = play_randomly(Game(ruleset, 8), 8, 31)
    game = Game.from_position(middle.to_position())
    play_randomly(game, 9)
    record = through_json(game.record())
    assert record["start"] == through_json(middle.to_position())
    assert same(Game.from_record(record), game)


def test_a_changed_ruleset_travels_with_the_record() -> None:
    ruleset = rules(technology_without_move="when_blocked")
    game = finished(ruleset, 2)
    record = through_json(game.record())
    assert "values" in record["ruleset"] and "values" not in Game("tiny", 1).record()["ruleset"]
    again = Game.from_record(record)
    assert again.ruleset.digest == ruleset.digest and same(again, game)


def test_luck_is_written_in_names() -> None:
    luck = Game("agenda", 3).record()["luck"]
    assert [entry[1] for entry in luck] == ["rubble", "cards", "deviation", "agenda", "discs"]
    assert all(entry[0] == 0 for entry in luck)
    assert len(luck[0][2]) == 20 and sum(name.endswith("*") for name in luck[0][2]) == 5
    assert len(luck[1][2]) == 33 and "heavy_machinery" in luck[1][2]
    assert "none-2" in luck[2][2] and "promotion" in luck[3][2]
    assert len(luck[4][2]) == 20


def test_a_replayed_game_is_recorded_with_the_luck_of_its_record() -> None:
    """Its seed need not give that luck: another version's streams may have."""
    record = through_json(finished("standard", 3).record()) | {"seed": 4}
    game = Game.from_record(record)
    assert through_json(game.record()) == record
    assert through_json(pickle.loads(pickle.dumps(game)).record()) == record
    *_, midway = islice(replay_plies(Game, record), 20)
    on = midway.clone()
    play_randomly(on, 5, 10)
    again = Game.from_record(through_json(on.record()))
    assert again.actions == on.actions and again.legal_actions() == on.legal_actions()
    assert again.record() == on.record()


def test_a_game_that_its_seed_does_not_deal_is_not_recorded() -> None:
    """In a row with a seed for each stream the first one stands for the game, but deals another."""
    batch = BatchGame(1, "standard")
    for seeds, is_recorded in (([1, 1, 1, 1, 1], True), ([1, 2, 3, 4, 5], False)):
        batch.reset(seeds=np.array([seeds]))
        game = Game.from_play(batch.states, Game("standard", 0).ruleset, [])
        if is_recorded:
            assert same(Game.from_record(game.record()), game)
        else:
            with pytest.raises(RecordError, match="do not lead from its start"):
                game.record()


def broken(change: Any) -> str:
    record = through_json(BASE)
    change(record)
    with pytest.raises(RecordError) as caught:
        Game.from_record(record)
    return str(caught.value)


BASE: dict[str, Any] = finished("tiny", 1).record()


def test_another_ruleset_is_refused() -> None:
    message = broken(lambda r: r["ruleset"].update(name="standard"))
    assert "ruleset_digest" in message and BASE["ruleset"]["digest"] in message
    with pytest.raises(RecordError, match="ruleset_digest"):
        Game.from_record(BASE, rules("tiny", auto_forced=False))


def test_an_illegal_action_is_refused_with_its_ply() -> None:
    message = broken(lambda r: r["actions"].__setitem__(2, "use new_workers"))
    assert message.startswith("ply 3: ") and "not legal" in message
    assert broken(lambda r: r["actions"].__setitem__(0, "dance")).startswith("ply 1: 'dance'")


def test_actions_after_the_end_are_refused() -> None:
    plies = len(BASE["actions"])
    message = broken(lambda r: r["actions"].append("pass"))
    assert message.startswith(f"ply {plies + 1}: ") and "over" in message


def test_luck_that_does_not_fit_is_refused() -> None:
    last = next(i for i in range(len(BASE["luck"]) - 1, -1, -1) if BASE["luck"][i][1] == "discs")
    ply = BASE["luck"][last][0]
    message = broken(lambda r: r["luck"][last][2].pop())
    assert message == f"ply {ply}: the recorded luck does not fit the game"
    message = broken(lambda r: r["luck"][last][2].append("blue"))
    assert message == f"ply {ply}: the recorded luck is more than the game needed"
    message = broken(lambda r: r["luck"].append([len(r["actions"]) + 5, "discs", ["blue"]]))
    assert "after the last action" in message
    assert "ply 0" in broken(lambda r: r["luck"][0][2].__setitem__(0, "green"))
    assert "ply 0" in broken(lambda r: r["luck"].pop(0))
    assert "[ply, stream, [names]]" in broken(lambda r: r["luck"].append(["a"]))


def test_a_disc_the_bag_does_not_hold_is_refused() -> None:
    record = through_json(Game("standard", 1).record())
    record["luck"][-1][2][:6] = ["blue"] * 6
    with pytest.raises(RecordError, match="ply 0: the recorded luck does not fit"):
        Game.from_record(record)


def test_another_result_is_refused() -> None:
    plies = len(BASE["actions"])
    other = "france" if BASE["result"]["winner"] == "britain" else "britain"
    message = broken(lambda r: r["result"].update(winner=other))
    assert message.startswith(f"ply {plies}: result.winner") and other in message
    assert "result.rounds" in broken(lambda r: r["result"].update(rounds=99))
    assert "result.scores" in broken(lambda r: r["result"]["scores"]["france"].update(total=99))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(actions=[["x"]]), "ply 1: ['x']: no such action"),
        (lambda r: r.update(actions=[{}]), "ply 1: {}: no such action"),
        (lambda r: r.update(seed=True), "seed: True: not a JSON int"),
        (lambda r: r["luck"].__setitem__(0, [True, "discs", []]), "[ply, stream, [names]]"),
        (lambda r: r["luck"][0][2].__setitem__(0, ["blue"]), "ply 0: rubble: ['blue'] is unknown or occurs too often"),
        (lambda r: r.update(result={"winner": "x" * 10**6}), "result.winner"),
        (lambda r: r.update({"k" * 10**6: 1}), "unknown keys"),
        (lambda r: r["ruleset"].update(digest=[1]), "ruleset_digest: [1]"),
        (lambda r: r["ruleset"].update(values=3), "ruleset: 3: allowed"),
        (lambda r: r["ruleset"].update(name=3), "ruleset: 3: allowed"),
        (lambda r: r.update(start=None), "start: None: not a JSON dict"),
        (lambda r: r.update(format=2), "format 2"),
        (lambda r: r.update(extra=1), "extra"),
        (lambda r: r.pop("luck"), "luck"),
        (lambda r: r.update(actions="pass"), "actions"),
        (lambda r: r.update(start=None, game="eurotunnel"), "start: None: not a JSON dict"),
    ],
)
def test_wrong_shapes_are_refused_in_few_words(change: Any, message: str) -> None:
    found = broken(change)
    assert message in found and len(found) < 600


def test_a_line_without_an_end_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with path.open("wb") as file:
        file.truncate(3_000_000_000)  # a hole: it takes no space
    with pytest.raises(RecordError, match=r"line 1 of .*games\.jsonl: larger than 4,000,000 bytes"):
        next(read_records(path))


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "{path}"},
        {"values": "{path}"},
        {"values": {"base": "{path}"}},
        {"values": {"base": "other.yaml"}},
        {"name": "../rulesets/tiny.yaml"},
    ],
)
def test_a_record_opens_no_file_of_the_machine(
    entry: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "other.yaml"
    path.write_text("base: tiny\nsecret: in words\n")
    record = through_json(BASE)
    record["ruleset"] = json.loads(json.dumps(entry).replace("{path}", str(path)))
    with pytest.raises(RecordError, match="a record names a built-in ruleset or holds its values") as caught:
        Game.from_record(record)
    assert "secret" not in str(caught.value)
    assert Game.from_record(record, "tiny").scores() == Game.from_record(BASE).scores()


def test_a_record_may_change_a_built_in_ruleset() -> None:
    record = through_json(BASE)
    record["ruleset"] = {"values": {"base": "tiny"}, "digest": BASE["ruleset"]["digest"]}
    assert Game.from_record(record).scores() == Game.from_record(BASE).scores()


def test_a_file_without_records_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.touch()
    with pytest.raises(RecordError, match=r"none\.jsonl: holds no record; one JSON object a line"):
        list(read_records(path))


def test_files_keep_good_lines_before_a_bad_one(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [finished("tiny", seed) for seed in range(3)]
    assert write_records(path, (g.record() for g in games)) == 3
    assert [Game.from_record(r).scores() for r in read_records(path)] == [g.scores() for g in games]
    path.write_bytes(path.read_bytes()[:-200])
    good = []
    with pytest.raises(RecordError, match=r"^line 3 of .*games\.jsonl: not valid JSON: .*\(the line is cut off\)"):
        for record in read_records(path):
            good.append(record)
    assert [dict(r) for r in good] == [through_json(g.record()) for g in games[:2]]
    with pytest.warns(RuntimeWarning, match=r"the last line was cut off; .* in games.jsonl.cut"):
        write_records(path, [games[0].record()])
    assert [r["actions"] for r in read_records(path)] == [games[k].actions for k in (0, 1, 0)]


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(json.dumps(BASE).encode())
    write_records(path, [BASE])
    assert [dict(r) for r in read_records(path)] == [BASE, BASE]


def test_errors_name_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    bad = copy.deepcopy(BASE)
    bad["actions"][0] = "agenda keep"
    unknown = copy.deepcopy(BASE) | {"format": 9}
    write_records(path, [BASE, bad, unknown])
    records = read_records(path)
    Game.from_record(next(records))
    with pytest.raises(RecordError, match=r"^line 2 of .*games\.jsonl, ply 1: .*not legal"):
        Game.from_record(next(records))
    with pytest.raises(RecordError, match=r"^line 3 of .*games\.jsonl: format 9"):
        next(records)


def test_recording_leaves_the_game_alone() -> None:
    game = play_randomly(Game("standard", 6), 6, 30)
    before = record_bytes(game)
    write_record(game)
    assert record_bytes(game) == before and len(game.actions) == 30
