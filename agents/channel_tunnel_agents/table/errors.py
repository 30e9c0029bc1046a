"""The only error of the table: an HTTP status and a sentence for the user."""

from __future__ import annotations


class TableError(Exception):
    """A refused request; the game is unchanged.

    Args:
        status: 400 not understood, 401 without the key, 403 not allowed, 404 unknown, 408 too slow, 409 not
            now, 410 broken on disk, 413 too large; 502 an agent failed, 503 not possible now, 504 an agent
            did not answer in time.
        sentence: what was wrong and what was expected.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
