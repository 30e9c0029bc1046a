"""A learner's seat in many games: rivals act inside, the learner sees only its own decisions.

A transition goes from a learner's decision to its own next decision, or to the end of its game. The
learner receives the result whichever side moved last. This is what single-agent algorithms assume.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import DTypeLike, NDArray

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.envs.opponents import Opponent, Rivals, answers_of, blame, make_opponents, members_of
from channel_tunnel_env.envs.results import BatchResults
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset

BOTH = "both"
RESET_FIRST = "step: call reset before the first game, and after an opponent has failed"


def _joint_seed(seeds: list[int]) -> int:
    """A seed that depends on all of them."""
    return int(np.random.SeedSequence(seeds).generate_state(1, np.uint64)[0] >> np.uint64(1))


def learner_seats(side: str | None, rulesets: Sequence[Ruleset], num_games: int) -> NDArray[np.int8]:
    """The learner's seat in every row: one seat, or in turn all that somebody plays under each of the rulesets.

    Args:
        side: the name of a seat, "both" for all, or None for the first.
        rulesets: of one game.
        num_games: the number of rows.

    Raises:
        ValueError: there is no such seat, or nobody plays it.
    """
    places = {seat: k for k, seat in enumerate(rulesets[0].seats) if all(seat in r.played_seats for r in rulesets)}
    if side == BOTH:
        return np.resize(np.array([*places.values()], np.int8), num_games)
    if side is not None and side not in places:
        raise ValueError(f"side {side!r}: allowed: {', '.join(places)}, {BOTH}")
    return np.full(num_games, places[side or next(iter(places))], np.int8)


class SeatedBatch:
    """B games in which the learner holds one seat and an opponent all others.

    Args:
        num_games: B.
        ruleset: one for all rows, or a list, which is dealt to the rows.
        side: a seat, such as "britain"; "both": all seats in turn, row by row; None: the first.
        opponent: a name, a callable, a search, or a mixture of them, see `opponents`.
        observation_dtype: as in `BatchGame`; opponents get float32 all the same.

    Attributes (fresh after `reset` and `step`; live buffers):
        observations `observation_dtype` (B, D), masks bool (B, A): at the learner's decision.
        rewards float32 (B,), terminated bool (B,): of the last step.
        final_observations (B, D), likewise: the learner's last view, valid in rows that just ended.
    """

    def __init__(
        self,
        num_games: int,
        ruleset: AnyRuleset | Sequence[AnyRuleset] = "standard",
        side: str | None = None,
        opponent: Rivals = "random",
        seed: int | None = None,
        num_threads: int = 1,
        observation_dtype: DTypeLike = FLOAT,
    ) -> None:
        seed = None if seed is None else given_seed(seed)
        self.opponent_spec = opponent
        self.batch = BatchGame(
            num_games, ruleset, seed, autoreset=True, num_threads=num_threads, observation_dtype=observation_dtype
        )
        self.seats = learner_seats(side, self.batch.rulesets, num_games)
        self.num_games = num_games
        self.rewards = np.zeros(num_games, np.float32)
        self.terminated = np.zeros(num_games, np.bool_)
        self.final_observations = np.zeros_like(self.batch.observations)
        self._seed_opponent(seed)
        self._opponent_of = np.zeros(num_games, np.int64)
        self._draw_opponents(np.arange(num_games))
        self._is_on = False

    def _seed_opponent(self, seed: int | None) -> None:
        entropy = int(np.random.SeedSequence(seed).generate_state(1, np.uint32)[0])
        members, self._chances = members_of(self.opponent_spec)
        made = [make_opponents(member, entropy + i, self.batch.rulesets) for i, member in enumerate(members)]
        self.opponents = list({id(o): o for by_ruleset in made for o in by_ruleset}.values())
        places = {id(opponent): place for place, opponent in enumerate(self.opponents)}
        self._places = np.array([[places[id(o)] for o in by_ruleset] for by_ruleset in made])
        self._draws = np.random.default_rng(entropy)

    def _draw_opponents(self, rows: NDArray[np.intp]) -> None:
        members = np.zeros(rows.size, np.int64)
        if len(self._chances) > 1:
            members = self._draws.choice(len(self._chances), rows.size, p=self._chances)
        self._opponent_of[rows] = self._places[members, self.batch.states.ruleset[rows]]

    @property
    def observations(self) -> NDArray[Any]:
        """`observation_dtype` (B, D), live."""
        return self.batch.observations

    @property
    def masks(self) -> NDArray[np.bool_]:
        """bool (B, A), live."""
        return self.batch.masks

    def reset(self, seed: int | None = None, rows: NDArray[np.bool_] | None = None) -> None:
        """Start new games in all rows, or in some; rivals that start have already moved."""
        seed = None if seed is None else given_seed(seed)
        self.batch.reset(seed, rows=rows)
        self._begin(rows, seed)

    def reset_each(self, seeds: Sequence[int | None], rows: NDArray[np.bool_] | None = None) -> None:
        """`reset` with a seed for each row, which deals what it deals in `ChannelTunnelEnv`.

        Args:
            seeds: B of them; None: the row goes on as without a seed.
        """
        batch, chosen = self.batch, self.batch.check_rows(rows)
        is_given = chosen & np.array([seed is not None for seed in seeds])
        if (chosen & ~is_given).any():
            batch.reset(rows=chosen & ~is_given)
        given = [seed for seed, own in zip(seeds, is_given, strict=True) if own and seed is not None]
        joint = _joint_seed(given) if given else None
        if given:
            deals = np.zeros(self.num_games, np.int64)
            # As Gymnasium's generator deals its first game.
            deals[is_given] = [np.random.default_rng(seed).integers(2**63) for seed in given]
            batch.reset(joint, rows=is_given)  # for the resets that follow without a seed
            batch.reset(seeds=deals, rows=is_given)
        self._begin(rows, joint)

    def _begin(self, rows: NDArray[np.bool_] | None, seed: int | None) -> None:
        """New opponents if there is a seed; theirs are drawn for the rows whose games begin."""
        if seed is not None:
            self._seed_opponent(seed)
        self._draw_opponents(np.arange(self.num_games) if rows is None else np.flatnonzero(rows))
        self.rewards[:] = 0
        self.terminated[:] = False
        self._let_rivals_play()

    def step(self, actions: Any) -> None:
        """Play the learner's action in every row, then the rivals' until it is the learner's turn.

        A finished game restarts at once. Raises the same errors as `BatchGame.step`, and ResetNeeded before the first
        reset or after an opponent failed.
        """
        self._need_turn()
        self._step(self.batch.check(actions))

    def step_rows(self, actions: NDArray[Any], rows: NDArray[np.bool_]) -> None:
        """`step` for some rows; the others do not change and their actions are ignored."""
        self._need_turn()
        idle = self.batch.masks.argmax(axis=1)
        filled = np.where(rows, actions, idle) if actions.shape == idle.shape else actions
        self._step(np.where(rows, self.batch.check(filled), -1))

    def _need_turn(self) -> None:
        if not self._is_on:
            raise ResetNeeded(RESET_FIRST)

    def results(self) -> BatchResults:
        """Results of the games that ended in the last step, in row order."""
        return BatchResults.of(self.batch, np.flatnonzero(self.terminated))

    def _step(self, checked: NDArray[np.int64]) -> None:
        self.rewards[:] = 0
        self.terminated[:] = False
        self._advance(checked)
        self._let_rivals_play()

    def _let_rivals_play(self) -> None:
        self._is_on = False  # if a rival fails, it is not the learner's turn
        actions = np.empty(self.num_games, np.int64)
        while (waiting := np.flatnonzero(self.batch.to_play != self.seats)).size:
            actions[:] = -1
            for opponent, rows in self._by_opponent(waiting):
                actions[rows] = self._ask(opponent, rows)
            self._advance(actions)
        self._is_on = True

    def _by_opponent(self, rows: NDArray[np.intp]) -> Iterator[tuple[Opponent, NDArray[np.intp]]]:
        """The opponents, each with those of the rows that wait for it."""
        if len(self.opponents) == 1:
            yield self.opponents[0], rows
            return
        for i, opponent in enumerate(self.opponents):
            own = rows[self._opponent_of[rows] == i]
            if own.size:
                yield opponent, own

    def _ask(self, opponent: Opponent, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        answers = answers_of(opponent, self.batch, rows)
        try:
            return self.batch.check(answers, rows)
        except ValueError as error:
            raise blame(opponent, error) from None

    def _advance(self, actions: NDArray[np.int64]) -> None:
        """Step the rows that have an action (-1: none); collect the learner's rewards and views."""
        batch = self.batch
        batch.step_unchecked(actions)
        ended = np.flatnonzero(batch.terminated)
        if ended.size:
            seats = self.seats[ended]
            self.rewards[ended] += batch.rewards[ended, seats]
            self.terminated[ended] |= batch.terminated[ended]
            self._draw_opponents(ended)
            batch.observe_ended(ended, seats, self.final_observations)
