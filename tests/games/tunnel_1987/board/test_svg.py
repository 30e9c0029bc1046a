"""The board as SVG: complete, well-formed, the same size, and silent about what a viewer may not know."""

from __future__ import annotations

import random
import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.drawing.svg import THEMES, escape, fit, text_width, wrap
from channel_tunnel_env.games.tunnel_1987.board.picture import LAYOUTS, PHONE, TABLE, WIDE, draw_board
from channel_tunnel_env.games.tunnel_1987.board.spaces import _ability
from channel_tunnel_env.games.tunnel_1987.board.targets import marked_targets
from channel_tunnel_env.games.tunnel_1987.board.theme import SMALL, styles_by_class
from channel_tunnel_env.games.tunnel_1987.board.view import printed_cards, read_board
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.games.tunnel_1987.elsewhere import run
from tests.games.tunnel_1987.positions import met, position
from tests.random_games import walk

SVG = "{http://www.w3.org/2000/svg}"
RULESETS = ("standard", "agenda", "tiny")
SLOT_OF_THE_TABLE = 192  # units of the drawing that an ability has beside the permanent spaces


def drawn(game: Game, layout: str, viewer: str | None = None, theme: str = "light") -> str:
    """A picture as documents or the page lay it out."""
    return draw_board(read_board(game, viewer), theme, layout, None)


def targets(svg: str) -> Counter[str]:
    root = ElementTree.fromstring(svg)
    return Counter(g.get("data-target") or "" for g in root.iter(f"{SVG}g") if g.get("class"))


def expected_targets(game: Game) -> set[str]:
    """What there is to point at, said a second time from the record."""
    state, data = game.state, game.ruleset.data
    names = {"start", "bag", "deck", "deviation_deck"}
    options = {"plan_tunnel": ("plan", "tunnel"), "finance_technology": ("finance", "technology")}
    for space in c.SPACES:
        names.add(f"space:{space}")
        names |= {f"option:{space}:{o}" for o in options.get(space, ("secondary", "develop"))}
        names |= {f"card:{space}"} if space.startswith("slot") else set()
    for seat, side in enumerate(c.SEATS):
        names |= {f"disc:{side}:{colour}" for colour in c.COLOURS}
        names |= {f"route:{side}:{i}" for i in range(data.route.length)}
        names |= {f"storage:{side}:{colour}" for i, colour in enumerate(c.COLOURS) if state.storage[seat, i]}
        names |= {f"storage:{side}", f"money:{side}", f"deviation:{side}"}
        names |= {
            f"money:{side}:{data.deck.cards[int(card)].money}"
            for card in state.money_order[seat, : int(state.money_count[seat])]
        }
        for track in "ab":
            names.add(f"track:{side}:{track}")
            points = getattr(getattr(data.track_points, side), track)
            names |= {f"step:{side}:{track}:{space}" for space in range(len(points))}
        names |= {
            f"built:{side}:{key}" for i, key in enumerate(game.ruleset.card_keys) if int(state.area[seat]) >> i & 1
        }
        if data.agenda.enabled:
            names |= {f"agenda:{side}", "agenda_deck"}
    return names


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", RULESETS)
def test_every_target_is_there_exactly_once_and_no_other(name: str, layout: str) -> None:
    for game in met(name, every=9):
        found = targets(drawn(game, layout))
        assert set(found) == expected_targets(game)
        assert set(found.values()) == {1}


def test_every_target_has_a_rule_and_words() -> None:
    for group in ElementTree.fromstring(Game("agenda", 1).to_svg()).iter(f"{SVG}g"):
        if group.get("class"):
            assert group.get("class") == "target"
            assert re.fullmatch(r"[a-z_]+(:[a-z0-9_]+)*", group.get("data-rule") or "")
            assert group.get("aria-label")


