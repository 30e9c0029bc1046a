"""The 1987 game's rules bound to the loops of `core.kernels`, and one entry point of its own."""

from __future__ import annotations

from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.kernels import fill_mask
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.determinize import determinize
from channel_tunnel_env.games.tunnel_1987.engine.legality import (
    allowance,
    hand_limit,
    keep_limit,
    list_legal,
    stack_margin,
    storage_space,
)
from channel_tunnel_env.games.tunnel_1987.engine.observation import fill_observation
from channel_tunnel_env.games.tunnel_1987.engine.scoring import fill_scores
from channel_tunnel_env.games.tunnel_1987.engine.setup import set_up
from channel_tunnel_env.games.tunnel_1987.engine.state import STATE_DTYPE
from channel_tunnel_env.games.tunnel_1987.engine.transition import apply_action


@compiled
def is_asked(state, rules):
    """A window, chain or alignment with only "done" to answer is never asked.

    Other decisions with one answer are asked if the ruleset switches `auto_forced` off (rules 9.2).
    """
    phase = state.phase
    return not rules.auto_forced and phase != c.WINDOW and phase != c.CHAIN and phase != c.ALIGN


@compiled
def is_over(state):
    """The game has ended."""
    return state.phase == c.OVER


@compiled
def fill_result(state, rules, rewards, row):
    """1 for the winner, -1 for the loser; zeros after a draw and while the game goes on."""
    result = britain_result(state)  # two seats: what one wins, the other loses
    rewards[row, 0] = result
    rewards[row, 1] = -result


@compiled
def britain_result(state):
    """The outcome for Britain: 1, 0 or -1; 0 while the game goes on."""
    # Until the end `winner` is NOBODY, which must not count as a win of France.
    if state.phase != c.OVER or state.winner == c.DRAW:
        return 0
    return 1 if state.winner == c.BRITAIN else -1


# By the type of the record: the loops of `core.kernels` find the rules of a game by it.
verbs.bind(
    STATE_DTYPE,
    set_up=set_up,
    list_legal=list_legal,
    is_asked=is_asked,
    apply_action=apply_action,
    is_over=is_over,
    fill_result=fill_result,
    fill_scores=fill_scores,
    fill_observation=fill_observation,
    determinize=determinize,
)


@kernel
def survey_game(states, tables, work, masks, held):
    """What the first game of an array allows in its current state (see `explain.survey`).

    Fills row 0 of `masks` with the legal ids. Fills `held` int16 (2, 4), one row per seat, with its
    allowance, hand limit, keep limit and storage spaces. Returns the margin of the next stack.
    """
    state = states[0]
    rules = tables[int(state.ruleset)]
    # The rule kernels answer themselves, so that no rule is written twice for the pictures.
    fill_mask(work[0], list_legal(state, rules, work[0]), masks, 0)
    for seat in range(c.NUM_SEATS):
        held[seat, 0] = allowance(state, rules, seat)
        held[seat, 1] = hand_limit(state, rules, seat)
        held[seat, 2] = keep_limit(state, rules, seat)
        held[seat, 3] = storage_space(state, rules, seat)
    return stack_margin(state, rules, int(state.to_play))
