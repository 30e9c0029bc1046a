"""How far a page has come, in words, for a page that is not complete."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.words import count, listed


def standing(known: Played, stopped: bool) -> str:
    """What is done and what is still open; "" if nothing is open.

    Args:
        stopped: the report ends here. Otherwise it may be running still, or have been killed: the words hold for both.
    """
    if not known.open:
        return ""
    games = known.results.played
    made = [name.replace("_", " ") for name in known.measures]
    done = f"Done: {listed([f'{count(games)} games', *made])}."
    further = f"{known.command} goes on from here."
    if stopped:
        return (
            f"This report was stopped before its end; what stands here holds. {done} "
            f"Not measured: {listed([*known.open])}. {further}"
        )
    return (
        f"This page is growing; load it again to see more. {done} Still open: {listed([*known.open])}. "
        f"If its report has ended, {further}"
    )
