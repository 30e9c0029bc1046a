"""What 1987 Channel Tunnel tells the measurements of itself."""

from __future__ import annotations

from channel_tunnel_agents.balance.measuring.game import STEP, Effect, MeasuredGame
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

# Numbers a designer can turn without touching another one, by how they are written.
LEVERS = (
    r"barriers\.\w+\.[ab]\.\d+",
    r"storage\.\w+",
    r"deviation\.water_draws\.\w+",
    r"scoring\.(centre_bonus|centre_per_rival_token|political_duel|european_speech|media_relations)",
    r"extra_finance",
    r"discs\.hand",
    r"head_start\.\w+\.\w+",
)


def _sources(ruleset: Ruleset) -> tuple[str, ...]:
    return tuple(s for s in c.STREAMS if s != "agenda" or ruleset.data.agenda.enabled)


GAME = MeasuredGame(
    levers=dict.fromkeys(LEVERS, STEP),
    idle=lambda ruleset: frozenset(),
    effects={
        "rounds": Effect("rounds", lambda batch: batch.states["round_no"]),
        "stopped": Effect("stopped", lambda batch: batch.states["end_cause"] >= c.FIRST_STOP, True),
    },
    deficits=((1, 2), (3, 4), (5, 7), (8, 11), (12, None)),
    turn_phase=c.TURN,
    playout="heuristic",
    judge="rollout:8",
    sources=_sources,
)
