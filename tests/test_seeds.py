"""Every seed that a caller gives is looked at before anything is done with it, in one place and with one answer."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import channel_tunnel_env
from channel_tunnel_agents import HeuristicAgent, IsmctsAgent, evaluate, make_agent, make_plain_agent
from channel_tunnel_agents.balance.changing.sweep import Sweep
from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.matches.tournament import Tournament
from channel_tunnel_agents.players.scripted import RandomAgent
from channel_tunnel_agents.rulesets.held_apart import train_rulesets
from channel_tunnel_env import BatchGame, Game, PositionError
from channel_tunnel_env.__main__ import main
from channel_tunnel_env.core.whole_numbers import MAX_SEED
from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.opponents import RandomOpponent, make_opponent
from channel_tunnel_env.envs.sb3 import SeatVecEnv, SelfPlayVecEnv
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv
from channel_tunnel_env.testing import check_game, check_ruleset

ROWS = 3
RULES = channel_tunnel_env.load_ruleset("tiny")
GAMES = ["tiny", "carcassonne", "eurotunnel"]
TRACK = "rules-v1"
NO_SEEDS: list[Any] = [-1, 2**63, 2**70, 1.0, float("nan"), "3", b"3", True, np.True_]
SAME_SEEDS: list[Any] = [3, np.int64(3), np.uint8(3), np.array(3)]


def self_play(ruleset: Any = RULES, **settings: Any) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(ROWS, ruleset, credit="per_seat", **settings)


def seeded(env: Any, seed: Any) -> Any:
    """A vector environment of Stable-Baselines3 whose next games are dealt from a seed."""
    env.seed(seed)
    return env.reset()


def state_of(env: Any, seed: Any) -> Any:
    """What all agents of a PettingZoo environment see in a game with a seed."""
    env.reset(seed=seed)
    return env.state()


# What takes a seed -> what it deals, as something that can be compared.
TAKES: dict[str, Callable[[Any], Any]] = {
    "Game": lambda seed: Game(RULES, seed).states,
    "Game.reset": lambda seed: Game(RULES, 1).reset(seed).states,
    "Game.determinize": lambda seed: Game(RULES, 1).determinize(0, seed).states,
    "BatchGame": lambda seed: BatchGame(ROWS, RULES, seed).records,
    "BatchGame.row_seeds": lambda seed: BatchGame(ROWS, RULES, 1).row_seeds(seed),
    "ChannelTunnelEnv.reset": lambda seed: ChannelTunnelEnv(RULES).reset(seed=seed)[0],
    "MaskInObservation.reset": lambda seed: MaskInObservation(ChannelTunnelEnv(RULES)).reset(seed=seed)[0][
        "observation"
    ],
    "ChannelTunnelVectorEnv.reset": lambda seed: ChannelTunnelVectorEnv(ROWS, RULES).reset(seed=seed)[0],
    "SeatVecEnv": lambda seed: SeatVecEnv(ROWS, RULES, seed=seed).reset(),
    "SeatVecEnv.seed": lambda seed: seeded(SeatVecEnv(ROWS, RULES), seed),
    "SelfPlayVecEnv": lambda seed: self_play(seed=seed).reset(),
    "SelfPlayVecEnv.seed": lambda seed: seeded(self_play(), seed),
    "raw_env.reset": lambda seed: state_of(channel_tunnel_env.raw_env(ruleset=RULES), seed),
    "env.reset": lambda seed: state_of(channel_tunnel_env.env(ruleset=RULES), seed),
    "parallel_env.reset": lambda seed: channel_tunnel_env.parallel_env(ruleset=RULES).reset(seed=seed)[0]["britain_0"][
        "observation"
    ],
    "simultaneous_env.reset": lambda seed: channel_tunnel_env.simultaneous_env().reset(seed=seed)[0]["turkey_6"][
        "observation"
    ],
    "RandomOpponent": lambda seed: RandomOpponent(seed)(np.zeros(0), np.ones((9, 99), bool)),
    "make_opponent": lambda seed: make_opponent("random", seed, RULES)(  # type: ignore[operator]
        np.zeros(0), np.ones((9, 99), bool)
    ),
    "make_agent": lambda seed: make_agent("random", RULES, seed)(  # type: ignore[operator]
        np.zeros(0), np.ones((9, 99), bool)
    ),
    "make_plain_agent": lambda seed: make_plain_agent("heuristic", RULES, seed).name,
    "IsmctsAgent": lambda seed: IsmctsAgent(8, seed=seed).seed,
    "HeuristicAgent": lambda seed: HeuristicAgent(seed=seed)(
        BatchGame(1, RULES, 1).observations, BatchGame(1, RULES, 1).masks
    ),
    "Sweep": lambda seed: Sweep(("discs.hand=4,5",), seed=seed).seed,
    "play_match": lambda seed: play_match(RandomAgent(0), RandomAgent(1), 4, seed, RULES).winners,
    "evaluate": lambda seed: evaluate("random", "random", 4, ruleset=RULES, seed=seed)[0].points,
    "Tournament": lambda seed: Tournament(("random", "heuristic"), seed=seed).seed,
    "TrainConfig": lambda seed: TrainConfig(seed=seed).seed,
    "train_rulesets": lambda seed: train_rulesets(TRACK, 1, seed)[0].digest,
    "check_ruleset": lambda seed: check_ruleset(RULES, 2, seed).decisions,
    "check_game": lambda seed: check_game("tunnel_1987", games=1, seed=seed, interpreted=False).problems,
}


@pytest.mark.parametrize("seed", NO_SEEDS, ids=repr)
@pytest.mark.parametrize("name", TAKES)
def test_what_is_no_seed_is_refused_in_one_line(name: str, seed: Any) -> None:
    with pytest.raises(ValueError, match="seed") as caught:
        TAKES[name](seed)
    if name != "TrainConfig":  # which says it in the words of its file, with a bound of its own
        expected = f"seed {seed!r:.60}: seeds are whole numbers from 0 to 2**63 - 1"
        assert str(caught.value) == expected


@pytest.mark.parametrize("name", TAKES)
def test_a_number_of_numpy_is_the_same_seed(name: str) -> None:
    one, *others = (TAKES[name](seed) for seed in SAME_SEEDS)
    for other in others:
        assert np.array_equal(one, other)


@pytest.mark.parametrize("seed", [0, MAX_SEED])
@pytest.mark.parametrize("name", sorted(TAKES.keys() - {"TrainConfig", "check_game"}))
def test_the_first_and_the_last_seed_deal(name: str, seed: int) -> None:
    TAKES[name](seed)


@pytest.mark.parametrize(
    "words",
    [
        ["play"],
        ["check", "tiny"],
        ["generate", "--out", "x"],
        ["tournament", "random", "heuristic"],
        ["report", "--out", "x"],
        ["compare", "standard", "agenda"],
        ["sweep", "--param", "discs.hand=4,5", "--out", "x"],
        ["exploit", "random"],
        ["train", "smoke"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("seed", [-1, 2**63])
def test_commands_refuse_what_is_no_seed(
    words: list[str], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, before a folder is made."""
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--seed", str(seed)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and str(seed) in said[0] and "seed" in said[0]
    assert not list(tmp_path.iterdir())


