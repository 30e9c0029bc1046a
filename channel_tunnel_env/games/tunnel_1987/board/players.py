"""The two player boards: discs, storage, deviation, money, technology, agenda, developed cards."""

from __future__ import annotations

from collections import Counter

from channel_tunnel_env.drawing.svg import fit, group, panel, path, rect, target, text, text_width, wrap
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import (
    LETTER_DROP,
    benefit_sign,
    fan,
    flag,
    no_disc,
    note,
    small_stone,
    stone,
)
from channel_tunnel_env.games.tunnel_1987.board.theme import SMALL
from channel_tunnel_env.games.tunnel_1987.board.values import BuiltCard, Side, Track, TrackSpace
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.scoring import SCORE_SOURCES
from channel_tunnel_env.games.tunnel_1987.rule_table import BENEFITS
from channel_tunnel_env.games.tunnel_1987.words import plain, points_words, title

HEAD = 40
TIMES = "\u00d7"
LABELS = 14  # x where the labels of the rows start ...
ROWS = 96  # ... and x where their contents start
NARROW = 520  # boards up to this width put less into each row
ROW, MONEY_ROW, TRACK_ROW, AGENDA_ROW, POINTS_ROW = 46, 38, 55, 34, 46
CARD_HEAD = 26
CHIP = 28  # height of a developed card, with the gap below it
CARD_ROWS = 5
LOW_ROW = 43
_TRACK_GAP = 28  # between two spaces of a track, where barriers stand

# Sources of points by short names; the total is at the top.
_SOURCES = {name: plain(name) for name in SCORE_SOURCES} | {
    "political_duel": "duel",
    "european_speech": "speech",
    "media_relations": "media",
    "topographical_analysis": "topography",
}


