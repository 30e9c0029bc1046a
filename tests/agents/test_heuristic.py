"""The scripted player: what it must never do, how well it plays, how its archetypes differ."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents import HeuristicAgent, RandomAgent, make_agent
from channel_tunnel_agents.games.tunnel_1987.players import ARCHETYPES
from channel_tunnel_agents.games.tunnel_1987.players.scores import TIE, choose_best
from channel_tunnel_agents.matches.arena import deal_seeds, play_match, play_pair
from channel_tunnel_agents.players.scripted import key_of
from channel_tunnel_env import BatchGame, Game, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.games.tunnel_1987.positions import legal, position

SIDES = pytest.mark.parametrize(("me", "rival"), [("britain", "france"), ("france", "britain")])
NAMES = pytest.mark.parametrize("name", list(ARCHETYPES))


def choice(game: Game, name: str = "heuristic") -> str:
    """What the player does here."""
    agent = make_agent(name)
    chosen = agent(game.observation(game.mover)[None], np.asarray(game.action_mask, bool)[None])
    return a.ACTION_NAMES[int(chosen[0])]


def bores(game: Game, action: str) -> bool:
    """Whether the action is a Tunnel."""
    after = game.clone().play(action)
    moved = after.state.tbm[game.mover] > game.state.tbm[game.mover]
    return bool(moved) or after.phase == "tunnel_pay"


LAST_TUNNEL = """
    to_play: {me}
    {me}: {{tbm: 8, route: [white], discs: {{white: 2, black: 1, orange: 3}}, storage: [], technology: {mine}}}
    {rival}: {{tbm: 6, technology: {theirs}}}
"""


@SIDES
def test_it_ends_the_game_when_that_wins(me: str, rival: str) -> None:
    game = position(LAST_TUNNEL.format(me=me, rival=rival, mine="[4, 4]", theirs="[4, 3]"))
    game.play(choice(game))
    assert (game.winner, game.end_cause) == (me, "centre")


@SIDES
def test_it_does_not_end_the_game_when_that_loses(me: str, rival: str) -> None:
    game = position(LAST_TUNNEL.format(me=me, rival=rival, mine="[1, 1]", theirs="[5, 5]"))
    assert legal(game, "plan_tunnel", "tunnel")
    game.play(choice(game))
    assert game.is_over is False


@SIDES
@pytest.mark.parametrize("name", list(ARCHETYPES))
def test_it_does_not_bore_at_the_edge_when_something_else_can_be_done(me: str, rival: str, name: str) -> None:
    """At -4 more than half of the deviation cards lose."""
    game = position(
        f"""
        to_play: {me}
        display: [influence_greece, influence_netherlands, improve_technology_1]
        {me}: {{tbm: 3, route: [white, white, black, orange, yellow, white], deviation: 4, storage: [],
                discs: {{white: 2, black: 1, orange: 2, yellow: 1}}, money: [new_materials]}}
        """
    )
    assert legal(game, "plan_tunnel", "tunnel")
    assert not bores(game, choice(game, name))


@SIDES
def test_it_corrects_its_deviation_in_a_technology(me: str, rival: str) -> None:
    game = position(
        f"""
        to_play: {me}
        {me}: {{tbm: 4, deviation: 3, discs: {{white: 1, black: 1, orange: 1}},
                money: [new_materials, heavy_machinery]}}
        """
    )
    seat = game.mover
    game.play("place white finance_technology technology")
    while game.phase in ("track", "peek", "align") and game.mover == seat:
        game.play(choice(game))
    assert game.state.deviation[seat] == 0


@SIDES
def test_britain_bores_water_less_gladly_than_france(me: str, rival: str) -> None:
    """Blue rubble: two deviation cards for Britain, none for France."""
    game = position(
        f"""
        to_play: {me}
        {me}: {{tbm: 3, route: [blue, white, black, orange, yellow, white], deviation: 3, storage: [],
                discs: {{blue: 1, white: 1, black: 1, orange: 1}}}}
        """
    )
    assert bores(game, choice(game)) == (me == "france")


@SIDES
def test_a_new_colour_goes_on_a_topographical_analysis(me: str, rival: str) -> None:
    game = position(
        f"""
        to_play: {me}
        display: [topographical_analysis_2, influence_greece, influence_ireland]
        {me}: {{tbm: 1, storage: [black, white], discs: {{white: 2, orange: 1}},
                cards: [{{card: topographical_analysis_1, rubble: [black]}}]}}
        {rival}: {{storage: []}}
        """
    )
    game.play("place orange slot_1 develop")
    assert choice(game) == "rubble white"


@NAMES
def test_every_archetype_beats_random_play_in_both_seats(name: str) -> None:
    home, away = play_pair(make_agent(name), RandomAgent(2), 200, seed=2)
    least = 0.97 if name == "heuristic" else 0.93
    assert min(home.wins("britain"), away.wins("france")) >= least * 200


def habits(name: str, games: int = 100) -> dict[str, float]:
    """How an archetype plays against the heuristic, 100 games a seat.

    Spaces bored a round, and the shares of its placements for Technology and for developing.
    """
    counts = np.zeros(len(a.ACTION_NAMES), int)
    bored = rounds = 0
    for seat in (0, 1):
        players = [make_agent("heuristic"), make_agent("heuristic")]
        players[seat] = make_agent(name)
        batch = BatchGame(games)
        batch.reset(seeds=deal_seeds(games, 3))
        running = np.ones(games, bool)
        while running.any():
            actions = np.full(games, -1)
            for mover in (0, 1):
                rows = np.flatnonzero(running & (batch.to_play == mover))
                if rows.size:
                    actions[rows] = players[mover](batch.observations[rows], batch.masks[rows])
                    if mover == seat:
                        np.add.at(counts, actions[rows], 1)
            batch.step(actions)
            running &= ~batch.dones
        bored += int(batch.states["tbm"][:, seat].sum())
        rounds += int(batch.states["round_no"].sum())
    placed = list(zip(counts[: a.PASS], a.ACTION_NAMES, strict=False))
    found = {"race": bored / rounds}
    for option in ("technology", "develop"):
        found[option] = sum(n for n, text in placed if text.endswith(option)) / counts[: a.PASS].sum()
    return found


def test_archetypes_differ_in_what_they_do() -> None:
    found = {name: habits(name) for name in ARCHETYPES}
    for name, habit in (("racer", "race"), ("engineer", "technology"), ("politician", "develop")):
        assert max((style[habit], other) for other, style in found.items())[1] == name
    usual = found["heuristic"]
    assert found["engineer"]["technology"] > 1.2 * usual["technology"]
    assert found["politician"]["develop"] > 1.1 * usual["develop"]
    assert found["racer"]["develop"] < 0.9 * usual["develop"]


def some_decisions() -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of 64 games after 40 random moves each."""
    batch, agent = BatchGame(64), RandomAgent(5)
    batch.reset(seed=7)
    for _ in range(40):
        batch.step(np.where(batch.masks.any(axis=1), agent(batch.observations, batch.masks), -1))
    alive = batch.masks.any(axis=1)
    return batch.observations[alive].copy(), batch.masks[alive].copy()


