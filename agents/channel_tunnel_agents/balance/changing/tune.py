"""Search for a ruleset that meets targets, and report how certain the result is.

optuna's TPE proposes settings of some numbers; an agent plays itself on the same deals at each. The
luck of these deals is removed with the base as a control variate, played on many more deals. The
leading settings are played again on other deals, so that luck on the shared ones does not choose
the order; then, one after the other, the best of them are confirmed on deals that no choice
was based on, until one meets all targets. A setting whose confirmation settles nothing gets more deals, up to
four times as many. Only those figures are reported, and their intervals are widened for the number of
settings that may be confirmed and of interim analyses of each: what is called met is met with 95 %
confidence, whichever setting it is.

    OUT/study.db            optuna's study
    OUT/search/, finals/    games of the trials, of the finalists
    OUT/proof/, proof-2/, proof-3/    games that confirm the best settings, and of the base
    OUT/best.yaml, tune.json    the best setting as a ruleset file, and every figure
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pandas as pd
from optuna.distributions import BaseDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState, create_trial

from channel_tunnel_agents.balance.changing.compare import Difference, cells, compare
from channel_tunnel_agents.balance.changing.overlay import base_name, dump_overlay, make_overlay
from channel_tunnel_agents.balance.changing.parameters import (
    ParameterError,
    Point,
    base_point,
    grid_size,
    make_point,
    point_folder,
    read_parameters,
    value_text,
)
from channel_tunnel_agents.balance.changing.targets import Check, Status, Targets, check_targets, range_text, status_of
from channel_tunnel_agents.balance.measuring.deals import chunk_seed
from channel_tunnel_agents.balance.measuring.knowledge import reader_note, unseen_lines, verdict_command
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import GameMeasures, measures_of
from channel_tunnel_agents.base import FROZEN, AgentError, agent_seed, reads_rules
from channel_tunnel_agents.matches.store import keep_plan
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import CONFIDENCE, REACH, Estimate, student_reach
from channel_tunnel_env import Ruleset, __version__
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.progress import Progress
from channel_tunnel_env.outside.terminal import percent
from channel_tunnel_env.rulesets.ruleset import load_ruleset

STUDY, BEST, JSON = "study.db", "best.yaml", "tune.json"
FINALISTS = 6
# A setting's changes cost at most this many standard errors of a measure: they only break ties
# between settings that meet the targets equally well.
CHANGES_COST = 0.1
SEARCH, FINALS = "search", "finals"
PROOFS = {"proof": 1, "proof-2": 1, "proof-3": 2}
"""Interim analyses of a confirmation: stage -> the deals that it adds, as a multiple of the targets'. A later stage is
played only where the last one settled nothing."""
STAGES = (SEARCH, FINALS, *PROOFS)  # each with its own deals
PROVED = 3  # settings that may be confirmed
PROOF_CONFIDENCE = 1 - (1 - CONFIDENCE) / (PROVED * len(PROOFS))
"""Of each interval of the proof, so that all those of one target hold together with `CONFIDENCE`
(Bonferroni over settings and looks). A setting meets its targets only if every interval lies inside, so their number needs no
correction (Berger 1982)."""
CONFIDENT = percent(PROOF_CONFIDENCE)


@dataclass(frozen=True)
class Tuning:
    """What to search, and how many games to play.

    Raises:
        AgentError: a number too low.
    """

    targets: Targets
    """The targets, who plays, and how many deals the finalists and the proof get."""
    parameters: tuple[str, ...]
    """KEY=VALUES, as typed; see `parameters`."""
    ruleset: str = "standard"
    trials: int = 40
    deals: int = 500
    """Deals per trial."""
    seed: int | None = None
    """Seeds the search and all deals; None: the targets' seed."""

    def __post_init__(self) -> None:
        for name, value, least in (("trials", self.trials, 1), ("deals", self.deals, 30)):
            if value < least:
                raise AgentError(f"{name}: {value}; at least {least} needed")
        agent_seed(self.first_seed)

    @property
    def first_seed(self) -> int:
        """Seed of the trials' deals; that of each further stage is one higher than the last."""
        return self.targets.seed if self.seed is None else self.seed

    @cached_property
    def base(self) -> Ruleset:
        """The ruleset that the search starts from."""
        return load_ruleset(self.ruleset)

    @cached_property
    def measures(self) -> GameMeasures:
        """What is measured in its game."""
        return measures_of(self.base)


