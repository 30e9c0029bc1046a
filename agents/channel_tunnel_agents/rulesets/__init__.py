"""Rulesets drawn around those of a game: what one policy for all of them is trained on.

May import nothing of this package.
"""

from __future__ import annotations

from channel_tunnel_agents.rulesets.space import Numbers, Outside, RulesetSpace, Words
from channel_tunnel_agents.rulesets.tunnel_1987 import TUNNEL_1987

SPACES = {space.game: space for space in (TUNNEL_1987,)}
"""By the name of the game."""

__all__ = ["SPACES", "Numbers", "Outside", "RulesetSpace", "Words"]
