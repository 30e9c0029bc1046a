"""Numbers that meet a designer's targets: `channel-tunnel tune` in the background, one at a time.

What may be a target is what the game's measures offer; what may change is every figure that is a number. A search
that is stopped keeps the best setting so far. Its result is kept until the next one begins or the server ends.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from channel_tunnel_agents.balance.changing.parameters import MAX_VALUES, read_parameters
from channel_tunnel_agents.balance.changing.targets import Check, offered_targets, range_text
from channel_tunnel_agents.balance.players.population import reader_of, scripted_player
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_agents.table.design.changes import RulesetDraft, changed_fields, told_changes
from channel_tunnel_agents.table.design.form import Field, fields_of
from channel_tunnel_agents.table.design.game import plain_words
from channel_tunnel_agents.table.design.jobs import DONE, OneAtATime, start_words
from channel_tunnel_agents.table.design.wrong import name_of, wrong_in_words
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import need_mapping, read_json, shorten
from channel_tunnel_env.outside.hints import did_you_mean
from channel_tunnel_env.outside.sentences import capital

TRIALS, DEALS = (10, 20, 40, 100), (50, 200, 500, 2000)  # that the page offers: settings, and the games of each
USUAL_TRIALS, USUAL_DEALS = 20, 200
PROVED = 2  # times as many games, fresh ones, for the best settings
MOST = 8  # figures that may change
HUNDRED = 100
RULES, TARGETS, OUT, RESULT = "draft.yaml", "targets.yaml", "found", "tune.json"
COMMAND = (sys.executable, "-c", start_words())

Ranges = Mapping[str, Any]
"""Name -> [from, to], as the page sends it."""


class Search(NamedTuple):
    """What is asked of a search: the ranges that are wanted, those of the figures that may change, who plays, how much."""

    targets: Ranges
    figures: Ranges
    player: str
    trials: int
    deals: int


class Figure(NamedTuple):
    """A number of the rules that may change: its name, its own range and its value."""

    name: str
    low: int
    high: int
    value: int | None
    field: Field


def figures_of(ruleset: Ruleset) -> dict[str, Figure]:
    """Every number that a ruleset's form has, by key; those of a list by their place."""
    found = {}
    for key, field in fields_of(ruleset).items():
        name, low, high = _name(field, ruleset), field.limits.get("min", 0), field.limits.get("max", 0)
        if field.kind == "number":
            found[key] = Figure(name, low, high, field.value, field)
        elif field.kind == "numbers":
            places = enumerate(field.value)
            found |= {f"{key}.{i}": Figure(f"{name}, place {i + 1}", low, high, each, field) for i, each in places}
    return found


def _name(field: Field, ruleset: Ruleset) -> str:
    """A field's name, in which a seat keeps its capital."""
    first, comma, rest = name_of(field).partition(", ")
    seat = rest.partition(",")[0]
    return f"{first}{comma}{capital(rest) if seat in ruleset.seats else rest}"


def offers_of(ruleset: Ruleset) -> dict[str, Any]:
    """What a search may change on a base, who may play, and how much is played, JSON-serialisable."""
    return {
        "figures": [
            {"key": key, "name": each.name, "min": each.low, "max": each.high, "value": each.value}
            for key, each in figures_of(ruleset).items()
        ],
        "searchers": [{"agent": agent, "name": player_name(agent, ruleset)} for agent in players_of(ruleset)],
        "trials": {"choices": TRIALS, "usual": USUAL_TRIALS},
        "deals": {"choices": DEALS, "usual": USUAL_DEALS},
    }


def players_of(ruleset: Ruleset) -> list[str]:
    """Who may play the games of a search: players that follow any change of the rules, the usual one first."""
    if not offered_targets(ruleset):
        return []
    return [*dict.fromkeys(filter(None, [reader_of(ruleset), scripted_player(ruleset)]))]


