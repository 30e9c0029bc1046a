"""Measure agents and rules: every command that needs the agents, except training."""

from __future__ import annotations

import json
import os
import sys

# Before torch is loaded: here as in the workers, one thread. Threads that wait for each other within every small
# product take six times the processor's time on busy cores. Only `exploit` may take more.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GOMP_SPINCOUNT", "10000")  # as in train.py

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from tyro.conf import Positional, UseAppendAction, arg

from channel_tunnel_agents.balance.changing import sweep_report, tune_report
from channel_tunnel_agents.balance.changing.adapt import NO_TRAINING, Way
from channel_tunnel_agents.balance.changing.compare import LEAST_DEALS, compare_results, is_ruleset, two_sides
from channel_tunnel_agents.balance.changing.compare_report import (
    are_identical,
    comparison_dict,
    comparison_sheet,
    disagreement_lines,
    disagreement_sheet,
    rules_lines,
    side_sentences,
    sides_sheet,
    verdict,
)
from channel_tunnel_agents.balance.changing.disagreement import Disagreement, find_disagreements
from channel_tunnel_agents.balance.changing.sweep import Sweep, plan_sweep, play_sweep
from channel_tunnel_agents.balance.changing.targets import (
    Targets,
    check_targets,
    is_missed,
    is_targets,
    load_targets,
    targets_sheet,
)
from channel_tunnel_agents.balance.changing.trust import Speaker, doubts, find_speakers, speaking, tune_shown
from channel_tunnel_agents.balance.changing.tune import Search, Tuning
from channel_tunnel_agents.balance.changing.tuned import MINUTES, check_minutes, find_copy
from channel_tunnel_agents.balance.measuring.footing import (
    DEALS,
    Footing,
    footing_lines,
    learners_of,
    measure_footings,
    weak_lines,
)
from channel_tunnel_agents.balance.measuring.knowledge import unseen_lines
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.report.build import write_report
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.base import FROZEN, Agent, AgentError, AnyAgent, agent_seed
from channel_tunnel_agents.cluster.parallel import check_workers, default_workers, spread_on
from channel_tunnel_agents.cluster.ray_parallel import ray_cluster, with_address
from channel_tunnel_agents.exact.solving import answer
from channel_tunnel_agents.exact.tree import grow_tree
from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.games.spec import RANDOM
from channel_tunnel_agents.interrupt import STOPPING, StopRequest
from channel_tunnel_agents.learning.config import MOST_THREADS
from channel_tunnel_agents.learning.guards import TrainingCollapse, TrainingStopped
from channel_tunnel_agents.matches.arena import check_deals
from channel_tunnel_agents.matches.reports import report_on
from channel_tunnel_agents.matches.tournament import Results, Tournament, parse_limits, play_tournaments
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import MOST_MINUTES
from channel_tunnel_agents.players.scripted import names_in
from channel_tunnel_agents.program import command_words, complain, program, started_by
from channel_tunnel_agents.registry import FROZEN_LABEL, make_agent, make_plain_agent
from channel_tunnel_agents.search.policy_search import HEADROOM, SearchSettings
from channel_tunnel_env import ChannelTunnelError, Ruleset
from channel_tunnel_env.cli.taking import RulesetFirst, command_to_run
from channel_tunnel_env.entry import STOPPED, empty_words
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import need_place, write_whole
from channel_tunnel_env.outside.progress import Stage, show_progress
from channel_tunnel_env.outside.terminal import tolerate_any_terminal
from channel_tunnel_env.rulesets.ruleset import load_ruleset

DESCRIPTION = "Measure agents and rules."


def _agents_help() -> str:
    """The agents of every game, those of the default one first."""
    sentences = []
    for game, spec in AGENT_SPECS.items():
        if spec.agents_help:
            names = ", ".join((RANDOM, *names_in(game), spec.agents_help))
            sentences.append(f"{'' if game == DEFAULT_GAME else f'In {spec.title}: '}{names}.")
    return " ".join(["The first one is the zero of the ladder.", *sentences])


AGENTS_HELP = _agents_help()
PARAM_HELP = (
    "A number of the ruleset and its values: 1..4 (both ends), 0..20:5 or 1,2,5; or a switch and its words, or "
    "true,false. Give it several times for a grid; docs/reference/GAME/rulesets.md lists the keys."
)
RAY_HELP = (
    "Spread the games over a Ray cluster: local starts one here, auto joins this machine's, HOST:PORT or "
    "ray://HOST:PORT another; --ray without an address is local. The results are the same."
)
ADAPT_HELP = (
    "If the player that reads the rules plays this ruleset badly, train a copy of it for this many minutes and use "
    "the copy (kept in runs/tuned). 0: never."
)
Ray = Annotated[str | None, arg(metavar="[ADDRESS]", help=RAY_HELP)]
Minutes = Annotated[float, arg(metavar="MINUTES", help=ADAPT_HELP)]
Parameters = Annotated[UseAppendAction[tuple[str, ...]], arg(metavar="KEY=VALUES", help=PARAM_HELP)]

