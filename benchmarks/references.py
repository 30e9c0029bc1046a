"""What scores are read against, measured once and kept beside the tracks.

    python benchmarks/references.py duel-v1               # a minute of one core
    python benchmarks/references.py rules-v1              # some hours; a stopped measurement goes on

The ladder: the strengths of a duel's opponents, from a tournament among them, with random as zero. The goals: what the player
that reads the rules reaches on each ruleset of a track, or a policy that was trained from it for that ruleset.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import tyro

from channel_tunnel_agents.balance.empirical.payoffs import share_against
from channel_tunnel_agents.balance.judging import SEED
from channel_tunnel_agents.balance.players.population import DECISIONS
from channel_tunnel_agents.balance.players.training import TrainingTask, train_policies
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.contests import Contest, list_contests, ruleset_of
from channel_tunnel_agents.benchmark.playing import DIGITS, files_of, play_part
from channel_tunnel_agents.benchmark.scoring import GOALS, SIDE, STRENGTHS
from channel_tunnel_agents.matches.rating import fit
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import __version__
from channel_tunnel_env.outside.documents import read_json
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.tracks import FILES, PARTS, BenchmarkTrack, load_track, reference_file

DEALS = 1000  # of each pairing of the ladder
MET_DEALS, EVEN = 200, 0.5  # of the player and its trained policy
SEEDS = {"duel-v1": 34100008, "rules-v1": 34200008}  # of the deals, which no score is played on
INTERVALS = "intervals"


def measure_ladder(track: BenchmarkTrack) -> dict[str, Any]:
    """Play the opponents of a duel against each other, and write their strengths beside the track."""
    (table,) = track.tables
    ruleset, names = ruleset_of(table), tuple(table.opponents)
    tournament = Tournament(names, DEALS, SEEDS[track.track], ruleset)
    results = play_tournament(tournament)
    first = results.seats[0]
    outcomes = {(seating[0], seating[1]): match.points(first) for seating, match in results.matches.items()}
    rating = fit(outcomes)
    strengths = [rating.strength(i) for i in range(len(names))]
    found = {
        "what": "strengths of the fixed opponents in Elo points above the first, taken as they are by every rating",
        "command": f"python benchmarks/references.py {track.track}",
        "package": __version__,
        "ruleset": ruleset.digest,
        "seed": tournament.seed,
        "deals": DEALS,
        STRENGTHS: {n: round(s.value, 2) for n, s in zip(names, strengths, strict=True)},
        INTERVALS: {n: [round(s.low, 2), round(s.high, 2)] for n, s in zip(names, strengths, strict=True)},
        SIDE: round(rating.side.value, 2),
        FILES: {name: files_of(name, ruleset) for name in names},
    }
    _write(found, reference_file(track.track))
    return found


def measure_goals(
    track: BenchmarkTrack, decisions: int, place: Path | None = None, progress: Callable[[int], object] | None = None
) -> dict[str, Any]:
    """Write what the player that reads the rules reaches on each ruleset of a track; a stopped measurement goes on.

    A policy is trained from it for the ruleset, and the better of the two plays.

    Args:
        decisions: of that training.
        place: the file; None: beside the track.
        progress: called with 1 for every ruleset.

    Raises:
        AgentError: the game has no such player, or nothing that trains is installed.
    """
    draw = track.rules
    assert draw is not None
    reader = shipped.READERS.get(draw.game)
    if reader is None:
        raise AgentError(f"{draw.game} has no player that reads the rules")
    file = place or reference_file(track.track)
    contests = list_contests(track, reader, [draw.minutes[0]])
    head = {
        "what": (
            "shares against the scripted player, of each deal, seatings averaged: of the player that reads the rules, or of the "
            "policy that was trained from it for the ruleset, whichever wins between the two"
        ),
        "command": f"python benchmarks/references.py {track.track} --decisions {decisions}",
        "package": __version__,
        "seed": SEEDS[track.track],
        "tuned": reader,
        "decisions": decisions,
        FILES: {reader: files_of(reader, contests[0].ruleset)},
    }
    before = read_json(file) if file.exists() else {}
    same = all(before.get(key) == value for key, value in head.items())
    goals: dict[str, list[float]] = dict(before[GOALS]) if same else {}
    for number, contest in enumerate(contests):
        if contest.ruleset.digest not in goals:
            goals[contest.ruleset.digest] = _goal_of(contest, reader, decisions, SEEDS[track.track] + PARTS * number)
            _write({**head, GOALS: goals}, file)
        if progress is not None:
            progress(1)
    return {**head, GOALS: goals}


def _goal_of(contest: Contest, reader: str, decisions: int, seed: int) -> list[float]:
    (trained,) = train_policies([TrainingTask(reader, contest.ruleset, decisions, seed=0)], workers=1)
    share = share_against(trained.name, reader, contest.ruleset, MET_DEALS, SEED, workers=1).value
    better = replace(contest, agent=trained.name if share > EVEN else reader, minutes=0.0)
    parts = [play_part(better, part, seed + part) for part in better.parts]
    shares = np.concatenate([np.asarray(part.shares) for part in parts], axis=1)
    return [round(float(x), DIGITS) for x in shares.mean(axis=0)]


def _write(content: dict[str, Any], place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, (json.dumps(content, indent=1) + "\n").encode())


def main(name: tyro.conf.Positional[str], decisions: int = DECISIONS) -> None:
    """Measure again what the scores of a track are read against.

    Args:
        name: duel-v1 or rules-v1.
        decisions: of training for each ruleset of rules-v1.
    """
    track = load_track(name)
    if track.kind == "duel":
        print(json.dumps(measure_ladder(track)[INTERVALS]))
    elif track.rules is not None:
        measure_goals(track, decisions)
    else:
        raise SystemExit(f"{name}: nothing of it is measured once; duel-v1 and rules-v1 are")


if __name__ == "__main__":
    tyro.cli(main)
