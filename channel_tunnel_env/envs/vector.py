"""The native Gymnasium VectorEnv of `ChannelTunnel-v1`: N games stepped as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import DTypeLike, NDArray

from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.envs.all_seats import held_space
from channel_tunnel_env.envs.opponents import Rivals
from channel_tunnel_env.envs.results import idle_mask
from channel_tunnel_env.envs.seated import SeatedBatch
from channel_tunnel_env.rulesets.ruleset import AnyRuleset


class ChannelTunnelVectorEnv(VectorEnv[Any, Any, Any]):
    """N learner seats.

    Masks are in `info["action_mask"]` (int8 (N, A)) and from `action_masks()` (bool); at least one
    action is always legal in every row. Every end of a game is a termination; its result is in the
    infos, named as in `results` and in the format of Gymnasium's own vector environments.

    With autoreset_mode NEXT_STEP (Gymnasium's default) a finished row shows its last observation, a
    mask that allows one action (`idle`), and winner, end cause and scores in `info`. The next step,
    regardless of its action, starts the new game with reward 0; do not learn from that step. With
    SAME_STEP the row shows the first observation of its next game at once; the last observation of
    the old game is in `info["final_obs"]` and its result in `info["final_info"]`.

    Args:
        num_envs: N.
        ruleset: as in the single environment, or a list, which is dealt to the rows.
        side: as in the single environment.
        opponent: likewise.
        autoreset_mode: "NextStep" or "SameStep", or gymnasium's enum.
        num_threads: threads that step the rows.
        render_mode: None; a batch draws nothing.
        observation_dtype: "float32" or "uint8"; `encoding.decode` gives float32 back. Opponents get
            float32 all the same.

    Raises:
        ValueError: a wrong argument, or a dtype that does not hold the rulesets' observations.
    """

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: AnyRuleset | Sequence[AnyRuleset] = "standard",
        side: str | None = None,
        opponent: Rivals = "random",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        num_threads: int = 1,
        render_mode: None = None,
        observation_dtype: DTypeLike = FLOAT,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        if mode == AutoresetMode.DISABLED:
            raise ValueError("autoreset_mode: allowed: NextStep, SameStep")
        if render_mode is not None:
            raise ValueError(
                f"render_mode {render_mode!r}: a batch draws nothing; for pictures take vectorization_mode='sync'"
            )
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.seated = SeatedBatch(
            num_envs, ruleset, side, opponent, num_threads=num_threads, observation_dtype=observation_dtype
        )
        batch = self.seated.batch
        self.encoding = batch.encoding
        self._idle_mask = idle_mask(batch.spec)
        self.single_observation_space = held_space(batch)
        self.single_action_space = spaces.Discrete(batch.spec.actions.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)  # rows to restart in the next step
        self._never = np.zeros(num_envs, np.bool_)
        self._always = ~self._never

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start new games.

        Args:
            seed: the rows' games are derived from it, unlike in Gymnasium's own vector environments, where it stands
                for `seed`, `seed` + 1, and so on. A list has a seed for each row, as there: a row's first game is that
                of the single environment with its seed, and equal seeds give equal rows. Opponents that draw lots play
                all rows, so theirs depend on all seeds. None, also in a list: what follows from the seed before.
            options: {"reset_mask": bool (N,)} resets only some rows.

        Returns:
            Observations, (N, D), and the info with `action_mask`, int8 (N, A).

        Raises:
            ValueError: a position is given, or what is no seed or mask; no row was reset.
        """
        given = options or {}
        if not {"position", "ruleset"}.isdisjoint(given):
            raise ValueError(
                "options: a batch starts no position and keeps its rulesets; take vectorization_mode='sync', a list of rulesets, or "
                "BatchGame.from_games"
            )
        if unknown := [name for name in given if name != "reset_mask"]:
            raise ValueError(f"options: {unknown[0]!r:.80}: allowed: reset_mask")
        rows = given.get("reset_mask")
        if isinstance(seed, (list, tuple, range)) or (isinstance(seed, np.ndarray) and seed.ndim):
            self.seated.reset_each(self._seeds([*seed]), rows)
        else:
            self.seated.reset(seed, rows)  # type: ignore[arg-type]  # which refuses what is no seed
        self._ended[slice(None) if rows is None else np.asarray(rows)] = False
        return self.seated.observations.copy(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one decision of the learner in every row.

        Args:
            actions: int (N,), legal ids; ignored in rows that restart in this step.

        Returns:
            Observations, (N, D); rewards, float64 (N,); terminations, bool (N,); truncations, always False; the info.
            All are fresh arrays.

        Raises:
            IllegalActionError: names row, action and reason; no row was stepped.
        """
        seated = self.seated
        waiting = self._ended.copy()
        given = np.array(actions)
        if waiting.any():
            # Their new games are ready: SeatedBatch restarted them in the step that ended them.
            seated.step_rows(given, ~waiting)
        else:
            seated.step(given)
        done = seated.terminated.copy()
        ended = np.flatnonzero(done)
        info = self._info()
        observations = seated.observations.copy()
        if self.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP:
            observations[ended] = seated.final_observations[ended]
            info["action_mask"][ended] = self._idle_mask
            self._ended = done.copy()
        if ended.size:
            result = seated.results().vector_info(ended, self.num_envs)
            if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
                info |= self._final_info(result, ended)
            else:
                info |= result
        return observations, seated.rewards.astype(np.float64), done, self._never.copy(), info

    def _seeds(self, seeds: Sequence[int | None]) -> list[int | None]:
        """Checked, one for each row."""
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} seeds; expected one for each of {self.num_envs}")
        return [None if one is None else given_seed(one, f"seed[{row}]") for row, one in enumerate(seeds)]

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every row.

        Returns:
            bool (N, A), a copy.
        """
        masks = self.seated.masks.copy()
        masks[self._ended] = self._idle_mask
        return masks

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.seated.masks.astype(np.int8), "_action_mask": self._always.copy()}

    def _final_info(self, result: dict[str, Any], ended: NDArray[np.intp]) -> dict[str, Any]:
        """The last observations and infos of games whose rows already show the next game."""
        shown = self._never.copy()
        shown[ended] = True
        masks = np.zeros(self.seated.masks.shape, np.int8)
        masks[ended] = self._idle_mask
        observations = np.full(self.num_envs, None, dtype=object)
        for row in ended:
            observations[row] = self.seated.final_observations[row].copy()
        return {
            "final_obs": observations,
            "_final_obs": shown,
            "final_info": {"action_mask": masks, "_action_mask": shown.copy()} | result,
            "_final_info": shown.copy(),
        }
