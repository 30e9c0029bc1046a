"""Whose orders stand in a text: a heading holds until a line that is not understood, and nothing is taken for another's."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.order_sheet import Line, Orders, read_sheet
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from .table import read_tunnel, units_of

POWERS = load_board().powers
OTHERS = {power: next(p for p in POWERS if p != power) for power in POWERS}


def said(orders: Orders) -> list[tuple[str, str]]:
    """Each line with its power; "" for one that is refused for want of an owner, or names its unit's owner."""
    return [(_name(line), line.text) for line in read_sheet(orders)]


def _name(line: Line) -> str:
    return POWERS[line.power] if line.power >= 0 else "refused" if line.why else "the unit's"


HEADINGS = {
    "AUSTRIA": [
        *("Austria", "AUSTRIA:", "Austria!", "AUS:", "\tAustria\t", "\ufeffAustria"),
        "\N{NO-BREAK SPACE}Austria\N{NO-BREAK SPACE}",
        *(
            "Austria (Bob)",
            "Austria (5 units, 6 centres)",
            "Austrian orders",
            "Orders for Austria",
            "The orders of Austria:",
        ),
        *("Austria's orders:", "Austria\N{RIGHT SINGLE QUOTATION MARK}s orders"),
        *("Austria`s orders", "Austria\N{ACUTE ACCENT}s orders"),
        *("**Austria**", "__Austria__", "_Austria_", "`Austria`", "# Austria", "### Austria ###", "> Austria"),
        *("=== Austria ===", "--- AUSTRIA ---"),
        *("Austria, Spring 1901", "Spring 1901, Austria", "S1901M Austria", "Subject: Orders for Austria, S1901"),
        "Spring 1901: Austria (Bob, bob@example.org)",
        *("AUSTRIA-HUNGARY", "Austria\N{EN DASH}Hungary", "Austria Hungary:", "Austro-Hungarian Empire"),
        *("AUS\N{SOFT HYPHEN}TRIA", "\N{FULLWIDTH LATIN CAPITAL LETTER A}ustria"),
    ],
    "ENGLAND": ["Britain", "ENGLAND:", "Great Britain", "United Kingdom", "UK", "British"],
    "FRANCE": ["FRANCE (5 units)", "FRANCE 5 units", "(French)", "France -", "French Republic"],
    "GERMANY": ["1. Germany", "2) **Germany**", "- Germany", "German Empire", "Ger", "The Germans"],
    "ITALY": ["[Italy]", "(Italy)", "Game 7, Italy", "Game #7: Italy", "Kingdom of Italy"],
    "RUSSIA": ["Player: Russia", "Power: RUSSIA", "RUSSIA, Fall 1902 retreats", "russians"],
    "TURKEY": ["Turkey -", "Turkey \N{EM DASH}", "Ottoman Empire:", "the Ottomans", "From Turkey"],
}


@pytest.mark.parametrize(("power", "heading"), [(power, line) for power, lines in HEADINGS.items() for line in lines])
def test_a_heading_is_its_powers_in_whatever_words(power: str, heading: str) -> None:
    mark = "> " if heading.startswith(">") else ""
    above, order = OTHERS[power], "A PAR H"
    text = f"{mark}{above}\n{mark}WAIVE\n{heading}\n\n{mark}{order}\n{mark}WAIVE"
    wanted = [(above, "WAIVE"), (power, order), (power, "WAIVE")]
    assert said(text) == wanted
    assert not any(line.why for line in read_sheet(text))


UNKNOWN = [
    *("Itlay", "AUSTIRA:", "Spain", "Norway:", "Sweden - Bob", "Egypt (Bob)", "ENG"),
    *("Bob", "(Bob)", "A. Smith", "H. Mann", "Clyde", "- Clyde", "Paris Hilton", "A", "H."),
    *("\N{LATIN CAPITAL LETTER O WITH DIAERESIS}sterreich-Ungarn", "L'Autriche, printemps 1901", "Autriche:"),
    *("Italy and Austria", "Italy/Austria", "Austria (not Italy)", "Austria Bob", "Austria: Bob", "Bob (Austria)"),
    *("Austria, who is late", "Austria?", "Austria's enemies", "Ex-Austria", "To Austria:", "@Austria", "~~Austria~~"),
    *("Builds by Bob:", "Retreats by Bob", "Support by Bob", "On Monday Bob wrote:", "A message from Bob"),
    *("here are the others", "WAIVE Austria", "A VEN - TYR Austria:", "# Austria is late"),
    "\N{CYRILLIC CAPITAL LETTER A}USTRIA",
    "\N{REGIONAL INDICATOR SYMBOL LETTER A}\N{REGIONAL INDICATOR SYMBOL LETTER T}",
]


