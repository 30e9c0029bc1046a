"""The loops over a batch, and the entry points that Python calls.

Order of every step, written here once: apply -> resolve what has one answer -> (autoreset) -> mask ->
observation. Outputs are buffers of the caller. B games, A actions (`NUM_ACTIONS`), D observation floats
(`OBSERVATION_SIZE`); `work` is an array of one workspace, `blank` one of one zeroed record.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.engine.constants import (
    BRITAIN,
    DRAW,
    FIRST_STOP,
    NUM_SEATS,
    NUM_STREAMS,
    OVER,
)
from channel_tunnel_env.engine.determinize import determinize
from channel_tunnel_env.engine.jit import compiled, kernel
from channel_tunnel_env.engine.legality import (
    allowance,
    hand_limit,
    keep_limit,
    list_legal,
    stack_margin,
    storage_space,
)
from channel_tunnel_env.engine.observation import fill_observation
from channel_tunnel_env.engine.rng import (
    LUCK_FREE,
    LUCK_WRITE,
    POSITIONS,
    mix,
    next_seed,
    seed_apart,
    seed_stream,
)
from channel_tunnel_env.engine.scoring import fill_scores
from channel_tunnel_env.engine.setup import lay_out, set_up
from channel_tunnel_env.engine.transition import advance, apply_action
from channel_tunnel_env.engine.workspace import LUCK_SIZE

START, PLAY, SETTLE = range(3)
OVER_NOW, REFUSED = 2, -1
_U32 = np.uint64(32)
_LOG_LIMIT = LUCK_SIZE // 2  # no ply meets as much luck as the rest holds


@compiled
def britain_result(state):
    """The outcome in Britain's view: 1, 0 or -1; 0 while the game goes on."""
    if state.phase != OVER or state.winner == DRAW:
        return 0
    return 1 if state.winner == BRITAIN else -1


@compiled
def start_row(states, i, tables, seed, blank, work):
    """Game i anew, of the ruleset it had: set-up up to the first real decision.

    Returns the number of legal ids.
    """
    rules = clear_row(states, i, tables, blank)
    set_up(states[i], rules, seed, work)
    return advance(states[i], rules, work)


@compiled
def start_row_mixed(states, i, tables, seeds, blank, work):
    """`start_row` with a seed for each stream (5,); the game goes by the first one."""
    rules = clear_row(states, i, tables, blank)
    state = states[i]
    state.seed = seeds[0]
    for stream in range(NUM_STREAMS):
        seed_stream(state, stream, seeds[stream])
    lay_out(state, rules, work)
    return advance(state, rules, work)


@compiled
def clear_row(states, i, tables, blank):
    """Zero game i but for its ruleset; returns the ruleset's figures."""
    ruleset = int(states[i].ruleset)
    states[i] = blank[0]
    states[i].ruleset = ruleset
    return tables[ruleset]


@compiled
def fill_mask(work, count, masks, row):
    """Set a row of `masks` (int8 (B, A)) from the legal ids in the workspace."""
    for k in range(masks.shape[1]):
        masks[row, k] = 0
    for k in range(count):
        masks[row, int(work.legal[k])] = 1


@compiled
def is_listed(work, count, action):
    """The action is one of the `count` legal ids in the workspace."""
    found = False
    for k in range(count):
        found |= work.legal[k] == action
    return found


@kernel
def run_game(states, i, tables, command, argument, blank, work, masks):
    """Do one of the commands to game i and fill row i of its masks.

    START sets it up from the seed `argument`, PLAY takes the action `argument`, SETTLE resolves what
    has one answer after a position was loaded. Returns the seat to play, OVER_NOW when the game is
    over, or REFUSED, the game unchanged, where the action is illegal. One kernel, so that it compiles
    once.
    """
    space = work[0]
    state = states[i]
    rules = tables[int(state.ruleset)]
    if command == START:
        count = start_row(states, i, tables, argument, blank, space)
    else:
        if command == PLAY:
            if argument < 0 or argument >= masks.shape[1] or masks[i, argument] == 0:
                return REFUSED
            apply_action(state, rules, argument, space)
        count = advance(state, rules, space)
    fill_mask(space, count, masks, i)
    return int(state.to_play) if count > 0 else OVER_NOW


@kernel
def write_luck(states, i, tables, seed, actions, ply, blank, work, places):
    """Play game i again from before its first decision, with the luck it meets written down.

    `ply` is how many plies were done before: at 0 the game is set up from `seed`, or from a position where
    that is negative. Ply k is action k - 1 of `actions`; `places[k]` becomes the end of its luck in the
    log of the workspace. Returns the next ply, for the log may be full before the last one; or REFUSED
    where an action is not legal.
    """
    space = work[0]
    state = states[i]
    rules = tables[int(state.ruleset)]
    count = list_legal(state, rules, space) if ply > 0 else 0
    space.luck_mode, space.luck_place, space.luck_misfit = LUCK_WRITE, 0, 0
    while ply <= actions.shape[0] and space.luck_place < _LOG_LIMIT:
        if ply > 0:
            action = int(actions[ply - 1])
            if not is_listed(space, count, action):
                space.luck_mode = LUCK_FREE
                return REFUSED
            apply_action(state, rules, action, space)
            count = advance(state, rules, space)
        elif seed >= 0:
            count = start_row(states, i, tables, seed, blank, space)
        else:
            count = advance(state, rules, space)
        places[ply] = space.luck_place
        ply += 1
    space.luck_mode = LUCK_FREE
    return ply


@kernel
def copy_game(source, i, target, j):
    """Game i of one array becomes game j of another."""
    target[j] = source[i]


