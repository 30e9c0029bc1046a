"""Which rulesets are one: those that are played alike. Equality, digest, tables and games agree about it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from channel_tunnel_env import BatchGame, Game, Ruleset, load_ruleset
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.rulesets.ruleset import builtin_file
from tests.random_games import EVERY_RULESET

Order = Callable[[list[Any]], list[Any]]
ORDERS: dict[str, Order] = {
    "reversed": lambda keys: keys[::-1],
    "shuffled": lambda keys: random.Random(1).sample(keys, len(keys)),
    "shuffled otherwise": lambda keys: random.Random(2).sample(keys, len(keys)),
    "sorted": lambda keys: sorted(keys, key=str),
}


def reordered(node: Any, order: Order) -> Any:
    """The same values with the keys of every mapping in another order."""
    if isinstance(node, dict):
        return {key: reordered(node[key], order) for key in order([*node])}
    return [reordered(item, order) for item in node] if isinstance(node, list) else node


def mappings(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all mappings."""
    if isinstance(node, dict):
        yield path
    if isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from mappings(value, (*path, key))


def with_reversed(node: Any, path: tuple[Any, ...]) -> Any:
    """The same values with the keys of one mapping reversed."""
    if not path:
        return {key: node[key] for key in [*node][::-1]}
    items = node.items() if isinstance(node, dict) else enumerate(node)
    copy = {key: with_reversed(v, path[1:]) if key == path[0] else v for key, v in items}
    return copy if isinstance(node, dict) else [*copy.values()]


def traces(ruleset: Ruleset) -> Iterator[bytes]:
    """A random game, played on a machine made for this very object."""
    machine_of.cache_clear()
    game, luck = Game(ruleset, 7), random.Random(7)
    assert game.ruleset is ruleset
    for _ in range(60):
        yield game.states.tobytes() + game.mask.tobytes() + game.observation().tobytes()
        if game.is_over:
            break
        game.play(luck.choice(game.legal_ids()))
    yield json.dumps(game.record()["luck"]).encode()


def assert_one(ruleset: Ruleset, other: Ruleset) -> None:
    """Two rulesets are one, in everything that reads them."""
    assert ruleset.data == other.data and ruleset.digest == other.digest
    assert json.dumps(ruleset.plain()) == json.dumps(other.plain())
    tables, others = (each.spec.rules.make_tables([each]) for each in (ruleset, other))
    assert tables.tobytes() == others.tobytes()
    assert ruleset.spec.luck.names(ruleset) == other.spec.luck.names(other)
    assert list(traces(ruleset)) == list(traces(other))


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_no_mapping_has_an_order(name: str) -> None:
    ruleset = load_ruleset(name)
    plain, written = ruleset.plain(), json.dumps(ruleset.plain())
    for path in mappings(plain):
        other = load_ruleset(with_reversed(plain, path))
        assert json.dumps(other.plain()) == written, path


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", EVERY_RULESET)
def test_the_order_of_keys_is_no_rule(name: str, order: str, tmp_path: Any) -> None:
    """Neither of values nor in a file, where it does not change what is said of where a figure comes from either."""
    ruleset, written = load_ruleset(name), yaml.safe_load(builtin_file(name).read_text())  # type: ignore[union-attr]
    path = tmp_path / "other.yaml"
    path.write_text(yaml.safe_dump(reordered(written, ORDERS[order]), sort_keys=False))
    for other in (path, reordered(ruleset.plain(), ORDERS[order])):
        assert_one(ruleset, load_ruleset(other))
    assert load_ruleset(path).provenance == ruleset.provenance


def test_a_type_of_tile_that_is_added_has_one_place_wherever_it_is_written() -> None:
    plain = load_ruleset("carcassonne").plain()
    tile = {"count": 2, "cloister": True, "fields": ["01234567"]}
    one = load_ruleset(plain | {"tiles": plain["tiles"] | {"B2": tile}})
    assert_one(one, load_ruleset(plain | {"tiles": {"B2": tile} | plain["tiles"]}))


def test_the_order_of_a_tiles_parts_is_no_rule() -> None:
    """Segments of a kind are numbered by their lowest side or half edge."""
    ruleset = load_ruleset("carcassonne")
    plain = ruleset.plain()
    for tile in plain["tiles"].values():
        for parts in ("cities", "roads", "fields"):
            tile[parts].reverse()
    assert_one(ruleset, load_ruleset(plain))


def test_the_order_of_absent_powers_is_no_rule() -> None:
    absent = ["TURKEY", "AUSTRIA", "ITALY"]
    one, other = (load_ruleset("eurotunnel").with_values({"absent": powers}) for powers in (absent, absent[::-1]))
    assert_one(one, other)


# --- what stays with its own ruleset --------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_a_game_keeps_the_sources_of_its_own_ruleset(name: str) -> None:
    """The same values under the same name, as a position or a record holds them, say no source."""
    machine_of.cache_clear()
    stranger, builtin = load_ruleset(load_ruleset(name).plain()), load_ruleset(name)
    for ruleset in (stranger, builtin, stranger):
        assert Game(ruleset, 1).ruleset.provenance == ruleset.provenance
    assert stranger.digest == builtin.digest and stranger.provenance != builtin.provenance


def test_a_row_keeps_the_name_of_its_ruleset() -> None:
    one = load_ruleset("tiny")
    other = one.with_values({}, "mine")
    games = [Game(one, 1), Game(other, 2), Game(one, 3)]
    batch = BatchGame.from_games(games)
    assert one.digest == other.digest
    assert [batch.game(row).ruleset.name for row in range(3)] == ["tiny", "mine", "tiny"]
