"""One game of an array: start it, bring it to its next decision, write its mask."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import seed_stream, seed_streams
from channel_tunnel_env.core.verbs import apply_action, is_asked, list_legal, set_up

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
