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
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.envs.all_seats import ACTION_MASK, OBSERVATION, EverySeat, results
from channel_tunnel_env.envs.registration import VERSION
from channel_tunnel_env.envs.rendering import RENDER_FPS, RENDER_MODES
from channel_tunnel_env.envs.results import ILLEGAL_ACTION, MAX_CYCLES, copy_of_result, idle_mask, result_info
from channel_tunnel_env.rulesets.ruleset import AnyRuleset

Infos = dict[str, dict[str, Any]]
NOBODY = -1  # to decide: the game has not begun, or has ended


def env(
    ruleset: AnyRuleset = "standard", render_mode: str | None = None, max_cycles: int | None = None
) -> AECEnv[Any, Any, Any]:
    """`raw_env` behind PettingZoo's customary wrappers: an illegal action loses and ends the game.

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.
        render_mode: as in `raw_env`.
        max_cycles: truncate, without result, after this many decisions; None: never.

    Returns:
        The AEC environment.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: an unknown render mode, or `max_cycles` below 1.
    """
    return _wrapped(raw_env(ruleset, render_mode, max_cycles))


def parallel_env(
    ruleset: AnyRuleset = "standard", render_mode: str | None = None, max_cycles: int | None = None
) -> Any:
    """The turn-based parallel form: every agent sends an action, only the mover's is used.

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.
        render_mode: as in `raw_env`.
        max_cycles: truncate, without result, after this many decisions; None: never.

    Returns:
        PettingZoo's parallel environment.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: an unknown render mode, or `max_cycles` below 1.
    """
    bare = raw_env(ruleset, render_mode, max_cycles)
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

    def last(self, observe: bool = True) -> Any:
        """See `raw_env.last`."""
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return seen, *self._bare.last(observe=False)[1:]

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
    """PettingZoo's wrapper, quicker, except that such an end is only a termination and is in the infos.

    PettingZoo asks the mask that it handed out whether an action is legal; here the game itself is asked.
    """

    def observe(self, agent: str) -> Any:
        """What an agent sees."""
        return self.env.observe(agent)

    def step(self, action: Any) -> None:
        """Play the selected agent's action; an illegal one ends the game."""
        ended_before = self._terminated
        self._prev_obs = {ACTION_MASK: self._bare.game.mask}
        super().step(action)
        if self._terminated and not ended_before:
            self.unwrapped._end_by_illegal_action()


class raw_env(EverySeat, AECEnv[Any, Any, Any]):  # noqa: N801 (PettingZoo's name)
    """The bare environment; an illegal action raises IllegalActionError and changes nothing.

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.
        render_mode: None; "ansi": `render()` returns the board as text; "rgb_array": as pixels, uint8
            (height, width, 3); "human": a window shows it. All show what is hidden
            too (spectator view).
        max_cycles: truncate, without result, after this many decisions; None: never.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: an unknown render mode, or `max_cycles` below 1.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": f"channel_tunnel_{VERSION}",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self, ruleset: AnyRuleset = "standard", render_mode: str | None = None, max_cycles: int | None = None
    ) -> None:
        super().__init__(ruleset, render_mode, max_cycles)
        self._decisions = 0
        self._off_turn = np.zeros(self.ruleset.spec.actions.count, np.int8)  # for agents with nothing to decide
        self._decider = NOBODY
        self._infos: Infos = {}  # those that were asked for since the last step
        self.game: Game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: deals `Game(seed=seed)`; later resets without a seed follow from it.
            options: {"position": ...} starts from a position (see `Game.from_position`), {"ruleset": ...} plays this game by other
                rules of the same kind.

        Raises:
            PositionError: an impossible position.
            RulesetError: a wrong ruleset.
            ValueError: the seed is out of range, or an option is unknown or does not fit.
        """
        self.game = self._dealer.deal(seed, options)
        self._decisions = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.possible_agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.possible_agents, 0)
        self.terminations = dict.fromkeys(self.possible_agents, False)
        self.truncations = dict.fromkeys(self.possible_agents, False)
        self._select()
        self._renderer.show(self.game)

    def step(self, action: Any) -> None:
        """Play the selected agent's action.

        Args:
            action: its id, 0 .. A - 1; None once that agent is done.

        Raises:
            IllegalActionError: the action is illegal; the message says why, nothing has changed.
        """
        agent = self.agent_selection
        if self._decider == NOBODY:
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
            self._end(None)
        elif self._decisions == self.max_cycles:
            self.truncations = dict.fromkeys(self.possible_agents, True)
            self._end(MAX_CYCLES)
        self._renderer.show(game)

    def _select(self) -> None:
        """Select the next agent; its info is asked for in any case."""
        game = self.game
        self._decider = seat = game.mover
        self.agent_selection = agent = self.possible_agents[seat]
        self._infos = {agent: {ACTION_MASK: game.mask.copy()}}

    def _end(self, cause: str | None) -> None:
        """No agent has a decision from now on; the infos hold the result."""
        self._decider = NOBODY
        self._result = result_info(self.game, cause)
        self._infos = {}

    def _was_dead_step(self, action: Any) -> None:
        super()._was_dead_step(action)
        self._infos = {}

    @property
    def infos(self) -> Infos:
        """Agent -> its mask, and at the end the result. Made on request, once a step."""
        if len(self._infos) != len(self.agents):
            self._infos = {agent: self._info_of(agent) for agent in self.agents}
        return self._infos

    def _info_of(self, agent: str) -> dict[str, Any]:
        """An agent's info, the same one until the next step."""
        info = self._infos.get(agent)
        if info is None:
            over = self._decider == NOBODY
            waits = over or agent != self.agent_selection
            mask = self._off_turn if waits else self.game.mask
            info = self._infos[agent] = {ACTION_MASK: mask.copy()}
            if over:
                info |= copy_of_result(self._result)
        return info

    def _end_by_illegal_action(self) -> None:
        self.truncations = dict.fromkeys(self.agents, False)
        self._end(ILLEGAL_ACTION)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees; fresh arrays for every decision.

        Args:
            agent: one of `possible_agents`.

        Returns:
            `observation`, float32 (D,), and `action_mask`, int8 (A,), all zeros unless the agent is to move.
        """
        seat = self.possible_agents.index(agent)
        game = self.game
        mask = game.mask if seat == self._decider else self._off_turn
        return {OBSERVATION: game.observation(seat), ACTION_MASK: mask.copy()}

    def last(self, observe: bool = True) -> Any:
        """What the selected agent knows before its step.

        Args:
            observe: whether to take its observation.

        Returns:
            Its observation (None without `observe`), its reward since its last decision, whether it ended, whether it
            was cut, and its info.
        """
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        reward, ended = self._cumulative_rewards[agent], self.terminations[agent]
        info = self._infos.get(agent) or self._info_of(agent)
        return seen, reward, ended, self.truncations[agent], info

    def state(self) -> NDArray[np.float32]:
        """All agents' observations together.

        Returns:
            float32 (S * D,), in the order of the seats.
        """
        seats = range(len(self.possible_agents))
        return np.concatenate([self.game.observation(seat) for seat in seats])
