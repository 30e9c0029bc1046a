"""OpenSpiel: its bots and evaluators on this game, and the same game as the engine plays it."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts
from open_spiel.python.bots import uniform_random

import channel_tunnel_env.envs.openspiel  # noqa: F401  (registers the game)
from channel_tunnel_env import Game

SEED = 7
SIMULATIONS = 3  # a decision; a real search takes hundreds


class Search(ismcts.ISMCTSBot):
    """OpenSpiel's IS-MCTS with the method that its evaluator asks for."""

    def restart_at(self, state: pyspiel.State) -> None:
        self.reset()


game = pyspiel.load_game(f"channel_tunnel(ruleset=tiny,seed={SEED})")
rng = np.random.RandomState(SEED)

# Random play, decision by decision beside the engine: the same luck, legal actions, views and results.
state = game.new_initial_state()
state.apply_action(state.legal_actions()[0])  # the chance node: deals by the seed
twin = Game("tiny", SEED)
while not state.is_terminal():
    player = state.current_player()
    assert state.legal_actions() == twin.legal_ids()
    assert np.array_equal(state.information_state_tensor(player), twin.observation(player))
    action = int(rng.choice(state.legal_actions()))
    state.apply_action(action)
    twin.play(action)
assert state.returns() == [1.0 if side == twin.winner else -1.0 for side in ("britain", "france")]

# A game between two bots. IS-MCTS deals anew what its seat cannot see before every simulation.
rollouts = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
search = Search(game, rollouts, uct_c=1.4, max_simulations=SIMULATIONS, random_state=rng)
bots = [search, uniform_random.UniformRandomBot(1, rng)]
returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)

print(f"{len(state.history())} decisions alike; IS-MCTS against random: {returns}")
