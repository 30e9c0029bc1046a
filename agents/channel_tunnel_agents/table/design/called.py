"""What a draft is called outside the page: by a version only while it has that version's rules."""

from __future__ import annotations

from typing import NamedTuple

from channel_tunnel_agents.table.design.changes import RulesetDraft, differing
from channel_tunnel_agents.table.design.versions import LONGEST, Versions
from channel_tunnel_agents.table.errors import TableError

UNSAVED = "-unsaved"  # end of the name of rules that are not, or no longer, those of a version


class DraftName(NamedTuple):
    """The name of a draft's rules.

    Attributes:
        name: of the ruleset and its file.
        of: the version or the base whose unsaved changes they are; "" where the name says it all.
        saving: the number of the version's saving that they are; 0 if they are not saved.
    """

    name: str
    of: str = ""
    saving: int = 0


def name_of_draft(versions: Versions, name: str, base: str, draft: RulesetDraft) -> DraftName:
    """What a draft is called, if somebody has typed a name for it.

    A name that no version has says nothing wrong.
    """
    if name not in versions.names():
        return DraftName(name)
    if versions.base(name) != base:
        return _unsaved(versions, base)
    saving = _saving_of(versions, name, draft)
    return _unsaved(versions, name) if saving is None else DraftName(name, "", saving)


def _unsaved(versions: Versions, of: str) -> DraftName:
    return DraftName(versions.free_name(f"{of[: LONGEST - len(UNSAVED)]}{UNSAVED}"), of)


def _saving_of(versions: Versions, name: str, draft: RulesetDraft) -> int | None:
    """The latest saving of a version with a draft's rules; None if it has other rules."""
    savings = versions.savings(name)
    try:
        if not differing(versions.load(name)[1], draft.ruleset):
            return next((each.number for each in savings if each.is_now), 0)
    except TableError:  # its file is broken
        return None
    content = draft.file.encode()
    same = (n.number for n in savings if versions.file(name, n.number).read_bytes() == content)
    return next(same, None)
