"""Two sets of answers of a power on one map: those that it gave, and others that may be better.

The others have a colour that no power has, on light lines, and longer dashes: they differ without colours, too.
"""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.drawing import style
from channel_tunnel_env.drawing.svg import escape, path
from channel_tunnel_env.games.eurotunnel.board.theme import SCOPE, colours_of
from channel_tunnel_env.games.eurotunnel.board.view import read_view
from channel_tunnel_env.games.eurotunnel.board.written import Answers, draw_written

_OTHER = {
    ".case": "stroke:{panel};stroke-width:9;stroke-opacity:.95",
    ".thin-case": "stroke:{panel};stroke-width:7;stroke-opacity:.95",
    ".head": "fill:{panel};stroke:{panel};stroke-width:5",
    '[class^="move"]': "stroke:{last};stroke-width:4.4;stroke-dasharray:11 7;stroke-linecap:butt",
    '[class^="tip"]': "fill:{last}",
    '[class^="help"]': "stroke:{last};stroke-width:3.4",
    '[class^="ferry"]': "stroke:{last};stroke-width:3.8",
    '[class^="secret"]': "stroke:{last};stroke-width:3.8",
    '[class^="held"]': "fill:{last};stroke:{panel}",
    '[class^="owner-t"]': "fill:{panel}",
    ".hold": "stroke:{last};stroke-width:3.4;stroke-dasharray:7 4",
    ".empty": "stroke:{last};stroke-width:4.4",
    ".raised": "opacity:1",
    ".raised rect,.{scope} .other .raised path": "stroke:{last};stroke-width:4.6;stroke-dasharray:7 3",
}
_ARROW, _TIP = "M2 0L30 0", "M34 0L23-5.5V5.5Z"


def draw_compared(given: Answers, other: Answers, names: tuple[str, str]) -> dict[str, str]:
    """What was answered in a phase, and above it what would have been answered otherwise.

    Args:
        given, other: the answers of one power in the same phase; one of them at least.
        names: of both sets, for the key.

    Returns:
        shapes: SVG for the map of the position before the phase, below its units; key: HTML that tells the two sets apart.
    """
    game = (*given, *other)[0][0]
    view = read_view(game, None)
    same = {_named(answer) for answer in given}
    in_both = [number for number, answer in enumerate(other) if _named(answer) in same]
    shapes = (
        f'<style>{_sheet()}</style>{draw_written(view, given)}<g class="other">{draw_written(view, other, in_both)}</g>'
    )
    return {"shapes": f'<g class="compared">{shapes}</g>', "key": _key(game.mover, names)}


def _named(answer: tuple[object, int]) -> tuple[int, int]:
    """An answer and the unit that it is for."""
    game, action = answer
    return int(game.state.cursor), action  # type: ignore[attr-defined]


def _key(power: int, names: tuple[str, str]) -> str:
    arrow = path(_ARROW, "case") + path(_ARROW, f"move{power}")
    arrow += path(_TIP, "head") + path(_TIP, f"tip{power}")
    signs = (arrow, f'<g class="other">{arrow}</g>')
    items = "".join(
        f'<li><svg viewBox="0 -8 38 16" aria-hidden="true">{sign}</svg>{escape(name)}</li>'
        for sign, name in zip(signs, names, strict=True)
    )
    return f'<ul class="key" aria-label="On the map">{items}</ul>'


@cache
def _sheet() -> str:
    return style.stylesheet(SCOPE, "auto", _styles)


def _styles(theme: str) -> dict[str, str]:
    return {
        f"other {name.format(scope=f'{SCOPE}-auto')}": body.format(**colours_of(theme)) for name, body in _OTHER.items()
    }