@dataclass(frozen=True)
class Tried:
    """A setting that was played in the search.

    Attributes:
        misfit: how far it misses the targets, see `Search.misfit`.
        cost: the misfit plus a small cost of its changes; lower is better.
    """

    point: Point
    misfit: float
    cost: float


@dataclass(frozen=True)
class Proof:
    """A setting on fresh deals, of one look or several."""

    point: Point
    checks: list[Check]
    looks: int

    @property
    def status(self) -> Status:
        """Status of all targets together."""
        return status_of(self.checks)

    @property
    def deals(self) -> int:
        """Fresh deals of all looks."""
        return self.checks[0].n


@dataclass(frozen=True)
class Tuned:
    """What was found.

    Attributes:
        player: name of the agent.
        note: what a reader must know about the agent.
        settings: how many settings the parameters allow, and the base.
        tried: every distinct setting played in the search, the base included, best first.
        refused: trials whose values the ruleset refuses together.
        proofs: the settings that were confirmed or refuted, in order; only the last may meet all targets.
        before: the targets at the base, on the same fresh deals as `best`.
        changes: changes from the base of the targets' measures and the main ones, on the same fresh
            deals.
        stopped: whether it was asked to end, so that the best setting so far had one look only.
    """

    tuning: Tuning
    player: str
    note: str
    settings: int
    tried: list[Tried]
    trials: int
    refused: int
    proofs: list[Proof]
    before: list[Check]
    changes: list[Difference]
    stopped: bool

    @property
    def best(self) -> Proof:
        """The best setting, which is reported."""
        return best_of(self.proofs)


