"""Positions: one seat's knowledge, filling by seed, and refusals that name things."""

from __future__ import annotations

import pytest
import yaml

from channel_tunnel_env import Game, PositionError
from tests.games.tunnel_1987.positions import position, record_bytes


def test_peeks_are_told_only_to_the_one_who_peeked() -> None:
    text = "britain: {peeked: [[france, 4]], route: [yellow, '?white*']}\nfrance: {route: [blue]}"
    game = position(text)
    own = game.to_position("britain")
    assert own["france"]["route"][4].startswith("?") and len(own["france"]["route"][4]) > 1
    rival = game.to_position("france")
    assert rival["france"]["route"] == ["blue"] + ["?"] * 8
    assert rival["britain"]["peeked"] == [["france", 4]]
    assert rival["britain"]["route"] == ["yellow"] + ["?"] * 8


# --- missing keys -----------------------------------------------------------------------------------


def test_the_seed_fills_what_is_not_named() -> None:
    one, same, two = (position(f"seed: {n}") for n in (1, 1, 2))
    assert record_bytes(one) == record_bytes(same) != record_bytes(two)


def test_named_cards_come_first_in_their_order() -> None:
    game = position(
        """
        display: [influence_belgium, heavy_machinery, political_duel]
        deck: [influence_italy, exchange_2]
        deviation_deck: [red-1, green0, none-2]
        deviation_discard: [red0]
        agenda_deck: [promotion]
        """,
        "agenda",
    )
    written = game.to_position()
    assert written["display"] == ["influence_belgium", "heavy_machinery", "political_duel"]
    assert written["deck"][:2] == ["influence_italy", "exchange_2"] and len(written["deck"]) == 30
    assert written["deviation_deck"][:3] == ["red-1", "green0", "none-2"]
    assert len(written["deviation_deck"]) == 8 and written["deviation_discard"] == ["red0"]
    assert written["agenda_deck"][0] == "promotion" and len(written["agenda_deck"]) == 6


def test_tokens_that_are_nowhere_are_out_of_the_game() -> None:
    game = position("britain: {tbm: 3, storage: []}\nfrance: {tbm: 1, storage: [yellow]}")
    assert game.state.out_of_game.sum() == 20 - 6 - 8 - 1


def test_missing_discs_are_drawn_first_player_first() -> None:
    game = position("first_player: france\nspaces: {plan_tunnel: {yellow: 5}, slot_1: {white: 3}}")
    assert game.state.discs.sum(axis=1).tolist() == [7, 10] and game.state.bag.sum() == 0
    game = position("britain: {discs: {blue: 2}}\nbag: {blue: 3, black: 5, orange: 5, yellow: 5, white: 5}")
    assert game.state.discs.sum(axis=1).tolist() == [2, 0]


def test_a_plain_name_takes_a_token_without_symbol() -> None:
    game = position("britain: {route: [yellow, 'white*', '?blue*']}", "agenda")
    assert game.state.route_symbol[0, :3].tolist() == [0, 1, 1]
    assert game.state.revealed.tolist() == [2, 1]


# --- refusals ---------------------------------------------------------------------------------------

