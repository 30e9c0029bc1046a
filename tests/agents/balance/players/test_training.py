"""Policies trained for one ruleset: by decisions, kept by its digest, never two at once in a folder."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from safetensors.numpy import load_file

from channel_tunnel_agents import AgentError, AgentName, make_agent
from channel_tunnel_agents.balance.measuring.knowledge import kind_of, unseen_lines
from channel_tunnel_agents.balance.players import training
from channel_tunnel_agents.balance.players.training import (
    Trained,
    TrainingTask,
    find_apart,
    find_trained,
    train_policies,
)
from channel_tunnel_agents.benchmark import playing
from channel_tunnel_agents.benchmark.contests import list_contests
from channel_tunnel_agents.cluster.parallel import spread_on
from channel_tunnel_agents.commands.evaluate import main
from channel_tunnel_agents.learning import training as learning
from channel_tunnel_agents.learning.checkpoint import CHECKPOINT
from channel_tunnel_agents.learning.guards import LOCK
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.outside.documents import read_yaml
from channel_tunnel_env.tracks import load_track
from tests.agents.test_training import small

TINY = load_ruleset("tiny")
OTHER = TINY.with_values({"storage.britain": 3})
READS = {"ruleset": "standard", "network": "game", "width": 32, "drawn_rulesets": 3}
FEW = 512  # decisions: an update or two


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> str:
    """A policy that reads the rules, hardly trained."""
    run = TrainingRun(small(tmp_path_factory.mktemp("reader"), **READS))
    run.train()
    return f"ppo:{run.folder}"


@pytest.fixture
def user(tmp_path, monkeypatch) -> Path:
    """The folder of a user, whose `runs` are empty; updates are small."""
    whole = training.adapting_config

    def small_updates(*args, **changes):
        small = {"num_games": 16, "steps": 16, "batch_size": 128, "epochs": 1}
        return whole(*args, **changes | small)

    monkeypatch.setattr(training, "adapting_config", small_updates)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(lesson: TrainingTask) -> Trained:
    (found,) = train_policies([lesson], workers=1)
    return found


def files_of(trained: Trained) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in trained.folder.iterdir() if file.is_file()}


def test_a_policy_is_trained_once_for_its_decisions_and_then_found(reader, user, monkeypatch) -> None:
    lesson = TrainingTask(reader, TINY, FEW, seed=1)
    assert find_trained(reader, TINY) == []
    shown: list[float] = []
    (policy,) = train_policies([lesson], 1, shown.append)
    assert shown[-1] == 1.0 and policy.decisions >= FEW and policy.rivals == ()
    config = read_yaml(policy.folder / "config.yaml").mapping("a run's config")
    assert config["max_minutes"] is None, "the clock has no say"
    assert config["learning_rate"] == training.SCHOOLS[TINY.spec.name].for_one_ruleset["learning_rate"]
    monkeypatch.setattr(training, "_train", None)  # nothing is left to train
    shown.clear()
    assert train_policies([lesson], 1, shown.append) == [policy] and find_trained(reader, TINY) == [policy]
    assert shown == [1.0], "a stage that has nothing to do is over"


def weights_of(trained: Trained) -> dict[str, np.ndarray]:
    files = policy_paths(trained.folder).values()
    return {f"{file.name} {key}": value for file in files for key, value in load_file(file).items()}


def test_equal_lessons_give_equal_policies_and_another_seed_another(reader, user) -> None:
    one = train(TrainingTask(reader, TINY, FEW, seed=1))
    before = weights_of(one)
    shutil.rmtree(one.folder)
    again = train(TrainingTask(reader, TINY, FEW, seed=1))
    after = weights_of(again)
    assert again.name == one.name and all(np.array_equal(before[key], after[key]) for key in before)
    other = train(TrainingTask(reader, TINY, FEW, seed=2))
    assert other.name != one.name and {*find_trained(reader, TINY)} == {again, other}
    assert any(not np.array_equal(after[key], value) for key, value in weights_of(other).items())


class Elsewhere:
    """A cluster of machines that keep what they write."""

    cores = 2

    def spread(self, work, tasks, workers):
        return iter([(task, None) for task in tasks])


def test_a_policy_is_trained_here_though_the_games_are_played_on_a_cluster(reader, user) -> None:
    with spread_on(Elsewhere()):
        assert train(TrainingTask(reader, TINY, FEW, seed=1)).decisions >= FEW


def test_a_best_response_names_its_rivals_and_starts_from_its_parent(reader, user) -> None:
    first = train(TrainingTask(reader, TINY, FEW, seed=1))
    answer = train(TrainingTask(first.name, TINY, FEW, 1, rivals=(first.name, "heuristic")))
    assert answer.rivals == (first.name, "heuristic")
    assert {each.name for each in find_trained(reader, TINY)} == {first.name, answer.name}
    assert find_apart(reader, TINY) == first, "who answers others does not play for itself"
    config = read_yaml(answer.folder / "config.yaml").mapping("a run's config")
    assert config["start_from"].endswith(first.folder.name) and config["rival_share"] == 1.0


def test_where_the_scripted_player_looks_ahead_a_policy_learns_only_from_itself(tmp_path_factory, user) -> None:
    house = load_ruleset({"base": "carcassonne", "name": "house", "farm_scoring": "none"})
    run = TrainingRun(
        small(
            tmp_path_factory.mktemp("reader"), ruleset="carcassonne", network="game", width=16, drawn_rulesets=3,
            pool_slots=0, rivals=(), rival_share=0.0, num_games=32, steps=8, batch_size=128, decisions=256,
        )
    )  # fmt: skip
    run.train()
    policy = train(TrainingTask(f"ppo:{run.folder}", house, 256, seed=1))
    assert make_agent(policy.name, house).reads_rules


def test_a_policy_plays_its_rules_and_others_and_says_what_it_is(reader, user) -> None:
    policy = train(TrainingTask(reader, TINY, FEW, seed=1))
    for ruleset in (TINY, OTHER, load_ruleset("standard")):
        agent = make_agent(policy.name, ruleset)
        assert agent.name == policy.name and agent.reads_rules
    assert AgentName.read(policy.name).is_tuned and AgentName.read(policy.name).kind == "policy"
    assert kind_of(policy.name, [], [policy.name], "digest") == "tuned"
    assert unseen_lines([policy.name], [TINY]) == []


def test_other_rules_and_another_parent_have_policies_of_their_own(reader, user) -> None:
    lessons = [
        TrainingTask(reader, TINY, FEW, 1),
        TrainingTask(reader, OTHER, FEW, 1),
        TrainingTask("adept", TINY, FEW, 1),
    ]
    assert len({each.folder for each in lessons}) == 3


@pytest.mark.heavy
def test_the_same_rules_under_another_name_have_the_same_policies(reader, user) -> None:
    same_rules = load_ruleset(TINY.plain() | {"name": "another_name"})
    policy = train(TrainingTask(reader, TINY, FEW, seed=1))
    assert [each.name for each in find_trained(reader, same_rules)] == [policy.name]


def test_without_torch_one_line_says_what_to_install(reader, user, monkeypatch) -> None:
    monkeypatch.setattr(training.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(AgentError, match=r"training needs torch: pip install 'channel-tunnel-env\[train\]'"):
        train(TrainingTask(reader, TINY, FEW, 1))
    assert not TrainingTask(reader, TINY, FEW, 1).folder.exists()


def test_a_training_that_ends_amid_its_files_leaves_a_policy_that_says_what_it_is(reader, user, monkeypatch) -> None:
    def no_room(run) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(learning, "save_checkpoint", no_room)
    with pytest.raises(OSError, match="no space left"):
        train(TrainingTask(reader, TINY, FEW, 1))
    (left,) = find_trained(reader, TINY)
    assert left.decisions > 0 and make_agent(left.name, OTHER).reads_rules


@pytest.mark.heavy
def test_more_decisions_go_on_and_a_stop_keeps_what_was_learnt(reader, user) -> None:
    short = train(TrainingTask(reader, TINY, FEW, 1))
    (stopped,) = train_policies([TrainingTask(reader, TINY, 100 * FEW, 1)], 1, stop_asked=lambda: True)
    assert stopped.folder == short.folder and short.decisions <= stopped.decisions < 100 * FEW
    assert make_agent(stopped.name, TINY).reads_rules
    longer = train(TrainingTask(reader, TINY, stopped.decisions + FEW, 1))
    assert longer.folder == short.folder and longer.decisions > stopped.decisions


def test_the_benchmark_trains_for_its_decisions_whatever_the_user_has(reader, user, monkeypatch) -> None:
    long = train(TrainingTask(reader, TINY, 2 * FEW, seed=1))
    monkeypatch.setattr(playing, "DECISIONS_A_MINUTE", FEW)
    contest = list_contests(load_track("rules-v1"), reader, [1])[0]
    agent = playing.adapted(replace(contest, ruleset=TINY, minutes=1), 1)
    assert AgentName.read(agent.name).is_tuned and agent.name != long.name


def test_two_trainings_in_one_folder_are_refused_and_the_first_goes_on(reader, user) -> None:
    folder = TrainingTask(reader, TINY, FEW, 1).folder
    folder.mkdir(parents=True)
    with FileLock(folder / LOCK), pytest.raises(AgentError, match="another process trains this policy for tiny now"):
        train(TrainingTask(reader, TINY, FEW, 1))
    assert train(TrainingTask(reader, TINY, FEW, 1)).decisions >= FEW


def test_a_policy_goes_on_though_its_parent_lies_elsewhere_now(reader, user) -> None:
    """As the package does in a new environment."""
    policy = train(TrainingTask(reader, TINY, FEW, 1))
    before = Path(reader.removeprefix("ppo:"))
    moved = f"ppo:{shutil.copytree(before, user / 'elsewhere' / before.name)}"
    longer = train(TrainingTask(moved, TINY, policy.decisions + FEW, 1))
    assert longer.folder == policy.folder and longer.decisions > policy.decisions


def test_a_policy_that_cannot_go_on_says_so_and_is_left_as_it_was(reader, user) -> None:
    policy = train(TrainingTask(reader, TINY, FEW, 1))
    (policy.folder / CHECKPOINT).write_bytes(b"half")
    before = files_of(policy)
    with pytest.raises(AgentError, match=f"not a checkpoint.*delete {policy.folder}") as caught:
        train(TrainingTask(reader, TINY, policy.decisions + FEW, 1))
    assert "--resume" not in str(caught.value) and "\n" not in str(caught.value)
    assert files_of(policy) == before and make_agent(policy.name, TINY).reads_rules


def test_a_parent_that_does_not_read_the_rules_is_refused(user) -> None:
    with pytest.raises(AgentError, match="agent 'club': trained for standard; only a policy that"):
        train(TrainingTask("club", load_ruleset("standard"), FEW, 1))


def test_a_policy_that_does_not_exist_is_named_with_those_that_do(reader, user) -> None:
    with pytest.raises(AgentError, match=r"no such policy in runs/tuned; there: none"):
        make_agent("tuned:nobody", TINY)
    policy = train(TrainingTask(reader, TINY, FEW, 1))
    with pytest.raises(AgentError, match=policy.folder.name):
        make_agent("tuned:nobody", TINY)


@pytest.mark.heavy
def test_the_command_trains_measures_and_names_the_policy(reader, user, capsys) -> None:
    words = ["adapt", "tiny", "--agent", reader, "--decisions", str(FEW), "--workers", "1"]
    assert main(words) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Plays it: {TrainingTask(reader, TINY, FEW, 1).name}" in shown
    assert f"of its games against {reader}" in shown
    assert main([*words[:4], "--decisions", "0"]) == 2
    assert "--decisions 0: expected 1 to" in " ".join(capsys.readouterr().err.split())
