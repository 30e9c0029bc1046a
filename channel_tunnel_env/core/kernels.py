"""One game of an array, the loops over a batch of any game, and the entry points that Python calls.

Every step has the same order: apply the action -> resolve decisions with one answer -> (autoreset)
-> mask -> observation. Outputs are the caller's buffers. B is the number of games, S of seats, A of
actions, D of numbers of an observation; `work` is an array of one workspace, `blank` an array of one zeroed
record.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import POSITIONS, next_seed, random_number, seed_apart, seed_stream, seed_streams
from channel_tunnel_env.core.verbs import (
    apply_action,
    determinize,
    fill_observation,
    fill_result,
    fill_scores,
    is_asked,
    is_over,
    list_legal,
    set_up,
)

MOST_FORCED = 10_000  # decisions with one answer in a row


@compiled
def advance(state, rules, work):
    """Resolve decisions with one answer until a real choice or the end.

    Returns the number of legal ids, left in `work.legal`; 0 when the game is over.
    """
    count = list_legal(state, rules, work)
    forced = 0  # rules that force for ever must not hang the caller: then the player is asked
    while count == 1 and forced < MOST_FORCED and not is_asked(state, rules):
        apply_action(state, rules, int(work.legal[0]), work)
        count = list_legal(state, rules, work)
        forced += 1
    return count


@compiled
def start_row(states, i, tables, seed, blank, work):
    """Start game i again, with the same ruleset, and play up to the first real decision.

    Returns the number of legal ids.
    """
    rules = clear_row(states, i, tables, blank)
    seed_streams(states[i], seed)  # before the set-up, which draws from them
    set_up(states[i], rules, work)
    return advance(states[i], rules, work)


@compiled
def start_row_mixed(states, i, tables, seeds, blank, work):
    """`start_row` with one seed per stream; the first one is recorded as the game's seed."""
    rules = clear_row(states, i, tables, blank)
    state = states[i]
    state.seed = seeds[0]
    for stream in range(len(state.rng_key)):
        seed_stream(state, stream, seeds[stream])
    set_up(state, rules, work)
    return advance(state, rules, work)


@compiled
def clear_row(states, i, tables, blank):
    """Zero game i except its ruleset; returns the ruleset's figures."""
    ruleset = int(states[i].ruleset)  # the next line clears it
    states[i] = blank[0]
    states[i].ruleset = ruleset
    return tables[ruleset]


@compiled
def fill_mask(work, count, masks, row):
    """Set a row of `masks` (int8 (B, A)) from the legal ids in the workspace."""
    # The row still holds the mask of the decision before.
    for k in range(masks.shape[1]):
        masks[row, k] = 0
    for k in range(count):
        masks[row, int(work.legal[k])] = 1


@compiled
def is_listed(work, count, action):
    """Whether the action is one of the `count` legal ids in the workspace."""
    found = False
    for k in range(count):
        found |= work.legal[k] == action
    return found


# --- entry points for one game --------------------------------------------------------------------

START, PLAY, SETTLE = range(3)
OVER_NOW, REFUSED = -2, -1  # below the number of any seat


@kernel
def run_game(states, i, tables, command, argument, blank, work, masks):
    """Apply one command to game i and fill row i of `masks`.

    START sets the game up from the seed `argument`. PLAY takes the action `argument`. SETTLE
    resolves decisions with one answer after a position was loaded. Returns the seat to play;
    OVER_NOW when the game is over; or REFUSED if the action is illegal, with the game unchanged.
    All three are one kernel so that only one has to be compiled.
    """
    space = work[0]  # a record, because arrays are counted at every call (see `records`)
    state = states[i]
    rules = tables[int(state.ruleset)]
    if command == START:
        count = start_row(states, i, tables, argument, blank, space)
    else:
        if command == PLAY:
            # The mask was written after the last command, so nothing has to be listed again.
            if argument < 0 or argument >= masks.shape[1] or masks[i, argument] == 0:
                return REFUSED
            apply_action(state, rules, argument, space)
        count = advance(state, rules, space)
    fill_mask(space, count, masks, i)
    return int(state.to_play) if count > 0 else OVER_NOW


@kernel
def copy_game(source, i, target, j):
    """Copy game i of one array to game j of another."""
    target[j] = source[i]


@kernel
def observe_game(states, i, tables, viewer, work, observations):
    """Write what `viewer` sees of game i to row i."""
    state = states[i]
    fill_observation(state, tables[int(state.ruleset)], viewer, work[0], observations, i)


@kernel
def result_game(states, i, tables, rewards):
    """Fill row i of `rewards` float32 (B, S) with the result by seat."""
    state = states[i]
    fill_result(state, tables[int(state.ruleset)], rewards, i)