# --- a refused seed changes nothing -----------------------------------------------------------------


def snapshots() -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    """What has begun, with the call that takes a seed."""
    raw, single = channel_tunnel_env.raw_env(ruleset=RULES), ChannelTunnelEnv(RULES, side="both")
    vector, seat, batch = ChannelTunnelVectorEnv(ROWS, RULES), SeatVecEnv(ROWS, RULES), None
    batch = BatchGame(ROWS, RULES, 5)
    game = Game(RULES, 5)
    raw.reset(seed=5)
    for env in (single, vector):
        env.reset(seed=5)
    seat.seed(5)
    return {
        "Game": (game, game.reset),
        "BatchGame": (batch, batch.reset),
        "raw_env": (raw, lambda seed: raw.reset(seed=seed)),
        "ChannelTunnelEnv": (single, lambda seed: single.reset(seed=seed)),
        "ChannelTunnelVectorEnv": (vector, lambda seed: vector.reset(seed=seed)),
        "SeatVecEnv": (seat, seat.seed),
    }


def after(thing: Any) -> bytes:
    """What a thing deals next."""
    if isinstance(thing, Game):
        return bytes(thing.states.tobytes())
    if isinstance(thing, BatchGame):
        thing.reset()
        return bytes(thing.records.tobytes())
    answer = thing.reset()
    if answer is None:
        return bytes(thing.state().tobytes())
    return bytes((answer[0] if isinstance(answer, tuple) else answer).tobytes())