@kernel
def observe_game(states, i, tables, viewer, work, observations):
    """What `viewer` sees of game i, into row i."""
    state = states[i]
    fill_observation(state, tables[int(state.ruleset)], viewer, work[0], observations, i)


@kernel
def score_game(states, i, tables, out):
    """Points by source of both seats, out int16 (2, sources + 1), the total last."""
    state = states[i]
    rules = tables[int(state.ruleset)]
    for seat in range(2):
        out[seat, out.shape[1] - 1] = fill_scores(state, rules, seat, out[seat])


@kernel
def score_batch(states, tables, out):
    """Points by source of both seats of every game, out int16 (B, 2, sources + 1), the total last."""
    for i in range(states.shape[0]):
        state = states[i]
        rules = tables[int(state.ruleset)]
        for seat in range(2):
            out[i, seat, out.shape[2] - 1] = fill_scores(state, rules, seat, out[i, seat])


@kernel
def survey_game(states, tables, work, masks, held):
    """What the first game of an array allows as it stands (see `capacity`).

    Fills row 0 of `masks` with the legal ids, and `held` int16 (2, 4) by seat with its allowance, hand
    limit, keep limit and storage spaces. Returns the margin of the next stack.
    """
    state = states[0]
    rules = tables[int(state.ruleset)]
    fill_mask(work[0], list_legal(state, rules, work[0]), masks, 0)
    for seat in range(NUM_SEATS):
        held[seat, 0] = allowance(state, rules, seat)
        held[seat, 1] = hand_limit(state, rules, seat)
        held[seat, 2] = keep_limit(state, rules, seat)
        held[seat, 3] = storage_space(state, rules, seat)
    return stack_margin(state, rules)


@kernel
def key_position(states, i, seed):
    """Key the streams of a position that is laid out: from `seed`, but as no game of any seed has them."""
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
    if observations.shape[0] > 0:
        rules = tables[int(state.ruleset)]
        fill_observation(state, rules, int(state.to_play), work, observations, i)


@kernel
def reset_batch(
    states, start, stop, tables, chosen, seeds, blank, work, masks, observations, to_play
):
    """Start the games of rows start..stop-1 where `chosen` is set; their rulesets stay.

    `seeds` int64 (B, 5): a seed for each stream of each row.
    """
    space = work[0]
    for i in range(start, stop):
        if chosen[i]:
            count = start_row_mixed(states, i, tables, seeds[i], blank, space)
            _fill_outputs(states, i, tables, count, space, masks, observations, to_play)


@kernel
def refresh_batch(states, tables, work, masks, observations, to_play):
    """Fill the outputs of every row from its record, nothing resolved."""
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
    """One action in each of the rows start..stop-1; finished games start anew if `autoreset`.

    Fills rewards (B, 2) by seat, and keeps the last record of a game that ended in `final_states`.
    Rows whose action is negative, or whose game is over, are left alone.
    """
    space = work[0]
    for i in range(start, stop):
        state = states[i]
        rewards[i, 0] = 0.0
        rewards[i, 1] = 0.0
        terminated[i] = False
        if state.phase == OVER or actions[i] < 0:
            continue
        rules = tables[int(state.ruleset)]
        apply_action(state, rules, int(actions[i]), space)
        count = advance(state, rules, space)
        if count == 0:
            result = britain_result(state)
            rewards[i, 0] = result
            rewards[i, 1] = -result
            terminated[i] = True  # a stopped game too: it is scored
            final_states[i] = states[i]
            if autoreset:
                count = start_row(states, i, tables, next_seed(int(state.seed)), blank, space)
        _fill_outputs(states, i, tables, count, space, masks, observations, to_play)


@kernel
def observe_batch(states, tables, viewers, work, observations):
    """What `viewers[i]` sees of game i."""
    for i in range(states.shape[0]):
        state = states[i]
        rules = tables[int(state.ruleset)]
        fill_observation(state, rules, int(viewers[i]), work[0], observations, i)


@kernel
def observe_rows(states, tables, rows, viewers, work, observations):
    """What seat `viewers[k]` sees of game `rows[k]`, into that row of `observations`."""
    for k in range(rows.shape[0]):
        i = int(rows[k])
        state = states[i]
        rules = tables[int(state.ruleset)]
        fill_observation(state, rules, int(viewers[k]), work[0], observations, i)


@compiled
def random_number(source, n):
    """A uniform number in 0 .. n - 1 from the caller's own generator (uint64[1])."""
    source[0] = source[0] + np.uint64(0x9E3779B97F4A7C15)
    return np.int64(((mix(source[0]) >> _U32) * np.uint64(n)) >> _U32)


@kernel
def random_play(states, tables, steps, source, blank, work, masks, observations, to_play, results):
    """`steps` uniformly random decisions in every game, finished games starting anew.

    Masks are written where `masks` has rows, observations likewise. `results` int64[8] gathers
    games ended, Britain's wins, France's wins, draws, stopped games, decisions, plies and rounds.
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
                gather_result(state, results)
                count = start_row(states, i, tables, next_seed(int(state.seed)), blank, space)
            actions[i] = space.legal[random_number(source, count)]
            if masks.shape[0] > 0:
                fill_mask(space, count, masks, i)
            to_play[i] = state.to_play
            if observations.shape[0] > 0:
                viewer = int(state.to_play)
                fill_observation(state, rules, viewer, space, observations, i)
    results[5] += steps * states.shape[0]


@compiled
def gather_result(state, results):
    """Add a finished game to the tallies of `random_play`."""
    results[0] += 1
    if state.winner == DRAW:
        results[3] += 1
    else:
        results[1 + int(state.winner)] += 1
    results[4] += state.end_cause >= FIRST_STOP
    results[6] += state.ply
    results[7] += state.round_no
