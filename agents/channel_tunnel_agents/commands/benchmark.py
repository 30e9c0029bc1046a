"""`channel-tunnel benchmark`: an agent on a track, the check of a card, and the table of all cards."""

from __future__ import annotations

import os
import sys

# One thread, before a library is loaded: threads of small products cost more time than they save, and the processor's
# time on a card is that of one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from rich.console import Console
from tyro.conf import Positional, arg

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.board import scores_sheet, write_board
from channel_tunnel_agents.benchmark.checking import LIFTS, check_card
from channel_tunnel_agents.benchmark.running import CARD, BenchmarkEntry, enter
from channel_tunnel_agents.cluster.parallel import check_workers
from channel_tunnel_agents.program import complain, program
from channel_tunnel_env import ChannelTunnelError
from channel_tunnel_env.cli.asking import run_asked
from channel_tunnel_env.entry import STOPPED, empty_words
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.outside.progress import Progress, show_progress
from channel_tunnel_env.outside.terminal import tolerate_any_terminal
from channel_tunnel_env.tracks import PARTS, RELEASED, load_track

STOPPED_WORDS = "stopped. Finished parts are kept, and the same command continues."
PLAY, CHECK, BOARD = "", "--check", "--board"
USES = {
    BOARD: (),
    CHECK: ("TRACK", "AGENT", "--parts"),
    PLAY: ("TRACK", "AGENT", "--budgets", "--train", "--out", "--workers"),
}
"""What the command does, and the arguments that it then reads."""
AGENT_HELP = (
    "random, heuristic, adept, ppo:FOLDER, module:attribute, 'process:COMMAND' and every other agent of "
    "a tournament. In the name, {ms} is replaced by the budget of search-v1 and {out} by the folder of --train."
)


def benchmark(
    track: Annotated[Positional[str], arg(metavar="TRACK", help=", ".join(RELEASED))] = "",
    agent: Annotated[Positional[str], arg(metavar="AGENT", help=AGENT_HELP)] = "",
    budgets: tuple[int, ...] = (),
    train: str = "",
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    workers: int | None = None,
    check: Annotated[Path | None, arg(metavar="CARD.json")] = None,
    parts: int | None = None,
    board: Annotated[Path | None, arg(metavar="FOLDER")] = None,
) -> int:
    """Play an agent on a track of the benchmark and write its score card, or check a card.

    For example:
        channel-tunnel benchmark duel-v1 random --out runs/random
        channel-tunnel benchmark --check runs/random/card.json

    Args:
        budgets: Only these budgets of the track: milliseconds of search-v1, minutes of rules-v1, decisions of
            few-decisions-v1. Default: all.
        train: For few-decisions-v1: a command with {decisions}, {seed} and {out} that leaves an agent in {out}.
        out: Keeps the games and card.json; a stopped run continues. Default: runs/benchmark/TRACK-AGENT.
        workers: Processes. The card counts the processor's time of all of them. Default: 1.
        check: Compute a card's scores again, play its games again if its agent repeats itself, and as many on new deals.
            The exit status is 1 if they differ by more than chance. A program (process:COMMAND, module:attribute) is run only
            if AGENT names it too.
        parts: How many tenths of the games to check, 1 to 10. Default: all.
        board: Write the cards of a folder as a table beside it, FOLDER.md.
    """
    console = Console(soft_wrap=True)
    given: dict[str, object] = {BOARD: board, CHECK: check}
    given |= {"TRACK": track, "AGENT": agent, "--budgets": budgets, "--train": train, "--out": out}
    given |= {"--workers": workers, "--parts": parts}
    _refuse_unused([word for word, value in given.items() if _is_given(value)])
    if board is not None:
        console.print(f"Leaderboard: {write_board(board)}", highlight=False, markup=False)
        return 0
    with show_progress() as progress:
        if check is not None:
            return _check(console, progress, check, parts, track, agent)
        if not track:
            raise AgentError(f"a track is needed: {', '.join(RELEASED)}")
        if not agent:
            raise AgentError(f"{track}: an agent is needed, such as random")
        entry = BenchmarkEntry(load_track(track), agent, budgets, train)
        folder = out or entry.folder
        check_workers(workers)
        card = enter(entry, folder, progress.begin, workers or 1, progress.say)
    console.print(scores_sheet(card).to_rich())
    console.print(
        f"\n{card.games:,} games, {card.decisions:,} decisions of the agent, {card.agent.milliseconds:.3g} ms each; "
        f"{card.processor_seconds:.0f} s of the processor.\nCard: {folder / CARD}",
        highlight=False,
        markup=False,
    )
    return 0


def _is_given(value: object) -> bool:
    """Whether an argument is another than its default; a 0 is."""
    return value is not None and value is not False and value not in ("", ())


def _refuse_unused(given: Sequence[str]) -> None:
    """Refuse arguments that what is asked for does not read.

    Raises:
        AgentError: names the first one.
    """
    does = next((word for word in USES if word in given), PLAY)
    for word in given:
        if word == does or word in USES[does]:
            continue
        if does == PLAY:
            (owner,) = (each for each, words in USES.items() if word in words)
            raise AgentError(f"{word}: only with {owner}")
        raise AgentError(f"{word}: does not go with {does}")


def _check(console: Console, progress: Progress, path: Path, parts: int | None, track: str, agent: str) -> int:
    games: Callable[[int], object] = progress.begin("games", None)
    found = check_card(path, PARTS if parts is None else parts, games, track, agent)
    verdict = "It holds" if found.holds else "It does not hold"
    console.print(f"{verdict}: {found.words} ({found.games:,} games).", highlight=False, markup=False)
    if found.compared:
        lift = f"{100 * found.lift:g} %" if found.lift else f"more than {100 * max(LIFTS):g} %"
        console.print(
            f"Found 9 times in 10: a card that says it won {lift} of its games that it lost.", highlight=False
        )
        console.print(found.sheet.to_rich())
    for said, names in (
        ("Not played, because they are others here", found.skipped),
        ("Not checked, because the card was read against a ladder or goals that are not here", found.unchecked),
    ):
        if names:
            console.print(f"{said}: {', '.join(names)}.", highlight=False, markup=False)
    return 0 if found.holds else 1


def main(argv: list[str] | None = None) -> int:
    """Run the command.

    Returns:
        0; 1 for a card that does not hold; 2 for a wrong argument, agent or card; 130 when stopped by hand.
    """
    tolerate_any_terminal()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if wrong := empty_words(words):
            raise AgentError(wrong)
        return int(run_asked(foreign_code()(benchmark), "channel-tunnel benchmark", words))
    except (AgentError, ChannelTunnelError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # `run_command` knows
            raise
        return complain(error, 2)
    except KeyboardInterrupt:
        print(f"{program()}: {STOPPED_WORDS}", file=sys.stderr)
        return STOPPED