REFUSALS = [
    ("britian: {}", "britian: unknown key; did you mean 'britain'?"),
    ("britain: {disks: {}}", "britain.disks: unknown key; did you mean 'discs'?"),
    ("spaces: {plan_tunel: {yellow: 1}}", "spaces.plan_tunel: unknown key; did you mean 'plan_tunnel'?"),
    ("to_play: belgium", "to_play: 'belgium': allowed: britain, france"),
    ("round: 0", "round: 0: allowed: whole numbers 1..32767"),
    ("britain: {tbm: 12}", "britain.tbm: 12: allowed: whole numbers 0..9"),
    ("britain: {discs: {pink: 1}}", "britain.discs.pink: unknown key"),
    ("britain: {route: [pink]}", "britain.route.0: 'pink': allowed: text of the form"),
    ("phase: lunch", "phase: 'lunch': allowed: over, window, turn"),
    ("streams: {luck: [1, 2]}", "streams.luck: unknown key; allowed: rubble, cards"),
    ("britain: {discs: {yellow: 4}}\nfrance: {discs: {yellow: 2}}", "discs: yellow: 6 placed, there are 5"),
    ("bag: {yellow: 5}", "discs: blue: 0 placed, there are 5"),
    ("deck: [heavy_machinery]\ndiscard: [heavy_machinery]", "cards: heavy_machinery: 2 placed, there are 1"),
    ("deck: [heavy_machine]", "deck: 'heavy_machine': no such cards piece; did you mean 'heavy_machinery'?"),
    ("britain: {tbm: 8, storage: [blue, blue], cards: [{card: control_room_1, rubble: [blue, blue]}]}\n"
     "out_of_game: {blue: 1}", "rubble: blue: 5 placed, there are 4"),
    ("out_of_game: {blue: 1}", "france.storage: missing, and no rubble is left for it"),
    ("britain: {tbm: 2, storage: [blue, black, white]}", "britain.storage: 3 tokens, there are 2 spaces"),
    ("britain: {storage: [blue, black]}\nfrance: {storage: [white]}", "rubble: 18 unknown route tokens, 17 left"),
    ("britain: {route: ['?', '?']}", "britain.route: ['?', '?']: the first token lies face up from the start"),
    ("france: {route: []}", "france.route: []: the first token lies face up from the start"),
    ("britain: {route: ['?', blue]}", "britain.route: ['?', 'blue']: a face-down token before a face-up"),
    ("britain: {tbm: 8, route: [blue, '?']}", "britain.route: 2 tokens, 1 spaces lie ahead"),
    ("britain: {tbm: 9}", "britain.tbm: 9: the game would be over"),
    ("deviation_deck: [red0, red0]", "deviation: red0: 2 placed, there are 1"),
    ("deviation_discard: [red0, red-1]", "the second red card would have brought"),
    ("britain: {deviation: 5}", "britain.deviation: 5: allowed: whole numbers 0..4"),
    ("britain: {technology: [6, 0]}", "britain.technology: 6: track a ends at space 5"),
    ("spaces: {plan_tunnel: {yellow: 1, blue: 1}}", "a stack has only one colour"),
    ("display: [null, null, null]", "an empty slot is refilled while deck or discard hold cards"),
    ("britain: {cards: [{card: influence_spain, rubble: [blue]}]}", "britain.cards.influence_spain: rubble"),
    ("britain: {cards: [{card: topographical_analysis_1}]}", "the card holds 1 to 1 tokens"),
    ("britain: {cards: [{rubble: [blue]}]}", "britain.cards.0.card: missing"),
    ("passed: [britain]\nto_play: britain", "to_play: britain: has passed this round"),
    ("phase: chain", "turn.space: missing; phase chain needs it"),
    ("phase: over", "result: allowed only with phase: over"),
    ("result: {winner: france, end_cause: centre}", "result: allowed only with phase: over"),
    ("agenda_deck: [training]", "agenda_deck: 'training': no such agenda piece"),
    ("tallies: {tally_drawz: [1, 1]}", "tallies.tally_drawz: unknown key; did you mean 'tally_draws'?"),
    ("tallies: {tally_draws: [1]}", "tallies.tally_draws: allowed: whole numbers of shape (2,)"),
    ("britain: {peeked: [[france, 9]]}", "britain.peeked: ['france', 9]: allowed: [side, 0..8]"),
    ("ruleset: standart", "did you mean 'standard'?"),
    ("streams: {rubble: [1, 18446744073709551616]}", "streams.rubble: [1, 18446744073709551616]: allowed"),
    ("streams: {rubble: [18446744073709551616, 1]}", "streams.rubble: [18446744073709551616, 1]: allowed"),
    ("streams: {cards: [1, 9223372036854775807]}", "allowed: [key 0..2**64 - 1, counter 0..2**61]"),
    ("tallies: {tally_draws: [-1, 0]}", "allowed: whole numbers of shape (2,), 0..32767"),
    ("tallies: {tally_draws: [1.5, 0]}", "tallies.tally_draws: allowed: whole numbers"),
    ("tallies: {ply: 99999999999999999999}", "tallies.ply: allowed: whole numbers"),
    ("turn: {space: slot_1}", "not a possible position: invariant 19 does not hold (turn:"),
    ("turn: {kept: 3}", "invariant 19 does not hold"),
    ("turn: {promotion_paid: 1}", "invariant 19 does not hold"),
    ("phase: tunnel_pay\nturn: {space: plan_tunnel, action: tunnel}\n"
     "britain: {discs: {blue: 1}, route: ['?']}", "the first token lies face up from the start"),
    ("phase: rubble\nturn: {space: slot_1, action: develop, slot: slot_1}\n"
     "display: [influence_spain, null, null]", "an empty slot is refilled"),
    ("britain: {tbm: 9, route: []}\nphase: over\nresult: {winner: france, end_cause: deviation}",
     "invariant 8 does not hold (TBM"),
    ("round: 61", "invariant 18 does not hold"),
    ("ruleset_digest: abc", "ruleset_digest: 'abc': the ruleset standard has"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSALS, ids=[text[:40] for text, _ in REFUSALS])
def test_a_wrong_position_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Game.from_position(yaml.safe_load(text))
    assert message in str(caught.value)


OVERDUE = [
    "britain: {agenda: {pending: check_up}}",
    "britain: {agenda: {pending: promotion}, money: [influence_belgium, influence_italy, exchange_2]}",
    "britain: {agenda: {pending: warehouse_inspection}}\nprevious: france",
]


@pytest.mark.parametrize("text", OVERDUE)
def test_an_agenda_card_that_is_due_cannot_be_pending(text: str) -> None:
    with pytest.raises(PositionError, match="no pending card has already taken effect, or is due to"):
        position(text, "agenda")


def test_symbols_are_counted_where_they_matter() -> None:
    with pytest.raises(PositionError, match=r"rubble: blue\*: 2 placed, there are 1"):
        position("britain: {route: ['blue*', 'blue*']}", "agenda")
    with pytest.raises(PositionError, match="blue without the agenda symbol: 4 placed, there are 3"):
        position("britain: {route: [blue, blue, blue, blue]}", "agenda")
    assert position("britain: {route: [blue, blue, blue, blue]}").state.revealed[0] == 4


def test_the_ruleset_can_be_given() -> None:
    game = Game.from_position({"britain": {"deviation": 2}}, "tiny")
    assert game.ruleset.name == "tiny" and game.state.route_colour.shape[1] == 9
    assert len(game.to_position()["britain"]["route"]) == 4


@pytest.mark.parametrize("key", ["\u00b2", "\uff11", "9" * 5000])
def test_a_key_of_a_ruleset_that_is_nearly_a_number_is_refused(key: str) -> None:
    for ruleset in ("tiny", "carcassonne"):
        with pytest.raises(PositionError, match="unknown key"):
            Game.from_position({"ruleset": {"base": ruleset, key: 1}})