@pytest.mark.parametrize("heading", UNKNOWN)
@pytest.mark.parametrize("above", ["FRANCE\nA PAR H\n", ""])
def test_what_is_not_understood_ends_the_heading_and_orders_below_are_refused(above: str, heading: str) -> None:
    """Whatever kind of line they are, until a heading is understood or an order names its power."""
    below = "WAIVE\nA BRE H\nPERMIT ITALY LON-PIC\nA BUR (Germany) H\nItaly: WAIVE\nTURKEY\nA CON H"
    lines = read_sheet(f"{above}{heading}\n{below}")
    found = [(_name(line), line.text) for line in lines[-6:]]
    assert found == [
        ("refused", "WAIVE"),
        ("refused", "A BRE H"),
        ("refused", "PERMIT ITALY LON-PIC"),
        ("GERMANY", "A BUR (Germany) H"),
        ("ITALY", "WAIVE"),
        ("TURKEY", "A CON H"),
    ]
    assert len(lines) > 6 + bool(above) or heading.startswith("#"), "nothing is passed over"
    number = 1 + above.count("\n")
    for line in lines[-6:-3]:
        assert line.why.startswith(f"it does not say whose order it is: line {number}, ")


def test_a_heading_that_is_not_understood_is_refused_with_what_was_expected() -> None:
    texts = ("Itlay", "hello", "Austria Bob", "Italy and Austria")
    assert [read_sheet(text)[0].why for text in texts] == [
        f"expected an order (no place {fault}) or the name of one power; {hint}"
        for fault, hint in (
            ("'ITLAY'", "did you mean 'ITALY'?"),
            ("'HELLO'; did you mean 'HEL'?", ", ".join(POWERS)),
            ("'BOB'; did you mean 'BOT' or 'BOH'?", "did you mean 'AUSTRIA'?"),
            ("'AND'; did you mean 'ANK' or 'ADR'?", "did you mean 'ITALY'?"),
        )
    ]


NEUTRAL = [
    *("", "   ", "-----", "=====", "* * *"),
    *("Spring 1901", "SPRING 1901 MOVES:", "S1901M", "Retreats:", "Orders:"),
    *("# what I want", "# A PAR - BUR", "#"),
]


@pytest.mark.parametrize("line", NEUTRAL)
def test_rules_phases_and_comments_keep_the_heading(line: str) -> None:
    text = f"{line}\nFRANCE\n{line}\nA PAR H\n{line}\nWAIVE\n{line}"
    assert said(text) == [("FRANCE", "A PAR H"), ("FRANCE", "WAIVE")]
    assert said(f"{line}\nA PAR H") == [("the unit's", "A PAR H")]


@pytest.mark.parametrize(
    "line",
    ["A MAR - XYZ", "A BURR - PAR", "BHO - PAR", "F BRE in", "F SPA/EC H", "A PAR S A", "permit PIC-LON", "F ENG C A"],
)
def test_an_order_with_a_slip_keeps_the_heading(line: str) -> None:
    assert said(f"FRANCE\n{line}\nWAIVE") == [("FRANCE", line), ("FRANCE", "WAIVE")]


INLINE = {
    "Austria: A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "Austria (Bob): A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "**Austria:** A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "1. Austria - A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "Austria-Hungary: A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "Orders for Austria: A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "Austria, Spring 1901: A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "Austria (A VIE - GAL)": [("AUSTRIA", "(A VIE - GAL)")],
    "[Austria] A VIE - GAL": [("AUSTRIA", "A VIE - GAL")],
    "The Austrian army in Vienna moves to Galicia": [("AUSTRIA", "army in Vienna moves to Galicia")],
    "Austria: A VIE - GAL, A BUD H; Italy: A VEN H, WAIVE": [
        ("AUSTRIA", "A VIE - GAL"),
        ("AUSTRIA", "A BUD H"),
        ("ITALY", "A VEN H"),
        ("ITALY", "WAIVE"),
    ],
    "Austria: A VIE - GAL (bounce, cut)": [("AUSTRIA", "A VIE - GAL (bounce, cut)")],
    "Austria: A VIE - GAL,\nWAIVE": [("AUSTRIA", "A VIE - GAL"), ("AUSTRIA", "WAIVE")],
    "Austria: A VIE - XYZ": [("AUSTRIA", "A VIE - XYZ")],
    "Austria builds A VIE": [("AUSTRIA", "builds A VIE")],
    "Austria retreats A VIE - GAL": [("AUSTRIA", "retreats A VIE - GAL")],
    "The Russians: PERMIT ITALY LON-PIC": [("RUSSIA", "PERMIT ITALY LON-PIC")],
    "Austria: PERMIT ITALY LON-PIC": [("AUSTRIA", "PERMIT ITALY LON-PIC")],
}


