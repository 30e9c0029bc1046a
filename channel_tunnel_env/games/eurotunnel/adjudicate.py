"""A whole phase at once: a position and written orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.errors import OrderError, RulesetError
from channel_tunnel_env.games.eurotunnel.actions import find_action
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.state import new_workspaces
from channel_tunnel_env.games.eurotunnel.notation import Written, order_text, read_order
from channel_tunnel_env.games.eurotunnel.positions import (
    province_index,
    read_position,
    retreat_goal,
    tunnel_ends,
    write_position,
)
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

GAME = "eurotunnel"
Orders = Mapping[str, Sequence[str]]


def adjudicate(
    position: Mapping[str, Any],
    orders: Orders,
    permissions: Sequence[Mapping[str, Any]] = (),
    ruleset: AnyRuleset = "eurotunnel",
) -> dict[str, Any]:
    """Adjudicate one phase.

    Args:
        position: see `positions`.
        orders: power -> its orders, see `notation`. Units without one hold, retreating ones disband. An
            order that is not legal is not followed, and the unit stands as if not ordered (D7).
        permissions: changes, in a movement phase: {owner, ends, power, grant: true or false}.
        ruleset: of this game; a name, a path to YAML, an overlay dict or a Ruleset.

    Returns:
        units: for each unit that the phase is about {power, type, loc, order, written, followed, reported,
            result, dislodged, retreats}. `order` is what it did, `written` what was written for it or null,
            `reported` what everybody reads, `result` one of stood, moved, failed, void, done, cut,
            disrupted. In retreats only units that were dislodged, `result` retreated or disbanded; in
            winter {power, type, loc, result: built or removed}.
        unread: orders for units that are not there or not the power's.
        opened, demolished: [{owner, ends}] as the phase reports them.
        position: the next one.
        winner: of a solo, or null. shares: of a finished game by power, or null.

    Raises:
        PositionError, OrderError: what is wrong, in one line each.
        RulesetError: a wrong ruleset, or one of another game.
    """
    rules = load_ruleset(ruleset)
    if rules.spec.name != GAME:
        raise RulesetError(rules.name, [f"game: {rules.spec.name}: allowed here: {GAME}"])
    return _Phase(position, rules).play(orders, permissions)


class _Phase:
    """One phase being adjudicated."""

    def __init__(self, position: Mapping[str, Any], ruleset: Ruleset) -> None:
        self.tables = machine_of(ruleset).tables
        self.states = read_position(position, self.tables)
        self.work = new_workspaces(1)
        self.later = ruleset.data.rulebook == "datc"
        self.state = self.states[0]
        self.phase = int(self.state["phase"])
        self.unread: list[dict[str, str]] = []
        self.written: dict[int, Written] = {}
        self.board = load_board()

    def play(self, orders: Orders, permissions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Read the orders, end the phase, and say what became of it."""
        for change in permissions:
            self._change(change)
        if self.phase == c.ADJUSTMENTS:
            units = self._adjust(orders)
        else:
            self._match(orders)
            for place in sorted(self.written):
                self._write(place)
            units = self._retreat() if self.phase == c.RETREATS else self._move()
        over = int(self.state["phase"]) == c.OVER
        solo = int(self.state["winner"])
        shares = dict(zip(self.board.powers, map(float, self.state["share"]), strict=True))
        return {
            "units": units,
            "unread": self.unread,
            "opened": self._tunnels("opened"),
            "demolished": self._tunnels("demolished"),
            "position": write_position(self.states, 0),
            "winner": self.board.powers[solo] if over and solo != c.DRAW else None,
            "shares": shares if over else None,
        }

    def _change(self, change: Mapping[str, Any]) -> None:
        owner, power = (self.board.powers.index(change[name]) for name in ("owner", "power"))
        ends = sorted(province_index(name, "permissions") for name in change["ends"])
        pair = list(self.board.pairs).index((ends[0], ends[1]))
        for slot in range(c.MAX_TUNNELS):
            stands = self.state["tunnel_state"][owner, slot] in (c.HIDDEN, c.OPENED)
            if stands and self.state["tunnel_pair"][owner, slot] == pair:
                kept = int(self.state["tunnel_next"][owner, slot]) & ~(1 << power)
                grant = 1 << power if change["grant"] else 0
                self.state["tunnel_next"][owner, slot] = kept | grant
                return
        raise OrderError(f"permissions: {change['owner']} has no tunnel {'-'.join(change['ends'])}")

    # --- orders -----------------------------------------------------------------------------------

    def _match(self, orders: Orders) -> None:
        """Find the unit of every order; the coast of an ordered fleet may be left out or wrong."""
        what = "lost" if self.phase == c.RETREATS else "unit"
        for power, texts in orders.items():
            if power not in self.board.powers:
                raise OrderError(f"orders: {power!r} is no power")
            for text in texts:
                order = read_order(text)
                place = self.board.province_of[order.place] if order.place >= 0 else 0
                owner = int(self.state[f"{what}_power"][place])
                letter = c.UNIT_LETTERS[int(self.state[f"{what}_type"][place])]
                if owner != self.board.powers.index(power) or letter != order.letter:
                    self.unread.append({"power": power, "order": order.text})
                elif place in self.written:
                    raise OrderError(f"orders.{power}: {text!r} is a second order for this unit")
                else:
                    self.written[place] = order

    def _write(self, place: int) -> None:
        """Write the order of a unit down, if it is legal."""
        action = self._action(place, self.written[place])
        count = kernels.list_unit(self.states, 0, self.tables, place, self.work)
        if action in self.work["legal"][0][:count]:
            self.state["written"][place] = action

    def _action(self, place: int, order: Written) -> int:
        """The id of an order, or NONE."""
        names, province_of = self.board.locations, self.board.province_of
        verb, dst = order.verb, order.dst
        if verb in "HD":
            return find_action(f"* {verb}")
        if verb == "B":
            return c.NONE
        if verb in ("S", "C"):
            src = province_of[order.src]
            if not self._is_named(order, src):
                return c.NONE
            if dst < 0:
                return find_action(f"* S {names[src]}")
            dst = self._goal(src, dst, self._ordered_goal(src))
            return find_action(f"* {verb} {names[src]} - {names[dst]}") if dst >= 0 else c.NONE
        if verb in ("-", "R"):
            dst = self._goal(place, dst, c.NONE)
            if dst < 0:
                return c.NONE
        else:
            dst = province_of[dst]
        near = self.board.steps[c.ARMY][place]
        via = " via convoy" if order.via and self.later and dst in near else ""
        return find_action(f"* {verb} {names[dst]}{via}")

    def _is_named(self, order: Written, src: int) -> bool:
        """Whether a unit stands where a helped one is said to stand, of the type that is said."""
        letter = c.UNIT_LETTERS[int(self.state["unit_type"][src])]
        return letter != "" and order.other in ("", letter)

    def _ordered_goal(self, src: int) -> int:
        order = self.written.get(src)
        return order.dst if order is not None and order.verb == "-" else c.NONE

    def _goal(self, place: int, dst: int, follows: int) -> int:
        """The location that a unit aims at: an army's province, a fleet's coast (D9, D10).

        A coast that is left out is the one that its order names (`follows`), or the only one in reach.
        """
        what = "lost" if self.phase == c.RETREATS else "unit"
        province = self.board.province_of[dst]
        if int(self.state[f"{what}_type"][place]) == c.ARMY:
            return province
        coasts = [i for i in range(c.NUM_LOCATIONS) if self.board.province_of[i] == province]
        if dst != province or len(coasts) == 1:
            return dst
        if follows in coasts and follows != province:
            return follows
        steps = self.board.steps[c.FLEET][int(self.state[f"{what}_location"][place])]
        reached = [coast for coast in coasts if coast in steps]
        return reached[0] if len(reached) == 1 else c.NONE

    # --- results ----------------------------------------------------------------------------------

    def _units(self, what: str) -> list[tuple[int, dict[str, Any]]]:
        found = []
        for place in range(c.NUM_PROVINCES):
            power = int(self.state[f"{what}_power"][place])
            if power >= 0:
                letter = c.UNIT_LETTERS[int(self.state[f"{what}_type"][place])]
                location = int(self.state[f"{what}_location"][place])
                action = int(self.state["written"][place])
                order = self.written.get(place)
                unit = {
                    "power": self.board.powers[power],
                    "type": letter,
                    "loc": self.board.locations[location],
                    "order": order_text(action if action >= 0 else 0, letter, location),
                    "written": None if order is None else order.text,
                    "followed": action >= 0,
                }
                found.append((place, unit))
        return found

    def _move(self) -> list[dict[str, Any]]:
        found = self._units("unit")
        kernels.adjudicate_rows(self.states, self.tables, self.work)
        units = []
        for place, unit in found:
            told = int(self.state["told_result"][place])
            dislodged = told >= c.DISLODGED
            reported = int(self.state["told_order"][place])
            location = self.board.index[unit["loc"]]
            unit["reported"] = order_text(reported, unit["type"], location)
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
        letter = c.UNIT_LETTERS[int(self.state["lost_type"][place])]
        location = int(self.state["lost_location"][place])
        return [order_text(int(action), letter, location).split(" ", 2)[2] for action in legal]

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

    def _adjust(self, orders: Orders) -> list[dict[str, Any]]:
        """Carry winter's orders out one by one, skipping those that cannot be (DATC 6.I, 6.J)."""
        before = {tuple(unit.values()) for unit in write_position(self.states, 0)["units"]}
        for power, texts in orders.items():
            self.state["to_play"] = self.board.powers.index(power)
            for text in texts:
                self._adjust_one(power, read_order(text))
        kernels.adjudicate_rows(self.states, self.tables, self.work)
        after = {tuple(unit.values()) for unit in write_position(self.states, 0)["units"]}
        changed = [(unit, "built") for unit in sorted(after - before)]
        changed += [(unit, "removed") for unit in sorted(before - after)]
        keys = ("power", "type", "loc")
        return [dict(zip(keys, unit, strict=True)) | {"result": result} for unit, result in changed]

    def _adjust_one(self, power: str, order: Written) -> None:
        number = self.board.powers.index(power)
        quota = int(self.state["quota"][number])
        if order.verb == "WAIVE" and quota > 0:
            self.state["quota"][number] -= 1  # this build is not made; others of the list still are
            return
        place, action = self.board.province_of[order.place], c.NONE
        if order.verb == "B" and quota > 0:
            goal = place if order.letter == "A" else order.place
            action = find_action(f"{order.letter} {self.board.locations[goal]} B")
            count = kernels.list_game(self.states, 0, self.tables, self.work)
            if action not in self.work["legal"][0][:count]:
                action = c.NONE
        elif order.verb == "D" and quota < 0 and self.state["written"][place] < 0:
            letter = c.UNIT_LETTERS[int(self.state["unit_type"][place])]
            if self.state["unit_power"][place] == number and letter == order.letter:
                action = c.FIRST_REMOVE + place
        if action >= 0:
            kernels.write_in_game(self.states, 0, self.tables, action)
        else:
            self.unread.append({"power": power, "order": order.text})

    def _tunnels(self, what: str) -> list[dict[str, Any]]:
        found = []
        for owner in range(c.NUM_POWERS):
            for slot in range(c.MAX_TUNNELS):
                if self.work[what][0][owner, slot]:
                    ends = tunnel_ends(int(self.state["tunnel_pair"][owner, slot]))
                    found.append({"owner": self.board.powers[owner], "ends": ends})
        return found
