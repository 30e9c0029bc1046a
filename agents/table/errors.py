"""The one error of the table: a status of HTTP and a sentence for the person."""

from __future__ import annotations


class TableError(Exception):
    """A request that is refused; the game is as it was.

    Args:
        status: 400 not understood, 403 not allowed, 404 unknown, 409 not now, 413 too large, 503 full.
        sentence: what was wrong and what was expected.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
