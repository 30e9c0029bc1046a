"""The parts of the verdict that only Carcassonne has: tunnels, points, pieces, and what no seat did."""

from __future__ import annotations

from functools import partial
from typing import Any

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.headline import note
from channel_tunnel_agents.balance.report.numbers import count, of_estimate
from channel_tunnel_agents.games.carcassonne import measures
from channel_tunnel_agents.statistics import estimate_mean
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.outside.sentences import capital, listed

PLACES = {
    "points_city": "cities",
    "points_road": "roads and tunnels",
    "points_cloister": "cloisters",
    "points_field": "fields",
}


def tunnels(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How often tunnels are built, and which seats half of one holds up."""
    if not evidence.ruleset.data.tunnel:
        return ""
    if evidence.strongest not in evidence.levels:
        return "What tunnels do cannot be said: too few games."

    told = partial(_told, evidence, figures)
    figures["followers"] = followers = _followers(evidence)
    return (
        f"At that level a game has {told('tunnels')} finished tunnels and {told('half_tunnels')} half ones "
        f"at its end. Of {followers} followers {told('behind_half')} are left behind half tunnels, "
        f"{told('behind_rival')} behind the rival's; during the game followers wait there for "
        f"{told('turns_behind_half')} turns, all of them added up."
    )


def points(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What points of both seats come from."""
    if evidence.strongest not in evidence.levels:
        return "How points are made cannot be said: too few games."
    parts = [f"{_told(evidence, figures, name)} from {place}" for name, place in PLACES.items()]
    total = _told(evidence, figures, "score")
    return f"{capital(evidence.game.all)} together make {total} points a game: {listed(parts)}."


def pieces(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How much of what the box holds is used."""
    if evidence.strongest not in evidence.levels:
        return "How many pieces are used cannot be said: too few games."
    own, followers = evidence.own_games(evidence.strongest), _followers(evidence)
    turns, decisions = int(own["turns"].median()), round(evidence.choices(evidence.strongest))
    nowhere, left, farmers = (_told(evidence, figures, name) for name in ("out_of_game", "left", "left_field"))
    figures |= {"median_turns": turns, "decisions": decisions, "followers": followers}
    return (
        f"A typical game has {turns} turns and {decisions} decisions; {nowhere} tiles fit nowhere. Of "
        f"{followers} followers {left} are still on the table at the end, {farmers} of them farmers{_tokens(evidence, figures)}."
    )


def _tokens(evidence: Evidence, figures: dict[str, Any]) -> str:
    """The tokens that are laid, as the end of a sentence."""
    data = evidence.ruleset.data
    if not data.tunnel:
        return ""
    own = evidence.own_games(evidence.strongest)
    laid = sum(evidence.measures_known[name].of(own) for name in ("first_tokens", "tunnels"))
    number = of_estimate(estimate_mean(laid), len(own))
    figures["tokens"] = tokens = c.TOKENS_OF_A_COLOUR * data.token_colours
    return f"; of {tokens} tunnel tokens {note(figures, 'tokens_laid', number)} are laid"


def never_used(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What no agent ever did or met."""
    names = [name for _, found in unused(evidence) for name in found]
    games = count(len(evidence.games))
    figures["games"] = len(evidence.games)
    if not names:
        return f"In {games} games every feature scored and every kind of piece was used."
    return f"In {games} games this never occurred: {listed(names)}."


def _followers(evidence: Evidence) -> int:
    """The followers of both seats together."""
    return int(evidence.ruleset.data.players * evidence.ruleset.data.followers)


def _told(evidence: Evidence, figures: dict[str, Any], name: str) -> str:
    """A measure in games of the strongest agent against itself, noted."""
    return note(figures, name, evidence.figure(name, evidence.strongest))


def unused(evidence: Evidence) -> list[tuple[str, list[str]]]:
    """What never occurred, by kind of rule; what the ruleset switches off is not counted."""
    games, data = evidence.games, evidence.ruleset.data
    seats = evidence.results.seats

    def ever(name: str) -> bool:
        return any(games[f"{name}_{seat}"].any() for seat in seats)

    points = [
        f"points from {place}"
        for kind, place in measures.PLACES.items()
        if _can_score(data, kind) and not ever(f"points_{kind}")
    ]
    tokens = {"first_tokens": "a half tunnel begun", "tunnels": "a tunnel finished"}
    laid = [words for name, words in tokens.items() if data.tunnel and not ever(name)]
    ends = {"a shared win": (games["winner"] == "draw").any(), "a tile that fits nowhere": games["out_of_game"].any()}
    return [
        ("sources of points", points),
        ("tunnels", laid),
        ("events", [words for words, seen in ends.items() if not seen]),
    ]


def _can_score(data: Any, kind: str) -> bool:
    """Whether a ruleset has this source of points at all."""
    if kind == "field":
        return bool(data.farm_scoring != "none")
    return any(piece.kind == c.KINDS.index(kind) for tile in data.tile_types() for piece in tile.segments)
