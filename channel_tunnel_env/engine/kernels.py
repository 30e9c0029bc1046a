"""The loops over a batch, and the entry points that Python calls.

Order of every step, written here once: apply -> resolve what has one answer -> (autoreset) -> mask ->
observation. Outputs are buffers of the caller. B games, A = 171 actions, D observation floats.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.engine.constants import (
    BRITAIN,
    DRAW,
    FIRST_TRUNCATION,
    MAX_TOKENS,
    OVER,
)
from channel_tunnel_env.engine.determinize import determinize
from channel_tunnel_env.engine.jit import compiled, kernel
from channel_tunnel_env.engine.legality import list_legal
from channel_tunnel_env.engine.observation import fill_observation
from channel_tunnel_env.engine.rng import mix, next_seed
from channel_tunnel_env.engine.scoring import fill_scores
from channel_tunnel_env.engine.setup import set_up
from channel_tunnel_env.engine.transition import advance, apply_action

START, PLAY, SETTLE = range(3)
_U32 = np.uint64(32)


@compiled
def britain_result(state):
    """The outcome in Britain's view: 1, 0 or -1; 0 while the game goes on."""
    if state.phase != OVER or state.winner == DRAW:
        return 0
    return 1 if state.winner == BRITAIN else -1


@compiled
def fill_mask(legal, count, mask):
    """Set `mask` (int8[A]) from a list of legal ids."""
    mask[:] = 0
    for k in range(count):
        mask[int(legal[k])] = 1


@compiled
def _start_game(states, i, tables, seed, ruleset, blank, log, legal):
    """Game i anew: zeroed record, set-up, first real decision. Returns the number of legal ids."""
    states[i] = blank[0]
    state = states[i]
    rules = tables[ruleset]
    state.ruleset = ruleset
    set_up(state, rules, seed, log, legal)
    return advance(state, rules, legal, log)


@kernel
def run_game(states, i, tables, command, argument, blank, log, legal, mask):
    """Do one of the commands to game i and fill its mask (int8[A]).

    START sets it up from the seed `argument` (`blank` is one zeroed record), PLAY takes the action
    `argument`, SETTLE resolves what has one answer after a position was loaded. Returns False, the
    game unchanged, where the action is illegal. One kernel, so that it compiles once.
    """
    state = states[i]
    rules = tables[int(state.ruleset)]
    if command == START:
        count = _start_game(states, i, tables, argument, int(state.ruleset), blank, log, legal)
    else:
        if command == PLAY:
            if argument < 0 or argument >= mask.shape[0] or mask[argument] == 0:
                return False
            apply_action(state, rules, argument, log)
        count = advance(state, rules, legal, log)
    fill_mask(legal, count, mask)
    return True


@kernel
def copy_game(source, i, target, j):
    """Game i of one array becomes game j of another."""
    target[j] = source[i]


@kernel
def apply_one(states, i, tables, action, log):
    """Game i: one action and nothing that follows by itself."""
    state = states[i]
    apply_action(state, tables[int(state.ruleset)], action, log)


@kernel
def observe_game(states, i, tables, viewer, out):
    """What `viewer` sees of game i."""
    state = states[i]
    fill_observation(state, tables[int(state.ruleset)], viewer, out)


@kernel
def score_game(states, i, tables, out):
    """Points by source of both seats, out int16[2, sources + 1], the total last."""
    state = states[i]
    rules = tables[int(state.ruleset)]
    for seat in range(2):
        out[seat, out.shape[1] - 1] = fill_scores(state, rules, seat, out[seat])


@kernel
def determinize_game(states, i, tables, viewer, seed, log, legal):
    """Re-deal in game i what `viewer` cannot know."""
    state = states[i]
    determinize(state, tables[int(state.ruleset)], viewer, seed, log, legal)


@kernel
def reset_batch(states, start, stop, tables, chosen, seeds, rulesets, blank, log, masks, observations, to_play):
    """Start the games of rows start..stop-1 where `chosen` is set."""
    legal = np.empty(masks.shape[1], np.int16)
    for i in range(start, stop):
        if chosen[i]:
            count = _start_game(states, i, tables, seeds[i], int(rulesets[i]), blank, log, legal)
            _fill_outputs(states, i, tables, legal, count, masks, observations, to_play)


