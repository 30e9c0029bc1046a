"""A player that looks ahead, in fifty lines: every move tried in many imagined worlds, played out at random.

`determinize` deals anew what the seat to move cannot know, so the player does not cheat; `clone` tries a move and
leaves the game as it is; `BatchGame.from_games` plays all trials side by side.
"""

import numpy as np

from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.envs.opponents import RandomOpponent

WORLDS = 12
GAMES = 6
rollout = RandomOpponent(seed=1)


def look_ahead(game: Game, seed: int) -> int:
    """The legal action with the best mean result over WORLDS worlds, the same worlds for every action."""
    legal, seat = game.legal_ids(), game.mover
    worlds = [game.determinize(seat, seed + world) for world in range(WORLDS)]
    trials = [world.clone().play(action) for action in legal for world in worlds]
    batch = BatchGame.from_games(trials)
    results = np.array([result_of(trial, seat) for trial in trials])  # of trials that are over already
    while (playing := batch.masks.any(axis=1)).any():
        actions = rollout(batch.observations, np.where(playing[:, None], batch.masks, True))
        batch.step(np.where(playing, actions, -1))  # a game that is over waits
        results += batch.rewards[:, seat]
    means = results.reshape(len(legal), WORLDS).mean(axis=1)
    return legal[int(means.argmax())]


def result_of(game: Game, seat: int) -> float:
    """1 a win, -1 a loss, 0 a draw or a game that goes on."""
    if game.winner is None:
        return 0.0
    return 1.0 if game.winner == ("britain", "france")[seat] else -1.0


rng = np.random.default_rng(2)
wins = 0
for number in range(GAMES):
    game, seat = Game("tiny", seed=number), number % 2  # it plays Britain and France in turn
    while not game.is_over:
        thinks = game.mover == seat
        game.play(look_ahead(game, 1000 * number) if thinks else int(rng.choice(game.legal_ids())))
    wins += result_of(game, seat) > 0
print(f"looking ahead won {wins} of {GAMES} games against random play")
