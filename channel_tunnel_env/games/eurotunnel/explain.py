"""Why an action is not legal, in the words of the rules; reveals nothing that the power asked cannot know."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES
from channel_tunnel_env.games.eurotunnel.board_positions import phase_name, unit_text
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import refusals as r

_WORDS = {
    r.SAME_PLACE: "the unit stands there",
    r.NOT_NEAR: "no border that the unit can cross leads there",
    r.OTHER_COAST: "the fleet reaches the province by another coast, or its coast must be named",
    r.NO_COAST_OF_ARMIES: "an army goes to a province, not to one of its coasts",
    r.NO_ARMY_AT_SEA: "an army cannot stand at sea",
    r.NO_CONVOY: "the fleets at sea make up no convoy that leads there",
    r.NO_VIA: "a convoy to a neighbour is not asked for under this rule book",
    r.NOT_ARMY: "only an army can do that",
    r.VIA_FAR: "the province is no neighbour; an army reaches it by convoy without asking for one",
    r.NO_TUNNELS: "there are no tunnels under this ruleset",
    r.NO_PAIR: "no tunnel may join these provinces",
    r.UNKNOWN_TUNNEL: "the power knows of no tunnel that joins them",
    r.ONE_A_TURN: "the power builds as much as it may in this phase already",
    r.NONE_LEFT: "the power has built all the tunnels of its game",
    r.OWN_TUNNEL: "a tunnel of the power joins them already",
    r.CROWDED: "too many tunnels of the power end in one of them",
    r.ITSELF: "a unit cannot support itself",
    r.NO_UNIT: "no unit stands in that province",
    r.OUT_OF_REACH: "the unit could not move there itself",
    r.CANNOT_MOVE_SO: "the other unit cannot be ordered to move there, as far as the power knows",
    r.NOT_AT_SEA: "only a fleet at sea can convoy",
    r.NO_ARMY: "no army stands in that province",
    r.NOT_ON_ROUTE: "no convoy by the fleets at sea leads there through this sea",
    r.NO_SUCH_TUNNEL: "the power has no standing tunnel of that number",
    r.OWN_POWER: "the owner needs no permission",
    r.POWER_OUT: "that power is out of the game",
    r.CHANGED: "that permission was changed in this phase already",
    r.OCCUPIED: "a unit stands there",
    r.ATTACKER: "the attacker came from there",
    r.CONTESTED: "a stand-off has left the province empty",
    r.UNUSABLE_TUNNEL: "the power may use no tunnel that joins them",
    r.NOT_HOME: "the province is no home centre of the power",
    r.LOST_HOME: "the power does not own this home centre",
    r.ORDERED: "that is ordered already",
    r.OUT_OF_ORDER: "choices of a winter are made in the order of their ids, and a later one was made",
    r.NOT_YOURS: "no unit of the power stands there",
    r.TOO_FEW_LEFT: "removals are chosen in the order of their ids, and too few units stand behind it",
}


def describe_refusal(states: NDArray[Any], i: int, tables: NDArray[Any], action: int) -> str:
    """The message of an IllegalActionError, for game i of an array of records."""
    state, why = states[i], reason(states, i, tables, action)
    asked = asked_unit(state)
    unit = f" for {asked}" if asked else ""
    return f"{ACTION_NAMES[action]!r} is not legal{unit} in {phase_name(state)}: {why}"


def reason(states: NDArray[Any], i: int, tables: NDArray[Any], action: int) -> str:
    """Why an action is not legal in game i, in words."""
    refusal = r.find_refusal(states, i, tables, action)
    if refusal == r.NOT_NOW:
        return f"now the game asks for {question(states[i])}"
    return _WORDS[refusal]


def asked_unit(state: Any) -> str:
    """The unit asked, such as "A LON"; "" where the question is not about a unit."""
    place = int(state["cursor"])
    if place < 0:
        return ""
    return unit_text(state, place, "lost" if state["phase"] == c.RETREATS else "unit")


def question(state: Any) -> str:
    """What the power asked has to answer."""
    if state["phase"] == c.MOVEMENT:
        what = int(state["asked"])
        if what == c.UNITS:
            return f"an order for {asked_unit(state)}"
        return "changes of permissions" if what == c.PERMITS else "a vote on a draw"
    if state["phase"] == c.RETREATS:
        return f"a retreat of {asked_unit(state)}, or that it is disbanded"
    if state["phase"] == c.ADJUSTMENTS:
        builds = int(state["quota"][int(state["to_play"])]) > 0
        return "a unit to build, or none" if builds else "a unit to remove"
    return "nothing: it is over"
