"""The curve that a training run leaves."""

from __future__ import annotations

import io

import numpy as np
import pytest

from channel_tunnel_agents.learning.run_curve import (
    CARD_POINTS,
    CURVE,
    curve_entry,
    draw_curve,
    points_of,
    read_ladder,
    write_curve,
)
from channel_tunnel_agents.statistics import rate_of

Image = pytest.importorskip("PIL.Image")
NAME = "britain v heuristic"
RATES = {NAME: rate_of(60, 100), "france v heuristic": rate_of(70, 100)}
HEAD = (
    "time/total_timesteps,ladder/britain v heuristic,ladder/britain v heuristic low,ladder/britain v heuristic high\n"
)


def test_the_points_of_all_parts_of_a_resumed_run_are_read_in_order(tmp_path) -> None:
    (tmp_path / "progress.csv").write_text(HEAD + "1000,0.2,0.1,0.3\n2000,,,\n3000,0.4,0.3,0.5\n")
    (tmp_path / "progress-from-2000.csv").write_text(HEAD + "3000,0.5,0.4,0.6\n5000,0.6,0.5,0.7\n")
    (tmp_path / "progress-from-5000.csv").write_text("")
    points = points_of(read_ladder(tmp_path), NAME)
    assert points.index.tolist() == [1000, 3000, 5000]
    assert points[NAME].tolist()[::2] == [0.2, 0.6]


def test_the_last_evaluation_is_a_point_even_where_there_is_no_log(tmp_path) -> None:
    assert read_ladder(tmp_path).empty
    picture = np.asarray(Image.open(write_curve(tmp_path, 4_000_000, RATES)).convert("L"))
    assert (tmp_path / CURVE).exists() and picture.shape[0] > 200 and (picture < 128).any()


def test_a_card_has_the_curve_in_few_numbers_from_the_first_evaluation_to_the_last(tmp_path) -> None:
    rows = "".join(f"{1000 * at},0.25,0.2,0.3\n" for at in range(1, 200))
    (tmp_path / "progress.csv").write_text(HEAD + rows)
    points = curve_entry(tmp_path, 200_000, {NAME: rate_of(60, 100)})[NAME]
    assert len(points) == CARD_POINTS and points == sorted(points)
    assert points[0] == [1000, 0.25, 0.2, 0.3]
    assert points[-1] == [200_000, 0.6, 0.502, 0.6906]


def test_a_short_run_has_every_evaluation_in_its_card(tmp_path) -> None:
    (tmp_path / "progress.csv").write_text(HEAD + "1000,0.2,0.1,0.3\n3000,0.4,0.3,0.5\n")
    points = curve_entry(tmp_path, 5000, RATES)
    assert [at for at, *_ in points[NAME]] == [1000, 3000, 5000]
    assert [at for at, *_ in points["france v heuristic"]] == [5000]


def test_a_higher_curve_is_drawn_higher(tmp_path) -> None:
    def height(share: int) -> float:
        one = {NAME: rate_of(share, 100)}
        image = Image.open(io.BytesIO(draw_curve(read_ladder(tmp_path), 10**6, one)))
        red, _, blue = (np.asarray(image.convert("RGB"))[..., i].astype(int) for i in range(3))
        return float(np.nonzero(blue - red > 50)[0].mean())

    assert height(90) < height(10)
