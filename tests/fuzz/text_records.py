"""Files of game records: lines of JSON with their text changed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import Game, RecordError, load_ruleset
from channel_tunnel_env.records.record import read_records, replay_plies
from channel_tunnel_env.testing import check_invariants
from tests.fuzz import play
from tests.fuzz.mutations import pick
from tests.fuzz.text import change_text, check_message

RULESETS: list[dict[str, Any]] = [
    *({"name": name} for name in ("tiny", "carcassonne", "eurotunnel", "/etc/passwd", "..", "x.yaml")),
    {"values": {"base": "tiny", "name": "mine"}},
    {"values": {"base": "/etc/passwd"}},
    {"values": {"base": "carcassonne", "players": 3}, "digest": "0" * 16},
    {"values": {"\u00b2": 1}},
    {},
]


@cache
def _seeds() -> list[str]:
    """Games of the built-in rulesets and of a changed one, whole and stopped, and one that began midway."""
    changed: dict[str, Any] = {"base": "tiny", "name": "mine", "discs": {"hand": 9}}
    rulesets: tuple[Any, ...] = ("tiny", "standard", "agenda", changed)
    games: list[Any] = [_play(Game(rules, 1), most) for rules in rulesets for most in (0, 12, 400)]
    games += [
        _play(Game(rules, 1), most)
        for rules in (load_ruleset(name) for name in play.OTHER_GAMES)
        for most in (0, 12, 120)
    ]
    begun = (games[1], *(game for game in games[-6:] if len(game.action_ids) == 12))
    midway = [_play(type(game).from_position(game.to_position()), 200) for game in begun]
    return [json.dumps(game.record()) + "\n" for game in (*games, *midway)]


def _play(game: Any, most: int) -> Any:
    rng = np.random.default_rng(0)
    for _ in range(most):
        if game.is_over:
            break
        ids = game.legal_ids()
        game.play(int(ids[int(rng.integers(len(ids)))]))
    return game


def mutate(rng: np.random.Generator) -> str | bytes:
    """A file of one or two records, changed."""
    seeds = _seeds()
    text = pick(rng, seeds)
    if rng.random() < 0.5:
        text = _change_record(rng, json.loads(text))
        return text if rng.random() < 0.5 else text + pick(rng, seeds)
    return change_text(rng, text, most=2)


def _change_record(rng: np.random.Generator, record: dict[str, Any]) -> str:
    """Up to four changes: what JSON can hold but a record must not, or what fits it nearly."""
    for _ in range(int(rng.integers(1, 5))):
        _change_part(rng, record)
    return json.dumps(record) + "\n"


def _change_part(rng: np.random.Generator, record: dict[str, Any]) -> None:
    actions, luck = record["actions"], record["luck"]
    way = int(rng.integers(9))
    if way == 0 and actions:
        actions[int(rng.integers(len(actions)))] = pick(rng, actions)
    elif way == 1:
        actions.append([["x"], "pass", 3, None, {}][int(rng.integers(5))])
    elif way == 2 and luck:
        luck[int(rng.integers(len(luck)))][2] = luck[int(rng.integers(len(luck)))][2]
    elif way == 3 and luck:
        names = luck[int(rng.integers(len(luck)))][2]
        names[:] = [names[i] for i in rng.permutation(len(names))]
    elif way == 4:
        record["package"] = "0.0.9"
    elif way == 5 and actions:
        actions.pop()
        record["result"].pop("scores", None)
    elif way == 6:
        record["ruleset"] = pick(rng, RULESETS)
    elif way == 7:
        record["start"] = pick(rng, [None, {}, {"round": 2}, record["result"]])
    else:
        record["seed"] = [2**63, -1, 1.5, True, "1", 10**40, 2**63 - 1][int(rng.integers(7))]


def check(data: str | bytes, folder: Path) -> str:
    """Replay every record; every position of what is accepted holds the invariants, and it replays again."""
    path = folder / "games.jsonl"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    try:
        for record in read_records(path):
            game = _replayed(record)
            again = _replayed(game.record())
            assert again.actions == game.actions and again.scores() == game.scores()
    except RecordError as error:
        check_message(error)
        return "refused"
    return "accepted"


def _replayed(record: Any) -> Any:
    for game in replay_plies(Game, record):
        check_invariants(game)
    return game


def warm(folder: Path) -> None:
    """Compile what replays, and play the games that are changed."""
    for seed in _seeds():
        check(seed, folder)