@pytest.mark.parametrize("seed", [-1, 2**63, "3"])
@pytest.mark.parametrize("name", snapshots())
def test_a_refused_seed_changes_nothing_that_comes(name: str, seed: Any) -> None:
    (asked, reset), (other, _) = snapshots()[name], snapshots()[name]
    with pytest.raises(ValueError, match="seed"):
        reset(seed)
    assert after(asked) == after(other)


@pytest.mark.parametrize("name", ["raw_env", "ChannelTunnelEnv"])
def test_a_refused_position_changes_nothing_that_comes(name: str) -> None:
    (asked, _), (other, _) = snapshots()[name], snapshots()[name]
    with pytest.raises(PositionError):
        asked.reset(seed=9, options={"position": {"nothing": 1}})
    assert after(asked) == after(other)


# --- a seed for each row ----------------------------------------------------------------------------

WRONG_LISTS: list[Any] = [
    [1, 2],
    [1, 2, 3, 4],
    [],
    [1, 2, -1],
    [1, 2, 2**63],
    [1, 2, 2**70],
    [1.0, 2, 3],
    ["1", 2, 3],
    [True, 2, 3],
    [1, 2, [3]],
    [[1], [2], [3, 4]],
    np.array([1.0, 2.0, 3.0]),
    np.array([1, 2, 2**63], np.uint64),
    np.array([True, False, True]),
]


@pytest.mark.parametrize("seeds", [*WRONG_LISTS, [1, None, 3], 5, "123", [[1, 2]] * ROWS], ids=repr)
def test_a_batch_takes_one_seed_for_each_row(seeds: Any) -> None:
    batch = BatchGame(ROWS, RULES, 5)
    before = batch.records.tobytes()
    with pytest.raises(ValueError, match="seeds") as caught:
        batch.reset(seeds=seeds)
    assert "\n" not in str(caught.value)
    assert batch.records.tobytes() == before


def vectors(ruleset: Any = "tiny", **settings: Any) -> tuple[Any, Any]:
    """This vector environment, and Gymnasium's own of as many single ones."""
    name = "ChannelTunnel-v1"
    ours = gymnasium.make_vec(name, ROWS, ruleset=ruleset, **settings)
    theirs = gymnasium.make_vec(name, ROWS, vectorization_mode="sync", ruleset=ruleset, **settings)
    assert isinstance(ours, ChannelTunnelVectorEnv)
    return ours, theirs


@pytest.mark.parametrize("seeds", WRONG_LISTS, ids=repr)
def test_a_vector_environment_takes_one_seed_for_each_row(seeds: Any) -> None:
    ours, _ = vectors()
    ours.reset(seed=5)
    before = ours.seated.batch.records.tobytes()
    with pytest.raises(ValueError, match="seed") as caught:
        ours.reset(seed=seeds)
    assert "\n" not in str(caught.value)
    assert ours.seated.batch.records.tobytes() == before


