"""Orders in whatever words: each spelling means the same, and what cannot be read is refused by name."""

from __future__ import annotations

import itertools
import unicodedata

import pytest

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.intent import Intent, read_intent
from channel_tunnel_env.games.eurotunnel.provinces import load_board

BOARD = load_board()


def meant(text: str) -> tuple[str, ...]:
    """An order as the notation writes it, in parts."""
    order = read_intent(text)
    places = (BOARD.locations[place] if place >= 0 else "" for place in (order.src, order.dst))
    helped = " ".join(filter(None, (order.other, next(places))))
    power, whose = (BOARD.powers[n] if n >= 0 else "" for n in (order.power, order.whose))
    said = (power, order.unit, order.verb, whose, helped, next(places), "via" if order.via else "")
    return tuple(filter(None, said))


SAME = {
    ("A PAR", "-", "BUR"): [
        "A PAR - BUR",
        "A PAR-BUR",
        "a par - bur",
        "A PAR \N{EN DASH} BUR",
        "A PAR\N{EM DASH}BUR",
        "A PAR \N{MINUS SIGN} BUR",
        "A PAR -> BUR",
        "A PAR --> BUR",
        "A PAR => BUR",
        "A PAR > BUR",
        "A PAR\N{RIGHTWARDS ARROW}BUR",
        "A PAR \N{BLACK RIGHTWARDS ARROW}\N{VARIATION SELECTOR-16} BUR",
        "A PAR to BUR",
        "A PAR moves to BUR",
        "army Paris to Burgundy",
        "  A\tPAR   -  BUR. ",
        "(A) PAR - (BUR)",
        "A PAR M BUR",
        "the army in Paris goes to Burgundy",
        "Army Paris attacks Burgundy",
        "A PAR into BUR",
    ],
    ("F BRE", "-", "MAO"): [
        "F BRE -> MAO",
        "Fleet Brest - Mid-Atlantic Ocean",
        "f brest - mid atlantic",
        "F BRE - MID",
    ],
    ("BRE", "-", "MAO"): ["BRE - MAO", "brest to the mid-atlantic ocean"],
    ("F BRE", "H"): ["F BRE H", "F BRE HOLD", "f bre holds", "Hold F BRE", "F BRE stands"],
    ("F MAO", "-", "SPA/NC"): [
        "F MAO - SPA/NC",
        "F MAO - SPA(NC)",
        "f mao - spa (nc)",
        "F MAO - SPA NC",
        "F MAO - SPA-NC",
        "F MAO - SPANC",
        "F MAO - Spain/NC",
        "F MAO - Spain (north coast)",
        "F MAO - Spain north coast",
        "F MAO - SPA/N",
        "F MAO - Spa n.c.",
    ],
    ("F STP/SC", "B"): [
        "F STP/SC B",
        "Build F STP/SC",
        "B F STP(SC)",
        "builds fleet St. Petersburg (south coast)",
        "F Saint Petersburg SC build",
        "build a fleet in St Petersburg, south coast",
    ],
    ("A LON", "~", "PIC"): [
        "A LON ~ PIC",
        "a lon~pic",
        "A LON \N{FULLWIDTH TILDE} PIC",
        "A LON - PIC by tunnel",
        "A LON through the tunnel to PIC",
    ],
    ("A LON", "BT", "PIC"): [
        "A LON BT PIC",
        "A LON BT - PIC",
        "A LON digs to PIC",
        "A LON builds tunnel to Picardy",
        "A LON digs a tunnel to Picardy",
    ],
    ("A PAR", "S", "A MAR"): ["A PAR S A MAR", "a par supports a mar", "A PAR S A MAR H"],
    ("A PAR", "S", "A MAR", "BUR"): [
        "A PAR S A MAR - BUR",
        "A PAR support army Marseilles to Burgundy",
        "A PAR S A MAR ~ BUR",
        "A PAR S A MAR - BUR via convoy",
    ],
    ("A PAR", "S", "GERMANY", "A MUN", "BUR"): [
        "A PAR S GERMANY A MUN - BUR",
        "A PAR S German A MUN - BUR",
        "A PAR S Germany's A MUN - BUR",
    ],
    ("F ENG", "C", "A LON", "BEL"): ["F ENG C A LON - BEL", "F Channel convoys A London to Belgium"],
    ("ENG", "S", "BRE", "MAO"): ["English Channel S Brest - MAO", "ENG supports BRE to Mid-Atlantic Ocean"],
    ("BRE", "S", "ENG", "MAO"): ["Brest supports English Channel to Mid Atlantic", "BRE S ENG-MAO"],
    ("A LON", "-", "BEL", "via"): ["A LON - BEL via convoy", "A LON - BEL VIA", "A LON - BEL by convoy"],
    ("A VIE", "R", "BOH"): [
        "A VIE R BOH",
        "A VIE retreats to BOH",
        "Retreat A VIE - BOH",
        "Retreat the army in Vienna to Bohemia",
    ],
    ("A VIE", "R~", "SER"): ["A VIE R~ SER", "A VIE R ~ SER", "A VIE retreats to SER by tunnel"],
    ("A PIC", "D"): ["A PIC D", "Disband A PIC", "remove army Picardy", "A PIC disbands"],
    ("A PAR", "B"): ["A PAR B", "Build A PAR", "b a par", "Build an army in Paris"],
    ("WAIVE",): ["WAIVE", "waives", "Waive build"],
    ("FRANCE", "A PAR", "H"): ["France: A PAR H", "FRENCH A PAR H", "France A PAR holds"],
    ("-", "BUR"): ["- BUR", "* - BUR", "to Burgundy"],
    ("S", "MAR", "BUR"): ["S MAR - BUR", "supports MAR to BUR"],
    ("H",): ["H", "hold", "* H"],
    ("A PAR",): ["A PAR"],
}