WIDTH_OF_FILES = 130
GAMES = "tournament"  # folder of a tournament's games
STOPPED_WORDS = "stopped. With --out, finished games are kept, and the same command continues."


def tournament(
    agents: Annotated[Positional[tuple[str, ...]], arg(metavar="AGENT AGENT ...", help=AGENTS_HELP)],
    deals: int = 2000,
    seed: int = 20_000,
    ruleset: str = "standard",
    limit: Annotated[tuple[str, ...], arg(metavar="AGENT=DEALS")] = (),
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    workers: int | None = None,
    decisions: bool = False,
    ray: Ray = None,
) -> None:
    """Play every agent in the first seat against every agent in the second, and rate them on one ladder.

    Games for more than two are played at mixed tables and rated by the order of finish (Carcassonne), or with every
    agent in each seat against six of every other (Eurotunnel).

    For example:
        channel-tunnel tournament random heuristic --deals 200

    Args:
        agents: See AGENTS_HELP.
        deals: Deals per table; the same ones for all tables.
        seed: Seed of the deals and of the agents' random streams.
        ruleset: Ruleset name or YAML file.
        limit: Most deals per table with a slow agent: ismcts:10000=40.
        out: Keep the games there as Parquet, with report.md and results.json; a stopped tournament continues.
        workers: Processes; the games are the same. Default: every core.
        decisions: Keep every decision (Parquet) and the games' records (JSON lines) in the folder as well.
        ray: See RAY_HELP.
    """
    console = _console()
    settings = Tournament(agents, deals, seed, ruleset, parse_limits(limit), decisions=decisions)
    started = time.monotonic()
    # A folder of its own: `out` may be a training run's, and the user may have to delete another
    # plan's games.
    with _cores(ray, workers):
        (results,) = _play([(settings, out / GAMES if out else None)], workers)
    seconds = time.monotonic() - started
    report = report_on(results)
    for sheet in reversed(report.sheets):  # the ladder last, next to the prompt of a terminal
        console.print(sheet.to_rich())
    console.print("", *report.notes, sep="\n", highlight=False)
    rules = f"{results.ruleset.name} ({results.ruleset.digest})"
    console.print(f"\n{settings.total_games:,} games of {rules} in {seconds:.0f} s", highlight=False)
    if out:
        report.write(out)
        console.print(f"Report: {out / 'report.md'}", highlight=False)


