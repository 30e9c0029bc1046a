"""A policy that looks ahead: it finds what the policy alone does not, sees only what its seat sees, and keeps to its time."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pytest
import torch

from channel_tunnel_agents import AgentError, RandomAgent, make_agent
from channel_tunnel_agents.games.tunnel_1987.tree import PuctAgent, PuctSettings
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players.policy.network import SIDE, SeatPolicy
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.search import policy_search
from channel_tunnel_agents.search.policy_search import TRIED, PolicySearchAgent, SearchSettings, TimeBudget
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds, hashed, uniforms, view_seeds
from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from tests.agents.saving import save_untrained
from tests.agents.test_ismcts import AT_THE_CENTRE, SIDES, batch_of, midgames
from tests.games.tunnel_1987.positions import position, record_bytes

QUICK = SearchSettings(worlds=4, depth=3, top=4)


def untrained(seed: int = 0, scale: float = 1.0, width: int = 16) -> TorchAgent:
    """Random weights; `scale` sharpens the policy and the value."""
    torch.manual_seed(seed)
    policies = {}
    for side in c.SEATS:
        policy = SeatPolicy(width, 1).eval()
        with torch.no_grad():
            policy.policy.weight *= scale
            policy.value.weight *= scale
        policies[side] = policy
    return TorchAgent(policies)


# --- what it finds -------------------------------------------------------------------------------


@SIDES
def test_it_sees_a_loss_that_comes_with_the_rivals_answer(me: str, rival: str) -> None:
    """After a pass the rival bores and wins; the gain of every move says who won in its worlds."""
    text = AT_THE_CENTRE.format(me=me, rival=rival).replace("white: 2, black: 1", "black: 1")
    game = position(text)
    policy = untrained()
    tunnels = [i for i, name in enumerate(ACTION_NAMES) if "place" in name and "tunnel" in name]
    with torch.no_grad():
        policy.policies[rival].policy.bias[tunnels] += 30.0
    agent = PolicySearchAgent(policy, SearchSettings(worlds=16, depth=2, top=171))
    found = agent.look_ahead(batch_of(game), np.array([0]))
    gains = dict(zip((ACTION_NAMES[i] for i in found.moves[0]), found.gains[0], strict=True))
    for name in game.legal_actions():
        after = game.clone().play(name)
        if after.is_over:
            assert gains[name] == (1.0 if after.winner == me else -1.0)
    assert gains["pass"] == -1.0


def test_results_are_britains_and_finished_games_count_as_results() -> None:
    """A value that always says 0.3 for Britain; where the game is over, the result stands."""
    policy = untrained()
    for one in policy.policies.values():
        torch.nn.init.zeros_(one.value.weight)
        torch.nn.init.constant_(one.value.bias, 0.3)
    for seat, me in enumerate(c.SEATS):
        game = position(AT_THE_CENTRE.format(me=me, rival=c.SEATS[1 - seat]))
        batch = batch_of(game)
        moves = np.array([game.legal_ids()])
        winning = np.array([game.clone().play(int(i)).winner == me for i in moves[0]])
        worlds = Worlds(batch, np.array([0]), np.arange(2, dtype=np.uint64)[None], moves)
        sign = 1 - 2 * seat
        expected = np.tile(np.where(winning, sign, 0), 2)
        assert (worlds.results() == expected).all()
        assert (worlds.live == np.tile(~winning, 2)).all()
        agent = PolicySearchAgent(policy, SearchSettings(worlds=2, depth=0, top=171))
        found = agent.look_ahead(batch, np.array([0]))
        for move, gain in zip(found.moves[0], found.gains[0], strict=True):
            if move != NO_MOVE:
                won = winning[moves[0] == move][0]
                assert gain == pytest.approx(1.0 if won else 0.3 * sign, abs=5e-3)  # bfloat16
        assert found.values[0] == pytest.approx(0.3)


def test_it_beats_the_policy_it_searches_with() -> None:
    policy = untrained(1)
    agent = PolicySearchAgent(policy, SearchSettings(worlds=4, depth=8, top=8))
    home, away = play_pair(agent, RandomAgent(3), 16, 1, "tiny")
    alone, there = play_pair(policy, RandomAgent(3), 16, 1, "tiny")
    assert home.wins("britain") + away.wins("france") > alone.wins("britain") + there.wins("france")


# --- what it sees --------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
def test_a_world_holds_the_same_hidden_cards_for_every_move_and_every_equal_position(ruleset: str) -> None:
    """World w before the moves is the seat's determinization with seed w."""
    for game in midgames(ruleset, games=2, every=11):
        twin = game.determinize(game.mover, 77)
        batch = batch_of(game, twin)
        moves = np.repeat([[*game.legal_ids()[:3], game.legal_ids()[0], NO_MOVE]], 2, axis=0)
        width = moves.shape[1]
        seeds = np.repeat(hashed(np.arange(3, dtype=np.uint64), 5)[None], 2, axis=0)
        worlds = Worlds(batch, np.arange(2), seeds, moves)
        for w in range(3):
            start = game.determinize(game.mover, int(seeds[0, w] >> np.uint64(1)))
            for m, move in enumerate(moves[0]):
                rows = [(r * 3 + w) * width + m for r in range(2)]
                if move == NO_MOVE:
                    assert not worlds.live[rows].any()
                    assert (worlds.results()[rows] == 0).all()
                    continue
                expected = record_bytes(start.clone().play(int(move)))
                for row in rows:
                    state = worlds.states[row : row + 1]
                    assert b"".join(np.asarray(state[name]).tobytes() for name in state.dtype.names) == expected
        if not game.clone().play(game.legal_ids()[0]).is_over:
            row = 0
            opened = Game.from_states(worlds.states[row : row + 1], game.ruleset)
            assert (worlds.observations[row] == opened.observation(opened.to_play)).all()
            assert (worlds.masks[row] == opened.action_mask).all()
            assert worlds.to_play[row] == opened.mover


