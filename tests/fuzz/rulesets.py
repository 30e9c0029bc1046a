"""Ruleset files: overlays and complete rulesets with their text changed."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path

import numpy as np

from channel_tunnel_env import Game, Ruleset, RulesetError, load_ruleset
from channel_tunnel_env.games import DEFAULT_GAME, ruleset_folders
from channel_tunnel_env.outside.documents import printable
from channel_tunnel_env.testing import check_invariants, check_ruleset
from tests.fuzz.mutations import pick
from tests.fuzz.play import LONGEST, OTHER_GAMES, play_randomly
from tests.fuzz.text import change_text, check_message

OVERLAYS = (
    "base: standard\nname: mine\ntitle: Mine\ndiscs: {hand: 11, per_colour: 5, keep_limit: 3}\n",
    "base: tiny\nbarriers:\n  france: {a: [2], b: []}\n  britain: {a: [1], b: []}\nstorage: {britain: 3}\n",
    "base: agenda\nagenda: {enabled: {value: true, source: house, why: mine}}\nlimits: {max_rounds: 9}\n",
    "base: standard\ndeck:\n  cards:\n    influence_spain: {points: 3, money: 1}\n    heavy_machinery: {name: Bagger}\n",
    "base: tiny\nroute: {length: 3}\nrubble:\n  tokens: {blue: 2, black: 2, orange: 2, yellow: 2, white: 0}\n"
    "  stored_at_start: 1\n",
    "base: standard\nswitches:\n  supervision_mode: soft\n  auto_forced: false\n  facedown_observation: hidden\n"
    "scoring: {topographical_analysis: [0, 1, 2, 3, 4, 5], centre_bonus: -2}\n",
    "base: standard\ntrack_points: {france: {a: [0, 1, 2, 3, 4, 5]}}\n"
    "benefits: {france: {a: {1: peek, 2: storage}}}\ndeviation: {penalties: [0, 1, 1, 2, 9]}\n",
    "base: carcassonne\nname: mine\nplayers: 4\ntunnel_variant: paired\nfarm_scoring: first\ntable: 7\nfollowers: 3\n",
    "base: carcassonne\npoints: {city: 3, shield: {value: 0, source: house, why: mine}}\ntiles:\n  U: {count: 2}\n"
    "  X: {count: 4, roads: [{sides: N}, {sides: S}], fields: ['07123456']}\n",
    "base: eurotunnel\nname: mine\ntunnels_per_power: 2\nmax_year: 1903\nlimit_score: dss\nabsent: [turkey]\n",
)  # fmt: skip


@cache
def _seeds() -> list[str]:
    files = [path for folder in ruleset_folders().values() for path in sorted(folder.glob("*.yaml"))]
    whole = [path.read_text(encoding="utf-8") for path in files]
    return [*OVERLAYS, *OVERLAYS, *whole]


def mutate(rng: np.random.Generator) -> str | bytes:
    """A ruleset file, changed in up to five places."""
    return change_text(rng, pick(rng, _seeds()), most=5)


def check(data: str | bytes, folder: Path) -> str:
    """Load it; what is accepted keeps its identity and plays a random game within the invariants."""
    path = folder / "mutant.yaml"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    try:
        rules = load_ruleset(path)
    except RulesetError as error:
        check_message(error)
        return "refused"
    again = load_ruleset(rules.plain())
    assert again.plain() == rules.plain() and again.digest == rules.digest
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert not [text for text in rules.flat.values() if printable(str(text)) != str(text)]
    _play(rules, len(data))
    return "accepted"


def _play(rules: Ruleset, seed: int) -> None:
    """A random game within the invariants."""
    if rules.spec.name == DEFAULT_GAME:
        report = check_ruleset(rules, 1, seed=seed)
        assert not report.violations, report.violations[0].sentence
        return
    game, rng = Game(rules, seed), np.random.default_rng(seed)
    for _ in range(LONGEST):
        check_invariants(game)
        if game.is_over:
            break
        play_randomly(game, rng)


def warm(folder: Path) -> None:
    """Compile what plays the games."""
    for ruleset in ("tiny", *OTHER_GAMES):
        _play(load_ruleset(ruleset), 1)
