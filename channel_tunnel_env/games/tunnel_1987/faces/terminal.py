"""1987 Channel Tunnel in the terminal, as `faces.terminal` asks for it."""

from __future__ import annotations

from channel_tunnel_env.faces.terminal import Choice, Steps
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.render import to_text
from channel_tunnel_env.outside.sentences import title as seat_title

BEGINS_WITH_LEGEND = True
_QUESTION = slice(2, 4)  # the lines of the board that say what is asked


def board(game: Game, viewer: str, legend: bool) -> str:
    """The board as a side knows it."""
    return to_text(game, viewer, legend=legend)


def question(game: Game, viewer: str) -> str:
    """Only the question."""
    return "\n".join(to_text(game, viewer).splitlines()[_QUESTION])


def needs_board(game: Game, shown: Game | None) -> bool:
    """The board comes once a turn."""
    if shown is None or game.phase in ("turn", "window"):
        return True
    return (game.round, game.to_play) != (shown.round, shown.to_play)


def choices(game: Game) -> list[Choice]:
    """Names; a line of placements for each use of a space."""
    found = []
    for action in game.legal_ids():
        name = ACTION_NAMES[action]
        verb, *rest = name.split()
        if verb == "place":
            use = " ".join(rest[1:])
            found.append(Choice(action, name, f"place on {use:<30}", rest[0]))
        else:
            found.append(Choice(action, name))
    return found


def meant(game: Game, line: str) -> str:
    """A line that is an action's name."""
    return line if line in ACTION_NAMES else ""


def tell(steps: Steps, after: Game, viewer: str, persons: frozenset[str]) -> str:
    """Each decision of an agent at once."""
    seats = [(before.to_play, action) for before, action in steps]
    return "\n".join(f"{seat_title(seat)}: {ACTION_NAMES[action]}" for seat, action in seats if seat not in persons)


def ending(game: Game, viewer: str) -> str:
    """The board with everything on it, and the result."""
    return to_text(game, legend=False)
