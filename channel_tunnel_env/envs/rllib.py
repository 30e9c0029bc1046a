"""A game for RLlib's new API stack: a MultiAgentEnv in which only the seat to move is observed.

    from ray.rllib.algorithms.ppo import PPOConfig
    from channel_tunnel_env.envs.rllib import ChannelTunnelMultiAgentEnv

    config = PPOConfig().environment(
        ChannelTunnelMultiAgentEnv, env_config={"ruleset": "standard"}, disable_env_checking=True
    )

RLlib's environment check must be off, because it plays illegal actions too and these are errors
here. The module must mask (`channel_tunnel_agents.learning.rllib_training`, or RLlib's
ActionMaskingTorchRLModule).

Agents are those of the game, such as `britain_0` and `france_1`, or `austria_0` to `turkey_6`. An agent may
take several decisions in a row, so turns need not alternate. An agent gets an observation only when it is to decide, so RLlib's episode of each
agent goes from one of its own decisions to the next; everything in between is part of the
environment.

Observation: {"observations": float32[D] in [0, 1], "action_mask": int8[A]}, named as RLlib's own action
masking module expects. In every agent's last observation, which needs no answer, the mask allows one
action (`idle`).

Rewards: 0 until the end, then to every agent the result of its seat, regardless of who moved last: between two +1 and -1,
or 0 each; among more what the game says. Every end by the rules is a termination; a stopped game too, because it
is scored. Only `max_cycles` truncates. All agents' infos then hold winner, end cause and scores (`results`).

| env_config | default | meaning |
|---|---|---|
| ruleset | "standard" | a name, a YAML path, an overlay dict or a Ruleset |
| max_cycles | None | truncate, without result, after this many decisions |
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.envs.all_seats import Dealer, check_max_cycles, observation_space, results
from channel_tunnel_env.envs.results import MAX_CYCLES, idle_mask, result_info

OBSERVATIONS, ACTION_MASK = "observations", "action_mask"
ALL = "__all__"
SETTINGS = ("ruleset", "max_cycles")

Seen = dict[str, NDArray[Any]]
Step = tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ChannelTunnelMultiAgentEnv(MultiAgentEnv):
    """One game; see the module's docstring.

    Args:
        config: the `env_config`, see the table above.

    Raises:
        ValueError: an unknown setting, or max_cycles below 1.
        RulesetError: a wrong ruleset.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        settings = dict(config or {})
        unknown = sorted(settings.keys() - set(SETTINGS))
        if unknown:
            raise ValueError(f"env_config {', '.join(unknown)}: unknown; allowed: {', '.join(SETTINGS)}")
        self.max_cycles = check_max_cycles(settings.get("max_cycles"))
        self._dealer = Dealer(settings.get("ruleset", "standard"))
        self.ruleset = self._dealer.ruleset
        spec = self.ruleset.spec
        self.possible_agents = list(spec.seats.agents(self.ruleset))
        self.agents = self.possible_agents.copy()
        self.observation_spaces = {
            agent: observation_space(self.ruleset, OBSERVATIONS, ACTION_MASK) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(spec.actions.count) for agent in self.possible_agents}
        self._decisions = 0
        self.game: Game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Start a new game.

        Args:
            seed: deals `Game(seed=seed)`; later resets without a seed follow from it.
            options: {"position": ...} starts from a position (see `Game.from_position`), {"ruleset": ...} plays this game by other
                rules of the same kind.

        Returns:
            The first mover's observation, by agent, and empty infos.

        Raises:
            PositionError: an impossible position.
            RulesetError: a wrong ruleset.
            ValueError: the seed is out of range, or an option is unknown or does not fit.
        """
        self.game = self._dealer.deal(seed, options)
        self._decisions = 0
        return {self._mover: self._see(self.game.mover)}, {}

    def step(self, action_dict: dict[str, Any]) -> Step:
        """Play the mover's action.

        Args:
            action_dict: the mover's agent -> action id; other entries are ignored.

        Returns:
            Observations, only of the next mover, or of all agents at the end; rewards; terminated
            and truncated, with "__all__" for the game; infos, empty until the end.

        Raises:
            KeyError: no action for the agent to move.
            IllegalActionError: the action is illegal; the message says why, nothing has changed.
        """
        game, agent = self.game, self._mover
        game.play(int(action_dict[agent]))
        self._decisions += 1
        cut = not game.is_over and self._decisions == self.max_cycles
        if game.is_over or cut:
            agents = self.possible_agents
            seen = {name: self._see(seat, answered=False) for seat, name in enumerate(agents)}
            rewards = {name: float(result) for name, result in results(game).items()}
            infos = {name: result_info(game, MAX_CYCLES if cut else None) for name in agents}
            return seen, rewards, {ALL: game.is_over}, {ALL: cut}, infos
        seen = {self._mover: self._see(game.mover)}
        return seen, {agent: 0.0}, {ALL: False}, {ALL: False}, {}

    @property
    def _mover(self) -> str:
        return self.possible_agents[self.game.mover]

    def _see(self, seat: int, answered: bool = True) -> Seen:
        mask = self.game.mask if answered else idle_mask(self.game.spec)
        return {OBSERVATIONS: self.game.observation(seat), ACTION_MASK: mask.copy()}