@compiled
def _fill_outputs(states, i, tables, legal, count, masks, observations, to_play):
    state = states[i]
    fill_mask(legal, count, masks[i])
    to_play[i] = state.to_play
    if observations.shape[0] > 0:
        fill_observation(state, tables[int(state.ruleset)], int(state.to_play), observations[i])


@kernel
def step_batch(
    states,
    start,
    stop,
    tables,
    actions,
    autoreset,
    blank,
    log,
    masks,
    observations,
    to_play,
    rewards,
    terminated,
    truncated,
    final_states,
):
    """One action in each of the rows start..stop-1; finished games start anew if `autoreset`.

    Fills rewards (B, 2) by seat, and keeps the last record of a game that was reset in
    `final_states`. Rows whose action is negative, or whose game is over, are left alone.
    """
    legal = np.empty(masks.shape[1], np.int16)
    for i in range(start, stop):
        state = states[i]
        rewards[i, 0] = 0.0
        rewards[i, 1] = 0.0
        terminated[i] = False
        truncated[i] = False
        if state.phase == OVER or actions[i] < 0:
            continue
        rules = tables[int(state.ruleset)]
        apply_action(state, rules, int(actions[i]), log)
        count = advance(state, rules, legal, log)
        if count == 0:
            result = britain_result(state)
            rewards[i, 0] = result
            rewards[i, 1] = -result
            truncated[i] = state.end_cause >= FIRST_TRUNCATION
            terminated[i] = not truncated[i]
            final_states[i] = states[i]
            if autoreset:
                seed = next_seed(int(state.seed))
                count = _start_game(
                    states, i, tables, seed, int(state.ruleset), blank, log, legal
                )
        _fill_outputs(states, i, tables, legal, count, masks, observations, to_play)


@kernel
def refresh_batch(states, tables, masks, observations, to_play):
    """Fill the outputs of every row from its record, nothing resolved."""
    legal = np.empty(masks.shape[1], np.int16)
    for i in range(states.shape[0]):
        state = states[i]
        count = list_legal(state, tables[int(state.ruleset)], legal)
        _fill_outputs(states, i, tables, legal, count, masks, observations, to_play)


@kernel
def observe_batch(states, tables, viewers, observations):
    """What `viewers[i]` sees of game i."""
    for i in range(states.shape[0]):
        state = states[i]
        fill_observation(state, tables[int(state.ruleset)], int(viewers[i]), observations[i])


@kernel
def observe_rows(states, tables, rows, viewers, observations):
    """What seat `viewers[k]` sees of game `rows[k]`, into that row of `observations`."""
    for k in range(rows.shape[0]):
        i = int(rows[k])
        state = states[i]
        fill_observation(state, tables[int(state.ruleset)], int(viewers[k]), observations[i])


@compiled
def random_number(source, n):
    """A uniform number in 0 .. n - 1 from the caller's own generator (uint64[1])."""
    source[0] = source[0] + np.uint64(0x9E3779B97F4A7C15)
    return np.int64(((mix(source[0]) >> _U32) * np.uint64(n)) >> _U32)


@kernel
def random_play(states, tables, steps, source, blank, log, masks, observations, to_play, results):
    """`steps` uniformly random decisions in every game, finished games starting anew.

    Masks are written where `masks` has rows, observations likewise. `results` int64[8] gathers
    games ended, Britain's wins, France's wins, draws, truncations, decisions, plies and rounds.
    """
    legal = np.empty(256, np.int16)
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            rules = tables[int(state.ruleset)]
            count = list_legal(state, rules, legal)
            apply_action(state, rules, int(legal[random_number(source, count)]), log)
            count = advance(state, rules, legal, log)
            if count == 0:
                _gather(state, results)
                seed = next_seed(int(state.seed))
                count = _start_game(
                    states, i, tables, seed, int(state.ruleset), blank, log, legal
                )
            if masks.shape[0] > 0:
                fill_mask(legal, count, masks[i])
            to_play[i] = state.to_play
            if observations.shape[0] > 0:
                fill_observation(state, rules, int(state.to_play), observations[i])
    results[5] += steps * states.shape[0]


@compiled
def _gather(state, results):
    results[0] += 1
    if state.winner == DRAW:
        results[3] += 1
    else:
        results[1 + int(state.winner)] += 1
    results[4] += state.end_cause >= FIRST_TRUNCATION
    results[6] += state.ply
    results[7] += state.round_no


SCRATCH_SIZE = max(256, MAX_TOKENS)
