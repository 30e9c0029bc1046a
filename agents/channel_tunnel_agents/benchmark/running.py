"""A track played by an agent: all parts of all contests, each kept as it ends, then the card.

    FOLDER/plan.json            what is played; another plan is refused
    FOLDER/parts/NNNN-P.json    part P of contest NNNN
    FOLDER/trained/...          what a training command left, for a track about training
    FOLDER/card.json            the score card

A stopped command goes on where it was. Every part draws deals of its own, which are in no file before its games have ended: a
part that is not there is played with other deals than the stopped command drew.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.contests import (
    DECISIONS,
    MS,
    OUT,
    RULESET,
    SEED,
    Contest,
    choose_budgets,
    list_contests,
    trained_name,
)
from channel_tunnel_agents.benchmark.playing import (
    GUESTS,
    PlayedPart,
    check_adapts,
    files_of,
    files_of_all,
    play_part,
    repeats,
    what_it_sees,
)
from channel_tunnel_agents.benchmark.scoring import score
from channel_tunnel_agents.cluster.parallel import spread
from channel_tunnel_agents.cluster.speed import this_machine
from channel_tunnel_agents.matches.store import keep_plan, plan_digest
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import ChannelTunnelError, Ruleset, __version__
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import SEAL, read_json, seal_of
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.tracks import FILES, BenchmarkTrack, load_reference, reference_file, track_digest
from channel_tunnel_env.tracks.card import CHECKSUM, CardAgent, CardTrack, ScoreCard, card_text, checksum_of

CARD, PLAYED, TRAINED = "card.json", "parts", "trained"
HOME = Path("runs") / "benchmark"
Begin = Callable[[str, int], Callable[[int], object]]
"""Called with what is counted and how much of it; returns what is called with the amount just done."""


@dataclass(frozen=True)
class BenchmarkEntry:
    """Who enters which track.

    Attributes:
        agent: its name; {ms} in it is the budget of a search, {out} the folder that a training left, {ruleset} the ruleset
            that is solved.
        budgets: of the track's; empty: all.
        train: a command that trains, with {decisions}, {seed} and {out}.
    """

    track: BenchmarkTrack
    agent: str
    budgets: tuple[int, ...] = ()
    train: str = ""

    @property
    def command(self) -> str:
        """That repeats it."""
        words = [*command_words("benchmark"), self.track.track, self.agent]
        words += ["--budgets", *map(str, self.budgets)] if self.budgets else []
        words += ["--train", self.train] if self.train else []
        return shlex.join(words)

    @property
    def folder(self) -> Path:
        """Where its games are kept by default."""
        plain = re.sub(r"[^\w.@-]+", "-", self.agent).strip("-")[:60]
        return HOME / f"{Path(self.track.track).stem}-{plain}"


@dataclass(frozen=True)
class _Task:
    number: int
    contest: Contest
    part: int

    @property
    def name(self) -> str:
        return f"{self.number:04d}-{self.part}"


def contests_of(entry: BenchmarkEntry, folder: Path) -> list[Contest]:
    """The contests of an entry; trained agents are kept in the folder."""
    check_entry(entry)
    agent = entry.agent.replace(OUT, str(folder / TRAINED / f"{DECISIONS}-{SEED}"))
    budgets = choose_budgets(entry.track, entry.budgets)
    return list_contests(entry.track, agent, budgets)


def check_entry(entry: BenchmarkEntry) -> None:
    """Refuse an entry that the track cannot score: an AgentError says what is missing."""
    track = entry.track
    if track.kind == "training":
        if not entry.train:
            raise AgentError(
                f"{track.track}: how is it trained? --train 'channel-tunnel train demo --imitate None --decisions {DECISIONS} "
                f"--seed {SEED} --run {OUT} --resume', with ppo:{OUT} as the agent"
            )
        for word, where in ((DECISIONS, entry.train), (SEED, entry.train), (OUT, entry.train)):
            if word not in where:
                raise AgentError(f"--train {entry.train!r}: {word} is missing")
        try:
            shlex.split(entry.train)
        except ValueError as error:
            raise AgentError(f"--train {entry.train!r}: {error}") from None
        if OUT not in entry.agent:
            raise AgentError(f"agent {entry.agent!r}: {OUT} is missing: each training leaves an agent of its own")
    elif entry.train:
        raise AgentError(f"--train: {track.track} does not train; few-decisions-v1 does")
    if MS in entry.agent and track.kind != "search":
        raise AgentError(f"agent {entry.agent!r}: {MS} is filled in only by search-v1")
    if RULESET in entry.agent and track.kind != "exact":
        raise AgentError(f"agent {entry.agent!r}: {RULESET} is filled in only by exact-v1")


def enter(
    entry: BenchmarkEntry,
    folder: Path,
    begin: Begin = lambda name, total: lambda done: None,
    workers: int = 1,
    say: Callable[[str], object] = lambda line: None,
) -> ScoreCard:
    """Play what is not played yet, write the card and return it.

    Args:
        begin: see `Begin`.
        workers: processes; what an agent in a process of its own plays does not depend on it.
        say: called with one line where something is missing.

    Raises:
        AgentError, VersionError, IllegalActionError: about the agent; finished parts are kept.
        TrackError: a ruleset is another one.
        StoreError: the folder holds another entry.
    """
    contests = contests_of(entry, folder)
    if entry.track.kind == "training":
        _train_all(entry, contests, folder, begin)
    first, learning = contests[0], next((each for each in contests if each.minutes), None)
    if learning is not None:
        check_adapts(learning)
    if first.is_solved and not repeats(first.agent, first.ruleset):
        raise AgentError(
            f"agent {entry.agent!r}: does not say that it repeats itself; {entry.track.track} takes the answer to each question "
            "as what it always plays"
        )
    opponents = opponents_of(contests)
    plan = {
        "track": entry.track.track,
        "digest": track_digest(entry.track.track),
        "agent": entry.agent,
        "files": files_of_all(contests),
        "budgets": choose_budgets(entry.track, entry.budgets),
        "opponents": opponents,
        "package": __version__,
    }
    keep_plan(folder, plan)
    if AgentName.read(first.agent).kind in GUESTS:
        _say_what_is_kept(contests, folder, say)
    played, seconds, processor = _play_all(contests, folder, plan_digest(plan), begin, workers)
    results = {
        contest.key: [
            [share for part in parts for share in part.shares[seating]] for seating in range(len(contest.seatings))
        ]
        for contest, parts in zip(contests, played, strict=True)
    }
    reference = reference_of(entry.track)
    decisions = sum(part.decisions for parts in played for part in parts)
    spent = sum(part.seconds for parts in played for part in parts)
    card = ScoreCard(
        card=1,
        track=CardTrack(name=entry.track.track, digest=track_digest(entry.track.track)),
        agent=CardAgent(
            name=entry.agent,
            sees=what_it_sees(first.agent, first.ruleset),  # type: ignore[arg-type]
            files=plan["files"],  # type: ignore[arg-type]
            repeats=repeats(first.agent, first.ruleset),
            milliseconds=round(1000 * spent / max(1, decisions), 4),
            train=entry.train or None,
        ),
        machine=this_machine(),
        package=__version__,
        played=datetime.now(UTC).strftime("%Y-%m-%d"),
        command=entry.command,
        budgets=choose_budgets(entry.track, entry.budgets),
        opponents=opponents,
        reference=reference_digest(reference),
        wall_seconds=round(seconds, 2),
        processor_seconds=round(processor, 2),
        deals={contest.key: [part.deals for part in parts] for contest, parts in zip(contests, played, strict=True)},
        decisions=decisions,
        games=sum(len(row) for rows in results.values() for row in rows),
        scores=score(entry.track, contests, results, reference, opponents),
        results=results,
    )
    text = card_text(card)
    write_whole(folder / CARD, text.encode())
    for line in what_is_missing(entry.track, reference, opponents):
        say(line)
    return card.model_copy(update={CHECKSUM: checksum_of(card)})


def opponents_of(contests: Sequence[Contest]) -> dict[str, str | None]:
    """The opponents with the digests of their files."""
    return {each.rival: files_of(each.rival, each.ruleset) for each in reversed(contests) if not each.is_solved}


def reference_of(track: BenchmarkTrack) -> dict[str, Any] | None:
    """What was measured once for the track; None if it has no reference, or it has not been measured."""
    name = _reference_name(track)
    return load_reference(name) if name else None


def _reference_name(track: BenchmarkTrack) -> str | None:
    """The track whose reference a track is read against, if any."""
    return track.track if track.kind == "rules" else track.ladder


def reference_digest(reference: Mapping[str, Any] | None) -> str | None:
    """The digest that a card names."""
    return None if reference is None else seal_of(dict(reference))


def what_is_missing(
    track: BenchmarkTrack, reference: Mapping[str, Any] | None, opponents: Mapping[str, str | None]
) -> list[str]:
    """Why there is less on a card than the track promises: one line each."""
    name = _reference_name(track)
    if not name:
        return []
    if reference is None:
        return [
            f"{reference_file(name)}: not measured yet, so the card has shares and no {'way' if track.kind == 'rules' else 'rating'}"
        ]
    other = [each for each, files in opponents.items() if reference.get(FILES, {}).get(each, files) != files]
    return [f"{each}: another one than the ladder was measured with; not rated against" for each in other]


def _play_all(
    contests: Sequence[Contest], folder: Path, plan: str, begin: Begin, workers: int
) -> tuple[list[list[PlayedPart]], float, float]:
    """The parts of every contest in order; seconds and processor seconds of all of them."""
    tasks = _tasks_of(contests)
    (folder / PLAYED).mkdir(parents=True, exist_ok=True)
    kept: dict[str, dict[str, Any]] = {}
    for name, alike in groupby(tasks, lambda task: task.contest.played_as):
        _play_alike(name, list(alike), kept, folder, plan, begin, workers)
    played: list[list[PlayedPart]] = [[] for _ in contests]
    for task in tasks:
        played[task.number].append(PlayedPart(**kept[task.name]["part"]))
    wall, processor = (sum(float(found[key]) for found in kept.values()) for key in ("seconds", "processor"))
    return played, wall, processor


def _tasks_of(contests: Sequence[Contest]) -> list[_Task]:
    """The parts that have deals."""
    return [_Task(number, contest, part) for number, contest in enumerate(contests) for part in contest.parts]


def _say_what_is_kept(contests: Sequence[Contest], folder: Path, say: Callable[[str], object]) -> None:
    """Say how many games are there, because of an agent's own code its digest may not cover everything."""
    tasks = _tasks_of(contests)
    kept = sum(_games_of(task) for task in tasks if _file_of(folder, task).exists())
    if kept:
        say(
            f"{kept:,} of {sum(map(_games_of, tasks)):,} games were played before and are kept; delete {folder} if "
            "something has changed that the agent reads beside its code"
        )


