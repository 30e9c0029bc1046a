"""Who is at a game: the seats whose tabs looked at it of late, and tabs without a seat, which are counted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.names import check_name

MOST_WATCHERS = 30  # of a game; more may look, and are not listed
AWAY_SECONDS = 7.0  # without a look, which a page takes every second and a half
_TAB = re.compile(r"[0-9a-f]{16}")


class Watchers:
    """Who is at one game.

    Args:
        clock: seconds from any beginning.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._seen: dict[str, tuple[str, float]] = {}  # tab -> its person's name, and when it looked
        self._seats: dict[str, float] = {}  # seat -> when a tab that holds it looked

    def sit(self, held: Iterable[str]) -> None:
        """A tab that holds these seats looks at the game."""
        self._seats |= dict.fromkeys(held, self.clock())

    def seats(self) -> list[str]:
        """The seats whose tabs are there, in order."""
        return sorted(seat for seat, seen in self._seats.items() if seen >= self.clock() - AWAY_SECONDS)

    def see(self, tab: str, text: str) -> None:
        """A tab looks at the game.

        Args:
            tab: what the tab calls itself: 16 hexadecimal digits.
            text: the name of its person; "" for none.

        Raises:
            TableError: it is no such tab, or the name is not allowed.
        """
        if not _TAB.fullmatch(tab):
            raise TableError(400, "watcher: 16 hexadecimal digits are expected")
        name = check_name(text)
        self._forget()
        if tab in self._seen or len(self._seen) < MOST_WATCHERS:
            self._seen[tab] = name, self.clock()

    def names(self) -> list[str]:
        """The names of those who watch, "" of somebody without one; in the order of arrival."""
        self._forget()
        return [name for name, _ in self._seen.values()]

    def _forget(self) -> None:
        since = self.clock() - AWAY_SECONDS
        self._seen = {tab: seen for tab, seen in self._seen.items() if seen[1] >= since}
