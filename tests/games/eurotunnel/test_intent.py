"""Orders as sites, judges by mail and people write them: spellings mean the same, what is doubtful is refused by name."""

from __future__ import annotations

import itertools
import unicodedata

import pytest

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.intent import Intent, read_intent
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spelling import find_place, words_of

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
        "A PAR \N{EN DASH} BUR",
        "A PAR\N{EM DASH}BUR",
        "A PAR \N{MINUS SIGN} BUR",
        "A PAR => BUR",
        "A PAR \N{BLACK RIGHTWARDS ARROW}\N{VARIATION SELECTOR-16} BUR",
        "A PAR M BUR",
        "the army in Paris goes to Burgundy",
        "A PAR into BUR",
    ],
    ("F BRE", "-", "MAO"): ["F BRE -> MAO", "f brest - mid atlantic"],
    ("BRE", "-", "MAO"): ["BRE - MAO", "brest to the mid-atlantic ocean"],
    ("F BRE", "H"): ["F BRE H", "F BRE stands"],
    ("F MAO", "-", "SPA/NC"): [
        "F MAO - SPA/NC",
        "F MAO - SPA-NC",
        "F MAO - SPANC",
        "F MAO - Spain (north coast)",
        "F MAO - SPA/N",
        "F MAO - Spa n.c.",
    ],
    ("F STP/SC", "B"): [
        "F STP/SC B",
        "B F STP(SC)",
        "F Saint Petersburg SC build",
        "Build fleet at St. Petersburg (South Coast)",
        "Builds a fleet in St. Petersburg (south coast).",
        "Build F St Pete (SC)",
    ],
    ("A LON", "~", "PIC"): [
        "A LON ~ PIC",
        "A LON - PIC by tunnel",
        "A LON through the tunnel to PIC",
        "A LON ~ PIC (fails)",
        "A LON attacks PIC through the tunnel (bounce)",
    ],
    ("A LON", "BT", "PIC"): [
        "A LON BT PIC",
        "A LON digs to PIC",
        "A LON digs a tunnel to Picardy",
        "A LON BT PIC (OK)",
        "A LON builds a tunnel to PIC",
        "The army at London build a tunnel to Picardy.",
        "A LON digging to PIC",
    ],
    ("A PAR", "S", "A MAR"): ["A PAR S A MAR"],
    ("A PAR", "S", "A MAR", "BUR"): ["A PAR S A MAR - BUR", "A PAR S A MAR ~ BUR"],
    ("A PAR", "S", "GERMANY", "A MUN", "BUR"): [
        "A PAR S Germany's A MUN - BUR",
        "A PAR S GERMANY A MUN - BUR",
        "A PAR S A MUN (Germany) - BUR",
        "A PAR supports the attack of German A MUN on BUR",
    ],
    ("F ENG", "C", "A LON", "BEL"): ["F ENG C A LON - BEL", "F Channel convoys A London to Belgium"],
    ("ENG", "S", "BRE", "MAO"): ["English Channel S Brest - MAO"],
    ("BRE", "S", "ENG", "MAO"): ["Brest supports English Channel to Mid Atlantic"],
    ("A LON", "-", "BEL", "via"): [
        "A LON - BEL via convoy",
        "A LON - BEL VIA",
        "The army at London move to Belgium via convoy.",
        "A LON - BEL by a convoy",
        "A LON - BEL via convoy (no convoy)",
        "A LON via convoy to BEL",
        "A LON convoys to BEL",
        "A LON convoy to Belgium",
    ],
    ("A VIE", "R", "BOH"): [
        "A VIE R BOH",
        "Retreat A VIE - BOH",
        "Retreat the army in Vienna to Bohemia",
        "The army at Vienna retreat to Bohemia.",
        "Army Vienna -> retreats to Bohemia",
    ],
    ("A VIE", "R~", "SER"): [
        "A VIE R~ SER",
        "A VIE R ~ SER",
        "A VIE retreats to SER by tunnel",
        "A VIE retreats through the tunnel to SER",
    ],
    ("A PIC", "D"): ["A PIC D", "Disband A PIC", "remove army Picardy", "A PIC disbands"],
    ("A PAR", "B"): ["A PAR B", "Build an army in Paris", "Build army at Paris", "A Paris built"],
    ("WAIVE",): ["WAIVE", "Wait", "Build waived", "waives a build", "waive one build", "Pass"],
    ("FRANCE", "A PAR", "H"): ["France: A PAR H", "FRENCH A PAR H"],
    ("-", "BUR"): ["- BUR", "* - BUR"],
    ("S", "MAR", "BUR"): ["S MAR - BUR", "supports MAR to BUR"],
    ("H",): ["H", "hold"],
    ("A PAR",): ["A PAR"],
    ("A MUN", "H"): [
        "The army at Munich hold.",
        "Army Munich held",
        "A MUN - H",
        "A MUN stays",
        "army in Munich stood",
        "A MUN H (void)",
    ],
    ("MUN", "H"): ["Mun H", "Mun HOLD (OK)"],
    ("A MUN", "-", "TYR"): [
        "The army at Munich move to Tyrolia.",
        "The army at Munich move to Tyrolia. (fail) (dislodged)",
        "A MUN - TYR [FAILS]",
        "A mun -> tyr Bounced with tri (1 against 1).",
        "A MUN - TYR - bounced",
        "A MUN - TYR (bounced with A TRI)",
        "A MUN - TYR (success)",
        "A MUN - TYR *void*",
        "A Mun M Tyr",
        "A Mun goes to Tyr",
        "A Mun advances on Tyrolia",
        "A Mun marches into Tyrolia",
        "Move the army in Munich to Tyrolia",
        "send A Mun to Tyr",
        "army moves from Munich to Tyrolia",
        "the army from Munich to Tyrolia",
        "A MUN => TYR",
        "A MUN \N{RIGHTWARDS ARROW} TYR (cut)",
    ],
    ("MUN", "-", "TYR"): ["Mun - Tyr", "move to Tyr from Mun", "attack Tyrolia from Munich"],
    ("GERMANY", "A MUN", "-", "TYR"): [
        "Germany: Army Munich -> Tyrolia. (*bounce*)",
        "A Mun (GER) - Tyr",
        "Ger A Mun-Tyr",
    ],
    ("TURKEY", "A CON", "-", "BUL"): ["Ottoman A CON - BUL", "Ottoman Empire: A CON - BUL"],
    ("AUSTRIA", "A VIE", "-", "GAL"): ["Austria-Hungary: A VIE - GAL", "Austro-Hungarian army in Vienna to Galicia"],
    ("F EDI", "-", "NWG"): [
        "The fleet at Edinburgh move to Norwegian Sea.",
        "F EDI - NRG",
        "F Edinburgh sails to the Norwegian Sea",
    ],
    ("F TRI", "-", "ADR"): ["F Tri - Adriatic"],
    ("F KIE", "-", "BAL"): ["F Kiel - Baltic"],
    ("F LVP", "-", "IRI"): ["F Lvp - Irish", "F LPL - Irish (fails)"],
    ("F SEV", "-", "BLA"): ["F Sev - Black"],
    ("F NAP", "-", "ION"): ["F Nap - Ionian"],
    ("F NAP", "-", "TYS"): ["F Nap - Tyrrhenian", "F NAP - TYN"],
    ("F GRE", "-", "AEG"): ["F Gre - Aegean"],
    ("F STP/NC", "-", "BAR"): ["F Stp/nc - Barents"],
    ("F TUN", "-", "WES"): ["F Tun - Western", "F Tun - West Med", "F Tun - Western Med"],
    ("F ION", "-", "EAS"): ["F Ion - Eastern", "F Ionian - East Med", "F ION - Eastern Med (bounce)"],
    ("F LVP", "-", "NAO"): ["F Lvp - N. Atlantic", "F LVP - NAT", "F Lvp - North Atlantic"],
    ("F WES", "-", "NAF"): ["F Wes - N. Africa"],
    ("F MAO", "-", "SPA/SC"): [
        "The fleet at Mid-Atlantic Ocean move to Spain (South Coast).",
        "F Mid-Atlantic - Spa sc",
    ],
    ("A PAR", "S", "MUN", "BUR"): [
        "The army at Paris support move to Burgundy from Munich.",
        "The army at Paris support move to Burgundy from Munich. (fail)",
    ],
    ("A PAR", "S", "A MUN", "BUR"): [
        "A Paris SUPPORT Army Munich -> Burgundy. (*cut*)",
        "A Par S A Mun - Bur (*cut, dislodged*)",
        "A PAR sup A MUN - BUR",
        "A PAR S A MUN ~ BUR",
    ],
    ("PAR", "S", "MUN", "BUR"): ["Par S Mun - Bur"],
    ("F BAL", "S", "KIE"): [
        "The fleet at Baltic Sea support hold to Kiel.",
        "The fleet at Baltic Sea support hold to Kiel. (fail)",
        "F BAL supports Kiel to hold",
        "F BAL supports the hold of Kiel",
    ],
    ("F BAL", "S", "F KIE"): ["F Bal S F Kie H", "F BAL supports fleet in Kiel to hold"],
    ("F NTH", "C", "LON", "BEL"): ["The fleet at North Sea convoy to Belgium from London."],
    ("F NTH", "C", "A LON", "BEL"): ["F NTH C A Lon - Bel (*dislodged*)", "F NTH C A LON to BEL (disrupted)"],
    ("NTH", "C", "LON", "BEL"): ["NTH C Lon - Bel"],
    ("VIE", "R", "BOH"): ["Vie R Boh"],
    ("A VIE", "D"): ["The army at Vienna disband.", "A VIE retreat OTB", "A VIE R D", "Destroy army at Vienna"],
    ("VIE", "D"): ["Disband Vie", "Destroy unit at Vienna", "Remove the unit in Vienna"],
    ("FRANCE", "A PAR", "B"): ["France: Builds an army in Paris."],
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