def _play_alike(
    name: str, tasks: list[_Task], kept: dict[str, dict[str, Any]], folder: Path, plan: str, begin: Begin, workers: int
) -> None:
    """Add to `kept` what some tasks give, from their files or by playing; `plan` is the plan's digest."""
    advance = begin(name, sum(map(_games_of, tasks)))
    todo = []
    for task in tasks:
        found = _kept_part(folder, task, plan)
        if found is None:
            todo.append(task)
        else:
            kept[task.name] = found
            advance(_games_of(task))
    for task, played in spread(_play_task, todo, workers):
        found = json.loads(json.dumps({"of": _games(task, plan), **played}))
        found[SEAL] = seal_of(found)
        write_whole(_file_of(folder, task), (json.dumps(found) + "\n").encode())
        kept[task.name] = found
        advance(_games_of(task))


def _play_task(task: _Task) -> dict[str, Any]:
    begun, work = time.perf_counter(), time.process_time()
    part = play_part(task.contest, task.part)
    return {"part": asdict(part), "seconds": time.perf_counter() - begun, "processor": time.process_time() - work}


def _games_of(task: _Task) -> int:
    return task.contest.deals_of(task.part) * len(task.contest.seatings)


def _file_of(folder: Path, task: _Task) -> Path:
    return folder / PLAYED / f"{task.name}.json"


