"""What a position allows, and why an action is not legal, in the words of the rules.

The rule kernels say it: all code that describes a position to a person asks here, so that no rule is implemented twice.

Slow; for errors, play in the terminal and the browser table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.kernels import survey_game
from channel_tunnel_env.games.tunnel_1987.engine.state import new_workspaces
from channel_tunnel_env.games.tunnel_1987.words import SPACES_IN_WORDS
from channel_tunnel_env.outside.sentences import counted


@dataclass(frozen=True, slots=True)
class Capacity:
    """How much one seat may hold.

    Attributes:
        allowance: number of discs that a round start draws up to (rules 2.1).
        hand_limit: largest hand if the ruleset always caps hands (A19).
        keep_limit: largest number of discs kept on passing (rules 5.2).
        storage: storage spaces, filled or not.
    """

    allowance: int
    hand_limit: int
    keep_limit: int
    storage: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What one position allows.

    Attributes:
        legal: bool (A,), the legal ids; none when the game is over.
        sides: how much each seat may hold, Britain first.
        margin: how many discs higher the next stack must be than the one it replaces.
    """

    legal: NDArray[np.bool_]
    sides: tuple[Capacity, Capacity]
    margin: int


def survey(states: NDArray[Any], i: int, tables: NDArray[Any]) -> Survey:
    """What game i of an array of records allows in its current state."""
    legal = np.zeros((1, a.NUM_ACTIONS), np.int8)
    held = np.zeros((c.NUM_SEATS, len(Capacity.__slots__)), np.int16)
    margin = survey_game(states[i : i + 1], tables, new_workspaces(1), legal, held)
    britain, france = (Capacity(*row) for row in held.tolist())
    return Survey(legal[0].astype(np.bool_), (britain, france), int(margin))


PHASE_QUESTIONS = {
    "over": "the game is over",
    "window": "a round-start card, or the start of the round",
    "turn": "a placement, or pass",
    "keep": "how many discs of a colour to keep",
    "agenda": "keep or discard the agenda card",
    "tunnel_pay": "the two discs that pay for the Tunnel",
    "finance": "the card that Finance takes",
    "promotion": "the money that Promotion takes",
    "track": "the technology counter to move",
    "peek": "the face-down token to look at",
    "align": "money for alignment, or no more of it",
    "develop": "the card that Development takes",
    "rubble": "the stored token that the card costs",
    "chain": "a card's ability, or the end of the turn",
}


def explain_illegal(states: NDArray[Any], i: int, tables: NDArray[Any], action: int) -> str:
    """One clause on why `action` is not legal in game i of an array; "" if it is legal."""
    allowed = survey(states, i, tables)
    if allowed.legal[action]:
        return ""
    state = states.view(np.recarray)[i]
    phase = c.PHASES[int(state.phase)]
    if phase not in a.block_of(action).phase.split(", "):
        return f"now the game asks for {PHASE_QUESTIONS[phase]}"
    return _explain(state, tables[int(state.ruleset)], action, allowed)


def _explain(state: Any, rules: Any, action: int, allowed: Survey) -> str:
    """Why an action that belongs to this phase is not legal."""
    block = a.block_of(action)
    seat = int(state.to_play)
    if block.title == "place":
        return _explain_place(state, rules, seat, action, allowed.margin)
    if block.title == "keep":
        return _explain_keep(state, seat, action, allowed.sides[seat].keep_limit)
    if block.title == "pay":
        pair = (a.PAY_FIRST[action - a.PAY_0], a.PAY_SECOND[action - a.PAY_0])
        return "the area does not hold these two discs: " + _discs(state.discs[seat], pair)
    if block.title == "rubble":
        return f"no {c.COLOURS[action - a.RUBBLE_0]} token in storage"
    if block.title in ("take", "develop"):
        return "no card there that could be taken now"
    if block.title == "track":
        return "the counter is at its end or its barrier cannot be paid"
    if block.title == "rubble stop":
        return "the card's first token is yet to be placed"
    if block.title == "track none":
        return "the ruleset or the position does not allow Technology without a move"
    if block.title == "peek":
        return "no face-down token lies there"
    if block.title == "spend":
        return f"no money card of {action - a.SPEND_1 + 1} million"
    hand, most = int(state.discs[seat].sum()), allowed.sides[seat].hand_limit
    if a.USE_NEW_MATERIALS <= action <= a.USE_CONTROL_ROOM_2 and rules.hand_capped and hand >= most:
        return f"the area holds {hand} discs, and {most} is the most that it may hold"
    return (
        "no such card in the area that holds rubble, is unused this round, fits the action just "
        "taken and would have an effect"
    )


