"""What must hold for any ruleset and any play (hypothesis, the same examples in every run)."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.testing import check_invariants
from tests.games.tunnel_1987.positions import differing_fields, record_bytes
from tests.random_games import SWITCHES, builtin, changed, choose, fields, next_seed, show, walk


def examples(count: int) -> settings:
    """Repeatable examples, at most `count`."""
    return settings(
        max_examples=count, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )


SEEDS = st.integers(0, 2**63 - 1)
SIDES = ("britain", "france")
Rules = tuple[str, dict[str, Any]]  # a builtin ruleset and what is changed in it


@st.composite
def rulesets(draw: st.DrawFn) -> Rules:
    """For `changed`: every switch and most figures are anything that gives a valid ruleset."""
    base = draw(st.sampled_from(["standard", "agenda", "tiny"]))
    small = base == "tiny"
    changes: dict[str, Any] = {
        "switches": {name: draw(st.sampled_from(values)) for name, values in SWITCHES.items()},
        "agenda.enabled": draw(st.booleans()),
        "discs": {
            "per_colour": draw(st.integers(1, 5)),
            "hand": draw(st.integers(1, 25)),
            "keep_limit": draw(st.none() | st.integers(0, 25)),
        },
        "limits": {"max_rounds": draw(st.integers(1, 30)), "max_empty_rounds": draw(st.integers(1, 5))},
        "extra_finance": draw(st.integers(1, 20)),
        "scoring": {
            key: draw(st.integers(1, 20)) if type(value) is int else value
            for key, value in builtin(base).plain()["scoring"].items()
        },
    }
    hand = changes["discs"]["hand"]
    allowance = {side: draw(st.integers(1 - hand, 25 - hand)) for side in SIDES}
    changes["head_start"] = {
        "allowance": allowance,
        "first_discs": {
            side: draw(st.integers(max(-24, 1 - hand - more), min(24, 25 - hand - more)))
            for side, more in allowance.items()
        },
        "money_cards": {side: draw(st.integers(0, 3)) for side in SIDES},  # `tiny` has ten cards
        "points": {side: draw(st.integers(-20, 40)) for side in SIDES},
    }
    changes["storage"] = {side: draw(st.integers(1, 5)) for side in SIDES}
    length = draw(st.integers(1, 6 if small else 9))
    stored = draw(st.integers(0, min(3, *changes["storage"].values())))
    tokens = Counter(draw(st.lists(st.sampled_from(c.COLOURS), min_size=(n := 2 * (length + stored)), max_size=n)))
    changes["route.length"] = length
    changes["rubble"] = {
        "tokens": {colour: tokens[colour] for colour in c.COLOURS},
        "stored_at_start": stored,
        "agenda_symbols": {colour: draw(st.integers(0, min(3, tokens[colour]))) for colour in c.COLOURS},
    }
    for side in SIDES:
        for track in ("a", "b"):
            prices = getattr(getattr(builtin(base).data.barriers, side), track)
            if prices:
                changes[f"barriers.{side}.{track}"] = [draw(st.integers(0, 20)) for _ in prices]
    limit = draw(st.integers(0, 7))
    changes["deviation.limit"] = limit
    changes["deviation.penalties"] = [draw(st.integers(0, 5)) for _ in range(limit + 1)]
    changes["deviation.water_draws"] = {side: draw(st.integers(0, 4)) for side in SIDES}
    return base, changes


# --- one game -------------------------------------------------------------------------------------


@examples(75)
@given(rules=rulesets(), seed=SEEDS, eager=st.booleans())
def test_every_ply_of_any_game_keeps_the_invariants_and_a_sound_observation(
    rules: Rules, seed: int, eager: bool
) -> None:
    """The game ends too, within the limits of its ruleset."""
    game = Game(changed(*rules), seed)
    for _ in walk(game, seed, eager, 5000):
        check_invariants(game)
        assert game.action_mask.any() != game.is_over
        for seat in (0, 1):
            seen = game.observation(seat)
            assert seen.dtype == np.float32 and seen.shape == (OBSERVATION_SIZE,)
            assert np.isfinite(seen).all() and seen.min() >= 0 and seen.max() <= 1
    assert game.is_over and game.round <= game.ruleset.data.limits.max_rounds
    assert (game.winner is None) <= game.is_stopped


@examples(50)
@given(rules=rulesets(), seed=SEEDS, eager=st.booleans())
def test_what_a_seat_cannot_know_changes_nothing_that_it_sees_may_do_or_imagines(
    rules: Rules, seed: int, eager: bool
) -> None:
    """Worlds that look the same to it are imagined to the same bytes; its position, read back, is one of them."""
    game, rng = Game(changed(*rules), seed), random.Random(seed)
    for ply in walk(game, seed, eager):
        if rng.random() < 0.3 or game.phase not in ("turn", "keep"):
            for viewer in SIDES:
                worlds, chance = [game.determinize(viewer, ply + 1)], rng.random()
                for again in (0, 5) if chance < 0.3 else ():
                    one, two = (g.determinize(viewer, again) for g in (game, worlds[0]))
                    assert fields(one._states) == fields(two._states)
                if chance < 0.1:  # reading takes longest
                    written = json.loads(json.dumps(game.to_position(viewer)))
                    assert not {"seed", "streams", "deck"} & set(written)
                    worlds.append(Game.from_position(written | {"seed": ply}))
                    check_invariants(worlds[1])
                for world in worlds:
                    assert np.array_equal(world.observation(viewer), game.observation(viewer))
                    assert game.to_play != viewer or np.array_equal(world.mask, game.mask)


def test_the_walks_meet_every_phase() -> None:
    """The properties above are checked inside turns too."""
    met = set()
    for seed in range(40):
        game = Game(changed("agenda", {"switches.technology_without_move": "always"}), seed)
        met |= {str(game.phase) for _ in walk(game, seed, eager=True)}
    assert met == set(map(str, type(game.phase)))


@examples(30)
@given(rules=rulesets(), seed=SEEDS, eager=st.booleans())
def test_a_position_reads_back_as_the_same_record(rules: Rules, seed: int, eager: bool) -> None:
    game, rng = Game(changed(*rules), seed), random.Random(seed)
    for _ in walk(game, seed, eager):
        if rng.random() < 0.2 or game.is_over:
            written, is_yaml = game.to_position(), rng.random() < 0.1  # YAML is slow
            text = yaml.safe_dump(written) if is_yaml else json.dumps(written)
            again = Game.from_position(yaml.safe_load(text) if is_yaml else json.loads(text))
            assert record_bytes(again) == record_bytes(game), differing_fields(game, again)
            assert again.to_position() == written and np.array_equal(again.action_mask, game.action_mask)
            for seat in (0, 1):
                assert np.array_equal(again.observation(seat), game.observation(seat))


@examples(30)
@given(rules=rulesets(), seed=SEEDS, eager=st.booleans(), stop=st.integers(0, 300))
def test_a_record_replays_to_the_same_game(rules: Rules, seed: int, eager: bool, stop: int) -> None:
    """From any moment, on a record that went through JSON."""
    game = Game(changed(*rules), seed)
    for _ in walk(game, seed, eager, stop + 1):
        pass
    record = game.record()
    again = Game.from_record(json.loads(json.dumps(record)))
    for one in (again, game):  # the disc stream is aimed anew before every use
        one._states["rng_counter"][0, c.DISC_STREAM] = 0
    assert show(again) == show(game) and again.actions == game.actions
    assert again.record() == record


@examples(50)
@given(rules=rulesets(), seed=SEEDS, eager=st.booleans(), stop=st.integers(0, 200))
def test_copies_made_in_mid_turn_go_on_identically(rules: Rules, seed: int, eager: bool, stop: int) -> None:
    """Clone, copy, deepcopy and pickle; and none of them moves the original."""
    game, rng = Game(changed(*rules), seed), random.Random(seed)
    for _ in walk(game, seed, eager, stop):
        pass
    while not game.is_over and game.phase in ("turn", "keep"):
        game.play(choose(game, rng, eager))
    before = show(game)
    copies = [game.clone(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for _ in walk(copies[0], seed + 1, eager):
        pass
    assert show(game) == before
    actions = copies[0]._actions[len(game._actions) :]
    for action in actions:
        game.play(action)
        for other in copies[1:]:
            other.play(action)
            assert show(other) == show(game) and other.actions == game.actions
    assert show(copies[0]) == show(game)


# --- many games -----------------------------------------------------------------------------------


def play_batch(batch: BatchGame, steps: int, seed: int) -> list[dict[str, np.ndarray]]:
    """Random play, in which a row's choice depends only on its number, the step and its mask."""
    shown = []
    for step in range(steps):
        actions = np.full(batch.num_games, -1)
        for i in range(batch.num_games):
            legal = np.flatnonzero(batch.masks[i])
            if legal.size:
                actions[i] = legal[random.Random(f"{seed}/{i}/{step}").randrange(legal.size)]
        before = {name: getattr(batch, name).copy() for name in ("observations", "masks", "to_play", "states")}
        batch.step(actions)
        after = {name: getattr(batch, name).copy() for name in ("rewards", "terminated", "final_states")}
        shown.append(before | after | {"actions": actions})
    return shown


