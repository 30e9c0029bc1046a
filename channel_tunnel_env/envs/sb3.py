"""Stable-Baselines3 VecEnvs that step N games as one batch.

`SeatVecEnv`: the learner holds one seat and the rival plays inside `step`. A transition goes from
the learner's decision to its own next one, with rewards from its seat's perspective. For stock
algorithms such as sb3-contrib's MaskablePPO, with a gae_lambda of about 0.8. With the learner
itself as the rival it is self-play in which both seats learn.

`SelfPlayVecEnv`: every row is the seat to move, so that all decisions are used for learning. A stock
rollout buffer assigns the credit wrongly, so this environment must be requested with a `credit` and used
with the buffer of `channel_tunnel_agents.learning.rollout_buffer` that goes with it: `"zero_sum"`, between
two seats, rewards in one seat's view, `ZeroSumRolloutBuffer`; `"per_seat"`, any number of seats, each with
rewards of its own, `PerSeatRolloutBuffer`.

Infos are empty except in rows whose game ended: `terminal_observation`, `outcome` (1, -1 or 0, as
the reward) and winner, end_cause, scores as `results` names them. `TimeLimit.truncated` is never
set: every end is a termination. `env_method("action_masks")` is answered in one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import DTypeLike, NDArray
from stable_baselines3.common.vec_env import VecEnv

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.envs.all_seats import held_space
from channel_tunnel_env.envs.opponents import Player, Rivals
from channel_tunnel_env.envs.results import BatchResults
from channel_tunnel_env.envs.seated import BOTH, SeatedBatch, learner_seats
from channel_tunnel_env.rulesets.ruleset import AnyRuleset

SEEDS = 2.0**63  # the games' own seeds lie below
ZERO_SUM: Final = "zero_sum"
PER_SEAT: Final = "per_seat"
REFUSAL = (
    "SelfPlayVecEnv's rows change seats, and a stock rollout buffer would teach the other seat to lose. "
    "For a stock algorithm take SeatVecEnv(side='both') with the learner itself as its opponent; or train with "
    "rollout_buffer_class=channel_tunnel_agents.learning.rollout_buffer.ZeroSumRolloutBuffer, which turns advantages to the mover, and "
    f"give credit={ZERO_SUM!r} here; for any number of seats PerSeatRolloutBuffer and credit={PER_SEAT!r}"
)


class _BatchVecEnv(VecEnv):
    """Shared by both: spaces, masks, resets, and VecEnv's remote calls answered for all rows at once.

    Args:
        games: shown to the learner; of `batch`, or that batch itself.
    """

    def __init__(self, num_envs: int, batch: BatchGame, games: BatchGame | SeatedBatch) -> None:
        actions = spaces.Discrete(batch.spec.actions.count)
        self._actions: NDArray[Any] = np.zeros(0, np.int64)
        self._games = games
        self.render_mode = None
        super().__init__(num_envs, held_space(batch), actions)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every row: bool (N, A), a copy."""
        return self._games.masks.copy()

    def reset(self) -> NDArray[Any]:
        """Start new games in all rows; an earlier `seed()` is honoured.

        Returns:
            `observation_dtype` (N, D), a fresh array.
        """
        self._games.reset(self._seeds[0])
        self._reset_seeds()
        return self._games.observations.copy()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Deal all rows' games from this seed at the next `reset`.

        Raises:
            ValueError: a wrong seed.
        """
        return super().seed(None if seed is None else given_seed(seed))

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = np.array(actions)  # the caller's may change before `step_wait`

    def _infos(
        self,
        ended: NDArray[np.intp],
        results: list[dict[str, Any]],
        final_observations: NDArray[Any],
        rewards: NDArray[np.float32],
    ) -> list[dict[str, Any]]:
        """One info per row, empty unless the row ended; `results` has only ended rows, in order."""
        infos = self._no_infos()
        for row, result in zip(ended.tolist(), results, strict=True):
            infos[row] = {
                "terminal_observation": final_observations[row].copy(),
                "outcome": float(rewards[row]),
            } | result
        return infos

    def _no_infos(self) -> list[dict[str, Any]]:
        return [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Nothing to release."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether this VecEnv has the attribute, so that sb3-contrib finds `action_masks`."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of this VecEnv, once per requested row."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the attribute on this VecEnv."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Only `action_masks`: one bool[A] per row."""
        if method_name != "action_masks":
            raise AttributeError(f"env_method {method_name!r}: only 'action_masks' is offered")
        masks = self.action_masks()
        return list(masks if indices is None else masks[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Never."""
        return [False] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[Any]:
        """No pictures."""
        return [None] * self.num_envs

    def _get_indices(self, indices: int | Iterable[int] | None) -> Iterable[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices


class SelfPlayVecEnv(_BatchVecEnv):
    """N games in which every row is the seat to move.

    Consecutive observations of a row may be of different seats, so a learner must compute
    advantages for the mover. The buffers of `channel_tunnel_agents.learning.rollout_buffer`
    do; a stock rollout buffer teaches the other seat to lose.

    Args:
        num_envs: N.
        ruleset: one, or a list dealt to the rows.
        seed: of the games; None: random. `env.seed(...)` before a reset replaces it.
        mix: a row's next game is played by any entry of the list, which the game's seed chooses; else a row keeps
            its own.
        view: zero-sum credit: the seat whose perspective rewards (and values) use; None: the first, which is
            Britain.
        num_threads: threads that step the rows.
        rivals: opponents that hold one seat in some rows; see `opponents`. None is an empty slot:
            its rows are self-play until `rivals[i]` is set.
        rival_share: the share of such rows. There the rival's own actions replace those given for
            its decisions; `rival_rows` marks these steps, which are not to be learned from.
        lone_learner: with more than two seats, a rival holds every seat but the learner's, instead of one seat.
        credit: must be given. "zero_sum": the learner, or your own loop, handles rewards from one
            perspective, between two seats. "per_seat": `step` pays the mover its own reward, and the
            learner takes those of all seats from `seat_rewards`.
        observation_dtype: as in `BatchGame`; rivals get float32 all the same.

    Raises:
        ValueError: a share that is not from 0 to 1, `credit` is not given, zero-sum credit among more than two
            seats, or a `view` if there is none.

    Attributes:
        rival_of: int (N,), the row's index in `rivals`, or -1.
        rival_seat: int8 (N,), the seat the rival holds, or the one that it leaves to a lone learner, or -1.
        rival_rows: bool (N,), rows in which the last step's decision was a rival's.
        movers: int8 (N,), the seat whose decision the last step was.
        seat_rewards: float32 (N, S), what the last step paid to each seat.
        paid: float32 (N,), what it paid to `view`, or to each row's mover.
        ended: bool (N,), rows whose game it ended.
        chances: float64 (rulesets,), with `mix`: the probability of each entry for the next games; None: all alike.
    """

    def __init__(
        self,
        num_envs: int,
        ruleset: AnyRuleset | Sequence[AnyRuleset] = "standard",
        view: str | None = None,
        seed: int | None = None,
        num_threads: int = 1,
        rivals: Sequence[Player | None] = (),
        rival_share: float = 0.0,
        *,
        credit: str | None = None,
        mix: bool = False,
        lone_learner: bool = False,
        observation_dtype: DTypeLike = FLOAT,
    ) -> None:
        if credit not in (ZERO_SUM, PER_SEAT):
            raise ValueError(f"credit {credit!r}: {REFUSAL}")
        if not 0 <= rival_share <= 1:
            raise ValueError(f"rival_share {rival_share}: allowed: 0 to 1")
        self.batch = BatchGame(
            num_envs, ruleset, seed, autoreset=True, num_threads=num_threads, observation_dtype=observation_dtype
        )
        seats = self.batch.seats
        if credit == ZERO_SUM and len(seats) != 2:
            raise ValueError(
                f"{len(seats)} seats: zero-sum credit is between two; take credit={PER_SEAT!r}, or "
                "SeatVecEnv(side='both')"
            )
        if credit == PER_SEAT and view is not None:
            raise ValueError(f"view {view!r}: every seat has its own with credit={PER_SEAT!r}")
        self.credit = credit
        self.mix = mix
        self.chances = None
        if view == BOTH:
            raise ValueError(f"view {view!r}: allowed: {', '.join(seats)}")
        self.view = int(learner_seats(view, self.batch.rulesets, 1)[0])
        self.lone_learner = lone_learner and len(seats) > 2
        self._seat_rivals(list(rivals), num_envs, rival_share)
        self.rival_rows = np.zeros(num_envs, np.bool_)
        self.movers = self.batch.to_play.copy()
        self.seat_rewards = self.batch.rewards.copy()
        self.paid = np.zeros(num_envs, np.float32)
        self.ended = np.zeros(num_envs, np.bool_)
        self._final = np.zeros_like(self.batch.observations)
        super().__init__(num_envs, self.batch, self.batch)

    def _seat_rivals(self, rivals: list[Player | None], num_envs: int, share: float) -> None:
        """Rivals in the last rows; seats and rivals alternate."""
        if wrong := [rival for rival in rivals if rival is not None and not callable(rival)]:
            raise ValueError(f"rivals: {wrong[0]!r:.80}: expected callables (observations, masks) -> actions, or None")
        self.rivals = rivals
        self.rival_of, self.rival_seat = np.full(num_envs, -1), np.full(num_envs, -1, np.int8)
        if rivals:
            taken, played = (
                np.arange(num_envs - round(num_envs * share), num_envs),
                self.batch.rulesets[0].played_places,
            )
            self.rival_seat[taken] = np.array(played)[taken % len(played)]
            self.rival_of[taken] = taken // len(played) % len(rivals)

    @property
    def chances(self) -> NDArray[np.float64] | None:
        """See the class."""
        return self._chances

    @chances.setter
    def chances(self, chances: NDArray[np.float64] | None) -> None:
        self._chances = chances
        # Games end at nearly every step: the sums are taken once.
        self._chance_ends = None if chances is None else np.cumsum(chances)

    @property
    def self_play(self) -> NDArray[np.bool_]:
        """bool (N,), rows without a rival."""
        empty = [i for i, rival in enumerate(self.rivals) if rival is None]
        return np.isin(self.rival_of, [-1, *empty])

    def step_wait(self) -> Any:
        """Play the actions of `step_async`, a rival's own in rows in which it decides.

        Returns:
            Observations, (N, D); rewards, float32 (N,), from the perspective of `view` or of each row's mover; dones,
            bool (N,); infos, one dict per row. All are fresh.

        Raises:
            IllegalActionError: names row, action and reason; no row was stepped.
        """
        # Fresh: a caller may have kept those of the step before.
        for name in ("movers", "rival_rows", "seat_rewards", "paid", "ended"):
            setattr(self, name, getattr(self, name).copy())
        batch, infos = self.batch, self._no_infos()
        ended = self._play(self._actions, 0, self.num_envs)
        if ended.size:
            batch.observe_ended(ended, batch.final_states["to_play"][ended], self._final)
            infos = self._infos(ended, BatchResults.of(batch, ended).infos(), self._final, self.paid)
            self._begin_again(ended)
        return batch.observations.copy(), self.paid.copy(), self.ended.copy(), infos

    def play(self, actions: NDArray[Any], first: int, last: int) -> None:
        """`step` for some rows, without copies and infos, for a loop that reads `batch` itself.

        Args:
            actions: int (last - first,).
            first: the first of the rows, 0 to `num_envs - 1`.
            last: the row after the last one.

        Raises:
            IllegalActionError: as `step_wait`.
        """
        every = np.zeros(self.num_envs, np.int64)
        every[first:last] = actions
        self._begin_again(self._play(every, first, last))

    def _play(self, actions: NDArray[Any], first: int, last: int) -> NDArray[np.intp]:
        """Play some rows' actions (N,), and note what happened there; returns the rows whose game ended."""
        batch, rows = self.batch, np.arange(first, last)
        self.movers[rows] = batch.to_play[rows]
        played = self._with_rivals(actions, rows)
        if last - first == self.num_envs:
            played = batch.check(played)
        else:
            played[rows] = batch.check(played[rows], rows)
        batch.step_unchecked(played, (first, last))
        self.seat_rewards[rows], self.ended[rows] = batch.rewards[rows], batch.terminated[rows]
        payees = self.movers[rows] if self.credit == PER_SEAT else self.view
        self.paid[rows] = self.seat_rewards[rows, payees]
        return rows[self.ended[rows]]

    def _begin_again(self, ended: NDArray[np.intp]) -> None:
        """With `mix`, the games that began in some rows begin by another ruleset."""
        if self.mix and ended.size:
            chosen = np.zeros(self.num_envs, np.bool_)
            chosen[ended] = True
            self._deal_rulesets(chosen)

    def _deal_rulesets(self, rows: NDArray[np.bool_]) -> None:
        """Begin the new games of some rows (N,) again, with rulesets that follow from their seeds."""
        batch = self.batch
        seeds = batch.states["seed"].astype(np.int64)
        entries = seeds % len(batch.rulesets)
        if self._chance_ends is not None:
            places = np.searchsorted(self._chance_ends, seeds / SEEDS, side="right")
            entries = np.minimum(places, len(batch.rulesets) - 1)
        batch.reset(seeds=seeds, rows=rows, rulesets=entries)

    def _with_rivals(self, actions: NDArray[Any], rows: NDArray[np.intp]) -> NDArray[Any]:
        """The learner's actions (N,), with the rivals' actions in those of some rows that are theirs."""
        batch = self.batch
        actions = np.array(actions)
        self.rival_rows[rows] = False
        waiting = batch.to_play[rows] == self.rival_seat[rows]
        if self.lone_learner:
            waiting = ~waiting & (self.rival_of[rows] >= 0)
        if not waiting.any():
            return actions
        for i, rival in enumerate(self.rivals):
            theirs = rows[waiting & (self.rival_of[rows] == i)]
            if rival is not None and theirs.size:
                actions[theirs] = rival(batch.numbers(theirs), batch.masks[theirs])
                self.rival_rows[theirs] = True
        return actions


class SeatVecEnv(_BatchVecEnv):
    """N games in which the learner holds one seat and opponents all others.

    Self-play with a stock algorithm: the opponent calls the model, which is created after the
    environment.

        env = SeatVecEnv(32, side="both", opponent=lambda seen, masks: model.predict(seen, action_masks=masks)[0])
        model = MaskablePPO("MlpPolicy", env)

    Args:
        num_envs: N, 1 .. 2**20.
        ruleset: one for all rows, or a list, which is dealt to the rows.
        side: the learner's seat, such as "britain"; "both": all seats in turn, row by row; None: the first.
        opponent: a name, a callable, a search, or a mixture of them, see `opponents`.
        seed: of the games and the opponents; None: random. `env.seed(...)` before a reset replaces it.
        num_threads: threads that step the rows, 1 .. 1024.
        observation_dtype: "float32" or "uint8", as in `BatchGame`; opponents get float32 all the same.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a number out of range, an unknown side or opponent.
    """

    def __init__(
        self,
        num_envs: int,
        ruleset: AnyRuleset | Sequence[AnyRuleset] = "standard",
        side: str | None = None,
        opponent: Rivals = "random",
        seed: int | None = None,
        num_threads: int = 1,
        observation_dtype: DTypeLike = FLOAT,
    ) -> None:
        self.seated = SeatedBatch(num_envs, ruleset, side, opponent, seed, num_threads, observation_dtype)
        super().__init__(num_envs, self.seated.batch, self.seated)

    def step_wait(self) -> Any:
        """Play the actions of `step_async`, then the rivals' until it is the learner's turn again.

        Returns:
            Observations, (N, D); the learner's rewards, float32 (N,); dones, bool (N,); infos, one dict per row. All are
            fresh.

        Raises:
            IllegalActionError: names row, action and reason; no row was stepped.
        """
        seated = self.seated
        seated.step(self._actions)
        done = seated.terminated.copy()
        ended = np.flatnonzero(done)
        rewards = seated.rewards.copy()
        infos = self._no_infos()
        if ended.size:
            results = seated.results().infos()
            infos = self._infos(ended, results, seated.final_observations, rewards)
        return seated.observations.copy(), rewards, done, infos