@kernel
def score_batch(states, tables, out):
    """Points by source of every seat of every game; `out` is int16 (B, S, sources + 1) with the total last."""
    for i in range(states.shape[0]):
        state = states[i]
        rules = tables[int(state.ruleset)]
        for seat in range(out.shape[1]):
            out[i, seat, out.shape[2] - 1] = fill_scores(state, rules, seat, out[i, seat])


@kernel
def key_position(states, i, seed):
    """Key the streams of a laid-out position from `seed`, with keys that no seeded game has."""
    seed_apart(states[i], POSITIONS, seed)


@kernel
def determinize_game(states, i, tables, viewer, seed, work):
    """Re-deal in game i what `viewer` cannot know."""
    state = states[i]
    determinize(state, tables[int(state.ruleset)], viewer, seed, work[0])


@compiled
def _fill_outputs(states, i, tables, count, work, masks, observations, to_play):
    state = states[i]
    fill_mask(work, count, masks, i)
    to_play[i] = state.to_play
    if observations.shape[0] > 0:  # no rows: not wanted
        rules = tables[int(state.ruleset)]
        fill_observation(state, rules, int(state.to_play), work, observations, i)


@kernel
def reset_batch(states, start, stop, tables, chosen, seeds, blank, work, masks, observations, to_play):
    """Start the games of rows start..stop-1 where `chosen` is set; their rulesets stay.

    `seeds` int64 (B, streams): one seed per row and stream.
    """
    space = work[0]
    for i in range(start, stop):
        if chosen[i]:
            count = start_row_mixed(states, i, tables, seeds[i], blank, space)
            _fill_outputs(states, i, tables, count, space, masks, observations, to_play)


@kernel
def refresh_batch(states, tables, work, masks, observations, to_play):
    """Fill the outputs of every row from its record, without resolving any decision."""
    space = work[0]
    for i in range(states.shape[0]):
        state = states[i]
        count = list_legal(state, tables[int(state.ruleset)], space)
        _fill_outputs(states, i, tables, count, space, masks, observations, to_play)


@kernel
def step_batch(
    states,
    start,
    stop,
    tables,
    actions,
    autoreset,
    blank,
    work,
    masks,
    observations,
    to_play,
    rewards,
    terminated,
    final_states,
):
    """Play one action in each of the rows start..stop-1; with `autoreset` finished games restart.

    Fills rewards (B, S) by seat. Saves the last record of a game that ended in `final_states`. Rows
    whose action is negative, or whose game is over, stay unchanged.
    """
    space = work[0]
    for i in range(start, stop):
        state = states[i]
        # A row that is not stepped is cleared too: what it shows belongs to the step before.
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        terminated[i] = False
        if is_over(state) or actions[i] < 0:
            continue
        rules = tables[int(state.ruleset)]
        apply_action(state, rules, int(actions[i]), space)
        count = advance(state, rules, space)
        if count == 0:
            fill_result(state, rules, rewards, i)
            terminated[i] = True
            final_states[i] = states[i]  # before autoreset deals the row again
            if autoreset:
                count = start_row(states, i, tables, next_seed(int(state.seed)), blank, space)
        _fill_outputs(states, i, tables, count, space, masks, observations, to_play)


@kernel
def observe_rows(states, tables, rows, viewers, work, observations):
    """Write what seat `viewers[k]` sees of game `rows[k]` to that row of `observations`."""
    for k in range(rows.shape[0]):
        i = int(rows[k])
        state = states[i]
        rules = tables[int(state.ruleset)]
        fill_observation(state, rules, int(viewers[k]), work[0], observations, i)


@kernel
def pick_legal(masks, draws, chosen):
    """Choose (n,) the legal action at the fraction `draws` (n,) of each row of masks (n, A)."""
    for i in range(masks.shape[0]):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[i, action]
        left = int(draws[i] * count)  # 0 to count - 1, because draws are below 1
        for action in range(masks.shape[1]):
            left -= masks[i, action]
            if left < 0:  # never in a row without a legal action
                chosen[i] = action
                break


@kernel
def random_play(states, tables, steps, source, blank, work, masks, observations, to_play):
    """Play `steps` uniformly random decisions in every game; finished games restart.

    Masks are written if `masks` has rows, observations likewise.
    """
    space = work[0]
    actions = np.empty(states.shape[0], np.int64)
    for i in range(states.shape[0]):
        count = list_legal(states[i], tables[int(states[i].ruleset)], space)
        actions[i] = space.legal[random_number(source, count)]
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            rules = tables[int(state.ruleset)]
            apply_action(state, rules, actions[i], space)
            count = advance(state, rules, space)
            if count == 0:
                count = start_row(states, i, tables, next_seed(int(state.seed)), blank, space)
            # Chosen now: the next game writes its own list into the workspace.
            actions[i] = space.legal[random_number(source, count)]
            if masks.shape[0] > 0:
                fill_mask(space, count, masks, i)
            to_play[i] = state.to_play
            if observations.shape[0] > 0:
                viewer = int(state.to_play)
                fill_observation(state, rules, viewer, space, observations, i)
