"""reference/training-rulesets.md: what training draws, from the space that it draws from."""

from __future__ import annotations

from channel_tunnel_agents.balance.measuring.knowledge import known_to_reader
from pages.markdown import example, page, table

OUTSIDE = """
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_env import load_ruleset

ruleset = load_ruleset({"base": "standard", "name": "mine", "extra_finance": 14})
print([str(found) for found in SPACES["tunnel_1987"].outside(ruleset)])
"""


def training_rulesets_page() -> str:
    """The draws in words, and the values of every key."""
    known = known_to_reader("tunnel_1987")
    return page(
        "Rulesets that training draws",
        "[`adept`](../explanation/players-that-read-rules.md) of 1987 Channel Tunnel learned from thousands "
        "of rulesets around `standard` and `agenda`, and `drawn_rulesets:` gives your own runs the same "
        f"(`channel_tunnel_agents.rulesets`, version {known.version}). Up to a quarter of the games follow "
        "these two.",
        "Three quarters of the draws take up one or more of twenty themes, each of which moves many numbers "
        "at once as a designer does: tracks scaled, flat or cut, points moved from one source to another, "
        "short and long routes, poor and rich, unequal countries, dead features, all switches. Then a draw "
        "turns 2, 6, 15 or 35 % of the keys. A number goes one step up or down, half of the time two or more; "
        "a word becomes another one. Keys that belong together change as a whole: the route and its tokens, "
        "the places of barriers and benefits, the deviation cards, the playing cards and their costs.",
        table(["key", "drawn values"], [[f"`{key}`", values] for key, values in known.table()]),
        '`SPACES["tunnel_1987"].outside(ruleset)` lists what lies beyond these values, and the commands name it:',
        example(OUTSIDE.strip()),
        "Carcassonne draws from nine keys: `tunnel`, `farm_scoring`, `small_city`, `token_sets_two` (1 to 3), "
        "`token_sets_three` (1 and 2), `token_window`, `tunnel_variant`, `robber_baron` and `followers` (3 to "
        "10).",
    )
