"""The package's version, and what the numbers in ids and saved policies mean and what each of them changed.

Such a version is raised when a saved policy, record or result would no longer fit. The last entry of each history
is the version in use; docs/environment.md shows them.
"""

from __future__ import annotations

from dataclasses import dataclass

__version__ = "0.1.0"


@dataclass(frozen=True)
class Change:
    """One version.

    Args:
        version: as it stands in ids, cards and records.
        package: the first release of the package with it.
        what: what is different from the version before, for a user.
    """

    version: str
    package: str
    what: str


ENVIRONMENT = (
    Change("v0", "0.1.0 (development)", "first version"),
    Change(
        "v1",
        "0.1.0",
        "a stopped game (`max_rounds`, `empty_rounds`, `dead_position`) terminates, where it truncated; winner, end cause "
        "and scores in the infos; a mask allows one action where there is nothing to decide (PettingZoo AEC: still none)",
    ),
)
OBSERVATION = (
    Change("1", "0.1.0 (development)", "first version, 679 values"),
    Change(
        "2",
        "0.1.0",
        "section `lead_at_centre`: who would lead if a TBM now stood at the centre; 711 values",
    ),
)
ACTIONS = (Change("1", "0.1.0", "first version, 171 ids"),)
RECORDS = (Change("1", "0.1.0", "first version"),)

HISTORIES = {
    "environment ids": ENVIRONMENT,
    "observation": OBSERVATION,
    "actions": ACTIONS,
    "game records": RECORDS,
}