def aims_of(ruleset: Ruleset) -> list[dict[str, str]]:
    """What a ruleset may have targets for: name, title and unit; none where nothing is measured."""
    units = {"share": "%"}
    return [
        {"name": name, "title": capital(each.title), "unit": units.get(each.unit, each.unit)}
        for name, each in offered_targets(ruleset).items()
    ]


# --- what is wanted -------------------------------------------------------------------------------


def read_targets(wanted: Ranges, ruleset: Ruleset) -> dict[str, list[float | None]]:
    """Targets as a targets file has them, from those of the page, which has shares in per cent.

    Raises:
        TableError: none, an unknown one, or a range that no figure lies in.
    """
    if not wanted:
        raise TableError(400, "set a target first: what you want, from, to or both")
    known = offered_targets(ruleset)
    found = {}
    for name, ends in wanted.items():
        if name not in known:
            raise TableError(400, f"{shorten(name)}: no target of this game{did_you_mean(name, known)}")
        title, is_share = capital(known[name].title), known[name].unit == "share"
        low, high = _read_range(title, ends)
        if low is None and high is None:
            raise TableError(400, f"{title}: a number is needed, from, to or both")
        if is_share and any(end is not None and not 0 <= end <= HUNDRED for end in (low, high)):
            raise TableError(400, f"{title}: a share lies between 0 and 100 %")
        scale = HUNDRED if is_share else 1
        found[name] = [None if end is None else end / scale for end in (low, high)]
    return found


def _read_range(name: str, ends: Any) -> tuple[float | None, float | None]:
    """Both ends of a range.

    Raises:
        TableError: no range, or it ends before it begins.
    """
    if not isinstance(ends, list) or len(ends) != 2 or not all(map(_is_number, ends)):
        raise TableError(400, f"{name}: from and to are numbers, or empty")
    low, high = ends
    if low is not None and high is not None and low > high:
        raise TableError(400, f"{name}: from {low:g} is more than to {high:g}")
    return low, high


def _is_number(end: Any) -> bool:
    return end is None or (type(end) in (int, float) and math.isfinite(end))


def read_figures(ranges: Ranges, ruleset: Ruleset) -> list[str]:
    """What may change, in the words of the command: KEY=FROM..TO.

    Raises:
        TableError: nothing, no number of the rules, or values that these do not take.
    """
    if not ranges:
        raise TableError(400, "add a number that may change first")
    known = figures_of(ruleset)
    return [_read_figure(key, ends, ruleset, known) for key, ends in ranges.items()]


def _read_figure(key: str, ends: Any, ruleset: Ruleset, known: Mapping[str, Figure]) -> str:
    if key not in known:
        fields = fields_of(ruleset)
        if key in fields:
            raise TableError(400, f"{_name(fields[key], ruleset)}: only a number can be searched")
        raise TableError(400, f"{shorten(key)}: no number of these rules{did_you_mean(key, known)}")
    name, least, most, _, field = known[key]
    low, high = _read_range(name, ends)
    if not all(type(end) is int and least <= end <= most for end in (low, high)):
        raise TableError(400, f"{name}: from and to are whole numbers from {least} to {most}")
    assert low is not None and high is not None
    word = f"{key}={low:.0f}..{high:.0f}:{1 + int(high - low) // MAX_VALUES}"
    try:
        read_parameters([word], ruleset)
    except AgentError as error:
        _, refused, problem = str(error).partition(": refused: ")
        why = wrong_in_words(problem, field, fields_of(ruleset)) if refused else "the number of seats may not change"
        raise TableError(400, f"{name}: {why}") from None
    return word


# --- the search -----------------------------------------------------------------------------------


