"""What a move did, in words: payments and deviation cards are never left out."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.board.narration import narrate
from channel_tunnel_env.games.tunnel_1987.engine import constants as c


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_every_payment_and_every_card_drawn_is_told(name: str) -> None:
    bored = drawn = given = 0
    for seed in range(6):
        game = Game(name, seed)
        while not game.is_over:
            before = game.clone()
            ids = game.legal_ids()
            game.play(ids[(len(game.actions) * 7919 + seed) % len(ids)])
            entry = narrate(before, game.action_ids[-1], game)
            told = "; ".join(entry.notes)
            seat = before.mover
            who = c.SEATS[seat].capitalize()
            old, new = before.state, game.state
            if int(new.tbm[seat]) > int(old.tbm[seat]) and new.round_no == old.round_no:
                bored += 1
                assert re.search(rf"{who} pays (1 \w+|2 \w+|1 \w+, 1 \w+) for the Tunnel", told), told
            if int(sum(new.tally_draws)) > int(sum(old.tally_draws)):
                drawn += 1
                assert " draws " in told
                for colour, level in entry.drawn:
                    assert f"{'colourless' if colour == 'none' else colour} {-level}" in told
            if sum(map(int, old.storage[seat])) > sum(map(int, new.storage[seat])):
                given += 1
                assert f"{who} gives" in told
    assert bored and drawn and given
