"""What the designer's page may ask for: drafts, versions and reports. Independent of the web side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.table.design.changes import (
    RefusedFields,
    RulesetDraft,
    changed_fields,
    changes_of,
    make_draft,
)
from channel_tunnel_agents.table.design.form import form_of
from channel_tunnel_agents.table.design.reports import About, Reports
from channel_tunnel_agents.table.design.versions import Versions, check_name, read_rules
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.levels import LEVELS
from channel_tunnel_agents.table.rooms.requests import Name, Request
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import shorten
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets, load_ruleset

FOLDER, REPORTS = "designs", "reports"
DEALS = (50, 100, 200, 500)
MOST_CHANGES = 400
SCRIPTED = ("random", "heuristic")  # agents that play any rules, a thousand games in seconds
BEST = "best"
UNNAMED = "draft"


class ReportPlayers(NamedTuple):
    """Who may play the games of a report, the usual choice first.

    Attributes:
        key: what the page sends.
        agents: none: those that the command `report` chooses itself. BEST stands for the best that fits the draft.
        cost: processor time of a report on 50 deals of `standard` with a hand of 11, as docs/designer-page.md.
    """

    key: str
    words: str
    agents: tuple[str, ...]
    cost: str


REPORT_PLAYERS = (
    ReportPlayers(BEST, "the best player that fits", (*SCRIPTED, BEST), "2 minutes"),
    ReportPlayers("scripted", "the scripted player", SCRIPTED, "17 seconds"),
    ReportPlayers("search", "Adept and a small tree search", (), "2.5 minutes"),
)
AGENTS = {choice.key: choice.agents for choice in REPORT_PLAYERS}

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
    """Play a draft at the table; without a rival the usual one of a draft plays."""

    side: Literal["britain", "france"] = "britain"
    rival: Name | None = None


class MakeReport(Wish):
    """Make a report of a draft; `players` is a key of `REPORT_PLAYERS`."""

    deals: Literal[DEALS] = DEALS[0]  # type: ignore[valid-type]
    players: Literal[tuple(AGENTS)] = REPORT_PLAYERS[0].key  # type: ignore[valid-type]


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
        """What there is: bases, versions, reports; the numbers of deals and the players to choose from."""
        return {
            "bases": builtin_rulesets(),
            "versions": self.versions.names(),
            "reports": self.reports.list(),
            "deals": DEALS,
            "players": [
                {"key": choice.key, "words": choice.words, "cost": choice.cost}
                for choice in REPORT_PLAYERS
            ],
        }

    def close(self) -> None:
        """Stop what runs."""
        self.reports.close()

    def form(self, base: str) -> dict[str, Any]:
        """The form of a base; see `form.form_of`.

        Raises:
            TableError: not one of the bases.
        """
        return form_of(find_base(base))

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
        told = changes_in_words(find_base(wish.base), draft.ruleset)
        best = shipped.best_for(draft.ruleset)
        return {
            "told": told,
            "changes": draft.changes,
            "file": draft.file,
            "refused": {},
            "best": {"agent": best, "name": level_name(best)},
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
        told = changes_in_words(ruleset, turned)
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
        best = shipped.best_for(draft.ruleset)
        agents = tuple(best if agent == BEST else agent for agent in AGENTS[wish.players])
        return self.reports.start(About(wish.name, wish.base, wish.deals), draft.file, agents)


def level_name(agent: str) -> str:
    """An agent by the name of its level."""
    return next((level.name for level in LEVELS[DEFAULT_GAME] if level.agent == agent), agent)


def find_base(name: str) -> Ruleset:
    """A ruleset that can be edited.

    Raises:
        TableError: there is none of this name.
    """
    if name not in builtin_rulesets():
        known = ", ".join(builtin_rulesets())
        raise TableError(400, f"base: {name[:60]!r}: allowed: {known}")
    return load_ruleset(name, game=DEFAULT_GAME)
