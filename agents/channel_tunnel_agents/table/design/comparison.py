"""Two versions side by side: the rules that differ, what each seat wins, and the cards whose worth moved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from channel_tunnel_agents.table.design.changes import changed_fields
from channel_tunnel_agents.table.design.form import Field, fields_of
from channel_tunnel_agents.table.design.game import designed, plain_words
from channel_tunnel_agents.table.design.wrong import name_of
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.people import seat_name
from channel_tunnel_env import Ruleset
from channel_tunnel_env.faces.plain_words import plain_value
from channel_tunnel_env.faces.registry import table_of

HUNDRED = 100
CONFIDENCE = 0.95  # of the intervals in reports
MOST_DRAWN = 12

Report = Mapping[str, Any]
"""A report's `report.json`."""


@dataclass(frozen=True)
class Compared:
    """One of the two.

    Attributes:
        title: what the page calls it.
        report: in which these rules were played; None if there is none.
        key: of that report.
        as_base: whether they are the base of that report, not the rules that it is about.
    """

    title: str
    ruleset: Ruleset
    report: Report | None = None
    key: str | None = None
    as_base: bool = False


def compare(one: Compared, other: Compared) -> dict[str, Any]:
    """What differs, in words and figures, JSON-serialisable."""
    if one.ruleset.spec.name != other.ruleset.spec.name:
        raise TableError(400, "two versions of one game are compared; these are of two")
    rules, players = _rules(one.ruleset, other.ruleset), _players(one, other)
    return {
        "titles": [one.title, other.title],
        "rules": rules,
        "reports": [side.key if shares_of(side) else None for side in (one, other)],
        "players": players,
        "without": _without(one, other, players),
        "drawn": _drawn(one, other),
        "style": designed(one.ruleset).picture_style,
    }


# --- the rules ------------------------------------------------------------------------------------


def _rules(one: Ruleset, other: Ruleset) -> list[dict[str, str]]:
    """The figures that differ: by name, with both values."""
    old, new = fields_of(one), fields_of(other)
    return [
        {"name": name_of(old[key]), "one": _said(old[key]), "other": _said(new[key])}
        for key in changed_fields(one, other)
    ]


def _said(field: Field) -> str:
    if isinstance(field.value, dict):
        parts = (f"space {space}: {plain_words(what)}" for space, what in field.value.items())
        return ", ".join(parts) or "none"
    return plain_words(plain_value(field.value))


# --- what each seat wins --------------------------------------------------------------------------


def _players(one: Compared, other: Compared) -> list[dict[str, Any]]:
    """The agents that played both, the strongest first: their share in both of every seat that is played in both."""
    if one.ruleset.seats != other.ruleset.seats:
        return []
    there, face = {each["agent"]: each for each in shares_of(other)}, table_of(one.ruleset.spec)
    both = [(each, there[each["agent"]]) for each in shares_of(one) if each["agent"] in there]
    return [
        {
            "name": own["name"],
            "deals": [own["deals"], others["deals"]],
            "seats": [
                _seat(seat_name(face, seat), own["seats"][seat], others["seats"][seat])
                for seat in own["seats"]
                if seat in others["seats"]
            ],
        }
        for own, others in both
    ]


def shares_of(side: Compared) -> list[dict[str, Any]]:
    """The agents that played these rules, the strongest first: agent, name, deals, and the share of every seat.

    Empty without a report, of one that was made before reports said so, and with too few games.
    """
    entries = (side.report or {}).get("seats", ())
    which = "base" if side.as_base else "here"
    return [
        {"agent": each["agent"], "name": each["name"], **each[which]}
        for each in reversed(entries)
        if each[which] is not None
    ]


def _seat(name: str, one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, Any]:
    change = _difference(one, other)
    return {"name": name, "one": one, "other": other, "words": _change_words(*change)}


