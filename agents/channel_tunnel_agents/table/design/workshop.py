"""What the designer's page may ask for: drafts, versions and reports. Independent of the web side."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from channel_tunnel_agents.balance.measuring.own_measure import LONGEST as LONGEST_EXPRESSION
from channel_tunnel_agents.balance.players.population import DECISIONS
from channel_tunnel_agents.balance.players.training import MOST_DECISIONS
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.table.design import searches
from channel_tunnel_agents.table.design.changes import (
    RefusedFields,
    RulesetDraft,
    changed_fields,
    changes_of,
    make_draft,
    note_in,
    note_of,
    told_changes,
)
from channel_tunnel_agents.table.design.comparison import Compared, compare
from channel_tunnel_agents.table.design.form import form_of
from channel_tunnel_agents.table.design.game import BEST, SCRIPTED, designed
from channel_tunnel_agents.table.design.imports import RefusedFile, TakenIn, take_in
from channel_tunnel_agents.table.design.players import Judges, trainable_player
from channel_tunnel_agents.table.design.reports import About, Reports
from channel_tunnel_agents.table.design.sharing import shared_page
from channel_tunnel_agents.table.design.tunings import CHOICES, Tunings
from channel_tunnel_agents.table.design.versions import (
    LONGEST,
    DraftName,
    Versions,
    check_name,
    name_of_draft,
    read_rules,
)
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.offers import games_on_offer
from channel_tunnel_agents.table.rooms.people import seat_name
from channel_tunnel_agents.table.rooms.requests import MAX_BODY, Name, Request
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.outside.documents import shorten
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets, load_ruleset

FOLDER, REPORTS = "designs", "reports"
DEALS = (50, 100, 200, 500, 2000, 5000)
MOST_DEALS = 50_000
MOST_CHANGES = 400
UNNAMED = "draft"
COPY = "-copy"  # end of a copy's name
LONGEST_NOTE = 200  # letters
MOST_TARGETS = 100

Own = Annotated[str, Field(max_length=LONGEST_EXPRESSION)]
Changes = Annotated[dict[Name, Any], Field(max_length=MOST_CHANGES)]


class Wish(Request):
    """A draft: the fields that differ from a base, and what it is for."""

    base: Name = "standard"
    name: Name = UNNAMED
    changes: Changes
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""


class DraftCheck(Wish):
    """What a draft is; `targets` are the names and expressions that it has targets for."""

    targets: Annotated[list[Own], Field(max_length=MOST_TARGETS)] = Field(default_factory=list)


class AddMeasure(Wish):
    """A measure of the designer's own for a draft."""

    expression: Own


class Save(Wish):
    """Keep a draft as a version; `seen` is the state of the version that it was opened from."""

    replace: bool = False
    seen: Name | None = None


class Import(Request):
    """Take in a file that somebody sent."""

    text: Annotated[str, Field(max_length=MAX_BODY)]


class ComparedSide(Request):
    """One of two that are compared: a version, a base, or the draft that is open."""

    version: Name | None = None
    base: Name | None = None
    draft: Wish | None = None


class Compare(Request):
    """Two to set side by side."""

    one: ComparedSide
    other: ComparedSide


class Play(Wish):
    """Play a draft at the table, without a side in the first seat; without a rival the usual one plays."""

    side: Name | None = None
    rival: Name | None = None


class MakeReport(Wish):
    """Make a report of a draft; `players` is a key of the game's `report_players`."""

    deals: Literal[DEALS] = DEALS[0]  # type: ignore[valid-type]
    players: Name = BEST


class MakeAgain(Request):
    """Make a report again, on another number of deals or after training for so many decisions."""

    deals: Annotated[int, Field(ge=2, le=MOST_DEALS)]
    decisions: Annotated[int, Field(ge=0, le=MOST_DECISIONS)] = 0


class Tune(Wish):
    """Train a policy for a draft."""

    decisions: Literal[CHOICES] = DECISIONS  # type: ignore[valid-type]


