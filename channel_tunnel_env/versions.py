"""The package's version, and the history of the versions in ids, saved policies and records.

Such a version is raised when a saved policy, record or result would no longer fit. The last entry
of each history is the version in use; docs/environment.md shows them.
"""

from __future__ import annotations

from dataclasses import dataclass

__version__ = "0.1.0"


@dataclass(frozen=True)
class VersionChange:
    """One version.

    Args:
        version: as written in ids, cards and records.
        package: the first release of the package that has it.
        what: the change from the previous version, as a user sees it.
    """

    version: str
    package: str
    what: str


ENVIRONMENT = (
    VersionChange("v0", "0.1.0 (development)", "first version"),
    VersionChange(
        "v1",
        "0.1.0",
        "a stopped game (`max_rounds`, `empty_rounds`, `dead_position`) now terminates instead of truncating; winner, end "
        "cause and scores are in the infos; a mask allows one action when there is nothing to decide (PettingZoo AEC: still "
        "none)",
    ),
)
OBSERVATION = (
    VersionChange("1", "0.1.0 (development)", "first version, 679 values"),
    VersionChange(
        "2",
        "0.1.0 (development)",
        "new section `lead_at_centre`: who would lead if a TBM were at the centre now; 711 values",
    ),
    VersionChange(
        "3",
        "0.1.0",
        "after the sections of version 2: the chance that the next Tunnel loses, what each seat can place, whether it can "
        "reach the centre or close a space, and the figures of the ruleset (`rule_...`); 1203 values",
    ),
)
ACTIONS = (VersionChange("1", "0.1.0", "first version, 171 ids"),)
RECORDS = (VersionChange("1", "0.1.0", "first version"),)

HISTORIES = {
    "environment ids": ENVIRONMENT,
    "observation": OBSERVATION,
    "actions": ACTIONS,
    "game records": RECORDS,
}
