"""A game's record in the oracle's words, and the engine's log of luck as its chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env import Game, Ruleset
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.rng import LUCK_WRITE
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.state import new_workspaces


class LoggedChance:
    """Hands the oracle the outcomes that the engine met."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.names = {
            "rubble": _token_names(ruleset),
            "cards": ruleset.card_keys,
            "deviation": list(ruleset.data.deviation.cards),
            "agenda": list(c.AGENDA_KINDS),
        }
        self.queue: list[tuple[str, Any]] = []

    def load(self, log: np.ndarray, stop: int) -> None:
        """Queue what a log holds."""
        place = 0
        while place < stop:
            stream = int(log[place])
            if stream == c.DISC_STREAM:
                self.queue.append(("disc", c.COLOURS[log[place + 1]]))
                place += 2
            else:
                size = int(log[place + 1])
                names = self.names[c.STREAMS[stream]]
                items = [names[i] for i in log[place + 2 : place + 2 + size]]
                self.queue.append((c.STREAMS[stream], items))
                place += 2 + size

    def shuffle(self, stream: str, items: list[str]) -> list[str]:
        name, outcome = self.queue.pop(0)
        assert name == stream, f"the engine drew {name}, the oracle asks for {stream}"
        assert sorted(outcome) == sorted(items), f"{stream}: {outcome} against {items}"
        # The engine's decks are stored bottom first.
        return outcome[::-1] if stream == "cards" else list(outcome)

    def draw_disc(self, seat: int, bag: dict[str, int]) -> str:
        name, colour = self.queue.pop(0)
        assert name == "disc", f"the engine drew {name}, the oracle asks for a disc"
        assert bag[colour] > 0
        return colour


class LoggedGame:
    """A game whose luck is written down."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.game = Game(ruleset, seed)
        self.work = new_workspaces(1)
        self.chance = LoggedChance(ruleset)
        self._run(kernels.START, seed)

    def play(self, action: int) -> None:
        assert self._run(kernels.PLAY, action)

    def _run(self, command: int, argument: int) -> bool:
        self.work["luck_mode"], self.work["luck_place"] = LUCK_WRITE, 0
        done = self.game._run(command, argument, self.work)
        assert self.work["luck_misfit"][0] == 0, "the log overflowed"
        self.chance.load(self.work["luck"][0], int(self.work["luck_place"][0]))
        return done


def _token_names(ruleset: Ruleset) -> list[str]:
    rubble = ruleset.data.rubble
    return [
        colour + ("*" if i < getattr(rubble.agenda_symbols, colour) else "")
        for colour in c.COLOURS
        for i in range(getattr(rubble.tokens, colour))
    ]


def snapshot(game: Game) -> dict[str, Any]:
    """What `Oracle.snapshot` returns, read from the engine's record."""
    s, keys = game.state, game.ruleset.card_keys
    deviation = list(game.ruleset.data.deviation.cards)
    drawn, agenda = int(s.deviation_drawn), game.ruleset.data.agenda.enabled
    order = [deviation[i] for i in s.deviation_deck[: len(deviation)]]
    return {
        "round": int(s.round_no),
        "to_play": game.to_play,
        "phase": str(game.phase),
        "first_player": c.SEATS[s.first_player],
        "passed": [c.SEATS[i] for i in (0, 1) if s.passed[i]],
        "spaces": {
            name: {c.COLOURS[s.stack_colour[i]]: int(s.stack_height[i])}
            for i, name in enumerate(c.SPACES)
            if s.stack_height[i]
        },
        "display": [keys[card] if card >= 0 else None for card in s.slots],
        "deck": [keys[card] for card in s.deck[: s.deck_size][::-1]],
        "discard": sorted(_set(int(s.discard), keys)),
        "deviation_deck": order[drawn:],
        "deviation_discard": sorted(order[:drawn]),
        "agenda_deck": [c.AGENDA_KINDS[k] for k in s.agenda_deck[s.agenda_drawn :]] if agenda else [],
        "bag": _counts(s.bag),
        "out_of_game": _counts(s.out_of_game),
        "empty_rounds": int(s.empty_rounds),
        "winner": game.winner,
        "end_cause": game.end_cause,
    } | {c.SEATS[seat]: _side(game, seat) for seat in (0, 1)}


def _side(game: Game, seat: int) -> dict[str, Any]:
    s, keys, length = game.state, game.ruleset.card_keys, game.ruleset.data.route.length
    return {
        "discs": _counts(s.discs[seat]),
        "tbm": int(s.tbm[seat]),
        "route": [
            ("" if i < s.revealed[seat] else "?")
            + c.COLOURS[s.route_colour[seat, i]]
            + ("*" if s.route_symbol[seat, i] else "")
            for i in range(int(s.tbm[seat]), length)
        ],
        "storage": sorted(colour for i, colour in enumerate(c.COLOURS) for _ in range(s.storage[seat, i])),
        "deviation": int(s.deviation[seat]),
        "technology": [int(n) for n in s.counter[seat]],
        "money": [keys[card] for card in s.money_order[seat, : s.money_count[seat]]],
        "cards": [
            {
                "card": key,
                "rubble": [c.COLOURS[t - 1] for t in s.card_rubble[keys.index(key)] if t],
                "used": bool((int(s.used) >> keys.index(key)) & 1),
            }
            for key in sorted(_set(int(s.area[seat]), keys))
        ],
        "agenda": {
            "pending": c.AGENDA_KINDS[s.agenda_pending[seat]] if s.agenda_pending[seat] >= 0 else None,
            "completed": sorted(_set(int(s.agenda_completed[seat]), list(c.AGENDA_KINDS))),
        },
        "peeked": sorted(
            [c.SEATS[side], i]
            for side in (0, 1)
            for i in range(int(s.revealed[side]), length)
            if (int(s.peeked[seat, side]) >> i) & 1
        ),
    }


def _set(mask: int, names: list[str]) -> list[str]:
    return [name for i, name in enumerate(names) if (mask >> i) & 1]


def _counts(counts: Any) -> dict[str, int]:
    return {c.COLOURS[i]: int(n) for i, n in enumerate(counts) if n}
