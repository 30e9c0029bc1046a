"""Entry points of the engine that only tests call: parts of a turn."""

from __future__ import annotations

from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.games.carcassonne.engine.scoring import score_end
from channel_tunnel_env.games.carcassonne.engine.transition import begin_turn


@kernel
def begin_turn_in_game(states, i, tables, work):
    """Draw the next tile of game i that fits."""
    begin_turn(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def end_scoring(states, i, tables, work):
    """Add the final scoring to the totals of game i as it stands."""
    score_end(states[i], tables[int(states[i].ruleset)], work[0])
