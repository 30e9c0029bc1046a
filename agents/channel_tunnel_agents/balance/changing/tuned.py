"""Copies of a policy that reads the rules, each trained on for one ruleset alone.

A policy for all rulesets plays the strange ones badly. Some minutes of training on the ruleset at hand mend that. The
copy is kept under the user's runs by the digest of the ruleset, so that the next report on the same rules has it at
once; `tuned:NAME` plays it. It still reads the rules, so it also plays settings near those it was tuned on.
"""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from channel_tunnel_agents.balance.changing.libraries import cannot_train, check_libraries
from channel_tunnel_agents.balance.changing.overlay import dump_ruleset
from channel_tunnel_agents.base import AgentError, searches
from channel_tunnel_agents.learning.alone import LOCK, alone_in
from channel_tunnel_agents.names import TUNED, TUNED_RUNS
from channel_tunnel_agents.players.policy.card import (
    APART_FROM,
    DRAWN,
    MOST_MINUTES,
    check_card,
    digest_of,
    plays_all_rulesets,
    policy_paths,
)
from channel_tunnel_agents.players.policy.saved_policy import policy_card, read_policy
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.files import KEPT_BYTES, read_whole, write_whole

if TYPE_CHECKING:
    from channel_tunnel_agents.learning.config import TrainConfig

MINUTES = 3.0  # usually
RULES = "ruleset.yaml"
DIGITS = 8  # of the digests in a copy's name
EXACT = "-minutes"  # ends the name of a copy that gets no more of them
SCRIPTED_SHARE = 0.25
"""Of a copy's games, against the scripted player, where that plays from observations."""
SEED = 7
Show = Callable[[float, str], object]
"""Is told the share done, and a few words."""


@dataclass(frozen=True)
class TunedCopy:
    """A copy and how long it was trained.

    Attributes:
        name: plays it: `tuned:adept-museum-1a2b3c4d`.
        folder: of its run.
        minutes: that it has been trained.
        stopped: whether somebody ended it before its time.
    """

    name: str
    folder: Path
    minutes: float
    stopped: bool = False


def place_of(parent: str, ruleset: Ruleset) -> Path:
    """The folder of a policy's copy for a ruleset, whether or not it exists.

    It is named by the digests of both, so that neither an edited ruleset nor a newer policy meets an old copy. The
    same rules under another name have the copy that there is.
    """
    return _place(parent, ruleset, f"-{ruleset.digest[:DIGITS]}")


def exact_place_of(parent: str, ruleset: Ruleset, minutes: float) -> Path:
    """The folder of the copy that has so many minutes and never gets more."""
    return _place(parent, ruleset, f"-{ruleset.digest[:DIGITS]}-{minutes:g}{EXACT}")


def _place(parent: str, ruleset: Ruleset, end: str) -> Path:
    start = _start_of_names(parent, ruleset)
    there = sorted(TUNED_RUNS.glob(f"{glob.escape(start)}*{end}/"))
    return there[0] if there else TUNED_RUNS / f"{start}{ruleset.name[:40]}{end}"


def _start_of_names(parent: str, ruleset: Ruleset) -> str:
    """What the names of all copies of a policy begin with: its name, and the digest of its weights."""
    files = policy_paths(find_policy(parent, ruleset.spec.name)).values()
    plain = parent.rpartition("/")[2].rpartition(":")[2]
    return f"{plain}-{digest_of(files)[:DIGITS]}-"


def find_copy(parent: str, ruleset: Ruleset) -> TunedCopy | None:
    """The copy of a policy for a ruleset; None if there is none, or it does not fit this package."""
    return _copy_in(place_of(parent, ruleset), ruleset)


def _copy_in(folder: Path, ruleset: Ruleset) -> TunedCopy | None:
    try:
        cards = [read_policy(file, ruleset)[1] for file in policy_paths(folder).values()]
    except VersionError:
        return None
    minutes = min(card[TUNED]["minutes"] if TUNED in card else 0.0 for card in cards)
    return TunedCopy(f"{TUNED}:{folder.name}", folder, minutes)


