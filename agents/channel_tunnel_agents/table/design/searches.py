"""Numbers that meet a designer's targets: `channel-tunnel tune` in the background, one at a time.

A target is a range of a measure that the game offers or of an expression over its measures; any figure that is a number may change. A search that is stopped
keeps the best setting so far. What was found is kept until the next one begins or the server ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import yaml

from channel_tunnel_agents.balance.changing.parameters import MAX_VALUES, read_parameters
from channel_tunnel_agents.balance.changing.targets import Check, measured, range_text
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.own_measure import is_expression
from channel_tunnel_agents.balance.players.population import scripted_player
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.shipped import reader_of
from channel_tunnel_agents.sheet import estimate_cell
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_agents.table.design.changes import RulesetDraft, changed_fields, told_changes
from channel_tunnel_agents.table.design.form import Field, fields_of
from channel_tunnel_agents.table.design.jobs import DONE, RUNNING, OneAtATime, command_of
from channel_tunnel_agents.table.design.wrong import name_of, wrong_in_words
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.documents import need_mapping, read_json, shorten
from channel_tunnel_env.outside.hints import did_you_mean
from channel_tunnel_env.outside.sentences import capital

TRIALS, DEALS = (10, 20, 40, 100), (50, 200, 500, 2000)  # that the page offers: settings, and the deals of each
USUAL = {"trials": 20, "deals": 200}
PROOF = 2  # times as many deals, fresh ones, for the best settings
MOST = 8  # figures that may change
RULES, TARGETS, OUT, RESULT = "draft.yaml", "targets.yaml", "found", "tune.json"
COMMAND = command_of()

Ranges = Mapping[str, Any]
"""Name -> [from, to], as the page sends it."""


class Searchable(NamedTuple):
    """A number of the rules that may change."""

    name: str
    min: int
    max: int
    value: int | None
    field: Field


def figures_of(ruleset: Ruleset) -> dict[str, Searchable]:
    """Every number of a ruleset's form by key; those of a list by their place."""
    found = {}
    for key, field in fields_of(ruleset).items():
        name, low, high = _name(field, ruleset), field.limits.get("min", 0), field.limits.get("max", 0)
        if field.kind == "number":
            found[key] = Searchable(name, low, high, field.value, field)
        for place, value in enumerate(field.value if field.kind == "numbers" else ()):
            found[f"{key}.{place}"] = Searchable(f"{name}, place {place + 1}", low, high, value, field)
    return found


def _name(field: Field, ruleset: Ruleset) -> str:
    """A field's name, in which a seat keeps its capital."""
    first, comma, rest = name_of(field).partition(", ")
    return f"{first}{comma}{capital(rest) if rest.partition(',')[0] in ruleset.seats else rest}"


def players_of(ruleset: Ruleset) -> list[str]:
    """Who may play a search: players that follow any change of the rules, the usual one first."""
    found = [reader_of(ruleset), scripted_player(ruleset)] if measured(ruleset).offered else []
    return [*dict.fromkeys(filter(None, found))]


def offers_of(ruleset: Ruleset) -> dict[str, Any]:
    """What may change on a base, who may play, and how much is played, JSON-serialisable."""
    figures = figures_of(ruleset).items()
    return {
        "figures": [{"key": key, **each._asdict(), "field": each.field.key} for key, each in figures],
        "searchers": [{"agent": agent, "name": player_name(agent, ruleset)} for agent in players_of(ruleset)],
        "choices": {"trials": TRIALS, "deals": DEALS},
        "usual": USUAL,
        "measures": [{"name": name, "title": _title(each)} for name, each in measured(ruleset).named.items()],
    }


def aims_of(ruleset: Ruleset, targets: Iterable[str] = ()) -> list[dict[str, Any]]:
    """What a ruleset may have targets for; none where nothing is measured.

    Args:
        targets: of the draft, by names and expressions: those that are not offered are the designer's own, and one that these rules do
            not have is left out.
    """
    offered = measured(ruleset).offered
    found = [_aim(name, each) for name, each in offered.items()]
    for text in targets:
        if found and text not in offered:
            with suppress(TableError):
                found.append(own_aim(ruleset, text))
    return found