class Searches:
    """The latest search of a server. Every method may be called from several threads at once."""

    def __init__(self) -> None:
        self._jobs = OneAtATime("the search")
        self._rules: tuple[Ruleset, Ruleset] | None = None  # the base, and the draft that it started from
        self._result: dict[str, Any] | None = None

    def start(self, base: Ruleset, draft: RulesetDraft, search: Search) -> None:
        """Search from a draft.

        Raises:
            TableError: another search runs, something is wrong with the targets or the ranges, or no room on the disk.
        """
        if search.player not in players_of(draft.ruleset):
            raise TableError(400, f"players: {shorten(search.player)}: allowed: {', '.join(players_of(draft.ruleset))}")
        targets = read_targets(search.targets, draft.ruleset)
        wanted = {"agent": search.player, "deals": PROVED * search.deals, "targets": targets}
        words = ["--trials", str(search.trials), "--deals", str(search.deals)]
        words += [word for each in read_figures(search.figures, draft.ruleset) for word in ("--param", each)]
        with self._jobs.lock:
            if self._jobs.is_running:
                raise TableError(409, "a search is running; wait for it or stop it first")
            files = {RULES: draft.file, TARGETS: yaml.safe_dump(wanted)}
            self._jobs.begin(COMMAND, ["tune", RULES, "--targets", TARGETS, "--out", OUT, *words], files)
            self._rules, self._result = (base, draft.ruleset), None

    def look(self) -> dict[str, Any]:
        """The latest search: its state, its progress, and its `result` once it is done; empty if there was none."""
        job = self._jobs.job
        if job is None or self._rules is None:
            return {}
        told = job.to_dict()
        if told["state"] == DONE and self._result is None:
            try:
                content = need_mapping(read_json(self._jobs.place / OUT / RESULT), RESULT)
                self._result = _told(content, *self._rules)
            except (OSError, DocumentError):
                told |= {"state": "failed", "error": "the result of the search cannot be read"}
        return {**told, "result": self._result}

    def stop(self) -> None:
        """End the search that runs; it keeps the best setting so far.

        Raises:
            TableError: none runs.
        """
        if not self._jobs.stop():
            raise TableError(409, "no search is running")

    def close(self) -> None:
        """Stop the search that runs."""
        self._jobs.close()


def _told(content: Mapping[str, Any], base: Ruleset, draft: Ruleset) -> dict[str, Any]:
    """What a search found, from its `tune.json`."""
    best = draft.with_values(content["best"]["changes"], draft.name) if content["best"]["changes"] else draft
    checks = [
        Check(each["name"], each["low"], each["high"], Estimate(**each["found"]), each["n"])
        for each in content["checks"]["best"]
    ]
    return {
        "words": _headline(content, best is draft),
        "told": told_changes(draft, best),
        "player": player_name(content["player"], draft),
        "games": checks[0].n,
        "settings": len(content["tried"]),
        "targets": [_target(check, draft) for check in checks],
        "base": base.name,
        "changes": changed_fields(base, best),
    }


def _headline(content: Mapping[str, Any], is_draft: bool) -> str:
    which = "Your draft as it is" if is_draft else "This setting"
    told = {
        "met": f"{which} meets all targets.",
        "missed": f"No setting that was tried meets all targets. {which} comes nearest.",
        "not settled": f"{which} comes nearest. More deals would show whether it meets all targets.",
    }
    stopped = "The search was stopped, and this is the best so far. " if content["stopped"] else ""
    doubt = (
        " The player is weak here: train a policy for these rules before you trust this." if content["doubts"] else ""
    )
    return f"{stopped}{told[content['status']]}{doubt}"


def _target(check: Check, ruleset: Ruleset) -> dict[str, Any]:
    """A target against what was found, in words."""
    measure = offered_targets(ruleset)[check.name]
    scale, digits, unit = (HUNDRED, 1, " %") if measure.unit == "share" else (1, 2, "")
    found, low, high = (f"{scale * each:.{digits}f}" for each in (check.found.value, check.found.low, check.found.high))
    miss = f"{scale * check.distance:.{digits}f} {'points' if unit else plain_words(measure.unit)}"
    status = {"met": "met", "missed": f"missed by {miss}"}.get(
        check.status, "probably met" if check.is_inside else f"perhaps missed, by {miss}"
    )
    return {
        "title": capital(measure.title),
        "wanted": range_text(check, measure),
        "found": f"{found}{unit}, very probably {low} to {high}{unit}",
        "status": status,
        "met": check.is_inside,
    }
