"""The rivals that each game offers: agents by name, and levels for somebody who knows no agent's name."""

from __future__ import annotations

from typing import NamedTuple

from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.carcassonne import GAME as CARCASSONNE
from channel_tunnel_agents.players.scripted import SCRIPTED
from channel_tunnel_env.games import DEFAULT_GAME


class Level(NamedTuple):
    """A rival by strength."""

    name: str
    agent: str
    words: str


AGENTS = {
    game: ("random", *SCRIPTED[game], "ismcts:1000", *shipped.OF_GAME[game])
    + ((f"{shipped.NAMES[-1]}-puct@300ms",) if game == DEFAULT_GAME else ())
    for game in (DEFAULT_GAME, CARCASSONNE)  # the games that can be played at the table
}
"""Game -> the names of its agents, on offer without being named on the command line."""

LEVELS = {
    DEFAULT_GAME: (
        Level("Beginner", "random", "Takes any move that is allowed. For your very first game."),
        Level(
            "Learner",
            shipped.NAMES[0],
            "Has learned a little, and beats the beginner most of the time.",
        ),
        Level(
            "Player",
            "heuristic",
            "Follows sound rules of thumb. Digs, keeps its course and takes cards.",
        ),
        Level(
            "Club player",
            shipped.NAMES[1],
            "Learned by playing against itself. Beats the player often.",
        ),
        Level("Master", shipped.NAMES[2], "Learned the same way for much longer. Hard to beat."),
        Level(
            "Expert",
            AGENTS[DEFAULT_GAME][-1],
            "The master, and it looks ahead before each move. The strongest here.",
        ),
    ),
    CARCASSONNE: (
        Level("Beginner", "random", "Takes any move that is allowed. For your very first game."),
        Level("Collector", "points", "Takes the points it can score at once, and plans nothing."),
        Level("Builder", "builder", "Looks at the whole table, and loves roads and cities."),
        Level("Player", "greedy", "Weighs every way to end its turn by the score so far."),
        Level(
            "Club player",
            shipped.OF_GAME[CARCASSONNE][0],
            "Learned by playing against itself. Beats the player often.",
        ),
        Level(
            "Expert",
            "expectimax",
            "As the player, and it thinks of your best answer. Takes a while.",
        ),
    ),
}
"""Game -> rivals from the weakest to the strongest, by the results in docs/results.md and docs/carcassonne.md."""