def own_aim(ruleset: Ruleset, text: str) -> dict[str, Any]:
    """A designer's own target, by the name or the expression of what it is about."""
    return _aim(text, _measure(text, ruleset)) | {"own": True}


def _aim(name: str, measure: Measure) -> dict[str, Any]:
    """Name, title and unit, JSON-serialisable."""
    return {"name": name, "title": _title(measure), "unit": "%" if measure.unit == "share" else measure.unit}


def _title(measure: Measure) -> str:
    """Words begin with a capital; formulas stay as they are."""
    return measure.title if is_expression(measure.name) else capital(measure.title)


def _measure(name: str, ruleset: Ruleset) -> Measure:
    known = measured(ruleset).named
    try:
        return known[name]
    except KeyError:
        raise TableError(400, f"{shorten(name)}: no target of this game{did_you_mean(name, known)}") from None
    except AgentError as error:
        raise TableError(400, str(error)) from None


# --- what is wanted -------------------------------------------------------------------------------


def read_targets(wanted: Ranges, ruleset: Ruleset) -> dict[str, list[float | None]]:
    """Targets as in a targets file, from those of the page, whose shares are in per cent."""
    found = {}
    for name, ends in wanted.items():
        measure = _measure(name, ruleset)
        title, scale = _title(measure), 100 if measure.unit == "share" else 1
        given = [end for end in _read_range(title, ends) if end is not None]
        if not given:
            raise TableError(400, f"{title}: a number is needed, from, to or both")
        if scale > 1 and not 0 <= min(given) <= max(given) <= scale:
            raise TableError(400, f"{title}: a share lies between 0 and 100 %")
        found[name] = [None if end is None else end / scale for end in ends]
    if not found:
        raise TableError(400, "set a target first: what you want, from, to or both")
    return found


def _read_range(name: str, ends: Any) -> list[float | None]:
    """Both ends of a range, unless it has none or ends before it begins."""
    usable = isinstance(ends, list) and len(ends) == 2
    if not usable or not all(end is None or (type(end) in (int, float) and math.isfinite(end)) for end in ends):
        raise TableError(400, f"{name}: from and to are numbers, or empty")
    low, high = ends
    if low is not None and high is not None and low > high:
        raise TableError(400, f"{name}: from {low:g} is more than to {high:g}")
    return [low, high]


def read_figures(ranges: Ranges, ruleset: Ruleset) -> list[str]:
    """What may change, in the words of the command."""
    if not ranges:
        raise TableError(400, "add a number that may change first")
    if len(ranges) > MOST:
        raise TableError(400, f"at most {MOST} numbers may change in a search")
    known, fields = figures_of(ruleset), fields_of(ruleset)
    for key in ranges:
        if key in fields and key not in known:
            raise TableError(400, f"{_name(fields[key], ruleset)}: only a number can be searched")
        if key not in known:
            raise TableError(400, f"{shorten(key)}: no number of these rules{did_you_mean(key, known)}")
    return [word for key, ends in ranges.items() for word in ("--param", _range(key, ends, known[key], ruleset))]


def _range(key: str, ends: Any, figure: Searchable, ruleset: Ruleset) -> str:
    """KEY=FROM..TO, in steps where there are too many values; refused unless the rules take each."""
    low, high = _read_range(figure.name, ends)
    if type(low) is not int or type(high) is not int or low < figure.min or high > figure.max:
        raise TableError(400, f"{figure.name}: from and to are whole numbers from {figure.min} to {figure.max}")
    word = f"{key}={low}..{high}:{1 + (high - low) // MAX_VALUES}"
    try:
        read_parameters([word], ruleset)
    except AgentError as error:
        _, refused, problem = str(error).partition(": refused: ")
        why = (
            wrong_in_words(problem, figure.field, fields_of(ruleset))
            if refused
            else "another value is another number of seats"
        )
        raise TableError(400, f"{figure.name}: {why}") from None
    return word


