"""`check_game` says in words what is missing or wrong of a game, and finds nothing wrong with ours."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.core.numbers import OWN_COUNTS
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.games import BUILT_IN, find_game
from channel_tunnel_env.games.carcassonne import observation, positions, render
from channel_tunnel_env.games.carcassonne.faces import terminal
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData, TileData
from channel_tunnel_env.testing import check_game
from channel_tunnel_env.testing.description import wrong_columns

GAMES = {"tunnel_1987": 3, "carcassonne": 1, "eurotunnel": 1}
SPEC = find_game("carcassonne")


@pytest.mark.parametrize("name", BUILT_IN)
def test_our_games_keep_every_promise(name: str) -> None:
    report = check_game(name, games=GAMES[name], seed=7)
    assert not report.problems, report
    assert report.parts == [
        *("the description", "rulesets", "faces", "invariants", "batches", "play", "records"),
        "without compilation",
    ]


def test_a_game_that_is_not_there_is_a_problem_and_no_error() -> None:
    assert "no installed distribution provides" in str(check_game("chess"))


def without_field(dtype: np.dtype[Any], name: str) -> np.dtype[Any]:
    kept = [(key, dtype[key]) for key in dtype.names or () if key != name]
    return np.dtype(kept, align=True)


def refuses_nothing(name: str) -> int:
    return SPEC.actions.names.index(name) if name in SPEC.actions.names else 0


def out_of_order(name: str) -> int:
    return (SPEC.actions.id_of(name) + 1) % SPEC.actions.count


def changed(changes: dict[str, Any]) -> GameSpec:
    """The game with other parts, by their dotted names."""
    spec = SPEC
    for name, value in changes.items():
        part, _, inner = name.partition(".")
        new = dataclasses.replace(getattr(spec, part), **{inner: value}) if inner else value
        spec = dataclasses.replace(spec, **{part: new})
    return spec


class TilesAsWritten(RulesetData):
    """Rules that keep the order of a file, which nothing else about a ruleset shows."""

    tiles: dict[str, TileData]


def columns_with(place: int, **changes: Any) -> Callable[[Any], list[Any]]:
    """The columns of the game, one of them changed."""

    def columns(rules: Any) -> list[Any]:
        whole = list(SPEC.observation.columns(rules))
        whole[place] = dataclasses.replace(whole[place], **changes)
        return whole

    return columns


FAR = next(
    place
    for place, column in enumerate(SPEC.observation.columns(load_ruleset("carcassonne")))
    if column.most >= OWN_COUNTS
)
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a record without a field": (
        {"record.dtype": without_field(SPEC.record.dtype, "winner")},
        "record.dtype: the field winner is missing",
    ),
    "a record that no rules are bound to": (
        {"record.dtype": without_field(SPEC.record.dtype, "robber")},
        "no rules are bound",
    ),
    "a stream too many": ({"luck.streams": ("deck", "weather")}, "rng_key is uint64 (1,)"),
    "a workspace without room": (
        {"record.work_dtype": np.dtype([("legal", np.int16, 3)], align=True)},
        "record.work_dtype: legal is",
    ),
    "a clock that is no field": ({"record.clock": ("moon", "moon")}, "no field 'moon'"),
    "a name twice": ({"record.phases": ("cell", *SPEC.record.phases[1:-1], "cell")}, "'cell' occurs more"),
    "ids that do not fit": ({"actions.id_of": out_of_order}, "actions.id_of: 'cell 0 0' is the name of 0"),
    "a name that is not refused": ({"actions.id_of": refuses_nothing}, "an unknown name gives an id"),
    "an idle action that is none": ({"actions.idle": 99_999}, "actions.idle: 99999"),
    "an unknown stream": ({"luck.aimed": frozenset({"dice"})}, "luck.aimed: 'dice'"),
    "an odd version": ({"version": "one"}, "version: 'one'"),
    "a version that is not in the text": ({"version": "v7"}, 'needs the line VERSION = "v7"'),
    "an unknown mode": ({"render_modes": ("ansi", "smell")}, "render_modes: 'smell'"),
    "a stop that is no end": ({"outcome.first_stop": 12}, "outcome.first_stop: 12"),
    "one seat": ({"seats.names": lambda rules: ("alone",)}, "seats.names: alone; expected two or more"),
    "agents for others": ({"seats.agents": lambda rules: ("a", "a")}, "seats.agents: a, a; expected a name"),
    "a draw that is a seat": ({"outcome.draw": 1}, "outcome.draw: 1 is a seat"),
    "an empty range": ({"observation.bounds": lambda rules: (1.0, 0.0)}, "observation.bounds: 1.0"),
    "luck without names": ({"luck.names": lambda rules: {}}, "luck.names"),
    "tiles in the order of the file": (
        {"rules.model": TilesAsWritten},
        "rules.make_tables: it follows the order of the keys",
    ),
    "figures that can change": (
        {"rules.make_tables": lambda rulesets: SPEC.rules.make_tables(rulesets).copy()},
        "kernels could write to it",
    ),
    "a column is missing": (
        {"observation.columns": lambda rules: list(SPEC.observation.columns(rules))[1:]},
        "observation.columns: 3,986 columns; observation.size says 3,987",
    ),
    "a lender outside": ({"observation.columns": columns_with(5, lender=-9)}, "its lender would be at -4, outside"),
    "a lender that counts far": (
        {"observation.columns": columns_with(FAR + 1, lender=-1)},
        "cannot lend bits; a lender counts from 0 to at most 7",
    ),
    "a step of nothing": ({"observation.columns": columns_with(7, step=0.0)}, "a step that is zero or no number"),
    "observations out of bounds": (
        {"observation.bounds": lambda rules: (0.0, 0.01)},
        "outside of observation.bounds 0 to 0.01",
    ),
    "a state that is called impossible": (
        {"record.find_faults": lambda states, tables, as_read: np.full(len(states), 3, np.int16)},
        "invariant 3",
    ),
    "a refusal without words": ({"actions.describe_refusal": lambda *given: 1 / 0}, "ZeroDivisionError"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_of_a_game_is_named(case: str) -> None:
    changes, words = WRONG[case]
    assert words in str(check_game(changed(changes), games=1))


def test_steps_that_belong_to_one_ruleset_are_named() -> None:
    """A network gets positions of several."""

    def columns(rules: Any) -> list[Any]:
        step = SPEC.observation.columns(rules)[0].step
        return columns_with(0, step=step * len(rules.name))(rules)

    part = changed({"observation.columns": columns}).observation
    rulesets = [load_ruleset("carcassonne"), load_ruleset({"base": "carcassonne", "name": "other"})]
    words = "other: observation.columns: steps that differ from those of another ruleset"
    assert [*wrong_columns(part, rulesets)] == [words]


def test_a_byte_that_stands_for_another_number_is_named() -> None:
    seen = Game("carcassonne", 7).observation(0)
    place = int(np.flatnonzero(seen)[0])
    whole = SPEC.observation.columns(load_ruleset("carcassonne"))[place]
    twice = columns_with(place, step=2 * whole.step)
    report = check_game(changed({"observation.columns": twice}), games=1, seed=7, interpreted=False)
    words = f"observation.columns: {whole.name}: the byte"
    assert words in str(report) and f"float32 says {seen[place]:g}" in str(report)


def no_position(game: Any, seat: int | None = None) -> dict[str, Any]:
    return {"ruleset": "carcassonne", "seed": game.seed}


def tells_the_deck(game: Any, viewer: int | None = None) -> str:
    return str(game.states["deck"][0].tolist())


def one_choice_only(game: Any) -> list[Any]:
    return whole_choices(game)[:1]


whole_choices = terminal.choices


@pytest.mark.parametrize(
    ("module", "name", "broken", "words"),
    [
        (positions, "write_position", no_position, "play: board: Field required"),
        (render, "to_text", tells_the_deck, "secrecy: the text shows player_0 what is hidden"),
        (terminal, "choices", one_choice_only, "terminal: choices and legal actions differ"),
    ],
)
def test_a_wrong_face_is_named(
    module: Any, name: str, broken: Callable[..., Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, broken)
    assert words in str(check_game(SPEC, games=1, interpreted=False))


def test_an_observation_that_is_not_decoded_section_by_section_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = observation.decode

    def all_but_one(seen: Any, ruleset: Any) -> dict[str, Any]:
        decoded = whole(seen, ruleset)
        decoded.pop(next(iter(decoded)))
        return decoded

    first = observation.sections(load_ruleset("carcassonne"))[0].name
    monkeypatch.setattr(observation, "decode", all_but_one)
    assert f"decode: expected the sections of the observation in order; differing: {first}" in str(
        check_game(SPEC, games=1, interpreted=False)
    )
    monkeypatch.setattr(observation, "decode", lambda seen, ruleset: {"all": seen})
    assert "play: decode: TypeError" in str(check_game(SPEC, games=1, interpreted=False))


def test_a_face_without_a_function_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(terminal, "meant")
    report = check_game(SPEC, games=1, interpreted=False)
    assert "terminal: its module has no meant" in str(report)


def test_faces_that_do_not_load_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(spec: GameSpec, name: str) -> object:
        raise RuntimeError("no picture")

    monkeypatch.setattr("channel_tunnel_env.testing.description.find_part", broken)
    assert "RuntimeError: no picture" in str(check_game(SPEC, games=1, interpreted=False))
