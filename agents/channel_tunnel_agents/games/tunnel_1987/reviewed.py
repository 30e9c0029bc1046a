"""How moves of 1987 Channel Tunnel are judged: each decision by itself, by a policy that the person chooses."""

from __future__ import annotations

from typing import Any, cast

from channel_tunnel_agents.table.minds.reviewed import ReviewedGame, Stretch, suspect_by_policy
from channel_tunnel_env import Game


def _weigh(policy: Any, stretch: Stretch) -> dict[str, Any]:
    from channel_tunnel_agents.table.minds.review import weigh_move

    return weigh_move(policy, cast(Game, stretch.start), stretch.actions[0])


GAME = ReviewedGame(suspect=suspect_by_policy, weigh=_weigh)