# --- the search -----------------------------------------------------------------------------------


class Searches(OneAtATime):
    """The latest search of a server. Every method may be called from several threads at once."""

    def __init__(self) -> None:
        super().__init__("the search", "no search is running")
        self._rules: tuple[Ruleset, Ruleset] | None = None  # the base, and the draft that it started from
        self._result: dict[str, Any] | None = None

    def start(
        self, base: Ruleset, draft: RulesetDraft, targets: Ranges, figures: Ranges, player: str, trials: int, deals: int
    ) -> None:
        """Search from a draft.

        Raises:
            TableError: another search runs, a target, a range or the player is not allowed, or no room on the disk.
        """
        offered = players_of(draft.ruleset)
        if player not in offered:
            raise TableError(400, f"player: {shorten(player)}: allowed: {', '.join(offered)}")
        wanted = {"agent": player, "deals": PROOF * deals, "targets": read_targets(targets, draft.ruleset)}
        words = ["--trials", str(trials), "--deals", str(deals), *read_figures(figures, draft.ruleset)]
        with self.lock:
            if self.job is not None and self.job.state == RUNNING:
                raise TableError(409, "a search is running; wait for it or stop it first")
            files = {RULES: draft.file, TARGETS: yaml.safe_dump(wanted)}
            self.begin(COMMAND, ["tune", RULES, "--targets", TARGETS, "--out", OUT, *words], files)
            self._rules, self._result = (base, draft.ruleset), None

    def look(self) -> dict[str, Any]:
        """The latest search: its state, its progress, and its `result` once it is done; empty if there was none."""
        if self.job is None or self._rules is None:
            return {}
        told = self.job.to_dict()
        if told["state"] == DONE and self._result is None:
            found = need_mapping(read_json(self.place / OUT / RESULT), RESULT)
            self._result = _told(found, *self._rules)
        return {**told, "result": self._result}


def _told(found: Mapping[str, Any], base: Ruleset, draft: Ruleset) -> dict[str, Any]:
    """What a search found, from its `tune.json`."""
    changes, here = found["best"]["changes"], found["checks"]["best"]
    best = draft.with_values(changes, draft.name) if changes else draft
    return {
        "words": _headline(found, "This setting" if changes else "Your draft as it is"),
        "told": told_changes(draft, best),
        "player": player_name(found["player"], draft),
        "deals": here[0]["n"],
        "settings": len(found["tried"]),
        "targets": [_target(each, draft) for each in here],
        "base": base.name,
        "changes": changed_fields(base, best),
    }


def _headline(found: Mapping[str, Any], which: str) -> str:
    told = {
        "met": f"{which} meets all targets.",
        "missed": f"No setting that was tried meets all targets. {which} comes nearest.",
        "not settled": f"{which} comes nearest. More deals would show whether it meets all targets.",
    }
    stopped = "The search was stopped, and this is the best so far. " if found["stopped"] else ""
    doubt = " The player is weak here: train a policy for these rules before you trust this." if found["doubts"] else ""
    return f"{stopped}{told[found['status']]}{doubt}"


def _target(told: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    """A target against what was found, in words."""
    check = Check(told["name"], told["low"], told["high"], Estimate(**told["found"]), told["n"])
    measure = _measure(check.name, ruleset)
    value, interval = estimate_cell(check.found, measure.unit).split("\n")
    scale, unit = (100, "points") if measure.unit == "share" else (1, measure.unit)
    status = "met" if check.status == "met" else "probably met"
    if not check.is_inside:
        status = (
            f"{'' if check.status == 'missed' else 'perhaps '}missed by {scale * check.distance:.2g} {unit}".strip()
        )
    return {
        "title": _title(measure),
        "wanted": range_text(check, measure),
        "found": f"{value}, very probably {interval.strip('[]').replace(', ', ' to ')}",
        "status": status,
        "met": check.is_inside,
    }
