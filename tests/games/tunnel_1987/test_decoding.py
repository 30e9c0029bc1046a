"""An observation in words says what the game says, section by section, from both seats."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env import Game, decode
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.random_games import builtin, walk


def by_colour(counts: np.ndarray) -> dict[str, int]:
    return dict(zip(c.COLOURS, counts.tolist(), strict=True))


def assert_says_what_the_game_says(game: Game, viewer: int) -> None:
    seen, state, seats = decode(game.observation(viewer)), game.state, (viewer, 1 - viewer)
    assert seen["phase"] == game.phase and seen["side"] == c.SEATS[viewer]
    assert seen["to_move"] == (game.mover == viewer and not game.is_over)
    assert seen["round"]["round"] == min(game.round, 20)
    assert seen["first_player"] == (state.first_player == viewer)
    assert seen["bag"] == by_colour(state.bag)
    for name, seat in zip(("own", "rival"), seats, strict=True):
        assert seen[f"{name}_discs"] == by_colour(state.discs[seat])
        assert seen["disc_totals"][name] == state.discs[seat].sum()
        assert seen["passed"][name] == bool(state.passed[seat])
        assert list(seen[f"{name}_tracks"].values()) == state.counter[seat].tolist()
        assert seen[f"{name}_deviation"] == state.deviation[seat]
        assert seen[f"{name}_tbm"] == state.tbm[seat]
        assert seen["storage"][name] == by_colour(state.storage[seat])
        assert seen["purse"][name] == state.money_total[seat]
        assert sum(seen["money"][name].values()) == state.money_count[seat]
        kinds = dict(zip(c.CARD_KINDS, state.kind_count[seat].tolist(), strict=True))
        assert seen[f"{name}_cards"].items() >= {(k, n) for k, n in kinds.items() if k in seen[f"{name}_cards"]}
        pending = int(state.agenda_pending[seat])
        assert seen["agenda_pending"][name] == (c.AGENDA_KINDS[pending] if pending >= 0 else None)
        assert len(seen[f"{name}_route"]) == len(seen["rival_peeks"][name])
    for i, space in enumerate(c.SPACES):
        stack = seen["spaces"][space]
        assert stack["height"] == state.stack_height[i]
        if stack["height"]:
            assert stack["colour"] == c.COLOURS[int(state.stack_colour[i])]
    cards = game.ruleset.data.deck.cards
    for slot, card in zip(seen["display"].values(), state.slots.tolist(), strict=True):
        if card >= 0:
            assert slot["points"] == cards[card].points and slot["money"] == cards[card].money
            assert slot["cost"] == cards[card].cost and slot["secondary"] == cards[card].secondary
        else:
            assert slot["kind"] is None
    money = [[card for card in range(len(cards)) if int(state.money[seat]) >> card & 1] for seat in seats]
    for whose, mine in zip(("own", "rival"), money, strict=True):
        assert [card for card, name in seen["money_cards"].items() if name == whose] == mine


@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
def test_it_says_what_the_game_says_at_every_decision(ruleset: str) -> None:
    game = Game(builtin(ruleset), 3)
    for _ in walk(game, seed=3, eager=True, most=250):
        for viewer in range(2):
            assert_says_what_the_game_says(game, viewer)


@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
@pytest.mark.parametrize("viewer", c.SEATS)
def test_the_rules_can_be_read_back(ruleset: str, viewer: str) -> None:
    rules = builtin(ruleset)
    seen, data = decode(Game(rules, 1).observation(viewer)), rules.plain()
    sides = dict(zip(("own", "rival"), (viewer, c.SEATS[1 - c.SEATS.index(viewer)]), strict=True))
    for name, side in sides.items():
        for track in ("a", "b"):
            prices = zip(data["barrier_spaces"][side][track], data["barriers"][side][track], strict=True)
            assert seen["rule_tracks"][f"{name}_{track}"] == {
                "points": data["track_points"][side][track],
                "barriers": dict(prices),
                "benefits": data["benefits"][side][track],
            }
        assert seen["rule_storage"][name] == data["storage"][side]
        assert seen["rule_water"][name] == data["deviation"]["water_draws"][side]
    printed = ("kind", "points", "cost", "money", "secondary")
    assert seen["rule_cards"] == [{k: card[k] for k in printed} for card in data["deck"]["cards"]]
    assert seen["rule_scoring"].items() <= (data["scoring"] | {"extra_finance": data["extra_finance"]}).items()
    assert seen["rule_topographical"] == data["scoring"]["topographical_analysis"]
    assert seen["rule_tokens"] == data["rubble"]["tokens"]
    assert seen["rule_agenda"] == data["agenda"]
    assert seen["rule_limits"] == data["limits"]
    assert seen["rule_discs"]["hand"] == data["discs"]["hand"]
    assert seen["rule_deviation"]["limit"] == data["deviation"]["limit"]
