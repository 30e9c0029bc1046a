"""A designer's own measure: an expression over the game's measures, checked before a game is played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents.balance.changing.targets import TargetError, check_targets, load_targets
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.own_measure import LONGEST
from channel_tunnel_agents.base import AgentError
from channel_tunnel_env import load_ruleset

GAMES = pd.DataFrame(
    {"deal": [0, 1, 2, 3], "rounds": [4, 5, 6, 8], "cards_britain": [0, 2, 3, 4], "cards_france": [1, 2, 0, 8]}
)


def own(text: str, game: str = "standard"):
    (found,) = measures_of(load_ruleset(game)).find([text])
    return found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cards_france - cards_britain", [1, 0, -3, 4]),
        ("-cards_france + 2 * rounds", [7, 8, 12, 8]),
        ("(rounds - 4) / 2", [0, 0.5, 1, 2]),
        ("rounds - 4 / 2", [2, 3, 4, 6]),
        ("cards_france / cards_britain", [0, 1, 0, 2]),
        ("max(cards_france, cards_britain)", [1, 2, 3, 8]),
        ("abs(min(cards_france, 1) - 1)", [0, 0, 1, 0]),
        ("cards_france >= cards_britain", [1, 1, 0, 1]),
        ("rounds == 5", [0, 1, 0, 0]),
        (" rounds+0 ", [4, 5, 6, 8]),
    ],
)
def test_an_expression_is_computed_game_by_game(text: str, values: list[float]) -> None:
    np.testing.assert_array_equal(own(text).of(GAMES), values)


def test_a_comparison_is_a_share_of_the_games_with_an_interval() -> None:
    measure = own("cards_france >= cards_britain")
    found = measure.estimate(GAMES)
    assert measure.unit == "share" and found.value == 0.75 and 0 < found.low < 0.75 < found.high < 1


def test_its_title_is_made_of_the_titles_of_what_it_names() -> None:
    assert own("cards_france/rounds").title == (
        "(France: cards developed) / (rounds played), where a division by 0 gives 0"
    )
    assert own("max(rounds, 5) > 6").title == "max((rounds played), 5) > 6"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("roundz / 2", "'roundz': no measure of this game; did you mean 'rounds'?"),
        ("roundz", "measure 'roundz': unknown; did you mean 'rounds'"),
        ("rounds /", "not an expression such as score_france / rounds"),
        ("rounds ** 9", "'rounds ** 9': allowed are measures"),
        ("rounds and 1", "allowed are"),
        ("1 < rounds < 3", "allowed are"),
        ("rounds.shape", "'rounds.shape': allowed are"),
        ("rounds[0]", "allowed are"),
        ("(lambda: rounds)()", "allowed are"),
        ("__import__('os').system('true') + rounds", "allowed are"),
        ("abs(rounds, 2)", "'abs(rounds, 2)': allowed are"),
        ("max(rounds, *cards_france)", "allowed are"),
        ("rounds + True", "'True': allowed are"),
        ("rounds + 1e300", "numbers up to 1,000,000,000"),
        ("rounds + 'a'", "allowed are"),
        ("2 + 2", "it names no measure"),
        ("rounds +" + " rounds +" * 30 + " 1", f"an expression has at most {LONGEST}"),
        ("(" * 99 + "rounds" + ")" * 95, "not an expression"),
        ("rounds\n+ 1 := 2", "not an expression"),
        ("rounds \0", "not an expression"),
        ("(rounds\n+ 1)", "not an expression"),
    ],
)
def test_what_is_no_such_expression_is_refused_before_a_game_is_played(text: str, why: str) -> None:
    with pytest.raises(AgentError) as refused:
        own(text)
    assert why in str(refused.value) and "\n" not in str(refused.value)


def test_a_figure_of_all_games_together_is_none_of_a_single_game() -> None:
    with pytest.raises(AgentError, match="seat_gap is no figure of a single game"):
        own("seat_gap * 2", "eurotunnel")


def test_a_target_may_be_an_expression(tmp_path) -> None:
    file = tmp_path / "targets.yaml"
    file.write_text('targets: {"cards_france - cards_britain": [-1, 1], "rounds > 4": [0.5, null]}')
    wanted = load_targets(file)
    cards, long = check_targets(wanted, GAMES, measures_of(load_ruleset("standard")).named)
    assert (cards.found.value, long.found.value) == (0.5, 0.75) and long.is_inside
    file.write_text('targets: {"cards_france - cards": [-1, 1]}')
    with pytest.raises(TargetError, match="'cards': no measure of this game; did you mean"):
        load_targets(file)


def test_a_game_without_a_share_of_wins_is_refused_in_one_line() -> None:
    standard = measures_of(load_ruleset("standard"))
    assert standard.share.name == "britain_wins"
    with pytest.raises(AgentError, match="none of rounds is a share of wins of a seat"):
        _ = replace(standard, known={"rounds": standard.known["rounds"]}).share