def _games(task: _Task, plan: str) -> dict[str, Any]:
    """What a part's games follow from; `plan` is the plan's digest."""
    contest = task.contest
    return {
        "plan": plan,
        "contest": contest.key,
        "agent": contest.agent,
        "opponent": contest.rival,
        "seatings": [[*seats] for seats in contest.seatings],
        "part": task.part,
        "deals": contest.deals_of(task.part),
    }


def _kept_part(folder: Path, task: _Task, plan: str) -> dict[str, Any] | None:
    """A part that was played before; None if it was not, its file is broken or was changed, or it is of other games."""
    try:
        found: dict[str, Any] = read_json(_file_of(folder, task))
        if found[SEAL] != seal_of(found) or found["of"] != _games(task, plan):
            return None
        part = PlayedPart(**found["part"])
        amounts = [part.decisions, part.seconds, found["seconds"], found["processor"]]
        is_whole = (
            _are_shares(part.shares, task) and all(amount >= 0 for amount in amounts) and given_seed(part.deals) >= 0
        )
        return found if is_whole else None
    except (OSError, DocumentError, TypeError, ValueError, KeyError, AttributeError):
        return None


def _are_shares(shares: Any, task: _Task) -> bool:
    """Whether a part has a share, 0 to 1, of each deal in each seating."""
    there = np.asarray(shares)
    wanted = len(task.contest.seatings), task.contest.deals_of(task.part)
    is_whole = there.shape == wanted and there.dtype.kind in "if"
    return is_whole and bool(((there >= 0) & (there <= 1)).all())


