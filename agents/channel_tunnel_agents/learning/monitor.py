"""What happens between updates: schedules, random streams, snapshots, checkpoints, and the log with its counts of finished games.

The log is progress.csv and TensorBoard events.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, make_output_format
from stable_baselines3.common.utils import set_random_seed

from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.games.spec import Tallies
from channel_tunnel_agents.learning.guards import TrainingStopped, warnings
from channel_tunnel_agents.learning.run import Run
from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.envs.opponents import reseed

KINDS = ("csv", "tensorboard")


class RunLogger(Logger):
    """SB3's logger, with errors that name the folder; files of a resumed run have a suffix, such as "-from-4096"."""

    def __init__(self, folder: Path, suffix: str) -> None:
        super().__init__(str(folder), [])
        try:
            for kind in KINDS:
                self.output_formats.append(make_output_format(kind, str(folder), suffix))
        except OSError as error:
            raise self._failed(error) from None

    def dump(self, step: int = 0) -> None:
        """Write a row; an OSError closes the log."""
        try:
            super().dump(step)
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> OSError:
        self.close()
        why = error.strerror or str(error)
        return OSError(error.errno, f"{self.dir}: the log could not be written: {why}")

    def close(self) -> None:
        """Close the files; what does not fit on a full disk is lost."""
        for output in self.output_formats:
            with contextlib.suppress(OSError):
                output.close()


@contextlib.contextmanager
def quiet_writers() -> Iterator[None]:
    """Silence TensorBoard's writer thread, whose errors are raised in this thread as well."""
    before = threading.excepthook

    def only_others(error: threading.ExceptHookArgs) -> None:
        if not isinstance(error.exc_value, OSError):
            before(error)

    threading.excepthook = only_others
    try:
        yield
    finally:
        threading.excepthook = before


FIRST_SEAT_WINS = "first_seat_wins"
TALLIES: Mapping[str, Tallies] = Parts("policy", "TALLIES", Tallies)


class SelfPlayTallies:
    """Counts of the self-play games that ended since the last report."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._own = TALLIES.get(spec.name)
        self.games = 0
        self.sums: dict[str, float] = {}

    def add(self, finals: Any) -> None:
        """Count finished games, records (n,)."""
        self.games += len(finals)
        causes, first_stop = finals["end_cause"], self.spec.outcome.first_stop
        stopped = (causes >= first_stop).sum() if first_stop is not None else 0
        counts = {
            FIRST_SEAT_WINS: (finals["winner"] == 0).sum(),
            "stopped": stopped,
            "plies": finals["ply"].sum(),
            **(self._own.count(finals) if self._own is not None else {}),
            **{
                f"end_{cause}": (causes == number).sum()
                for number, cause in enumerate(self.spec.outcome.end_causes)
                if number
            },
        }
        for name, count in counts.items():
            self.sums[name] = self.sums.get(name, 0.0) + float(count)

    def means(self) -> dict[str, float]:
        """The mean per game of each count; "first_seat_wins" is the first seat's share of wins."""
        own = self._own.always if self._own is not None else ()
        names = (FIRST_SEAT_WINS, "stopped", "plies", *own)
        means = dict.fromkeys(names, 0.0)
        if self.games:  # there are none if rivals take part in every game
            means.update({name: total / self.games for name, total in self.sums.items()})
        return means


Watcher = Callable[[dict[str, Any]], object]  # is called with each status
ENTROPY_ROWS = 2048  # rows of a rollout used for the entropy of each phase
ENTROPY_EVERY = 10  # updates