def assert_same_rows(
    a: list[dict[str, np.ndarray]], rows_a: list[int], b: list[dict[str, np.ndarray]], rows_b: list[int]
) -> None:
    for step, (one, two) in enumerate(zip(a, b, strict=True)):
        for name in one:
            x, y = one[name][rows_a], two[name][rows_b]
            same = fields(x) == fields(y) if x.dtype.names else np.array_equal(x, y)
            assert same, f"step {step}: {name}"


@examples(8)
@given(rules=rulesets(), seed=SEEDS, autoreset=st.booleans())
def test_a_row_is_a_batch_of_one_whatever_the_threads(rules: Rules, seed: int, autoreset: bool) -> None:
    """Seeds, observations, masks, seats, rewards and records; 1 and 2 threads; any batch size."""
    rows = 5
    runs = []
    for threads in (1, 2):
        batch = BatchGame(rows, changed(*rules), seed, autoreset=autoreset, num_threads=threads)
        runs.append(play_batch(batch, 120, seed))
        batch.close()
    assert_same_rows(runs[0], list(range(rows)), runs[1], list(range(rows)))
    single = BatchGame(1, changed(*rules), seed, autoreset=autoreset)
    assert_same_rows(runs[0], [0], play_batch(single, 120, seed), [0])


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_a_batch_shows_each_seat_what_a_game_shows_it(name: str) -> None:
    """`observe`, copies by `game`, and `restore` of an earlier moment."""
    batch = BatchGame(6, name, 8)
    play_batch(batch, 15, 2)
    saved = batch.states.copy()
    shown = [batch.observations.copy(), batch.masks.copy(), batch.to_play.copy()]
    for viewers in (0, 1, [0, 1, 1, 0, 1, 0]):
        seen = batch.observe(viewers)
        for i, seat in enumerate(np.broadcast_to(viewers, 6)):
            game = batch.game(i)
            assert fields(game._states[0]) == fields(batch.states[i])
            assert np.array_equal(seen[i], game.observation(int(seat)))
    play_batch(batch, 10, 3)
    batch.restore(saved)
    assert all(fields(a) == fields(b) for a, b in zip(batch.states, saved, strict=True))
    for now, then in zip((batch.observations, batch.masks, batch.to_play), shown, strict=True):
        assert np.array_equal(now, then)