def tune_copy(
    parent: str,
    ruleset: Ruleset,
    minutes: float = MINUTES,
    show: Show = lambda done, words: None,
    stop_asked: Callable[[], bool] = lambda: False,
    threads: int | None = None,
) -> TunedCopy:
    """Train a policy's copy for a ruleset, or train the one there is for longer; returns it.

    A run that is stopped keeps what it has learnt, and goes on the next time.

    Args:
        parent: name of a policy that reads the rules, or its folder as `ppo:FOLDER`.
        minutes: in all; a copy that has had as many is returned as it is.
        show: told of the progress.
        stop_asked: asked between updates.
        threads: of torch; None: every core.

    Raises:
        AgentError: not such a policy, no torch, or another process tunes the same copy.
        OSError: a file could not be written; an earlier copy is intact.
    """
    return _copy_of(parent, ruleset, minutes, place_of(parent, ruleset), show, stop_asked, threads)


def exact_copy(parent: str, ruleset: Ruleset, minutes: float, threads: int | None = None) -> TunedCopy:
    """A copy that has had so many minutes and no more, for a measurement: `tune_copy` may return one that has had more.

    It goes on from the longest copy that has had fewer, which stays as it is.

    Raises:
        AgentError, OSError: see `tune_copy`.
    """
    folder = exact_place_of(parent, ruleset, minutes)

    def begin() -> None:
        _begin_from(_longest_below(parent, ruleset, minutes), folder)

    return _copy_of(parent, ruleset, minutes, folder, threads=threads, begin=begin)


def _copy_of(
    parent: str,
    ruleset: Ruleset,
    minutes: float,
    folder: Path,
    show: Show = lambda done, words: None,
    stop_asked: Callable[[], bool] = lambda: False,
    threads: int | None = None,
    begin: Callable[[], object] = lambda: None,
) -> TunedCopy:
    """The copy in a folder, once it has had its minutes; `begin` is called before it is trained, alone in the folder."""
    found = _copy_in(folder, ruleset)
    if found is not None and found.minutes >= minutes:
        return found
    card = _reading_card(parent, ruleset)
    check_libraries()
    with alone_in(folder, f"tunes this copy for {ruleset.name}"):
        begin()
        return _train(parent, card, ruleset, folder, minutes, show, stop_asked, threads)


def check_minutes(minutes: float) -> None:
    """Refuse minutes for which no copy can be tuned.

    Raises:
        AgentError: they are out of range.
    """
    if not 0 < minutes <= MOST_MINUTES:
        raise AgentError(f"--minutes {minutes:g}: above 0, up to {MOST_MINUTES:,}")


def check_tunable(parent: str, ruleset: Ruleset) -> None:
    """Refuse, before anything is played, a policy that no copy could be tuned of.

    Raises:
        AgentError: it does not read the rules, or there is no torch.
    """
    _reading_card(parent, ruleset)
    check_libraries()


def _longest_below(parent: str, ruleset: Ruleset, minutes: float) -> TunedCopy | None:
    """The copy that has been trained the longest, but for fewer minutes."""
    start, digest = _start_of_names(parent, ruleset), ruleset.digest[:DIGITS]
    folders = TUNED_RUNS.glob(f"{glob.escape(start)}*-{digest}*/")
    found = [copy for folder in sorted(folders) if (copy := _copy_in(folder, ruleset)) is not None]
    return max((copy for copy in found if copy.minutes < minutes), key=lambda copy: copy.minutes, default=None)


def _begin_from(shorter: TunedCopy | None, folder: Path) -> None:
    """Put another copy's files into a folder without a checkpoint; that comes last, when the others are there."""
    from channel_tunnel_agents.learning.checkpoint import CHECKPOINT, PREVIOUS, find_checkpoint

    if shorter is None or find_checkpoint(folder) is not None:
        return
    others = shutil.ignore_patterns(LOCK, CHECKPOINT, PREVIOUS)
    shutil.copytree(shorter.folder, folder, ignore=others, copy_function=_copy, dirs_exist_ok=True)
    _copy(shorter.folder / CHECKPOINT, folder / CHECKPOINT)


def _copy(source: str | Path, target: str | Path) -> None:
    write_whole(Path(target), read_whole(source, KEPT_BYTES))