class Monitor(BaseCallback):
    """Called between a run's updates; `progress` gets a status after each."""

    def __init__(self, run: Run, progress: Watcher | None) -> None:
        super().__init__()
        self.run = run
        self.progress = progress
        self.rates: dict[str, Figure] = {}
        self.entropies: dict[str, float] = {}
        self.tallies = SelfPlayTallies(run.env.batch.spec)
        self._updates = 0
        self._begun = self._evaluated = self._saved = time.monotonic()
        self._seconds_before = run.model.trained_seconds
        self._decisions_before = run.model.num_timesteps

    # --- before each rollout --------------------------------------------------------------------

    def _on_rollout_start(self) -> None:
        run, model = self.run, self.run.model
        run.check_weights()
        config, remaining = run.config, model.remaining
        model.ent_coef = config.final_entropy + (config.entropy - config.final_entropy) * remaining
        run.snapshot_if_due()
        if run.stop_asked():
            self._stop()
        self._evaluate_if_due()
        self._save_if_due()
        self._restart_streams()

    def _stop(self) -> None:
        """Stop between updates, where a run can be resumed."""
        self.run.save()
        raise TrainingStopped(f"stopped after {self.run.model.num_timesteps:,} decisions")

    def _restart_streams(self) -> None:
        """Re-seed every random stream from the seed and the number of decisions: resuming needs no more."""
        run, config = self.run, self.run.config
        words = np.random.SeedSequence([config.seed, run.model.num_timesteps])
        first, draw, *others = words.generate_state(2 + len(run.env.rivals)).tolist()
        if config.curriculum:
            run.env.chances = run.curriculum.chances()
        if run.pool_is_due():
            run.pool.draw(np.random.default_rng(draw))
        for rival, seed in zip(run.env.rivals, others, strict=True):
            reseed(rival, seed)
        set_random_seed(first)  # last: building the networks of new rivals draws numbers too

    def _evaluate_if_due(self) -> None:
        if time.monotonic() - self._evaluated < self.run.config.evaluate_every:
            return
        self.rates = self.run.evaluate()
        for name, rate in self.rates.items():
            self.logger.record(f"ladder/{name}", rate.value)
            for end, value in (("low", rate.low), ("high", rate.high)):
                self.logger.record(f"ladder/{name} {end}", value)
        self._evaluated = time.monotonic()

    def _save_if_due(self) -> None:
        if time.monotonic() - self._saved >= self.run.config.checkpoint_every:
            self.run.save()
            self._saved = time.monotonic()

    # --- in each rollout ------------------------------------------------------------------------

    def _on_step(self) -> bool:
        env, model = self.run.env, self.run.model
        ended = np.flatnonzero(env.ended)
        if ended.size:
            own = env.self_play[ended]
            self.tallies.add(env.batch.final_states[ended[own]])
            rivals = ended[~own]
            outcomes = env.paid[rivals].astype(np.float64)
            self.run.pool.count(rivals, outcomes)
            if self.run.config.curriculum:
                self._count_scripted(rivals, outcomes)
        model.trained_seconds = self._seconds_before + time.monotonic() - self._begun
        # At least one update, though compiling may have used up the time.
        in_time = not model.max_seconds or model.trained_seconds < model.max_seconds
        return in_time or self._updates == 0

    def _count_scripted(self, rows: NDArray[np.intp], outcomes: NDArray[np.float64]) -> None:
        """Let the curriculum know of games of two seats against scripted rivals; `outcomes` as for the pool."""
        env = self.run.env
        scripted = env.rival_of[rows] < self.run.pool.first_place
        rows, outcomes = rows[scripted], outcomes[scripted]
        seats = 1 - env.rival_seat[rows].astype(np.intp)
        own = np.where(seats == 0, outcomes, -outcomes)
        self.run.curriculum.count(env.batch.final_states["ruleset"][rows], seats, 0.5 - 0.5 * own)

    def _on_rollout_end(self) -> None:
        if self._updates % ENTROPY_EVERY == 0:
            self.entropies = self._entropy_by_phase()
        self._updates += 1
        status = self._status()
        for text in warnings(status):
            status.setdefault("warnings", []).append(text)
        for name, value in status.items():
            if isinstance(value, (int, float)):
                self.logger.record(f"self_play/{name}", value)
        if self.progress:
            self.progress(status | {"rates": self.rates})
        self.tallies = SelfPlayTallies(self.run.env.batch.spec)

    def _status(self) -> dict[str, Any]:
        run, model = self.run, self.run.model
        seconds = max(time.monotonic() - self._begun, 1e-9)
        last = self.logger.name_to_value  # recorded by the update before this rollout
        return {
            "decisions": model.num_timesteps,
            "decisions_per_second": (model.num_timesteps - self._decisions_before) / seconds,
            "done": self.run.done,
            "games": self.tallies.games,
            "entropy_bonus": model.ent_coef,
            "kl": float(last.get("train/approx_kl", 0.0)),
            "clipped": float(last.get("train/clip_fraction", 0.0)),
            "explained_variance": float(last.get("train/explained_variance", 1.0)),
            "entropy": -float(last.get("train/entropy_loss", -1.0)),
            "first_seat": run.env.batch.seats[0],
            "seats": len(run.env.batch.seats),
            "usual_plies": run.form.usual_plies,
            **self.tallies.means(),
            **self.entropies,
            **model.waits(),
        }

    @torch.no_grad()
    def _entropy_by_phase(self) -> dict[str, float]:
        """Mean entropy of the policy in nats per phase, over a sample of the rollout's rows."""
        if not self.run.form.phases:
            return {}
        observations, masks = self.run.model.rows_of_rollout(ENTROPY_ROWS)
        actions = torch.zeros(len(observations), device=observations.device)
        entropy = self.run.model.policy.evaluate_actions(observations, actions, masks)[2].cpu().numpy()
        form = self.run.form
        columns = slice(form.phase_column, form.phase_column + len(form.phases))
        phase = observations[:, columns].argmax(dim=1).cpu().numpy()
        return {
            f"entropy_{name}": float(entropy[phase == i].mean())
            for i, name in enumerate(form.phases)
            if (phase == i).any()
        }
