"""A decoded observation says what the table says, section by section, over random games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, action_names_of, decode
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.observation import SEEN_FOLLOWERS
from tests.random_games import walk

SETTINGS: list[dict[str, Any]] = [
    {},
    {"players": 4, "tunnel_variant": "steal", "robber_baron": True, "token_window": "before_meeple"},
    {"players": 3, "small_city": 2, "farm_scoring": "second", "tunnel_variant": "paired"},
]


def positions(changes: dict[str, Any]) -> Iterator[tuple[Game, int, dict[str, Any]]]:
    """Some positions of a random game, a viewer, and what it sees in words."""
    game = Game({"base": "carcassonne", **changes}, seed=11)
    for number in walk(game, 5):
        if number % 9 == 0 or game.is_over:
            viewer = number % len(game.seats)
            yield game, viewer, decode(game.observation(viewer), game.ruleset)


def order(game: Game, viewer: int) -> list[int]:
    """The seats from the viewer on."""
    return [(viewer + after) % len(game.seats) for after in range(len(game.seats))]


@pytest.mark.parametrize("changes", SETTINGS)
def test_seats_clock_bag_and_tile_are_those_of_the_game(changes: dict[str, Any]) -> None:
    for game, viewer, seen in positions(changes):
        state, seats = game.state, order(game, viewer)
        kinds = [kind.name for kind in game.ruleset.data.tile_types()]
        assert [seat["score"] for seat in seen["seats"]] == state.score[seats].tolist()
        assert [seat["supply"] for seat in seen["seats"]] == state.hand[seats].tolist()
        behind = [int(state.score[seat]) - int(state.score[viewer]) for seat in seats]
        assert [seat["score_less_viewers"] for seat in seen["seats"]] == behind
        face_down = int(state.deck_size - state.drawn)
        turns = [(int(state.to_play) + k) % len(seats) for k in range(face_down + 1)]
        own = 0 if game.is_over else turns.count(viewer)
        assert seen["clock"] == {"face_down": face_down, "own_turns": own}
        assert list(seen["bag"].values()) == state.unseen[: len(kinds)].tolist()
        moves = [seat["to_move"] for seat in seen["seats"]]
        assert moves == [not game.is_over and seat == game.mover for seat in seats]
        assert seen["tile"]["type"] == (None if game.is_over else kinds[int(state.tile)])
        assert seen["phase"]["decision"] == (None if game.is_over else game.phase)


@pytest.mark.parametrize("changes", SETTINGS)
def test_rules_are_those_of_the_ruleset(changes: dict[str, Any]) -> None:
    for game, _, seen in positions(changes):
        data = game.ruleset.data
        for key, value in seen["rules"].items():
            assert value == getattr(data, key), key


@pytest.mark.parametrize("changes", SETTINGS)
def test_followers_and_tunnel_mouths_are_those_on_the_table(changes: dict[str, Any]) -> None:
    for game, viewer, seen in positions(changes):
        state = game.state
        nodes = int(state.first_node[int(state.tile_count)])
        for after, seat in enumerate(order(game, viewer)):
            lying = int((state.follower[:nodes] == seat).sum())
            rows = [row for row in seen["followers"] if row["seat"] == after]
            assert len(rows) == min(lying, SEEN_FOLLOWERS)
            assert seen["seats"][after]["followers_lying"] == lying
        openings = np.flatnonzero(state.mouth_node >= 0).tolist()
        assert [row["opening"] for row in seen["openings"]] == openings
        for row in seen["openings"]:
            finished = state.mouth_partner[row["opening"]] >= 0
            bare = state.mouth_colour[row["opening"]] < 0
            assert (row["token"] == "finished") == finished and (row["token"] == "none") == bare


@pytest.mark.parametrize("changes", SETTINGS)
def test_cells_are_the_legal_ones_with_their_turns(changes: dict[str, Any]) -> None:
    names = action_names_of("carcassonne")
    for game, _, seen in positions(changes):
        if game.phase == "cell":
            assert [row["action"] for row in seen["cells"]] == list(game.legal_actions())
        if game.phase == "rotate":
            [chosen] = [row for row in seen["cells"] if row["chosen"]]
            assert chosen["action"] == names[int(game.state.cell)]
            turns = [f"rotate {turned}" for turned in chosen["fits_turned"]]
            assert turns == list(game.legal_actions())
        if game.phase == "claim":
            free = [row["action"] for row in seen["laid"] if row["free"]]
            assert [*free, names[c.CLAIM_NONE]] == list(game.legal_actions())