def test_worlds_of_a_position_differ_and_so_do_those_of_another_round_or_seed() -> None:
    batch = BatchGame(30, seed=3)
    seen, masks = batch.observations.copy(), batch.masks.copy()
    seeds = view_seeds(seen, masks, 0)
    assert len(set(seeds.tolist())) == 30
    assert set(seeds.tolist()).isdisjoint(view_seeds(seen, masks, 1).tolist())
    words = hashed(seeds[:, None], np.arange(64)[None])
    assert len(set(words.ravel().tolist())) == 30 * 64
    chances = uniforms(hashed(words, 7, 0))
    assert chances.min() >= 0 and chances.max() < 1
    assert chances.mean() == pytest.approx(0.5, abs=0.03)
    after = uniforms(hashed(words, 7, 1))
    assert abs(np.corrcoef(chances.ravel(), after.ravel())[0, 1]) < 0.1


def test_equal_moves_meet_equal_luck() -> None:
    """A move looked at twice gets the same gain: cards, draws and samples are common."""
    agent = PolicySearchAgent(untrained(), SearchSettings(worlds=6, depth=6, top=3))
    game = midgames(games=1, every=23)[1]
    move = game.legal_ids()[0]
    seeds = hashed(np.arange(6, dtype=np.uint64), 1)[None]
    gains, _ = agent._play_on(batch_of(game), np.array([0]), seeds, np.array([[move] * 3]))
    # Rows stand in different places of the matrix products: equal but for rounding.
    assert np.allclose(gains, gains[:, :, :1], atol=1e-6)
    assert len(set(gains[0, :, 0].tolist())) > 1


# --- how far it looks ----------------------------------------------------------------------------


def test_the_choice_weighs_prior_against_gain() -> None:
    """Next to no temperature: the best gain. A high one: the policy's own move."""
    policy = untrained(scale=3.0)
    batch = batch_of(*midgames(games=3, every=9))
    rows = np.arange(batch.num_games)
    for temperature, by_gain in ((1e-9, True), (1e9, False)):
        settings = SearchSettings(worlds=4, depth=3, top=4, temperature=temperature)
        found = PolicySearchAgent(policy, settings).look_ahead(batch, rows)
        chosen = found.moves == found.actions[:, None]
        if by_gain:
            best = np.where(found.moves == NO_MOVE, -np.inf, found.gains).max(axis=1)
            assert (found.gains[chosen] == best).all()
        else:
            assert (found.actions == policy(batch.observations, batch.masks)).all()
    assert (found.moves[:, 0] == policy(batch.observations, batch.masks)).all()
    assert (found.prior[:, :-1] >= found.prior[:, 1:]).all()