@pytest.mark.parametrize("seed", [[5, 5, 9], (0, 1, 2**40), np.array([7, 7, 7]), range(3), [MAX_SEED, 0, 1]], ids=repr)
@pytest.mark.parametrize("game", GAMES)
def test_rows_are_dealt_as_gymnasiums_own_vector_environment_deals_them(game: str, seed: Any) -> None:
    ours, theirs = vectors(game)
    seen, info = ours.reset(seed=seed)
    expected, known = theirs.reset(seed=np.asarray(seed).tolist())
    np.testing.assert_array_equal(seen, expected)
    np.testing.assert_array_equal(info["action_mask"], known["action_mask"])
    assert [env.unwrapped.game.seed for env in theirs.envs] == ours.seated.batch.states.seed.tolist()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("side", ["first", "both"])
def test_equal_seeds_give_equal_rows_against_who_draws_no_lots(game: str, side: str) -> None:
    """Over several games of each row."""

    def last_legal(seen: np.ndarray, masks: np.ndarray) -> Sequence[int]:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    own = None if side == "first" else side
    rows = 1 + len(Game(game, 0).seats)
    env = ChannelTunnelVectorEnv(rows, game, own, last_legal, autoreset_mode="SameStep")
    seats = env.seated.seats.tolist()
    twins = [(0, row) for row in range(1, rows) if seats[row] == seats[0]]
    seen, info = env.reset(seed=[7] * rows)
    for _ in range(100):
        for one, other in twins:
            np.testing.assert_array_equal(seen[one], seen[other])
        seen, _, _, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert twins


def test_what_follows_a_list_of_seeds_follows_from_it() -> None:
    """Whatever the environments were made with."""
    one, other, third = (vectors()[0] for _ in range(3))
    for env, seeds in ((one, [5, 5, 9]), (other, [5, 5, 9]), (third, [5, 5, 8])):
        env.reset(seed=seeds)
    follows = one.reset()[0]
    np.testing.assert_array_equal(other.reset()[0], follows)
    assert (third.reset()[0] != follows).any()


def test_one_seed_deals_a_row_the_same_for_every_number_of_rows() -> None:
    few, many = (gymnasium.make_vec("ChannelTunnel-v1", n, ruleset="tiny") for n in (2, 5))
    few.reset(seed=5)
    many.reset(seed=5)
    dealt = BatchGame(2, RULES, 5).states.seed.tolist()
    for env in (few, many):
        assert env.seated.batch.states.seed[:2].tolist() == dealt  # type: ignore[attr-defined]


def test_a_row_without_a_seed_goes_on() -> None:
    one, other = vectors()[0], vectors()[0]
    one.reset(seed=5)
    other.reset(seed=5)
    goes_on = one.reset()[0]
    seen = other.reset(seed=[None, 6, None])[0]
    np.testing.assert_array_equal(seen[[0, 2]], goes_on[[0, 2]])
    np.testing.assert_array_equal(seen[1], vectors()[0].reset(seed=[6, 6, 6])[0][1])


def test_only_the_rows_that_are_reset_take_their_seeds_and_opponents() -> None:
    def make() -> Any:
        return ChannelTunnelVectorEnv(ROWS, RULES, opponent=["random", "random", "random"])

    env, mask = make(), np.array([False, True, False])
    env.reset(seed=5)
    before, members = env.seated.batch.records.copy(), env.seated._opponent_of.copy()
    for attempt in range(20):  # the chance that the same opponents are drawn again is small
        env.reset(seed=[attempt, 6, attempt], options={"reset_mask": mask})
        after = env.seated.batch.records
        assert (after[~mask] == before[~mask]).all()
        assert int(after["seed"][1]) == int(make_row(6))
        assert (env.seated._opponent_of[~mask] == members[~mask]).all()


def make_row(seed: int) -> int:
    """The seed of the game that a single environment deals first."""
    env = ChannelTunnelEnv(RULES)
    env.reset(seed=seed)
    return env.game.seed


def test_the_seed_of_a_batch_drawn_from_the_system_is_copied_with_it() -> None:
    """It is larger than any seed that is given."""
    batch = BatchGame(ROWS, RULES)
    twin = copy.deepcopy(batch)
    batch.reset()
    twin.reset()
    assert batch.records.tobytes() == twin.records.tobytes()