class PlayerBoard:
    """Draws one side's board, row by row.

    Args:
        side: the values to draw.
        width: of the board.
        agenda: whether the ruleset has agenda cards.
        card_rows: rows of developed cards to leave room for; None: as many as there are.

    Attributes:
        labels, contents: x where the labels of the rows start, and where their contents do.
        head: height of the band with the side's name.
        storage_pitch, storage_width: the most for one storage space, and for all of them.
        track_middle, step_height: of a technology track, and the height of its spaces.
    """

    labels, contents, head = LABELS, ROWS, HEAD
    storage_pitch, storage_width = 38, 190
    track_middle, step_height = 28, 44

    def __init__(self, side: Side, width: float, agenda: bool, card_rows: int | None = CARD_ROWS) -> None:
        self.side, self.width = side, width
        self._boxes: Boxes = {}  # of the row being drawn
        self.wide = width > NARROW
        rows = self._card_rows() if card_rows is None else card_rows
        self._rows: list[tuple[str, float, Boxes]] = []
        self._fill(agenda, rows)
        self.height = sum(height for _, height, _ in self._rows)

    def _fill(self, agenda: bool, rows: int) -> None:
        side, width = self.side, self.width
        self._add(HEAD + 6, self._head())
        self._add(ROW, self._discs())
        if self.wide:
            self._add(ROW, self._storage() + self._deviation(width - 268, width - 190))
        else:
            self._add(ROW, self._storage())
            self._add(ROW, self._deviation(self.labels, self.contents))
        self._add(MONEY_ROW, self._money())
        for track in side.tracks:
            self._add(TRACK_ROW, self._track(track))
        if agenda:
            self._add(self._agenda_row(), self._agenda())
        self._add(CARD_HEAD + rows * CHIP + 6, self._cards(rows))
        self._add(POINTS_ROW, self._points())

    def _add(self, height: float, content: str) -> None:
        self._rows.append((content, height, self._boxes))
        self._boxes = {}

    def put(self, picture: Picture, x: float, y: float) -> None:
        """Add the rows as parts, over one panel with its corner at x, y."""
        under = group(panel(0, 0, self.width, self.height), x, y)
        top = y
        for content, height, boxes in self._rows:
            picture.put(Part(x, top, self.width, height, content, under), boxes)
            top += height
        if self.side.to_play:
            picture.frame("now", x, y, self.width, self.height)

    def _target(self, name: str, rule: str, label: str, content: str, box: tuple[float, float, float, float]) -> str:
        """A target at a box within its row."""
        self._boxes[name] = box
        return target(name, rule, f"{title(self.side.name)}: {label}", content)

    # --- the rows -------------------------------------------------------------------------------

    def _head(self) -> str:
        side, width = self.side, self.width
        # Inset, so that the frame of the player to move shows around it.
        band = f"M10 1.5H{width - 10:g}a8.5 8.5 0 0 1 8.5 8.5V{self.head}H1.5V10a8.5 8.5 0 0 1 8.5-8.5Z"
        parts = [flag(self.labels, 10, side.name), text(54, 26, title(side.name), "side")]
        x = 54 + text_width(title(side.name), 17, True) + 14
        for words in self._notes():
            room = text_width(words, SMALL, True) + 16
            parts.append(rect(x, 10, room, 20, "pill", 10))
            parts.append(text(x + 8, 24.5, words, f"pill-{side.name}"))
            x += room + 6
        parts.append(text(width - self.labels, 26, points_words(side.points), "side-e"))
        drawn = "".join(parts)
        lower = drawn if self.head == HEAD else group(drawn, 0, (self.head - HEAD) / 2)
        return path(band, side.name) + lower

    def _notes(self) -> list[str]:
        """The words about the side after its name."""
        side = self.side
        notes = ["to play"] * side.to_play + ["passed"] * side.passed
        return notes + ["first player" if self.wide else "first"] * side.first_player

    def _discs(self) -> str:
        side = self.side
        held = sum(side.discs)
        room = self.width - self.contents - 66
        pitch = room // len(c.COLOURS)
        step = min(10, (pitch - 26 - 20) / 4)
        parts = [text(self.labels, 27, "Discs", "s")]
        for i, (colour, number) in enumerate(zip(c.COLOURS, side.discs, strict=True)):
            x = self.contents + 13 + i * pitch
            if number:
                count = text(x + (number - 1) * step + 17, 27, str(number), "b")
                content = group(fan(colour, number, step), x, 22) + count
            else:
                content = no_disc(x, 22, colour)
            box = (x - 17, 4, pitch - 4, 36)
            name = f"disc:{side.name}:{colour}"
            hit = rect(*box, "hit")
            parts.append(self._target(name, "disc", f"{number} {colour} discs", hit + content, box))
        parts.append(text(self.width - self.labels, 27, f"{held} of {side.allowance}", "s-e"))
        return "".join(parts)

    def _pitch(self) -> float:
        """From one storage space to the next."""
        return min(self.storage_pitch, self.storage_width / self.side.room)

    def _storage(self) -> str:
        side, left, pitch = self.side, self.contents, self._pitch()
        places = "".join(rect(left + i * pitch, 5, pitch - 4, 34, "slot", 6) for i in range(side.room))
        parts = [text(self.labels, 27, "Storage", "s"), places]
        at = 0
        for colour, number in zip(c.COLOURS, side.storage, strict=True):
            if number:
                x = left + at * pitch
                stones = "".join(stone(x + pitch / 2 - 2 + i * pitch, 22, colour) for i in range(number))
                name = f"storage:{side.name}:{colour}"
                box = (x, 5, number * pitch - 4, 34)
                content = rect(*box, "hit") + stones  # a click between two tokens counts, too
                parts.append(self._target(name, "storage", f"{number} {colour} stored", content, box))
                at += number
        label = f"{at} of {side.room} storage spaces filled"
        box = (left - 3, 2, side.room * pitch + 2, 40)
        return self._target(f"storage:{side.name}", "storage", label, "".join(parts), box)

    def _deviation(self, x: float, left: float) -> str:
        """The scale from `left` on, its name at x."""
        side = self.side
        levels = side.deviation_limit + 1
        pitch = min(30, (self.width - self.labels - left) / (levels + 1))
        parts = [text(x, 27, "Deviation", "s")]
        for level in range(levels + 1):
            parts.append(self._level(level, left + level * pitch, pitch))
        name = f"deviation:{side.name}"
        box = (left - 2, 5, (levels + 1) * pitch, 34)
        label = f"deviation {-side.deviation}, {-side.deviation_limit} is the last safe level"
        return self._target(name, "deviation", label, "".join(parts), box)

    def _level(self, level: int, x: float, pitch: float) -> str:
        """One level of the scale; beyond the last safe one the game is lost."""
        side, size = self.side, pitch - 4
        here = level == min(side.deviation, side.deviation_limit + 1)
        lost = level > side.deviation_limit
        middle = x + size / 2
        if lost:
            style = "lost" if here else "slot"
            cross = path("M-5-5 5 5M5-5-5 5", "sides-x" if here else "alarm", middle, 22)
            return rect(x, 9, size, 26, style, 5) + cross
        style = side.name if here else "slot"
        words = str(-level) if level else "0"
        return rect(x, 9, size, 26, style, 5) + text(middle, 22 + LETTER_DROP, words, "sides-m" if here else "s-m")

    def _money(self) -> str:
        side = self.side
        parts = [text(self.labels, 23, "Money", "s"), text(self.contents, 24, f"{sum(side.money)} M", "num")]
        x = float(self.contents + 62)
        for value, number in sorted(Counter(side.money).items()):
            content = note(x, 7, f"{value} M")
            room = 44.0
            if number > 1:
                content += text(x + 43, 23, f"{TIMES}{number}", "b")
                room = 70.0
            name = f"money:{side.name}:{value}"
            label = f"{number} money cards of {value} million"
            parts.append(target(name, "money", label, content))
            x += room
        box = (self.contents - 6, 3, x - self.contents + 6, 30)
        label = f"{sum(side.money)} million"
        return self._target(f"money:{side.name}", "money", label, "".join(parts), box)

    def _track(self, track: Track) -> str:
        side, number = self.side, len(track.steps)
        cell = min(54, (self.width - self.contents - self.labels + _TRACK_GAP) / number - _TRACK_GAP)
        parts = [text(self.labels, self.track_middle + 3, f"Track {track.name.upper()}", "s")]
        for space, step in enumerate(track.steps):
            x = self.contents + space * (cell + _TRACK_GAP)
            parts.append(self._step(track, space, step, x, cell))
        name = f"track:{side.name}:{track.name}"
        length = number * (cell + _TRACK_GAP) - _TRACK_GAP
        label = f"technology track {track.name.upper()}, counter on space {track.counter}"
        box = (self.contents - 4, 2, length + 8, 2 * self.track_middle - 4)
        return self._target(name, name, label, "".join(parts), box)

    def _step(self, track: Track, space: int, step: TrackSpace, x: float, cell: float) -> str:
        """A space of a track, preceded by a barrier or a connecting line."""
        here, reached = space == track.counter, space <= track.counter
        style = self.side.name if here else "reached" if reached else "slot"
        line = self.track_middle
        parts = []
        if step.barrier is not None:
            gate, words = ("open", "s-m") if reached else ("gate", "gatet-m")
            at = x - _TRACK_GAP / 2
            parts.append(rect(at - 13, line - 11, 26, 22, gate, 4))
            parts.append(text(at, line + LETTER_DROP, f"{step.barrier}M", words))
        elif space:
            parts.append(path(f"M{x - _TRACK_GAP + 4:g} {line}h{_TRACK_GAP - 8}", "line"))
        parts.append(rect(x, line - self.step_height / 2, cell, self.step_height, style, 6))
        parts.append(self._worth(step, here, x, cell))
        name = f"step:{self.side.name}:{track.name}:{space}"
        label = _step_in_words(step)
        return target(name, name, label, "".join(parts))

    def _worth(self, step: TrackSpace, here: bool, x: float, cell: float) -> str:
        """The points of a track's space above what it gives."""
        middle, has_sign = x + cell / 2, step.benefit != "none"
        parts = [text(middle, 23 if has_sign else 34, str(step.points), "side-m" if here else "num-m")]
        if has_sign:
            if here:
                parts.append(rect(middle - 12, 27, 24, 20, "pill", 4))
            parts.append(benefit_sign(middle, 37, step.benefit, "-p" if here else ""))
        return "".join(parts)

    def _agenda(self) -> str:
        side = self.side
        parts = [text(self.labels, 22, "Agenda", "s")]
        words = [f"pending: {plain(side.agenda_pending)}"] if side.agenda_pending else []
        if side.agenda_completed:
            words.append("completed: " + ", ".join(map(plain, side.agenda_completed)))
        words = words or ["none"]
        room = self.width - self.contents - self.labels
        lines = wrap("; ".join(words), room, SMALL, 1 if self.wide else 2)
        parts += [text(self.contents, 22 + 16 * i, line, "n") for i, line in enumerate(lines)]
        box = (self.contents - 6, 3, room, self._agenda_row() - 6)
        return self._target(f"agenda:{side.name}", "agenda", "agenda, " + "; ".join(words), "".join(parts), box)

    def _agenda_row(self) -> float:
        return AGENDA_ROW if self.wide else AGENDA_ROW + 16

    def _points(self) -> str:
        """Where the points come from, as a sum."""
        parts = [f"{_SOURCES[name]} {n:+d}" for name, n in self.side.score if n and name in _SOURCES]
        left = 62
        lines = wrap(", ".join(parts) or "none yet", self.width - left - self.labels, SMALL, 2)
        edge = path(f"M{self.labels} 2H{self.width - self.labels:g}", "line")
        return (
            edge
            + text(self.labels, 21, "Points", "s")
            + "".join(text(left, 21 + 16 * i, line, "n") for i, line in enumerate(lines))
        )

    # --- developed cards ------------------------------------------------------------------------

    def _columns(self) -> tuple[int, int]:
        """Number of influence cards and of other cards per row."""
        wide = self.wide
        others = sum(not b.card.is_influence for b in self.side.cards)
        influence = len(self.side.cards) - others
        pair = (4, 2) if wide else (3, 1)
        if wide and -(-influence // 4) + -(-others // 2) > CARD_ROWS:
            return (4, 3)
        return pair

    def _card_rows(self) -> int:
        of_influence, of_others = self._columns()
        influence = sum(b.card.is_influence for b in self.side.cards)
        others = len(self.side.cards) - influence
        return -(-influence // of_influence) + -(-others // of_others)

    def _card_head(self) -> tuple[str, float]:
        """The line over the cards, and its height."""
        return text(self.labels, 18, f"Developed cards: {len(self.side.cards)}", "s"), CARD_HEAD

    def _cards(self, rows: int) -> str:
        side = self.side
        head, under = self._card_head()
        height = CHIP * min(1.0, rows / max(self._card_rows(), 1))
        room = self.width - 2 * self.labels
        parts, column, row, influence = [head], 0, 0, True
        for built in side.cards:
            columns = self._columns()[0 if built.card.is_influence else 1]
            if column == columns or (influence > built.card.is_influence and column):
                column, row = 0, row + 1
            influence = built.card.is_influence
            width = room / columns
            place = (self.labels + column * width, under + row * height, width - 6, height - 4)
            parts.append(self._chip(built, place))
            column += 1
        return "".join(parts)

    def _chip(self, built: BuiltCard, place: tuple[float, float, float, float]) -> str:
        """A developed card: points, name, and the rubble on it."""
        x, y, width, height = place
        middle = y + height / 2
        right = x + width - 12
        tokens = []
        for colour in reversed(built.rubble):
            tokens.append(small_stone(right, middle, colour))
            right -= 22
        state = "used" if built.used else "spent" if built.spent else ""
        if state:
            start = right + (4 if built.rubble else 8) - text_width(state, SMALL)
            tokens.append(text(start, middle + LETTER_DROP, state, "s"))
            right = start - 14
        style = "spent" if built.spent else "box"
        name = _fit_name(built.card.short_name, right + 8 - (x + 31))
        content = (
            rect(x, y, width, height, style, 6)
            + text(x + 13, middle + LETTER_DROP, str(built.card.points), "b-m")
            + path(f"M{x + 24:g} {y + 4:g}v{height - 8:g}", "line")
            + text(x + 31, middle + LETTER_DROP, name, "s" if built.spent else "n")
            + "".join(tokens)
        )
        label = f"{built.card.name}, {points_words(built.card.points)}"
        label += "".join(f", {colour} rubble" for colour in built.rubble) + f" {state}" * bool(state)
        key = built.card.key
        return self._target(f"built:{self.side.name}:{key}", f"card:{key}", label, content, place)


class LowBoard(PlayerBoard):
    """A board for the layout of the table: money stands beside the cards, the sum of points is left
    to the head."""

    def _fill(self, agenda: bool, rows: int) -> None:
        self._add(HEAD + 2, self._head())
        self._add(LOW_ROW, self._discs())
        self._add(LOW_ROW, self._storage() + self._deviation(self.width - 268, self.width - 190))
        for track in self.side.tracks:
            self._add(TRACK_ROW - 1, self._track(track))
        if agenda:
            self._add(self._agenda_row(), self._agenda())
        self._add(MONEY_ROW - 2, self._money())
        self._add(rows * CHIP + 2, self._cards(rows))

    def _card_head(self) -> tuple[str, float]:
        return "", 0

    def _cards(self, rows: int) -> str:
        drawn = super()._cards(rows)
        if self.side.cards:
            return drawn
        return drawn + text(self.labels, 18, "No cards developed yet", "s")


def _fit_name(name: str, width: float) -> str:
    """A card's name in its room: whole, or with initials for all but its last word ("W. Germany")."""
    *first, last = name.split(" ")
    short = " ".join([*(f"{word[0]}." for word in first), last])
    return fit(name if text_width(name, SMALL) <= width else short, width, SMALL)


def _step_in_words(step: TrackSpace) -> str:
    barrier = f", behind a barrier of {step.barrier} million" if step.barrier is not None else ""
    benefit = f", {BENEFITS[step.benefit].long}" if step.benefit in BENEFITS else ""
    return f"{points_words(step.points)}{benefit}{barrier}"