@examples(6)
@given(given_rules=st.lists(rulesets(), min_size=2, max_size=3), seed=SEEDS)
def test_a_list_of_rulesets_equals_separate_batches(given_rules: list[Rules], seed: int) -> None:
    """Row i takes entry i modulo the list's length."""
    size = 2 * len(given_rules)
    together = play_batch(BatchGame(size, [changed(*r) for r in given_rules], seed, autoreset=True), 100, seed)
    for k, rules in enumerate(given_rules):
        rows = [i for i in range(size) if i % len(given_rules) == k]
        alone = play_batch(BatchGame(size, changed(*rules), seed, autoreset=True), 100, seed)
        assert_same_rows(together, rows, alone, rows)


@pytest.mark.parametrize("name", ["tiny", "agenda"])
def test_autoreset_starts_the_seed_that_follows(name: str) -> None:
    """A row plays as the game of its seed; the finished one is kept in `final_states`, and a fresh one begins."""
    batch = BatchGame(4, name, 3, autoreset=True)
    games = [Game(name, int(s)) for s in batch.states.seed]
    ended = 0
    for shown in play_batch(batch, 900, 1):
        for i, game in enumerate(games):
            assert fields(game._states[0]) == fields(shown["states"][i])
            assert np.array_equal(game.observation(), shown["observations"][i])
            game.play(int(shown["actions"][i]))
            assert game.is_over == shown["terminated"][i]
            result = {None: 0, "britain": 1, "france": -1}[game.winner]
            assert shown["rewards"][i].tolist() == [result, -result]
            if game.is_over:
                assert fields(game._states[0]) == fields(shown["final_states"][i])
                games[i] = Game(name, next_seed(game.seed))
                ended += 1
    assert ended > 8
