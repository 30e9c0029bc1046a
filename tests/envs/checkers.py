"""Other libraries' checkers of environments, whose warnings are findings like their errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

OF_EVERY_DICT = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What PettingZoo warns of: it knows observations with masks by the names of its own environments only."""


@contextmanager
def strict() -> Iterator[None]:
    """Context in which a checker that warns fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in OF_EVERY_DICT:
            warnings.filterwarnings("ignore", text, UserWarning)
        yield