def _check_trained(name: str, ruleset: Ruleset, words: Sequence[str]) -> None:
    """Refuse, with an AgentError, what a training left if it does not play, before the next one begins."""
    try:
        make_agent(name, ruleset)
    except (AgentError, ChannelTunnelError, OSError) as error:
        raise AgentError(f"--train: {shlex.join(words)}: it left no agent: {error}") from None


def _train_all(entry: BenchmarkEntry, contests: Sequence[Contest], folder: Path, begin: Begin) -> None:
    """Run the training command for every budget and seed that has not been trained yet.

    Raises:
        AgentError: a command failed, or left no agent.
        StoreError: another command trained what is there.
    """
    training = entry.track.training
    assert training is not None
    keep_plan(folder / TRAINED, {"train": entry.train})
    wanted = [(decisions, seed) for decisions in choose_budgets(entry.track, entry.budgets) for seed in training.seeds]
    advance = begin("training runs", len(wanted))
    for decisions, seed in wanted:
        out = folder / TRAINED / trained_name(f"{DECISIONS}-{SEED}", decisions, seed)
        done = out.with_name(f"{out.name}.done")
        if not done.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            fill = partial(trained_name, decisions=decisions, seed=seed)
            words = [fill(word).replace(OUT, str(out)) for word in shlex.split(entry.train)]
            try:
                status = subprocess.run(words, check=False).returncode
            except OSError as error:
                raise AgentError(f"--train: {error.strerror}: {error.filename}") from None
            if status:
                raise AgentError(f"--train: exit status {status} of {shlex.join(words)}; the same command goes on")
            _check_trained(fill(entry.agent).replace(OUT, str(out)), contests[0].ruleset, words)
            write_whole(done, b"")
        advance(1)
