"""A track from agent to card, and the card's check; on small tracks of the tiny ruleset."""

from __future__ import annotations

import json
import shlex
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.benchmark import checking, playing, running
from channel_tunnel_agents.benchmark.checking import check_card, check_numbers
from channel_tunnel_agents.benchmark.contests import list_contests
from channel_tunnel_agents.benchmark.playing import PlayedPart, WatchedAgent, play_part, repeats, what_it_sees
from channel_tunnel_agents.benchmark.running import CARD, BenchmarkEntry, contests_of, enter
from channel_tunnel_agents.cluster.speed import this_machine
from channel_tunnel_agents.commands import benchmark as command
from channel_tunnel_agents.matches.store import StoreError
from channel_tunnel_env import IllegalActionError, load_ruleset
from channel_tunnel_env.outside.documents import SEAL, seal_of
from channel_tunnel_env.tracks import TrackError, load_track
from channel_tunnel_env.tracks.card import ScoreCard, card_text, read_card
from tests.agents.benchmark.guests import Lucky
from tests.fuzz.mutations import change_bytes, change_data

TINY = load_ruleset("tiny")


def small(name: str, **changes):
    """A released track with one small table."""
    track = load_track(name)
    table = track.tables[0].model_copy(
        update={"ruleset": "tiny", "digest": TINY.digest, "opponents": ["random", "heuristic"], "deals": 40}
    )
    return track.model_copy(update={"tables": [table], **changes})


DUEL = small("duel-v1")
machine = cache(this_machine)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch):
    """The small duel in the place of duel-v1."""
    for module in (running, checking, command):
        if hasattr(module, "load_track"):
            monkeypatch.setattr(module, "load_track", lambda name: DUEL)
    monkeypatch.setattr(running, "this_machine", machine)
    return DUEL


@pytest.fixture
def card(tmp_path: Path, duel) -> ScoreCard:
    """Of an agent that plays by chance and was entered in the test's folder."""
    return enter(BenchmarkEntry(DUEL, "random"), tmp_path)


def test_an_agent_gets_a_card_with_a_rating_and_shares(tmp_path: Path, duel) -> None:
    card = enter(BenchmarkEntry(DUEL, "heuristic"), tmp_path)
    assert read_card(tmp_path / CARD) == card
    shares = {each.key: each for each in card.scores if each.unit == "share"}
    assert list(shares) == ["duel v random", "duel v heuristic"]
    assert shares["duel v random"].low > 0.5 and shares["duel v heuristic"].low < 0.5
    (rating,) = (each for each in card.scores if each.unit == "Elo")
    assert rating.low < rating.value < rating.high and rating.sample == "deals"
    assert card.games == 160 and card.decisions > 160
    assert all(each.low <= each.value <= each.high for each in card.scores)


def test_games_that_are_played_again_are_the_same(tmp_path: Path, card) -> None:
    for parts in (1, 10):
        found = check_card(tmp_path / CARD, parts)
        assert found.holds and found.games == 32 * parts and not found.differing


def test_a_stopped_run_goes_on_and_keeps_what_it_has_played(tmp_path: Path, duel, monkeypatch) -> None:
    played = []

    def stopping(contest, part):
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(play_part(contest, part))
        return played[-1]

    monkeypatch.setattr(running, "play_part", stopping)
    with pytest.raises(KeyboardInterrupt):
        enter(BenchmarkEntry(DUEL, "random"), tmp_path)
    broken = tmp_path / "parts" / "0000-3.json"
    broken.write_text(broken.read_text()[:30])
    monkeypatch.setattr(running, "play_part", play_part)
    counted: list[int] = []
    card = enter(BenchmarkEntry(DUEL, "random"), tmp_path, lambda *_: counted.append)
    assert counted[:6] == [8] * 6 and sum(counted) == 160
    kept = [card.deals["duel v random"][place] == each.deals for place, each in enumerate(played)]
    assert kept == [True] * 3 + [False] + [True] * 3
    assert card.results["duel v random"][0][:12] == [share for each in played[:3] for share in each.shares[0]]
    assert check_card(tmp_path / CARD).holds


def test_a_folder_of_another_agent_is_refused(tmp_path: Path, card) -> None:
    with pytest.raises(StoreError, match="agent is 'random' there"):
        enter(BenchmarkEntry(DUEL, "heuristic"), tmp_path)


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"type": "ready", "observations": "none"}
    if asked["type"] == "act":
        actions = [row["legal"][PLACE] for row in asked["rows"]]
        answer = {"type": "actions", "id": asked["id"], "actions": actions}
    print(json.dumps(answer), flush=True)
