"""Reads and plays the scenarios of the rules: lines of a position, then what is done and what must be true.

u t b c   the position, as in position.py
p         permission changes written with the next orders: `p e -f LON-PIC`
o         orders of a movement phase, by power
=         checks of that phase: LON>PIC moved, LON= in place, PIC! dislodged, PIC!(BEL ~LON) with exactly these
          retreats, ok or cut X (the support of X), legal or illegal X (the order of X), report X H,
          open or hidden e A-B, knows or unknown f e A-B (whether f knows e's tunnel), built e 1
r         retreat orders; a dislodged unit without one disbands
w         units raised in winter
f         the end of a Fall: centres change hands, powers may be out
x         everything on the board at the end: units ; tunnels (, centre BRE e)
"""

from __future__ import annotations

import re
from pathlib import Path

from . import board
from .knowledge import knows
from .movement import Movement, play_movement
from .position import Position, Rules, Tunnel, by_power, read_position
from .retreats import play_retreats
from .winter import capture, play_adjustments, remove_tunnels_of_the_eliminated

FILE = Path(__file__).parents[1] / "oracle_cases" / "scenarios.txt"


def read_scenarios() -> dict[str, list[tuple[str, str]]]:
    """The scenarios of the file by title (`T01 [E17]`): pairs of a letter and the rest of its line."""
    paragraphs = re.split(r"\n\s*\n", FILE.read_text("utf-8"))
    found = {}
    for paragraph in paragraphs:
        title, *lines = [line for line in paragraph.splitlines() if not line.startswith("#")] or [""]
        if title:
            found[title] = [(line[0], line[1:].strip()) for line in lines]
    return found


class Played:
    """A scenario while it is played."""

    def __init__(self, lines: list[tuple[str, str]], rules: Rules) -> None:
        self.rules = rules
        self.phase: Movement | None = None
        self.permissions: list[tuple[str, str, str]] = []
        self.position = read_position("\n".join(f"{k} {v}" for k, v in lines if k in "utbc"))

    def play(self, key: str, text: str) -> None:
        """Carry out one line, or check it."""
        if key == "p":
            owner, change, ends = text.split()
            self.permissions.append((board.LETTERS[owner], change, ends))
        elif key == "o":
            self._end_retreats({})
            self.phase = play_movement(self.position, by_power(text), self.rules, self.permissions)
            self.position, self.permissions = self.phase.position, []
        elif key == "r":
            self._end_retreats(by_power(text))
        elif key == "w":
            self.position = play_adjustments(self.position, by_power(text), self.rules).position
        elif key == "f":
            capture(self.position)
            remove_tunnels_of_the_eliminated(self.position)
        elif key == "=":
            for check in re.split(r",\s*", text):
                assert self.holds(check), check
        elif key == "x":
            self._end_retreats({})
            self.check_all(text)

    def _end_retreats(self, orders: dict[str, list[str]]) -> None:
        if self.position.dislodged:
            self.position = play_retreats(self.position, orders).position

    def holds(self, check: str) -> bool:
        """Whether one check of a line `=` is true."""
        phase = self.phase
        assert phase is not None
        move = re.fullmatch(r"(...)>(...)", check)
        if move:
            unit = phase.results[move[1]].unit
            there = phase.position.units.get(move[2])
            outcome = phase.results[move[1]].outcome
            return outcome == "moves" and there is not None and there.power == unit.power
        if check.endswith("="):
            result = phase.results[check[:3]]
            return result.outcome != "moves" and not result.dislodged
        if check[3:4] == "!":
            return self._is_dislodged(check[:3], check[4:])
        word, *rest = check.split()
        if word in ("ok", "cut"):
            return (phase.results[rest[0]].outcome == "supports") == (word == "ok")
        if word in ("legal", "illegal"):
            return phase.results[rest[0]].followed == (word == "legal")
        if word == "report":
            return phase.results[rest[0]].order.endswith(f" {rest[1]}")
        if word == "built":
            return self.position.built.get(board.LETTERS[rest[0]], 0) == int(rest[1])
        return self._is_tunnel(word, rest)

    def _is_dislodged(self, place: str, options: str) -> bool:
        assert self.phase is not None
        if not self.phase.results[place].dislodged:
            return False
        gone = self.position.dislodged.get(place)
        found = set(gone.options if gone else ())
        return not options or found == set(options.strip("()").split())

    def _is_tunnel(self, word: str, rest: list[str]) -> bool:
        assert self.phase is not None
        a, b = rest[-1].split("-")
        wanted = (board.LETTERS[rest[-2]], board.pair_of(a, b))
        standing = [t for t in self.position.tunnels if (t.owner, t.ends) == wanted]
        opened = any((t.owner, t.ends) == wanted for t in self.phase.opened)
        if word in ("open", "hidden"):
            is_open = opened or any(t.opened for t in standing)
            return is_open if word == "open" else bool(standing) and not is_open
        known = opened or any(knows(board.LETTERS[rest[0]], t) for t in standing)
        return known == (word == "knows")

    def check_all(self, text: str) -> None:
        """Check a line `x`: exactly these units and tunnels, and at least these centres."""
        units, _, tunnels = text.partition(";")
        wanted = {(p, unit) for p, texts in by_power(units).items() for unit in texts}
        assert {(unit.power, str(unit)) for unit in self.position.units.values()} == wanted
        listed = [part.split() for part in tunnels.split(",") if part.strip() != "none"]
        standing = {_tunnel_key(tunnel) for tunnel in self.position.tunnels}
        assert standing == {
            (board.LETTERS[words[0]], board.pair_of(*words[1].split("-")), words[2] == "open")
            for words in listed
            if words[0] != "centre"
        }
        for words in listed:
            if words[0] == "centre":
                assert self.position.centres[words[1]] == board.LETTERS[words[2]]


def _tunnel_key(tunnel: Tunnel) -> tuple[str, tuple[str, str], bool]:
    return tunnel.owner, tunnel.ends, tunnel.opened


def play_scenario(lines: list[tuple[str, str]], rules: Rules) -> Position:
    """Play a scenario to its end; AssertionError names the first check that fails."""
    played = Played(lines, rules)
    for key, text in lines:
        if key not in "utbc":
            played.play(key, text)
    return played.position