@pytest.mark.parametrize(("wanted", "text"), [(wanted, text) for wanted, texts in SAME.items() for text in texts])
def test_every_spelling_means_the_same(wanted: tuple[str, ...], text: str) -> None:
    assert meant(text) == wanted


@pytest.mark.parametrize("number", range(c.NUM_PROVINCES))
def test_every_province_is_known_by_its_full_name(number: int) -> None:
    name = BOARD.names[number]
    for text in (name, name.lower(), name.upper(), name.replace("-", " ").replace(".", "")):
        assert read_intent(f"A VIE - {text}").dst == number


def test_every_dash_and_arrow_to_the_right_is_one() -> None:
    signs = [sign for sign in map(chr, range(0x21, 0x3000)) if unicodedata.category(sign) == "Pd"]
    arrows = [
        sign
        for sign in map(chr, range(0x2190, 0x2BFF))
        if "RIGHTWARDS" in unicodedata.name(sign, "").split() and "LEFTWARDS" not in unicodedata.name(sign, "")
    ]
    assert len(signs) > 15 and len(arrows) > 100
    for sign, space in itertools.product([*signs, *arrows], ("", " ")):
        order = read_intent(f"A PAR{space}{sign}{space}BUR")
        assert order.verb in ("-", "~") and order.dst == BOARD.index["BUR"], unicodedata.name(sign)


REFUSED = {
    "A LON - XYZ": "no place 'XYZ'",
    "A BURR - PAR": "no place 'BURR'; did you mean 'BUR'",
    "A VIE - BHO": "no place 'BHO'; did you mean 'BOH'?",
    "A VIE in": "'IN' is no order to A VIE",
    "hello": "no place 'HELLO'",
    "F ENG C A LON": "a convoy names a destination",
    "A LON ~ PIC via convoy": "'VIA' is not understood there",
    "A PAR - BUR - MUN": "'-' is not understood there",
    "A PAR \N{LEFT RIGHT ARROW} BUR": "is no order to A PAR",
    "A PAR -": "it does not say where to",
    "A PAR S": "it does not say which unit is helped",
    "F SPA/EC - MAO": "no place 'SPA/EC'; there are SPA/NC and SPA/SC",
    "F KIE/NC H": "KIE has no coasts to name",
    "France": "it names no unit",
    "": "nothing is written; an order looks like",
    "A PAR - BUR" + " " + "x" * 300: "longer than 200 characters",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_read_is_refused_with_the_word(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_intent(text)
    assert REFUSED[text] in str(refused.value) and "\n" not in str(refused.value)


def test_an_order_keeps_its_text() -> None:
    assert read_intent(" a  par \N{EN DASH} bur ") == Intent(
        "a par \N{EN DASH} bur", letter="A", place=BOARD.index["PAR"], verb="-", dst=BOARD.index["BUR"]
    )
