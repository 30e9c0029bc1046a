"""The OpenSpiel game `channel_tunnel`: its bots, evaluators and tournaments run on the engine.

It is 1987 Channel Tunnel; other games are not served, since OpenSpiel asks for a bound on their decisions.

    import channel_tunnel_env.envs.openspiel  # registers the game
    game = pyspiel.load_game("channel_tunnel(ruleset=standard,seed=7)")

Player 0 is Britain, player 1 France; a player may take several decisions in a row. Returns are +1
and -1, or 0 and 0 for a draw. Actions are the ids of docs/reference/1987/actions.md. The information-state tensor
is `Game.observation`, float32[D] in [0, 1], which holds what its viewer could know with perfect
recall; the string is its digest.

Chance is sampled. One chance node opens the game; its only outcome, `DEAL`, shuffles with the next
seed: `seed`, `seed + 1`, ... for the deals of one loaded game, or from the operating system if
`seed` is -1. Later luck follows from the random streams that the deal starts, so a clone has the
same luck as its original. `resample_from_infostate` deals again all that the player cannot know,
future luck included. Only a search that starts from it, such as IS-MCTS, does not cheat; plain MCTS
on clones would foresee the decks. Methods that enumerate chance outcomes (CFR, best response) do
not apply. OpenSpiel does not pickle games with sampled chance, so games and states cannot be
pickled; `state.play`, the engine's own `Game`, can.

| parameter | default | meaning |
|---|---|---|
| ruleset | "standard" | a name or a YAML path, of 1987 Channel Tunnel |
| seed | -1 | the first deal's seed, 0 and more; -1: from the operating system |

The interface: Lanctot et al. 2019, OpenSpiel, arXiv:1908.09453.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from channel_tunnel_env.core.whole_numbers import MAX_SEED, check_seed
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, SECTIONS
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset

DEAL = 0
ANY_SEED = -1
# Bounds for `max_game_length`, far above what occurs: every disc of both sides placed on its own,
# and each placement followed by a full hand kept, every token looked at, exchanged and spent.
TURNS_IN_A_ROUND = 52
DECISIONS_IN_A_TURN = 32
DIGEST_BYTES = 16

GAME_TYPE = pyspiel.GameType(
    short_name="channel_tunnel",
    long_name="1987 Channel Tunnel (unofficial)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=c.NUM_SEATS,
    min_num_players=c.NUM_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "standard", "seed": ANY_SEED},
)


class Deals:
    """The seeds of a loaded game's deals, in order; all states of the game share them."""

    def __init__(self, ruleset: Ruleset, first: int) -> None:
        self.ruleset = ruleset
        self._seeds: Iterator[int | None] = itertools.repeat(None) if first == ANY_SEED else itertools.count(first)

    def next(self) -> Game:
        """Deal a new game from the next seed."""
        return Game(self.ruleset, next(self._seeds))

    def __deepcopy__(self, memo: dict[int, Any]) -> Deals:
        return self


class ChannelTunnelGame(pyspiel.Game):
    """1987 Channel Tunnel with its ruleset; other games are not served.

    Args:
        params: `ruleset`, a name or a YAML path, and `seed` of the first deal, 0 or more, or -1 for one of the
            operating system.

    Raises:
        RulesetError: a wrong ruleset, or one of another game.
        ValueError: a seed below -1.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen: dict[str, Any] = {"ruleset": "standard", "seed": ANY_SEED} | (params or {})
        seed = chosen["seed"]
        ruleset = load_ruleset(chosen["ruleset"], game=DEFAULT_GAME)
        self.deals = Deals(ruleset, seed if seed == ANY_SEED else check_seed(seed))
        rounds = ruleset.data.limits.max_rounds
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=1,
            num_players=c.NUM_SEATS,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rounds * TURNS_IN_A_ROUND * DECISIONS_IN_A_TURN,
        )
        super().__init__(GAME_TYPE, info, chosen)

    def new_initial_state(self, *_: Any) -> ChannelTunnelState:
        """A state before the deal."""
        return ChannelTunnelState(self)

    def make_py_observer(self, _type: Any = None, params: Any = None) -> ChannelTunnelObserver:
        """The observer of every kind of observation: each is what the player could know.

        Args:
            params: None or empty; there are none.

        Returns:
            A new observer.

        Raises:
            ValueError: parameters were given.
        """
        return ChannelTunnelObserver(params)


class ChannelTunnelState(pyspiel.State):
    """A game before or after its deal; `play` is the engine's own Game, None before.

    Args:
        game: the loaded game, whose next seed the deal takes.
    """

    def __init__(self, game: ChannelTunnelGame) -> None:
        super().__init__(game)
        self.deals = game.deals
        self.play: Game | None = None

    def current_player(self) -> int:
        """0 or 1, the chance player before the deal, or TERMINAL."""
        if self.play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.play.is_over else self.play.mover

    def is_terminal(self) -> bool:
        """The game has ended."""
        return self.play is not None and self.play.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deal; its shuffle is sampled when it is applied.

        Returns:
            One outcome with probability 1.
        """
        return [(DEAL, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        if self.play is None or player != self.play.mover:
            return []
        return self.play.legal_ids()

    def _apply_action(self, action: int) -> None:
        if self.play is None:
            self.play = self.deals.next()
        else:
            self.play.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return "deal" if player == pyspiel.PlayerId.CHANCE else ACTION_NAMES[action]

    def returns(self) -> list[float]:
        """+1 to the winner and -1 to the loser; zeros before the end and after a draw."""
        winner = None if self.play is None else self.play.winner
        return [0.0 if winner is None else 1.0 if side == winner else -1.0 for side in c.SEATS]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ChannelTunnelState:
        """A state that `player` cannot tell from this one, with everything else dealt again.

        Args:
            player: 0 or 1.
            sampler: uniform in [0, 1); drawn once, for the seed of the new deal.

        Returns:
            A new state.
        """
        other: ChannelTunnelState = self.clone()
        if self.play is not None:
            other.play = self.play.determinize(player, int(sampler() * MAX_SEED))
        return other

    def __str__(self) -> str:
        return "before the deal" if self.play is None else self.play.render()


class ChannelTunnelObserver:
    """What a player sees, as OpenSpiel's PyObserver: `tensor` and, by section, `dict`.

    Args:
        params: None or empty; there are none.

    Raises:
        ValueError: parameters were given.
    """

    def __init__(self, params: Any = None) -> None:
        if params:
            raise ValueError(f"observer parameters {params}: expected no parameters")
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {section.name: self.tensor[section.slice] for section in SECTIONS}

    def set_from(self, state: ChannelTunnelState, player: int) -> None:
        """Fill `tensor` with the player's view; zeros before the deal.

        Args:
            state: of this game.
            player: 0 or 1.
        """
        self.tensor[:] = 0.0 if state.play is None else state.play.observation(player)

    def string_from(self, state: ChannelTunnelState, player: int) -> str:
        """The seat and a digest of the player's view; equal if the views are equal.

        Args:
            state: of this game.
            player: 0 or 1.

        Returns:
            Such as "britain 0f3a...".
        """
        self.set_from(state, player)
        digest = hashlib.blake2b(self.tensor.tobytes(), digest_size=DIGEST_BYTES)
        return f"{c.SEATS[player]} {digest.hexdigest()}"


pyspiel.register_game(GAME_TYPE, ChannelTunnelGame)