class Search:
    """A tuning that is kept in a folder.

    Args:
        stop: whether to end with the best setting so far: what is being played is finished, and the proof has one look.

    Raises:
        AgentError: an unknown agent, measure or parameter, a value the ruleset refuses, or a ruleset of a
            game in which nothing is measured.
        RulesetError: no such ruleset.
        VersionError: an agent of another game.
        StoreError: the folder holds another tuning; the message says what differs.
    """

    def __init__(
        self, tuning: Tuning, out: Path, workers: int | None = None, stop: Callable[[], bool] = lambda: False
    ) -> None:
        self.tuning, self.out, self.workers, self.stop = tuning, out, workers, stop
        self.base = tuning.base
        tuning.measures.find(tuning.targets.targets)
        self.parameters = read_parameters(tuning.parameters, self.base)
        self.let_play(tuning.targets.agent)
        keep_plan(out, self._plan())
        self.origin = base_point(self.parameters, self.base)
        self.tried: dict[str, Tried] = {}  # by digest
        self.unit: dict[str, float] = {}  # standard errors by measure; known once the base has been played

    def let_play(self, player: str) -> None:
        """Have an agent play every seat: the targets' own, or the one that plays instead.

        Raises:
            AgentError, VersionError: no such agent, or one that does not fit the ruleset.
        """
        self.player, self.agent = player, make_agent(FROZEN + player, self.base)

    def run(self, progress: Progress | None = None) -> Tuned:
        """Search, choose, prove: a stage of progress for the trials, and one for the settings that are checked.

        A stopped run resumes, with the same result as one that was not stopped.
        """
        self.few, self.many = (self._play(self.origin, stage) for stage in (SEARCH, FINALS))
        self.unit = standard_errors(self._check(self.few))
        misfit = self.trial_misfit(self.few)
        self.tried[self.base.digest] = Tried(self.origin, misfit, misfit)
        begin = (progress or Progress()).begin
        study = self._search(begin("settings tried", self.trials))
        proofs = self._prove(begin("settings checked", min(FINALISTS, len(self.tried)) + PROVED))
        best = best_of(proofs)
        before, after = (self._play_proof(point, best.looks) for point in (self.origin, best.point))
        known = self.tuning.measures
        measures = known.find(dict.fromkeys([*self.tuning.targets.targets, *known.main]))
        return Tuned(
            self.tuning,
            self.player,
            self._note(best.point),
            grid_size(self.parameters) + any(p.base not in p.values for p in self.parameters),
            self._ranking(),
            trials=len(_finished(study)),
            refused=sum(trial.state == TrialState.PRUNED for trial in study.trials),
            proofs=proofs,
            before=self._check(before, PROOF_CONFIDENCE),
            changes=compare(before, after, measures),
            stopped=self.stop(),
        )

    def misfit(self, checks: list[Check]) -> float:
        """Sum over the targets of the distance outside the range, in standard errors at the base.

        The base's standard errors are used for all settings: a setting's own would make a noisier
        game look nearer. The range's width would not do: a range may be open or a single value. The
        range is narrowed by half the width of the final interval, because a setting at its edge
        could never be confirmed.
        """
        deals = self.tuning.targets.deals
        reach = student_reach(deals, PROOF_CONFIDENCE) * float(np.sqrt(self.tuning.deals / deals))
        units = [self.unit[check.name] for check in checks]
        return sum(narrowed(check, reach * unit).distance / unit for check, unit in zip(checks, units, strict=True))

    def trial_misfit(self, games: pd.DataFrame) -> float:
        """The misfit of games on the trials' deals, with the luck of the deals removed as far as
        the base shows it."""
        known = self.tuning.measures.named
        return self.misfit(
            [shifted(check, luck(known[check.name], games, self.few, self.many)) for check in self._check(games)]
        )

    def changes_cost(self, point: Point) -> float:
        """0 at the base, CHANGES_COST where every parameter is as far from it as possible."""
        changed = [p for p in self.parameters if p.key in point.changes]
        shares = [0.5 + 0.5 * p.distance(point.changes[p.key]) for p in changed]  # for being changed, and for how far
        return CHANGES_COST * sum(shares) / len(self.parameters)

    # --- stages ---------------------------------------------------------------------------------

    def _search(self, progress: Callable[[int], object]) -> optuna.Study:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(storage=f"sqlite:///{self.out / STUDY}", study_name="tune", load_if_exists=True)
        for trial in study.get_trials(states=(TrialState.RUNNING,)):
            study.tell(trial.number, state=TrialState.FAIL)  # of a stopped run
        for trial in _finished(study):
            self._try(trial.params)
            progress(1)
        places: dict[str, BaseDistribution] = {p.key: IntDistribution(0, len(p.values) - 1) for p in self.parameters}
        planned = self._planned()
        for number in range(len(_finished(study)), self.trials):
            if self.stop():
                break
            asked = None
            if number >= len(planned):
                # Each trial's own random stream, so that a resumed search continues as it would have.
                stream = chunk_seed(self.tuning.first_seed, number)
                study.sampler = optuna.samplers.TPESampler(seed=stream)
                asked = study.ask(places)
            params = planned[number] if asked is None else asked.params
            tried = self._try(params)
            value, state = (None, TrialState.PRUNED) if tried is None else (tried.cost, TrialState.COMPLETE)
            if asked is None:
                study.add_trial(create_trial(params=params, distributions=places, value=value, state=state))
            else:
                study.tell(asked, value, state)
            progress(1)
        return study

    @property
    def trials(self) -> int:
        """Number of trials: at most the number of settings."""
        return min(self.tuning.trials, grid_size(self.parameters))

    def _planned(self) -> list[dict[str, int]]:
        """Every setting if there are trials for all of them; else the base, if it is one of
        them."""
        if grid_size(self.parameters) <= self.tuning.trials:
            places = itertools.product(*(range(len(p.values)) for p in self.parameters))
            keys = [parameter.key for parameter in self.parameters]
            return [dict(zip(keys, setting, strict=True)) for setting in places]
        if any(parameter.base not in parameter.values for parameter in self.parameters):
            return []
        return [{p.key: [*p.values].index(p.base or 0) for p in self.parameters}]

    def _try(self, params: Mapping[str, int]) -> Tried | None:
        """Play a setting, or read its games; None if the ruleset refuses its values together.

        Args:
            params: indices into the lists of values.
        """
        values = {p.key: p.values[params[p.key]] for p in self.parameters}
        try:
            point = make_point(self.base, values)
        except ParameterError:
            return None
        digest = point.ruleset.digest
        if digest not in self.tried:
            misfit = self.trial_misfit(self._play(point, SEARCH))
            self.tried[digest] = Tried(point, misfit, misfit + self.changes_cost(point))
        return self.tried[digest]

    def _ranking(self) -> list[Tried]:
        return sorted(self.tried.values(), key=lambda tried: (tried.cost, tried.point.name))

    def _prove(self, progress: Callable[[int], object] = lambda done: None) -> list[Proof]:
        """Put the finalists to the proof, the best on separate deals first, until one meets all
        targets."""
        leading = [tried.point for tried in self._ranking()[:FINALISTS]]
        costs: list[float] = []
        for point in leading:
            if self.stop():
                break
            costs.append(self._final_cost(point))
            progress(1)
        proofs: list[Proof] = []
        for i in np.argsort(costs or [0.0], kind="stable")[:PROVED]:
            proofs.append(self._settle(leading[i]))
            progress(1)
            if proofs[-1].status == "met" or self.stop():
                break
        return proofs

    def _settle(self, point: Point) -> Proof:
        """Look at a setting on more and more deals, until it is settled or they run out."""
        for looks in range(1, len(PROOFS) + 1):
            games = self._play_proof(point, looks)
            proof = Proof(point, self._check(games, PROOF_CONFIDENCE), looks)
            if proof.status != "not settled" or self.stop():
                break
        return proof

    def _final_cost(self, point: Point) -> float:
        checks = self._check(self._play(point, FINALS))
        return self.misfit(checks) + self.changes_cost(point)

    # --- parts ----------------------------------------------------------------------------------

    def _check(self, games: pd.DataFrame, confidence: float = CONFIDENCE) -> list[Check]:
        known = self.tuning.measures.named
        return check_targets(self.tuning.targets, games, known, confidence)

    def _play_proof(self, point: Point, looks: int) -> pd.DataFrame:
        """The games of the first looks together."""
        parts = [self._play(point, stage) for stage in [*PROOFS][:looks]]
        firsts = itertools.accumulate([0, *map(len, parts)])
        numbered = [part.assign(deal=part["deal"] + first) for part, first in zip(parts, firsts, strict=False)]
        return pd.concat(numbered, ignore_index=True)

    def _play(self, point: Point, stage: str) -> pd.DataFrame:
        tuning = self.tuning
        tournament = Tournament(
            (FROZEN + self.player,),
            tuning.deals if stage == SEARCH else tuning.targets.deals * PROOFS.get(stage, 1),
            tuning.first_seed + STAGES.index(stage),
            point.ruleset,
            mirror=True,
        )
        return play_tournament(tournament, workers=self.workers, folder=point_folder(point, self.out / stage)).games

    def _plan(self) -> dict[str, object]:
        tuning = self.tuning
        return {
            "targets": tuning.targets.model_dump(mode="json"),
            "parameters": {p.key: list(p.values) for p in self.parameters},
            "ruleset": self.base.name,
            "digest": self.base.digest,
            "deals": tuning.deals,
            "seed": tuning.first_seed,
            "package": __version__,
        }

    def _note(self, best: Point) -> str:
        name = self.player
        if not isinstance(self.agent, PolicyAgent):
            return f"The figures are those of {name} against itself; other players may find other things."
        if reads_rules(self.agent):
            return " ".join([reader_note(name, self.base), *unseen_lines([name], [best.ruleset])])
        command = verdict_command(self.base, str(self.out / BEST))
        advice = f" Before you trust this one: {command}" if command else ""
        return f"{name} is frozen: it plays every setting as it learnt another.{advice}"


