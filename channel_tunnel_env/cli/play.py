"""`play`: a game in the terminal, against an agent or another person."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import tyro

from channel_tunnel_env.cli.agents_module import needing
from channel_tunnel_env.engine.actions import ACTION_NAMES
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.game import Game, check_seed
from channel_tunnel_env.render import WIDTH, to_text
from channel_tunnel_env.ruleset import Ruleset

Player = Callable[[Game], int]
PERSON = "person"
HELP = """Answer with the number of an action, its name, or the start of its name if only one fits.
  ?            this help
  board        show the board again        legend       the board with its signs explained
  undo         take back your last answer (and what followed)
  why NAME     why an action is not legal now
  save FILE    write the position (YAML)   record FILE  append the game so far (JSON lines)
  quit         leave"""


def play(
    side: Annotated[Literal["britain", "france"], tyro.conf.arg(help="your side")] = "britain",
    opponent: str = "random",
    ruleset: str = "standard",
    seed: int | None = None,
) -> int:
    """Play in the terminal.

    Args:
        opponent: "person" for a second player at the same keyboard, or an agent: random, heuristic, ismcts:1000,
            rookie, club, master, ppo:FOLDER, onnx:FOLDER, module:attribute and others.
        ruleset: a name or a YAML file.
        seed: of the game; drawn and shown if not given, so that the game can be repeated.
    """
    number = check_seed(seed)
    game = Game(ruleset, number)
    agent = None if opponent == PERSON else find_opponent(opponent, game.ruleset, number)
    print(f"{game.ruleset.data.title}, seed {number}. Type ? for help.")
    try:
        TerminalPlay(game, side, agent).play()
    except (EOFError, KeyboardInterrupt):
        print("\nGood-bye.")
    return 0


def find_opponent(spec: str, ruleset: Ruleset, seed: int) -> Player:
    """An agent by its name (see `agents`), as a function from the game to an action.

    Raises:
        ValueError: there is no such agent, or it does not fit the ruleset.
        ImportError: a library that the agent needs is missing; says what to install.
    """
    with needing(f"opponent {spec}", "train"):
        agent = importlib.import_module("channel_tunnel_agents").make_agent(spec, ruleset, seed)
        choose_action = importlib.import_module("channel_tunnel_agents.base").choose_action
    return lambda game: int(choose_action(agent, game))


class TerminalPlay:
    """A game, its players, and the positions for undo."""

    def __init__(self, game: Game, side: str, agent: Player | None) -> None:
        self.game = game
        self.side = side
        self.agent = agent
        self.history: list[Game] = []
        self.shown_turn: tuple[int, str | None] | None = None
        self.stale = True  # the position has changed since it was shown

    def play(self) -> None:
        """Play until the game is over or the person quits."""
        while not self.game.is_over:
            if self.agent is not None and self.game.to_play != self.side:
                self._let_agent_answer(self.agent)
            elif not self._ask():
                print("Good-bye.")
                return
        print(to_text(self.game, legend=False))

    @property
    def _viewer(self) -> str | None:
        return self.game.to_play if self.agent is None else self.side

    def _let_agent_answer(self, agent: Player) -> None:
        action = agent(self.game)
        print(f"{str(self.game.to_play).capitalize()}: {ACTION_NAMES[action]}")
        self.game.play(action)
        self.stale = True

    def _ask(self) -> bool:
        """Show what is needed, read one line; False to quit."""
        names = self.game.legal_actions()
        if self.stale:
            self._show_position()
            print("\n" + number_names(names))
        self.stale = False
        return self._answer(input(f"{str(self.game.to_play).capitalize()}> ").strip(), names)

    def _show_position(self) -> None:
        """Show the board once per turn, then only the current question."""
        turn = (self.game.round, self.game.to_play)
        if self.game.phase in ("turn", "window") or self.shown_turn != turn:
            print("\n" + to_text(self.game, self._viewer, legend=self.shown_turn is None))
        else:
            print("\n" + "\n".join(to_text(self.game, self._viewer).splitlines()[2:4]))
        self.shown_turn = turn

    def _answer(self, line: str, names: list[str]) -> bool:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in ("quit", "exit"):
            return False
        if line in ("?", "help"):
            print(HELP)
        elif line in ("board", "legend"):
            print("\n" + to_text(self.game, self._viewer, legend=line == "legend"))
        elif line == "undo":
            self._undo()
        elif word in ("why", "save", "record"):
            self._serve(word, rest)
        elif line:
            self._try(line, names)
        return True

    def _try(self, line: str, names: list[str]) -> None:
        try:
            name = choose(line, names)
            before = self.game.clone()
            self.game.play(name)
        except ValueError as error:  # illegal, or not understood
            print(error)
            return
        self.history.append(before)
        self.stale = True

    def _undo(self) -> None:
        if not self.history:
            print("Nothing to take back.")
            return
        self.game = self.history.pop()
        self.stale = True

    def _serve(self, word: str, rest: str) -> None:
        """Run why, save or record; an error is printed and changes nothing."""
        if not rest:
            print(f"{word} what? " + ("An action's name." if word == "why" else "A file's name."))
            return
        try:
            if word == "why":
                print(self.game.explain(rest) or f"{rest!r} is legal.")
            elif word == "save":
                self._save(Path(rest))
            else:
                self._record(Path(rest))
        except (ChannelTunnelError, OSError) as error:
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


def choose(line: str, names: list[str]) -> str:
    """The action that a line means: a number, a name, or the start of exactly one name.

    A name that is not legal is returned unchanged; playing it then reports the reason.

    Raises:
        ValueError: a number out of range, or a start that matches several names.
    """
    if line.isdecimal():
        if not 1 <= int(line) <= len(names):
            raise ValueError(f"{line}: the numbers run from 1 to {len(names)}")
        return names[int(line) - 1]
    if line in ACTION_NAMES:
        return line
    fitting = [name for name in names if name.startswith(line)]
    if len(fitting) > 1:
        shown = ", ".join(fitting[:4]) + (", ..." if len(fitting) > 4 else "")
        raise ValueError(f"{line!r} fits {len(fitting)} actions: {shown}")
    return fitting[0] if fitting else line


def number_names(names: list[str]) -> str:
    """Names with their numbers; one line of placements for each use of a space."""
    placements: dict[str, list[str]] = {}
    others = []
    for i, name in enumerate(names, 1):
        verb, *rest = name.split()
        if verb == "place":
            placements.setdefault(" ".join(rest[1:]), []).append(f"{i:>3} {rest[0]:<8}")
        else:
            others.append(f"{i:>3} {name}")
    lines = [f"  place on {use:<30}{''.join(cells)}" for use, cells in placements.items()]
    return "\n".join(line.rstrip() for line in [*lines, *_in_columns(others)])


def _in_columns(cells: list[str]) -> list[str]:
    """Cells arranged in columns, at least four per column."""
    width = max(map(len, cells)) + 2
    columns = max(1, min(WIDTH // width, -(-len(cells) // 4)))
    rows = -(-len(cells) // columns)
    return ["".join(f"{cell:<{width}}" for cell in cells[row::rows]) for row in range(rows)]


assert PERSON not in SEATS