def compare(
    one: Annotated[Positional[str], arg(metavar="A")],
    other: Annotated[Positional[str], arg(metavar="B")],
    agent: Annotated[UseAppendAction[tuple[str, ...]], arg(metavar="AGENT")] = (),
    ruleset: str = "standard",
    deals: int = 2000,
    seed: int = 20_000,
    frozen: bool = False,
    adapt: Minutes = MINUTES,
    workers: int | None = None,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    ray: Ray = None,
) -> None:
    """Compare two rulesets, or two agents, on the same deals, and show what differs by more than luck.

    For example:
        channel-tunnel compare standard agenda --deals 200
        channel-tunnel compare heuristic club --ruleset standard

    Args:
        one: A ruleset name or YAML file, or an agent.
        other: The same for the second. A name or file that is a ruleset is read as one.
        agent: Plays every seat if rulesets are compared. Give it several times to see whether
            agents disagree. Default: club; on rules that it was not trained for, adept.
        ruleset: The rules that agents play by if agents are compared, each against itself.
        deals: Deals; the same ones are played under both.
        seed: Seed of the deals.
        frozen: Let the agent play even if its policy was trained for another ruleset, as
            "frozen:AGENT" does.
        adapt: See ADAPT_HELP.
        workers: Processes; the games are the same. Default: every core.
        out: Keep the games there, with compare.json; a stopped comparison continues.
        ray: See RAY_HELP.
    """
    console = _console()
    agents = tuple(FROZEN * frozen + name for name in agent or (_compared_by(one, other),))
    settings = two_sides(one, other, agents, ruleset, deals, seed)
    _check(adapt, workers, out)
    for each in settings.values():
        for name in each.agents:
            make_agent(name, load_ruleset(each.ruleset))
    speakers: list[Speaker] = []
    known: dict[tuple[str, str], Footing] = {}
    if is_ruleset(one):
        for name, each in settings.items():
            rules_here = load_ruleset(name)
            found_here = _speakers(console, agents, rules_here, adapt, workers)
            settings[name] = replace(each, agents=speaking(agents, found_here))
            known |= {(each.name, rules_here.digest): each.best for each in found_here}
            speakers += found_here
    wanted = [
        (tournament, out / name.replace(":", "-").replace("/", "-") if out else None)
        for name, tournament in settings.items()
    ]
    with _cores(ray, workers):
        results = _play(wanted, workers)
        footings = _footings_of(results, deals, workers, known)
    found = compare_results(results[0], results[1])
    gaps = find_disagreements(found)
    rules = rules_lines(results[0], results[1])
    console.print(*rules, sep="\n", highlight=False, markup=False)
    if sides := sides_sheet(found, one, other):
        console.print(sides.to_rich())
        console.print(*side_sentences(found, one, other), sep="\n", highlight=False, markup=False)
    unseen = unseen_lines(results[0].reading, {r.ruleset.digest: r.ruleset for r in results}.values())
    said = [each.best for each in speakers]
    unsaid = [each for each in footings if each not in said]
    footing = [*unseen, *footing_lines(unsaid)]
    console.print(*footing, sep="\n", highlight=False, markup=False, end="\n" if footing else "")
    for line in [FROZEN_LABEL] * frozen + weak_lines(unsaid):
        console.print(line, style="bold", highlight=False, markup=False)
    if gaps:
        _show_disagreements(console, gaps, results[1])
    for name, differences in found.items():
        if not are_identical(differences):
            console.print(comparison_sheet(differences, one, other, name).to_rich())
        console.print(verdict(differences), highlight=False, markup=False)
    if out:
        content = comparison_dict(found, one, other, rules, gaps)
        content["footing"] = [each.to_dict() for each in footings]
        content["speakers"] = [each.to_dict() for each in speakers]
        text = json.dumps(content, indent=1, allow_nan=False)
        write_whole(out / "compare.json", (text + "\n").encode())
        console.print(f"Figures: {out / 'compare.json'}", highlight=False)


def _footings_of(
    results: list[Results], deals: int, workers: int | None, known: Mapping[tuple[str, str], Footing]
) -> list[Footing]:
    """Every learned player of a comparison against the scripted one, on each of its rulesets.

    Args:
        known: what has been played already, by player and digest of the ruleset.
    """
    wanted = {
        (learner, each.ruleset.digest): (learner, each.ruleset) for each in results for learner in learners_of(each)
    }
    pairs = {key: pair for key, pair in wanted.items() if key not in known}
    few = min(deals, DEALS)
    with show_progress() as progress:
        stage = progress.begin("against the scripted player", 2 * few * len(pairs)) if pairs else None
        played = measure_footings(pairs.values(), few, workers or default_workers(little=True), stage)
    found = {**known, **dict(zip(pairs, played, strict=True))}
    return [found[key] for key in wanted]


def _check(minutes: float, workers: int | None, folder: Path | None = None) -> None:
    """Refuse, before minutes are spent on a copy, what would be refused after them.

    Raises:
        AgentError: impossible minutes or workers, or a file where the folder is to be.
    """
    if not 0 <= minutes <= MOST_MINUTES:
        raise AgentError(f"--adapt {minutes:g}: 0 to {MOST_MINUTES:,} minutes")
    check_workers(workers)
    if folder is not None:
        need_place(folder)


def _speakers(
    console: Console, names: Sequence[str], ruleset: Ruleset, minutes: float, workers: int | None
) -> list[Speaker]:
    """Find the player or the trained copy that plays for each player that reads the rules, and print which it is."""
    with show_progress() as progress:
        processes = workers or default_workers(little=True)
        speakers = find_speakers(names, ruleset, minutes, DEALS, processes, progress)
    for each in speakers:
        style = None if each.is_trusted and each.name == each.asked else "bold"
        console.print(*each.lines, sep="\n", style=style, highlight=False, markup=False)
    return speakers


def _compared_by(one: str, other: str) -> str:
    """The default agent of a comparison."""
    if not (is_ruleset(one) and is_ruleset(other)):
        return shipped.USUAL
    return shipped.player_for([load_ruleset(one), load_ruleset(other)])


def _show_disagreements(console: Console, gaps: list[Disagreement], results: Results) -> None:
    lines = disagreement_lines(gaps, results)
    console.print("", *lines, sep="\n", highlight=False, markup=False)
    sheet = disagreement_sheet(gaps)
    if sheet is not None:
        console.print(sheet.to_rich())