"""


def program(path: Path, text: str, *arguments: object) -> str:
    """The agent that a script plays."""
    path.write_text(text)
    return f"process:{shlex.join(map(str, (sys.executable, path, *arguments)))}"


def test_games_of_a_program_that_was_changed_are_not_taken_for_its_own(tmp_path: Path, duel) -> None:
    entry = BenchmarkEntry(DUEL, program(tmp_path / "mine.py", PROGRAM.replace("PLACE", "0")))
    card = enter(entry, tmp_path / "run")
    assert card.agent.files and check_card(tmp_path / "run" / CARD, 1, agent=entry.agent).holds
    said: list[str] = []
    enter(entry, tmp_path / "run", say=said.append)
    assert said[0].startswith("160 of 160 games were played before and are kept")
    program(tmp_path / "mine.py", PROGRAM.replace("PLACE", "-1"))
    with pytest.raises(StoreError, match="files is"):
        enter(entry, tmp_path / "run")
    again = check_card(tmp_path / "run" / CARD, 1, agent=entry.agent)
    assert again.words.endswith("its files differ")


def test_a_card_that_does_not_know_its_agents_files_is_checked_by_its_games(tmp_path: Path, duel) -> None:
    card = enter(BenchmarkEntry(DUEL, program(tmp_path / "mine.py", PROGRAM.replace("PLACE", "0"))), tmp_path)
    unknown = card.agent.model_copy(update={"files": None})
    resealed(card, tmp_path / "old.json", agent=unknown)
    assert check_card(tmp_path / "old.json", 1, agent=card.agent.name).holds


@pytest.mark.parametrize(
    "name", ["process:touch {0}", "frozen:process:touch {0}", "tests.agents.benchmark.guests:Made"]
)
def test_a_program_that_a_card_names_is_run_only_for_whoever_names_it_too(name: str, tmp_path: Path, card) -> None:
    theirs = card.agent.model_copy(update={"name": name.format(tmp_path / "made")})
    resealed(card, tmp_path / "theirs.json", agent=theirs)
    with pytest.raises(AgentError, match=r"theirs\.json: its agent is a program, '.*; .* --check"):
        check_card(tmp_path / "theirs.json", 1)
    with pytest.raises(AgentError, match=r"theirs\.json: a card of '.*', not of 'random'"):
        check_card(tmp_path / "theirs.json", 1, agent="random")
    with pytest.raises(AgentError, match="a card of 'duel-v1', not of 'rules-v1'"):
        check_card(tmp_path / "theirs.json", 1, track="rules-v1")
    assert not (tmp_path / "made").exists()


def test_weights_that_a_module_says_it_has_count(tmp_path: Path, duel, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights").write_text("before")
    entry = BenchmarkEntry(DUEL, "tests.agents.benchmark.guests:Weighted")
    enter(entry, tmp_path)
    (tmp_path / "weights").write_text("after")
    with pytest.raises(StoreError, match="files is"):
        enter(entry, tmp_path)


def test_an_illegal_action_is_one_line_and_loses_nothing(tmp_path: Path, duel) -> None:
    with pytest.raises(IllegalActionError, match=r"agent '.*Stubborn': row") as caught:
        enter(BenchmarkEntry(DUEL, "tests.agents.benchmark.guests:Stubborn"), tmp_path)
    assert "\n" not in str(caught.value)
    assert (tmp_path / "plan.json").exists()


def test_an_agent_that_fails_in_the_middle_keeps_its_parts_and_goes_on(
    tmp_path: Path, duel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers").write_text("300")
    entry = BenchmarkEntry(DUEL, "tests.agents.benchmark.guests:Tired")
    with pytest.raises(AgentError, match=r"agent '.*:Tired': RuntimeError: asleep \(guests.py, line") as caught:
        enter(entry, tmp_path)
    assert "\n" not in str(caught.value)
    kept = {path.name: path.read_bytes() for path in (tmp_path / "parts").iterdir()}
    assert 0 < len(kept) < 20 and not (tmp_path / CARD).exists()
    (tmp_path / "answers").write_text("1000000")
    assert enter(entry, tmp_path).games == 160
    assert kept.items() <= {p.name: p.read_bytes() for p in (tmp_path / "parts").iterdir()}.items()


@pytest.mark.parametrize(
    ("agent", "sees"),
    [
        ("process:true", "observations"),
        ("tests.agents.benchmark.guests:Lucky", "observations"),
        ("random", "observations, in this process"),
        ("ismcts:10", "the game"),
    ],
)
def test_a_card_says_what_its_agent_could_have_looked_at(agent: str, sees: str) -> None:
    assert what_it_sees(agent, TINY) == sees


def test_a_slow_agent_is_refused_and_its_first_question_is_free(monkeypatch) -> None:
    clock = iter([0.0, 50.0, 60.0, 65.0, 70.0, 71.0])
    monkeypatch.setattr(playing.time, "perf_counter", lambda: next(clock))
    watched = WatchedAgent(Lucky(), 100)
    masks = np.ones((2, 3), bool)
    watched(None, masks)
    watched(None, masks)
    with pytest.raises(AgentError, match="1500 ms a move in 4 moves; the track allows 100 ms"):
        watched(None, masks)


def resealed(card: ScoreCard, path: Path, **changes) -> None:
    path.write_text(card_text(card.model_copy(update=changes)))


def test_a_score_that_does_not_follow_from_the_results_is_named(tmp_path: Path, card) -> None:
    path = tmp_path / CARD
    better = card.scores[0].model_copy(update={"value": 0.9, "high": 0.95})
    resealed(card, path, scores=[better, *card.scores[1:]])
    with pytest.raises(TrackError, match=r"duel v random: 0\.9 .* does not follow") as caught:
        check_card(path, 1)
    assert "\n" not in str(caught.value)
    resealed(card, path, scores=card.scores[:1])
    with pytest.raises(TrackError, match="its scores are not those"):
        check_card(path, 1)
    resealed(card, path, results={**card.results, "duel v random": [[1.0] * 39] * 2})
    with pytest.raises(TrackError, match="its results are not those"):
        check_numbers(read_card(path), "here", tmp_path)


def test_shares_are_computed_again_whatever_the_ladder(
    tmp_path: Path, card, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / CARD
    assert check_card(path, 1).unchecked == ()
    resealed(card, path, reference="abc")
    found = check_card(path, 1)
    assert found.holds and found.unchecked == ("Rating",)
    assert command.main(["--check", str(path), "--parts", "1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "a ladder or goals that are not here: Rating." in said
    better = card.scores[0].model_copy(update={"value": 0.9, "high": 0.95})
    resealed(card, path, reference="abc", scores=[better, *card.scores[1:]])
    with pytest.raises(TrackError, match="does not follow"):
        check_card(path, 1)


def test_what_a_card_says_beside_its_figures_is_checked(tmp_path: Path, card) -> None:
    path = tmp_path / CARD
    first = card.scores[0]
    for change in ({"title": "Share on rulesets like these"}, {"number": 400}, {"sample": "seeds"}):
        resealed(card, path, scores=[first.model_copy(update=change), *card.scores[1:]])
        with pytest.raises(TrackError, match="its scores are not those"):
            check_card(path, 1)
    for sees in ("observations", "the game"):
        resealed(card, path, agent=card.agent.model_copy(update={"sees": sees}))
        found = check_card(path, 1)
        assert not found.holds and found.words.endswith(f"and not {sees}"), found


def test_an_opponent_that_is_another_one_here_is_left_out(tmp_path: Path, card) -> None:
    path = tmp_path / CARD
    resealed(card, path, opponents={**card.opponents, "heuristic": "abc"}, reference="abc")
    found = check_card(path, 1)
    assert found.holds and found.skipped == ("heuristic",) and found.games == 16
    resealed(card, path, agent=card.agent.model_copy(update={"files": "abc"}))
    assert not check_card(path, 1).holds


def test_a_search_is_told_its_time_and_a_track_refuses_what_it_does_not_have(tmp_path) -> None:
    track = small("search-v1")
    contests = list_contests(track, "ismcts:{ms}ms", [10, 100])
    assert [each.agent for each in contests[::2]] == ["ismcts:10ms", "ismcts:100ms"]
    assert [contests[0].told, contests[0].milliseconds, contests[0].deals] == [10, 30, 100]
    with pytest.raises(AgentError, match="--budgets 20: search-v1 has 10, 100, 1000"):
        enter(BenchmarkEntry(track, "random", (20,)), tmp_path)
    with pytest.raises(AgentError, match="filled in only by search-v1"):
        enter(BenchmarkEntry(DUEL, "ismcts:{ms}ms"), tmp_path)
    with pytest.raises(AgentError, match="does not train"):
        enter(BenchmarkEntry(DUEL, "random", train="true"), tmp_path)


def test_every_budget_shows_its_own_progress(tmp_path: Path, monkeypatch) -> None:
    """Games of one budget take a hundred times those of another, so the time left of both would mislead."""
    done: dict[str, list[int]] = {}

    def begin(name: str, total: int):
        done[name] = [total, 0]
        return lambda amount: done[name].__setitem__(1, done[name][1] + amount)

    monkeypatch.setattr(running, "play_part", lambda contest, part: PlayedPart([[], []], 1, 0.0, 0))
    played = running._play_all(list_contests(small("search-v1"), "random", [10, 100]), tmp_path, "", begin, 1)
    assert done == {"games at 10 ms a move": [400, 400], "games at 100 ms a move": [200, 200]}
    assert [len(parts) for parts in played[0]] == [10] * 4
    tracks = [("rules-v1", [0, 1]), ("duel-v1", [])]
    names = [
        list(dict.fromkeys(each.played_as for each in list_contests(load_track(name), "random", budgets)))
        for name, budgets in tracks
    ]
    assert names == [["games", "games after 1 min of adaptation"], ["games"]]


@pytest.mark.parametrize("name", ["ismcts:20ms", "master-puct@10ms", "tests.agents.benchmark.guests:Lucky"])
def test_what_goes_by_the_clock_or_does_not_say_so_need_not_repeat_itself(name: str) -> None:
    assert not repeats(name, load_ruleset()) and repeats("random", load_ruleset())


def test_tables_of_many_seats_put_the_agent_in_every_seat() -> None:
    one, *_, rest = list_contests(load_track("seven-v1"), "random", [])
    assert len(one.seatings) == 7 and all(sum(seating) == 1 for seating in one.seatings)
    assert {sum(seating) for seating in rest.seatings} == {6}
    assert [one.even, rest.even] == pytest.approx([1 / 7, 6 / 7])
    four = list_contests(load_track("carcassonne-v1"), "random", [])[-1]
    assert len(four.seatings) == 4 and four.even == 0.25


def test_rules_are_played_zero_shot_and_adaptation_is_refused_where_there_is_none(tmp_path) -> None:
    track = load_track("rules-v1")
    contests = list_contests(track, "random", [0, 1])
    assert len(contests) == 80 and {each.rival for each in contests} == {"heuristic"}
    with pytest.raises(AgentError, match="cannot adapt to a ruleset"):
        play_part(contests[40], 1)
    for each in contests[40:]:  # it adapts once: one part has all its deals
        assert sorted(map(each.deals_of, range(10))) == [0] * 9 + [60]
    assert {each.whole_in for each in contests[40:60]} == set(range(10))
    results = {each.key: [[1.0] * 60, [0.5] * 60] for each in contests[:40]}
    scores = running.score(track, contests[:40], results, None, {})
    assert [each.sample for each in scores] == ["deals", "rulesets"] * 2
    assert {each.value for each in scores} == {0.75}


def test_a_way_needs_the_goal_of_every_ruleset() -> None:
    track = load_track("rules-v1")
    contests = list_contests(track, "random", [0])
    results = {each.key: [[1.0] * 60, [0.5] * 60] for each in contests}
    goals = {each.ruleset.digest: [1.0, 1.0] for each in contests}
    scores = running.score(track, contests, results, {"goals": goals}, {})
    assert [each.value for each in scores if each.unit == "way"] == [0.5, 0.5]
    del goals[contests[0].ruleset.digest]
    scores = running.score(track, contests, results, {"goals": goals}, {})
    assert [each.key for each in scores if each.unit == "way"] == ["0 min, far, way"]


def test_training_is_run_once_for_every_seed_and_rated_over_seeds(tmp_path: Path, monkeypatch) -> None:
    track = small(
        "few-decisions-v1", training=load_track("few-decisions-v1").training.model_copy(update={"decisions": [10]})
    )
    write = "import sys, pathlib; pathlib.Path(sys.argv[1]).mkdir(); print(sys.argv[2:])"
    monkeypatch.setattr(running, "make_agent", lambda *given: None)
    train = f"{shlex.quote(sys.executable)} -c {shlex.quote(write)} {{out}} {{decisions}} {{seed}}"
    with pytest.raises(AgentError, match="each training leaves an agent"):
        enter(BenchmarkEntry(track, "random", train=train), tmp_path)
    with pytest.raises(AgentError, match=r"--train 'true': \{decisions\} is missing"):
        enter(BenchmarkEntry(track, "ppo:{out}", train="true"), tmp_path)
    with pytest.raises(AgentError, match="how is it trained"):
        enter(BenchmarkEntry(track, "ppo:{out}"), tmp_path)
    with pytest.raises(AgentError, match="exit status 3"):
        failing = f"{shlex.quote(sys.executable)} -c 'import sys; sys.exit(3)' {{out}} {{decisions}} {{seed}}"
        enter(BenchmarkEntry(track, "ppo:{out}", train=failing), tmp_path / "f")
    contests = running.contests_of(BenchmarkEntry(track, "ppo:{out}", train=train), tmp_path)
    assert contests[0].agent == f"ppo:{tmp_path}/trained/10-1"
    running._train_all(BenchmarkEntry(track, "ppo:{out}", train=train), contests, tmp_path, lambda *_: lambda _: 0)
    assert sorted(path.name for path in (tmp_path / "trained").glob("*.done")) == [
        "10-1.done",
        "10-2.done",
        "10-3.done",
    ]
    with pytest.raises(StoreError, match="train is"):
        enter(BenchmarkEntry(track, "ppo:{out}", train=f"{train} more"), tmp_path)
    results = {each.key: [[0.5] * 200, [float(i % 2)] * 200] for i, each in enumerate(contests)}
    opponents = dict.fromkeys(("random", "heuristic"))
    scores = running.score(track, contests, results, running.reference_of(track), opponents)
    assert scores[-1].sample == "seeds" and scores[-1].number == 3


def test_the_command_writes_a_card_and_checks_it(tmp_path: Path, duel, capsys) -> None:
    assert command.main(["duel-v1", "random", "--out", str(tmp_path)]) == 0
    assert "Rating" in capsys.readouterr().out
    assert command.main(["--check", str(tmp_path / CARD), "--parts", "2"]) == 0
    said = capsys.readouterr().out
    assert "It holds: 32 of 32 games ended as the card says; on new deals no score of 3 differs by more" in said
    assert "Found 9 times in 10: a card that says it won" in said and "duel v heuristic" in said
    content = json.loads((tmp_path / CARD).read_text())
    content["games"] += 1
    (tmp_path / CARD).write_text(json.dumps(content))
    assert command.main(["--check", str(tmp_path / CARD)]) == 2
    assert "is damaged: its checksum does not fit" in capsys.readouterr().err
    for words in ([], ["duel-v1"], ["duel-v1", "heuristik"], ["duel-v1", "random", "--budgets", "3"]):
        assert command.main(words) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_new_deals_are_drawn_at_every_check(tmp_path: Path, card, monkeypatch) -> None:
    played: list[int] = []

    def play(contest, part, deals=None):
        found = play_part(contest, part, deals)
        played.append(found.deals)
        return found

    monkeypatch.setattr(checking, "play_part", play)
    own = {seed for seeds in card.deals.values() for seed in seeds}
    assert check_card(tmp_path / CARD, 3).games and check_card(tmp_path / CARD, 3).games
    assert len(played) == 24 and len({*played} - own) == 12
    for parts in (0, 11):
        with pytest.raises(TrackError, match=f"--parts {parts}: 1 to 10"):
            check_card(tmp_path / CARD, parts)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["duel-v1", "random", "--parts", "3"], "--parts: only with --check"),
        (["--check", "card.json", "--train", "x"], "--train: does not go with --check"),
        (["--check", "card.json", "--budgets", "1"], "--budgets: does not go with --check"),
        (["--check", "card.json", "--out", "x"], "--out: does not go with --check"),
        (["--board", "cards", "--check", "card.json"], "--check: does not go with --board"),
        (["duel-v1", "random", "--workers", "0"], "workers 0: 1 or more is needed"),
    ],
)
def test_no_argument_is_passed_over_without_a_word(
    words: list[str], why: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("enter", "write_board"):
        monkeypatch.setattr(command, name, None)
    assert command.main(words) == 2
    told = capsys.readouterr().err
    assert why in told and len(told.splitlines()) == 1


def test_a_training_that_leaves_no_agent_is_told_at_once_and_run_again(tmp_path: Path) -> None:
    track = small("few-decisions-v1")
    noted = tmp_path / "noted"
    write = f"open({str(noted)!r}, 'a').write('x')"
    train = f"{shlex.quote(sys.executable)} -c {shlex.quote(write)} {{out}} {{decisions}} {{seed}}"
    entry = BenchmarkEntry(track, "ppo:{out}", train=train)
    for times in (1, 2):
        with pytest.raises(AgentError, match=r"it left no agent: .*/1000000-1: a run folder"):
            enter(entry, tmp_path / "out")
        assert noted.read_text() == "x" * times
    with pytest.raises(AgentError, match=r"--train .*: No closing quotation"):
        enter(BenchmarkEntry(track, "ppo:{out}", train=f"{train} '"), tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("heuristic", "it cannot adapt to a ruleset; --budgets 0 plays it as it is"),
        ("frozen:master", "only a policy that reads the rules is trained for others; --budgets 0 plays it as it is"),
    ],
)
def test_an_agent_that_cannot_adapt_is_refused_before_the_first_game(
    agent: str, why: str, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(running, "play_part", None)
    with pytest.raises(AgentError, match=why) as told:
        enter(BenchmarkEntry(load_track("rules-v1"), agent), tmp_path / "out")
    assert "\n" not in str(told.value) and not (tmp_path / "out").exists()


IMPOSSIBLE = [
    lambda found: found["part"]["shares"][0].__setitem__(0, 7.5),
    lambda found: found["part"]["shares"][0].__setitem__(0, "1"),
    lambda found: found["part"]["shares"][0].__setitem__(0, float("nan")),
    lambda found: found["part"].update(decisions=-5),
    lambda found: found["part"].update(seconds="x"),
    lambda found: found["part"].update(deals=-1),
    lambda found: found.update(seconds="x"),
    lambda found: found.update(processor=None),
    lambda found: found["of"].update(plan="of another entry"),
]
"""Changes that are seen even if somebody seals the part again."""
POSSIBLE = [
    lambda found: found["part"]["shares"].reverse(),
    lambda found: found["part"]["shares"][0].reverse(),
    lambda found: found["part"]["shares"][0].__setitem__(0, 1 - found["part"]["shares"][0][0]),
]


@pytest.mark.parametrize(
    ("change", "seal"), [*((one, True) for one in IMPOSSIBLE), *((one, False) for one in POSSIBLE)]
)
def test_a_kept_part_that_cannot_be_of_these_games_is_played_again(change, seal: bool, tmp_path: Path, duel) -> None:
    entry = BenchmarkEntry(DUEL, "random")
    before = enter(entry, tmp_path).deals["duel v random"]
    path = tmp_path / "parts" / "0000-0.json"
    whole = json.loads(path.read_text())
    found = json.loads(path.read_text())
    change(found)
    assert found != whole
    if seal:
        found[SEAL] = seal_of(found)
    path.write_text(json.dumps(found))
    after = enter(entry, tmp_path).deals["duel v random"]
    assert after[0] != before[0] and after[1:] == before[1:]
    again = json.loads(path.read_text())
    assert again["of"] == whole["of"] and again["seconds"] > 0


def test_no_part_is_taken_for_another(tmp_path: Path, duel) -> None:
    """Not for another one of the same opponent, and not for one of another opponent."""
    entry = BenchmarkEntry(DUEL, "random")
    before = enter(entry, tmp_path)
    parts = sorted((tmp_path / "parts").glob("*.json"))
    content = [path.read_bytes() for path in parts]
    assert len(parts) == 20
    for path, neighbour in zip(parts, (*content[1:], content[0]), strict=True):
        path.write_bytes(neighbour)
    deals = [seed for card in (before, enter(entry, tmp_path)) for seeds in card.deals.values() for seed in seeds]
    assert len({*deals}) == 40


def test_no_changed_part_is_believed(tmp_path: Path, card) -> None:
    (path, *_) = sorted((tmp_path / "parts").glob("*.json"))
    whole = path.read_bytes()
    plan = json.loads(whole)["of"]["plan"]
    task = next(iter(running._tasks_of(contests_of(BenchmarkEntry(DUEL, "random"), tmp_path))))
    assert running._kept_part(tmp_path, task, plan) == json.loads(whole)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        data = change_data(rng, json.loads(whole)) if seed % 2 else None
        changed = change_bytes(rng, whole) if data is None else json.dumps(data).encode()
        path.write_bytes(changed)
        kept = running._kept_part(tmp_path, task, plan)
        assert kept is None or kept == json.loads(whole)