def _difference(one: Mapping[str, float], other: Mapping[str, float], reach: float = 1.0) -> tuple[float, float, float]:
    """The change from one share to another, with its interval from theirs, but so much wider (Newcombe 1998, method 10, unpaired)."""
    change = other["value"] - one["value"]
    below = math.hypot(other["value"] - other["low"], one["high"] - one["value"])
    above = math.hypot(other["high"] - other["value"], one["value"] - one["low"])
    return change, change - reach * below, change + reach * above


def _change_words(change: float, low: float, high: float) -> str:
    """Such as "wins about 8 more of 100", or that these games cannot tell."""
    if low <= 0 <= high:
        return "may be the same: these games cannot tell"
    least, most = sorted((abs(low), abs(high)))
    more = "more" if change > 0 else "fewer"
    about, fewest, highest = (round(HUNDRED * x) for x in (abs(change), least, most))
    return f"about {about} {more} of {HUNDRED}, very probably {max(1, fewest)} to {highest}"


def _without(one: Compared, other: Compared, players: list[dict[str, Any]]) -> list[str]:
    """What is missing for a comparison of shares, a sentence each."""
    lacking = [side.title for side in (one, other) if not shares_of(side)]
    if lacking:
        return [f"There is no report on {title} yet." for title in dict.fromkeys(lacking)]
    if not players:
        return ["No player played enough games of both: make both reports with the same players."]
    best = [shares_of(side)[0]["name"] for side in (one, other)]
    if best[0] != best[1]:
        return [
            f"{best[0]} is the strongest in the report on {one.title}, {best[1]} in that on {other.title}; only who "
            "played both is shown."
        ]
    return []


# --- what is drawn --------------------------------------------------------------------------------


def _drawn(one: Compared, other: Compared) -> list[dict[str, Any]]:
    """The pictures whose worth moved, the furthest first, then those that the rules change."""
    old, new = (designed(side.ruleset).pictures(side.ruleset) for side in (one, other))
    worth, was = _worth(other), _worth(one)
    reach = _reach(max(1, len(worth))) / _reach(1)  # so that all hold together
    moved = {
        name: found
        for name in worth
        if name in was and not (found := _difference(was[name], worth[name], reach))[1] <= 0 <= found[2]
    }
    ranked = sorted(moved, key=lambda name: -abs(moved[name][0]))
    changed = [name for name in new if name in old and new[name].rules != old[name].rules]
    shown = [name for name in dict.fromkeys([*ranked, *changed]) if name in new]
    return [
        {
            "name": name,
            "svg": new[name].svg,
            "lines": _lines(name, was, worth, old[name].rules if name in old else "", new[name].rules),
        }
        for name in shown[:MOST_DRAWN]
    ]


def _reach(intervals: int) -> float:
    """Half the width of each of some 95 % intervals that hold together, in standard errors (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / intervals)


def _lines(name: str, was: Mapping[str, Any], worth: Mapping[str, Any], old: str, new: str) -> list[str]:
    parts = zip(old.split(", "), new.split(", "), strict=True) if old else ()
    found = [f"{now} instead of {before}" for before, now in parts if before != now]
    if name in was and name in worth:
        before, after = (round(HUNDRED * each[name]["value"]) for each in (was, worth))
        found.append(f"worth {after} more wins of {HUNDRED}; was {before}")
    return found


def _worth(side: Compared) -> dict[str, dict[str, float]]:
    """What each drawn part is worth to the side that has it from the start: by name; empty without a report that says so."""
    place = designed(side.ruleset).worth
    if place is None:
        return {}
    front = (side.report or {}).get("front", {}).get("drawn", {}).get("data", {})
    table = front.get(place.table)
    column = place.base if side.as_base else place.here
    if table is None or column not in table["columns"]:
        return {}
    at = {title: number for number, title in enumerate(table["columns"])}
    named = (("value", column), ("low", f"{column}: low"), ("high", f"{column}: high"))
    return {
        row[at[place.name]]: {end: row[at[title]] for end, title in named}
        for row in table["rows"]
        if all(row[at[title]] is not None for _, title in named)
    }
