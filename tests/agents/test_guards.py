"""Guards: each speaks for the sign it watches for, and none for a healthy run."""

from __future__ import annotations

import inspect
import io

import pytest

from channel_tunnel_agents.commands.train import _Display
from channel_tunnel_agents.learning import guards
from channel_tunnel_agents.learning.config import make_config
from channel_tunnel_agents.learning.guards import warnings
from channel_tunnel_env.outside.progress import ProgressLines

HEALTHY = {
    "decisions": 10_000_000,
    "done": 0.3,
    "games": 400,
    "first_seat": "britain",
    "seats": 2,
    "usual_plies": 600,
    "first_seat_wins": 0.45,
    "stopped": 0.01,
    "all_pass": 0.001,
    "plies": 150.0,
    "kl": 0.01,
    "clipped": 0.1,
    "explained_variance": 0.5,
    "entropy": 0.6,
}

SIGNS = [
    ({"stopped": 0.06}, "6 % of self-play games were stopped without a finish"),
    ({"all_pass": 0.02}, "2.0 % of self-play games saw no stack placed"),
    ({"first_seat_wins": 0.95}, "Britain wins 95 % of self-play"),
    ({"first_seat_wins": 0.05}, "Britain wins 5 % of self-play"),
    ({"plies": 700.0}, "games last 700 decisions"),
    ({"kl": 0.11}, "updates are large: KL 0.110"),
    ({"clipped": 0.4}, "40 % of rows clipped"),
    ({"explained_variance": -0.2}, "the value explains -20 % of the returns' variance"),
    ({"entropy": 0.01}, "entropy fell to 0.010 nats"),
]


def test_a_game_of_more_seats_has_no_side_that_gives_up_and_may_last_longer() -> None:
    more = {"seats": 7, "first_seat": "austria", "usual_plies": 4000}
    assert warnings(HEALTHY | more | {"first_seat_wins": 0.02, "plies": 3500.0}) == []
    assert len(warnings(HEALTHY | more | {"plies": 4100.0})) == 1


def test_a_healthy_run_and_one_that_has_just_begun_are_left_alone() -> None:
    assert warnings(HEALTHY) == []
    named = {key: HEALTHY[key] for key in ("first_seat", "seats", "usual_plies")}
    nothing = ("decisions", "done", "games", "first_seat_wins", "stopped", "all_pass", "plies")
    assert warnings(named | dict.fromkeys(nothing, 0)) == []


@pytest.mark.parametrize(
    "excused",
    [
        {"stopped": 0.5, "decisions": 100_000},  # may still stall its way around
        {"explained_variance": -1.0, "decisions": 100_000},
        {"explained_variance": float("nan")},  # all returns equal
        {"first_seat_wins": 1.0, "games": 3},  # too few games to tell
        {"entropy": 0.001, "done": 0.9},  # it should be certain by now
        {"kl": 0.065, "clipped": 0.3},  # the demo has 0.064 and 29 % in two seeds, which both learn well
    ],
)
def test_a_guard_is_silent_where_the_sign_means_nothing(excused: dict[str, float]) -> None:
    assert warnings(HEALTHY | excused) == []


def test_every_guard_has_a_sign_here() -> None:
    at_once = {name: value for sign, _ in SIGNS for name, value in sign.items()}
    assert len(warnings(HEALTHY | at_once)) == inspect.getsource(guards).count("        yield ")


@pytest.mark.parametrize(("sign", "text"), SIGNS)
def test_a_guard_speaks_for_its_sign_alone_and_once_though_its_figures_move(sign: dict[str, float], text: str) -> None:
    (told,) = warnings(HEALTHY | sign)
    assert text in told
    out = io.StringIO()
    display = _Display(ProgressLines(out), make_config({"imitate": None}))
    for factor in (1.0, 1.01, 0.99):
        status = HEALTHY | {key: value * factor for key, value in sign.items()}
        found = warnings(status)
        assert found
        more = {"warnings": found, "rates": {}, "decisions_per_second": 1000.0, "done": 0.5}
        display.show(status | more)
    assert out.getvalue().count("warning:") == 1
