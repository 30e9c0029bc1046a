"""A review: what a decision lost, which move was better, and what that gains."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents.games.tunnel_1987.table import GAINS
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_agents.table.minds.agent_process import Key
from channel_tunnel_agents.table.minds.players import AgentPool, first_decision
from channel_tunnel_agents.table.minds.review import MARKS, weigh_move
from channel_tunnel_agents.table.minds.reviewed import MARK_NAMES, mark_by
from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.games.tunnel_1987.engine.actions import action_id
from tests.agents.test_ismcts import AT_THE_CENTRE
from tests.agents.test_policy_search import untrained
from tests.games.tunnel_1987.positions import position
from tests.table.helpers import wait_until


def at_the_centre() -> Game:
    """Britain bores and wins, or lets France do so."""
    return position(AT_THE_CENTRE.format(me="britain", rival="france"))


def test_a_win_that_was_missed_is_a_blunder_and_the_better_move_wins() -> None:
    game = at_the_centre()
    told = weigh_move(untrained(), game, action_id("pass"))
    assert told["mark"] == "blunder" and told["side"] == "britain"
    assert told["before"] == 1.0 and told["after"] < 0.8
    assert game.clone().play(told["better"]["action"]).winner == "britain"
    assert told["better"]["path"] and told["better"]["words"]
    assert any("tunnel" in words for words in told["better"]["gains"])


def test_a_move_as_good_as_any_is_not_marked() -> None:
    game = at_the_centre()
    wins = [i for i in game.legal_ids() if game.clone().play(i).winner == "britain"]
    for action in wins[:2]:
        told = weigh_move(untrained(), game, action)
        assert told["mark"] == "" and told["before"] == told["after"] == 1.0


def test_a_judgement_is_the_same_each_time_and_leaves_the_game_alone() -> None:
    game = Game("standard", 3)
    action, before = game.legal_ids()[-1], game.states.tobytes()
    one, two = (weigh_move(make_agent("rookie", game.ruleset), game, action) for _ in range(2))
    assert one == two and game.states.tobytes() == before


@pytest.mark.parametrize(("least", "name"), list(zip(MARKS, MARK_NAMES, strict=True)))
def test_a_loss_is_marked_from_its_size_on_if_it_is_more_than_luck(least: float, name: str) -> None:
    assert mark_by(Estimate(least, 0.01, 0.9), MARKS) == name
    assert mark_by(Estimate(least - 0.001, 0.01, 0.9), MARKS) != name
    assert mark_by(Estimate(least, -0.01, 0.9), MARKS) == "", "the worlds may have been lucky"


def test_every_figure_of_a_gain_is_that_of_the_position() -> None:
    game = Game("standard", 5)
    rng = np.random.default_rng(1)
    for _ in range(40):
        game.play(int(rng.choice(game.legal_ids())))
    batch, totals = BatchGame.from_games([game]), game.scores()
    lead = totals["britain"]["total"] - totals["france"]["total"]
    for seat, sign in ((0, 1), (1, -1)):
        found = [float(figure.measure(batch.records, seat, batch)[0]) for figure in GAINS]
        state = game.state
        assert found[1:4] == [sign * lead, state.tbm[seat], state.deviation[seat]]
        assert found[4] == state.counter[seat].sum()
        assert found[6:] == [state.money_total[seat], state.discs[seat].sum()]


def test_less_of_what_is_bad_is_a_gain() -> None:
    deviation, tunnel = GAINS[3], GAINS[2]
    assert deviation.is_gain(-1.0) and deviation.words(-1.0) == "1.0 less deviation"
    assert not deviation.is_gain(0.5) and deviation.words(0.5) == "0.5 more deviation"
    assert tunnel.is_gain(1.0) and tunnel.words(-12.34) == "12 tunnel spaces"


# --- agents get ready before the first move -----------------------------------------------------


@pytest.fixture
def players():
    """Processes of their own."""
    found = AgentPool(patience=5)
    yield found
    found.close()


@pytest.mark.heavy
def test_agents_are_ready_before_they_are_asked(players: AgentPool) -> None:
    """One that hangs at a decision is made as well: an agent from elsewhere is not asked for a move."""
    game = Game("tiny", 1)
    for name in ("heuristic", "tests.table.bad_agents:hang"):
        players.prepare(name, game)
    for name in ("heuristic", "tests.table.bad_agents:hang"):
        key = Key(name, game.ruleset.digest)
        wait_until(lambda key=key: any(key in process.made for process in players._all))


def test_an_agent_tries_itself_at_a_decision_of_its_own_side() -> None:
    game = Game("standard", 1)
    for side in ("britain", "france"):
        assert first_decision(game, side).to_play == side
    assert not game.actions
