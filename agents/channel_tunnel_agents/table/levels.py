"""The rivals that each game offers: agents by name, and levels for somebody who knows no agent's name."""

from __future__ import annotations

from typing import NamedTuple

from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.carcassonne import GAME as CARCASSONNE
from channel_tunnel_agents.players.eurotunnel import GAME as EUROTUNNEL
from channel_tunnel_agents.players.scripted import SCRIPTED
from channel_tunnel_env.games import DEFAULT_GAME


class Level(NamedTuple):
    """A rival by strength."""

    name: str
    agent: str
    words: str


SEARCHERS = {
    DEFAULT_GAME: ("ismcts:1000", f"{shipped.NAMES[-1]}-puct@300ms"),
    CARCASSONNE: ("ismcts:1000",),
    EUROTUNNEL: (),
}
"""Game -> agents that search. Its games are those that can be played at the table."""

AGENTS = {
    game: ("random", *SCRIPTED[game], *searchers[:1], *shipped.OF_GAME[game], *searchers[1:])
    for game, searchers in SEARCHERS.items()
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
        Level(
            "Adept",
            shipped.READERS[DEFAULT_GAME],
            "Reads the rules, so it plays a ruleset of your own as well as the box's.",
        ),
        Level(
            "Master",
            shipped.NAMES[2],
            "The adept, after much practice by the box's rules. Hard to beat.",
        ),
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
    EUROTUNNEL: (
        Level("Beginner", "hold", "Stays where it is. For your very first orders."),
        Level("Learner", "lively", "Moves about at random, and helps its own moves."),
        Level("Player", "greedy", "Every unit walks to the nearest centre; nobody helps."),
        Level("Strategist", "dumb", "Weighs every province, and its orders help each other."),
        Level("Tunneller", "dumb_tunnel", "As the strategist, and it digs tunnels in secret."),
        Level("Club player", "club", "Learned by playing against itself. Digs few tunnels."),
    ),
}
"""Game -> rivals from the weakest to the strongest, by the results in docs/results.md, docs/carcassonne.md and
docs/eurotunnel.md."""