def gate(
    files: Annotated[Positional[tuple[str, ...]], arg(metavar="[RULESET] TARGETS.yaml")] = (),
    ruleset: str | None = None,
    targets: Path | None = None,
    frozen: bool = False,
    strict: bool = False,
    adapt: Minutes = MINUTES,
    workers: int | None = None,
    ray: Ray = None,
) -> int:
    """Check a ruleset against targets: the exit status is 1 if it misses one.

    For example:
        printf 'targets: {rounds: [4, 8]}\\n' > targets.yaml
        channel-tunnel gate targets.yaml

    Args:
        files: A ruleset name or YAML file (default: standard), and a file of targets: the range that each measure
            should lie in.
        ruleset: The ruleset, as an option.
        targets: What is wanted, as an option.
        frozen: Let the agent play even if its policy was trained for another ruleset, as
            "frozen:AGENT" does.
        strict: Miss a target unless the whole interval of its measure lies inside the range. Default: only if the
            measure itself lies outside.
        adapt: See ADAPT_HELP.
        workers: Processes; the games are the same. Default: every core.
        ray: See RAY_HELP.
    """
    rules, aims = _rules_and_targets(files, ruleset, targets)
    wanted = load_targets(aims, rules, _judged_by(rules))
    _check(adapt, workers)
    with _cores(ray, workers):
        return _pass_gate(wanted, rules, frozen, strict, adapt, workers)


def _rules_and_targets(files: Sequence[str], ruleset: str | None, targets: Path | None) -> tuple[str, Path]:
    """The ruleset and the targets of a gate, whichever comes first: their content tells them apart.

    Raises:
        AgentError: too many files, or no targets.
    """
    words = sorted(files, key=is_targets)
    if targets is None and words and (ruleset or len(words) > 1 or is_targets(words[-1])):
        targets = Path(words.pop())
    if ruleset is None and words:
        ruleset = words.pop()
    if words:
        raise AgentError(f"gate: {words[0]} is one file too many: expected one ruleset and one file of targets")
    if targets is None:
        beside = f" beside the ruleset {ruleset}" if ruleset else ""
        raise AgentError(f"gate: a targets file is needed{beside}, such as configs/evaluate/targets.yaml")
    return ruleset or "standard", targets


def _judged_by(ruleset: str) -> str | None:
    """The agent of a targets file that names no agent: the player that reads the rules.

    None on the rules of the usual trained player: the scripted agent was tuned for them, and a file without agent means it.
    """
    player = shipped.player_for([load_ruleset(ruleset)])
    return None if player == shipped.USUAL else player


def _pass_gate(
    wanted: Targets,
    ruleset: str,
    frozen: bool = False,
    strict: bool = False,
    adapt: float = 0.0,
    workers: int | None = None,
) -> int:
    """Measure, show and judge; returns the exit status."""
    console = _console()
    agent = FROZEN + wanted.agent if frozen else wanted.agent
    rules = load_ruleset(ruleset)
    (agent,) = speaking((agent,), _speakers(console, [agent], rules, adapt, workers))
    tournament = Tournament((agent,), wanted.deals, wanted.seed, ruleset, mirror=True)
    (results,) = _play([(tournament, None)], workers)
    known = measures_of(results.ruleset).named
    checks = check_targets(wanted, results.store.read("games"), known)
    console.print(targets_sheet(checks, wanted.agent, known).to_rich())
    unseen = unseen_lines(results.reading, [results.ruleset])
    console.print(*unseen, sep="\n", highlight=False, markup=False, end="\n" if unseen else "")
    if frozen:
        console.print(FROZEN_LABEL, style="bold")
    missed = [check.name for check in checks if is_missed(check, strict)]
    console.print(f"Missed: {', '.join(missed)}." if missed else "No target is missed.", highlight=False)
    return 1 if missed else 0


