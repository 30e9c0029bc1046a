"""How orders of Eurotunnel Diplomacy are judged: beside those of the Club player, read with what the others ordered.

Only movement phases are judged. What both sets of orders would have brought is counted in centres in hand: those where a unit of
the power stands, and its own that are empty. Once they are read with the orders that the others really gave, which nobody knew, and
once with those that the Club player may have given in their place. That of these guesses gives the mark.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.choosing import draw_actions
from channel_tunnel_agents.table.minds.reviewed import (
    ReviewedGame,
    Stretch,
    mark_of_changes,
    suspect_by_policy,
)
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.games.eurotunnel.explain import asked_unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board

JUDGE = "club"
GUESSES = 16
MARKS = (1.0, 0.5, 0.25)
"""Centres in hand that were lost on average, from which on orders are a blunder, a mistake, an inaccuracy."""
ABOUT = (
    "The Club player writes orders in your place. Its orders and yours are read with those that the others gave, and with "
    f"{GUESSES} guesses of the Club player at them; the guesses alone give the mark. It counts the centres in hand right after the "
    "orders: those where your unit stands, and your own empty ones. It knows of no agreement and no plan for later."
)
Answers = dict[str, list[int]]
"""Seat -> its answers in a phase, in their order."""


def _phase(game: Game) -> Hashable | None:
    key: Hashable = game.phase_key  # type: ignore[attr-defined]
    return key if game.phase == "movement" else None


def weigh(club: PolicyAgent, stretch: Stretch) -> dict[str, Any]:
    """The orders of a power beside those of the Club player; see `ReviewedGame.weigh`."""
    given = _answers(stretch)
    mine, theirs = given[stretch.seat], _orders_of(club, stretch, given)
    written, wished = _written(stretch, given, mine), _written(stretch, given, theirs)
    judged: dict[str, Any] = {
        "side": stretch.seat,
        "when": table_of(stretch.start.spec).question(stretch.start).partition(":")[0],
        "words": ", ".join(written) or "no orders",
        "only": not written,
        "mark": "",
        "short": "",
        "better": None,
    }
    other = [order for order in wished if order not in written]
    if not other:
        judged["sentences"] = ["The Club player would have given the same orders."]
        return judged
    really = [_in_hand(stretch, given, answers) for answers in (mine, theirs)]
    guesses = [_guess(club, stretch, given, world) for world in range(GUESSES)]
    found = np.array(
        [[_in_hand(stretch, guess, answers) for answers in (mine, theirs)] for guess in guesses],
        np.float64,
    )
    judged["mark"] = mark_of_changes(found[:, 1] - found[:, 0], MARKS)
    after, before = (_round(float(mean)) for mean in found.mean(axis=0))
    judged["sentences"] = [
        f"The Club player would have ordered: {', '.join(other)}.",
        f"With the orders that the others really gave: {_centres(really[0])} in hand after yours, {really[1]} after its orders.",
        f"On average over {GUESSES} guesses at the others' orders: {after} after yours, {before} after its orders.",
    ]
    if judged["mark"]:
        judged["short"] = (
            f"{after} \N{RIGHTWARDS ARROW} {before} centres in hand with the Club player's orders"
        )
        judged["better"] = {"words": ", ".join(other), "path": []}
    else:
        judged["sentences"].append("The difference is small, or may be luck of the guesses.")
    return judged


def _answers(stretch: Stretch) -> Answers:
    """What every seat really answered."""
    game = stretch.start.clone()
    found: Answers = {seat: [] for seat in game.seats}
    for action in stretch.actions:
        found[str(game.to_play)].append(action)
        game.play(action)
    return found


def _orders_of(club: PolicyAgent, stretch: Stretch, given: Answers) -> list[int]:
    """The Club player's answers in the place of the seat."""
    others = _in_turn(given)

    def answer(game: Game) -> int:
        if game.to_play != stretch.seat:
            return others(game)
        return int(club(game.observation()[None], game.action_mask[None])[0])

    return _play_phase(stretch, answer)[1][stretch.seat]


def _guess(club: PolicyAgent, stretch: Stretch, given: Answers, seed: int) -> Answers:
    """Answers that the Club player may have given in the place of the others, drawn by their probabilities."""
    own, rng = _in_turn(given), np.random.default_rng(seed)

    def answer(game: Game) -> int:
        if game.to_play == stretch.seat:
            return own(game)
        log_probs, _ = club.think(game.observation()[None], game.action_mask[None])
        return int(draw_actions(log_probs, rng.random(1, np.float32))[0])

    return _play_phase(stretch, answer)[1]


def _in_hand(stretch: Stretch, given: Answers, own: Sequence[int]) -> int:
    """Centres in hand of the seat, after its own answers and those that are given of the others."""
    game, _ = _play_phase(stretch, _in_turn(given | {stretch.seat: list(own)}))
    state, seat = game.states[0], game.seat_index(stretch.seat)
    centres = np.array(load_board().centres)
    stands, owner = state["unit_power"][centres], state["owner"][centres]
    return int(((stands == seat) | ((stands < 0) & (owner == seat))).sum())


def _written(stretch: Stretch, given: Answers, own: Sequence[int]) -> list[str]:
    """The orders among the answers of the seat, in the notation of orders."""
    face: Any = table_of(stretch.start.spec)
    answers, found = _in_turn(given | {stretch.seat: list(own)}), []

    def answer(game: Game) -> int:
        action = answers(game)
        if game.to_play == stretch.seat and asked_unit(game.states[0]):
            found.append(face.answer_words(game, action))
        return action

    _play_phase(stretch, answer)
    return found


def _play_phase(stretch: Stretch, answer: Callable[[Game], int]) -> tuple[Game, Answers]:
    """The game after the phase, whose questions `answer` answers, and what every seat answered."""
    game = stretch.start.clone()
    found: Answers = {seat: [] for seat in game.seats}
    while not game.is_over and _phase(game) == _phase(stretch.start):
        action = answer(game)
        found[str(game.to_play)].append(action)
        game.play(action)
    return game, found


def _in_turn(given: Answers) -> Callable[[Game], int]:
    """Each seat's answers one after the other."""
    left = {seat: list(answers) for seat, answers in given.items()}
    return lambda game: left[str(game.to_play)].pop(0)


def _round(centres: float) -> str:
    """A mean of centres to a quarter: the guesses do not bear more."""
    return f"{round(4 * centres) / 4:g}"


def _centres(number: int) -> str:
    return f"{number} centre{'' if number == 1 else 's'}"


GAME = ReviewedGame(
    suspect=suspect_by_policy, weigh=weigh, judge=JUDGE, about=ABOUT, stretch=_phase, needs_all=True
)
