"""Two games that differ only in what a power may not know look the same to it (E16)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.envs.results import result_info
from channel_tunnel_env.games.eurotunnel.actions import action_id
from channel_tunnel_env.games.eurotunnel.board_positions import read_position
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.faces.pictures import read_film
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from .arena import Arena, ruleset_with
from .kernels import find_refusals
from .table import read_tunnel, units_of

RUSSIA = 5
UNITS = {
    "ENGLAND": ["A PIC"],
    "FRANCE": ["A PAR", "A BUR", "A BEL", "A BRE"],
    "GERMANY": ["A LVP", "A YOR"],
    "RUSSIA": ["A WAL"],
}
ORDERS = {"PAR": "* - PIC", "BUR": "* S PAR - PIC", "LVP": "* - WAL", "YOR": "* S LVP - WAL"}


def _after_the_moves(tunnels: list[str]) -> Arena:
    """An English army is driven out of Picardy, a Russian one out of Wales, which can go to London."""
    arena = Arena()
    position = {"phase": "S1901M", "units": units_of(UNITS), "tunnels": [read_tunnel(line) for line in tunnels]}
    arena.states[:1] = read_position(position, arena.tables[:1])
    index = load_board().index
    for place, order in ORDERS.items():
        arena.state.written[index[place]] = action_id(order)
    arena.end_phase()
    kernels.ask_in_game(arena.states, 0, arena.tables)
    return arena


@pytest.mark.parametrize("seed", range(5))
def test_a_way_out_by_a_hidden_tunnel_is_seen_by_nobody_else(seed: int) -> None:
    with_exit = _after_the_moves(["ENGLAND LON-PIC hidden"])
    without = _after_the_moves([])
    place = load_board().index["PIC"]
    assert with_exit.state.lost_power[place] == 1 and without.state.lost_power[place] < 0
    views, worlds = [], []
    for arena in (with_exit, without):
        arena.state.to_play, arena.state.cursor = RUSSIA, load_board().index["WAL"]
        views.append((arena.observe(RUSSIA).tobytes(), arena.legal()))
        arena.determinize(RUSSIA, seed)
        worlds.append([arena.states[0][name].tolist() for name in arena.states.dtype.names])
        assert arena.state.phase == c.RETREATS and arena.legal()
    assert views[0] == views[1]
    assert worlds[0] == worlds[1]


def test_a_position_hides_whether_an_army_has_a_way_out() -> None:
    arenas = (_after_the_moves(["ENGLAND LON-PIC hidden"]), _after_the_moves([]))
    one, other = (Game.from_states(arena.states[:1], ruleset_with()) for arena in arenas)
    assert one.phase == other.phase == "retreats", "Russia has somewhere to go in either game"
    for seat in (None, "england"):
        assert one.to_position(seat) != other.to_position(seat)
    for seat in ("france", "germany", "russia"):
        assert one.to_position(seat) == other.to_position(seat)


# --- two whole games -----------------------------------------------------------------------------------

OWNER = "england"
PASSIVE = ("* H", "* D", "PERMIT DONE", "WAIVE")


View = dict[str, Any]


class Twin:
    """A game in which England builds tunnels in secret, or holds in their place, and never uses one.

    All else that is chosen depends on the question alone, so two twins go on alike for everybody else
    unless something tells them apart.
    """

    def __init__(self, digs: bool, seed: int) -> None:
        self.digs, self.seed = digs, seed
        self.game = Game(ruleset_with(max_year=1903), seed)

    def views(self) -> list[View]:
        """What the other powers get at each of their decisions, and at the end."""
        found = []
        while not self.game.is_over:
            if self.game.to_play != OWNER:
                found.append(view_of(self.game, self.game.mover, self._luck(1)))
            self.game.play(self._choose())
        seats = [seat for seat, name in enumerate(self.game.seats) if name != OWNER]
        return found + [view_of(self.game, seat, self._luck(1)) for seat in seats]

    def positions(self, year: int) -> list[Game]:
        """The game at every decision until a year begins."""
        found = []
        while self.game.state.year < year:
            found.append(self.game.clone())
            self.game.play(self._choose())
        return found

    def _luck(self, use: int) -> np.random.Generator:
        state = self.game.state
        where = (state.turn, state.phase, state.asked, state.to_play + 1, state.cursor + 1)
        return np.random.default_rng([self.seed, use, *map(int, where), int(state.last_choice) + 1])

    def _choose(self) -> int:
        names = self.game.legal_actions()
        if self.game.to_play != OWNER:
            return action_id(str(self._luck(0).choice(names)))
        digging = [name for name in names if " BT " in name]
        army = self.game.phase == "movement" and self.game.asked_unit.startswith("A ")
        if army and self._luck(2).random() < 0.5:
            return action_id(digging[0] if self.digs and digging else "* H")
        allowed = [name for name in names if name.startswith(("* - ", "A ", "F "))]
        passive = [name for name in PASSIVE if name in names]
        return action_id(str(self._luck(0).choice(sorted([*allowed, *passive] or names))))


def view_of(game: Game, seat: int, luck: np.random.Generator) -> View:
    """All that a power is given: bytes and texts by channel."""
    view: View = {"observation": game.observation(seat).tobytes(), "board": game.render(seat)}
    if game.is_over:
        more = {"report": game.report(seat), "infos": result_info(game)}
        return view | more | {"picture": game.to_svg(seat)}
    asked = luck.choice(c.NUM_ACTIONS, 3)
    refusals = np.zeros(c.NUM_ACTIONS, np.int8)
    find_refusals(game.states, 0, game.tables, refusals)
    view |= {
        "mask": game.mask.tobytes(),
        "reasons": refusals.tobytes(),
        "explanations": [game.explain(int(action)) for action in asked],
        "question": (game.question, game.asked_unit, game.phase, repr(game)),
    }
    if game.state.season == c.FALL and luck.random() < 0.1:
        view["report"] = game.report(seat)
    if luck.random() < 0.2:  # drawing takes longer than all else
        view["picture"] = game.to_svg(seat)
    return view


def channels_that_differ(seed: int) -> set[str]:
    """Between a game with tunnels that stay hidden and one without."""
    hidden, none = Twin(True, seed), Twin(False, seed)
    views = list(zip(hidden.views(), none.views(), strict=True))
    assert hidden.game.state.built[hidden.game.seats.index(OWNER)] >= 2
    assert none.game.state.built.sum() < hidden.game.state.built.sum()
    return {name for one, other in views for name in one if one[name] != other.get(name)}


@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_hidden_tunnels_is_the_same_to_everybody_else(seed: int) -> None:
    assert channels_that_differ(seed) == set()


def _leaky_observation(game: Game, viewer: Any = None) -> Any:
    seen = _OBSERVATION(game, viewer)
    seen[-1] = game.state.built.sum()
    return seen


_OBSERVATION, _EXPLAIN, _REPORT, _RENDER = Game.observation, Game.explain, Game.report, Game.render
_TO_SVG = Game.to_svg
LEAKS: dict[str, tuple[str, Any]] = {
    "observation": ("observation", _leaky_observation),
    "explanations": ("explain", lambda g, a: _EXPLAIN(g, a) + str(g.state.built)),
    "report": ("report", lambda g, viewer: _REPORT(g, OWNER)),
    "board": ("render", lambda g, viewer=None: _RENDER(g)),
    "picture": ("to_svg", lambda g, viewer=None: _TO_SVG(g)),
}


def test_a_leak_is_noticed_in_every_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    for method, leaky in LEAKS.values():
        monkeypatch.setattr(Game, method, leaky)
    assert channels_that_differ(0) == {*LEAKS}


def test_a_film_for_a_viewer_shows_no_hidden_tunnel_and_not_that_its_owner_is_asked() -> None:
    hidden, none = (Twin(digs, 0).positions(1902) for digs in (True, False))
    for every in ("turn", "decision"):
        assert read_film(hidden, "france", every) == read_film(none, "france", every)
        assert read_film(hidden, None, every) != read_film(none, None, every)
    assert len(hidden) > len(none), "England is asked for permissions"


def test_who_is_told_of_a_tunnel_gets_it_in_every_channel() -> None:
    """The comparison above can fail in compiled code too: what a power knows does change what it gets."""
    views = []
    for told in ("", " +FRANCE"):
        position = {
            "phase": "S1901M",
            "units": units_of({"ENGLAND": ["A YOR"], "FRANCE": ["A PIC"]}),
            "centres": {"ENGLAND": ["LON"], "FRANCE": ["PAR"]},
            "tunnels": [read_tunnel(f"ENGLAND LON-PIC hidden{told}")],
        }
        game = Game.from_position(position, ruleset_with(auto_forced=False))
        game.play("* H").play("PERMIT DONE")
        views.append(view_of(game, game.mover, np.random.default_rng(1)))
    differ = {name for name in views[0] if views[0][name] != views[1][name]}
    assert differ >= {"observation", "board", "mask", "reasons"}
