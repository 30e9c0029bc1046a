"""A side's board on a phone: what is decided with first, then the cards and the sum of the points."""

from __future__ import annotations

from channel_tunnel_env.drawing.metrics import text_width
from channel_tunnel_env.drawing.svg import group, rect, text
from channel_tunnel_env.games.tunnel_1987.board.pieces import LETTER_DROP, benefit_sign
from channel_tunnel_env.games.tunnel_1987.board.players import CARD_HEAD, CHIP, POINTS_ROW, PlayerBoard
from channel_tunnel_env.games.tunnel_1987.board.values import TrackSpace

_LIFT = 4  # of the rows that all boards share, which stand closer here
_ROW, _TRACK_ROW, _MONEY_ROW = 36, 34, 30
_SIGN = 20  # width of what a space of a track gives


class PhoneBoard(PlayerBoard):
    """A board as low as its pieces allow."""

    labels, contents, head = 8, 64, 30
    storage_pitch, storage_width = 33, 165
    track_middle, step_height = 17, 28

    def _fill(self, agenda: bool, rows: int) -> None:
        self._add(self.head + 2, self._head())
        self._raise(_ROW, self._discs())
        at = self.contents + max(4, self.side.room) * self._pitch() + 2
        self._raise(_ROW, self._storage() + self._deviation(at, at + 65))
        for track in self.side.tracks:
            self._add(_TRACK_ROW, self._track(track))
        self._raise(_MONEY_ROW, self._money())
        if agenda:
            self._raise(self._agenda_row(), self._agenda())
        self._raise(CARD_HEAD + rows * CHIP, self._cards(rows))
        self._add(POINTS_ROW, self._points())

    def _notes(self) -> list[str]:
        """Without whose turn it is, which the page says: long points have their room."""
        return super()._notes()[self.side.to_play :]

    def _raise(self, height: float, content: str) -> None:
        """Add a row a little higher than it is drawn."""
        self._boxes = {name: (x, y - _LIFT, width, tall) for name, (x, y, width, tall) in self._boxes.items()}
        self._add(height, group(content, 0, -_LIFT))

    def _worth(self, step: TrackSpace, here: bool, x: float, cell: float) -> str:
        """The points of a track's space beside what it gives."""
        line, has_sign = self.track_middle, step.benefit != "none"
        large = not has_sign or text_width(str(step.points), 17, True) + _SIGN + 4 <= cell
        style = ("side-m" if here else "num-m") if large else ("sides-m" if here else "b-m")
        middle = x + (cell - _SIGN) / 2 if has_sign else x + cell / 2
        drop = 6 if large else LETTER_DROP
        parts = [text(middle, line + drop, str(step.points), style)]
        if has_sign:
            at = x + cell - _SIGN / 2 - 3
            if here:
                parts.append(rect(at - 11, line - 11, 22, 22, "pill", 4))
            parts.append(benefit_sign(at, line, step.benefit, "-p" if here else ""))
        return "".join(parts)
