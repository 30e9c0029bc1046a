"""Eurotunnel Diplomacy in the terminal, as `faces.terminal` asks for it.

A viewer is shown what its power knows and no more; what others write becomes known when the phase is over, as the
report tells it.
"""

from __future__ import annotations

from collections.abc import Iterator

from channel_tunnel_env.faces.terminal import Choice, Steps, folded, folded_lines
from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES, Action, all_actions
from channel_tunnel_env.games.eurotunnel.answers import read_answer
from channel_tunnel_env.games.eurotunnel.board_positions import powers_in, tunnel_ends
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.render import question_for, to_text
from channel_tunnel_env.games.eurotunnel.report import Part
from channel_tunnel_env.games.eurotunnel.words import answer_text, orders_by_power
from channel_tunnel_env.outside.sentences import title as seat_title  # noqa: F401

BEGINS_WITH_LEGEND = False
_FORMS = (
    "orders: A PAR H hold, A PAR - BUR move, A BRE - LON via convoy, A PAR ~ LON move by tunnel,",
    "        A PAR BT LON build a tunnel, A PAR S A MAR support it to hold, A PAR S A MAR - BUR to move,",
    "        F ENG C A BRE - LON convoy, A PAR R GAS retreat, R~ by tunnel, D disband; A PAR B build, A PAR D remove;",
    "        PERMIT FRANCE LON-PIC, WITHDRAW FRANCE LON-PIC. Other words are understood: army paris to burgundy, hold",
)


# --- what is shown --------------------------------------------------------------------------------


def board(game: Game, viewer: str, legend: bool) -> str:
    """Powers, tunnels that the viewer knows, its answers, the question; with the legend also all names and orders."""
    text = to_text(game, game.seat_index(viewer), orders=legend).replace("\n\n", "\n")
    return folded_lines([*text.splitlines(), *(_legend() if legend else ())])


def _legend() -> list[str]:
    board = load_board()
    names = ", ".join(f"{code} {name}" for code, name in zip(board.provinces, board.names, strict=True))
    return [*_FORMS, f"places: {names}; coasts NC, EC, SC"]


def question(game: Game, viewer: str) -> str:
    """Who is asked for what."""
    return question_for(game, game.seat_index(viewer))


def needs_board(game: Game, shown: Game | None) -> bool:
    """The board comes once in a phase, for each power at this keyboard."""
    if shown is None:
        return True
    return (game.phase_key, game.to_play) != (shown.phase_key, shown.to_play)


def ending(game: Game, viewer: str) -> str:
    """The board as the viewer knows it, and how the game ended."""
    return "\n" + board(game, viewer, legend=False)


# --- choices --------------------------------------------------------------------------------------


def choices(game: Game) -> list[Choice]:
    """Orders with the asked unit in them; one row for each kind, and for each unit that may be supported."""
    return [_choice(game, action) for action in game.legal_ids()]


def _choice(game: Game, action: int) -> Choice:
    what = all_actions()[action]
    return Choice(action, answer_text(game.states[0], action), _row(game, what), _cell(game, what))


_ROWS = {
    c.HOLD: "hold",
    c.MOVE: "move",
    c.VIA: "move by convoy",
    c.TUNNEL: "move by tunnel",
    c.DIG: "build a tunnel to",
    c.RETREAT: "retreat",
    c.RETREAT_TUNNEL: "retreat by tunnel",
    c.DISBAND: "disband",
    c.BUILD_ARMY: "build an army",
    c.BUILD_FLEET: "build a fleet",
    c.REMOVE: "remove",
}


def _row(game: Game, what: Action) -> str:
    state, places = game.states[0], load_board().provinces
    if what.kind in (c.SUPPORT_HOLD, c.SUPPORT_MOVE):
        letter = c.UNIT_LETTERS[int(state["unit_type"][what.src])]
        return f"support {letter} {places[what.src]}"
    if what.kind == c.CONVOY:
        return f"convoy A {places[what.src]}"
    if what.kind == c.PERMIT:
        ends = "-".join(tunnel_ends(int(state["tunnel_pair"][game.mover, what.src])))
        return f"tunnel {what.src}, {ends}"
    return _ROWS.get(what.kind, "")


def _cell(game: Game, what: Action) -> str:
    names: tuple[str, ...] = load_board().locations
    if what.kind == c.SUPPORT_HOLD or what.kind == c.HOLD:
        return "H"
    if what.kind in (c.SUPPORT_MOVE, c.CONVOY):
        return f"- {names[what.dst]}"
    if what.kind == c.PERMIT:
        power = load_board().powers[what.dst]
        permitted = power in powers_in(game.states["tunnel_permits"][0, game.mover, what.src])
        return f"{'withdraw from' if permitted else 'permit'} {power}"
    if what.kind in (c.BUILD_ARMY, c.BUILD_FLEET):
        return names[what.dst]
    if what.kind == c.REMOVE:
        return what.name.removesuffix(" D")
    return what.name.removeprefix("* ")


def meant(game: Game, line: str) -> str:
    """An action's name, or an order with its unit or without, in any words (see `intent`).

    Raises:
        ValueError: it cannot be read, or is for another unit; the message says why.
    """
    return ACTION_NAMES[read_answer(game, line)]


# --- what happened --------------------------------------------------------------------------------


def tell(steps: Steps, after: Game, viewer: str, persons: frozenset[str]) -> str | None:
    """What is reported at the end of a phase; nothing before.

    That others have to retreat is shown with their retreats: that they had a place to go may be a secret.
    """
    before = steps[0][0]
    is_told = after.phase_key != before.phase_key and (after.to_play in persons or str(after.phase) != "retreats")
    if not is_told and not after.is_over:
        return None
    lines = _news(before.report(viewer), after.report(viewer))
    return "\n" + "\n".join(folded(line, "    ") for line in lines)


def _news(old: list[Part], new: list[Part]) -> Iterator[str]:
    """The lines that are only in the later report."""
    for k, part in enumerate(new):
        was = old[k] if k < len(old) else {}
        fresh = {name: value for name, value in part.items() if value and value != was.get(name)}
        lines = [*_told_orders(fresh), *_told_changes(fresh)]
        if lines:
            yield f"Report of {part['phase']}"
            yield from lines


def _told_orders(part: Part) -> Iterator[str]:
    """A line for each power with its orders, and what became of those that did not succeed."""
    yield from orders_by_power(part.get("orders", ()))
    if part.get("draw"):
        yield "  All agreed on a draw; the orders were not read."


def _told_changes(part: Part) -> Iterator[str]:
    """Retreats, builds and tunnels, a line each."""
    retreats = [f"{told['power']} {told['order']} ({told['result']})" for told in part.get("retreats", ())]
    winter = [
        f"{unit['power']} {unit['type']} {unit['loc']} {unit['result']}"
        for unit in sorted(part.get("adjustments", ()), key=lambda unit: str(unit["power"]))
    ]
    for head, told in (("retreats", retreats), ("winter", winter)):
        if told:
            yield f"  {head}: {', '.join(told)}"
    for name, words in _TUNNEL_NEWS.items():
        for tunnel in part.get(name, ()):
            yield "  " + words.format(owner=tunnel["owner"], ends="-".join(tunnel["ends"]))


_TUNNEL_NEWS = {
    "opened": "a tunnel of {owner} is known to all now: {ends}",
    "demolished": "the tunnel of {owner} is demolished: {ends}",
    "told": "{owner} lets you use its tunnel {ends}",
}
