"""A room of a game whose phases are answered by all seats unseen: drafts, and whole phases played at once.

The game of the room is always at the beginning of a phase. People write drafts; when all have sent theirs, the
agents are asked, and the phase is read. So nothing that a tab sees depends on who is asked what.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.drafts import Draft, Edit, Paper, read_draft
from channel_tunnel_agents.table.rooms.people import PERSON
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_env import IllegalActionError
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.errors import OrderError
from channel_tunnel_env.faces.table import Entry, PhaseFace

MOST_LINES = 40  # typed at once; a power has at most 34 units
_MOST_CHANGES = 1000  # of the drafts that one tab holds, in one version of the room


@dataclass
class PhaseRoom(Room):
    """A game at the table that is played phase by phase.

    Attributes:
        drafts: by the seats that have written something in the running phase.
    """

    drafts: dict[str, Draft] = field(default_factory=dict)
    _restored: dict[str, Draft] = field(default_factory=dict)
    # Versions that differ from the last by a draft sent or taken back.
    _announced: set[int] = field(default_factory=set)

    @property
    def phases(self) -> PhaseFace:
        """What the game shows and says."""
        return cast(PhaseFace, self.face)

    # --- who is asked ---------------------------------------------------------------------------

    def draft(self, seat: str) -> Draft:
        """What a seat has written."""
        return self.drafts.get(seat, Draft())

    def paper(self, seat: str) -> Paper:
        """A seat's questions in the running phase, with its draft."""
        return read_draft(self.phases, self.game, seat, self.draft(seat))

    def is_open_to(self, seat: str) -> bool:
        """Whether a person in a seat has something to write."""
        if self.is_over or self.seats.get(seat) != PERSON or self.draft(seat).sent:
            return False
        return bool(self.paper(seat).slips)

    @property
    def waits_for_agent(self) -> bool:
        """Whether everybody has sent: the agents write, and the phase is read."""
        return not self.is_over and not any(map(self.is_open_to, self.game.seats))

    def usual_viewer(self, sides: list[str]) -> str:
        """The first of several seats that has something to write."""
        return next((side for side in sides if self.is_open_to(side)), sides[0])

    def version_for(self, held: set[str]) -> int:
        """Counts what the tab may see: changes of the room, and of the tab's own drafts."""
        own = sum(self.draft(seat).changes for seat in self.seats if seat in held)
        return self.version * _MOST_CHANGES + min(own, _MOST_CHANGES - 1)

    def check_shown(self, held: set[str], version: int) -> None:
        """Others may have sent their drafts since: the phase and the tab's own drafts must be those shown."""
        first = self.version
        while first in self._announced:
            first -= 1
        shown, own = divmod(version, _MOST_CHANGES)
        if not (first <= shown <= self.version and own == self.version_for(held) % _MOST_CHANGES):
            self.check_version(held, version)

    def whose_turn(self) -> str:
        """Why a tab may not write now; it does not say who is asked."""
        return self.over_words() if self.is_over else "this seat has nothing to decide now"

    # --- writing --------------------------------------------------------------------------------

    def write(self, seat: str, key: str, action: str, given: bool) -> None:
        """Give an answer to a question, or take it away.

        Raises:
            TableError: it is not asked, or the answer is not legal; the draft is unchanged.
        """
        paper, edit = self._writable(seat), (key, action, given)
        if given:
            paper.slip_for(self.phases, key, self._number(action))
        self._set_draft(seat, self._changeable(seat).edited(edit))

    def write_lines(self, seat: str, text: str) -> list[dict[str, str]]:
        """Give the answers that a person has typed; a line that is no answer leaves the others as they are.

        Returns:
            The lines that are no answer: {line, why}.

        Raises:
            TableError: nothing is asked, or too much is written; the draft is unchanged.
        """
        paper, draft = self._writable(seat), self._changeable(seat)
        try:
            lines = self.phases.lines_of(text, seat)
        except OrderError as error:
            raise TableError(400, str(error)) from None
        if len(lines) > MOST_LINES:
            raise TableError(400, f"{len(lines)} lines are written; {MOST_LINES} are read at once")
        edits: list[Edit] = []
        unread = []
        for line in lines:
            try:
                edits.append(self._edit(paper, line))
            except (ValueError, TableError) as error:
                unread.append({"line": line, "why": str(error)})
            else:
                paper = read_draft(self.phases, self.game, seat, draft.edited(*edits))
        if edits:
            self._set_draft(seat, draft.edited(*edits))
        return unread

    def _edit(self, paper: Paper, line: str) -> Edit:
        """A typed line as an edit of a draft.

        Raises:
            ValueError: it is no answer to a question of the paper.
            TableError: the answer is not legal.
        """
        number, action = self.phases.read_line([slip.game for slip in paper.slips], line)
        key = paper.slips[number].asked.key
        legal = paper.slip_for(self.phases, key, action)
        return key, legal.game.spec.actions.names[action], True

    def _changeable(self, seat: str) -> Draft:
        draft = self.draft(seat)
        if draft.changes >= _MOST_CHANGES - 2:
            left = "it stays sent" if draft.sent else "send it"
            raise TableError(409, f"this draft was changed too often: {left}")
        return draft

    def _number(self, action: str) -> int:
        try:
            return self.game.spec.actions.id_of(action)
        except IllegalActionError as error:
            raise TableError(409, str(error)) from None

    def send(self, seat: str) -> None:
        """Make a seat's draft final."""
        paper = self._writable(seat)
        if paper.missing:
            raise TableError(409, f"still to be answered: {', '.join(paper.missing)}")
        self._announce(seat, self.draft(seat).marked(sent=True))

    def _announce(self, seat: str, draft: Draft) -> None:
        """Keep a draft that was sent or is no longer. Every page must notice, because the phase may wait only for it."""
        with self.whole_or_not():
            self.version += 1
            self._set_draft(seat, draft)
        self._announced.add(self.version)

    def _writable(self, seat: str) -> Paper:
        if not self.is_open_to(seat):
            raise TableError(403, self.whose_turn())
        return self.paper(seat)

    def _set_draft(self, seat: str, draft: Draft) -> None:
        with self.whole_or_not():
            self.drafts = {**self.drafts, seat: draft}
            self.keep(self, self.game)

    # --- reading --------------------------------------------------------------------------------

    def plans(self) -> dict[str, list[int]]:
        """The answers of the people, as the game will ask for them."""
        people = [seat for seat, holder in self.seats.items() if holder == PERSON]
        return {seat: list(self.paper(seat).plan) for seat in people}

    def stops_at(self, game: Game) -> bool:
        """Whether a game at the beginning of a phase is shown so: a phase that only agents answer, and of which not
        everybody may know, is passed."""
        if game.is_over or self.phases.is_shown(game):
            return True
        people = (seat for seat, holder in self.seats.items() if holder == PERSON)
        return any(read_draft(self.phases, game, seat, Draft()).slips for seat in people)

    def read(self, after: Game) -> None:
        """Go on to a game in which the phase has been answered."""
        log, game = list(self.log), self.game.clone()
        for action in after.action_ids[len(log) :]:
            before = game.clone()
            log.append(self.face.narrate(before, action, game.play(action)))
        self._change(after, log)

    def undo_draft(self, seat: str) -> None:
        """Take back the sending of a draft, or else its last edit: see `can_undo_draft`."""
        draft = self._changeable(seat)
        if draft.sent:
            self._announce(seat, draft.marked(sent=False))
        else:
            self._set_draft(seat, draft.undone())

    def can_undo_draft(self, seat: str) -> bool:
        """Whether a draft has an edit, or was sent while others write, and nothing has come to light since."""
        if self.is_over:
            return False
        draft = self.draft(seat)
        if not draft.sent:
            return bool(draft.edits)
        has_seen = self.is_between_people and self.opened == len(self.log)
        return not self.waits_for_agent and not has_seen

    def _take_back(self) -> None:
        """Back to the last phase that a person answered; what was sent then is a draft again.

        Raises:
            TableError: it does not exist, or a person has since seen something that cannot be unseen.
        """
        people = {seat for seat, holder in self.seats.items() if holder == PERSON}
        starts = [*dict.fromkeys([*(begin.ply for begin in self.begins()), len(self.log)])]
        answered = [
            first
            for first, last in pairwise(starts)
            if not people or people & {entry.side for entry in self.log[first:last]}
        ]
        if not answered:
            raise TableError(409, "there is no phase to take back")
        first = answered[-1]
        again = self._drafts_of(first, starts[starts.index(first) + 1], people)
        with self.whole_or_not():
            self._restored = again
            self._back_to(first)
            self._restored = {}

    def _drafts_of(self, first: int, last: int, people: set[str]) -> dict[str, Draft]:
        """The drafts that a phase was answered with."""
        found: dict[str, Draft] = {}
        game = self.at(first).clone()
        for action in self.game.action_ids[first:last]:
            asked, seat = self.phases.asked(game), str(game.to_play)
            if seat in people and (asked.key or action != asked.usual):
                edit = (asked.key, game.spec.actions.names[action], True)
                found[seat] = found.get(seat, Draft()).edited(edit)
            game.play(action)
        return found

    def more_to_keep(self) -> dict[str, Any]:
        """The drafts."""
        return {"drafts": {seat: draft.to_dict() for seat, draft in self.drafts.items()}}

    def _change(self, game: Game, log: list[Entry]) -> None:
        with self.whole_or_not():
            if game is not self.game:
                self.drafts = self._restored
            super()._change(game, log)
