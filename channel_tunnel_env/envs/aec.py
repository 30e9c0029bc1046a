"""The PettingZoo AEC environment `channel_tunnel_v0`.

Agents are the seats: `britain_0` and `france_1`, or `player_0`, ..., or `austria_0`, ... An agent may take several decisions in a row (choosing a
card, paying for it, playing on after the other has passed), so read `agent_selection` and never
assume that turns alternate. Britain usually starts.

Observation: {"observation": float32[D], "action_mask": int8[A]}. The mask is also in the
infos. It is all zeros for the agent that is not to move, as in PettingZoo's own games. In
`parallel_env`, where every agent sends an action at every step, that agent's mask allows one action
instead, which is ignored (`idle`).

Rewards: 0 until the end, then +1 and -1; 0 and 0 for a drawn game. Where k of n seats win, each of
them gets (n / k - 1) / (n - 1) and every other one -1 / (n - 1); in Eurotunnel Diplomacy each
power gets its share of 1, as the ruleset scores it. `last()` returns the reward
accumulated since the agent's own last decision, so every agent receives the result.

Ends: every end by the rules is a termination; a stopped game too, because it is scored. Only
`max_cycles` truncates. All agents' infos then hold winner, end cause and scores (`results`).
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.envs.all_seats import (
    Dealer,
    check_max_cycles,
    observation_space,
    results,
)
from channel_tunnel_env.envs.idle import idle_mask
from channel_tunnel_env.envs.registration import VERSION
from channel_tunnel_env.envs.rendering import RENDER_FPS, RENDER_MODES, Renderer
from channel_tunnel_env.envs.results import (
    ILLEGAL_ACTION,
    MAX_CYCLES,
    copy_of_result,
    result_info,
)
from channel_tunnel_env.rulesets.ruleset import AnyRuleset

OBSERVATION, ACTION_MASK = "observation", "action_mask"


def env(**kwargs: Any) -> AECEnv[Any, Any, Any]:
    """`raw_env` behind PettingZoo's customary wrappers: an illegal action loses and ends the game."""
    return _wrapped(raw_env(**kwargs))


def parallel_env(**kwargs: Any) -> Any:
    """The turn-based parallel form: every agent sends an action, only the mover's is used."""
    bare = raw_env(**kwargs)
    bare._off_turn = idle_mask(bare.ruleset.spec)
    return turn_based_aec_to_parallel(_wrapped(bare))


def _wrapped(bare: raw_env) -> AECEnv[Any, Any, Any]:
    wrapped = _IllegalActionLoses(bare, illegal_reward=-1)
    return _InOrder(_InBounds(wrapped))


class _Near(wrappers.BaseWrapper[Any, Any, Any]):
    """A wrapper that reads the bare environment's attributes from it, not through every wrapper between.

    PettingZoo asks for each of them several times a decision, and a wrapper's `__getattr__` is called only after a
    look-up has failed: two thirds of the time of a wrapped decision went there.
    """

    agents = property(attrgetter("_bare.agents"))
    agent_selection = property(attrgetter("_bare.agent_selection"))
    rewards = property(attrgetter("_bare.rewards"))
    terminations = property(attrgetter("_bare.terminations"))
    truncations = property(attrgetter("_bare.truncations"))
    infos = property(attrgetter("_bare.infos"))
    _cumulative_rewards = property(attrgetter("_bare._cumulative_rewards"))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; before the first one `_bare` lacks, so PettingZoo's wrapper answers, which refuses."""
        super().reset(seed=seed, options=options)
        self._bare = self.unwrapped
        self._count = self._bare.ruleset.spec.actions.count

    def __str__(self) -> str:
        return str(self.env)


class _InBounds(_Near, wrappers.AssertOutOfBoundsWrapper[Any, Any, Any]):
    """PettingZoo's wrapper, quicker: gymnasium takes 2 us to find out that a whole number is in a `Discrete`."""

    def step(self, action: Any) -> None:
        """Play the selected agent's action; refused if it is not in its action space."""
        if action.__class__ is int and 0 <= action < self._count:
            self.env.step(action)
        else:
            super().step(action)


class _InOrder(_Near, wrappers.OrderEnforcingWrapper[Any, Any, Any]):
    """PettingZoo's wrapper, quicker."""