def exploit(
    agent: Annotated[Positional[str], arg(metavar="AGENT")],
    method: Literal["search", "training"] = "search",
    deals: int = 2000,
    seed: int = 20_000,
    ruleset: str = "standard",
    search: Annotated[SearchSettings, arg(name="")] = HEADROOM,
    guide: str | None = None,
    decisions: int = 2_000_000,
    run: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    threads: int = 1,
    exact: bool = False,
) -> None:
    """Measure how much a best response wins against a frozen policy: a lower bound on its exploitability.

    For example:
        channel-tunnel exploit club --deals 100

    Args:
        agent: The policy: ppo:FOLDER, rookie, club, master or adept. With --exact any agent.
        method: A search that knows the policy, of two seats; or the better of two learners, of which one starts from
            the policy and one from nothing.
        deals: Deals, each played once from every seat.
        seed: Seed of the deals.
        ruleset: Ruleset name or YAML file.
        search: How far the search looks.
        guide: A policy that proposes the search's moves and judges its positions; with one, the agent
            need not be a policy. Default: the agent itself.
        decisions: Budget of each learner, decisions of all seats.
        run: Folder of the learners' runs. A stopped run continues.
        threads: Threads of torch.
        exact: Solve a small game for two instead: its value, and what the true best response wins. No deals are played.
    """
    console = _console()
    if exact:
        rules = load_ruleset(ruleset)
        console.print(*_exact_lines(make_agent(agent, rules, agent_seed(seed)), rules), sep="\n", highlight=False)
        return
    # Loads torch, which nothing else here needs.
    from channel_tunnel_agents.learning.exploit import measure_gain, open_victim, search_response

    check_deals(deals, seed)
    if deals < LEAST_DEALS:
        raise AgentError(f"deals: {deals}; at least {LEAST_DEALS} are needed")
    _check_threads(threads)
    _set_threads(threads)
    rules = load_ruleset(ruleset)
    seats = rules.num_seats
    if method == "search" and seats > 2:
        raise AgentError(
            f"ruleset {rules.name}: {seats} seats; a search that knows the policy is for two; --method training "
            "trains a response that takes one seat"
        )
    victim: Agent
    if guide:
        victim = make_plain_agent(agent, rules)
    else:
        advice = "; against another agent a search needs --guide POLICY" if method == "search" else ""
        victim = open_victim(agent, rules, advice)
    response: AnyAgent
    if method == "search":
        leader = open_victim(guide, rules) if guide else None
        response = search_response(victim, search, seed, leader)
        how = f"search, {search.worlds} worlds, {search.depth} plies, top {search.top}"
    else:
        if run is None:
            raise AgentError("--method training: --run FOLDER is needed for the learner")
        response = _train_response(
            open_victim(agent, rules), run, decisions, ruleset=ruleset, seed=seed, threads=threads
        )
        how = f"the better of two PPO learners, {decisions:,} decisions each"
    with show_progress() as progress:
        gain = measure_gain(response, victim, deals, seed, rules, progress)
    console.print(f"Best response to {agent} ({how}), {deals} deals per seat:", highlight=False)
    whose = "both" if seats == 2 else "all"
    console.print(f"  {gain}", f"  {whose} seats {gain.rate}", sep="\n", highlight=False)
    console.print("  A lower bound: a better response may exist.", highlight=False)


def _exact_lines(agent: AnyAgent, rules: Ruleset) -> list[str]:
    """What is exactly true of an agent in a small game."""
    with show_progress() as progress:
        stage = progress.begin("positions", None)
        tree = grow_tree(rules, agent, progress=stage.reach)
    found = answer(tree)
    first, second = rules.seats
    knowledge = (
        "both seats know the same" if tree.open else f"hidden information, {len(tree.actions):,} information sets"
    )
    return [
        f"{rules.name}: {len(tree.seat):,} positions, {knowledge}. A result is what a seat wins of the other.",
        f"  value            {found.value:+.4f} for {first}, with best play on both sides",
        f"  {agent.name} in both seats: {found.own:+.4f} for {first}",
        f"  best response    {found.responses[0]:+.4f} as {first}, {found.responses[1]:+.4f} as {second}",
        f"  exploitability   {found.exploitability:.4f} a game (NashConv {found.nash_conv:.4f})",
    ]


def _check_threads(threads: int) -> None:
    if not 1 <= threads <= MOST_THREADS:
        raise AgentError(f"--threads {threads}: 1 to {MOST_THREADS:,}")


def _set_threads(threads: int) -> None:
    import torch

    torch.set_num_threads(threads)


def _train_response(victim: PolicyAgent, run: Path, decisions: int, **changes: Any) -> PolicyAgent:
    from channel_tunnel_agents.learning.exploit import train_response

    with show_progress() as progress:
        stage = progress.begin("training", 1.0)

        def show(status: dict[str, Any]) -> None:
            stage.reach(status.get("done", stage.done))

        with StopRequest(lambda: progress.say(STOPPING)) as stop:
            return train_response(victim, run, decisions, show, stop_asked=lambda: stop.asked, **changes)


