"""`play`: a game in the terminal, against an agent or other persons."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import tyro

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env.cli.taking import RulesetFirst
from channel_tunnel_env.core.whole_numbers import check_seed
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.faces.registry import terminal_of
from channel_tunnel_env.faces.terminal import WIDTH, TerminalFace
from channel_tunnel_env.game import Game
from channel_tunnel_env.outside.foreign import needing
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset

Player = Callable[[Any], int]
PERSON = "person"
HELP = """Answer with the number of an action, its name, or the start of its name if only one fits.
  ?            this help
  board        show the board again        legend       the board with its signs explained
  undo         take back your last answer (and what followed)
  why NAME     why an action is not legal now
  save FILE    write the position (YAML)   record FILE  append the game so far (JSON lines)
  quit         leave"""


def play(
    side: Annotated[str | None, tyro.conf.arg(metavar="SEAT")] = None,
    opponent: str = "random",
    ruleset: RulesetFirst = "standard",
    seed: int | None = None,
) -> int:
    """Play any of the games in the terminal.

    For example:
        channel-tunnel play carcassonne --opponent greedy

    Args:
        side: your seat: britain or france; player_0, player_1 ... in Carcassonne; austria, england, france, germany,
            italy, russia or turkey in Eurotunnel. Default: the first one.
        opponent: who plays every other seat. "person": all seats are played at this keyboard. Agents: random in every
            game; heuristic, ismcts:1000, rookie, club, master, adept for 1987 Channel Tunnel; points, greedy, blocker,
            expectimax for Carcassonne; lively, hold, greedy, dumb for Eurotunnel; ppo:FOLDER, module:attribute
            and others.
        ruleset: a name (standard, agenda, tiny, carcassonne, eurotunnel) or a YAML file, which names its game.
        seed: seed of the game. Default: drawn and shown, so that you can repeat the game.
    """
    number = check_seed(seed)
    rules = load_ruleset(ruleset)
    game = Game(rules, number)
    own = _check_side(side, game)
    agent = None if opponent == PERSON else find_opponent(opponent, rules, number)
    print(f"{rules.data.title}, seed {number}. Type ? for help.")
    try:
        TerminalPlay(game, own, agent).play()
    except (EOFError, KeyboardInterrupt):
        print("\nGood-bye.")
    return 0


def _check_side(side: str | None, game: Game) -> str:
    """The seat of the person.

    Raises:
        ValueError: the game has no such seat, or these rules leave it empty.
    """
    seats: tuple[str, ...] = game.ruleset.played_seats
    if side is None:
        return seats[0]
    if side not in seats:
        raise ValueError(f"side {side!r}: allowed: {', '.join(seats)}")
    return side


def find_opponent(spec: str, ruleset: Ruleset, seed: int) -> Player:
    """An agent by its name (see `agents`), as a function from the game to an action.

    Raises:
        ValueError: there is no such agent, or it does not fit the ruleset.
        ImportError: a library that the agent needs is missing; says what to install.
    """
    # Before torch is loaded: threads that wait for each other on busy cores make a decision take much longer.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with needing(f"opponent {spec}", "play"):
        agent = make_agent(spec, ruleset, seed)
    return lambda game: int(choose_action(agent, game))


class TerminalPlay:
    """A game, its players, and the positions for undo.

    Args:
        side: the person's seat.
        agent: holds the others; None: persons hold all of them.
    """

    def __init__(self, game: Any, side: str, agent: Player | None) -> None:
        self.game = game
        self.face: TerminalFace = terminal_of(game.spec)
        self.side = side
        self.agent = agent
        self.persons = frozenset({side} if agent else game.seats)
        self.history: list[Any] = []
        self.steps: list[tuple[Any, int]] = []  # not yet put into words
        self.shown: Any = None  # the game when it was shown last
        self.stale = True  # the position has changed since it was shown

    def play(self) -> None:
        """Play until the game is over or the person quits."""
        while not self.game.is_over:
            if self.agent is not None and self.game.to_play != self.side:
                self._answer_with(self.agent(self.game))
            elif not self._ask():
                print("Good-bye.")
                return
        print(self.face.ending(self.game, self.side))

    @property
    def _viewer(self) -> str:
        return self.side if self.agent or self.game.is_over else str(self.game.to_play)

    def _answer_with(self, action: int | str) -> None:
        """Take an action, and say what there is to tell."""
        before = self.game.clone()
        self.game.play(action)
        self.steps.append((before, self.game.action_ids[-1]))
        text = self.face.tell(self.steps, self.game, self._viewer, self.persons)
        if text is not None:
            self.steps.clear()
            print(text, end="\n" if text else "")
        self.stale = True

    def _ask(self) -> bool:
        """Show what is needed, read one line; False to quit."""
        choices = self.face.choices(self.game)
        names = [choice.name for choice in choices]
        if self.stale:
            self._show_position()
            print("\n" + number_names(names, [(choice.row, choice.cell) for choice in choices]))
        self.stale = False
        asked = self.face.seat_title(str(self.game.to_play))
        ids = {choice.name: choice.action for choice in choices}
        return self._answer(input(f"{asked}> ").strip(), ids)

    def _show_position(self) -> None:
        """Show the board if the game wants it, else only the current question."""
        if self.face.needs_board(self.game, self.shown):
            legend = self.shown is None and self.face.BEGINS_WITH_LEGEND
            print("\n" + self.face.board(self.game, self._viewer, legend))
        else:
            print("\n" + self.face.question(self.game, self._viewer))
        self.shown = self.game.clone()

    def _answer(self, line: str, ids: dict[str, int]) -> bool:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in ("quit", "exit"):
            return False
        if line in ("?", "help"):
            print(HELP)
        elif line in ("board", "legend"):
            print("\n" + self.face.board(self.game, self._viewer, line == "legend"))
        elif line == "undo":
            self._undo()
        elif word in ("why", "save", "record"):
            self._serve(word, rest)
        elif line:
            self._try(line, ids)
        return True

    def _try(self, line: str, ids: dict[str, int]) -> None:
        before = self.game.clone()
        try:
            name = self._meant(line, list(ids))
            self._answer_with(ids.get(name, name))
        except ValueError as error:  # illegal, or not understood
            print(error)
            return
        self.history.append(before)

    def _meant(self, line: str, names: list[str]) -> str:
        """The name of the action that a line means: as the game reads it, or as `choose` does.

        Raises:
            ValueError: it fits no action, or several.
        """
        try:
            said, unread = self.face.meant(self.game, line), None
        except ValueError as error:
            said, unread = "", error
        chosen = said or choose(line, names)
        if unread is not None and chosen not in names:
            raise unread
        return chosen

    def _undo(self) -> None:
        if not self.history:
            print("Nothing to take back.")
            return
        self.game = self.history.pop()
        self.steps.clear()
        self.stale = True

    def _serve(self, word: str, rest: str) -> None:
        """Run why, save or record; an error is printed and changes nothing."""
        if not rest:
            print(f"{word} what? " + ("An action's name." if word == "why" else "A file's name."))
            return
        try:
            if word == "why":
                name = self.face.meant(self.game, rest) or rest
                print(self.game.explain(name) or f"{rest!r} is legal.")
            elif word == "save":
                self._save(Path(rest))
            else:
                self._record(Path(rest))
        except (ValueError, ChannelTunnelError, OSError) as error:
            print(error)

    def _save(self, path: Path) -> None:
        import yaml

        text = yaml.safe_dump(self.game.to_position(), sort_keys=False, allow_unicode=True)
        path.write_text(text, encoding="utf-8")
        print(f"Position written to {path}.")

    def _record(self, path: Path) -> None:
        import json

        line = json.dumps(self.game.record(), ensure_ascii=False)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(f"Game appended to {path}.")


def choose(line: str, names: Sequence[str]) -> str:
    """The name that a line means: that with a number, a name, or the start of exactly one name.

    A name that is not among them is returned unchanged; playing it then reports the reason.

    Raises:
        ValueError: a number out of range, or a start that matches several names.
    """
    if line.isdecimal():
        if not 1 <= int(line) <= len(names):
            raise ValueError(f"{line}: the numbers run from 1 to {len(names)}")
        return names[int(line) - 1]
    if line in names:
        return line
    start = line.casefold()
    fitting = [name for name in names if name.casefold().startswith(start)]
    if len(fitting) > 1:
        shown = ", ".join(fitting[:4]) + (", ..." if len(fitting) > 4 else "")
        raise ValueError(f"{line!r} fits {len(fitting)} actions: {shown}")
    return fitting[0] if fitting else line


MOST_COLUMNS = WIDTH + 2  # of a line of numbered names
NUMBER = 4  # columns of a number and a space


def number_names(names: Sequence[str], rows: Sequence[tuple[str, str]] | None = None) -> str:
    """Names with their numbers, in rows and columns.

    Args:
        rows: for each name the heading of its row, and what the row shows for it; a name without a heading
            follows below the rows. None: there are no rows.
    """
    cells: dict[str, list[str]] = {}
    others = []
    placed = rows or [("", "")] * len(names)
    wide = max([8, *(len(cell) + 2 for heading, cell in placed if heading)])
    for i, (name, (heading, cell)) in enumerate(zip(names, placed, strict=True), 1):
        if heading:
            cells.setdefault(heading, []).append(f"{i:>3} {cell:<{wide}}")
        else:
            others.append(f"{i:>3} {name}")
    margin = max(map(len, cells), default=0)
    lines = []
    for heading, row in cells.items():
        fit = max(1, (MOST_COLUMNS - margin) // (NUMBER + wide))
        for start in range(0, len(row), fit):
            head = heading if start == 0 else ""
            lines.append(f"  {head:<{margin}}{''.join(row[start : start + fit])}")
    return "\n".join(line.rstrip() for line in [*lines, *_in_columns(others)])


def _in_columns(cells: list[str]) -> list[str]:
    """Cells arranged in columns, at least four per column."""
    if not cells:
        return []
    width = max(map(len, cells)) + 2
    columns = max(1, min(WIDTH // width, -(-len(cells) // 4)))
    rows = -(-len(cells) // columns)
    return ["".join(f"{cell:<{width}}" for cell in cells[row::rows]) for row in range(rows)]
