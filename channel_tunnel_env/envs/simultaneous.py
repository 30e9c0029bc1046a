"""PettingZoo's parallel environment for games whose seats answer a phase together, unseen by each other.

A phase may ask a seat for several answers, such as an order for each unit. In a step every agent that still has a
question gives one answer, and gets its next question; an agent without questions left waits. When the last one has
answered, the phase is read as the game reads it, and the next begins. So a step is one answer a seat, and a phase
takes as many steps as the seat with most questions.

Observation: {"observation": float32[D], "action_mask": int8[A]}, as in `aec`. It holds an agent's own answers of
the running phase and nothing of the others'. While it waits, an agent has the observation of its last question; its
mask allows one action, which is ignored (`idle`), and `asked` in its infos is False. How long it waits depends on
what others are asked, which may hang on secrets: give a learner the steps at which it is asked.

Masks are in the observations and not again in the infos. Rewards, ends and infos at the end are those of `aec`; a game is the one that the same answers make there.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from channel_tunnel_env.envs.all_seats import ACTION_MASK, OBSERVATION, EverySeat, results
from channel_tunnel_env.envs.registration import VERSION
from channel_tunnel_env.envs.rendering import RENDER_FPS, RENDER_MODES
from channel_tunnel_env.envs.results import MAX_CYCLES, copy_of_result, idle_mask, result_info
from channel_tunnel_env.game import game_class
from channel_tunnel_env.rulesets.ruleset import AnyRuleset

ASKED = "asked"
Observations = dict[str, dict[str, NDArray[Any]]]
Infos = dict[str, dict[str, Any]]


class AnswerSheet:
    """What one seat is asked in a phase, and what it answers.

    Args:
        game: a copy at the seat's first question of the phase, or at the start of the phase if it has none.
        seat: its number.
        is_asked: whether it has a question.
    """

    def __init__(self, game: Any, seat: int, is_asked: bool) -> None:
        self.answers: deque[int] = deque()
        self.is_asked = is_asked
        self._game, self._seat, self._phase = game, seat, game.phase_key
        self.observation: NDArray[np.float32] = game.observation(seat)

    @property
    def mask(self) -> NDArray[np.int8]:
        """int8 (A,), fresh: the answers that are legal now."""
        if not self.is_asked:
            return idle_mask(self._game.spec).copy()
        mask: NDArray[np.int8] = self._game.mask.copy()
        return mask

    def check(self, answer: Any) -> None:
        """Refuse an illegal answer.

        Raises:
            IllegalActionError: it says why.
        """
        number = operator.index(answer)
        if number not in range(self._game.mask.size) or not self._game.mask[number]:
            self._game.play(number)  # raises, and changes nothing

    def answer(self, answer: Any) -> None:
        """Write down a legal answer and go on to the next question."""
        self.answers.append(operator.index(answer))
        self._game.play(self.answers[-1])
        self.is_asked = _asks(self._game, self._phase, self._seat)
        if self.is_asked:
            self.observation = self._game.observation(self._seat)


def _asks(game: Any, phase: Any, seat: int) -> bool:
    """Whether a game is in a phase and asks a seat."""
    return not game.is_over and game.phase_key == phase and game.mover == seat


def open_sheets(game: Any) -> list[AnswerSheet]:
    """A sheet for each seat of a game at the beginning of a phase.

    A game asks one seat after another. What it asks does not depend on others' answers in the phase, so any answers
    lead to the questions of the later seats: here always the last legal id, which ends a row of choices.
    """
    phase, first = game.phase_key, {}
    ahead = game.clone()
    while not ahead.is_over and ahead.phase_key == phase:
        if ahead.mover not in first:
            first[ahead.mover] = ahead.clone()
        ahead.play(int(ahead.legal_ids()[-1]))
    return [AnswerSheet(first.get(seat, game), seat, seat in first) for seat in range(len(game.seats))]


class SimultaneousEnv(EverySeat, ParallelEnv[str, dict[str, NDArray[Any]], Any]):
    """The parallel environment of games in which all seats answer a phase unseen.

    Args:
        ruleset: of such a game: "eurotunnel", or a file or overlay of it.
        render_mode: as in `aec.raw_env`; the board at the beginning of the phase.
        max_cycles: truncate, without result, after this many steps; None: never.
        keep_result: False leaves winner, end cause and scores out of the last infos, which then hold the same keys at
            every step. TorchRL needs this.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a game whose seats take turns.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": f"channel_tunnel_simultaneous_{VERSION}",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        ruleset: AnyRuleset = "eurotunnel",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        *,
        keep_result: bool = True,
    ) -> None:
        super().__init__(ruleset, render_mode, max_cycles)
        self._keeps_result = keep_result
        spec = self.ruleset.spec
        if not hasattr(game_class(spec), "phase_key"):
            raise ValueError(
                f"ruleset {self.ruleset.name}: seats of the game {spec.name} take turns; take parallel_env"
            )
        self._steps = 0
        self.game: Any = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Start a new game.

        Args:
            seed: deals `Game(seed=seed)`; later resets without a seed follow from it.
            options: {"position": ...} starts from a position (see `Game.from_position`), {"ruleset": ...} plays this game by other
                rules of the same kind.

        Returns:
            Observations, which hold the `action_mask`, and infos by agent: whether the agent is `asked`.

        Raises:
            PositionError: an impossible position.
            RulesetError: a wrong ruleset.
            ValueError: the seed is out of range, or an option is unknown or does not fit.
        """
        self.game = self._dealer.deal(seed, options)
        self._steps = 0
        self.agents = self.possible_agents.copy()
        self._sheets = open_sheets(self.game)
        self._renderer.show(self.game)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play one answer of every agent that is asked.

        Args:
            actions: agent -> action id. Actions of agents that are not asked are ignored; you may leave them out.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent; all empty after the end.

        Raises:
            IllegalActionError: an illegal answer; the message says whose and why, nothing has changed.
            ValueError: the answer of an agent that decides now is missing.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        sheets = dict(zip(self.possible_agents, self._sheets, strict=True))
        asked = {agent: sheet for agent, sheet in sheets.items() if sheet.is_asked}
        missing = [agent for agent in asked if agent not in actions]
        if missing:
            raise ValueError(f"actions: missing for {', '.join(missing)}, who decide now")
        for agent, sheet in asked.items():
            sheet.check(actions[agent])
        for agent, sheet in asked.items():
            sheet.answer(actions[agent])
        self._steps += 1
        if not any(sheet.is_asked for sheet in self._sheets):
            self._read()
        return self._told()

    def _read(self) -> None:
        """All have answered: the game takes the answers in the order in which it asks for them."""
        while any(sheet.answers for sheet in self._sheets):
            self.game.play(self._sheets[self.game.mover].answers.popleft())
        if not self.game.is_over:
            self._sheets = open_sheets(self.game)
        self._renderer.show(self.game)

    def _told(self) -> tuple[Any, Any, Any, Any, Infos]:
        over = self.game.is_over
        late = not over and self._steps == self.max_cycles
        for sheet in self._sheets if late else ():
            sheet.is_asked = False
        observations, infos = self._observations(), self._infos()
        rewards = results(self.game) if over else dict.fromkeys(self.possible_agents, 0)
        if over or late:
            self.agents = []
        if self._keeps_result and not self.agents:
            result = result_info(self.game, MAX_CYCLES if late else None)
            infos = {agent: info | copy_of_result(result) for agent, info in infos.items()}
        ends = dict.fromkeys(self.possible_agents, over), dict.fromkeys(self.possible_agents, late)
        return observations, rewards, *ends, infos

    def _observations(self) -> Observations:
        over = self.game.is_over
        return {
            agent: {
                OBSERVATION: self.game.observation(seat) if over else sheet.observation.copy(),
                ACTION_MASK: sheet.mask,
            }
            for seat, (agent, sheet) in enumerate(zip(self.possible_agents, self._sheets, strict=True))
        }

    def _infos(self) -> Infos:
        return {agent: {ASKED: sheet.is_asked} for agent, sheet in zip(self.possible_agents, self._sheets, strict=True)}


simultaneous_env = SimultaneousEnv
"""The environment under the name that goes with `parallel_env`."""
