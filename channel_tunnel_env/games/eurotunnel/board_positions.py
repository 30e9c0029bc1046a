"""Positions as plain values: read into a record, and written from one.

    ruleset: eurotunnel         a name, or every value; with `ruleset_digest` where a program wrote it
    phase: S1901M               season, year, and M movement, R retreats, A adjustments
    units: [{power: ENGLAND, type: A, loc: LON}, ...]
    dislodged: [{power, type, loc, from: province of the attacker or null}, ...]
    contested: [BOH, ...]
    centres: {ENGLAND: [EDI, LON, LVP], ...}
    tunnels: [{owner: ENGLAND, ends: [LON, PIC], state: hidden | open, permits: [FRANCE], told: [FRANCE]}, ...]
    built: {ENGLAND: 1}         in the game so far, demolished ones counted
    eliminated: [ITALY, ...]
    ended: {turn: F1920, cause: max_year}      of a finished game, whose phase is COMPLETED

Tunnels of a power are in the order of building. Written for a viewer, a position has what that power knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from channel_tunnel_env.errors import PositionError
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.invariants import INVARIANTS
from channel_tunnel_env.games.eurotunnel.engine.state import new_states
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.ruleset import FIRST_YEAR, Power
from channel_tunnel_env.outside.documents import StrictModel, plain_errors, quote

_PHASE = re.compile(r"([SFW])([0-9]{4})([MRA])")
_TURN = re.compile(r"([SF])([0-9]{4})")
COMPLETED = "COMPLETED"


class UnitData(StrictModel):
    """A unit on the board."""

    power: Power
    type: Literal["A", "F"]
    loc: str


class LostData(UnitData):
    """A dislodged unit, and the province that its attacker came from."""

    attacker: Annotated[str | None, Field(alias="from")] = None


class TunnelData(StrictModel):
    """A standing tunnel."""

    owner: Power
    ends: Annotated[list[str], Field(min_length=2, max_length=2)]
    state: Literal["hidden", "open"]
    permits: list[Power] = Field(default=[])
    told: list[Power] = Field(default=[])


class EndData(StrictModel):
    """When and why a game ended; its shares follow from the board."""

    turn: str
    cause: Literal["solo", "draw_vote", "max_year"]


class PositionData(StrictModel):
    """A position; keys and values as above."""

    ruleset: str | dict[str, Any] = "eurotunnel"
    ruleset_digest: str | None = None
    phase: str
    units: list[UnitData]
    dislodged: list[LostData] = Field(default=[])
    contested: list[str] = Field(default=[])
    centres: dict[Power, list[str]] = Field(default={})
    tunnels: list[TunnelData] = Field(default=[])
    built: dict[Power, Annotated[int, Field(ge=0, le=c.MAX_TUNNELS)]] = Field(default={})
    eliminated: list[Power] = Field(default=[])
    ended: EndData | None = None


# --- reading ------------------------------------------------------------------------------------------


def need_position(position: Any) -> Mapping[str, Any]:
    """A position, which must be keys and values.

    Raises:
        PositionError: it is not.
    """
    if not isinstance(position, Mapping):
        raise PositionError(f"position: {quote(position)}; allowed: a mapping of keys to values")
    return position


def read_position(position: Mapping[str, Any], tables: Any) -> Any:
    """A record, as an array of one, from a position; `tables` is of one ruleset.

    No seat is asked yet.

    Raises:
        PositionError: a key or value is wrong, or the position is not possible.
    """
    try:
        data = PositionData.model_validate(dict(need_position(position)))
    except ValidationError as error:
        raise PositionError("\n".join(plain_errors(error, "position"))) from None
    states = new_states(1)
    kernels.lay_out_game(states, 0, tables, new_states(1))
    _read_phase(states, data, tables[0])
    for unit in data.units:
        _read_unit(states, unit, tables)
    _read_lost(states, data)
    _read_centres(states, data)
    for tunnel in data.tunnels:
        _read_tunnel(states, data, tunnel, tables[0])
    _check_attackers(states, tables)
    for power, built in data.built.items():
        _read_built(states, _power(power), built)
    for power in data.eliminated:
        _read_eliminated(states, data, power)
    if states["phase"][0] == c.ADJUSTMENTS:
        kernels.set_quotas_of_game(states, 0, tables)
    if data.ended is not None:
        _read_end(states, data.ended, tables)
    broken = int(kernels.check_board_of_game(states, 0, tables))
    if broken:
        raise PositionError(f"position: invariant {broken} does not hold ({INVARIANTS[broken]})")
    return states


def _power(name: str) -> int:
    return load_board().powers.index(name)


def province_index(name: str, where: str) -> int:
    """The index of a province.

    Raises:
        PositionError: no province.
    """
    place = load_board().index.get(name, c.NUM_PROVINCES)
    if place >= c.NUM_PROVINCES:
        raise PositionError(f"{where}: {name!r} is no province")
    return place


def _read_phase(states: Any, data: PositionData, rules: Any) -> None:
    if data.ended is None:
        form, key, phase = _PHASE.fullmatch(data.phase), "phase", data.phase
        allowed = {"S": "MR", "F": "MR", "W": "A"}
        if data.phase == COMPLETED:
            raise PositionError("phase: COMPLETED: ended: missing; {turn: F1920, cause: max_year}")
        if form is None or form[3] not in allowed[form[1]]:
            raise PositionError(f"phase: {quote(data.phase)}; allowed: S1901M, S1901R, F1901M, F1901R, W1901A ...")
    else:
        form, key, phase = _TURN.fullmatch(data.ended.turn), "ended.turn", data.ended.turn
        if data.phase != COMPLETED:
            raise PositionError(f"phase: {quote(data.phase)}: of a finished game it is {COMPLETED}")
        if form is None:
            raise PositionError(f"ended.turn: {quote(phase)}; allowed: S1901, F1901 ...")
    season, year = c.SEASON_LETTERS.index(form[1]), int(form[2])
    last = int(rules["max_year"]) - (season == c.WINTER)  # the game ends with the last fall
    if not FIRST_YEAR <= year <= last:
        raise PositionError(
            f"{key}: {phase}: under this ruleset years run from {FIRST_YEAR} to {rules['max_year']}, "
            "and the last has no winter"
        )
    states["season"][0] = season
    states["year"][0] = year
    states["turn"][0] = c.TURNS_A_YEAR * (year - FIRST_YEAR) + min(season, c.FALL) + 1
    states["phase"][0] = c.OVER if data.ended else c.PHASE_LETTERS.index(form[3])


def _read_end(states: Any, ended: EndData, tables: Any) -> None:
    """The end of a game, and the shares that follow from its board."""
    if not kernels.end_game_as(states, 0, tables, c.END_CAUSES.index(ended.cause)):
        raise PositionError(f"ended: {ended.cause}: no game of this ruleset ends so in {ended.turn} with this board")


def check_unit(unit: UnitData, where: str) -> int:
    """The location of a unit.

    Raises:
        PositionError: such a unit cannot stand there.
    """
    board = load_board()
    location = board.index.get(unit.loc, c.NONE)
    kind = c.UNIT_LETTERS.index(unit.type)
    if location < 0 or not board.steps[kind][location]:
        raise PositionError(f"{where}: {unit.type} {unit.loc}: no {_KIND[unit.type]} stands there")
    return location


_KIND = {"A": "army", "F": "fleet"}


def _read_unit(states: Any, unit: UnitData, tables: Any) -> None:
    location = check_unit(unit, "units")
    place = load_board().province_of[location]
    if states["unit_power"][0, place] >= 0:
        raise PositionError(f"units: two in {load_board().provinces[place]}; a province has room for one")
    kind = c.UNIT_LETTERS.index(unit.type)
    kernels.put_in_game(states, 0, tables, _power(unit.power), kind, location)


def _read_lost(states: Any, data: PositionData) -> None:
    retreats = states["phase"][0] == c.RETREATS
    if bool(data.dislodged) != retreats:
        what = "no unit is dislodged in" if retreats else "no unit waits for a retreat in"
        raise PositionError(f"dislodged: {what} {data.phase}")
    for unit in data.dislodged:
        _read_lost_unit(states, unit)
    for name in data.contested:
        place = province_index(name, "contested")
        if not retreats or states["unit_power"][0, place] >= 0:
            raise PositionError(
                f"contested: {name}: allowed: provinces that a stand-off left empty, in a phase of retreats"
            )
        states["contested"][0, place] = 1


def _read_lost_unit(states: Any, unit: LostData) -> None:
    """A dislodged unit, in whose province its attacker stands now; the report names it."""
    state, where = states[0], f"dislodged: {unit.type} {unit.loc}"
    location = check_unit(unit, "dislodged")
    place = load_board().province_of[location]
    kind, power, came = c.UNIT_LETTERS.index(unit.type), _power(unit.power), unit.attacker
    if state["lost_power"][place] >= 0:
        raise PositionError(f"{where}: two were dislodged from there")
    if state["unit_power"][place] in (c.NOBODY, power):
        raise PositionError(f"{where}: no unit of another power stands there, which dislodged it")
    values = {"lost_power": power, "lost_type": kind, "lost_location": location}
    values |= {"lost_from": c.NONE if came is None else province_index(came, "dislodged")}
    values |= {"told_order": c.ID_HOLD, "told_power": power, "told_type": kind}
    for name, value in (values | {"told_result": c.STOOD + c.DISLODGED}).items():
        state[name][place] = value


def _check_attackers(states: Any, tables: Any) -> None:
    """Check that every attacker can have come from its stated origin."""
    provinces = load_board().provinces
    for place in np.flatnonzero(states["lost_power"][0] >= 0):
        came = int(states["lost_from"][0, place])
        if came >= 0 and not kernels.could_have_come(states, 0, tables, came, place):
            raise PositionError(
                f"dislodged: from: the unit in {provinces[place]} cannot have come from {provinces[came]}"
            )


def _read_centres(states: Any, data: PositionData) -> None:
    for power, names in data.centres.items():
        for name in names:
            place = province_index(name, f"centres.{power}")
            if place not in load_board().centres:
                raise PositionError(f"centres.{power}: {name} is no supply centre")
            if states["owner"][0, place] >= 0:
                raise PositionError(f"centres: {name} has two owners")
            states["owner"][0, place] = _power(power)


def _bits(powers: Sequence[str]) -> int:
    return sum(1 << _power(power) for power in set(powers))


def _read_tunnel(states: Any, data: PositionData, tunnel: TunnelData, rules: Any) -> None:
    """A standing tunnel takes the next slot, behind those that were demolished."""
    owner = _power(tunnel.owner)
    ends = sorted(province_index(name, "tunnels") for name in tunnel.ends)
    pairs = list(load_board().pairs)
    where = f"tunnels: {tunnel.owner} {'-'.join(tunnel.ends)}"
    if (ends[0], ends[1]) not in pairs:
        raise PositionError(f"{where}: no legal tunnel joins these ends")
    guests = [*tunnel.permits, *tunnel.told]
    if guests and not rules["permissions"]:
        raise PositionError(f"{where}: the ruleset has no permissions, so this must be empty")
    if tunnel.owner in guests:
        raise PositionError(f"{where}: the owner needs no permission and is not told")
    own = [other for other in data.tunnels if other.owner == tunnel.owner]
    if sum(set(other.ends) == set(tunnel.ends) for other in own) > 1:
        raise PositionError(f"{where}: one standing tunnel of a power on a pair")
    built = data.built.get(tunnel.owner, len(own))
    if not len(own) <= built <= c.MAX_TUNNELS:
        raise PositionError(f"{where}: {len(own)} standing, {built} built; at most {c.MAX_TUNNELS}")
    slot = int(states["built"][0, owner]) or built - len(own)
    for gone in range(int(states["built"][0, owner]), slot):
        states["tunnel_state"][0, owner, gone] = c.DEMOLISHED
    states["tunnel_pair"][0, owner, slot] = pairs.index((ends[0], ends[1]))
    states["tunnel_state"][0, owner, slot] = c.TUNNEL_STATES.index(tunnel.state)
    states["tunnel_permits"][0, owner, slot] = _bits(tunnel.permits)
    states["tunnel_next"][0, owner, slot] = _bits(tunnel.permits)
    states["tunnel_told"][0, owner, slot] = _bits([*tunnel.told, *tunnel.permits])
    states["built"][0, owner] = slot + 1


def _read_built(states: Any, power: int, built: int) -> None:
    """Tunnels built of which none stands."""
    if states["built"][0, power] == 0:
        states["tunnel_state"][0, power, :built] = c.DEMOLISHED
        states["built"][0, power] = built


def _read_eliminated(states: Any, data: PositionData, power: str) -> None:
    """A power that is out: nothing is left of it."""
    left = {
        "units": any(unit.power == power for unit in data.units),
        "dislodged units": any(unit.power == power for unit in data.dislodged),
        "centres": bool(data.centres.get(power)),  # type: ignore[call-overload]
        "tunnels": any(tunnel.owner == power for tunnel in data.tunnels),
    }
    for what, has in left.items():
        if has:
            raise PositionError(f"eliminated: {power} has {what}")
    states["alive"][0] &= ~(1 << _power(power)) & 0xFF


# --- writing ------------------------------------------------------------------------------------------


def known_tunnels(states: Any, viewer: int | None) -> list[tuple[int, int]]:
    """(owner, slot) of the standing tunnels that a power knows; NOBODY knows opened ones, None all of them."""
    if viewer is None:
        known = np.isin(states["tunnel_state"][0], (c.HIDDEN, c.OPENED))
    elif viewer == c.NOBODY:
        known = states["tunnel_state"][0] == c.OPENED
    else:
        known = np.zeros((c.NUM_POWERS, c.MAX_TUNNELS), np.bool_)
        kernels.find_known(states, 0, viewer, known)
    return [(owner, slot) for owner, slot in np.argwhere(known).tolist()]


def write_known_position(states: Any, tables: Any, viewer: int, absent: Sequence[str]) -> dict[str, Any]:
    """The position of a game as a power knows it.

    Foreign tunnels that it does not know are left out, and not counted as built. It knows its own permissions, and
    those of units that stand on an end of an opened tunnel. A foreign army that had to leave is dislodged, whether or
    not it has a place to go: that may be a secret.

    Args:
        states: an array of one record.
        tables: of its ruleset.
        absent: the powers that are not played; their units do not retreat.
    """
    seen, bit = states.copy(), 1 << viewer
    state = seen[0]
    known = known_tunnels(states, viewer)
    for owner, slot in np.ndindex(c.NUM_POWERS, c.MAX_TUNNELS):
        if owner == viewer:
            continue
        if (owner, slot) not in known and state["tunnel_state"][owner, slot] != c.DEMOLISHED:
            state["tunnel_state"][owner, slot] = c.NO_TUNNEL
        state["tunnel_permits"][owner, slot] &= bit
        state["tunnel_told"][owner, slot] &= bit
    kernels.permit_guests_seen_in(seen, 0, tables, viewer)
    others = np.arange(c.NUM_POWERS) != viewer
    state["built"][others] = (state["tunnel_state"] != c.NO_TUNNEL).sum(axis=1)[others]
    if state["phase"] == c.RETREATS:
        powers = [n for n, name in enumerate(load_board().powers) if name not in absent]
        left = (state["told_result"] >= c.DISLODGED) & (state["told_type"] == c.ARMY)
        left &= np.isin(state["told_power"], powers) & (state["told_power"] != viewer)
        places = np.flatnonzero(left)
        state["lost_power"][places] = state["told_power"][places]
        state["lost_type"][places], state["lost_location"][places] = c.ARMY, places
    return write_position(seen, 0)


def write_position(states: Any, i: int) -> dict[str, Any]:
    """The position of game i, as `read_position` takes it."""
    state = states[i]
    board = load_board()
    end = {} if state["phase"] != c.OVER else {"ended": _end(state)}
    return {
        "phase": phase_name(state),
        "units": [unit_data(state, place, "unit") for place in np.flatnonzero(state["unit_power"] >= 0)],
        "dislodged": [
            unit_data(state, place, "lost") | {"from": _origin(state, place)}
            for place in np.flatnonzero(state["lost_power"] >= 0)
        ],
        "contested": [board.provinces[place] for place in np.flatnonzero(state["contested"])],
        "centres": {
            power: [board.provinces[place] for place in np.flatnonzero(state["owner"] == number)]
            for number, power in enumerate(board.powers)
            if (state["owner"] == number).any()
        },
        "tunnels": _tunnels(state),
        "built": {
            power: int(state["built"][number]) for number, power in enumerate(board.powers) if state["built"][number]
        },
        "eliminated": [power for number, power in enumerate(board.powers) if not int(state["alive"]) >> number & 1],
    } | end


def _end(state: Any) -> dict[str, str]:
    turn = f"{c.SEASON_LETTERS[int(state['season'])]}{int(state['year'])}"
    return {"turn": turn, "cause": c.END_CAUSES[int(state["end_cause"])]}


def phase_name(state: Any) -> str:
    """Like S1901M; COMPLETED when the game is over."""
    if state["phase"] == c.OVER:
        return COMPLETED
    letters = c.SEASON_LETTERS[int(state["season"])], c.PHASE_LETTERS[int(state["phase"])]
    return f"{letters[0]}{int(state['year'])}{letters[1]}"


def unit_text(state: Any, place: Any, what: str = "unit") -> str:
    """The unit in a province, such as "A LON"; `what`: "unit", or "lost" for a dislodged one."""
    letter = c.UNIT_LETTERS[int(state[f"{what}_type"][place])]
    return f"{letter} {load_board().locations[int(state[f'{what}_location'][place])]}"


def unit_data(state: Any, place: Any, what: str) -> dict[str, Any]:
    """Power, type and location of the unit in a province; `what` as of `unit_text`."""
    board = load_board()
    return {
        "power": board.powers[int(state[f"{what}_power"][place])],
        "type": c.UNIT_LETTERS[int(state[f"{what}_type"][place])],
        "loc": board.locations[int(state[f"{what}_location"][place])],
    }


def _origin(state: Any, place: Any) -> str | None:
    came = int(state["lost_from"][place])
    return None if came < 0 else load_board().provinces[came]


def tunnel_ends(pair: int) -> list[str]:
    """The two ends of a pair."""
    board = load_board()
    return [board.provinces[end] for end in list(board.pairs)[pair]]


def name_tunnel(state: Any, owner: int, slot: int) -> dict[str, Any]:
    """Owner and ends of a tunnel."""
    return {"owner": load_board().powers[owner], "ends": tunnel_ends(int(state["tunnel_pair"][owner, slot]))}


def name_tunnels(state: Any, some: Any) -> list[dict[str, Any]]:
    """Owner and ends of some tunnels, bool (owners, slots)."""
    return [name_tunnel(state, owner, slot) for owner, slot in np.argwhere(some).tolist()]


def retreat_goal(action: int) -> int:
    """The province that a retreat goes to, or NONE."""
    if action < 0 or action == c.ID_DISBAND:
        return c.NONE
    return load_board().province_of[all_actions()[action].dst]


def powers_in(bits: Any) -> list[str]:
    """Powers of a set of bits."""
    return [power for number, power in enumerate(load_board().powers) if int(bits) >> number & 1]


def _tunnels(state: Any) -> list[dict[str, Any]]:
    standing = np.isin(state["tunnel_state"], (c.HIDDEN, c.OPENED))
    return [
        name_tunnel(state, owner, slot)
        | {
            "state": c.TUNNEL_STATES[int(state["tunnel_state"][owner, slot])],
            "permits": powers_in(state["tunnel_permits"][owner, slot]),
            "told": powers_in(state["tunnel_told"][owner, slot]),
        }
        for owner, slot in np.argwhere(standing).tolist()
    ]
