"""What a person writes in a phase that all seats answer unseen: a draft, until it is sent.

A seat's questions do not depend on what others answer in the phase, so they are found by passing the others' with
any answers. What was written and is no longer legal, because another answer was changed, counts as not written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import IllegalActionError
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.table import Asked, PhaseFace

Edit = tuple[str, str, bool]
"""The key of a question, an answer's name, and whether it is given or taken away."""


@dataclass(frozen=True)
class Draft:
    """What a seat has written in the running phase.

    Attributes:
        edits: in the order in which they were made.
        sent: whether it is final.
        changes: how often it was changed in any way.
    """

    edits: tuple[Edit, ...] = ()
    sent: bool = False
    changes: int = 0

    def edited(self, *edits: Edit) -> Draft:
        """With more edits."""
        return Draft((*self.edits, *edits), changes=self.changes + 1)

    def undone(self) -> Draft:
        """Without the last edit."""
        return Draft(self.edits[:-1], changes=self.changes + 1)

    def marked(self, sent: bool) -> Draft:
        """Sent, or sent no longer."""
        return replace(self, sent=sent, changes=self.changes + 1)

    def answers(self) -> tuple[dict[str, str], set[str]]:
        """The answers by question, and the choices of a row."""
        single: dict[str, str] = {}
        row: set[str] = set()
        for key, action, given in self.edits:
            if not key:
                (row.add if given else row.discard)(action)
            elif given:
                single[key] = action
            else:
                single.pop(key, None)
        return single, row

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"edits": [list(edit) for edit in self.edits], "sent": self.sent, "changes": self.changes}

    @classmethod
    def of(cls, content: Any, start: Game) -> Draft:
        """From what `to_dict` gives.

        Args:
            start: of the game that the draft is for.

        Raises:
            ValueError: it is something else, or names an action that the game has not.
        """
        try:
            edits = tuple((str(key), str(action), bool(on)) for key, action, on in content["edits"])
            for _, action, given in edits:
                if given:
                    start.spec.actions.id_of(action)
            return cls(edits, bool(content["sent"]), int(content["changes"]))
        except (KeyError, TypeError, IllegalActionError) as error:
            raise ValueError(f"a draft: {error}") from None


@dataclass(frozen=True)
class Slip:
    """A question of a seat: the game at it, and the answer, or None."""

    asked: Asked
    game: Game
    answer: int | None


@dataclass(frozen=True)
class Paper:
    """All questions of a seat in a phase.

    Attributes:
        slips: the questions, in the order of the game.
        plan: the answers as the game will ask for them, usual ones if there is no answer.
        missing: titles of questions that need an answer and have none.
    """

    slips: tuple[Slip, ...]
    plan: tuple[int, ...]
    missing: tuple[str, ...]

    def slip_for(self, face: PhaseFace, key: str, action: int) -> Slip:
        """The slip of a question at which an answer is legal."""
        found = [slip for slip in self.slips if slip.asked.key == key]
        if not found:
            raise TableError(409, f"this seat is not asked {key!r:.60} now")
        legal = next((slip for slip in found if slip.game.mask[action]), None)
        if legal is None:
            raise TableError(409, face.refusal(found[-1].game, action))
        return legal

    def asked_by(self, clicks: tuple[str, ...]) -> Slip:
        """The slip that clicks are about."""
        found = (slip for slip in self.slips if slip.asked.target == clicks[0])
        return next(found, self.slips[-1])

    def moves(self, face: PhaseFace) -> Iterator[dict[str, Any]]:
        """Every legal answer to every question, each with the question's key, `asked`."""
        chosen = {slip.answer for slip in self.slips if not slip.asked.key}
        seen: set[str] = set()
        for slip in self.slips:
            names = slip.game.spec.actions.names
            barred = set() if slip.asked.key else {names[a] for a in (*chosen, slip.asked.usual) if a is not None}
            for move in face.moves(slip.game):
                if not slip.asked.key and (move["action"] in seen or move["action"] in barred):
                    continue
                seen.add(move["action"])
                yield move | {"asked": slip.asked.key}

    def to_dict(self, face: PhaseFace, draft: Draft, can_undo: bool) -> dict[str, Any]:
        """The draft for a page: `rows` by question, `chosen` of a row of choices and what `more` is asked for."""
        rows = [slip for slip in self.slips if slip.asked.key]
        choices = [slip for slip in self.slips if not slip.asked.key]
        return {
            "rows": [
                {
                    "key": slip.asked.key,
                    "title": slip.asked.title,
                    "target": slip.asked.target,
                    "words": "" if slip.answer is None else face.answer_words(slip.game, slip.answer),
                    "usual": "" if slip.asked.usual is None else face.answer_words(slip.game, slip.asked.usual),
                }
                for slip in rows
            ],
            "chosen": [
                {
                    "action": slip.game.spec.actions.names[slip.answer],
                    "words": face.answer_words(slip.game, slip.answer),
                }
                for slip in choices
                if slip.answer is not None
            ],
            "more": next((slip.asked.title for slip in choices if slip.answer is None), ""),
            "missing": list(self.missing),
            "sent": draft.sent,
            "can_undo": can_undo,
        }


def read_draft(face: PhaseFace, start: Game, seat: str, draft: Draft) -> Paper:
    """A seat's questions in the phase that begins with a game, answered by its draft."""
    single, row = draft.answers()
    ids = start.spec.actions.id_of
    choices = sorted(map(ids, row))
    slips: list[Slip] = []
    plan: list[int] = []
    missing: list[str] = []
    for game in _questions(start, seat):
        asked = face.asked(game)
        if asked.key:
            written = single.get(asked.key)
            number = None if written is None else ids(written)
            answer = number if number is not None and game.mask[number] else None
        else:
            answer = next((number for number in choices if game.mask[number]), None)
            choices = [number for number in choices if answer is not None and number > answer]
        slips.append(Slip(asked, game.clone(), answer))
        usual = game.legal_ids()[-1] if asked.usual is None else asked.usual
        plan.append(usual if answer is None else answer)
        if answer is None and asked.usual is None:
            missing.append(asked.title)
            if not asked.key:
                break
        game.play(plan[-1])
    return Paper(tuple(slips), tuple(plan), tuple(missing))


def _questions(start: Game, seat: str) -> Iterator[Game]:
    """The game at each question of a seat in a phase: the same object, which the caller plays on."""
    game: Any = start.clone()
    phase, found = game.phase_key, False
    while not game.is_over and game.phase_key == phase:
        if game.to_play == seat:
            found = True
            yield game
        elif found:
            return
        else:
            game.play(game.legal_ids()[-1])  # any answer; the last ends a row of choices