def _discs(counts: Any, colours: tuple[int, ...]) -> str:
    return ", ".join(f"{int(counts[colour])} {c.COLOURS[colour]}" for colour in sorted(set(colours)))


def _explain_keep(state: Any, seat: int, action: int, most: int) -> str:
    colour, n = divmod(action - a.KEEP_0, 6)
    asked = int(state.keep_colour)
    if colour != asked:
        return f"now it asks for {c.COLOURS[asked]}"
    held = int(state.discs[seat, colour])
    if n > held:
        return f"the area holds {held} {c.COLOURS[colour]}"
    return f"at most {most} discs may be kept in all"


def _explain_place(state: Any, rules: Any, seat: int, action: int, margin: int) -> str:
    space, option, colour = action // 10, action // 5 % 2, action % 5
    held, height = int(state.discs[seat, colour]), int(state.stack_height[space])
    if held == 0:
        return f"{c.SEATS[seat].title()} holds no {c.COLOURS[colour]} discs"
    if space >= c.FIRST_SLOT and state.slots[space - c.FIRST_SLOT] < 0:
        return f"no card lies on {SPACES_IN_WORDS[c.SPACES[space]]}"
    if height >= rules.per_colour:
        return f"{SPACES_IN_WORDS[c.SPACES[space]]} holds {height}: no stack can beat that this round"
    if held < height + margin:
        why = " (Supervision asks for two more)" if margin == 2 else ""
        needs = counted(height + margin, "disc")
        return f"{SPACES_IN_WORDS[c.SPACES[space]]} holds {height}, so it takes {needs}{why}, not {held}"
    return _explain_action(state, seat, _kind(state, rules, space, option), space)


def _kind(state: Any, rules: Any, space: int, option: int) -> int:
    if space < c.FIRST_SLOT:
        return space * 2 + option
    return c.DEVELOP if option else int(rules.card_secondary[int(state.slots[space - c.FIRST_SLOT])])


def _explain_action(state: Any, seat: int, kind: int, space: int) -> str:
    name = c.ACTION_KINDS[kind].capitalize()
    if kind == c.PLAN:
        return f"{name}: every own token is face up already"
    if kind == c.TUNNEL:
        if state.revealed[seat] <= state.tbm[seat]:
            return f"{name}: the token in front of the machine is face down"
        front = c.COLOURS[int(state.route_colour[seat, int(state.tbm[seat])])]
        return (
            f"{name}: it takes a free storage space and, after the placement, one {front} disc or any "
            "two discs in the area"
        )
    if kind == c.FINANCE:
        return f"{name}: no slot shows a card"
    if kind == c.TECHNOLOGY:
        return f"{name}: no counter can move: the end is reached or the barrier cannot be paid"
    return f"{name}: the card on {SPACES_IN_WORDS[c.SPACES[space]]} costs rubble, and the storage is empty"


def describe_refusal(states: NDArray[Any], i: int, tables: NDArray[Any], action: int) -> str:
    """The whole message of an IllegalActionError, for game i of an array of records."""
    phase = c.PHASES[int(states["phase"][i])]
    reason = explain_illegal(states, i, tables, action)
    return f"{a.action_name(action)!r} is not legal in phase {phase}" + (f": {reason}" if reason else "")
