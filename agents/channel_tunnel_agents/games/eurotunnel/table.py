"""Eurotunnel Diplomacy at the table: how orders are judged, and what the designer's page shows.

Orders are judged beside those of the Club player, read with what the others ordered. What both sets of answers bring is counted in
centres in hand: those where a unit of the power stands, and its own that are empty. Orders are counted as soon as they are read;
retreats, builds and removals after the orders of the next fall, because they bring nothing at once. The guesses at what the others answer, which were unknown, give the mark. In a guess each seat
draws its n-th answer in a phase by one number, regardless of the power's answers: so what two sets of answers bring differs by luck
as little as possible. The phase and those after it are played again by the Club player.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.judge import draw_actions
from channel_tunnel_agents.table.design.game import DesignedGame
from channel_tunnel_agents.table.minds.reviewed import ReviewedGame, Stretch, mark_of_changes, suspect_by_policy
from channel_tunnel_env import BatchGame
from channel_tunnel_env.batch import NO_ACTION
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.board.written import draw_compared
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.rule_words import RULE_WORDS
from channel_tunnel_env.games.eurotunnel.words import choice_words

GUESSES = 16
_TURNS, _PHASES = 3, 3  # from one fall to the orders of the next; of a turn
_ANSWERS = 64  # of a seat in a phase for which there are different numbers


def play_on(club: PolicyAgent, stretch: Stretch, sets: Sequence[Sequence[int]]) -> NDArray[Any]:
    """The positions that sets of answers of the seat lead to: records (sets, GUESSES).

    A movement phase is played on its own; retreats, builds and removals are played on until the orders of the next fall are read.
    """
    game = stretch.start
    batch = BatchGame.from_games([game] * (len(sets) * GUESSES))
    own = [list(answers) for answers in sets for _ in range(GUESSES)]
    seat, phase, first = game.seat_index(stretch.seat), int(game.states["phase"][0]), _turn(game)
    numbers = np.random.default_rng(0).random((GUESSES, _TURNS, _PHASES, c.NUM_POWERS, _ANSWERS), np.float32)
    answered = np.zeros((batch.num_games, _TURNS, _PHASES, c.NUM_POWERS), np.int64)
    while (live := _going(batch.records, last_turn(game))).size:
        states = batch.records[live]
        asked = (states["turn"] - first, states["phase"], states["to_play"])
        nth = answered[live, *asked]
        log_probs, _ = club.think(batch.observations[live], batch.masks[live])
        drawn = draw_actions(log_probs, numbers[live % GUESSES, *asked, nth % _ANSWERS])
        answered[live, *asked] = nth + 1
        actions = np.full(batch.num_games, NO_ACTION, np.int64)
        actions[live] = drawn
        mine = (asked[0] == 0) & (asked[1] == phase) & (asked[2] == seat)
        for row in live[mine]:
            actions[row] = own[int(row)].pop(0)
        batch.step_unchecked(actions)
    return batch.records.copy().reshape(len(sets), GUESSES)


def last_turn(game: Any) -> int:
    """The turn whose orders are the last that are played: the present one, or the next fall."""
    state = game.states[0]
    if state["phase"] == c.MOVEMENT:
        return _turn(game)
    return _turn(game) + (1 if state["season"] == c.SPRING else 2)


def _turn(game: Any) -> int:
    return int(game.states["turn"][0])


def _going(states: NDArray[Any], last: int) -> NDArray[np.intp]:
    """The rows whose last orders are not read yet."""
    turn, phase = states["turn"], states["phase"]
    ordered = (turn < last) | ((turn == last) & (phase == c.MOVEMENT))
    return np.flatnonzero(ordered & (phase != c.OVER))


def in_hand(states: NDArray[Any], seat: int) -> NDArray[np.int64]:
    """Centres where a unit of the seat stands, and its own that are empty, in each of the records: of their shape."""
    centres = np.array(load_board().centres)
    stands, owner = states["unit_power"][..., centres], states["owner"][..., centres]
    counted: NDArray[np.int64] = ((stands == seat) | ((stands < 0) & (owner == seat))).sum(axis=-1)
    return counted


JUDGE = "club"
MARKS = (1.0, 0.5, 0.25)
"""Centres in hand that were lost on average, from which on answers are a blunder, a mistake, an inaccuracy."""
ABOUT = (
    "The Club player writes orders in your place, retreats and builds as well. Its and yours are read with those that the others gave, and with "
    f"{GUESSES} guesses of the Club player at them; the guesses alone give the mark. It counts the centres in hand right after the "
    "orders: those where your unit stands, and your own empty ones. After retreats, builds and removals it plays on for all powers, "
    "and counts when the orders of the next fall are read. It knows of no agreement and no plan for later."
)
Answers = dict[str, list[int]]
"""Seat -> its answers in a phase, in their order."""
_QUESTIONS = (c.PERMIT, c.PERMIT_DONE, c.VOTE_NO, c.VOTE_DRAW)
"""Kinds of answers that are no orders: they are not judged."""


def _phase(game: Game) -> Hashable | None:
    key: Hashable = game.phase_key  # type: ignore[attr-defined]
    return key


def weigh(club: PolicyAgent, stretch: Stretch) -> dict[str, Any]:
    """The answers of a power in a phase beside those of the Club player; see `ReviewedGame.weigh`."""
    given = _answers(stretch)
    mine, theirs = given[stretch.seat], _answers_of(club, stretch, given)
    sets = [_written(stretch, given, answers) for answers in (mine, theirs)]
    written, wished = ([words for _, _, words in answers] for answers in sets)
    judged: dict[str, Any] = {
        "side": stretch.seat,
        "when": _when(stretch.start),
        "words": ", ".join(written) or "nothing written",
        "only": not written,
        "mark": "",
        "short": "",
        "better": None,
    }
    if set(written) == set(wished):
        judged["sentences"] = [f"The Club player would have given the same {_what(stretch.start)}."]
        return judged
    # A set that is a part of what was written ends by building no more, which is not asked where nothing is left to build.
    other = [words for words in wished if words not in written] or [choice_words(stretch.start, c.ID_WAIVE)]
    given_map, other_map = ([(game, action) for game, action, _ in answers] for answers in sets)
    judged["drawn"] = draw_compared(given_map, other_map, ("ordered", "Club player"))
    found = in_hand(play_on(club, stretch, (mine, theirs)), stretch.start.seat_index(stretch.seat)).astype(np.float64)
    judged["mark"] = mark_of_changes(found[1] - found[0], MARKS)
    # Means of centres to a quarter: the guesses do not bear more.
    after, before = (f"{round(4 * float(mean)) / 4:g}" for mean in found.mean(axis=1))
    judged["sentences"] = [
        f"The Club player would have {_chosen(stretch.start)}: {', '.join(other)}.",
        *_really(stretch, given, (mine, theirs)),
        f"On average over {GUESSES} guesses at the others' orders: {after} {_counted(stretch.start)} after yours, {before} after its "
        f"{_what(stretch.start)}.",
    ]
    if judged["mark"]:
        judged["short"] = (
            f"{after} \N{RIGHTWARDS ARROW} {before} centres in hand with the Club player's {_what(stretch.start)}"
        )
        judged["better"] = {"words": ", ".join(other), "path": []}
    else:
        judged["sentences"].append("The difference is small, or may be luck of the guesses.")
    return judged


# --- words ----------------------------------------------------------------------------------------


def _when(game: Game) -> str:
    """Such as "Fall 1901"; of retreats it says so, because the season has orders as well."""
    season = table_of(game.spec).question(game).partition(":")[0]
    return f"{season}, retreats" if game.phase == "retreats" else season


def _what(game: Game) -> str:
    return {"movement": "orders", "retreats": "retreats", "adjustments": "choice"}[str(game.phase)]


def _chosen(game: Game) -> str:
    return "chosen" if game.phase == "adjustments" else "ordered"


def _counted(game: Game) -> str:
    """What is counted, and when."""
    if game.phase == "movement":
        return "centres in hand"
    return "centres in hand when the orders of the next fall are read,"


def _really(stretch: Stretch, given: Answers, sets: Sequence[Sequence[int]]) -> list[str]:
    """What orders would have brought beside those that the others really gave; later phases would have been others."""
    if stretch.start.phase != "movement":
        return []
    seat = stretch.start.seat_index(stretch.seat)
    ends = [_play_phase(stretch, _in_turn(given | {stretch.seat: list(answers)}))[0] for answers in sets]
    after, before = (int(in_hand(end.states[0], seat)) for end in ends)
    return [
        f"With the orders that the others really gave: {_centres(after)} in hand after yours, {before} after its orders."
    ]


def _centres(number: int) -> str:
    return f"{number} centre{'' if number == 1 else 's'}"


# --- a phase once more ----------------------------------------------------------------------------


def _answers(stretch: Stretch) -> Answers:
    """What every seat really answered."""
    actions = iter(stretch.actions)
    return _play_phase(stretch, lambda game: next(actions))[1]


def _answers_of(club: PolicyAgent, stretch: Stretch, given: Answers) -> list[int]:
    """The Club player's answers in the place of the seat."""
    others = _in_turn(given)

    def answer(game: Game) -> int:
        if game.to_play != stretch.seat:
            return others(game)
        return int(club(game.observation()[None], game.action_mask[None])[0])

    return _play_phase(stretch, answer)[1][stretch.seat]


def _written(stretch: Stretch, given: Answers, own: Sequence[int]) -> list[tuple[Game, int, str]]:
    """What the seat writes about units: the game at each question, the answer, and its words."""
    face: Any = table_of(stretch.start.spec)
    answers, found = _in_turn(given | {stretch.seat: list(own)}), []

    def answer(game: Game) -> int:
        action = answers(game)
        if game.to_play == stretch.seat and all_actions()[action].kind not in _QUESTIONS:
            found.append((game.clone([]), action, face.answer_words(game, action)))
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


REVIEWED = ReviewedGame(
    suspect=suspect_by_policy, weigh=weigh, judge=JUDGE, about=ABOUT, stretch=_phase, needs_all=True
)


DESIGNED = DesignedGame(
    units=(
        (r"tunnels_per_power|tunnels_per_turn|tunnels_per_province", "tunnels"),
        (r"victory_centres", "supply centres"),
    ),
    label=lambda key: RULE_WORDS.names[key],
    values=RULE_WORDS.values,
)
