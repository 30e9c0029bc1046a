"""What a policy sees and does, in words, for every game: an observation decoded, and the names of the actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from channel_tunnel_env.faces.registry import observation_of
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, load_ruleset


def decode(observation: ArrayLike, ruleset: AnyRuleset = "standard") -> dict[str, Any]:
    """Decode an observation section by section: only what is in it, in the viewer's own count of seats.

    Args:
        observation: (D,) of one viewer, as `Game.observation` and the environments return it.
        ruleset: of the game that it was made in.

    Returns:
        Name of a section -> a name or None (one-hot), True or False, a number, or a dict or a list of these. The
        sections, in order, are those of the game's own page, such as docs/reference/1987/observation.md.

    Raises:
        ValueError: the observation has another shape than those of the ruleset, or holds bytes.
        RulesetError: a wrong ruleset.
    """
    rules = load_ruleset(ruleset)
    if np.asarray(observation).dtype == np.uint8:
        raise ValueError("observation of dtype uint8: its numbers are `encoding.decode(observation)` of its batch")
    values, size = np.asarray(observation, np.float64), rules.spec.observation.size(rules)
    if values.shape != (size,):
        raise ValueError(
            f"observation of shape {values.shape}: expected one of shape ({size},) under the ruleset {rules.name}"
        )
    return observation_of(rules.spec).decode(values, rules)


def action_names_of(ruleset: AnyRuleset = "standard") -> Sequence[str]:
    """The name of every action of a ruleset's game.

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.

    Returns:
        A names, by id.

    Raises:
        RulesetError: a wrong ruleset.
    """
    return load_ruleset(ruleset).spec.actions.names