def sweep(
    param: Parameters,
    ruleset: RulesetFirst = "standard",
    agent: str = "",
    deals: int = 2000,
    measures: Annotated[tuple[str, ...], arg(metavar="MEASURE ...")] = (),
    adapt: Annotated[Way | float, arg(metavar="MINUTES|frozen|tuned|retrained")] = MINUTES,
    decisions: int | None = None,
    seed: int = 20_000,
    workers: int | None = None,
    out: Annotated[Path, arg(metavar="FOLDER")] = Path("runs/sweep"),
    ray: Ray = None,
) -> None:
    """Play the same deals at every setting of some ruleset numbers, with one player or with one trained at each.

    For example:
        channel-tunnel sweep standard --param discs.hand=8..12 --deals 200

    Args:
        param: See PARAM_HELP.
        ruleset: Ruleset name or YAML file: the base.
        agent: Plays both sides: adept, club, ppo:FOLDER, heuristic, ismcts:1000 and others. Default: adept, which
            reads the rules; in games without it club.
        deals: Deals at every setting; the same ones at all.
        measures: What to report; names as in a targets file. Default: the main measures of the game.
        adapt: MINUTES: one player plays every setting. If it reads the rules and plays the base badly, a copy of it is
            first trained on the base for this many minutes and plays instead (0: never). frozen: play the agent as it
            is. tuned or retrained: compare it with a policy that is trained further, or from scratch, at every
            setting.
        decisions: Budget of each training run. Default: a million if tuned, the demo's if
            retrained.
        seed: Seed of the deals, the agent's random stream and training.
        workers: Processes, of training runs too; the games are the same. Default: every core.
        out: Keeps games, training runs, sweep.csv, sweep.json and sweep.svg; a stopped sweep continues.
        ray: See RAY_HELP. Training runs are spread as well.
    """
    console = _console()
    minutes, way = (None, adapt) if isinstance(adapt, str) else (adapt, NO_TRAINING)
    settings = Sweep(param, ruleset, agent, deals, seed, measures, way, decisions)
    plan = plan_sweep(settings)
    _check(minutes or 0, workers, out)
    speakers: list[Speaker] = []
    if minutes is not None:
        speakers = _speakers(console, [plan.sweep.agent], plan.base, minutes, workers)
        (name,) = speaking([plan.sweep.agent], speakers)
        if name != plan.sweep.agent:
            plan = plan_sweep(replace(settings, agent=name))
    console.print(f"{len(plan.points)} settings with the base, {plan.total_games:,} games", highlight=False)
    with _cores(ray, workers), show_progress() as progress:
        swept = play_sweep(
            plan,
            out,
            workers,
            progress.begin("games", plan.total_games),
            lambda line: console.print(line, highlight=False, markup=False),
        )
        unsaid = plan.points[1:] if speakers else plan.points  # the base comes first
        rulesets = [] if plan.learner else [point.ruleset for point in unsaid]
        doubtful = doubts(plan.sweep.agent, rulesets, workers, progress)
    for sheet in sweep_report.sheets(swept):
        console.print(sheet.to_rich())
    console.print("", *sweep_report.verdict(swept), sep="\n", highlight=False, markup=False)
    console.print(*doubtful, sep="\n", style="bold", highlight=False, markup=False, end="\n" * bool(doubtful))
    sweep_report.write_report(swept, out, speakers, doubtful)
    console.print(f"Curves: {out / sweep_report.SVG}", highlight=False, markup=False)


