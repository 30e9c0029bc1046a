"""Measure agents and rules: tournaments, reports, comparisons and all else of `evaluate.py`."""

from __future__ import annotations

import json
import os
import sys

# Before torch is loaded: here as in the workers, one thread. Threads that wait for each other within every small
# product take six times the processor's time on busy cores. Only `exploit` may take more.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GOMP_SPINCOUNT", "10000")  # as in train.py

import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from rich.console import Console
from tyro.conf import Positional, UseAppendAction, arg

from channel_tunnel_agents.balance.changing import compare as comparing
from channel_tunnel_agents.balance.changing import sweep as sweeping
from channel_tunnel_agents.balance.changing import tune as tuning
from channel_tunnel_agents.balance.changing.targets import (
    check_targets,
    is_missed,
    is_targets,
    load_targets,
    targets_sheet,
)
from channel_tunnel_agents.balance.empirical.payoffs import share_against
from channel_tunnel_agents.balance.judging import (
    QUICK_DEALS,
    SEED,
    Judged,
    Plan,
    ValueChange,
    alarms,
    judge,
    judge_change,
)
from channel_tunnel_agents.balance.measuring.knowledge import unseen_lines
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.players.population import DECISIONS
from channel_tunnel_agents.balance.players.training import MOST_DECISIONS, TrainingTask, train_policies
from channel_tunnel_agents.balance.report.build import write_report
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.balance.verdict_words import change_line, verdict_lines
from channel_tunnel_agents.base import FROZEN, Agent, AgentError, AnyAgent, agent_seed, reads_rules
from channel_tunnel_agents.cluster.parallel import check_workers, default_workers, spread_on
from channel_tunnel_agents.cluster.ray_parallel import ray_cluster, with_address
from channel_tunnel_agents.exact.solving import answer
from channel_tunnel_agents.exact.tree import grow_tree
from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.games.spec import RANDOM
from channel_tunnel_agents.learning.config import MOST_THREADS
from channel_tunnel_agents.learning.guards import TrainingCollapse, TrainingStopped
from channel_tunnel_agents.matches.arena import check_deals
from channel_tunnel_agents.matches.multiplayer_report import report_on
from channel_tunnel_agents.matches.tournament import Results, Tournament, parse_limits, play_tournaments
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.scripted import names_in
from channel_tunnel_agents.program import STOPPING, StopRequest, command_words, complain, program, started_by
from channel_tunnel_agents.registry import FROZEN_LABEL, make_agent, make_plain_agent
from channel_tunnel_agents.search.policy_search import HEADROOM, SearchSettings
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_env import ChannelTunnelError, Ruleset
from channel_tunnel_env.cli.asking import run_asked
from channel_tunnel_env.cli.listing import COMMANDS as LISTED
from channel_tunnel_env.cli.taking import RulesetFirst, command_to_run
from channel_tunnel_env.entry import STOPPED, empty_words
from channel_tunnel_env.errors import ArgumentsError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import need_place, write_whole
from channel_tunnel_env.outside.hints import or_known
from channel_tunnel_env.outside.progress import Progress, Stage, show_progress
from channel_tunnel_env.outside.terminal import percent, tolerate_any_terminal
from channel_tunnel_env.rulesets.ruleset import load_ruleset


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
    "true,false. Give it several times for a grid; `channel-tunnel rules` lists the keys."
)
RAY_HELP = (
    "Spread the games over a Ray cluster: local starts one here, auto joins this machine's, HOST:PORT or "
    "ray://HOST:PORT another; --ray without an address is local. The results are the same."
)
DECISIONS_HELP = (
    "Train policies for these rules, each for this many decisions of both seats, and best responses to them for half as "
    "many. They are kept in runs/tuned, and every later command uses them. 0: use those that are there."
)
Ray = Annotated[str | None, arg(metavar="[ADDRESS]", help=RAY_HELP)]
Decisions = Annotated[int, arg(metavar="DECISIONS", help=DECISIONS_HELP)]
Parameters = Annotated[UseAppendAction[tuple[str, ...]], arg(metavar="KEY=VALUES", help=PARAM_HELP)]

