"""Copies of a policy that reads the rules: trained on for one ruleset, kept by its digest, never two at once."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from channel_tunnel_agents import AgentError, AgentName, make_agent
from channel_tunnel_agents.balance.changing import adapt, libraries, trust, tuned
from channel_tunnel_agents.balance.changing.tuned import TunedCopy, exact_copy, find_copy, place_of, tune_copy
from channel_tunnel_agents.balance.measuring.footing import Footing
from channel_tunnel_agents.balance.measuring.knowledge import kind_of, unseen_lines
from channel_tunnel_agents.benchmark.contests import list_contests
from channel_tunnel_agents.benchmark.playing import adapted
from channel_tunnel_agents.commands.evaluate import main
from channel_tunnel_agents.learning import training
from channel_tunnel_agents.learning.checkpoint import CHECKPOINT
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.names import TUNED
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.outside.documents import read_json, read_yaml
from channel_tunnel_env.tracks import load_track
from tests.agents.saving import save_policy
from tests.agents.test_training import small

TINY = load_ruleset("tiny")
OTHER = TINY.with_values({"storage.britain": 3})
READS = {"ruleset": "standard", "network": "game", "width": 32, "drawn_rulesets": 3}
SHORT = 0.001  # minutes: one update
CURVE = "progress.csv"


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> str:
    """A policy that reads the rules, hardly trained."""
    run = TrainingRun(small(tmp_path_factory.mktemp("reader"), **READS))
    run.train()
    return f"ppo:{run.folder}"


@pytest.fixture
def user(tmp_path, monkeypatch) -> Path:
    """The folder of a user, whose `runs` are empty; updates are small."""
    whole = adapt.adapting_config

    def small_updates(*args, **changes):
        small = {"num_games": 16, "steps": 16, "batch_size": 128, "epochs": 1}
        return whole(*args, **changes | small)

    monkeypatch.setattr(adapt, "adapting_config", small_updates)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files_of(copy: TunedCopy) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in copy.folder.iterdir() if file.is_file()}


def copy_of_an_hour(reader: str) -> TunedCopy:
    """A copy whose cards say that it had an hour, so that no test waits for one."""
    folder = tune_copy(reader, TINY, SHORT, threads=1).folder
    for file in policy_paths(folder).values():
        network, card = load_policy(file)
        save_policy(file, network.state_dict(), {**card, TUNED: {"minutes": 60.0}})
    copy = find_copy(reader, TINY)
    assert copy is not None
    return copy


def test_a_copy_is_trained_once_and_then_found(reader, user) -> None:
    assert find_copy(reader, TINY) is None
    shown: list[float] = []
    copy = tune_copy(reader, TINY, SHORT, lambda done, words: shown.append(done), threads=1)
    assert shown[-1] == 1.0 and copy.minutes >= SHORT and not copy.stopped
    found = tune_copy(reader, TINY, SHORT, lambda done, words: shown.clear(), threads=1)
    assert shown and found.name == copy.name
    config = read_yaml(copy.folder / "config.yaml").mapping("a run's config")
    assert config["learning_rate"] == adapt.SCHOOLS[TINY.spec.name].copies["learning_rate"]
    assert found.minutes == pytest.approx(copy.minutes, abs=0.001)


def test_where_the_scripted_player_looks_ahead_a_copy_learns_from_itself_alone(tmp_path_factory, user) -> None:
    house = load_ruleset({"base": "carcassonne", "name": "house", "farm_scoring": "none"})
    run = TrainingRun(
        small(
            tmp_path_factory.mktemp("reader"), ruleset="carcassonne", network="game", width=16, drawn_rulesets=3,
            pool_slots=0, rivals=(), rival_share=0.0, num_games=32, steps=8, batch_size=128, decisions=256,
        )
    )  # fmt: skip
    run.train()
    copy = tune_copy(f"ppo:{run.folder}", house, SHORT, threads=1)
    assert make_agent(copy.name, house).reads_rules


def test_a_copy_plays_its_rules_and_others_and_says_what_it_is(reader, user) -> None:
    copy = tune_copy(reader, TINY, SHORT, threads=1)
    for ruleset in (TINY, OTHER, load_ruleset("standard")):
        agent = make_agent(copy.name, ruleset)
        assert agent.name == copy.name and agent.reads_rules
    assert AgentName.read(copy.name).is_tuned and AgentName.read(copy.name).kind == "policy"
    assert kind_of(copy.name, [], [copy.name], "digest") == "tuned"
    assert unseen_lines([copy.name], [TINY]) == []


def test_other_rules_and_another_parent_have_copies_of_their_own(reader, user) -> None:
    assert len({place_of(reader, TINY), place_of(reader, OTHER), place_of("adept", TINY)}) == 3
    same_rules = load_ruleset(TINY.plain() | {"name": "another_name"})
    assert place_of(reader, same_rules).name.endswith(place_of(reader, TINY).name[-8:])


@pytest.mark.heavy
def test_the_same_rules_under_another_name_have_the_same_copy_and_go_on_with_it(reader, user) -> None:
    same_rules = load_ruleset(TINY.plain() | {"name": "another_name"})
    copy = tune_copy(reader, TINY, SHORT, threads=1)
    found = find_copy(reader, same_rules)
    assert found is not None and found.name == copy.name
    longer = tune_copy(reader, same_rules, 2 * copy.minutes, threads=1)
    assert longer.folder == copy.folder and longer.minutes > copy.minutes


def test_without_torch_one_line_says_what_to_install(reader, user, monkeypatch) -> None:
    monkeypatch.setattr(libraries.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(AgentError, match=r"training needs torch: pip install 'channel-tunnel-env\[train\]'"):
        tune_copy(reader, TINY, SHORT)
    assert not place_of(reader, TINY).exists()


def test_a_tuning_that_ends_amid_its_files_leaves_a_copy_that_says_what_it_is(reader, user, monkeypatch) -> None:
    def no_room(run) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(training, "save_checkpoint", no_room)
    with pytest.raises(OSError, match="no space left"):
        tune_copy(reader, TINY, SHORT, threads=1)
    left = find_copy(reader, TINY)
    assert left is not None and left.minutes > 0
    assert make_agent(left.name, OTHER).reads_rules


@pytest.mark.heavy
def test_more_minutes_go_on_and_a_stop_keeps_what_was_learnt(reader, user) -> None:
    short = tune_copy(reader, TINY, SHORT, threads=1)
    stopped = tune_copy(reader, TINY, 10.0, stop_asked=lambda: True, threads=1)
    assert stopped.stopped and stopped.folder == short.folder
    assert make_agent(stopped.name, TINY).reads_rules
    kept = find_copy(reader, TINY)
    assert kept is not None and kept.minutes >= short.minutes - 0.001


def test_a_measurement_after_some_minutes_never_plays_a_copy_that_had_more(reader, user) -> None:
    long = copy_of_an_hour(reader)
    short = exact_copy(reader, TINY, SHORT, threads=1)
    assert short.minutes < long.minutes and short.name != long.name
    assert make_agent(short.name, TINY).reads_rules
    assert exact_copy(reader, TINY, SHORT, threads=1).name == short.name
    assert find_copy(reader, TINY).name == long.name  # ... and nobody else gets it


def test_the_benchmark_adapts_for_its_minutes_whatever_the_user_has_tuned(reader, user) -> None:
    long = copy_of_an_hour(reader)
    contest = list_contests(load_track("rules-v1"), reader, [1])[0]
    agent = adapted(replace(contest, ruleset=TINY, minutes=SHORT), 1)
    assert AgentName.read(agent.name).is_tuned and agent.name != long.name


def test_a_measurement_after_more_minutes_goes_on_from_the_longest_copy_that_had_fewer(reader, user) -> None:
    short = tune_copy(reader, TINY, SHORT, threads=1)
    before = files_of(short)
    longer = exact_copy(reader, TINY, short.minutes + SHORT, threads=1)
    assert longer.minutes > short.minutes
    assert (longer.folder / CURVE).read_bytes().startswith(before[CURVE])
    assert files_of(short) == before


def test_two_tunings_of_one_copy_at_once_are_refused_and_the_first_goes_on(reader, user) -> None:
    folder = place_of(reader, TINY)
    folder.mkdir(parents=True)
    with FileLock(folder / tuned.LOCK), pytest.raises(AgentError, match="another process tunes this copy for tiny now"):
        tune_copy(reader, TINY, SHORT, threads=1)
    assert tune_copy(reader, TINY, SHORT, threads=1).minutes > 0


def test_a_copy_goes_on_though_its_parent_lies_elsewhere_now(reader, user) -> None:
    """As the package does in a new environment."""
    copy = tune_copy(reader, TINY, SHORT, threads=1)
    before = Path(reader.removeprefix("ppo:"))
    moved = f"ppo:{shutil.copytree(before, user / 'elsewhere' / before.name)}"
    longer = tune_copy(moved, TINY, copy.minutes + SHORT, threads=1)
    assert longer.folder == copy.folder and longer.minutes > copy.minutes


def test_a_copy_that_cannot_go_on_says_so_and_is_left_as_it_was(reader, user) -> None:
    copy = tune_copy(reader, TINY, SHORT, threads=1)
    (copy.folder / CHECKPOINT).write_bytes(b"half")
    before = files_of(copy)
    with pytest.raises(AgentError, match=f"not a checkpoint.*delete {copy.folder}") as caught:
        tune_copy(reader, TINY, copy.minutes + SHORT, threads=1)
    assert "--resume" not in str(caught.value) and "\n" not in str(caught.value)
    assert files_of(copy) == before and make_agent(copy.name, TINY).reads_rules


def test_a_policy_that_does_not_read_the_rules_is_refused(user) -> None:
    with pytest.raises(AgentError, match="agent 'club': trained for standard; only a policy that"):
        tune_copy("club", load_ruleset("standard"), SHORT)


def test_a_copy_that_does_not_exist_is_named_with_those_that_do(reader, user) -> None:
    with pytest.raises(AgentError, match=r"no such copy in runs/tuned; there: none"):
        make_agent("tuned:nobody", TINY)
    copy = tune_copy(reader, TINY, SHORT, threads=1)
    with pytest.raises(AgentError, match=copy.folder.name):
        make_agent("tuned:nobody", TINY)


# --- who plays the settings of a sweep and of a search ----------------------------------------------

SWEEP = ["sweep", "--param", "storage.britain=3", "--ruleset", "tiny", "--deals", "30"]
SWEEP += ["--measures", "rounds", "--workers", "1", "--out", "swept"]


@pytest.fixture
def lost(reader, user, monkeypatch) -> list[str]:
    """The reader loses to the scripted player, its copy wins on the base alone; names of those who were tested."""
    tested: list[str] = []

    def measure(pairs, deals, workers=None, progress=None):
        found = []
        for name, rules in pairs:
            tested.append(f"{name} on {rules.name}")
            share = 0.9 if name.startswith(TUNED) and rules.name == "tiny" else 0.4
            found.append(Footing(name, "heuristic", rules.name, Estimate(share, 0.0, 1.0), deals))
        return found

    monkeypatch.setattr(trust, "measure_footings", measure)
    return tested


def test_where_the_player_is_lost_on_the_base_its_copy_plays_every_setting_of_a_sweep(
    reader, lost, monkeypatch, capsys
) -> None:
    words = [*SWEEP, "--agent", reader]
    assert main([*words, "--adapt", str(SHORT)]) == 0
    copy = find_copy(reader, TINY)
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{copy.name} was trained on tiny and reads the rules" in shown
    content = read_json(Path("swept", "sweep.json"))
    assert content["sweep"]["agent"] == copy.name
    assert [(each["asked"], each["speaks"]) for each in content["speakers"]] == [(reader, copy.name)]
    (doubt,) = content["doubts"]
    assert doubt.startswith(f"{copy.name} is out of its depth on tiny-") and doubt in shown
    assert len(lost) == len(set(lost)) == 3  # both on the base, the copy on the other setting
    figures = Path("swept", "sweep.csv").read_bytes()
    monkeypatch.setattr(training, "TrainingRun", None)  # nothing is left to train, or to play
    monkeypatch.setattr("channel_tunnel_agents.matches.tournament.play_part", None)
    assert main([*shlex.split(content["command"])[1:], "--out", "swept"]) == 0
    assert Path("swept", "sweep.csv").read_bytes() == figures


def test_a_sweep_that_is_to_stay_frozen_is_played_by_who_was_named_and_doubts_it_everywhere(reader, lost) -> None:
    assert main([*SWEEP, "--agent", reader, "--adapt", "frozen"]) == 0
    content = read_json(Path("swept", "sweep.json"))
    assert content["sweep"]["agent"] == reader and content["speakers"] == []
    assert len(content["doubts"]) == 2 and find_copy(reader, TINY) is None


def test_where_the_player_is_lost_on_the_base_its_copy_plays_every_setting_of_a_search(reader, lost, user) -> None:
    (user / "targets.yaml").write_text(f"agent: {reader}\ndeals: 30\ntargets: {{rounds: [1, 50]}}\n")
    words = ["tune", "--targets", "targets.yaml", "--param", "storage.britain=2,3"]
    words += ["--ruleset", "tiny", "--deals", "30", "--workers", "1", "--out", "found"]
    assert main([*words, "--adapt", str(SHORT)]) == 0
    copy = find_copy(reader, TINY)
    content = read_json(Path("found", "tune.json"))
    assert content["player"] == copy.name and content["targets"]["agent"] == reader
    assert content["speakers"][0]["speaks"] == copy.name
    assert f"{copy.name} against itself" in (user / "found" / "best.yaml").read_text()
    assert len(lost) == len(set(lost))


@pytest.mark.heavy
def test_the_command_tunes_measures_and_names_the_copy(reader, user, capsys) -> None:
    words = ["adapt", "tiny", "--agent", reader, "--minutes", str(SHORT), "--threads", "1"]
    assert main(words) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Plays it: tuned:{place_of(reader, TINY).name}" in shown
    assert f"On tiny {reader} wins" in shown and "the scripted player" in shown
    assert main([*words[:4], "--minutes", "0"]) == 2
