"""How a game ended, for a player: won or lost, why, and by what."""

from __future__ import annotations

from channel_tunnel_env.games.tunnel_1987.board.words import END_CAUSES_IN_WORDS
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.words import plain, rival_of, title

MOST_REASONS = 2  # sources of points named


def ending(game: Game, side: str | None = None) -> dict[str, str]:
    """The end of a finished game: a title, why it ended so, and which points decided.

    Args:
        side: the player who reads it; None for somebody who watches.
    """
    return {"title": _title(game, side), "why": _why(game, side), "points": _points(game, side)}


def _you(name: str, side: str | None, own: str = "You") -> str:
    return own if name == side else title(name)


def _title(game: Game, side: str | None) -> str:
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
        return f"{cause[0].upper()}{cause[1:]}, so points decide."
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
    mine, theirs = scores[str(winner)], scores[rival_of(str(winner))]
    ahead = sorted(((mine[source] - theirs[source], source) for source in mine if source != "total"), reverse=True)
    sources = [
        f"{plain(source)} ({mine[source]} to {theirs[source]})" for gain, source in ahead[:MOST_REASONS] if gain > 0
    ]
    if not sources:
        return ""
    whose = _you(str(winner), side, "you")
    return f"Most of what put {whose} ahead: {' and '.join(sources)}."
