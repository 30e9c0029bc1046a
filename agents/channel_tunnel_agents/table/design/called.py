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
        saved: whether a version has these rules.
    """

    name: str
    of: str = ""
    saved: bool = False


def name_of_draft(versions: Versions, name: str, base: str, draft: RulesetDraft) -> DraftName:
    """What a draft is called, if somebody has typed a name for it.

    A name that no version has says nothing wrong.
    """
    if name not in versions.names():
        return DraftName(name)
    if versions.base(name) != base:
        return _unsaved(versions, base)
    return DraftName(name, "", True) if _has(versions, name, draft) else _unsaved(versions, name)


def _unsaved(versions: Versions, of: str) -> DraftName:
    return DraftName(versions.free_name(f"{of[: LONGEST - len(UNSAVED)]}{UNSAVED}"), of)


def _has(versions: Versions, name: str, draft: RulesetDraft) -> bool:
    """Whether a version has a draft's rules."""
    try:
        return not differing(versions.load(name)[1], draft.ruleset)
    except TableError:  # its file is broken
        return False