class FindNumbers(Wish):
    """Search from a draft for numbers that meet targets: ranges of measures, and of the figures that may change."""

    targets: Annotated[dict[Name, Any], Field(max_length=MOST_CHANGES)]
    figures: Annotated[dict[Name, Any], Field(max_length=MOST_CHANGES)]
    player: Name
    trials: Literal[searches.TRIALS]  # type: ignore[valid-type]
    deals: Literal[searches.DEALS]  # type: ignore[valid-type]


class TurnFigure(Request):
    """Turn one setting of a report's rules, a key of the ruleset, to a new value; without a key open them as they are."""

    key: Name | None = None
    value: bool | int | Name | Annotated[list[bool | int | Name], Field(max_length=MOST_CHANGES)] = ""


class Workshop:
    """The drafts, versions and reports below a folder.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.versions = Versions(folder / FOLDER)
        self.reports = Reports(folder / FOLDER / REPORTS)
        self._digests: dict[str, str] = {}  # of the rules of reports
        self.judges, self.tunings, self.searches = Judges(), Tunings(), searches.Searches()

    def to_dict(self) -> dict[str, Any]:
        """What there is: games with their bases, versions, reports, the numbers of deals to choose from."""
        return {
            "games": [{"title": agents_of(game).title, "bases": bases} for game, bases in bases_by_game().items()],
            "versions": self.kept(),
            "reports": self.shelf(),
            "deals": DEALS,
            "decisions": {"choices": CHOICES, "usual": DECISIONS},
        }

    def shelf(self) -> list[dict[str, Any]]:
        """All reports as `Reports.list` has them, each with `older` as `report` says."""
        return [self._aged(told) for told in self.reports.list()]

    def report(self, key: str) -> dict[str, Any]:
        """A report as `Reports.look` has it, and whether it is `older`: the version that it was of has other rules now."""
        return self._aged(self.reports.look(key))

    def _aged(self, told: dict[str, Any]) -> dict[str, Any]:
        older = False
        if told["saved"]:
            with contextlib.suppress(TableError):  # the version is gone, or a file is broken
                now = self.versions.load(told["name"])[1].digest
                older = self._digest_of_report(told["key"]) != now
        return told | {"older": older}

    def _digest_of_report(self, key: str) -> str:
        """The digest of a report's rules, which never change: read once."""
        if key not in self._digests:
            self._digests[key] = read_rules(self.reports.rules(key))[1].digest
        return self._digests[key]

    def kept(self) -> list[dict[str, Any]]:
        """The versions, the latest first: name, base ("" if its file is broken), note, when it was saved."""
        found = []
        for name in self.versions.names():
            with contextlib.suppress(TableError):  # deleted at this moment
                base, title = self.versions.base(name), self.versions.title(name)
                about = {"base": base, "at": self.versions.at(name)}
                about["note"] = note_in(title, name, base)
                found.append({"name": name, **about})
        return found

    def close(self) -> None:
        """Stop what runs."""
        self.reports.close()
        self.tunings.close()
        self.searches.close()

    def form(self, base: str) -> dict[str, Any]:
        """The form of a base, see `form.form_of`; its seats, and who may play a report."""
        ruleset = find_base(base)
        choices = designed(ruleset).report_players
        return form_of(ruleset) | {
            "search": searches.offers_of(ruleset),
            "seats": seats_of(ruleset),
            "players": [{"key": c.key, "words": c.words, "cost": c.cost} for c in choices],
        }

    def draft(self, wish: Wish) -> RulesetDraft:
        """The ruleset of a draft.

        Raises:
            TableError: a name, a base, a field or a value that is not allowed.
        """
        note = " ".join(wish.note.split())
        return make_draft(find_base(wish.base), check_name(wish.name), wish.changes, note)

    def called(self, wish: Wish) -> tuple[DraftName, RulesetDraft]:
        """The ruleset of a draft under the name that it goes by where it is played; see `versions.name_of_draft`."""
        draft = self.draft(wish)
        called = name_of_draft(self.versions, wish.name, wish.base, draft)
        if called.name != wish.name:
            draft = self.draft(wish.model_copy(update={"name": called.name}))
        return called, draft

    def tell(self, wish: DraftCheck) -> dict[str, Any]:
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
        return {
            "told": told,
            "changes": draft.changes,
            "file": draft.file,
            "refused": {},
            "seats": seats_of(draft.ruleset),
            "best": self.judges.tell(draft.ruleset),
            "tuning": self.tunings.look(draft.ruleset),
            "aims": searches.aims_of(draft.ruleset, wish.targets),
            "search": self.searches.look(),
        }

    def test(self, wish: Wish) -> dict[str, Any]:
        """Let the players of a draft play each other; see `players.Judges`."""
        return self.judges.test(self.draft(wish).ruleset)

    def tune(self, wish: Tune) -> dict[str, Any]:
        """Begin to train a policy for a draft, or find the one that is being trained for it; how far it is."""
        draft = self.draft(wish)
        parent = trainable_player(draft.ruleset)
        if parent is None:
            raise TableError(400, "no agent that plays these rules can be trained for them")
        self.tunings.start(parent, draft.ruleset, draft.file, wish.decisions)
        return self.tunings.look(draft.ruleset)

    def own_measure(self, wish: AddMeasure) -> dict[str, Any]:
        """What a measure of the designer's own is: its name, title and unit.

        Raises:
            TableError: as `draft`, or the draft's game has no such measure.
        """
        return searches.own_aim(self.draft(wish).ruleset, wish.expression)

    def search(self, wish: FindNumbers) -> dict[str, Any]:
        """Begin a search for numbers that meet targets; how far it is."""
        given = wish.targets, wish.figures, wish.player, wish.trials, wish.deals
        self.searches.start(find_base(wish.base), self.draft(wish), *given)
        return self.searches.look()

    def save(self, wish: Save) -> dict[str, Any]:
        """Keep a draft as a version; its state."""
        file = self.draft(wish).file
        return {"state": self.versions.save(wish.name, file, wish.replace, wish.seen)}

    def load(self, name: str) -> dict[str, Any]:
        """A version: its name, its base, what it changes, its note, and its state, which a later saving names.

        Raises:
            TableError: it does not exist, its file is broken, or it changes more than the form shows.
        """
        state = self.versions.state(name)  # before the rules: a saving in between was not seen
        base, ruleset = self.versions.load(name)
        changes = changes_of(find_base(base), ruleset)
        note = note_of(ruleset, base)
        return {"name": name, "base": base, "changes": changes, "note": note, "state": state}

    def copy(self, name: str) -> dict[str, Any]:
        """A version of another name with the same rules, loaded."""
        found = self.load(name)
        new = self.versions.free_name(f"{name[: LONGEST - len(COPY)]}{COPY}")
        draft = make_draft(find_base(found["base"]), new, found["changes"], found["note"])
        self.versions.save(new, draft.file, False)
        return self.load(new)

    def take_in(self, wish: Import) -> dict[str, Any]:
        """The version that a file became, or `refused`: where and why it is none, a sentence each.

        A file whose name is taken gets another one, unless it is the very file that is here.
        """
        try:
            found = take_in(wish.text, every_base())
        except RefusedFile as error:
            return {"refused": error.lines}
        name = self.versions.free_name(found.name)
        if name != found.name and self._is_here(found):
            return self.load(found.name) | {"refused": [], "was_here": True}
        file = found.file
        if name != found.name:
            file = make_draft(find_base(found.base), name, found.changes, found.note).file
        self.versions.save(name, file, False)
        return self.load(name) | {"refused": [], "was_here": False}

    def _is_here(self, found: TakenIn) -> bool:
        try:
            return self.versions.text(found.name) == found.file
        except TableError:
            return False

    def share(self, name: str) -> str:
        """A version as a page for somebody else; see `sharing`."""
        base, ruleset = self.versions.load(name)
        rules = find_base(base)
        changes_of(rules, ruleset)  # its reader can import it
        return shared_page(
            self._found(name, ruleset),
            note=note_of(ruleset, base),
            game=agents_of(ruleset.spec.name).title,
            base=base,
            told=told_changes(rules, ruleset),
            file=self.versions.text(name),
            at=self.versions.at(name),
        )

    def compare(self, wish: Compare) -> dict[str, Any]:
        """Two side by side; see `comparison`."""
        return compare(self._side(wish.one), self._side(wish.other))

    def _side(self, side: ComparedSide) -> Compared:
        if side.draft is not None:
            return self._found("the draft", self.draft(side.draft).ruleset)
        if side.base is not None:
            return self._found(side.base, find_base(side.base))
        if side.version is None:
            raise TableError(400, "compare: a version, a base or a draft is needed on each side")
        return self._found(side.version, self.versions.load(side.version)[1])

    def _found(self, title: str, ruleset: Ruleset) -> Compared:
        """Rules with the latest report in which they were played; one on them, if there is one."""
        known = list(self.reports.known())
        for as_base, digest in ((False, "digest"), (True, "base_digest")):
            for key, report in known:
                if report.get(digest) == ruleset.digest:
                    return Compared(title, ruleset, report, key, as_base)
        return Compared(title, ruleset)

    def turn(self, report: str, wish: TurnFigure) -> dict[str, Any]:
        """A draft of a report's rules, with one figure changed if that is wished, and the field of that figure.

        Raises:
            TableError: there is no such report, its rules cannot be read, or they do not take that value.
        """
        base, ruleset = read_rules(self.reports.rules(report))
        of = self.reports.look(report)["of"]
        try:
            turned = ruleset.with_values({wish.key: wish.value}, ruleset.name) if wish.key else ruleset
        except RulesetError as error:
            raise TableError(400, error.problems[0]) from None
        own = find_base(base)
        changes = changed_fields(own, turned)
        field = next(iter(changed_fields(ruleset, turned)), None)
        if field is None and wish.key:
            raise TableError(400, f"{shorten(wish.key)}: no figure that the form has")
        return {
            "name": ruleset.name if not of else of if of in self.versions.names() else "",
            "base": base,
            "changes": changes,
            "field": field,
            "told": told_changes(ruleset, turned),
        }

    def measure(self, wish: MakeReport) -> dict[str, str]:
        """Begin a report of a draft; its key."""
        called, draft = self.called(wish)
        agents = agents_of_report(wish.players, draft.ruleset)
        changes = told_changes(find_base(wish.base), draft.ruleset)
        about = About(called.name, wish.base, wish.deals, agents, called.of, called.saved, changes)
        return {"key": self.reports.start(about, draft.file)}

    def measure_again(self, key: str, wish: MakeAgain) -> dict[str, str]:
        """Begin a report on the rules of another, on another number of deals or after training; its key."""
        return {"key": self.reports.start_again(key, wish.deals, wish.decisions)}

    def cancel(self, key: str) -> dict[str, Any]:
        """Stop a report that runs; what it is then."""
        self.reports.cancel(key)
        return self.report(key)


