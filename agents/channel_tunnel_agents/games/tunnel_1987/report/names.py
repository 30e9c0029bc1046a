"""Plain names for what the tables of 1987 Channel Tunnel hold."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.drawing import FIRST_SEAT, SEAT_MARKERS, SECOND_SEAT
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

BRITAIN, FRANCE = FIRST_SEAT, SECOND_SEAT
SIDE_COLOURS = {"britain": BRITAIN, "france": FRANCE}
SIDE_MARKERS = dict(zip(c.SEATS, SEAT_MARKERS, strict=True))
SIDE_NAMES = {"britain": "Britain", "france": "France"}
END_NAMES = {
    "centre": "reached the centre",
    "deviation": "a side went off course (deviation)",
    "max_rounds": "stopped: round limit",
    "empty_rounds": "stopped: rounds without a placement",
    "dead_position": "stopped: nobody could do anything more",
}
STOPPED = ("max_rounds", "empty_rounds", "dead_position")
SOURCE_NAMES = {
    "cards": "points on cards",
    "technology": "technology tracks",
    "deviation": "deviation (minus)",
    "centre": "centre bonus",
    "political_duel": "Political duel",
    "european_speech": "European speech",
    "media_relations": "Media relations",
    "topographical_analysis": "Topographical analysis",
    "agenda": "agenda cards",
    "head_start": "head start",
}
STREAM_NAMES = {
    "rubble": "rubble tokens on the route",
    "cards": "order of the playing cards",
    "deviation": "deviation cards",
    "agenda": "agenda cards",
    "discs": "discs drawn from the bag",
}
SPACE_NAMES = {
    "plan_tunnel": ("Plan (its space)", "Tunnel (its space)"),
    "finance_technology": ("Finance (its space)", "Technology (its space)"),
    **{
        f"slot_{n}": (f"card slot {n}: second action", f"card slot {n}: Development") for n in range(1, c.NUM_SLOTS + 1)
    },
}
ABILITIES = c.CARD_KINDS[c.CARD_KINDS.index("new_workers") :]


def card_names(ruleset: Ruleset) -> dict[str, str]:
    """Card key -> its name."""
    return {card.card: card.name for card in ruleset.data.deck.cards}
