"""What the designer's page may ask for: drafts, versions and reports. Independent of the web side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.table.design.changes import (
    RefusedFields,
    RulesetDraft,
    changed_fields,
    changes_of,
    make_draft,
    told_changes,
)
from channel_tunnel_agents.table.design.form import form_of
from channel_tunnel_agents.table.design.game import BEST, SCRIPTED, designed
from channel_tunnel_agents.table.design.reports import About, Reports
from channel_tunnel_agents.table.design.versions import Versions, check_name, read_rules
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.levels import LEVELS
from channel_tunnel_agents.table.rooms.names import seat_name
from channel_tunnel_agents.table.rooms.requests import Name, Request
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.games import game_names, plugin_problems
from channel_tunnel_env.outside.documents import shorten
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets, load_ruleset

FOLDER, REPORTS = "designs", "reports"
DEALS = (50, 100, 200, 500)
MOST_CHANGES = 400
UNNAMED = "draft"


Changes = Annotated[dict[Name, Any], Field(max_length=MOST_CHANGES)]


class Wish(Request):
    """A draft: the fields that differ from a base."""

    base: Name = "standard"
    name: Name = UNNAMED
    changes: Changes


class Save(Wish):
    """Keep a draft as a version."""

    replace: bool = False


class Play(Wish):
    """Play a draft at the table, without a side in the first seat; without a rival the usual one plays."""

    side: Name | None = None
    rival: Name | None = None


class MakeReport(Wish):
    """Make a report of a draft; `players` is a key of the game's `report_players`."""

    deals: Literal[DEALS] = DEALS[0]  # type: ignore[valid-type]
    players: Name = BEST


class TurnFigure(Request):
    """Turn one figure of a report's rules: a key of the ruleset, and its new value."""

    key: Name
    value: bool | int | Name


class Workshop:
    """The drafts, versions and reports below a folder.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.versions = Versions(folder / FOLDER)
        self.reports = Reports(folder / FOLDER / REPORTS)

    def to_dict(self) -> dict[str, Any]:
        """What there is: games with their bases, versions, reports, the numbers of deals to choose from."""
        return {
            "games": [
                {"title": agents_of(game).title, "bases": bases}
                for game, bases in bases_by_game().items()
            ],
            "versions": self.versions.names(),
            "reports": self.reports.list(),
            "deals": DEALS,
        }

    def close(self) -> None:
        """Stop what runs."""
        self.reports.close()

    def form(self, base: str) -> dict[str, Any]:
        """The form of a base, see `form.form_of`; its seats, and who may play a report.

        Raises:
            TableError: not one of the bases.
        """
        ruleset = find_base(base)
        choices = designed(ruleset).report_players
        return form_of(ruleset) | {
            "seats": seats_of(ruleset),
            "players": [{"key": c.key, "words": c.words, "cost": c.cost} for c in choices],
        }

    def draft(self, wish: Wish) -> RulesetDraft:
        """The ruleset of a draft.

        Raises:
            TableError: a name, a base, a field or a value that is not allowed.
        """
        return make_draft(find_base(wish.base), check_name(wish.name), wish.changes)

    def tell(self, wish: Wish) -> dict[str, Any]:
        """What a draft changes, in words; or which of its fields are refused, and why.

        Raises:
            TableError: as `draft`, but for values of fields that the form has.
        """
        try:
            draft = self.draft(wish)
        except RefusedFields as error:
            if len(error.words) < len(error.fields):
                raise
            return {"refused": error.words}
        told = told_changes(find_base(wish.base), draft.ruleset)
        best = best_player(draft.ruleset)
        return {
            "told": told,
            "changes": draft.changes,
            "file": draft.file,
            "refused": {},
            "seats": seats_of(draft.ruleset),
            "best": {"agent": best, "name": level_name(best, draft.ruleset)},
        }

    def save(self, wish: Save) -> None:
        """Keep a draft as a version.

        Raises:
            TableError: as `draft` and `Versions.save`; nothing has changed.
        """
        self.versions.save(wish.name, self.draft(wish).file, wish.replace)

    def load(self, name: str) -> dict[str, Any]:
        """A version: its name, its base and what it changes.

        Raises:
            TableError: there is none, its file is broken, or it changes more than the form shows.
        """
        base, ruleset = self.versions.load(name)
        changes = changes_of(find_base(base), ruleset)
        return {"name": name, "base": base, "changes": changes}

    def turn(self, report: str, wish: TurnFigure) -> dict[str, Any]:
        """A draft of a report's rules with one figure changed, and the field of that figure.

        Raises:
            TableError: there is no such report, its rules cannot be read, or they do not take that value.
        """
        base, ruleset = read_rules(self.reports.rules(report))
        try:
            turned = ruleset.with_values({wish.key: wish.value}, ruleset.name)
        except RulesetError as error:
            raise TableError(400, error.problems[0]) from None
        own = find_base(base)
        changes = changed_fields(own, turned)
        field = next(iter(changed_fields(ruleset, turned)), None)
        if field is None:
            raise TableError(400, f"{shorten(wish.key)}: no figure that the form has")
        told = told_changes(ruleset, turned)
        return {
            "name": ruleset.name,
            "base": base,
            "changes": changes,
            "field": field,
            "told": told,
        }

    def measure(self, wish: MakeReport) -> str:
        """Begin a report of a draft; returns its key.

        Raises:
            TableError: as `draft` and `Reports.start`.
        """
        draft = self.draft(wish)
        agents = agents_of_report(wish.players, draft.ruleset)
        return self.reports.start(About(wish.name, wish.base, wish.deals), draft.file, agents)


def best_player(ruleset: Ruleset) -> str:
    """The strongest agent that plays a ruleset as it is; a game without one has its scripted player."""
    game = ruleset.spec.name
    if agents_of(game).shipped:
        best = shipped.best_for(ruleset)
        if best == agents_of(game).reader or shipped.fits(best, ruleset):
            return best
    return agents_of(game).ladder[-1]


def agents_of_report(players: str, ruleset: Ruleset) -> tuple[str, ...]:
    """Who plays a report.

    Raises:
        TableError: no choice of this game.
    """
    choices = {choice.key: choice.agents for choice in designed(ruleset).report_players}
    if players not in choices:
        raise TableError(400, f"players: {shorten(players)}: allowed: {', '.join(choices)}")
    named = {SCRIPTED: agents_of(ruleset.spec.name).ladder, BEST: (best_player(ruleset),)}
    found = [name for agent in choices[players] for name in named.get(agent, (agent,))]
    return tuple(dict.fromkeys(found))


def seats_of(ruleset: Ruleset) -> list[dict[str, str]]:
    """The seats of a ruleset, and what they are called."""
    face = table_of(ruleset.spec)
    seats = ruleset.spec.seats.names(ruleset)
    return [{"key": seat, "title": seat_name(face, seat)} for seat in seats]


def level_name(agent: str, ruleset: Ruleset) -> str:
    """An agent by the name of its level."""
    levels = LEVELS[ruleset.spec.name]
    return next((level.name for level in levels if level.agent == agent), agent)


def bases_by_game() -> dict[str, list[str]]:
    """The rulesets that can be edited, by their game, the default game's first; a game that fails is left out."""
    failing = plugin_problems()
    return {game: builtin_rulesets(game) for game in game_names() if game not in failing}


def find_base(name: str) -> Ruleset:
    """A ruleset that can be edited.

    Raises:
        TableError: there is none of this name.
    """
    known = [base for bases in bases_by_game().values() for base in bases]
    if name not in known:
        raise TableError(400, f"base: {name[:60]!r}: allowed: {', '.join(known)}")
    return load_ruleset(name)