SEAS = (
    "ADRIATIC ADR, AEGEAN AEG, BALTIC BAL, BARENTS BAR, BLACK BLA, EASTERN EAS, HELGOLAND HEL, "
    "IONIAN ION, IRISH IRI, MID MAO, NORWEGIAN NWG, SKAGERRAK SKA, TYRRHENIAN TYS, WESTERN WES"
)


def test_a_sea_is_known_by_its_first_word_if_nothing_else_begins_so() -> None:
    known = {}
    for place, name in enumerate(BOARD.names):
        first = words_of(name)[:1]
        found, count = find_place(first, 0)
        if BOARD.kinds[place] == 2 and count:
            known[first[0]] = BOARD.provinces[found]
            assert found == place
    assert [f"{first} {code}" for first, code in known.items()] == SEAS.split(", ")


REFUSED = {
    "A PAR supports A MUN against BUR": "'AGAINST' is not understood there",
    "A PAR supports A MUN on BUR": "'ON' is not understood there",
    "A LON via convoy": "it does not say where to",
    "F LON - North": "no place 'NORTH'",
    "F LON - English": "no place 'ENGLISH'",
    "F SPA/SC - Gulf": "no place 'GULF'",
    "F LON - N. Sea": "no place 'N'",
    "A LVP - Liv": "no place 'LIV'",
    "F DEN - BAL - SWE": "'-' is not understood there",
    "DEN - BAL - SWE": "'-' is not understood there",
    "A MUN - BUR - PAR": "'-' is not understood there",
    "F DEN - SWE via BAL": "'BAL' is not understood there",
    "A LON - NTH - BEL": "'-' is not understood there",
    "A LON - BEL via NTH": "'NTH' is not understood there",
    "A LON via NTH to BEL": "'VIA' is no order to A LON",
    "A PAR S A MAR H - BUR": "it says to hold and to move",
    "A PAR support hold to Kiel from Munich": "it says to hold and to move",
    "A PAR supports the move of A MAR": "it does not say where to",
    "A PAR support move to Burgundy": "it does not say which unit is helped",
    "A PAR supports A MAR - BUR - MUN": "'-' is not understood there",
    "A PAR supports Burgundy from Munich": "'FROM' is not understood there",
    "A PAR S F ENG C A LON - BEL": "'C' is not understood there",
    "F NTH convoys to Belgium": "it does not say which unit is helped",
    "LON convoys to Belgium": "it does not say which unit is helped",
    "A PAR - BUR bounce A MAR - SPA": "'-' is not understood there",
    "A PAR - BUR A MAR - SPA": "'A' is not understood there",
    "A PAR - BUR (France)": "'FRANCE' is not understood there",
    "A PAR - BUR (not MUN)": "'NOT' is not understood there",
    "German A MUN (France) - BUR": "it names two powers: GERMANY and FRANCE",
    "Germany: French A MUN - BUR": "no place 'FRENCH'",
    "A LON tunnels to PIC": "'TUNNELS' is no order to A LON",
    "Build a tunnel from LON to PIC": "no place 'TUNNEL'",
    "A PAR bounced": "'BOUNCED' is no order to A PAR",
    "2 builds waived": "no place '2'",
    "A VIE retreats to BOH via convoy": "'VIA' is not understood there",
    "move A MUN": "no place 'A'",
    "A PAR - from BUR": "no place 'FROM'",
    "A PAR holds to BUR": "'TO' is not understood there",
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
