"""Whole games as readable text, committed: any change of rules, luck or wording shows as a diff.

    python tests/games/tunnel_1987/engine/test_golden.py --write      writes tests/games/tunnel_1987/engine/golden/*.txt anew

The policy is uniformly random from a fixed seed and declines only where there is nothing else.
"""

from __future__ import annotations

import difflib
import random
import sys
from pathlib import Path
from typing import Any

import pytest

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[4])]

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTIONS
from tests.random_games import choose

GOLDEN = Path(__file__).parent / "golden"
SEEDS = {"standard": 98, "agenda": 36, "tiny": 119}  # they meet many phases and reach the centre
SHOWN_AT = (0, 25, 60)  # decisions at which the observation of the seat to play is written out
MOST_BYTES = 120_000
SIDES = ("britain", "france")


def fold(names: list[str]) -> list[str]:
    """Actions that differ in one word put on one line: `place <blue, white> slot_1 develop`."""
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for name in names:
        words = name.split()
        place = 1 if words[0] in ("place", "rubble", "track", "take", "develop") else -1
        if len(words) == 1:
            groups[0, (name,)] = [name]
            continue
        place %= len(words)
        key = (place, (*words[:place], "<>", *words[place + 1 :]))
        groups.setdefault(key, []).append(words[place])
    lines = []
    for (_, words_of), found in groups.items():
        if "<>" not in words_of:
            lines.append(words_of[0])
            continue
        inside = found[0] if len(found) == 1 else "<" + ", ".join(found) + ">"
        lines.append(" ".join(words_of).replace("<>", inside))
    return lines


def counts(found: dict[str, int]) -> str:
    return " ".join(f"{n} {colour}" for colour, n in found.items() if n) or "none"


def facts(game: Game) -> dict[str, str]:
    """What is on the table, one named line a fact."""
    p, scores = game.to_position(), game.scores()
    lines = {
        "first player": p["first_player"],
        "passed": ", ".join(p["passed"]) or "none",
        "bag": counts(p["bag"]),
        "out of the game": counts(p["out_of_game"]),
        "display": ", ".join(str(card) for card in p["display"]),
        "cards": f"{len(p['deck'])} in the deck, {len(p['discard'])} discarded",
        "deviation discard": ", ".join(p["deviation_discard"]) or "none",
    }
    for space in ("plan_tunnel", "finance_technology", "slot_1", "slot_2", "slot_3"):
        lines[space] = counts(p["spaces"].get(space, {}))
    for side in SIDES:
        lines |= {f"{side} {name}": text for name, text in facts_of(p[side], p, side).items()}
        lines[f"{side} score"] = str(scores[side]["total"])
    return lines


def facts_of(own: dict[str, Any], p: dict[str, Any], side: str) -> dict[str, str]:
    cards = [
        entry["card"] + "".join(f" +{c}" for c in entry["rubble"]) + " used" * entry["used"] for entry in own["cards"]
    ]
    agenda = own.get("agenda", {"pending": None, "completed": []})
    found = {
        "discs": counts(own["discs"]),
        "tbm": str(own["tbm"]),
        "route": " ".join(own["route"]),
        "storage": " ".join(own["storage"]) or "none",
        "deviation": str(own["deviation"]),
        "technology": "a{} b{}".format(*own["technology"]),
        "money": ", ".join(own["money"]) or "none",
        "cards": ", ".join(cards) or "none",
        "peeked": ", ".join(f"{where} {index}" for where, index in own["peeked"]) or "none",
    }
    if "agenda" in own:
        found["agenda"] = f"pending {agenda['pending']}, completed {agenda['completed']}"
    return found


def sections(game: Game) -> list[str]:
    """The non-zero sections of what the seat to play sees; not those of the rules, which are the same all the time."""
    seen, lines = game.observation(), []
    for section in SECTIONS:
        part = seen[section.slice]
        if part.any() and not section.name.startswith("rule_"):
            entries = [f"{i}:{x:.4g}" for i, x in enumerate(part) if x]
            lines.append(f"    {section.name}: {' '.join(entries)}")
    return lines


def playthrough(ruleset: str, seed: int) -> list[str]:
    """A game as lines of text."""
    game, rng = Game(ruleset, seed), random.Random(seed)
    now = facts(game)
    lines = [f"ruleset {ruleset}, digest {game.ruleset.digest}, seed {seed}", "", "set-up"]
    lines += [f"  {name}: {text}" for name, text in now.items()]
    number = 0
    while not game.is_over:
        lines += ["", f"{number}. round {game.round}, {game.to_play}, {game.phase}"]
        lines += [f"  legal ({len(game.legal_ids())}): {'; '.join(fold(game.legal_actions()))}"]
        if number in SHOWN_AT:
            lines += ["  sees", *sections(game)]
        action = choose(game, rng, eager=True)
        game.play(action)
        lines.append(f"  plays: {game.actions[-1]}")
        before, now = now, facts(game)
        lines += [f"  {name}: {before[name]} -> {text}" for name, text in now.items() if before[name] != text]
        number += 1
    lines += ["", f"over in round {game.round}: {game.end_cause}, winner {game.winner}"]
    for side, points in game.scores().items():
        lines.append(f"  {side}: " + ", ".join(f"{name} {n}" for name, n in points.items()))
    return lines


@pytest.mark.parametrize("ruleset", list(SEEDS))
def test_the_game_goes_as_it_is_written(ruleset: str) -> None:
    path = GOLDEN / f"{ruleset}.txt"
    written = path.read_text(encoding="utf-8").splitlines()
    found = playthrough(ruleset, SEEDS[ruleset])
    diff = list(difflib.unified_diff(written, found, str(path), "now", lineterm="", n=2))
    shown = "\n".join(diff[:60])
    assert not diff, f"{shown}\nIf this is meant: python tests/games/tunnel_1987/engine/test_golden.py --write"


@pytest.mark.parametrize("ruleset", list(SEEDS))
def test_a_golden_file_stays_readable(ruleset: str) -> None:
    assert (GOLDEN / f"{ruleset}.txt").stat().st_size < MOST_BYTES


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/games/tunnel_1987/engine/test_golden.py --write")
    GOLDEN.mkdir(exist_ok=True)
    for name, seed in SEEDS.items():
        text = "\n".join(playthrough(name, seed)) + "\n"
        (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
        print(f"{name}: {len(text)} bytes")
