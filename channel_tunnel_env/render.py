"""The board as text."""


def to_text(game):
    return repr(game)
