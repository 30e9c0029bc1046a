"""What the players learn (rules 7.6), for one of them: a list with a part per phase, JSON-ready.

    phase: S1901M
    own: [A LON BT PIC, PERMIT 0 FRANCE, PERMIT DONE]     the viewer's own answers, which only it sees
    orders: [{power, order, result, dislodged}]           of a movement phase; to build a tunnel reads as to hold, but
                                                          for its own power
    retreats: [{power, order, result}]                    of the units dislodged in it, once all are known
    adjustments: [{power, type, loc, result}]             of a winter; built or removed
    opened, demolished: [{owner, ends}]                   made known in the phase, its retreats included
    told: [{owner, ends}]                                 tunnels that the viewer was permitted to use
    draw: true                                            all agreed; the orders of the phase were not read

The running phase has only the viewer's own answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.games.eurotunnel.board_positions import name_tunnels, phase_name, retreat_goal, write_position
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.words import answer_text, order_text

Part = dict[str, Any]
Places = NDArray[np.integer[Any]]


def read_report(game: Game, viewer: int | None) -> list[Part]:
    """The report of a game, found by replaying its decisions.

    Args:
        viewer: a seat; NOBODY, who learns only what everybody learns; None, who sees the answers of every power, each
            after its name.
    """
    reader = _Reader(game, viewer)
    for action in game.action_ids:
        reader.answer(action)
        reader.settle()
    return reader.finished()


class _Reader:
    """A game replayed answer by answer, and what the players learn on the way."""

    def __init__(self, game: Game, viewer: int | None) -> None:
        self.viewer, self.tables = viewer, game.tables
        self.work = new_records(1, game.spec.record.work_dtype)
        again = game.clone()
        again.restart(self.work)
        self.states = again.states
        self.locations = again.states["lost_location"][0].copy()
        self.parts: list[Part] = []
        self.own: list[str] = []
        self.settle()

    @property
    def state(self) -> Any:
        return self.states[0]

    def settle(self) -> None:
        """Answer decisions with one answer, as play does."""
        while self.tables["auto_forced"][0] and kernels.list_game(self.states, 0, self.tables, self.work) == 1:
            self.answer(int(self.work["legal"][0, 0]))

    def answer(self, action: int) -> None:
        """Take an answer; tell what became of the phase, if it was the last one."""
        before = self.states.copy()
        mover = int(self.state["to_play"])
        if self.viewer in (None, mover):
            text = answer_text(self.state, action)
            self.own.append(f"{_power(mover)}: {text}" if self.viewer is None else text)
        kernels.answer_in_game(self.states, 0, self.tables, action, self.work)
        names = ("turn", "phase")
        if any(before[name][0] != self.states[name][0] for name in names):
            self._tell(before, action)

    def _tell(self, before: Any, action: int) -> None:
        phase = int(before["phase"][0])
        if phase != c.RETREATS or not self.parts:
            self.parts.append({"phase": phase_name(before[0]), "own": []})
        part = self.parts[-1]
        part["own"] += self.own
        self.own = []
        if phase == c.MOVEMENT:
            self.locations = before["unit_location"][0]
        written = _written(before[0], action)
        if phase == c.RETREATS:
            part["retreats"] = _retreats(self.state, self.locations, written)
        elif phase == c.ADJUSTMENTS:
            part["adjustments"] = _adjustments(before, self.states)
        elif self.state["end_cause"] == c.DRAW_VOTE:
            part["draw"] = True
        else:
            part["orders"] = _orders(self.state, self.locations, self._with_digs(written))
            if self.state["phase"] != c.RETREATS:
                part["retreats"] = _retreats(self.state, self.locations, None)
        _add_tunnels(part, before, self.states, self.viewer)

    def _with_digs(self, written: Places) -> Places:
        """The orders as reported, but for tunnels that the viewer itself has ordered built."""
        kinds = self.tables["action_kind"][0]
        own = np.isin(self.state["told_power"], self.viewer) if self.viewer is not None else True
        digs = (written >= 0) & (kinds[written] == c.DIG) & own
        orders: Places = np.where(digs, written, self.state["told_order"])
        return orders

    def finished(self) -> list[Part]:
        """All parts, the last one of the running phase if the viewer has answered in it."""
        if self.own:
            self.parts.append({"phase": phase_name(self.state), "own": self.own})
        return self.parts


def _power(number: Any) -> str:
    return load_board().powers[int(number)]


def _written(before: Any, action: int) -> Places:
    """What is written at the end of a phase, of which the last answer is given."""
    written: Places = before["written"].copy()
    if before["cursor"] >= 0:
        written[int(before["cursor"])] = action
    return written


def _told(state: Any, place: int, location: int, action: int) -> dict[str, Any]:
    """A reported unit and an action as its order."""
    letter = c.UNIT_LETTERS[int(state["told_type"][place])]
    text = order_text(action, letter, location, state["told_type"])
    return {"power": _power(state["told_power"][place]), "order": text}


def _orders(state: Any, locations: Places, orders: Places) -> list[dict[str, Any]]:
    """Every order of a movement phase, and what became of it; `locations` of the units before it."""
    return [
        _told(state, place, int(locations[place]), int(orders[place]))
        | {
            "result": c.RESULTS[int(state["told_result"][place]) % c.DISLODGED],
            "dislodged": bool(state["told_result"][place] >= c.DISLODGED),
        }
        for place in map(int, np.flatnonzero(state["told_order"] >= 0))
    ]


def _retreats(state: Any, locations: Places, written: Places | None) -> list[dict[str, Any]]:
    """What became of all that were dislodged; `written` is None if no unit had a place to go."""
    places = np.flatnonzero(state["told_result"] >= c.DISLODGED).tolist()
    answers = [c.ID_DISBAND if written is None else int(written[place]) for place in places]
    answers = [answer if answer >= 0 else c.ID_DISBAND for answer in answers]
    goals = [retreat_goal(answer) for answer in answers]
    return [
        _told(state, place, int(locations[place]), answer)
        | {"result": "retreated" if goal >= 0 and goals.count(goal) == 1 else "disbanded"}
        for place, answer, goal in zip(places, answers, goals, strict=True)
    ]


def _adjustments(before: Any, after: Any) -> list[dict[str, Any]]:
    """Units raised and removed in a winter."""
    old, new = (write_position(states, 0)["units"] for states in (before, after))
    built = [unit | {"result": "built"} for unit in new if unit not in old]
    return built + [unit | {"result": "removed"} for unit in old if unit not in new]


def _add_tunnels(part: Part, before: Any, after: Any, viewer: int | None) -> None:
    """Add what became known of tunnels; keys without news are left out."""
    was, now = before["tunnel_state"][0], after["tunnel_state"][0]
    opened = (was == c.HIDDEN) & np.isin(now, (c.OPENED, c.DEMOLISHED))
    demolished = (was != c.DEMOLISHED) & (now == c.DEMOLISHED)
    bit = 0 if viewer in (None, c.NOBODY) else 1 << int(viewer or 0)
    told = (after["tunnel_told"][0] & bit != 0) & (before["tunnel_told"][0] & bit == 0)
    for name, news in (("opened", opened), ("demolished", demolished), ("told", told)):
        if news.any():
            part.setdefault(name, []).extend(name_tunnels(after[0], news))