def tune(
    targets: Path,
    param: Parameters,
    ruleset: RulesetFirst = "standard",
    trials: int = 40,
    deals: int = 500,
    out: Annotated[Path, arg(metavar="FOLDER")] = Path("runs/tune-ruleset"),
    seed: int | None = None,
    adapt: Minutes = MINUTES,
    workers: int | None = None,
    ray: Ray = None,
) -> None:
    """Search for a setting of some ruleset numbers that meets targets, and say how certain it is.

    For example:
        printf 'targets: {rounds: [4, 8]}\\n' > targets.yaml
        channel-tunnel tune --targets targets.yaml --param discs.hand=8..12 --deals 200

    Args:
        targets: YAML file: the range that each measure should lie in, and who plays.
        param: See PARAM_HELP.
        ruleset: Ruleset name or YAML file: the base.
        trials: Settings to try.
        deals: Deals of each trial. The finalists and the result play those of the targets file.
        out: Keeps the study, all games, tune.json and best.yaml, a ruleset; a stopped search continues.
        seed: Seed of the search and the deals. Default: the targets file's.
        adapt: See ADAPT_HELP. It is trained on the base and plays every setting.
        workers: Processes; the games are the same. Default: every core.
        ray: See RAY_HELP.
    """
    console = _console()
    player = shipped.READERS.get(load_ruleset(ruleset).spec.name)
    wanted = load_targets(targets, ruleset, player)
    _check(adapt, workers, out)
    search = Search(Tuning(wanted, param, ruleset, trials, deals, seed), out, workers)
    speakers = _speakers(console, [wanted.agent], search.base, adapt, workers)
    search.let_play(*speaking([wanted.agent], speakers))
    with _cores(ray, workers), show_progress() as progress:
        tuned = search.run(progress.begin("trials", search.trials))
        unsaid = [] if speakers and tuned.best.is_base else [tuned.best.ruleset]
        doubtful = doubts(tuned.player, unsaid, workers, progress)
    for sheet in tune_report.sheets(tuned):
        console.print(sheet.to_rich())
    console.print("", *tune_report.verdict(tuned), sep="\n", highlight=False, markup=False)
    console.print(*doubtful, sep="\n", style="bold", highlight=False, markup=False, end="\n" * bool(doubtful))
    tune_report.write_report(tuned, out, speakers, doubtful)
    console.print(f"\n{out / tune_report.BEST}:\n", highlight=False, markup=False)
    console.print(tune_report.best_yaml(tuned), highlight=False, markup=False, soft_wrap=True)


def report(
    ruleset: RulesetFirst = "standard",
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")] = (),
    deals: int | None = None,
    quick: bool = False,
    seed: int = 20_000,
    workers: int | None = None,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    skip: Annotated[tuple[str, ...], arg(metavar="SECTION ...")] = (),
    gate: Annotated[Path | None, arg(metavar="TARGETS.yaml")] = None,
    base: Annotated[str | None, arg(metavar="RULESET")] = None,
    levers: Annotated[int | None, arg(metavar="DEALS")] = None,
    adapt: Minutes = MINUTES,
    ray: Ray = None,
) -> int:
    """Write a balance report: one HTML page that says whether a ruleset is fair, and why.

    For example:
        channel-tunnel report tiny --quick

    Args:
        ruleset: Ruleset name or YAML file.
        agents: Default for standard: random heuristic rookie club master. For other 1987 rules: random heuristic
            ismcts:100 adept, and every shipped policy that was trained for them. For Carcassonne with two seats: random
            points greedy blocker, and club on the rules it was trained for; with three to six seats: random points
            greedy blocker. For Eurotunnel: random greedy dumb dumb_tunnel.
        deals: Deals of every pairing. Default: 5000 (with --quick 500); in Carcassonne 2000 (500), in Eurotunnel 1000
            (200).
        quick: Take about a minute: fewer agents and deals, no search, no restricted play, and cards not told apart by
            side.
        seed: Seed of the deals and of the agents' random streams.
        workers: Processes; the numbers are the same. Default: every core, one for few games.
        out: Keep everything there; a stopped report continues. Default: runs/report-RULESET.
        skip: Sections to leave out: sides, matrix, endings, length, luck, tension, economy, cards,
            actions, restricted, openings, health. In Carcassonne: sides, matrix, points, tunnels, followers, length,
            luck, tension, health. With more than two seats: seats, meetings, length, ends; in Carcassonne also points,
            tunnels, followers; in Eurotunnel also powers, tunnels.
        gate: Exit with status 1 if the ruleset misses a target of this file, as `channel-tunnel gate` does.
        base: Ruleset to compare it with, or none. Default: the one that its file names after `base:`.
        levers: Deals of each setting tried to find the numbers whose change matters most; 0 leaves that out.
            Default: an eighth of the deals, with --quick 100.
        adapt: See ADAPT_HELP.
        ray: See RAY_HELP.
    """
    console = _console()
    wanted = load_targets(gate, ruleset, _judged_by(ruleset)) if gate else None
    if wanted:
        make_agent(wanted.agent, load_ruleset(ruleset))  # refused before the first game
    settings = ReportSettings(ruleset, agents, deals, quick, seed, skip, base, levers, adapt)
    _ = settings.tournament(), settings.base_rules
    _check(adapt, workers, out or settings.folder)
    started = time.monotonic()
    names = settings.chosen_agents(settings.rules)
    speakers = _speakers(console, names, settings.rules, adapt, workers)
    settings = settings.spoken_by(speaking(names, speakers), speakers)
    with _cores(ray, workers), show_progress() as progress:
        begun: list[Stage] = []

        def begin(name: str, total: int) -> Stage:
            for stage in begun:  # stages run one after the other, and their totals are estimates
                stage.finish()
            begun[:] = [progress.begin(name, total or None)]
            return begun[0]

        written = write_report(settings, out or settings.folder, begin, workers, console.print)
    verdict = written.page.verdict
    if written.page.warning:
        console.print(written.page.warning, style="bold")
    console.print(f"{verdict.question} {verdict.headline}.\n", highlight=False)
    for topic, sentence in verdict.told:
        console.print(f"- {topic}: {sentence}", highlight=False, markup=False)
    seconds = time.monotonic() - started
    console.print(f"\nReport: {written.html} ({seconds:.0f} s)", highlight=False)
    return 0 if wanted is None else _pass_gate(wanted, ruleset, adapt=adapt, workers=workers)


