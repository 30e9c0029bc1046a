"""What the tables of matches tell of tunnels and followers is what the second reading of the rules shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.games.carcassonne.measures import BEHIND, TunnelCount
from channel_tunnel_agents.matches.arena import by_seat, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.carcassonne.engine import constants as c
from tests.games.carcassonne.oracle.oracle import Oracle
from tests.games.carcassonne.records import ruleset_with

SEATS = 2


class SlowCount:
    """The same counts of one game, taken from the oracle's table at every decision."""

    def __init__(self, batch: BatchGame, switches: dict[str, Any]) -> None:
        state = batch.states[0]
        names = [kind.name for kind in batch.rulesets[0].data.tile_types()]
        deck = state["deck"][: state["deck_size"]]
        self.batch, self.oracle = batch, Oracle(switches, [names[kind] for kind in deck])
        self.turn = 0
        self.begun_by: dict[int, int] = {}
        self.missed = np.zeros(SEATS, int)
        self.turns_behind = np.zeros((SEATS, len(BEHIND)), int)

    def __call__(self, rows, actions) -> None:
        turn, action, seat = int(self.batch.states["turn"][0]), int(actions[0]), self.oracle.seat
        self.turns_behind += (turn - self.turn) * self.behind()
        self.turn = turn
        finishing = [a for a in self.oracle.legal() if c.FIRST_TUNNEL <= a < c.TOKEN_NONE]
        self.missed[seat] += bool(finishing) and action not in finishing
        if c.FIRST_TOKEN <= action < c.FIRST_TUNNEL:
            self.begun_by[action - c.FIRST_TOKEN] = seat
        self.oracle.play(action)

    def behind(self) -> np.ndarray:
        roads = self.oracle.roads_of_openings()
        halves = [one.openings[0] for one in self.oracle.sets if one.half]
        found = np.zeros((SEATS, len(BEHIND)), int)
        for road in {roads[mouth].places: roads[mouth] for mouth in halves}.values():
            mouths = [mouth for mouth in halves if roads[mouth].places == road.places]
            for seat in range(SEATS):
                rival = any(self.begun_by[mouth] != seat for mouth in mouths)
                stuck = road.open == len(mouths)
                found[seat] += road.men[seat] * np.array([1, rival, stuck])
        return found

    def left(self) -> np.ndarray:
        found = np.zeros((SEATS, len(c.KINDS)), int)
        for feature in self.oracle.table.features():
            for seat in range(SEATS):
                found[seat, c.KINDS.index(feature.kind)] += feature.men[seat]
        return found


@pytest.mark.parametrize(("variant", "first"), [("none", 0), ("paired", 10)])
def test_followers_behind_half_tunnels_are_those_that_the_oracle_sees(variant: str, first: int) -> None:
    switches = {"tunnel_variant": variant, "table": 7}
    batch = BatchGame(1, ruleset_with(**switches), observe=False)
    seen = np.zeros(len(BEHIND), int)
    for seed in range(first, first + 2):
        batch.reset(seeds=[seed])
        count, slow = TunnelCount(batch), SlowCount(batch, switches)
        agent = make_agent("random", None, seed)
        play_out(batch, by_seat(batch, agent, agent), slow, count)
        seen += slow.turns_behind.sum(axis=0)
        assert slow.oracle.over
        assert np.array_equal(count.turns_behind[0], slow.turns_behind)
        columns, at_end, left = count.of_games(), slow.behind(), slow.left()
        for k, seat in enumerate(batch.seats):
            assert columns[f"missed_tunnels_{seat}"][0] == slow.missed[k]
            for i, name in enumerate(BEHIND):
                assert columns[f"{name}_{seat}"][0] == at_end[k, i]
                assert columns[f"turns_{name}_{seat}"][0] == slow.turns_behind[k, i]
            for i, kind in enumerate(c.KINDS):
                assert columns[f"left_{kind}_{seat}"][0] == left[k, i]
    assert seen[0] > 0


def test_followers_left_and_followers_in_hand_are_all_there_are() -> None:
    batch = BatchGame(40, ruleset_with(), observe=False)
    batch.reset(seeds=range(40))
    count, agent = TunnelCount(batch), make_agent("random", None, 1)
    play_out(batch, by_seat(batch, agent, agent), count)
    columns = count.of_games()
    for k, seat in enumerate(batch.seats):
        left = sum(columns[f"left_{kind}_{seat}"] for kind in c.KINDS)
        assert (left + batch.states["hand"][:, k] == batch.rulesets[0].data.followers).all()
        assert (columns[f"stuck_{seat}"] <= columns[f"behind_half_{seat}"]).all()
        assert (columns[f"behind_rival_{seat}"] <= columns[f"behind_half_{seat}"]).all()
        assert (columns[f"behind_half_{seat}"] <= columns[f"left_road_{seat}"]).all()
        assert columns[f"behind_rival_{seat}"].sum() > 0