WIDTH_OF_FILES = 130
GAMES = "tournament"  # folder of a tournament's games
# By benchmarks/known_gains.py on Kuhn poker, Leduc poker and liar's dice, two seeds.
FOUND = {
    "search": "In small games whose answer is known, such a search found 50 to 100 % of the true gain.",
    "training": "In small games whose answer is known, 300,000 decisions found all of the true gain.",
}
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
    _show(console, [*reversed(report.sheets), "", *report.notes])  # the ladder last, next to the prompt of a terminal
    rules = f"{results.ruleset.name} ({results.ruleset.digest})"
    console.print(f"\n{settings.total_games:,} games of {rules} in {seconds:.0f} s")
    if out:
        report.write(out)
        console.print(f"Report: {out / 'report.md'}")


def compare(
    one: Annotated[Positional[str], arg(metavar="A")],
    other: Annotated[Positional[str], arg(metavar="B")],
    agent: Annotated[UseAppendAction[tuple[str, ...]], arg(metavar="AGENT")] = (),
    ruleset: str = "standard",
    deals: int = 2000,
    seed: int = 20_000,
    decisions: Decisions = 0,
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
        agent: Plays every seat if rulesets are compared. Give it several times for a table of
            each. Default: club; on rules that it was not trained for, adept.
        ruleset: The rules that agents play by if agents are compared, each against itself.
        deals: Deals; the same ones are played under both.
        seed: Seed of the deals.
        decisions: See DECISIONS_HELP.
        workers: Processes; the games are the same. Default: every core.
        out: Keep the games there, with compare.json; a stopped comparison continues.
        ray: See RAY_HELP.
    """
    console = _console()
    agents = agent or (_compared_by(one, other),)
    settings = comparing.two_sides(one, other, agents, ruleset, deals, seed)
    _check(decisions, workers, out)
    for each in settings.values():
        for name in each.agents:
            make_agent(name, load_ruleset(each.ruleset))
    judged: list[Judged] = []
    if comparing.is_ruleset(one) and any(_is_asked(name, load_ruleset(one)) for name in agents):
        judged = [_judge(console, name, Plan.of(decisions), workers) for name in settings]
        both = [each.plays_for(agents) for each in judged]  # who plays one side of a difference plays the other
        players = tuple(dict.fromkeys(name for names in both for name in names))
        settings = {name: replace(each, agents=players) for name, each in settings.items()}
    wanted = [
        (tournament, out / name.replace(":", "-").replace("/", "-") if out else None)
        for name, tournament in settings.items()
    ]
    with _cores(ray, workers):
        results = _play(wanted, workers)
        change = _change(judged, deals, workers)
        doubtful = _alarms(results[0].tournament.agents, [each.ruleset for each in results], workers)
    found = comparing.compare_results(results[0], results[1])
    rules = comparing.rules_lines(results[0], results[1])
    console.print(*rules, sep="\n")
    _show(console, comparing.of_sides(found, one, other))
    _show(console, unseen_lines(results[0].reading, {r.ruleset.digest: r.ruleset for r in results}.values()))
    _show(console, [] if change is None else [change_line(change)], "bold")
    _show(console, _frozen_lines(agents) + doubtful, "bold")
    _show(console, comparing.of_knowledge(results[1]))
    _show(console, comparing.of_measures(found, one, other))
    if out:
        content = comparing.comparison_dict(found, one, other, rules)
        content["verdicts"] = [each.to_dict() for each in judged]
        content["change"] = None if change is None else asdict(change)
        text = json.dumps(content, indent=1, allow_nan=False)
        write_whole(out / "compare.json", (text + "\n").encode())
        console.print(f"Figures: {out / 'compare.json'}")


def _change(judged: Sequence[Judged], deals: int, workers: int | None) -> ValueChange | None:
    """What changes from one ruleset to the other among good players; None unless two of two seats are compared."""
    if len(judged) != 2 or any(len(each.verdict.seats) != 2 for each in judged):
        return None
    with show_progress() as progress:
        deals = min(deals, Plan.deals)
        return judge_change(judged[0], judged[1], deals, workers or default_workers(little=True), progress)


def _check(decisions: int, workers: int | None, folder: Path | None = None) -> None:
    """Refuse, before anything is trained, what would be refused after that.

    Raises:
        AgentError: an impossible number of decisions or workers, or a file where the folder is to be.
    """
    if not 0 <= decisions <= MOST_DECISIONS:
        raise AgentError(f"--decisions {decisions:,}: expected 0 to {MOST_DECISIONS:,}")
    check_workers(workers)
    if folder is not None:
        need_place(folder)


def _is_asked(agent: str, ruleset: Ruleset) -> bool:
    """Whether the players of a ruleset are asked who plays it best: for a player of two seats that reads the rules."""
    return ruleset.num_seats == 2 and reads_rules(make_agent(agent, ruleset))


def _who_plays(console: Console, agent: str, ruleset: str, decisions: int, workers: int | None) -> str:
    """Who plays a ruleset for an agent: if the players are asked, the one that the verdict names; else the agent itself."""
    if not _is_asked(agent, load_ruleset(ruleset)):
        return agent
    (name,) = _judge(console, ruleset, Plan.of(decisions), workers).plays_for([agent])
    return name


def _judge(console: Console, ruleset: str, plan: Plan, workers: int | None) -> Judged:
    """Judge a ruleset, by its name or file."""
    with show_progress() as progress:
        *_, judged = _judging(console, progress, ruleset, plan, workers)
    return judged


def _judging(console: Console, progress: Progress, ruleset: str, plan: Plan, workers: int | None) -> Iterator[Judged]:
    """The verdicts on a ruleset, printed as they are found: while policies are trained, what is known before."""
    processes = workers or default_workers(little=plan.budget is None)
    for judged in judge(load_ruleset(ruleset), plan, processes, progress):
        if plan.budget:
            progress.say(verdict_lines(judged, ruleset)[0])
        yield judged
    style = "bold" if judged.is_doubted else None
    console.print(*verdict_lines(judged, ruleset), sep="\n", style=style)


def _alarms(agents: Iterable[str], rulesets: Sequence[Ruleset], workers: int | None) -> list[str]:
    """Where a player that reads the rules is no good player; see `alarms`."""
    readers = [name for name in agents if all(_is_asked(name, ruleset) for ruleset in rulesets)]
    with show_progress() as progress:
        return [line for name in readers for line in alarms(name, rulesets, workers, progress)]


def _frozen_lines(agents: Iterable[str]) -> list[str]:
    """The warning of a table in which somebody plays rules that it was not trained for."""
    return [FROZEN_LABEL] * any(name.startswith(FROZEN) for name in agents)


def _compared_by(one: str, other: str) -> str:
    """The default agent of a comparison."""
    if not (comparing.is_ruleset(one) and comparing.is_ruleset(other)):
        return shipped.USUAL
    return shipped.player_for([load_ruleset(one), load_ruleset(other)])


def gate(
    files: Annotated[Positional[tuple[str, ...]], arg(metavar="[RULESET] TARGETS.yaml")] = (),
    ruleset: str | None = None,
    targets: Path | None = None,
    strict: bool = False,
    decisions: Decisions = 0,
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
        strict: Miss a target unless the whole interval of its measure lies inside the range. Default: only if the
            measure itself lies outside.
        decisions: See DECISIONS_HELP.
        workers: Processes; the games are the same. Default: every core.
        ray: See RAY_HELP.
    """
    rules, aims = _rules_and_targets(files, ruleset, targets)
    wanted = load_targets(aims, rules, _judged_by(rules))
    _check(decisions, workers)
    console = _console()
    with _cores(ray, workers):
        agent = _who_plays(console, wanted.agent, rules, decisions, workers)
        (results,) = _play([(Tournament((agent,), wanted.deals, wanted.seed, rules, mirror=True), None)], workers)
        doubtful = _alarms([agent], [results.ruleset], workers)
    known = measures_of(results.ruleset).named
    checks = check_targets(wanted, results.games, known)
    _show(console, [targets_sheet(checks, wanted.agent, known), *unseen_lines(results.reading, [results.ruleset])])
    _show(console, _frozen_lines([agent]) + doubtful, "bold")
    missed = [check.name for check in checks if is_missed(check, strict)]
    console.print(f"Missed: {', '.join(missed)}." if missed else "No target is missed.")
    return 1 if missed else 0


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
        console.print(*_exact_lines(make_agent(agent, rules, agent_seed(seed)), rules), sep="\n")
        return
    # Nothing else here needs torch.
    import torch

    from channel_tunnel_agents.learning.exploit import measure_gain, open_victim, search_response

    check_deals(deals, seed)
    if deals < comparing.LEAST_DEALS:
        raise AgentError(f"deals: {deals}; at least {comparing.LEAST_DEALS} are needed")
    if not 1 <= threads <= MOST_THREADS:
        raise AgentError(f"--threads {threads}: 1 to {MOST_THREADS:,}")
    torch.set_num_threads(threads)
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
    console.print(f"Best response to {agent} ({how}), {deals} deals per seat:")
    whose = "both" if seats == 2 else "all"
    console.print(f"  {gain}", f"  {whose} seats {gain.rate}", sep="\n")
    console.print(f"  A lower bound. {FOUND[method]}")


def _exact_lines(agent: AnyAgent, rules: Ruleset) -> list[str]:
    """What is exactly true of an agent in a small game."""
    with show_progress() as progress:
        stage = progress.begin("positions", None)
        tree = grow_tree(rules, agent, progress=stage.reach)
        stage.finish()
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
        f"  exploitability   {found.exploitability:.4f} a game, where 0 is perfect play (NashConv {found.nash_conv:.4f})",
    ]


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
    seed: int = 20_000,
    workers: int | None = None,
    out: Annotated[Path, arg(metavar="FOLDER")] = Path("runs/sweep"),
    ray: Ray = None,
) -> None:
    """Play the same deals at every setting of some ruleset numbers.

    For example:
        channel-tunnel sweep standard --param discs.hand=8..12 --deals 200

    Args:
        param: See PARAM_HELP.
        ruleset: Ruleset name or YAML file: the base.
        agent: Plays both sides: adept, club, ppo:FOLDER, heuristic, ismcts:1000 and others. Default: adept, which
            reads the rules; in games without it a scripted player, such as dumb.
        deals: Deals at every setting; the same ones at all.
        measures: What to report; names as in a targets file. Default: the main measures of the game.
        seed: Seed of the deals and the agent's random stream.
        workers: Processes; the games are the same. Default: every core.
        out: Keeps games, sweep.csv, sweep.json and sweep.svg; a stopped sweep continues.
        ray: See RAY_HELP.
    """
    console = _console()
    settings = sweeping.Sweep(param, ruleset, agent, deals, seed, measures)
    plan = sweeping.plan_sweep(settings)
    _check(0, workers, out)
    player = _who_plays(console, plan.sweep.agent, ruleset, 0, workers)
    plan = plan if player == plan.sweep.agent else sweeping.plan_sweep(replace(settings, agent=player))
    console.print(f"{len(plan.points)} settings with the base, {plan.total_games:,} games")
    with _cores(ray, workers), show_progress() as progress:
        swept = sweeping.play_sweep(plan, out, workers, progress.begin("games", plan.total_games))
        doubtful = alarms(player, [point.ruleset for point in plan.points], workers, progress)
    _show(console, [*sweeping.sheets(swept), "", *sweeping.verdict(swept)])
    _show(console, doubtful, "bold")
    sweeping.write_report(swept, out, doubtful)
    console.print(f"Curves: {out / sweeping.SVG}")


