"""The measures of a game: what a game without a share of wins is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.games.tunnel_1987.measures import GAME


def test_a_game_without_a_share_of_wins_is_refused_in_one_line() -> None:
    assert GAME.share.name == "britain_wins"
    lacks = replace(GAME, known={"rounds": GAME.known["rounds"]})
    with pytest.raises(AgentError, match="none of rounds is a share of wins of a seat"):
        _ = lacks.share