def adapt(ruleset: RulesetFirst, agent: str = "", minutes: float = MINUTES, threads: int | None = None) -> None:
    """Train a copy of a player that reads the rules on one ruleset; tuned:COPY then plays it.

    For example:
        channel-tunnel adapt agenda --minutes 1

    Args:
        ruleset: Ruleset name or YAML file.
        agent: The player to copy. Default: the one that reads the rules of the ruleset's game, such as adept.
        minutes: Minutes in all: a copy that was trained for less continues. Ctrl-C keeps what it has learnt.
        threads: Threads of torch. Default: every core.
    """
    console, rules = _console(), load_ruleset(ruleset)
    name = agent or shipped.READERS.get(rules.spec.name)
    if not name:
        raise AgentError(f"{rules.spec.name} has no player that reads the rules; name one: --agent")
    check_minutes(minutes)
    if threads is not None:
        _check_threads(threads)
    before = find_copy(name, rules)
    with show_progress() as progress:
        copy = tune_shown(name, rules, minutes, progress, threads)
    if copy == before:
        console.print(f"It has been trained for {copy.minutes:.1f} minutes; more --minutes continue.")
    (one, other) = measure_footings([(name, rules), (copy.name, rules)], DEALS, default_workers(little=True))
    console.print(*footing_lines([one, other]), sep="\n", highlight=False, markup=False)
    console.print(f"Plays it: {copy.name}", highlight=False, markup=False, soft_wrap=True)


def _console() -> Console:
    """A console as wide as the terminal; in a file, wide enough that names are not folded."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH_OF_FILES
    return console


def _play(wanted: list[tuple[Tournament, Path | None]], workers: int | None) -> list[Results]:
    with show_progress() as progress:
        total = sum(settings.total_games for settings, _ in wanted)
        return play_tournaments(wanted, progress.begin("games", total), workers)


@contextmanager
def _cores(ray: str | None, workers: int | None) -> Iterator[None]:
    """Context in which games are played on a cluster if one is requested."""
    if ray is None:
        yield
        return
    with ray_cluster(ray, _warn, workers) as cluster, spread_on(cluster):
        yield


def _warn(line: str) -> None:
    Console(stderr=True).print(f"warning: {line}", style="yellow", highlight=False, markup=False)


COMMANDS: dict[str, Callable[..., Any]] = {
    "report": report,
    "tournament": tournament,
    "compare": compare,
    "gate": gate,
    "exploit": exploit,
    "sweep": sweep,
    "tune": tune,
    "adapt": adapt,
}


def main(argv: list[str] | None = None, script: str | None = None) -> int:
    """Run one of COMMANDS.

    Args:
        argv: the command's name and arguments; None: those of the process.
        script: `evaluate.py` if that was started.

    Returns:
        0; 1 for a missed gate; 2 for a wrong argument, agent or ruleset, or a policy that does not fit; 130
        when stopped by hand.
    """
    tolerate_any_terminal()
    with started_by(script):
        return _main(with_address(sys.argv[1:] if argv is None else list(argv)))


def _main(words: list[str]) -> int:
    try:
        if wrong := empty_words(words):
            raise AgentError(wrong)
        status = tyro.extras.subcommand_cli_from_dict(
            {name: command_to_run(command) for name, command in COMMANDS.items()},
            prog=" ".join(command_words("")).strip(),
            description=DESCRIPTION,
            args=words,
        )
    except (AgentError, ChannelTunnelError, TrainingCollapse, OSError) as error:
        if isinstance(error, BrokenPipeError):  # `run_command` knows
            raise
        return complain(error, 2)
    except TrainingStopped as error:
        print(f"{program()}: {error}; the same command continues", file=sys.stderr)
        return STOPPED
    except KeyboardInterrupt:
        print(f"{program()}: {STOPPED_WORDS}", file=sys.stderr)
        return STOPPED
    return int(status or 0)
