"""The Gymnasium environment `ChannelTunnel-v1`: one learner seat, the rival plays inside `step`."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core.whole_numbers import given_seed, seeds_from, whole_numbers
from channel_tunnel_env.envs.all_seats import begin, seen_space
from channel_tunnel_env.envs.opponents import Opponent, Rivals, Searcher, blame, make_opponent, members_of
from channel_tunnel_env.envs.rendering import RENDER_FPS, RENDER_MODES, Renderer
from channel_tunnel_env.envs.results import ILLEGAL_ACTION, idle_mask, result_info
from channel_tunnel_env.envs.seated import BOTH, RESET_FIRST, learner_seats
from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.game import Game
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset


class ChannelTunnelEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One game, one seat.

    The mask of legal actions is in `info["action_mask"]` (int8, for `action_space.sample`) and from
    `action_masks()` (bool, for sb3-contrib). At the end it allows one action without meaning
    (`idle`). The reward is 0 until the end, which is always a termination, and then what the game pays
    the learner's seat: 1, -1 or 0 between two seats, in Eurotunnel its share of 1. `info` then holds
    winner, end cause and scores (`results`).

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.
        side: a seat, such as "britain"; "both": all seats in turn, game by game; None: the first.
        opponent: a name ("random"), a callable, a search, or a mixture of them, see `opponents`.
        render_mode: None, "ansi", "rgb_array" or "human" (see `rendering`). Shows what the
            learner's seat knows, so that a film explains its decisions.
        illegal_action: "raise" raises IllegalActionError; "lose" ends the game with reward -1, for
            learners without masks.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: an unknown side, opponent, render mode or `illegal_action`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        ruleset: AnyRuleset = "standard",
        side: str | None = None,
        opponent: Rivals = "random",
        render_mode: str | None = None,
        illegal_action: str = "raise",
    ) -> None:
        rules = load_ruleset(ruleset)
        self._seats = learner_seats(side, [rules], len(rules.played_seats) if side == BOTH else 1)
        self._turn = len(self._seats) - 1  # the first reset goes on to the first seat
        self.seat = int(self._seats[self._turn])
        self._is_on = False
        if illegal_action not in ("raise", "lose"):
            raise ValueError(f"illegal_action {illegal_action!r}: allowed: raise, lose")
        self.illegal_action = illegal_action
        self._renderer = Renderer(render_mode, rules.spec)
        self.side = side
        self.render_mode = render_mode
        self.observation_space: spaces.Box = seen_space(rules)  # type: ignore[assignment]
        self.action_space = spaces.Discrete(rules.spec.actions.count)
        self._idle_mask = idle_mask(rules.spec)
        self._members, self._chances = members_of(opponent)
        self.ruleset = rules
        self.game = Game(rules, 0)
        self._opponents = self._made_opponents(rules, 0)
        self._opponent = self._opponents[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a new game, at the learner's first decision.

        Args:
            seed: of this game, of those that follow, and of the opponents.
            options: {"position": ...} starts from a position (see `Game.from_position`), {"ruleset": ...} plays this game by other
                rules of the same kind.

        Returns:
            The observation, float32 (D,), and the info with the `action_mask`.

        Raises:
            ValueError: a wrong seed or option, or an opponent that cannot play the ruleset; the game is unchanged.
            RulesetError: a wrong ruleset; likewise.
            PositionError: an impossible position; likewise.
        """
        given = None if seed is None else given_seed(seed)
        rules, begun = begin(self.ruleset, options)
        changes, opponents = rules.digest != self.game.ruleset.digest, self._opponents
        if changes or given is not None:
            lots = int(deepcopy(self.np_random).integers(2**31)) if given is None else given
            opponents = self._made_opponents(rules, lots)
        super().reset(seed=given)
        self._opponents, self._opponent = opponents, opponents[0]
        if changes:
            self.game = Game(rules, 0)
        game = self.game
        self._turn = (self._turn + 1) % len(self._seats) if given is None else 0
        self.seat = int(self._seats[self._turn])
        if begun is None:
            game.reset(int(self.np_random.integers(2**63)))
        else:
            self.game = begun
        if len(self._opponents) > 1:
            drawn = self.np_random.choice(len(self._opponents), p=self._chances)
            self._opponent = self._opponents[int(drawn)]
        self._let_rival_play()
        self._renderer.show(self.game, self.seat)
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the rivals' until it is the learner's turn again.

        Args:
            action: an id, 0 .. A - 1.

        Returns:
            Observation, float32 (D,); reward; terminated; truncated, always False; info with the `action_mask`.

        Raises:
            IllegalActionError: the action is illegal; the message says why, the game is unchanged. Or an opponent's is:
                the message names it, and the game needs a reset.
            ResetNeeded: before the first reset, after an opponent failed, or a game lost by `illegal_action`.
        """
        game = self.game
        if not self._is_on:
            raise ResetNeeded(RESET_FIRST)
        try:
            game.play(action)
        except IllegalActionError:
            if self.illegal_action == "raise" or game.is_over:
                raise
            self._is_on = False
            info = self._info() | result_info(game, ILLEGAL_ACTION)
            return self._observe(), -1.0, True, False, info
        self._let_rival_play()
        self._renderer.show(game, self.seat)
        if not game.is_over:
            return self._observe(), 0.0, False, False, self._info()
        reward = game.result()[self.seat]
        return self._observe(), reward, True, False, self._info() | result_info(game)

    def _made_opponents(self, rules: Ruleset, seed: int) -> list[Opponent]:
        seeds = seeds_from(seed, len(self._members))
        return [make_opponent(member, one, rules) for member, one in zip(self._members, seeds, strict=True)]

    def _let_rival_play(self) -> None:
        self._is_on, game = False, self.game  # if a rival fails, it is not the learner's turn
        choose = getattr(self._opponent, "choose", None)
        while game.mover != self.seat and not game.is_over:
            answers = self._ask_rival(game.mover) if choose is None else choose(game.mask.copy())
            try:
                game.play(answers if choose is not None else self._only(answers))
            except ValueError as error:
                raise blame(self._opponent, error) from None
        self._is_on = True

    def _only(self, answers: Any) -> int:
        return int(whole_numbers(answers, "actions", 0, self._idle_mask.size - 1, (1,))[0])

    def _ask_rival(self, rival: int) -> Any:
        """The answer of an opponent that searches, or that reads the rival's observation."""
        game, opponent = self.game, self._opponent
        if isinstance(opponent, Searcher):
            return opponent.search(BatchGame.from_games([game]), np.zeros(1, np.int64))
        return opponent(game.observation(rival)[None], game.action_mask[None])

    def _observe(self) -> NDArray[np.float32]:
        return self.game.observation(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask().copy()}

    def _mask(self) -> NDArray[np.int8]:
        return self._idle_mask if self.game.is_over or not self._is_on else self.game.mask

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as sb3-contrib expects them.

        Returns:
            bool (A,), a fresh array.
        """
        return self._mask().astype(np.bool_)

    def action_name(self, action: int) -> str:
        """The name of an action.

        Args:
            action: its id, 0 .. A - 1.

        Returns:
            A name as in records.
        """
        return str(self.game.spec.actions.names[action])

    def render(self) -> Any:
        """What the learner's seat knows, in the render mode.

        Returns:
            Text for "ansi", uint8 (height, width, 3) for "rgb_array", else None.
        """
        return self._renderer.render(self.game, self.seat)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
