"""What 1987 Channel Tunnel says of itself on the page, and plain names for what its tables hold."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.drawing import FIRST_SEAT, SEAT_MARKERS, SECOND_SEAT
from channel_tunnel_agents.balance.report.game import DefaultAgents, ReportedGame
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.board.excerpt import STYLE
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_VERSION
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_VERSION
from channel_tunnel_env.games.tunnel_1987.rule_words import in_words

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


SECTIONS = {
    "sides": "Side advantage",
    "matrix": "Agents against each other",
    "endings": "Endings",
    "length": "Length",
    "course": "Round by round",
    "luck": "Luck against skill",
    "tension": "Tension",
    "economy": "Economy and score",
    "cards": "Cards",
    "actions": "Actions",
    "restricted": "Restricted play",
    "openings": "Openings",
    "health": "Rule health",
}
WITHOUT_POLICIES = ("random", "heuristic", "ismcts:100", "adept")


GAME = ReportedGame(
    seats=(SIDE_NAMES["britain"], SIDE_NAMES["france"]),
    letters=("B", "F"),
    place="side",
    sections=SECTIONS,
    players=DefaultAgents(
        full=("random", "heuristic", *shipped.NAMES),
        quick=("random", "heuristic", shipped.NAMES[-1]),
        untrained=WITHOUT_POLICIES,
        policies=shipped.NAMES,
        preset="demo",
        deals=(5000, 500),
    ),
    standard="standard",
    beside={
        "rounds": "rounds",
        "close": "decided by 3 points or fewer",
        "end_centre": "ends at the centre",
        "end_deviation": "ends off course",
        "stopped": "stopped: went nowhere",
    },
    in_short=lambda ruleset: [line.removeprefix("- ") for line in in_words(ruleset)],
    length={"tokens bored, both sides": ("tbm_britain", "tbm_france")},
    streams=STREAM_NAMES,
    points="victory points",
    margin_note=" A game lost by deviation counts with the points on the board.",
    versions={"observation version": str(OBSERVATION_VERSION), "action version": str(ACTION_VERSION)},
    style=STYLE,
)


def game(ruleset: Ruleset) -> ReportedGame:
    """What it says of itself at the table of a ruleset, which always has two seats."""
    return GAME