def test_a_time_budget_plays_more_worlds_than_one_round_and_ends() -> None:
    game = midgames(games=1, every=23)[1]
    settings = SearchSettings(worlds=2, depth=2, top=2, milliseconds=300)
    begun = time.perf_counter()
    found = PolicySearchAgent(untrained(), settings).look_ahead(batch_of(game), np.array([0]))
    assert time.perf_counter() - begun < 5
    assert found.worlds[0] > 2
    most = SearchSettings(worlds=2, depth=2, top=2, milliseconds=60_000, most_worlds=6)
    found = PolicySearchAgent(untrained(), most).look_ahead(batch_of(game), np.array([0]))
    assert found.worlds[0] == 6
    hasty = SearchSettings(worlds=2, depth=2, top=2, milliseconds=0.001)
    found = PolicySearchAgent(untrained(), hasty).look_ahead(batch_of(game), np.array([0]))
    assert found.worlds[0] == 2


def test_rounds_add_up_to_the_same_worlds_as_one() -> None:
    batch = batch_of(*midgames(games=1, every=9))
    rows = np.arange(batch.num_games)
    policy = untrained()
    twice = SearchSettings(worlds=3, depth=2, top=3, milliseconds=60_000, most_worlds=6)
    one = PolicySearchAgent(policy, SearchSettings(worlds=6, depth=2, top=3))
    other = PolicySearchAgent(policy, twice).look_ahead(batch, rows)
    assert other.gains == pytest.approx(one.look_ahead(batch, rows).gains, abs=5e-3)


def test_a_decision_with_one_answer_is_not_searched() -> None:
    ruleset = Game().ruleset.with_values({"switches.auto_forced": False})
    batch = BatchGame(64, ruleset, seed=1)
    rng = np.random.default_rng(0)
    while (batch.masks.sum(axis=1) == 1).sum() < 3:
        batch.step([rng.choice(np.flatnonzero(mask)) for mask in batch.masks])
    rows = np.arange(64)
    forced = batch.masks.sum(axis=1) == 1
    found = PolicySearchAgent(untrained(), QUICK).look_ahead(batch, rows)
    assert (found.worlds == np.where(forced, 0, QUICK.worlds)).all()
    assert batch.masks[rows, found.actions].all()
    # Nor does it lend its time to the others: 61 forced rows would give a minute.
    settings = SearchSettings(worlds=2, depth=1, top=2, milliseconds=1000, most_worlds=10**6)
    chosen = np.r_[np.flatnonzero(~forced)[:1], np.repeat(np.flatnonzero(forced)[:1], 60)]
    begun = time.perf_counter()
    PolicySearchAgent(untrained(), settings).search(batch, chosen)
    assert time.perf_counter() - begun < 20


@pytest.mark.parametrize("seat", [0, 1])
def test_a_rival_plays_the_other_seat_only(seat: int, monkeypatch) -> None:
    games = [game for game in midgames(games=3, every=9) if game.mover == seat]
    assert len(games) > 5
    asked: list[np.ndarray] = []  # for whom

    def rival(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        asked.append(observations[:, SIDE].copy())
        return masks.argmax(axis=1)

    rival.name = "note"  # type: ignore[attr-defined]
    settings = SearchSettings(worlds=4, depth=12, top=4)
    agent = PolicySearchAgent(untrained(), settings, rival=rival)  # type: ignore[arg-type]
    step, taken = Worlds.step, []

    def watched(worlds: Worlds, actions: np.ndarray) -> None:
        theirs = (worlds.to_play != seat) & worlds.live
        assert (actions[theirs] == worlds.masks[theirs].argmax(axis=1)).all()
        mine = (worlds.to_play == seat) & worlds.live
        taken.extend((actions[mine] != worlds.masks[mine].argmax(axis=1)).tolist())
        step(worlds, actions)

    monkeypatch.setattr(Worlds, "step", watched)
    agent.search(batch_of(*games), np.arange(len(games)))
    assert asked and (np.concatenate(asked) == 1 - seat).all()
    assert any(taken)  # the searcher's own moves are the policy's, not the rival's


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("ppo:{}@20ms", "only a search takes a budget: ppo-search:{}@20ms"),
        ("ppo-sample:{}@20ms", "only a search takes a budget: ppo-search:{}@20ms"),
        ("ppo-search:{}@0ms", "0 ms per decision: more than 0"),
        ("ppo-search:{}@1.2.3ms", "could not convert"),
    ],
)
def test_a_wrong_budget_in_a_name_is_refused(tmp_path, spec: str, reason: str) -> None:
    save_untrained(tmp_path, 16, 1, "standard")
    assert make_agent(f"ppo-search:{tmp_path}@20ms").settings.milliseconds == 20
    with pytest.raises(AgentError) as caught:
        make_agent(spec.format(tmp_path))
    assert reason.format(tmp_path) in str(caught.value)


