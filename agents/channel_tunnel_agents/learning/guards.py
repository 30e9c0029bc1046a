"""Signs of trouble in self-play, reported as they appear (limits from our own and published runs).

A guard looks at one status of the run and returns a warning, or None. Only non-finite values stop a
run; the other signs may be the nature of the game, so they are only logged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from channel_tunnel_env.outside.terminal import percent

EARLY = 5_000_000  # decisions in which a policy may still stall or bust
LARGE_KL, LARGE_CLIPPED = 0.1, 0.35  # of an update; the demo reaches 0.064 and 0.29, and learns


class TrainingCollapse(RuntimeError):
    """The run cannot continue; its last good checkpoint is intact."""


class TrainingStopped(RuntimeError):
    """The run was asked to stop, and has saved its progress."""


def _stalling(status: Mapping[str, Any]) -> str | None:
    share = status["stopped"]
    if status["decisions"] > EARLY and share > 0.05:
        return f"{percent(share, 0)} of self-play games were stopped without a finish (more than 5 %)"
    return None


def _empty_games(status: Mapping[str, Any]) -> str | None:
    share = status.get("all_pass", 0.0)
    return f"{percent(share)} of self-play games saw no stack placed" if share > 0.01 else None


def _one_side(status: Mapping[str, Any]) -> str | None:
    share, who = status["first_seat_wins"], status["first_seat"].capitalize()
    if status["seats"] == 2 and status["games"] >= 100 and not 0.1 <= share <= 0.9:
        return f"{who} wins {percent(share, 0)} of self-play: one side has given up, or the rules have"
    return None


def _loops(status: Mapping[str, Any]) -> str | None:
    plies, most = status["plies"], status["usual_plies"]
    return f"games last {plies:.0f} decisions (more than {most})" if plies > most else None


def _large_steps(status: Mapping[str, Any]) -> str | None:
    kl, clipped = status.get("kl", 0.0), status.get("clipped", 0.0)
    if kl > LARGE_KL or clipped > LARGE_CLIPPED:
        return f"updates are large: KL {kl:.3f}, {percent(clipped, 0)} of rows clipped; lower learning_rate"
    return None


def _no_value(status: Mapping[str, Any]) -> str | None:
    explained = status.get("explained_variance", 1.0)
    if status["decisions"] > EARLY and explained <= 0:
        return f"the value explains {percent(explained, 0)} of the returns' variance: worse than a constant"
    return None


def _certain(status: Mapping[str, Any]) -> str | None:
    entropy = status.get("entropy", 1.0)
    if status["done"] < 0.5 and entropy < 0.02:
        return f"the policy's entropy fell to {entropy:.3f} nats before half of the run"
    return None


GUARDS: tuple[Callable[[Mapping[str, Any]], str | None], ...] = (
    _stalling,
    _empty_games,
    _one_side,
    _loops,
    _large_steps,
    _no_value,
    _certain,
)


def warnings(status: Mapping[str, Any]) -> list[str]:
    """The guards' warnings about a status of the run; empty if all is well."""
    return [text for guard in GUARDS if (text := guard(status)) is not None]
