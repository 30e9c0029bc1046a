"""Tunnel: scenarios 15-21."""

from __future__ import annotations

import pytest

from tests.games.tunnel_1987.positions import area, legal, play, position, side

CHAINERS = """[{card: control_room_1, rubble: [white]}, {card: control_room_4, rubble: [white]},
          {card: heavy_machinery, rubble: [white]}]"""


@pytest.mark.parametrize(
    ("me", "rival", "stored"), [("britain", "france", "[blue, black]"), ("france", "britain", "[blue, black, blue]")]
)
def test_s15_a_full_storage_stops_the_machine(me: str, rival: str, stored: str) -> None:
    """Without a free storage space there is no Tunnel: placed, secondary or chained."""
    game = position(
        f"""
        to_play: {me}
        display: [influence_belgium, influence_ireland, media_relations]
        {me}: {{discs: {{white: 2, black: 3}}, tbm: 5, route: [yellow], storage: {stored}, cards: {CHAINERS}}}
        {rival}: {{discs: {{blue: 2}}, storage: []}}
        """
    )
    assert legal(game, "tunnel") == [] and legal(game, "secondary") == []
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain" and legal(game, "use", "control_room_1")
    assert not legal(game, "use", "control_room_4") and not legal(game, "tunnel")


def test_s16_a_face_down_token_cannot_be_bored() -> None:
    """The front token must be face up, however many discs there are."""
    text = "{{britain: {{discs: {{white: 4, black: 5}}, tbm: 1, route: [{}]}}, france: {{discs: {{blue: 2}}}}}}"
    assert legal(position(text.format("")), "plan_tunnel", "tunnel") == []
    assert len(legal(position(text.format("yellow")), "plan_tunnel", "tunnel")) == 2


def test_s17_a_matching_disc_pays_by_itself() -> None:
    """With a disc of the token's colour in the area there is no choice."""
    game = position(
        """
        deviation_deck: [red0]
        britain: {discs: {orange: 1, white: 4, black: 1}, route: [orange], storage: []}
        france: {discs: {blue: 2}, storage: []}
        """
    )
    bag = game.to_position()["bag"]
    play(game, "place black plan_tunnel tunnel")
    assert (game.to_play, game.phase) == ("france", "turn")
    assert area(game) == {"white": 4} and side(game)["storage"] == ["orange"]
    assert game.to_position()["bag"] == bag | {"orange": bag["orange"] + 1}


def test_s18_any_two_discs_pay_without_a_matching_one() -> None:
    """Two discs of free choice stand in for the missing colour; both go to the bag."""
    game = position(
        """
        deviation_deck: [red0]
        britain: {discs: {white: 1, black: 1, yellow: 1, blue: 1}, route: [orange]}
        france: {discs: {blue: 2}}
        """
    )
    bag = game.to_position()["bag"]
    play(game, "place blue plan_tunnel tunnel")
    assert game.legal_actions() == ["pay black yellow", "pay black white", "pay yellow white"]
    play(game, "pay black white")
    assert area(game) == {"yellow": 1}
    assert game.to_position()["bag"] == bag | {"black": bag["black"] + 1, "white": bag["white"] + 1}


@pytest.mark.parametrize(("counter", "possible"), [(1, False), (2, True)])
def test_s19_britains_third_storage_space(counter: int, possible: bool) -> None:
    """Britain starts with two spaces; its technology unlocks the third."""
    game = position(
        f"""
        britain: {{discs: {{white: 3, black: 1}}, tbm: 1, route: [white], storage: [blue, black], technology: [0, {counter}]}}
        france: {{discs: {{blue: 2}}}}
        """
    )
    assert bool(legal(game, "plan_tunnel", "tunnel")) == possible


AT_THE_CENTRE = """
    deviation_deck: [{card}]
    {me}: {{discs: {{white: 2, black: 1}}, tbm: 8, route: [white], storage: [], deviation: 4}}
    {rival}: {{discs: {{blue: 2}}, tbm: 6, storage: []}}
    to_play: {me}
    """


@pytest.mark.parametrize(("me", "rival"), [("britain", "france"), ("france", "britain")])
def test_s20_the_last_bore_ends_the_game_at_once(me: str, rival: str) -> None:
    """No deviation check at the centre; with the switch it is made and may lose the game."""
    game = position(AT_THE_CENTRE.format(me=me, rival=rival, card="red-1"))
    play(game, "place black plan_tunnel tunnel")
    assert (game.is_over, game.end_cause, game.winner) == (True, "centre", me)
    assert game.to_position()["deviation_discard"] == [] and side(game, me)["deviation"] == 4
    assert game.scores()[me]["centre"] == 2 + 3 and game.scores()[rival]["centre"] == 0
    for dealt, cause, winner in (("red-1", "deviation", rival), ("red0", "centre", me)):
        text = AT_THE_CENTRE.format(me=me, rival=rival, card=dealt)
        game = position(text, final_tunnel_deviation_check=True)
        play(game, "place black plan_tunnel tunnel")
        assert (game.end_cause, game.winner) == (cause, winner)
        assert game.to_position()["deviation_discard"] == [dealt]


def test_s21_a_chained_bore_can_end_the_game() -> None:
    """Control room 4 reaches the centre: no chain follows, and a pending agenda card counts against."""
    game = position(
        """
        britain:
          discs: {white: 2, black: 3}
          tbm: 8
          route: ["?orange"]
          storage: []
          cards: [{card: control_room_4, rubble: [white]}, {card: heavy_machinery, rubble: [white]}]
          agenda: {pending: repairs}
        france: {discs: {blue: 2}, storage: []}
        """,
        "agenda",
    )
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain"
    play(game, "use control_room_4")
    assert game.is_over and game.end_cause == "centre" and game.legal_actions() == []
    assert card_left(game) == ["white"] and game.scores()["britain"]["agenda"] == -2


def card_left(game: object) -> list[str]:
    return side(game)["cards"][1]["rubble"]  # type: ignore[arg-type]


def test_a26_two_discs_never_replace_a_matching_one() -> None:
    """Paying two is for those who lack the colour."""
    game = position(
        """
        deviation_deck: [red0]
        britain: {discs: {orange: 2, white: 2, black: 1}, route: [orange]}
        france: {discs: {blue: 2}}
        """
    )
    play(game, "place black plan_tunnel tunnel")
    assert area(game) == {"orange": 1, "white": 2}


def test_a24_the_third_space_serves_a_tunnel_of_the_same_turn() -> None:
    """A benefit holds at once: Technology, then a chained Tunnel into the new space."""
    game = position(
        """
        deviation_deck: [red0]
        britain:
          discs: {white: 2, black: 3}
          tbm: 1
          route: [black]
          storage: [blue, blue]
          technology: [5, 1]
          cards: [{card: heavy_machinery, rubble: [white]}]
        france: {discs: {blue: 2}, storage: []}
        """
    )
    play(game, "place white finance_technology technology")
    assert side(game)["technology"] == [5, 2] and legal(game, "heavy_machinery", "tunnel")
    play(game, "use heavy_machinery tunnel")
    assert side(game)["storage"] == ["blue", "blue", "black"] and side(game)["tbm"] == 2
