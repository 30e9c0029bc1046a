"""train.py as a command: it is stopped and resumed without loss, and never rewrites what a run was."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from channel_tunnel_agents.commands import train
from channel_tunnel_agents.learning.checkpoint import CHECKPOINT, PREVIOUS
from channel_tunnel_agents.learning.config import TrainConfig, load_config, make_config
from channel_tunnel_agents.learning.guards import LOCK, alone_in
from channel_tunnel_agents.learning.resume import FIXED, PLACES
from channel_tunnel_agents.players import pretrained
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.statistics import rate_of
from channel_tunnel_env.outside.progress import ProgressLines

ROWS = 512  # an update
TINY = [
    "smoke", "--ruleset", "tiny", "--num-games", "32", "--steps", "16", "--width", "16",
    "--batch-size", "256", "--epochs", "1", "--threads", "1", "--device", "cpu",
    "--evaluate-games", "4", "--evaluate-every", "1000", "--max-minutes", "None",
    "--decisions", str(4 * ROWS), "--learning-rate", "2e-3",
]  # fmt: skip


def run_in(folder: Path, *words: str) -> int:
    """A training of four updates; its exit status."""
    return train.main([*TINY, "--run", str(folder), *words])


def resume(folder: Path, *words: str) -> int:
    """Go on with no more than the run's name."""
    return train.main(["smoke", "--run", str(folder), "--resume", *words])


