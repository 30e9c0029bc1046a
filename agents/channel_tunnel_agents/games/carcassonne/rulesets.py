"""Rulesets around Carcassonne with The Tunnel: the house rules that a policy sees in its observation.

Points and tiles are not in the observation, so no draw changes them. The seats are those of the ruleset that a run
begins with: the observation's size depends on them. A policy plays with any number of seats, not only the number it learned with.
"""

from __future__ import annotations

from channel_tunnel_agents.rulesets.space import Numbers, RulesetSpace, WordValues
from channel_tunnel_env.games.carcassonne.engine import constants as c

BASE = "carcassonne"
SEATS = "players"

SPACE = RulesetSpace(
    game=BASE,
    version=2,
    bases=(BASE,),
    figures={
        "tunnel": WordValues((True, False)),
        "farm_scoring": WordValues(("third", "second", "first", "none")),
        "small_city": WordValues((2, 4)),
        "token_sets_two": Numbers(1, 3),
        "token_sets_three": Numbers(1, 2),
        "token_window": WordValues(("after_meeple", "before_meeple")),
        "tunnel_variant": WordValues(("none", "follower", "steal", "paired", "no_block")),
        "robber_baron": WordValues((True, False)),
        "followers": Numbers(3, 10),
        SEATS: Numbers(c.MIN_SEATS, c.MAX_SEATS, turned=False),
    },
    names=(),
    reshapes=(),
    shares=(0.35, 0.6, 0.9),  # there are few figures, and the far corners are where a policy is weak
    of_table=(SEATS,),
)
"""What a policy for all its house rules is trained on."""