def test_a_finished_row_is_left_where_it_is() -> None:
    """Rows of worlds whose game is over wait while the others go on."""
    game = position(AT_THE_CENTRE.format(me="britain", rival="france"))
    moves = np.array([game.legal_ids()])
    worlds = Worlds(batch_of(game), np.array([0]), np.zeros((1, 1), np.uint64), moves)
    over = ~worlds.live
    assert over.any() and not over.all()
    before = worlds.states[over].copy()
    actions = np.where(over, NO_MOVE, worlds.masks.argmax(axis=1))
    worlds.step(actions)
    assert (worlds.states[over] == before).all()  # by field: the padding between them is anything
    assert (worlds.states["phase"][over] == c.OVER).all()


# --- the budget -------------------------------------------------------------------------------------


class Clock:
    """A clock that goes on command."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        monkeypatch.setattr(policy_search.time, "perf_counter", lambda: self.seconds)

    def wait(self, milliseconds: float) -> None:
        self.seconds += milliseconds / 1000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.mark.parametrize(("decisions", "rounds"), [(1, 3), (2, 6)])
def test_rounds_are_added_while_they_fit(clock: Clock, decisions: int, rounds: int) -> None:
    time = TimeBudget("agent", 31.0)
    time.begin(decisions)
    done = 0
    while True:
        clock.wait(10)
        done += 16
        if not time.fits_another(done, 16):
            break
    assert done == 16 * rounds


def first_rounds(clock: Clock, taking: list[float]) -> list[str]:
    """What a budget of 8 ms says, where the first rounds of its decisions take `taking` milliseconds."""
    time = TimeBudget("master-search@8ms", 8.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for milliseconds in taking:
            time.begin()
            clock.wait(milliseconds)
            time.fits_another(16, 16)
    return [str(each.message) for each in caught]


def test_a_budget_too_small_for_one_round_is_told_once_with_what_it_takes(clock: Clock) -> None:
    assert first_rounds(clock, [900, 13, 12] + [14] * 5) == [
        "agent 'master-search@8ms': 8 ms is too little for one round of its search, "
        "which takes 12 ms here; it plays one round all the same"
    ]


@pytest.mark.parametrize("taking", [[900, 13, 7, 14, 14, 14], [900, 900]])
def test_a_slow_start_alone_is_no_small_budget(clock: Clock, taking: list[float]) -> None:
    assert not first_rounds(clock, taking)


@pytest.mark.parametrize(
    "agent",
    [
        PolicySearchAgent(untrained(), SearchSettings(worlds=2, depth=2, top=2, milliseconds=0.001)),
        PuctAgent(untrained(), PuctSettings(leaves=2, milliseconds=0.001)),
    ],
    ids=["rollouts", "tree"],
)
def test_a_search_warns_and_plays_on(agent: PolicySearchAgent | PuctAgent) -> None:
    batch = batch_of(*midgames(games=1, every=9))
    wide = np.flatnonzero(batch.masks.sum(axis=1) > 3)
    assert len(wide) > TRIED
    with pytest.warns(RuntimeWarning, match=r"0\.001 ms is too little for one round") as caught:
        for row in wide:
            agent.search(batch, np.array([row]))
    told = [one for one in caught if "too little for one round" in str(one.message)]
    assert len(told) == 1
