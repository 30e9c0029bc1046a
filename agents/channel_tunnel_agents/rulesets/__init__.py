"""Rulesets drawn around those of a game: what one policy for all of them is trained on.

May import: games.
"""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.rulesets.space import Numbers, Outside, RulesetSpace, WordValues

SPACES: Mapping[str, RulesetSpace] = Parts("rulesets", "SPACE", RulesetSpace)
"""By the name of the game."""

__all__ = ["SPACES", "Numbers", "Outside", "RulesetSpace", "WordValues"]
