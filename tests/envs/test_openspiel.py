"""The OpenSpiel game is the engine's game: same luck, same choices, same views, same results."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env import Game, IllegalActionError, RulesetError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, SECTION_BY_NAME

pyspiel = pytest.importorskip("pyspiel")

from channel_tunnel_env.envs import openspiel  # noqa: E402


def load(ruleset: str = "tiny", seed: int = 7):
    return pyspiel.load_game(f"channel_tunnel(ruleset={ruleset},seed={seed})")


def dealt(game):
    state = game.new_initial_state()
    state.apply_action(openspiel.DEAL)
    return state


def midway(game, decisions: int = 12, seed: int = 1):
    """A state some random decisions after the deal."""
    state, rng = dealt(game), np.random.default_rng(seed)
    for _ in range(decisions):
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert not state.is_terminal()
    return state


@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
def test_random_games_are_the_engines_own(ruleset: str) -> None:
    game, rng = load(ruleset, seed=100), np.random.default_rng(0)
    for seed in range(100, 105):
        state, twin = dealt(game), Game(ruleset, seed)
        while not state.is_terminal():
            player = state.current_player()
            assert c.SEATS[player] == twin.to_play
            assert state.legal_actions() == twin.legal_ids()
            assert state.legal_actions_mask() == twin.action_mask.tolist()
            for viewer in range(2):
                seen = np.asarray(state.information_state_tensor(viewer), np.float32)
                assert np.array_equal(seen, twin.observation(viewer))
            action = int(rng.choice(state.legal_actions()))
            assert state.action_to_string(player, action) == ACTION_NAMES[action]
            state.apply_action(action)
            twin.play(action)
        assert twin.is_over
        wanted = [0.0 if twin.winner is None else 1.0 if s == twin.winner else -1.0 for s in c.SEATS]
        assert state.returns() == wanted
        assert len(state.history()) <= game.max_game_length()


def test_the_deals_of_a_loaded_game_follow_one_another() -> None:
    game = load(seed=7)
    assert [dealt(game).play.seed for _ in range(3)] == [7, 8, 9]
    anew = load(seed=openspiel.ANY_SEED)
    assert len({dealt(anew).play.seed for _ in range(5)}) == 5


def test_the_deal_is_the_only_chance_node_and_has_one_outcome() -> None:
    state = load().new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(openspiel.DEAL, 1.0)]
    assert not state.information_state_tensor(0)[0]
    assert state.returns() == [0.0, 0.0]
    state.apply_action(openspiel.DEAL)
    assert not state.is_chance_node()


def test_a_clone_meets_the_same_luck_and_leaves_its_original_alone() -> None:
    state, rng = midway(load("standard")), np.random.default_rng(3)
    before = state.information_state_string(0)
    first, second = state.clone(), state.clone()
    while not first.is_terminal():
        action = int(rng.choice(first.legal_actions()))
        first.apply_action(action)
        second.apply_action(action)
    assert second.returns() == first.returns()
    assert second.history() == first.history()
    assert state.information_state_string(0) == before


@pytest.mark.parametrize("player", [0, 1])
def test_resampling_keeps_what_the_player_knows_and_deals_the_rest_anew(player: int) -> None:
    state, rng = midway(load("standard")), np.random.default_rng(5)
    worlds = [state.resample_from_infostate(player, rng.random) for _ in range(8)]
    for world in worlds:
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.current_player() == state.current_player()
        assert world.history() == state.history()
    decks = {str(world.play.to_position()["deck"]) for world in worlds}
    assert len(decks) == len(worlds), "the deck was not dealt anew"


def test_information_states_tell_apart_what_a_player_can_tell_apart() -> None:
    state = dealt(load("standard"))
    assert state.information_state_string(0) != state.information_state_string(1)
    after = {state.child(a).information_state_string(0) for a in state.legal_actions()}
    assert len(after) == len(state.legal_actions())


def test_the_observer_names_the_sections() -> None:
    from open_spiel.python.observation import make_observation

    game = load("standard")
    state, observation = dealt(game), make_observation(game)
    observation.set_from(state, 1)
    assert observation.tensor.shape == (OBSERVATION_SIZE,)
    hand = state.play.observation(1)[SECTION_BY_NAME["own_discs"].slice]
    assert np.array_equal(observation.dict["own_discs"], hand)
    with pytest.raises(ValueError, match="expected no parameters"):
        make_observation(game, params={"wide": True})


def test_the_game_declares_itself() -> None:
    game = load()
    assert (game.num_players(), game.num_distinct_actions()) == (2, NUM_ACTIONS)
    assert game.information_state_tensor_shape() == [OBSERVATION_SIZE]
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1.0, 1.0, 0.0)
    assert game.get_parameters() == {"ruleset": "tiny", "seed": 7}


def test_openspiels_search_and_evaluator_run_on_it() -> None:
    from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts
    from open_spiel.python.bots import uniform_random

    class Search(ismcts.ISMCTSBot):
        def restart_at(self, state) -> None:
            self.reset()

    def play() -> list[float]:
        game, rng = load(), np.random.RandomState(0)
        rollouts = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
        search = Search(game, rollouts, uct_c=1.4, max_simulations=2, random_state=rng)
        # OpenSpiel's own sampler of worlds is seeded by the clock.
        search.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
        bots = [search, uniform_random.UniformRandomBot(1, rng)]
        return evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)

    returns = play()
    assert sorted(returns) == [-1.0, 1.0]
    assert play() == returns  # by the seeds alone


def test_wrong_parameters_and_actions_say_what_is_wrong() -> None:
    with pytest.raises(RulesetError, match="nope"):
        load("nope")
    with pytest.raises(ValueError, match="seed -5"):
        load(seed=-5)
    with pytest.raises(IllegalActionError, match="is not legal"):
        dealt(load()).apply_action(ACTION_NAMES.index("track none"))


@pytest.mark.parametrize("ruleset", ["carcassonne", "eurotunnel"])
def test_rulesets_of_other_games_are_refused_by_name(ruleset: str) -> None:
    with pytest.raises(RulesetError, match=f"game: {ruleset}: allowed here: tunnel_1987"):
        load(ruleset)