def agents_of_report(players: str, ruleset: Ruleset) -> tuple[str, ...]:
    """Who plays a report; the report itself finds what was trained for its rules."""
    choices = {choice.key: choice.agents for choice in designed(ruleset).report_players}
    if players not in choices:
        raise TableError(400, f"players: {shorten(players)}: allowed: {', '.join(choices)}")
    named = {SCRIPTED: agents_of(ruleset.spec.name).ladder, BEST: (shipped.best_for(ruleset),)}
    found = [name for agent in choices[players] for name in named.get(agent, (agent,))]
    return tuple(dict.fromkeys(found))


def seats_of(ruleset: Ruleset) -> list[dict[str, str]]:
    """The seats of a ruleset that somebody plays, and what they are called."""
    face = table_of(ruleset.spec)
    return [{"key": seat, "title": seat_name(face, seat)} for seat in ruleset.played_seats]


def bases_by_game() -> dict[str, list[str]]:
    """The rulesets that can be edited, by their game, the default game's first."""
    return {game: builtin_rulesets(game) for game in games_on_offer()}


def every_base() -> list[str]:
    """The names of all rulesets that can be edited."""
    return [base for bases in bases_by_game().values() for base in bases]


def find_base(name: str) -> Ruleset:
    """A ruleset that can be edited."""
    known = every_base()
    if name not in known:
        raise TableError(400, f"base: {name[:60]!r}: allowed: {', '.join(known)}")
    return load_ruleset(name)