def _reading_card(parent: str, ruleset: Ruleset) -> dict[str, Any]:
    """The card of a policy that reads the rules.

    Raises:
        AgentError: it does not, or cannot be trained here.
    """
    file = next(iter(policy_paths(find_policy(parent, ruleset.spec.name)).values()))
    card = policy_card(file)
    if not plays_all_rulesets(card):
        raise AgentError(
            f"agent {parent!r}: trained for {card.get('ruleset')}; only a policy that reads the rules is tuned"
        )
    check_card(card, file, ruleset)
    return card


def rivals_of_copies(ruleset: Ruleset) -> dict[str, Any]:
    """The scripted player as a rival in some games, if it plays from what it sees; else a copy plays itself alone."""
    # Whoever only plays copies needs no library of the measures.
    from channel_tunnel_agents.balance.measuring.measures import measures_of

    player = measures_of(ruleset).player
    if searches(make_agent(player, ruleset)):
        return {}
    return {"rivals": (player,), "rival_share": SCRIPTED_SHARE}


def _train(
    parent: str,
    card: dict[str, Any],
    ruleset: Ruleset,
    folder: Path,
    minutes: float,
    show: Show,
    stop_asked: Callable[[], bool],
    threads: int | None,
) -> TunedCopy:
    try:
        from channel_tunnel_agents.balance.changing.adapt import SCHOOLS, adapting_config
        from channel_tunnel_agents.learning.guards import TrainingStopped
        from channel_tunnel_agents.learning.training import TrainingRun
        from channel_tunnel_agents.players.policy.agent import PolicyAgent
    except ImportError as error:
        raise cannot_train(error) from None
    agent = PolicyAgent.load(find_policy(parent, ruleset.spec.name))
    rules = folder / RULES
    write_whole(rules, dump_ruleset(ruleset).encode())
    config = adapting_config(
        agent,
        "tuned",
        rules,
        folder,
        10**12,
        SEED,
        max_minutes=minutes,
        **SCHOOLS[ruleset.spec.name].copies,
        **rivals_of_copies(ruleset),
        threads=threads or os.cpu_count() or 1,
    )
    try:
        run = TrainingRun(_as_begun(config, folder), resume=True, ruleset=ruleset)
    except VersionError as error:
        why = str(error).partition("; ")[0]  # what follows advises those who train a run by hand
        raise AgentError(f"this copy cannot be trained further: {why}; delete {folder}, and it is tuned anew") from None
    run.stop_asked = stop_asked
    run.noted = lambda: _note(card, run.minutes_spent)

    def tell(done: float, decisions: int) -> None:
        show(done, f"{decisions / 1e6:.1f} M decisions")

    def watch(status: dict[str, Any]) -> None:
        if "decisions" in status:
            tell(status["done"], status["decisions"])

    stopped = False
    try:
        run.train(watch)
        tell(1.0, run.decisions_made)  # the last update is told of before the time is over
    except TrainingStopped:
        stopped = True
    run.save_policies(folder)  # a run whose time was over has written nothing
    return TunedCopy(f"{TUNED}:{folder.name}", folder, run.minutes_spent, stopped)


def _as_begun(config: TrainConfig, folder: Path) -> TrainConfig:
    """The config of a copy that goes on: its parent may lie elsewhere by now, the folder's name says that it is the same."""
    from channel_tunnel_agents.learning.checkpoint import find_checkpoint, read_card

    checkpoint = find_checkpoint(folder)
    if checkpoint is None:
        return config
    begun = read_card(checkpoint)[0].get("config", {})
    return config.model_copy(update={"start_from": begun.get("start_from", config.start_from)})


def _note(parent: dict[str, Any], minutes: float) -> dict[str, Any]:
    """What a copy's cards say beside the run's: it plays every ruleset, as its parent does, and how long it was tuned.

    No longer that it was kept apart from a track's rulesets: it was trained on whatever it is a copy for.
    """
    drawn = {key: value for key, value in parent[DRAWN].items() if key != APART_FROM}
    return {DRAWN: drawn, TUNED: {"minutes": round(minutes, 3)}}
