"""How far the value that a ruleset's players give may lie from that of much better ones.

Without any training for the rules the error grows with how far they lie from the box, and with how unlike the seats
are. Training leaves a part of it: on far rules self-play may settle on a way to play that is not the best. The numbers
are wide on purpose: on the twelve rulesets in `benchmarks/verdict_controls.yaml`, which were chosen before any policy was
trained for one, guesses missed the reference by 0.2 to 19 points, full reports by 0.4 to 3.3.
"""

from __future__ import annotations

import math

from channel_tunnel_agents.balance.empirical.value import PolicyError
from channel_tunnel_agents.balance.measuring.knowledge import known_to_reader
from channel_tunnel_env import Ruleset, load_ruleset

UNTRAINED, PER_FIGURE, PER_UNLIKE = 0.02, 0.002, 0.01
"""Standard deviations: near the box, more for every figure that is changed, and for every one that differs by seat."""
CHANGED, PER_CHANGE, OF_FAR_RULES = 0.005, 0.2, 0.5
"""Of a change of value: where it is small, more for all of it, and the part of what far rules add to the error of a value."""
MOST_FIGURES, MOST_UNLIKE = 20, 8
TRAINED, ANSWERED = PolicyError(0.025, 0.5), PolicyError(0.015, 0.4)
LEFT_BY_TRAINING, LEFT_BY_ANSWERS = 0.5, 0.35
"""Parts of the error without training that remain."""


def policy_error(ruleset: Ruleset, is_trained: bool, is_answered: bool) -> PolicyError:
    """The error of the policies that judge a ruleset.

    Args:
        is_trained: some were trained by self-play for it.
        is_answered: best responses to them were trained.
    """
    if ruleset.num_seats != 2:
        return PolicyError(0.0, 0.0)  # not measured: the verdict is that of the player that is named
    guess = _error_of_a_guess(ruleset)
    if not (is_trained or is_answered):
        return PolicyError(guess, 0.0)
    own = ANSWERED if is_answered else TRAINED
    return PolicyError(math.hypot(own.least, _left(is_trained, is_answered) * guess), own.per_width)


def _left(is_trained: bool, is_answered: bool) -> float:
    """The part of a guess's error that remains."""
    return LEFT_BY_ANSWERS if is_answered else LEFT_BY_TRAINING if is_trained else 1.0


def _error_of_a_guess(ruleset: Ruleset) -> float:
    """The error without any training, for two seats."""
    # Against the nearest ruleset that the reading player's training began with: figures that are others, and figures that
    # differ from seat to seat otherwise than there.
    known = [load_ruleset(base) for base in known_to_reader(ruleset.spec.name).bases]
    figures, by_seats = ruleset.flat, _by_seats(ruleset)
    far = min(sum(bool(value != near.flat.get(key)) for key, value in figures.items()) for near in known)
    unlike = min(
        sum(len({*values}) > 1 and values != usual.get(key) for key, values in by_seats.items())
        for usual in map(_by_seats, known)
    )
    return UNTRAINED + PER_FIGURE * min(far, MOST_FIGURES) + PER_UNLIKE * min(unlike, MOST_UNLIKE)


def far_error(ruleset: Ruleset, is_trained: bool, is_answered: bool) -> float:
    """What a ruleset's distance from the box adds to the error of its value, as far as training leaves it; see `policy_error`."""
    return _left(is_trained, is_answered) * (_error_of_a_guess(ruleset) - UNTRAINED)


def change_error(change: float, far: float) -> float:
    """The standard deviation of a change of value that the same players give on two rulesets.

    Args:
        far: the larger `far_error` of the two.
    """
    return math.hypot(CHANGED + PER_CHANGE * abs(change), OF_FAR_RULES * far)


def _by_seats(ruleset: Ruleset) -> dict[str, tuple[object, ...]]:
    """The figures that every seat has one of: by the key of the first seat's, those of all seats."""
    figures, (first, *others) = ruleset.flat, ruleset.seats
    return {
        key: (value, *(figures.get(key.replace(first, other)) for other in others))
        for key, value in figures.items()
        if first in key.split(".")
    }