def card_of(folder: Path) -> dict[str, Any]:
    return load_policy(folder / "britain.safetensors")[1]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def weights(folder: Path) -> dict[str, torch.Tensor]:
    policies = TorchAgent.load(folder).policies
    return {f"{s} {k}": v for s, p in policies.items() for k, v in p.state_dict().items()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of seed 1."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    assert run_in(folder) == 0
    return folder


def test_two_processes_never_train_in_one_folder(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    busy, new = shutil.copytree(finished, tmp_path / "busy"), tmp_path / "runs" / "new"
    with alone_in(busy), alone_in(new):
        before = content(busy)
        assert resume(busy, "--decisions", str(8 * ROWS)) == 2
        assert "another process trains a run here now; wait until it has ended" in (capsys.readouterr().err)
        assert run_in(new) == 2
        assert content(busy) == before and [*content(new)] == [LOCK]
    assert not new.parent.exists() and LOCK not in content(busy)


# --- what a resumed run may be ----------------------------------------------------------------------


MAY_CHANGE = """
    decisions max_minutes curriculum rivals rival_share pool_slots pool_from snapshots num_games steps batch_size epochs
    learning_rate final_learning_rate entropy final_entropy gae_lambda clip value_weight max_gradient engine
    precision observation_dtype threads simulator_threads device evaluate_every evaluate_games checkpoint_every
"""


def test_every_field_of_the_config_has_its_rule_for_a_resumed_run() -> None:
    assert sorted((*FIXED, *PLACES, *MAY_CHANGE.split())) == sorted(TrainConfig.model_fields)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "5"], "made with seed 1, and seed 5 was given"),
        (["--seed", "5", "--decisions", "9000"], "made with seed 1, and seed 5 was given"),
        (["--width", "32"], "made with width 16, and width 32 was given"),
        (["--trunk", "separate"], "made with trunk shared, and trunk separate was given"),
        (["--imitate", "heuristic"], "made with imitate None, and imitate heuristic was given"),
        (["--start-from", "master"], "made with start_from None, and start_from master was given"),
        (["--ruleset", "standard"], "leave --ruleset out"),
    ],
)
def test_a_resumed_run_refuses_to_become_another(finished, tmp_path, capsys, words, told) -> None:
    folder = shutil.copytree(finished, tmp_path / "run")
    before = content(folder)
    assert resume(folder, *words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    for part in (str(folder), told, "--run"):
        assert part in said
    assert content(folder) == before


def test_a_finished_run_stays_as_it_is_and_says_how_to_train_on(finished, tmp_path, capsys) -> None:
    folder = shutil.copytree(finished, tmp_path / "run")
    before = content(folder)
    assert resume(folder) == 0
    assert "at the end of its budget and stays as it is; a larger --decisions" in (capsys.readouterr().out)
    changed = {name for name, data in content(folder).items() if before.get(name) != data}
    assert not {name for name in changed if not name.startswith(("progress", "events"))}


def test_the_card_of_a_finished_run_holds_its_curve(finished) -> None:
    for points in card_of(finished)["curve"].values():
        decisions, share, low, high = points[-1]
        assert decisions == card_of(finished)["decisions"] and 0 <= low <= share <= high <= 1


def test_a_run_goes_on_by_its_own_config_and_the_card_says_what_changed(finished, tmp_path, capsys) -> None:
    folder = shutil.copytree(finished, tmp_path / "run")
    assert resume(folder, "--decisions", str(6 * ROWS), "--clip", "0.1") == 0
    assert "From here on: decisions 2048 -> 3072, clip 0.2 -> 0.1" in capsys.readouterr().out
    card = card_of(folder)
    assert card["seed"] == 1 and card["decisions"] == 6 * ROWS
    assert card["config"]["learning_rate"] == 2e-3  # not the preset's
    (entry,) = card["continued"]
    assert entry["at"] == 4 * ROWS
    assert entry["changed"] == {"decisions": [4 * ROWS, 6 * ROWS], "clip": [0.2, 0.1]}
    config = load_config(folder / "config.yaml")
    assert (config.decisions, config.clip, config.width) == (6 * ROWS, 0.1, 16)
    assert resume(folder, "--decisions", str(7 * ROWS)) == 0
    assert [entry["at"] for entry in card_of(folder)["continued"]] == [4 * ROWS, 6 * ROWS]


def test_what_a_users_own_file_says_counts_as_said(finished, tmp_path, capsys) -> None:
    folder = shutil.copytree(finished, tmp_path / "run")
    own = tmp_path / "own.yaml"
    own.write_text(f"run: {folder}\nseed: 9\n")
    assert train.main([str(own), "--resume"]) == 2
    assert "made with seed 1, and seed 9 was given" in capsys.readouterr().err
    own.write_text(f"run: {folder}\ndecisions: {5 * ROWS}\n")
    assert train.main([str(own), "--resume"]) == 0
    assert card_of(folder)["decisions"] == 5 * ROWS


# --- Ctrl-C -------------------------------------------------------------------------------------------


def interrupt(monkeypatch: pytest.MonkeyPatch, update: int, *signals: int) -> None:
    """Send the signals to this process within the given update."""
    show, seen = train._Display.show, []

    def showing(display: Any, status: dict[str, Any]) -> None:
        show(display, status)
        seen.append(status)
        if len(seen) == update:
            for number in signals:
                os.kill(os.getpid(), number)

    monkeypatch.setattr(train._Display, "show", showing)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_ctrl_c_saves_and_the_offered_command_ends_as_an_unbroken_run(
    finished, tmp_path, capsys, monkeypatch, number
) -> None:
    folder, handlers = tmp_path / "run", (signal.getsignal(2), signal.getsignal(15))
    interrupt(monkeypatch, 2, number)
    assert run_in(folder) == 130
    monkeypatch.undo()
    said = capsys.readouterr().err
    assert "stopping after this update; Ctrl-C again ends at once" in said
    assert f"stopped after {2 * ROWS:,} decisions; checkpoint and policies are in {folder}" in said
    assert (signal.getsignal(2), signal.getsignal(15)) == handlers
    assert card_of(folder)["decisions"] == 2 * ROWS
    command = said.split("Go on with: channel-tunnel train ")[1].split()
    assert train.main(command) == 0
    one, other = weights(folder), weights(finished)
    assert all(torch.equal(one[name], other[name]) for name in other)


def test_the_second_ctrl_c_ends_at_once_and_leaves_the_last_checkpoint(tmp_path, capsys, monkeypatch) -> None:
    folder = tmp_path / "run"
    interrupt(monkeypatch, 3, signal.SIGINT, signal.SIGINT)
    assert run_in(folder, "--checkpoint-every", "1e-9") == 130
    monkeypatch.undo()
    assert "stopped at once; checkpoint and policies are in" in capsys.readouterr().err
    assert card_of(folder)["decisions"] == 2 * ROWS  # the third update is lost
    assert (folder / CHECKPOINT).exists() and (folder / PREVIOUS).exists()
    assert resume(folder) == 0
    assert card_of(folder)["decisions"] == 4 * ROWS


def test_ctrl_c_in_the_warm_start_keeps_it_and_the_offered_command_goes_on(tmp_path, capsys, monkeypatch) -> None:
    folder = tmp_path / "run"
    interrupt(monkeypatch, 30, signal.SIGINT)
    assert run_in(folder, "--imitate", "heuristic", "--imitate-decisions", str(4 * ROWS)) == 130
    monkeypatch.undo()
    said = capsys.readouterr()
    assert "of the warm start; checkpoint and policies are in" in said.err
    command = said.err.split("Go on with: channel-tunnel train ")[1].split()
    assert train.main(command) == 0
    said = capsys.readouterr()
    assert "imitated heuristic" in said.err and "more decisions of heuristic" in said.out
    assert card_of(folder)["decisions"] == 4 * ROWS


def test_the_first_line_says_what_will_happen_and_when_it_ends(tmp_path, capsys) -> None:
    taught = ["--imitate", "heuristic", "--imitate-decisions", str(ROWS), "--decisions", str(ROWS)]
    assert run_in(tmp_path / "clock", *taught, "--max-minutes", "30") == 0
    first = " ".join(capsys.readouterr().out.split("  britain")[0].split())
    assert re.match(
        r"Training tiny into \S+: first it imitates 512 decisions of heuristic, for 18 minutes at most, then it plays "
        r"against itself\. It ends after 512 decisions of self-play, or at about \d\d:\d\d, 30 minutes from now\.",
        first,
    )
    assert run_in(tmp_path / "long", "--decisions", str(ROWS), "--max-minutes", "20000") == 0
    shown = capsys.readouterr()
    said = " ".join(shown.out.split())
    assert re.search(r"or at about \d\d \w+, \d\d:\d\d, 20,000 minutes from now\.", said), said
    assert "minutes were over" not in shown.err, "one update used up its decisions, not its time"
    assert run_in(tmp_path / "plain", "--decisions", str(ROWS)) == 0
    first = " ".join(capsys.readouterr().out.split("  britain")[0].split())
    assert first.endswith(": it plays against itself. It ends after 512 decisions of self-play.")


def test_a_config_that_cannot_be_is_refused_before_anything_heavy_is_loaded() -> None:
    """Neither torch nor Stable-Baselines3, which take most of the time until training begins."""
    code = (
        "import sys\n"
        "from channel_tunnel_agents.commands.train import main\n"
        "assert main(['eurotunnel', '--num-games', '8', '--steps', '32']) == 2\n"
        "print([name for name in ('torch', 'stable_baselines3', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout == "[]\n", done.stderr
    assert done.stderr.endswith(": batch_size 512: at most num_games * steps = 256\n")


def test_the_progress_of_a_game_for_many_seats_is_not_one_seats_share_of_wins() -> None:
    out = io.StringIO()
    display = train._Display(ProgressLines(out), make_config({"imitate": None}))
    status = {
        "decisions": 8192, "decisions_per_second": 100.0, "done": 0.1, "rates": {"x": rate_of(1, 7)},
        "first_seat": "austria", "first_seat_wins": 0.0, "seats": 7, "games": 3, "plies": 2100.0,
    }  # fmt: skip
    display.show(status)
    assert "ustria" not in out.getvalue()
    assert "3 games ended, of 2,100 decisions" in out.getvalue()
    display.show(status | {"seats": 2, "first_seat_wins": 0.4, "rates": {"x": rate_of(2, 7)}})
    assert "Austria wins 40 % of self-play" in out.getvalue()


def test_ctrl_c_before_the_training_ends_without_a_traceback(tmp_path, capsys, monkeypatch) -> None:
    def stop(*arguments: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("channel_tunnel_agents.learning.training.TrainingRun.__init__", stop)
    assert run_in(tmp_path / "run") == 130
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "holds no checkpoint yet: begin again" in said


# --- the clock and the device -----------------------------------------------------------------------


def test_a_minute_that_compiling_took_still_trains_one_update_and_says_so(tmp_path, capsys) -> None:
    folder = tmp_path / "run"
    assert run_in(folder, "--max-minutes", "1e-9", "--decisions", "1000000") == 0
    assert "minutes were over within the first update, compiling included" in (capsys.readouterr().err)
    state = torch.load(folder / CHECKPOINT, weights_only=True)
    assert state["updates"] == 1 and json.loads(state["card"])["decisions"] >= ROWS


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--device", "cuda"], "device cuda: torch finds no GPU here; expected auto or cpu"),
        (["--start-from", "mastr"], "did you mean 'master'?"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_before_a_folder_is_made(
    tmp_path, capsys, monkeypatch, words, told
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert run_in(tmp_path / "run", *words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and told in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("game", "agent"), [("carcassonne", "club"), ("tunnel_1987", "club")])
def test_a_run_starts_from_the_policy_of_its_own_game(game: str, agent: str) -> None:
    preset = [game] if game != "tunnel_1987" else []
    config, _ = train.read_arguments([*preset, "--start-from", agent])
    assert config.network == {"carcassonne": "game", "tunnel_1987": "mlp"}[game]
    card = pretrained.load_policy(agent, None, game).card
    assert (config.width, config.depth) == (card["width"], card["depth"])


def test_another_games_policy_is_no_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["carcassonne", "--start-from", "master"]) == 2
    assert "policy 'master': no such policy; known: club, adept, a run folder" in capsys.readouterr().err


def test_a_preset_that_starts_from_a_policy_keeps_its_own_settings() -> None:
    preset = load_config("master")
    assert train.read_arguments(["master"])[0] == preset
    other, _ = train.read_arguments(["master", "--start-from", "club"])
    assert (other.network, other.width) == ("mlp", 128)
