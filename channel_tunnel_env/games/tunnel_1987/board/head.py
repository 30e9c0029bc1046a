"""The line at the top: title, round, current question, last decision; and how a game ended, for a player."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import circle, fit, rect, text, text_width
from channel_tunnel_env.faces.table import put_ahead
from channel_tunnel_env.games.tunnel_1987.board.parts import Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.theme import SMALL
from channel_tunnel_env.games.tunnel_1987.board.values import Board
from channel_tunnel_env.games.tunnel_1987.board.words import END_CAUSES_IN_WORDS
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.words import plain, rival_of, title
from channel_tunnel_env.outside.sentences import capital

HEIGHT = 64


def put_head(picture: Picture, board: Board, x: float, y: float, width: float) -> None:
    """Title on the left, the game's state on the right."""
    left = 480
    picture.put(Part(x, y, left, 32, _title(board.title, left - 20)))
    picture.put(Part(x, y + 32, left, HEIGHT - 32, text(4, 18, _where(board), "s")))
    _put_state(picture, board, (x + left, y, width - left))


def _title(words: str, width: float) -> str:
    """The title as large as it fits; cut only if the smaller type is too wide as well."""
    style, size = ("h1", 20) if text_width(words, 20, True) <= width else ("h2", 16)
    return text(4, 25, fit(words, width, size, True), style)


def _where(board: Board) -> str:
    knows = title(board.viewer) if board.viewer in c.SEATS else board.viewer  # "everybody" at a table
    seen = f"what {knows} knows" if knows else "face-down tokens shown"
    return f"ruleset {board.ruleset} · round {board.round} · {seen}"


def _put_state(picture: Picture, board: Board, place: tuple[float, float, float]) -> None:
    """The side to play, its question and the last decision; `place` is x, y and width."""
    x, y, width = place
    now = _result(board, width) if board.result else _question(board, width)
    picture.put(Part(x, y, width, 32, now))
    picture.put(Part(x, y + 32, width, HEIGHT - 32, _last(board, width)))


def _result(board: Board, width: float) -> str:
    words = fit(board.result, width - 28, 14, True)
    return rect(1, 1, width - 2, 30, "reached", 8) + text(14, 21, words, "h3")


def _question(board: Board, width: float) -> str:
    who = title(board.to_play)
    pill = text_width(who, 14, True) + 24
    words = fit(board.question, width - pill - 20, 14, True)
    return (
        rect(1, 1, width - 2, 30, "slot", 8)
        + rect(1, 1, pill, 30, str(board.to_play), 8)
        + text(12, 21, who, "sideh")
        + text(pill + 12, 21, words, "h3")
    )


def _last(board: Board, width: float) -> str:
    if board.last is None:
        return text(14, 18, "no decision yet", "s")
    who = f"{title(board.last.side)} " if board.last.side else ""
    words = f"Last: {who}{board.last.words}"
    words += "".join(f", {doing}" for doing in board.turn[1:])
    return circle(9, 13.5, 5, "lastfill") + text(22, 18, fit(words, width - 26, SMALL), "n")


# --- how a game ended -----------------------------------------------------------------------------


def ending(game: Game, side: str | None = None) -> dict[str, str]:
    """The end of a finished game: a title, why it ended so, and which points decided.

    Args:
        side: the player who reads it; None for somebody who watches.
    """
    return {"title": _ending_title(game, side), "why": _why(game, side), "points": _points(game, side)}


def _you(name: str, side: str | None, own: str = "You") -> str:
    return own if name == side else title(name)


def _ending_title(game: Game, side: str | None) -> str:
    winner = game.winner
    if winner is None:
        return "A draw"
    first = side or str(winner)
    second = rival_of(first)
    done = f"{_you(first, side)} {'won' if winner == first else 'lost'}"
    if game.end_cause == "deviation":
        return done
    totals = {name: points["total"] for name, points in game.scores().items()}
    return f"{done} {totals[first]} to {totals[second]}"


def _why(game: Game, side: str | None) -> str:
    winner = game.winner
    if game.end_cause == "deviation":
        loser = rival_of(str(winner))
        limit = -game.ruleset.data.deviation.limit
        whose = "Your" if loser == side else f"{title(loser)}'s"
        return f"{whose} machine strayed beyond {limit}. That loses at once, and points do not count."
    if game.end_cause != "centre":
        cause = END_CAUSES_IN_WORDS[str(game.end_cause)]
        return f"{capital(cause)}, so points decide."
    length = int(game.ruleset.data.route.length)
    first = next(name for i, name in enumerate(c.SEATS) if int(game.state.tbm[i]) >= length)
    reached = f"{_you(first, side)} reached the centre"
    totals = [points["total"] for points in game.scores().values()]
    if totals[0] == totals[1]:
        return f"{reached}, which decides a tie."
    return f"{reached} first." if first == winner else f"{reached}, but points decide."


def _points(game: Game, side: str | None) -> str:
    """Where the winner gained most."""
    winner = game.winner
    if winner is None or game.end_cause == "deviation":
        return ""
    scores = game.scores()
    mine, theirs = (
        {plain(source): points for source, points in scores[name].items() if source != "total"}
        for name in (str(winner), rival_of(str(winner)))
    )
    return put_ahead(_you(str(winner), side, "you"), mine, theirs)