@pytest.mark.parametrize("name", RULESETS)
def test_hundreds_of_positions_are_well_formed_in_every_theme_and_layout(name: str) -> None:
    kinds = [(theme, layout) for theme in THEMES for layout in LAYOUTS]
    found = met(name, seed=4, games=3)
    assert len(found) > 100
    for i, game in enumerate(found):
        theme, layout = kinds[i % len(kinds)]
        svg = drawn(game, layout, (None, "britain", "france")[i % 3], theme)
        assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
        assert not re.search(r"[\s\"'>(](nan|None)[\s\"'<)]", svg), "a value that is none"
        assert len(svg) < 100_000


@pytest.mark.parametrize("every", [16, pytest.param(6, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", RULESETS)
def test_a_viewer_sees_the_same_picture_in_every_world_it_holds_possible(name: str, every: int) -> None:
    for i, game in enumerate(met(name, seed=9, every=every)):
        if game.is_over:
            continue
        for viewer in c.SEATS:
            other = game.determinize(viewer, seed=i)
            other._actions, other._last_seat = list(game._actions), game._last_seat
            for layout in LAYOUTS:
                pictures = {drawn(g, layout, viewer) for g in (game, other)}
                assert len(pictures) == 1


def test_a_peeked_token_is_drawn_for_the_one_who_looked_and_the_look_for_both() -> None:
    game = next(g for g in met("standard", seed=20, games=6) if g.phase == "peek")
    side = str(game.to_play)
    action = next(a for a in game.legal_actions() if a.startswith("peek rival"))
    game.play(action)
    rival, index = c.SEATS[1 - c.SEATS.index(side)], action.split()[-1]
    mine, theirs = read_board(game, side), read_board(game, rival)
    place = mine.routes[c.SEATS.index(rival)].places[int(index)]
    hidden = theirs.routes[c.SEATS.index(rival)].places[int(index)]
    assert place.colour in c.COLOURS and hidden.colour is None
    assert place.looked == hidden.looked == (side,)
    label = f"{rival.capitalize()}, space {index}: face down"
    assert f"{label} ({place.colour}" in game.to_svg(side)
    assert f"{label}, {side.capitalize()} has looked" in game.to_svg(rival)


NASTY = "<&\"'> ]]> \N{SNOWMAN}"


def test_names_of_a_ruleset_are_escaped_wherever_they_stand() -> None:
    ruleset = load_ruleset(
        {
            "name": "nasty",
            "base": "standard",
            "title": NASTY,
            "deck": {"cards": {key: {"name": NASTY} for key in load_ruleset().card_keys}},
        }
    )
    game = Game(ruleset, 1)
    for _ in walk(game, 1, eager=True):
        pass
    for layout in LAYOUTS:
        root = ElementTree.fromstring(drawn(game, layout))
        assert any("<&" in (text.text or "") for text in root.iter(f"{SVG}text"))
        headless = layout in ("table", "phone")  # the page around them has the title
        assert headless or "ruleset nasty" in ElementTree.tostring(root, encoding="unicode")


def test_escape_leaves_nothing_that_xml_refuses() -> None:
    text = "".join(map(chr, [*range(0x20), 0xD800, 0xFFFE, 0x1F600])) + NASTY
    assert ElementTree.fromstring(f'<a b="{escape(text)}">{escape(text)}</a>').text


def test_the_wide_picture_keeps_its_size_through_a_game() -> None:
    for name in RULESETS:
        boxes = {
            re.search(r'viewBox="([^"]*)"', game.to_svg()).group(1)  # type: ignore[union-attr]
            for game in met(name, every=10)
        }
        assert len(boxes) == 1
        assert boxes.pop().split()[2] == str(WIDE)


def test_width_scales_and_none_leaves_it_to_the_page() -> None:
    root = ElementTree.fromstring(Game(seed=1).to_svg(width=390))
    height = float((root.get("viewBox") or "").split()[3])
    assert root.get("width") == "390"
    assert root.get("height") == str(round(390 * height / WIDE))
    assert ElementTree.fromstring(Game(seed=1).to_svg()).get("width") is None


def test_the_last_decision_is_marked_and_written() -> None:
    game = Game("standard", seed=1)
    assert 'class="last"' not in game.to_svg()
    assert "no decision yet" in game.to_svg()
    game.play("place " + next(a for a in game.legal_actions() if "plan_tunnel plan" in a)[6:])
    svg = game.to_svg()
    assert svg.count('class="last"') == 2, "the space and its option"
    assert "Last: Britain lays" in svg
    assert game.last_decision == ("britain", game.actions[-1])


SLOTS = """
    display: [control_room_5, influence_belgium, exchange_1]
    deck: [extra_finance_1]
    britain: {discs: {white: 2, black: 1}, tbm: 2, route: [black], storage: [blue]}
    france: {discs: {blue: 1}, storage: []}
    deviation_deck: [red0]
    """


@pytest.mark.parametrize(
    ("actions", "marks", "words"),
    [
        (["place white slot_1 secondary"], {"space:slot_1", "money:britain"},
         "lays white on Slot 1 for Finance, the secondary action of Control room 5"),
        (["place white slot_2 secondary"], {"space:slot_2"},
         "lays white on Slot 2 for Tunnel, the secondary action of European influence (Belgium)"),
        (["place white slot_2 develop"], {"space:slot_2", "built:britain:influence_belgium"},
         "lays white on Slot 2 to develop European influence (Belgium)"),
        (["place white slot_3 develop"], {"space:slot_3", "option:slot_3:develop"},
         "lays white on Slot 3 to develop Exchange 1"),
        (["place white finance_technology finance", "take slot_3"], {"money:britain"},
         "takes Exchange 1 as money"),
    ],
)  # fmt: skip
def test_the_mark_follows_the_card_that_was_used(actions: list[str], marks: set[str], words: str) -> None:
    """Not the card that came to its slot since, whose actions are others."""
    game = position(SLOTS, auto_forced=False)
    for action in actions:
        before = game.clone()
        game.play(action)
    board = read_board(game, before=before)
    assert set(marked_targets(board)) == marks
    assert board.last is not None and board.last.words == words
    unknown = set(marked_targets(read_board(game)))
    assert unknown and unknown <= marks | {"space:slot_3"}, "without the position before, less is marked"


def test_no_mark_ever_falls_on_another_card() -> None:
    """Whatever was played, a marked option or card of a slot is that of the card that was used."""
    for game_seed in range(4):
        game, before = Game("agenda", game_seed), None
        for _ in walk(game, game_seed, eager=game_seed % 2 == 0):
            board = read_board(game, before=before)
            for mark in marked_targets(board):
                kind, *rest = mark.split(":")
                if kind in ("option", "card") and rest[0].startswith("slot") and board.last:
                    space = board.spaces[c.SPACES.index(rest[0])]
                    assert space.card is not None and space.card == board.last.card
            before = board


def test_wherever_a_decision_can_be_taken_something_is_marked_or_it_is_a_button() -> None:
    buttons = ("pass", "stop", "none")
    for game in met("agenda", seed=30, games=3):
        verb = game.actions[-1].split()[0] if game.actions else "use"
        # A card's use is forgotten at the round's end.
        if verb != "use" and not game.actions[-1].endswith(buttons):
            assert 'class="last"' in game.to_svg(), game.actions[-1]


def test_the_result_stands_at_the_top() -> None:
    for seed in range(8):
        game = Game("standard", seed)
        for _ in walk(game, seed):
            pass
        svg = game.to_svg()
        assert "Over: " in svg
        assert 'class="now"' not in svg, "nobody is to play"


def test_a_notebook_shows_the_picture_in_its_own_theme() -> None:
    game = Game(seed=1)
    assert game._repr_svg_() == game.to_svg(theme="auto")
    assert "prefers-color-scheme:dark" in game._repr_svg_()


# --- text that fits -----------------------------------------------------------------------------


def test_text_is_cut_and_folded_to_its_room() -> None:
    rng = random.Random(0)
    for _ in range(200):
        words = "".join(rng.choices("abc WMi ", k=rng.randrange(1, 60))).strip() or "a"
        room = rng.uniform(20, 300)
        assert text_width(fit(words, room, 13), 13) <= room
        lines = wrap(words, room, 13, 3)
        assert len(lines) <= 3
        assert all(text_width(line, 13) <= room for line in lines)
    assert wrap("one two", 500, 13, 3) == ("one two",)


def test_the_ability_of_every_card_can_be_read_in_full() -> None:
    for name in RULESETS:
        for card in printed_cards(load_ruleset(name)):
            lines = wrap(card.ability, 200, SMALL, 3)
            assert not lines[-1].endswith("…")
            assert len(lines) < 3 or text_width(lines[2], SMALL) < 150, "room for the bank note"


@pytest.mark.parametrize(
    ("units", "pixels", "least"),
    [(TABLE, 978, 12), (PHONE, 382, 12), (WIDE, 900, 9)],  # on screens of 1280, 390 and 900 pixels
)
def test_no_letter_is_too_small_on_a_screen(units: int, pixels: int, least: int) -> None:
    sizes = re.findall(r"font-size:([\d.]+)px", "".join(styles_by_class("light").values()))
    assert min(map(float, sizes)) * pixels / units >= least


@pytest.mark.parametrize("every", [36, pytest.param(15, marks=pytest.mark.heavy)])
def test_no_text_is_cut_on_the_page(every: int) -> None:
    """Cards that lie open or were developed, questions and results, in the drawings of the browser."""
    for name in RULESETS:
        for game in met(name, games=3, every=every):
            for layout in ("table", "phone"):
                assert not re.findall("[^>]*…[^<]*", drawn(game, layout))


def test_no_card_is_cut_in_its_slot() -> None:
    for name in RULESETS:
        for card in printed_cards(load_ruleset(name)):
            assert "…" not in "".join(_ability(card, SLOT_OF_THE_TABLE, low=True)), card.name


# --- colours ------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.1 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def fill(theme: str, name: str) -> str:
    return re.search(r"fill:(#\w{6})", styles_by_class(theme)[name]).group(1)  # type: ignore[union-attr]


WRITTEN_ON = [
    *((text, ground) for text in ("n", "s") for ground in ("panel", "page", "slot", "chalk")),
    *((text, ground) for text in ("num", "b") for ground in ("reached", "note", "coast", "panel")),
    *(("side", side) for side in c.SEATS),
    *((f"pill-{side}", "pill") for side in c.SEATS),
    ("gatet", "gate"),
    ("s", "spent"),
    *((f"{colour}-t", colour) for colour in c.COLOURS),
    *((f"dev-{colour}-t", f"dev-{colour}") for colour in c.DEVIATION_COLOURS),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_what_it_is_written_on(theme: str) -> None:
    """4.5 to 1, as WCAG 2.1 asks of small text."""
    poor = {
        (text, ground): round(contrast(fill(theme, text), fill(theme, ground)), 1)
        for text, ground in WRITTEN_ON
        if contrast(fill(theme, text), fill(theme, ground)) < 4.5
    }
    assert not poor


@pytest.mark.heavy
def test_the_picture_does_not_depend_on_how_words_are_hashed() -> None:
    """Python hashes words differently in every process."""
    code = (
        "import hashlib; from channel_tunnel_env import Game\n"
        "game = Game('standard', 4)\n"
        "game.play(next(a for a in game.legal_actions() if a.startswith('place')))\n"
        "print(hashlib.sha256(game.to_svg().encode()).hexdigest())"
    )
    assert run(code, PYTHONHASHSEED="1") == run(code, PYTHONHASHSEED="2") != ""
