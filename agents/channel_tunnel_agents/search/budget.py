"""The time that a search has for a decision, spent in rounds."""

from __future__ import annotations

import time
import warnings

TRIED = 3  # decisions before a budget is called too small: the first compile, or wait for another process


class TimeBudget:
    """Says after each round whether another one fits; and once, in a warning, if not even one does.

    Args:
        name: of the agent, for the warning.
        milliseconds: for each decision; None: there is no limit.
    """

    def __init__(self, name: str, milliseconds: float | None) -> None:
        self.name = name
        self.milliseconds = milliseconds
        self._begun = 0.0
        self._decisions = 1
        self._shortest = float("inf")
        self._tried = 0

    def begin(self, decisions: int = 1) -> None:
        """Start the clock of decisions that are searched together: each adds its time."""
        self._begun, self._decisions = time.perf_counter(), decisions

    def fits_another(self, done: int, step: int) -> bool:
        """Whether `step` more of what has been `done` since the clock started will fit; `done` equals `step` after the first round."""
        if self.milliseconds is None:
            return True
        spent = 1000 * (time.perf_counter() - self._begun) / self._decisions
        if done == step:
            self._note_first_round(spent)
        return spent * (1 + step / done) <= self.milliseconds

    def _note_first_round(self, spent: float) -> None:
        """Warn if no first round so far has fitted."""
        assert self.milliseconds is not None
        self._tried += 1
        self._shortest = min(self._shortest, spent)
        if self._tried == TRIED and self._shortest > self.milliseconds:
            warnings.warn(
                f"agent {self.name!r}: {self.milliseconds:g} ms is too little for one round of its search, "
                f"which takes {self._shortest:.0f} ms here; it plays one round all the same",
                RuntimeWarning,
                stacklevel=2,
            )
