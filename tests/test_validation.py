"""Nothing from a file or a caller reaches a kernel unchecked: states, seats, rows, seeds, actions."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import BatchError, BatchGame, Game, RecordError, StateError, load_ruleset
from channel_tunnel_env.core import batch as batch_module
from channel_tunnel_env.core.whole_numbers import whole_numbers
from channel_tunnel_env.games.tunnel_1987.engine.state import STATE_DTYPE


def some_game(moves: int = 12) -> Game:
    game = Game("tiny", 3)
    for _ in range(moves):
        game.play(game.legal_ids()[0])
    return game


def some_batch() -> BatchGame:
    return BatchGame(3, "tiny", 1, observe=False)


# --- states -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        np.copy,
        lambda states: states.tobytes(),
        lambda states: np.frombuffer(states.tobytes(), np.uint8),
        lambda states: states.view(np.recarray),
    ],
    ids=["records", "bytes", "uint8", "recarray"],
)
def test_a_batch_takes_back_its_states_in_each_form(form: Callable[[Any], Any]) -> None:
    batch = some_batch()
    kept, masks = form(batch._states.copy()), batch.masks.copy()
    batch.step(batch.masks.argmax(axis=1))
    assert not np.array_equal(batch.masks, masks)
    batch.restore(kept)
    assert np.array_equal(batch.masks, masks)


def changed(field: str, value: int) -> Callable[[Any], Any]:
    def change(states: Any) -> Any:
        states[field][1] = value
        return states

    return change


WRONG_STATES = [
    (changed("to_play", 127), r"row 1: not a possible state: invariant 19"),
    (changed("tbm", 100), r"row 1: not a possible state: invariant"),
    (changed("deck_size", 120), r"row 1: .*invariant 3 "),
    (changed("slots", 99), r"row 1: .*invariant 3 "),
    (changed("ruleset", 1), r"row 1: .*invariant 30 "),
    (changed("phase", 77), r"row 1: .*invariant 19 "),
    (lambda states: states[:2], r"states of shape \(2,\); expected \(3,\)"),
    (lambda states: states.tobytes()[:-1], r"\d+ bytes; 3 states of this version need \d+"),
    (lambda states: b"", r"0 bytes; 3 states"),
    (lambda states: np.zeros(3), r"float64: states must be an array of"),
    (lambda states: [1, 2, 3], r"list: states must be an array of"),
    (lambda states: None, r"NoneType: states must be an array of"),
]


@pytest.mark.parametrize(("change", "message"), WRONG_STATES, ids=[m[:30] for _, m in WRONG_STATES])
def test_states_that_cannot_be_are_refused_and_change_nothing(change: Callable[[Any], Any], message: str) -> None:
    batch = some_batch()
    before = batch.states.tobytes()
    with pytest.raises(StateError, match=message):
        batch.restore(change(batch._states.copy()))
    assert batch.states.tobytes() == before


def test_a_game_is_made_of_possible_states_only() -> None:
    game = some_game()
    assert Game.from_states(game._states, game.ruleset).legal_ids() == game.legal_ids()
    states = game._states.copy()
    states["turn_space"] = 120
    with pytest.raises(StateError, match="not a possible state: invariant 19"):
        Game.from_states(states, game.ruleset)
    with pytest.raises(StateError, match=r"shape \(2,\); expected \(1,\)"):
        Game.from_states(np.concatenate([states, states]), game.ruleset)


@pytest.mark.parametrize("ruleset", ["standard", "carcassonne", "eurotunnel"])
def test_what_lies_between_the_fields_of_a_record_is_left_behind(ruleset: str) -> None:
    """A copied array holds there whatever lay in memory; no pickle of a game carries it away."""
    game = Game(ruleset, 1)
    clean, fields = game.states.tobytes(), np.zeros(game.states.itemsize, bool)
    for kind, offset, *_ in (game.states.dtype.fields or {}).values():
        fields[offset : offset + kind.itemsize] = True
    assert not fields.all()
    unclean = np.where(fields, np.frombuffer(clean, np.uint8), 0xAB).view(game.states.dtype)
    assert Game.from_states(unclean, game.ruleset).states.tobytes() == clean
    copy = Game.adopt(unclean, game.ruleset)
    copy.play(copy.legal_ids()[0])
    assert copy.record()["actions"] == copy.actions


def test_a_pickle_holds_a_possible_game_only() -> None:
    game = some_game()
    again = pickle.loads(pickle.dumps(game))
    assert again.record() == game.record() and again.legal_ids() == game.legal_ids()
    saved = game.__getstate__()
    states = np.frombuffer(bytearray(saved["states"]), STATE_DTYPE)
    states["slots"] = 90
    for key, value in {
        "states": states.tobytes(),
        "start": b"x",
        "actions": [171],
        "last_seat": 7,
        "ruleset": "tiny",
    }.items():
        with pytest.raises(StateError):
            Game.__new__(Game).__setstate__(saved | {key: value})


def test_actions_that_do_not_fit_make_no_record() -> None:
    """They would be played again unchecked."""
    game = some_game()
    with pytest.raises(RecordError, match="do not lead from its start"):
        Game.from_play(game._states, game.ruleset, [170] * 5).record()
    with pytest.raises(StateError, match=r"action 171: allowed: whole numbers 0 to 170"):
        Game.from_play(game._states, game.ruleset, [171])


# --- numbers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewers", [127, -1, 2, 300, 0.5, "britain", [0, 1], [0, 1, 2], None])
def test_only_seats_observe(viewers: Any) -> None:
    with pytest.raises(ValueError, match="viewers"):
        some_batch().observe(viewers)


@pytest.mark.parametrize("row", [-1, 3, 2**70, 0.5, None])
def test_only_rows_that_are_there_become_games(row: Any) -> None:
    with pytest.raises(ValueError, match=r"row .*allowed: whole numbers 0 to 2"):
        some_batch().game(row)


@pytest.mark.parametrize("rows", [[0, 2, 1], [True, False], 1])
def test_rows_to_reset_are_flags(rows: Any) -> None:
    with pytest.raises(ValueError, match=r"rows: a bool array of shape \(3,\) is needed"):
        some_batch().reset(1, rows=rows)


def test_a_batch_has_a_ruleset() -> None:
    with pytest.raises(ValueError, match="at least one"):
        BatchGame(2, [])


@pytest.mark.parametrize("action", [-1, 171, 2**80, -(2**80), 2.5])
def test_an_action_that_there_is_not_is_named(action: int) -> None:
    game = some_game()
    with pytest.raises(ValueError, match=f"action {action}: (ids run from 0 to 170|a name, or a whole number)"):
        game.play(action)


def test_numbers_are_checked_as_a_whole() -> None:
    assert whole_numbers([[1, 2]], "n", 0, 2).dtype == np.int64
    with pytest.raises(ValueError, match=r"n: entry 1 is 18446744073709551615; allowed"):
        whole_numbers(np.array([1, 2**64 - 1], np.uint64), "n", 0, 2)
    with pytest.raises(ValueError, match=r"n: object; allowed"):
        whole_numbers([10**30], "n", 0, 2)


# --- threads and processes --------------------------------------------------------------------------


def test_a_batch_that_is_being_stepped_is_not_stepped_by_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = some_batch()
    actions = batch.masks.argmax(axis=1)
    inside, leave = threading.Event(), threading.Event()

    def wait(*arguments: Any) -> None:
        inside.set()
        assert leave.wait(60)

    monkeypatch.setattr(batch_module.kernels, "step_batch", wait)
    other = threading.Thread(target=batch.step, args=(actions,))
    other.start()
    assert inside.wait(60)
    for use in (lambda: batch.step(actions), lambda: batch.observe(0), lambda: batch.reset(1)):
        with pytest.raises(BatchError, match="by another thread"):
            use()
    leave.set()
    other.join()
    monkeypatch.undo()
    batch.step(actions)


def test_a_step_that_fails_leaves_the_batch_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = some_batch()
    actions = batch.masks.argmax(axis=1)

    def fail(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch_module.kernels, "step_batch", fail)
    with pytest.raises(KeyboardInterrupt):
        batch.step(actions)
    monkeypatch.undo()
    batch.step(actions)


@pytest.mark.parametrize("how", ["busy", "forked"])
def test_a_reset_that_is_refused_changes_nothing(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch, same = (BatchGame(4, [load_ruleset("tiny"), load_ruleset("standard")], 1, num_threads=2) for _ in "ab")
    with monkeypatch.context() as patched:
        if how == "busy":
            patched.setattr(batch, "_free", [])
        else:
            patched.setattr(batch, "_process", -1)
        with pytest.raises(BatchError):
            batch.reset(9, rulesets=[1, 1, 1, 1])
    np.testing.assert_array_equal(batch.records["ruleset"], same.records["ruleset"])
    batch.reset()
    same.reset()
    assert batch.records.tobytes() == same.records.tobytes(), "the seeds go on as if nothing had been asked"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_forked_child_of_a_threaded_batch_gets_an_error() -> None:
    batch = BatchGame(4, load_ruleset("tiny"), 1, observe=False, num_threads=2)
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a hang ends the child, and the test fails
        try:
            batch.reset(1)
        except BatchError as error:
            os._exit(0 if "did not survive the fork" in str(error) else 3)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    batch.reset(1)
    batch.close()