class _IllegalActionLoses(_Near, wrappers.TerminateIllegalWrapper[Any, Any, Any]):
    """PettingZoo's wrapper, quicker, except that such an end is only a termination and is in the infos."""

    def step(self, action: Any) -> None:
        """Play the selected agent's action; an illegal one ends the game."""
        ended_before = self._terminated
        super().step(action)
        if self._terminated and not ended_before:
            self.unwrapped._end_by_illegal_action()


class raw_env(AECEnv[Any, Any, Any]):  # noqa: N801 (PettingZoo's name)
    """The bare environment; an illegal action raises IllegalActionError and changes nothing.

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.
        render_mode: None; "ansi": `render()` returns the board as text; "rgb_array": as pixels, uint8
            (height, width, 3); "human": a window shows it. All show what is hidden
            too (spectator view).
        max_cycles: truncate, without result, after this many decisions; None: never.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": f"channel_tunnel_{VERSION}",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        ruleset: AnyRuleset = "standard",
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        super().__init__()
        self.max_cycles = check_max_cycles(max_cycles)
        self._dealer = Dealer(ruleset)
        self.ruleset = self._dealer.ruleset
        spec = self.ruleset.spec
        self._renderer = Renderer(render_mode, spec)
        self.render_mode = render_mode
        self.possible_agents = list(spec.seats.agents(self.ruleset))
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: observation_space(self.ruleset, OBSERVATION, ACTION_MASK)
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(spec.actions.count) for agent in self.possible_agents
        }
        self._decisions = 0
        self._off_turn = np.zeros(
            spec.actions.count, np.int8
        )  # for an agent with nothing to decide
        self._off_turn.flags.writeable = False
        self.game: Game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space, the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Discrete(A)."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: deals `Game(seed=seed)`; later resets without a seed follow from it.
            options: {"position": ...} starts from a position (see `Game.from_position`).
        """
        self.game = self._dealer.deal(seed, options)
        self._decisions = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.possible_agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.possible_agents, 0)
        self.terminations = dict.fromkeys(self.possible_agents, False)
        self.truncations = dict.fromkeys(self.possible_agents, False)
        self.infos = {agent: {ACTION_MASK: self._off_turn} for agent in self.possible_agents}
        self.agent_selection = self.possible_agents[self.game.mover]
        self._select()
        self._renderer.show(self.game)

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None once that agent is done.

        Raises:
            IllegalActionError: the action is illegal; the message says why, nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game = self.game
        game.play(action)
        self._decisions += 1
        self._cumulative_rewards[agent] = 0
        self._select()
        if game.is_over:
            self.rewards = results(game)
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.possible_agents, True)
            self._tell_result(None)
        elif self._decisions == self.max_cycles:
            self.truncations = dict.fromkeys(self.possible_agents, True)
            self._tell_result(MAX_CYCLES)
        self._renderer.show(game)

    def _select(self) -> None:
        """Select the next agent and fill the infos: its mask, and the mask of the waiting agent."""
        game = self.game
        infos = self.infos.copy()  # those of the others, who wait on, stay
        infos[self.agent_selection] = {ACTION_MASK: self._off_turn}
        self.agent_selection = mover = self.possible_agents[game.mover]
        infos[mover] = {ACTION_MASK: game.mask.copy()}
        self.infos = infos

    def _tell_result(self, cause: str | None) -> None:
        """Fill the infos at the end, where no agent has a decision."""
        result = result_info(self.game, cause)
        self.infos = {
            agent: {ACTION_MASK: self._off_turn} | copy_of_result(result)
            for agent in self.possible_agents
        }

    def _end_by_illegal_action(self) -> None:
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell_result(ILLEGAL_ACTION)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees; fresh arrays for every decision."""
        info = self.infos.get(agent)
        return {
            OBSERVATION: self.game.observation(self.possible_agents.index(agent)),
            ACTION_MASK: self._off_turn if info is None else info[ACTION_MASK],
        }

    def state(self) -> NDArray[np.float32]:
        """All agents' observations, in the order of the seats: float32[S D]."""
        seats = range(len(self.possible_agents))
        return np.concatenate([self.game.observation(seat) for seat in seats])

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board in the render mode (see `rendering`); None without a mode."""
        return self._renderer.render(self.game)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