def best_of(proofs: Sequence[Proof]) -> Proof:
    """The one that meets all targets; else the first that may, else the first."""
    order: tuple[Status, ...] = ("met", "not settled", "missed")
    return min(proofs, key=lambda proof: order.index(proof.status))


def luck(measure: Measure, games: pd.DataFrame, few: pd.DataFrame, many: pd.DataFrame) -> float:
    """How much the luck of some games' deals moved a measure, as far as the base's games show.

    A control variate: all trials share their deals, so the deals' luck moves every setting alike.

    Args:
        games, few: games of a setting and of the base, on the same deals.
        many: games of the base on many other deals.
    """
    own, base = measure.of(games), measure.of(few)
    covariance = np.cov(own, base)
    if covariance[1, 1] == 0:
        return 0.0
    slope = covariance[0, 1] / covariance[1, 1]
    return float(slope * (base.mean() - measure.of(many).mean()))


def shifted(check: Check, by: float) -> Check:
    """The check with its figure lowered by this much."""
    found = check.found
    return replace(check, found=Estimate(found.value - by, found.low - by, found.high - by))


def narrowed(check: Check, margin: float) -> Check:
    """The check with its range narrowed by the margin at each bound; the middle if nothing is
    left."""
    low = None if check.low is None else check.low + margin
    high = None if check.high is None else check.high - margin
    if low is not None and high is not None and low > high:
        low = high = (low + high) / 2
    return replace(check, low=low, high=high)