def tune(
    targets: Path,
    param: Parameters,
    ruleset: RulesetFirst = "standard",
    trials: int = 40,
    deals: int = 500,
    out: Annotated[Path, arg(metavar="FOLDER")] = Path("runs/tune-ruleset"),
    seed: int | None = None,
    decisions: Decisions = 0,
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
        decisions: See DECISIONS_HELP. The best of them on the base plays every setting.
        workers: Processes; the games are the same. Default: every core.
        ray: See RAY_HELP.
    """
    console = _console()
    player = shipped.READERS.get(load_ruleset(ruleset).spec.name)
    wanted = load_targets(targets, ruleset, player)
    _check(decisions, workers, out)
    stopping = StopRequest(signals=(signal.SIGTERM,))
    settings = tuning.Tuning(wanted, param, ruleset, trials, deals, seed)
    search = tuning.Search(settings, out, workers, lambda: stopping.asked)
    search.let_play(_who_plays(console, wanted.agent, ruleset, decisions, workers))
    with stopping, _cores(ray, workers), show_progress() as progress:
        tuned = search.run(progress)
        doubtful = alarms(tuned.player, [tuned.best.point.ruleset], workers, progress)
    _show(console, [*tuning.sheets(tuned), "", *tuning.verdict(tuned)])
    _show(console, doubtful, "bold")
    tuning.write_report(tuned, out, doubtful)
    console.print(f"\n{out / tuning.BEST}:\n")
    console.print(tuning.best_yaml(tuned), soft_wrap=True)


def report(
    ruleset: RulesetFirst = "standard",
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")] = (),
    deals: int | None = None,
    quick: bool = False,
    verdict: bool = False,
    seed: int = 20_000,
    workers: int | None = None,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    skip: Annotated[tuple[str, ...], arg(metavar="SECTION ...")] = (),
    base: Annotated[str | None, arg(metavar="RULESET")] = None,
    levers: Annotated[int | None, arg(metavar="DEALS")] = None,
    decisions: Annotated[int | None, arg(metavar="DECISIONS", help=DECISIONS_HELP)] = None,
    ray: Ray = None,
) -> None:
    """Write a balance report: one HTML page that says whether a ruleset is fair, and why.

    For example:
        channel-tunnel report tiny --quick

    Args:
        ruleset: Ruleset name or YAML file.
        agents: Default: random heuristic rookie club master. For Carcassonne: random points greedy blocker, and club with two
            seats. Policies that were not trained for the rules leave their place to adept. For Eurotunnel: random greedy
            dumb dumb_tunnel.
        deals: Deals of every pairing. Default: 2000 (with --quick 500); in Eurotunnel 1000 (200).
        quick: Take about a minute: fewer agents and deals, no restricted play, and cards not told apart by side.
        verdict: Play and train only what says whether the ruleset is fair, and write no page.
        seed: Seed of the deals and of the agents' random streams.
        workers: Processes; the numbers are the same. Default: every core, one for few games.
        out: Keep everything there; a stopped report continues. Default: runs/report-RULESET.
        skip: Sections to leave out: sides, matrix, endings, length, luck, tension, economy, cards,
            actions, restricted, openings, health. In Carcassonne: sides, matrix, points, tunnels, followers, length,
            luck, tension, health. With more than two seats: seats, meetings, length, ends; in Carcassonne also points,
            tunnels, followers, health; in Eurotunnel also powers, tunnels.
        base: Ruleset to compare it with, or none. Default: the one that its file names after `base:`.
        levers: Deals of each setting tried to find the numbers whose change matters most; 0 leaves that out.
            Default: an eighth of the deals, with --quick 100.
        decisions: See DECISIONS_HELP.
        ray: See RAY_HELP.
    """
    console = _console()
    settings = ReportSettings(ruleset, agents, deals, quick, seed, skip, base, levers, decisions)
    _ = settings.tournament(), settings.base_rules
    _check(decisions or 0, workers, out or settings.folder)
    if verdict and not settings.is_judged:
        raise AgentError(
            "--verdict: none of the players reads the rules, so the report's own games are all that there is"
        )
    started = time.monotonic()
    if verdict:
        _judge(console, ruleset, settings.plan, workers)
        return
    with _cores(ray, workers), show_progress() as progress:
        begun: list[Stage] = []

        def begin(name: str, total: int) -> Stage:
            for stage in begun:  # stages run one after the other, and their totals are estimates
                stage.finish()
            begun[:] = [progress.begin(name, total or None)]
            return begun[0]

        verdicts = _judging(console, progress, ruleset, settings.plan, workers)
        judging = verdicts if settings.is_judged else ()
        written = write_report(settings, out or settings.folder, begin, workers, console.print, judging)
    found = written.page.plain
    if found.careful:
        console.print(f"Careful: {' '.join(found.careful)}", style="bold")
    console.print(found.headline, *found.sentences, sep="\n")
    seconds = time.monotonic() - started
    console.print(f"\nReport: {written.html} ({seconds:.0f} s)")


def adapt(
    ruleset: RulesetFirst, agent: str = "", decisions: int = DECISIONS, seed: int = 1, workers: int | None = None
) -> None:
    """Train a policy for one ruleset, from a player that reads the rules; tuned:NAME then plays it.

    For example:
        channel-tunnel adapt agenda --decisions 50000

    Args:
        ruleset: Ruleset name or YAML file.
        agent: The player that it starts from. Default: the one that reads the rules of the ruleset's game, such as adept.
        decisions: Decisions of both seats, in all: a policy that has had fewer continues. Ctrl-C keeps what it has learnt.
        seed: Seed of the training; reports use those of 1 and 2.
        workers: Processes of the games that follow. Default: every core.
    """
    console, rules = _console(), load_ruleset(ruleset)
    name = agent or shipped.READERS.get(rules.spec.name)
    if not name:
        raise AgentError(f"{rules.spec.name} has no player that reads the rules; name one: --agent")
    if decisions < 1:
        raise AgentError(f"--decisions {decisions:,}: expected 1 to {MOST_DECISIONS:,}")
    _check(decisions, workers)
    with show_progress() as progress:
        stage = progress.begin(f"training for {rules.name}", 1.0)
        with StopRequest(lambda: progress.say(STOPPING)) as stop:
            task = TrainingTask(name, rules, decisions, seed)
            (trained,) = train_policies([task], workers, stage.reach, lambda: stop.asked)
        met = progress.begin("games between them", 2 * QUICK_DEALS)
        share = share_against(trained.name, name, rules, QUICK_DEALS, SEED, workers, met).value
    console.print(f"After {trained.decisions:,} decisions it wins {percent(share)} of its games against {name}.")
    console.print(f"Plays it: {trained.name}", soft_wrap=True)


def _console() -> Console:
    """A console for plain words, as wide as the terminal; in a file, wide enough that names are not folded."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH_OF_FILES
    return console


def _show(console: Console, parts: Iterable[Sheet | str], style: str | None = None) -> None:
    """Tables and lines below each other."""
    for part in parts:
        console.print(part.to_rich() if isinstance(part, Sheet) else part, style=style)


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
        if words[:1] in (["-h"], ["--help"]):
            print("\n".join(f"{name:12}{LISTED[name].sentence}" for name in COMMANDS))
            return 0
        if not words or words[0] not in COMMANDS:
            wrong = f"there is no command {words[0]!r}" if words else "a command is needed"
            raise ArgumentsError(f"{wrong}{or_known(words[0] if words else '', COMMANDS)}")
        status = run_asked(command_to_run(COMMANDS[words[0]]), " ".join(command_words(words[0])), words[1:])
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
