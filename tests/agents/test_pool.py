"""Past selves: who is drawn, what their games teach, when they come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents.learning.pool import FLOOR, MEMORY, SnapshotPool
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.agents.saving import save_untrained

TINY = load_ruleset("tiny")
BRITAIN, FRANCE = 0, 1


def make_pool(folder: Path, slots: int = 2, names: tuple[str, ...] = (), games: int = 16):
    """A pool of untrained snapshots beside one scripted rival; a rival in every row."""
    env = SelfPlayVecEnv(
        games, TINY, seed=1, rivals=[RandomOpponent(1), *[None] * slots], rival_share=1.0, credit="zero_sum"
    )
    pool = SnapshotPool(folder, env, slots, TINY)
    for name in names:
        save_untrained(folder / name, 4, 1)
        pool.add(name)
    return env, pool


def rows_of(env: SelfPlayVecEnv, place: int, seat: int) -> np.ndarray:
    """Rows in which the rival at a place holds a seat."""
    return np.flatnonzero((env.rival_of == place) & (env.rival_seat == seat))


def test_uncertain_snapshots_are_drawn_most_and_none_is_forgotten(tmp_path) -> None:
    _, pool = make_pool(tmp_path, names=("even", "beaten", "feared"))
    pool.rates = {"even": [0.5, 1.0], "beaten": [1.0, 0.5], "feared": [0.0, 0.0]}
    as_britain, as_france = pool.weights(BRITAIN), pool.weights(FRANCE)
    assert as_britain == pytest.approx(np.array([FLOOR + 0.25, FLOOR, FLOOR]) / (3 * FLOOR + 0.25))
    assert as_france == pytest.approx(np.array([FLOOR, FLOOR + 0.25, FLOOR]) / (3 * FLOOR + 0.25))


def test_each_seat_is_drawn_by_itself_and_as_often_as_it_weighs(tmp_path, monkeypatch) -> None:
    _, pool = make_pool(tmp_path, slots=1, names=("a", "b"))
    monkeypatch.setattr(pool, "_seat", lambda slot, names: drawn.append(tuple(names)))
    pool.rates = {"a": [0.5, 1.0], "b": [1.0, 0.5]}
    drawn: list[tuple[str, str]] = []
    rng = np.random.default_rng(0)
    for _ in range(2000):
        pool.draw(rng)
    share = (FLOOR + 0.25) / (2 * FLOOR + 0.25)  # of "a" as Britain, of "b" as France
    assert np.mean([britain == "a" for britain, _ in drawn]) == pytest.approx(share, abs=0.04)
    assert np.mean([france == "b" for _, france in drawn]) == pytest.approx(share, abs=0.04)
    both = np.mean([pair == ("a", "b") for pair in drawn])
    assert both == pytest.approx(share**2, abs=0.04)  # apart from each other


@pytest.mark.parametrize("seat", [BRITAIN, FRANCE])
@pytest.mark.parametrize("outcome", [1.0, 0.0, -1.0])
def test_the_rate_moves_towards_what_the_learner_got(tmp_path, seat: int, outcome: float) -> None:
    """`outcome` is Britain's; the rate is of the learner, against that snapshot in that seat."""
    env, pool = make_pool(tmp_path, slots=1, names=("old",))
    pool.draw(np.random.default_rng(0))
    row = rows_of(env, 1, seat)[:1]
    pool.count(row, np.zeros(1))  # began against the one before
    assert pool.rates["old"] == [0.5, 0.5]
    pool.count(row, np.array([outcome]))
    learner = outcome if seat == FRANCE else -outcome
    assert pool.rates["old"][seat] == pytest.approx(MEMORY * 0.5 + (1 - MEMORY) * (1 + learner) / 2)
    assert pool.rates["old"][1 - seat] == 0.5


def test_a_game_counts_only_against_the_rival_it_began_with(tmp_path) -> None:
    env, pool = make_pool(tmp_path, slots=1, names=("old",))
    rng = np.random.default_rng(0)
    rows = rows_of(env, 1, BRITAIN)
    pool.draw(rng)
    pool.count(rows, np.full(len(rows), -1.0))
    assert pool.rates["old"] == [0.5, 0.5]  # every one had begun before
    pool.count(rows[:1], np.array([-1.0]))
    assert pool.rates["old"][BRITAIN] > 0.5
    before = pool.rates["old"].copy()
    pool.draw(rng)
    pool.count(rows[:1], np.array([-1.0]))
    assert pool.rates["old"] == before


def test_games_against_scripted_rivals_count_for_nobody(tmp_path) -> None:
    env, pool = make_pool(tmp_path, slots=1, names=("old",))
    pool.draw(np.random.default_rng(0))
    rows = np.concatenate([rows_of(env, 0, seat) for seat in (BRITAIN, FRANCE)])
    for _ in range(3):
        pool.count(rows, np.ones(len(rows)))
    assert pool.rates["old"] == [0.5, 0.5]


def test_empty_places_are_self_play_until_someone_sits_there(tmp_path) -> None:
    env, pool = make_pool(tmp_path, slots=2)
    empty = env.rival_of > 0
    assert empty.any() and (env.self_play == empty).all()
    pool.draw(np.random.default_rng(0))  # no snapshots yet
    assert env.rivals[1:] == [None, None]
    env.reset()
    for _ in range(30):
        env.step(env.action_masks().argmax(axis=1))
        assert not env.rival_rows[empty].any()
    env, pool = make_pool(tmp_path, slots=2, names=("old",))
    pool.draw(np.random.default_rng(0))
    assert not env.self_play.any()
    env.reset()
    acted = np.zeros(env.num_envs, np.bool_)
    for _ in range(30):
        waiting = env.batch.to_play == env.rival_seat
        env.step(env.action_masks().argmax(axis=1))
        assert (env.rival_rows == waiting).all()
        acted |= env.rival_rows
    assert acted.all()


def test_a_pool_is_restored_as_it_was(tmp_path) -> None:
    env, pool = make_pool(tmp_path, names=("a", "b"))
    pool.draw(np.random.default_rng(3))
    rows = np.arange(env.num_envs)
    for _ in range(3):
        pool.count(rows[::2], np.ones(len(rows[::2])))
    state = pool.state()
    other_env, other = make_pool(tmp_path)
    other.restore(state)
    assert other.state() == state
    for place in (1, 2):
        for side in c.SEATS:
            one, two = env.rivals[place].policies[side], other_env.rivals[place].policies[side]
            assert all((a == b).all() for a, b in zip(one.parameters(), two.parameters(), strict=True))


@pytest.mark.heavy
def test_snapshots_come_evenly_and_the_pool_where_its_share_of_the_run_begins(tmp_path, monkeypatch) -> None:
    from channel_tunnel_agents.learning import training
    from tests.agents.test_training import ROWS, eventful

    monkeypatch.setattr(training, "POOL_STAY", 128)  # other past selves every second update
    config = eventful(tmp_path, "run", imitate=None, decisions=20 * ROWS, snapshots=5, pool_from=0.5)
    run = training.TrainingRun(config)
    drawn: list[float] = []
    draw = run.pool.draw
    monkeypatch.setattr(run.pool, "draw", lambda rng: (drawn.append(run.done), draw(rng)))
    run.train()
    kept = [int(name) // ROWS for name in run.pool.names]
    assert kept == [4, 8, 12, 16]
    assert sorted(path.name for path in (run.folder / "snapshots").iterdir()) == run.pool.names
    assert drawn == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9])