def standard_errors(checks: list[Check]) -> dict[str, float]:
    """Standard errors of the targets' measures; if all games are alike, as if a game's deviation
    were 1."""
    found = {}
    for check in checks:
        error = (check.found.high - check.found.low) / (2 * REACH)
        found[check.name] = error if error > 0 else float(1 / np.sqrt(check.n))
    return found


def _finished(study: optuna.Study) -> list[FrozenTrial]:
    return study.get_trials(states=(TrialState.COMPLETE, TrialState.PRUNED))


# --- tables, sentences and files ------------------------------------------------------------------


def sheets(tuned: Tuned) -> list[Sheet]:
    """The changes from the base, then the targets: the answer comes last, where a terminal shows
    it."""
    deals, known = tuned.best.deals, tuned.tuning.measures.named
    pairs = zip(tuned.before, tuned.best.checks, strict=True)
    return [
        Sheet(
            f"Change from the base, the same {deals:,} fresh deals (Holm over {len(tuned.changes)})",
            ("measure", "base", "found", "change", "p", "p (Holm)"),
            tuple(_change_row(change) for change in tuned.changes),
        ),
        Sheet(
            f"Targets on {deals:,} fresh deals ({CONFIDENT} intervals)",
            ("measure", "target", "base", "base is", "found", "found is"),
            tuple(_target_row(known[before.name], before, after) for before, after in pairs),
        ),
    ]


def _change_row(change: Difference) -> tuple[str, ...]:
    p_values = ("< 0.001" if p < 0.001 else f"{p:.3f}" for p in (change.p, change.p_holm))
    return change.measure.name, *cells(change), *p_values


def _target_row(measure: Measure, before: Check, after: Check) -> tuple[str, ...]:
    found = (cell for check in (before, after) for cell in (estimate_cell(check.found, measure.unit), check.status))
    return after.name, range_text(after, measure), *found


