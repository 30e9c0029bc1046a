"""Which unit a written order is for, and which action it stands for in a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.games.eurotunnel.actions import find_action
from channel_tunnel_env.games.eurotunnel.board_positions import unit_text
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.intent import Intent
from channel_tunnel_env.games.eurotunnel.provinces import load_board

_RETREATS = {"-": "R", "~": "R~"}
_WORDS = {"B": "a build", "WAIVE": "a build waived", "R": "a retreat", "R~": "a retreat"}
_VERBS = {
    c.MOVEMENT: ("H", "-", "~", "BT", "S", "C"),
    c.RETREATS: ("R", "R~", "D"),
    c.ADJUSTMENTS: ("B", "D", "WAIVE", ""),
}


@dataclass(frozen=True)
class Meanings:
    """What orders stand for in the phase of a record.

    Attributes:
        state: the record.
        later: whether the rule book is `datc`, in which a convoy may be asked for.
        goal_of: province -> the location that its unit is ordered to move to, or NONE.
    """

    state: Any
    later: bool
    goal_of: Callable[[int], int]

    # --- units ------------------------------------------------------------------------------------

    @property
    def _what(self) -> str:
        return "lost" if self.state["phase"] == c.RETREATS else "unit"

    def owner_of(self, place: int) -> int:
        """The power whose unit may be ordered in a province, or NOBODY."""
        return int(self.state[f"{self._what}_power"][place])

    def unit_in(self, place: int) -> str:
        """That unit, such as "A PAR"."""
        return unit_text(self.state, place, self._what)

    def power_of(self, order: Intent) -> int:
        """The power that an order is of: the one that it names, or the one that has the unit or the home.

        Raises:
            ValueError: nothing says whose it is.
        """
        if order.power >= 0:
            return order.power
        if order.place < 0:
            raise ValueError("it does not say whose order it is")
        place = load_board().province_of[order.place]
        found = self.owner_of(place)
        if self.state["phase"] == c.ADJUSTMENTS and order.verb != "D" and found < 0:
            found = load_board().home[place]
        if found < 0:
            raise ValueError(f"no power has a unit in {load_board().provinces[place]}")
        return found

    @staticmethod
    def check_writer(order: Intent, power: int) -> None:
        """Check that an order names no other power than the one that wrote it.

        Raises:
            ValueError: it does.
        """
        if order.power not in (c.NONE, power):
            raise ValueError(f"it is an order of {load_board().powers[order.power]}")

    def find_unit(self, order: Intent, power: int) -> int:
        """The province of the unit that a power's order is for.

        Raises:
            ValueError: it is for no unit of the power; the message says why.
        """
        board = load_board()
        self.check_writer(order, power)
        if order.place < 0:
            raise ValueError("it names no unit")
        place = board.province_of[order.place]
        owner, kind = self.owner_of(place), "dislodged " if self._what == "lost" else ""
        # That another's dislodged unit has a place to go may be a secret (E16).
        if owner < 0 or (kind and owner != power):
            raise ValueError(f"{board.powers[power]} has no {kind}unit in {board.provinces[place]}")
        if owner != power:
            raise ValueError(f"{self.unit_in(place)} is {board.powers[owner]}'s")
        if order.letter not in ("", self.unit_in(place)[0]):
            raise ValueError(f"the {kind}unit in {board.provinces[place]} is {self.unit_in(place)}")
        return place

    # --- orders -----------------------------------------------------------------------------------

    def verb_of(self, order: Intent) -> str:
        """What an order says in the phase: to move is to retreat where units retreat.

        Raises:
            ValueError: it is no order of the phase.
        """
        phase = int(self.state["phase"])
        verb = _RETREATS.get(order.verb, order.verb) if phase == c.RETREATS else order.verb
        if verb not in _VERBS[phase]:
            if not verb:
                raise ValueError(f"it does not say what {order.unit} is to do")
            what = _WORDS.get(verb, f"{verb!r}")
            raise ValueError(f"{what} is no order of {c.PHASES[phase]}")
        return verb

    def action(self, place: int, order: Intent) -> int:
        """The id of an order of movement or retreats to the unit in a province.

        Raises:
            ValueError: no id stands for it; the message says why.
        """
        names, verb, dst = load_board().locations, self.verb_of(order), order.dst
        if verb in ("H", "D"):
            return find_action(f"* {verb}")
        if verb in ("S", "C"):
            return self._help(verb, order)
        if verb in ("-", "R"):
            dst = self._goal(place, dst, c.NONE)
        else:
            dst = load_board().province_of[dst]
        near = load_board().steps[c.ARMY][place]
        via = " via convoy" if order.via and self.later and dst in near else ""
        action = find_action(f"* {verb} {names[dst]}{via}")
        if action < 0:
            raise ValueError(f"no tunnel leads to {names[dst]}: it is a sea")
        return action

    def _help(self, verb: str, order: Intent) -> int:
        """A support or a convoy."""
        board, dst = load_board(), order.dst
        src = board.province_of[order.src]
        self._check_helped(order, src)
        if dst < 0:
            return find_action(f"* S {board.provinces[src]}")
        dst = self._goal(src, dst, self.goal_of(src))
        action = find_action(f"* {verb} {board.provinces[src]} - {board.locations[dst]}")
        if action < 0:
            way = "convoy" if verb == "C" else "unit"
            ends = f"from {board.provinces[src]} to {board.locations[dst]}"
            raise ValueError(f"no {way} can go {ends}")
        return action

    def _check_helped(self, order: Intent, src: int) -> None:
        """Check that the helped province has a unit, of the type and the power that the order names."""
        board = load_board()
        letter = c.UNIT_LETTERS[int(self.state["unit_type"][src])]
        if not letter or order.other not in ("", letter):
            what = {"A": "army", "F": "fleet"}.get(order.other, "unit")
            raise ValueError(f"no {what} stands in {board.provinces[src]}")
        if order.whose not in (c.NONE, int(self.state["unit_power"][src])):
            raise ValueError(f"the unit in {board.provinces[src]} is not {board.powers[order.whose]}'s")

    def _goal(self, place: int, dst: int, follows: int) -> int:
        """The location that a unit aims at: an army's province, a fleet's coast (D9, D10).

        A coast that is left out is the one that its order names (`follows`), or the only one in reach.
        """
        board = load_board()
        province, what = board.province_of[dst], self._what
        if int(self.state[f"{what}_type"][place]) == c.ARMY:
            return province
        coasts = [i for i in range(c.NUM_LOCATIONS) if board.province_of[i] == province]
        if dst != province or len(coasts) == 1:
            return dst
        if follows in coasts and follows != province:
            return follows
        steps = board.steps[c.FLEET][int(self.state[f"{what}_location"][place])]
        reached = [coast for coast in coasts if coast in steps]
        if len(reached) != 1:
            known = " or ".join(board.locations[i] for i in coasts if i != province)
            raise ValueError(f"it does not say which coast: {known}")
        return reached[0]

    # --- winter -----------------------------------------------------------------------------------

    def adjustment(self, order: Intent, power: int) -> int:
        """The id of an order of a power in winter.

        Raises:
            ValueError: no id stands for it, or the power has nothing to build or to remove.
        """
        quota, name = int(self.state["quota"][power]), load_board().powers[power]
        verb = self.verb_of(order) or ("B" if quota > 0 else "D")
        self.check_writer(order, power)
        if verb == "D":
            if quota >= 0:
                raise ValueError(f"{name} has no unit to remove")
            return c.FIRST_REMOVE + self.find_unit(order, power)
        if quota <= 0:
            raise ValueError(f"{name} has no unit to build")
        return c.ID_WAIVE if verb == "WAIVE" else _build(order)


def _build(order: Intent) -> int:
    board = load_board()
    if order.place < 0:
        raise ValueError("it does not say where")
    province = board.province_of[order.place]
    letter = order.letter or ("A" if board.kinds[province] == c.INLAND else "")
    name = board.provinces[province] if letter == "A" else board.locations[order.place]
    if not letter:
        raise ValueError(f"it does not say which unit: A {name} or F {name}")
    action = find_action(f"{letter} {name} B")
    if action < 0:
        coasts = [place for place in board.locations if place.startswith(f"{name}/")]
        if letter == "F" and coasts:
            raise ValueError(f"it does not say which coast: {' or '.join(coasts)}")
        kind = "army" if letter == "A" else "fleet"
        raise ValueError(f"no {kind} is built in {name}")
    return action