def test_a_choice_does_not_depend_on_the_other_rows() -> None:
    observations, masks = some_decisions()
    agent = HeuristicAgent(1)
    together = agent(observations, masks)
    alone = [int(agent(observations[i : i + 1], masks[i : i + 1])[0]) for i in range(len(masks))]
    assert together.tolist() == alone


def test_the_same_seed_chooses_the_same_and_every_choice_is_legal() -> None:
    observations, masks = some_decisions()
    chosen = HeuristicAgent(3)(observations, masks)
    assert (chosen == HeuristicAgent(3)(observations, masks)).all()
    assert masks[np.arange(len(masks)), chosen].all()


def test_it_seldom_loses_by_deviation() -> None:
    home, away = play_pair(HeuristicAgent(1), HeuristicAgent(2), 200, seed=8)
    for result in (home, away):
        assert (result.end_causes == c.DEVIATION).mean() <= 0.03


def test_ties_fall_by_the_position_and_not_by_one_preference_for_all_deals() -> None:
    """Between two equal actions some deals take the one and some the other, each by a seed of its own."""
    observations, masks = some_decisions()
    scores = np.zeros(masks.shape, np.float32)
    two = np.zeros_like(masks)
    two[:, [3, 90]] = True
    chosen = choose_best(scores, two, observations, key_of(1))
    assert 0.25 < (chosen == 3).mean() < 0.75
    assert (chosen != choose_best(scores, two, observations, key_of(2))).any()
    scores[:, 90] = 2 * TIE
    assert (choose_best(scores, two, observations, key_of(1)) == 90).all()


def test_ties_fall_alike_on_other_rules_as_long_as_the_position_is_the_same() -> None:
    """Or comparisons deal by deal would be blurred: a bonus the player does not heed changes nothing."""
    richer = load_ruleset("tiny").with_values({"scoring.centre_bonus": 12})
    games = [play_match(HeuristicAgent(1), HeuristicAgent(2), 40, 5, rules) for rules in ("tiny", richer)]
    assert (games[0].rounds == games[1].rounds).all()
    assert games[0].decisions == games[1].decisions
