"""A link as a QR code: segno finds the modules, and we draw them as one path of SVG."""

from __future__ import annotations

import itertools

import segno

QUIET = 4  # modules of white on every side, as the standard asks
ERRORS = "m"  # up to 15 % of the code may be unreadable


def draw_qr(text: str) -> str:
    """The QR code of a text as SVG: dark on white in every theme, because many readers know no other.

    Raises:
        ValueError: the text is longer than a code can hold, some 2,300 bytes.
    """
    modules = segno.make_qr(text, error=ERRORS).matrix
    size = len(modules) + 2 * QUIET
    path = "".join(_row(number, row) for number, row in enumerate(modules, QUIET))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" aria-label="QR code" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{path}"/></svg>'
    )


def _row(number: int, row: bytearray) -> str:
    """The dark runs of a row, each a rectangle."""
    path, column = "", QUIET
    for is_dark, run in itertools.groupby(row):
        length = len(list(run))
        if is_dark:
            path += f"M{column} {number}h{length}v1h-{length}z"
        column += length
    return path
