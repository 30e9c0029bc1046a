"""A whole phase at once: a position and written orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.errors import PositionError, RulesetError
from channel_tunnel_env.games.eurotunnel.board_positions import (
    name_tunnels,
    need_position,
    phase_name,
    read_position,
    retreat_goal,
    unit_data,
    write_position,
)
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.state import new_workspaces
from channel_tunnel_env.games.eurotunnel.explain import reason
from channel_tunnel_env.games.eurotunnel.intent import Intent, read_intent
from channel_tunnel_env.games.eurotunnel.meaning import Meanings
from channel_tunnel_env.games.eurotunnel.order_sheet import Line, Orders, read_sheet
from channel_tunnel_env.games.eurotunnel.permissions import Changes, is_change, read_change
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.words import order_text, orders_by_power
from channel_tunnel_env.outside.documents import quote, shorten
from channel_tunnel_env.rulesets.entry import entry_ruleset
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

GAME = "eurotunnel"


def adjudicate(position: Mapping[str, Any], orders: Orders, *, ruleset: AnyRuleset | None = None) -> dict[str, Any]:
    """Adjudicate one phase.

    Args:
        position: see `positions`.
        orders: power -> its orders; or one text for all powers, see `order_sheet`. Permissions are orders too, such as
            "PERMIT FRANCE LON-PIC". Units without an order hold, retreating ones disband. An order that can be read but
            is not legal is not followed, and the unit stands as if not ordered (D7).
        ruleset: of this game; a name, a path to YAML, an overlay dict or a Ruleset. None: the one that the position
            names, or the standard one.

    Returns:
        units: for each unit that the phase is about {power, type, loc, order, written, followed, why, reported,
            result, dislodged, retreats}. `order` is what it did, `written` what was written for it or null, `why` it is
            not followed or "", `reported` what everybody reads, `result` one of stood, moved, failed, void, done, cut,
            disrupted. In retreats only units that were dislodged, `result` retreated or disbanded; in
            winter {power, type, loc, result: built or removed}.
        unread: [{power, order, why}], what was written and is no order: it cannot be read, or is for no unit of the
            power; in winter also what is not legal. With its `line` if orders are a text.
        opened, demolished: [{owner, ends}] as the phase reports them.
        position: the next one; it names the ruleset if the one before does.
        winner: of a solo, or null. shares: of a finished game by power, or null.

    Raises:
        PositionError: the position cannot be, or is of a finished game; one line for each fault.
        OrderError: `orders` are not lists of text by power.
        RulesetError: a wrong ruleset, or one of another game.
    """
    rules = _ruleset_of(position, ruleset)
    result = _Phase(position, rules).play(orders)
    named = {key: position[key] for key in ("ruleset", "ruleset_digest") if key in position}
    result["position"] = named | result["position"]
    return result


def _ruleset_of(position: Mapping[str, Any], ruleset: AnyRuleset | None) -> Ruleset:
    position = need_position(position)
    if ruleset is None:
        entry, digest = position.get("ruleset", GAME), position.get("ruleset_digest")
        rules = entry_ruleset(entry, None, digest)
    else:
        rules = load_ruleset(ruleset)
    if rules.spec.name != GAME:
        raise RulesetError(rules.name, [f"game: {rules.spec.name}: allowed here: {GAME}"])
    return rules


class _Phase:
    """One phase being adjudicated."""

    def __init__(self, position: Mapping[str, Any], ruleset: Ruleset) -> None:
        self.tables = machine_of(ruleset).tables
        self.states = read_position(position, self.tables)
        self.work = new_workspaces(1)
        self.state = self.states[0]
        self.phase = int(self.state["phase"])
        if self.phase == c.OVER:
            raise PositionError(f"phase: {phase_name(self.state)}: the game is over")
        self.unread: list[dict[str, Any]] = []
        self.written: dict[int, Intent] = {}
        self.why: dict[int, str] = {}
        self.board = load_board()
        self.meanings = Meanings(self.state, ruleset.data.rulebook == "datc", self._ordered_goal)
        self.absent: list[str] = ruleset.data.absent
        self.changes = Changes(self.states, self.tables, self.absent)

    def play(self, orders: Orders) -> dict[str, Any]:
        """Read the orders, end the phase, and say what became of it."""
        lines = read_sheet(orders)
        if self.phase == c.ADJUSTMENTS:
            units = self._adjust(lines)
        else:
            self._read(lines, self._match)
            for place in sorted(self.written):
                self._write(place)
            units = self._retreat() if self.phase == c.RETREATS else self._move()
        over = int(self.state["phase"]) == c.OVER
        solo = int(self.state["winner"])
        shares = dict(zip(self.board.powers, map(float, self.state["share"]), strict=True))
        return {
            "units": units,
            "unread": self.unread,
            "opened": name_tunnels(self.state, self.work["opened"][0]),
            "demolished": name_tunnels(self.state, self.work["demolished"][0]),
            "position": write_position(self.states, 0),
            "winner": self.board.powers[solo] if over and solo != c.DRAW else None,
            "shares": shares if over else None,
        }

    # --- orders -----------------------------------------------------------------------------------

    def _read(self, lines: list[Line], note: Callable[[int, Intent], None]) -> None:
        """Note every order; one that cannot be is refused by name, and the others count."""
        for line in lines:
            power = line.power
            try:
                if line.why:
                    raise ValueError(line.why)
                if is_change(line.text):
                    self.changes.make(read_change(line.text, power))
                    continue
                order = read_intent(line.text)
                power = power if power >= 0 else self.meanings.power_of(order)
                if self.board.powers[power] in self.absent:
                    raise ValueError(f"{self.board.powers[power]} is in civil disorder")
                note(power, order)
            except ValueError as error:
                self._refuse(line, power, str(error))

    def _refuse(self, line: Line, power: int, why: str) -> None:
        where = {"line": line.number} if line.number else {}
        name = self.board.powers[power] if power >= 0 else None
        self.unread.append(where | {"power": name, "order": shorten(line.text), "why": why})

    def _match(self, power: int, order: Intent) -> None:
        """Find the unit of an order.

        Raises:
            ValueError: it is for no unit of the power, or for one that has an order.
        """
        place = self.meanings.find_unit(order, power)
        if not order.verb:
            self.meanings.verb_of(order)  # which refuses it
        if place in self.written:
            raise ValueError(f"{self.meanings.unit_in(place)} has an order already")
        self.written[place] = order

    def _ordered_goal(self, src: int) -> int:
        """Where the unit in a province is ordered to move to, or NONE."""
        order = self.written.get(src)
        return order.dst if order is not None and order.verb == "-" else c.NONE

    def _write(self, place: int) -> None:
        """Write the order of a unit down, if it is legal; else note why it is not."""
        try:
            action = self.meanings.action(place, self.written[place])
        except ValueError as error:
            self.why[place] = str(error)
            return
        count = kernels.list_unit(self.states, 0, self.tables, place, self.work)
        if action in self.work["legal"][0][:count]:
            self.state["written"][place] = action
        else:
            self.why[place] = self._reason(self.meanings.owner_of(place), place, action)

    def _reason(self, power: int, place: int, action: int) -> str:
        """Why an action is not legal for a power, or for its unit in a province."""
        asked = self.states.copy()
        asked[0]["to_play"], asked[0]["cursor"] = power, place
        return reason(asked, 0, self.tables, action)

    # --- results ----------------------------------------------------------------------------------

    def _units(self, what: str) -> list[tuple[int, dict[str, Any]]]:
        found = []
        for place in range(c.NUM_PROVINCES):
            if self.state[f"{what}_power"][place] >= 0:
                action = int(self.state["written"][place])
                order = self.written.get(place)
                unit = unit_data(self.state, place, what)
                unit |= {
                    "order": self._text(max(action, c.ID_HOLD), unit, self.state["unit_type"]),
                    "written": None if order is None else order.text,
                    "followed": action >= 0,
                    "why": self.why.get(place, ""),
                }
                found.append((place, unit))
        return found

    def _text(self, action: int, unit: dict[str, Any], types: Any) -> str:
        """An id with the unit that it is for; `types` as of `order_text`."""
        return order_text(action, unit["type"], self.board.index[unit["loc"]], types)

    def _move(self) -> list[dict[str, Any]]:
        found, types = self._units("unit"), self.state["unit_type"].copy()
        kernels.adjudicate_rows(self.states, self.tables, self.work)
        units = []
        for place, unit in found:
            told = int(self.state["told_result"][place])
            dislodged = told >= c.DISLODGED
            unit["reported"] = self._text(int(self.state["told_order"][place]), unit, types)
            unit["result"] = c.RESULTS[told % c.DISLODGED]
            unit["dislodged"] = dislodged
            unit["retreats"] = self._refuges(place) if dislodged else []
            units.append(unit)
        return units

    def _refuges(self, place: int) -> list[str]:
        """Where a dislodged unit may go, in the notation of orders: R BRE, R~ LON; none if it is gone."""
        if self.state["lost_power"][place] < 0:
            return []
        count = kernels.list_unit(self.states, 0, self.tables, place, self.work)
        legal = self.work["legal"][0][: count - 1]
        unit = unit_data(self.state, place, "lost")
        texts = (self._text(int(action), unit, self.state["unit_type"]) for action in legal)
        return [text.split(" ", 2)[2] for text in texts]

    def _retreat(self) -> list[dict[str, Any]]:
        found = self._units("lost")
        goals = {place: int(self.state["written"][place]) for place, _ in found}
        arrived = [retreat_goal(action) for action in goals.values()]
        kernels.adjudicate_rows(self.states, self.tables, self.work)
        for place, unit in found:
            goal = retreat_goal(goals[place])
            gone = goal >= 0 and arrived.count(goal) == 1
            unit["result"] = "retreated" if gone else "disbanded"
            if goals[place] < 0:
                unit["order"] = unit["order"].rsplit(" ", 1)[0] + " D"
        return [unit for _, unit in found]

    def _adjust(self, lines: list[Line]) -> list[dict[str, Any]]:
        """Carry winter's orders out one by one, skipping those that cannot be (DATC 6.I, 6.J)."""
        before = {tuple(unit.values()) for unit in write_position(self.states, 0)["units"]}
        self._read(lines, self._adjust_one)
        kernels.adjudicate_rows(self.states, self.tables, self.work)
        after = {tuple(unit.values()) for unit in write_position(self.states, 0)["units"]}
        changed = [(unit, "built") for unit in sorted(after - before)]
        changed += [(unit, "removed") for unit in sorted(before - after)]
        keys = ("power", "type", "loc")
        return [dict(zip(keys, unit, strict=True)) | {"result": result} for unit, result in changed]

    def _adjust_one(self, power: int, order: Intent) -> None:
        """Note a build or a removal.

        Raises:
            ValueError: it is not legal.
        """
        self.state["to_play"] = power
        action = self.meanings.adjustment(order, power)
        if action == c.ID_WAIVE:
            self.state["quota"][power] -= 1  # this build is not made; others of the list still are
            return
        removes = action >= c.FIRST_REMOVE  # in any order, and all that are to be removed
        place = action - c.FIRST_REMOVE
        if removes and self.state["written"][place] >= 0:
            raise ValueError(f"{self.meanings.unit_in(place)} is removed already")
        count = kernels.list_game(self.states, 0, self.tables, self.work)
        if not removes and action not in self.work["legal"][0][:count]:
            raise ValueError(self._reason(power, c.NONE, action))
        kernels.write_in_game(self.states, 0, self.tables, action)