def verdict(tuned: Tuned) -> list[str]:
    """The result and how certain it is, in sentences."""
    played = f"{tuned.trials} trials, {len(tuned.tried)} different settings"
    lines = [played + (f", {tuned.refused} refused by the ruleset" if tuned.refused else "") + "."]
    base, best, status = tuned.tuning.base, tuned.best.point, tuned.best.status
    lines += ["Stopped: this is the best so far; the same command goes on."] if tuned.stopped else []
    if best.is_base:
        lines.append("Nothing tried does better than the base.")
    else:
        was = ", ".join(f"{key} {value_text(base.flat[key])} -> {value}" for key, value in best.changes.items())
        lines.append(f"Best: {was}.")
    open_ones = [f"{check.name} is {check.status}" for check in tuned.best.checks if check.status != "met"]
    if not open_ones:
        lines.append(f"All targets are met, with {100 * CONFIDENCE:g} % confidence for whichever setting was chosen.")
    else:
        lines.append(f"Not met: {'; '.join(open_ones)}.")
    if status == "not settled":
        lines.append("More `deals` in the targets file may settle it.")
    if status == "missed":  # so does every setting that was to be confirmed
        proved, tried = len(tuned.proofs), len(tuned.tried) + tuned.refused
        which = "the best setting misses" if proved == 1 else f"each of the {proved} best settings misses"
        left = "and no other was left" if tried >= tuned.settings else f"of {tuned.settings:,} possible ones"
        lines.append(
            f"Not reachable with these numbers as far as was tried: {which} a target on fresh deals "
            f"({tried:,} settings tried, {left}). Try other numbers, more trials or wider ranges."
        )
    return [*lines, tuned.note]


def best_yaml(tuned: Tuned) -> str:
    """The best setting as an overlay that can be saved and loaded."""
    base, best = tuned.tuning.base, tuned.best.point
    name = base.name if best.is_base else f"{base.name}-tuned"
    overlay = make_overlay(base_name(tuned.tuning.ruleset), base, best.ruleset, best.changes)
    known = tuned.tuning.measures.named
    checks = [
        f"{check.name} {' '.join(estimate_cell(check.found, known[check.name].unit).split())}: {check.status}"
        for check in tuned.best.checks
    ]
    head = f"Found by tuning; {tuned.player} against itself, {tuned.best.deals:,} fresh deals, {CONFIDENT} intervals:"
    return dump_overlay(overlay | {"name": name}, [head, *checks])


def write_report(tuned: Tuned, out: Path, doubtful: Sequence[str] = ()) -> None:
    """Write best.yaml and tune.json into a folder.

    Args:
        doubtful: what makes the player doubtful on the best setting.
    """
    write_whole(out / BEST, best_yaml(tuned).encode())
    content = to_dict(tuned) | {"doubts": [*doubtful]}
    write_whole(out / JSON, (json.dumps(content, indent=1) + "\n").encode())


def to_dict(tuned: Tuned) -> dict[str, Any]:
    """Everything as JSON values."""
    tuning = tuned.tuning
    return {
        "package": __version__,
        "ruleset": tuning.base.name,
        "digest": tuning.base.digest,
        "targets": tuning.targets.model_dump(mode="json"),
        "parameters": list(tuning.parameters),
        "player": tuned.player,
        "trials": tuned.trials,
        "deals": tuning.deals,
        "seed": tuning.first_seed,
        "status": tuned.best.status,
        "confidence": PROOF_CONFIDENCE,
        "proofs": [
            {
                "values": dict(proof.point.values),
                "status": proof.status,
                "looks": proof.looks,
                "checks": _plain(proof.checks),
            }
            for proof in tuned.proofs
        ],
        "best": {
            "values": dict(tuned.best.point.values),
            "changes": dict(tuned.best.point.changes),
            "digest": tuned.best.point.ruleset.digest,
        },
        "checks": {"base": _plain(tuned.before), "best": _plain(tuned.best.checks)},
        "changes": [
            {
                "measure": change.measure.name,
                "base": asdict(change.one),
                "best": asdict(change.other),
                "change": asdict(change.change),
                "deals": change.deals,
                "p": change.p,
                "p_holm": change.p_holm,
            }
            for change in tuned.changes
        ],
        "tried": [{"values": dict(t.point.values), "misfit": t.misfit, "cost": t.cost} for t in tuned.tried],
        "refused": tuned.refused,
        "stopped": tuned.stopped,
        "notes": verdict(tuned),
    }


def _plain(checks: Sequence[Check]) -> list[dict[str, Any]]:
    return [{**asdict(check), "status": check.status} for check in checks]