@pytest.mark.parametrize("line", INLINE)
def test_an_order_behind_the_name_of_its_power_ends_the_heading_above(line: str) -> None:
    """What follows names no power: a unit is its owner's, a build is nobody's."""
    below = [("the unit's", "A PAR H"), ("the unit's", "WAIVE")]
    assert said(f"FRANCE\nA MAR H\n{line}\nA PAR H\nWAIVE") == [("FRANCE", "A MAR H"), *INLINE[line], *below]


def test_what_is_quoted_does_not_stand_under_a_heading_that_is_not() -> None:
    text = "ITALY\nA VEN H\n> WAIVE\n> AUSTRIA\n> WAIVE\n>> WAIVE\nWAIVE"
    assert said(text) == [
        ("ITALY", "A VEN H"),
        ("refused", "WAIVE"),
        ("AUSTRIA", "WAIVE"),
        ("refused", "WAIVE"),
        ("refused", "WAIVE"),
    ]


def test_among_headings_that_are_comments_every_comment_may_be_one() -> None:
    assert said("# FRANCE\nWAIVE\n# Itlay\nWAIVE")[1] == ("refused", "WAIVE")
    assert said("FRANCE\nWAIVE\n# Itlay\nWAIVE")[1] == ("FRANCE", "WAIVE")


@pytest.mark.parametrize("form", ["\n".join, list])
def test_what_a_power_hands_in_is_its_own_or_refused(form: Any) -> None:
    """The powers of a mapping are certain: a greeting does not unsay them, another's name does."""
    lines = ["hello", "WAIVE", "Austria", "WAIVE", "A VIE H", "Italy:", "WAIVE", "Austria: WAIVE"]
    assert said({"ITALY": form(lines)}) == [
        ("ITALY", "hello"),
        ("ITALY", "WAIVE"),
        ("ITALY", "AUSTRIA: WAIVE"),
        ("ITALY", "AUSTRIA: A VIE H"),
        ("ITALY", "WAIVE"),
        ("ITALY", "Austria: WAIVE"),
    ]
    assert said({"Austria-Hungary": form(["A VIE H"])}) == [("AUSTRIA", "A VIE H")]


def test_a_build_is_waived_by_nobody_else() -> None:
    centres = {"ITALY": ["ROM", "VEN", "NAP"], "AUSTRIA": ["VIE", "BUD", "TRI"]}
    position = {"phase": "W1901A", "units": [], "centres": centres}
    builds = "A ROM B\nA VEN B\nA NAP B"
    for orders in (
        f"ITALY\nWAIVE\nAustria, who is late\nWAIVE\nItaly\n{builds}",
        {"ITALY": ["WAIVE", "AUSTRIA", "WAIVE", "Italy", *builds.split("\n")]},
    ):
        result = adjudicate(position, orders)
        assert len([unit for unit in result["units"] if unit["power"] == "ITALY"]) == 2
        assert not [unit for unit in result["units"] if unit["power"] == "AUSTRIA"]
        assert [line["why"] for line in result["unread"]][-1] == "ITALY has no unit to build"


def test_a_permission_is_given_by_nobody_else() -> None:
    tunnels = [read_tunnel(f"{power} LON-PIC hidden") for power in ("ENGLAND", "GERMANY")]
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PIC"]}), "tunnels": tunnels}
    grant = "PERMIT FRANCE LON-PIC"
    for orders in (f"ENGLAND\nGermnay\n{grant}", {"ENGLAND": f"Germany\n{grant}"}, {"ENGLAND": [f"Germany: {grant}"]}):
        result = adjudicate(position, orders)
        assert result["unread"][-1]["why"].startswith(("it does not say whose", "it is an order of GERMANY"))
        assert not any(tunnel.get("permits") for tunnel in result["position"]["tunnels"])


def test_the_english_channel_is_no_heading() -> None:
    for line in ("English Channel S English A WAL", "English Channel - North Sea", "F English Channel H"):
        assert said(f"FRANCE\n{line}\nWAIVE") == [("FRANCE", line), ("FRANCE", "WAIVE")]