# --- in lines for a person who runs a game: everything, for no player -----------------------------


def outcome_lines(phase: str, result: dict[str, Any]) -> Iterator[str]:
    """The phase by power, what became of tunnels and dislodged units, what was not read, and what is next."""
    yield phase
    yield from orders_by_power(result["units"])
    yield from _dislodged(result["units"])
    for name in ("opened", "demolished"):
        for tunnel in result[name]:
            yield f"{name}: the tunnel {'-'.join(tunnel['ends'])} of {tunnel['owner']}"
    yield from _ruled(result["units"])
    yield from _unread(result["unread"])
    yield _next(result)


def _dislodged(units: list[dict[str, Any]]) -> Iterator[str]:
    for unit in units:
        if unit.get("dislodged"):
            ways = " or ".join(unit["retreats"])
            what = f"may go {ways}" if ways else "has no place to go: disbanded"
            yield f"dislodged: {unit['power']} {unit['type']} {unit['loc']} {what}"


def _ruled(units: list[dict[str, Any]]) -> Iterator[str]:
    """Orders that are not legal (D7)."""
    for unit in units:
        if unit.get("why"):
            yield f"not followed: {unit['power']} {quote(unit['written'])}: {unit['why']}"


def _unread(unread: list[dict[str, Any]]) -> Iterator[str]:
    for line in unread:
        where = f"line {line['line']}, " if "line" in line else ""
        yield f"refused: {where}{line['power'] or 'nobody'} {quote(line['order'])}: {line['why']}"


def _next(result: dict[str, Any]) -> str:
    if result["shares"] is None:
        return f"next: {result['position']['phase']}"
    if result["winner"]:
        return f"the game is over: {result['winner']} has won"
    shares = ", ".join(f"{power} {share:.3f}" for power, share in result["shares"].items() if share)
    return f"the game is over: {shares}"
