"""`channel-tunnel benchmark`: an agent on a track, the check of a card, and the table of all cards."""

from __future__ import annotations

import os
import secrets
import sys

# One thread, before a library is loaded: threads of small products cost more time than they save, and the processor's
# time on a card is that of one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from tyro.conf import Positional, arg

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.board import scores_sheet, write_board
from channel_tunnel_agents.benchmark.checking import check_card
from channel_tunnel_agents.benchmark.running import CARD, BenchmarkEntry, enter
from channel_tunnel_agents.cluster.parallel import check_workers
from channel_tunnel_agents.program import complain, program
from channel_tunnel_env import ChannelTunnelError
from channel_tunnel_env.entry import STOPPED, empty_words
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.outside.progress import Progress, show_progress
from channel_tunnel_env.outside.terminal import tolerate_any_terminal
from channel_tunnel_env.tracks import PARTS, RELEASED, load_track

STOPPED_WORDS = "stopped. Finished parts are kept, and the same command continues."
PLAY, CHECK, BOARD = "", "--check", "--board"
USES = {
    BOARD: (),
    CHECK: ("TRACK", "AGENT", "--part", "--fresh"),
    PLAY: ("TRACK", "AGENT", "--budgets", "--train", "--out", "--workers"),
}
"""What the command does, and the arguments that it then reads."""
AGENT_HELP = (
    "random, heuristic, adept, ppo:FOLDER, onnx:FOLDER, module:attribute, 'process:COMMAND' and every other agent of "
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
    part: int | None = None,
    fresh: Annotated[int | None, arg(metavar="SEED")] = None,
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
        check: Compute a card's scores again and play a tenth of its games again. The exit status is 1 if they differ. A
            program (process:COMMAND, module:attribute) is run only if AGENT names it too.
        part: Which tenth to check, 0 to 9. Default: drawn at random.
        fresh: Check with fresh deals of this seed instead of those of the card.
        board: Write the cards of a folder as a table beside it, FOLDER.md.
    """
    console = Console(soft_wrap=True)
    given: dict[str, object] = {BOARD: board, CHECK: check}
    given |= {"TRACK": track, "AGENT": agent, "--budgets": budgets, "--train": train, "--out": out}
    given |= {"--workers": workers, "--part": part, "--fresh": fresh}
    _refuse_unused([word for word, value in given.items() if _is_given(value)])
    if board is not None:
        console.print(f"Leaderboard: {write_board(board)}", highlight=False, markup=False)
        return 0
    with show_progress() as progress:
        if check is not None:
            return _check(console, progress, check, part, fresh, track, agent)
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


def _check(
    console: Console, progress: Progress, path: Path, part: int | None, fresh: int | None, track: str, agent: str
) -> int:
    chosen = secrets.randbelow(PARTS) if part is None else part
    games: Callable[[int], object] = progress.begin("games", None)
    found = check_card(path, chosen, fresh, games, track, agent)
    which = f"fresh deals, seed {fresh}" if fresh is not None else f"part {chosen} of 0 to {PARTS - 1}"
    verdict = "It holds" if found.holds else "It does not hold"
    console.print(f"{verdict}: {found.words} ({found.games:,} games, {which}).", highlight=False, markup=False)
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
        return tyro.cli(foreign_code()(benchmark), prog="channel-tunnel benchmark", args=words)
    except (AgentError, ChannelTunnelError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # `run_command` knows
            raise
        return complain(error, 2)
    except KeyboardInterrupt:
        print(f"{program()}: {STOPPED_WORDS}", file=sys.stderr)
        return STOPPED
