"""Progress of a command: a bar on a terminal, occasional lines elsewhere; both on standard error.

With CHANNEL_TUNNEL_PROGRESS=json in the environment the lines are JSON objects, several a second, for a
program that shows the progress itself; see `JsonLines`.

    with show_progress() as progress:
        games = progress.begin("games", 2000)
        games.advance(64)

Standard output is reserved for results, so `command > file` still shows its progress.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from channel_tunnel_env.outside.terminal import percent

FIRST_LINE = 5.0  # seconds after a stage has begun; a shorter stage prints nothing
EVERY = 30.0  # seconds between lines
TICK = 1.0  # seconds
FORMAT, JSON = "CHANNEL_TUNNEL_PROGRESS", "json"  # environment variable, and its only value
JSON_EVERY = 0.25  # seconds between JSON lines of a stage
MINUTE, HOUR = 60, 3600


class Stage:
    """One part of a command's work.

    Args:
        name: what is done, such as "games".
        total: a whole number of things to do; a float, such as 1.0, if only the share is worth
            showing; None if unknown.
        clock: a monotonic clock in seconds.
        changed: called after every change.
    """

    def __init__(
        self,
        name: str,
        total: float | None,
        clock: Callable[[], float] = time.monotonic,
        changed: Callable[[Stage], object] = lambda stage: None,
    ) -> None:
        self.name, self.total, self.done = name, total, 0.0
        self.note = ""
        """A few words after the figures, such as "compiling"."""
        self._clock, self._changed = clock, changed
        self.begun = clock()
        self._first: tuple[float, float] | None = None  # when work was first reported, and how much

    def __call__(self, amount: float = 1) -> None:
        """Same as `advance`."""
        self.advance(amount)

    def advance(self, amount: float = 1) -> None:
        """Add this amount of finished work."""
        self.reach(self.done + amount)

    def reach(self, done: float, note: str | None = None) -> None:
        """Set the amount of finished work; `note` is shown from now on."""
        self.done = done
        self.note = self.note if note is None else note
        if self._first is None:
            self._first = self._clock(), done
        self._changed(self)

    def finish(self) -> None:
        """Mark the stage as complete, regardless of its total."""
        if not self.is_over:
            self.total = int(self.done)
            self.reach(self.done)

    @property
    def is_over(self) -> bool:
        """Whether everything is done."""
        return self.total is not None and self.done >= self.total

    @property
    def seconds(self) -> float:
        """Seconds since the stage began."""
        return self._clock() - self.begun

    @property
    def seconds_left(self) -> float | None:
        """Seconds left at the pace since the first report; None while that is not known.

        The work of the first report does not count: it includes the time of compilation, or comes from an earlier run.
        """
        if self.total is None or self._first is None:
            return None
        since, before = self._first
        spent, gained = self._clock() - since, self.done - before
        if spent <= 0 or gained <= 0:
            return None
        return max(0.0, self.total - self.done) * spent / gained

    @property
    def figures(self) -> str:
        """The figures, such as "60 %, 1,204 of 2,000, about 3 min left"."""
        words = []
        if self.total:
            words.append(percent(min(1.0, self.done / self.total), 0))
        if isinstance(self.total, int):
            words.append(f"{self.done:,.0f} of {self.total:,}")
        elif self.total is None and self.done:
            words.append(f"{self.done:,.0f} done")
        left = self.seconds_left
        if left is not None and not self.is_over:
            words.append(f"about {duration(left)} left")
        return ", ".join(words + [self.note] * bool(self.note))


def duration(seconds: float) -> str:
    """Seconds in words: "40 s", "3 min", "2 h 10 min"."""
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    minutes = round(seconds / MINUTE)
    if seconds < 2 * HOUR:
        return f"{minutes} min"
    return f"{minutes // MINUTE} h {minutes % MINUTE} min"


class Progress:
    """The stages of a command, not shown: for callers without display; base of both displays."""

    def begin(self, name: str, total: float | None) -> Stage:
        """Begin a stage; call the returned object, or its `advance`, as work is done."""
        return Stage(name, total)

    def say(self, line: str) -> None:
        """Print a line that stays, above the bar if there is one."""
        print(line, file=sys.stderr, flush=True)


class ProgressLines(Progress):
    """A line after FIRST_LINE seconds of a stage and every EVERY seconds from then on."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._stages: list[Stage] = []
        self._said: dict[Stage, float] = {}  # time of the last line of stages in progress
        self._lock = threading.Lock()

    def begin(self, name: str, total: float | None) -> Stage:
        """As of `Progress`."""
        stage = Stage(name, total, self._clock, self._changed)
        with self._lock:
            self._stages.append(stage)
        return stage

    def say(self, line: str) -> None:
        """As of `Progress`."""
        print(line, file=self._out, flush=True)

    def tick(self) -> None:
        """Print a line for each stage that is due for one."""
        with self._lock:
            for stage in self._stages:
                last = self._said.get(stage, stage.begun + FIRST_LINE - EVERY)
                if not stage.is_over and self._clock() - last >= EVERY:
                    self._said[stage] = self._clock()
                    self.say(f"{stage.name}: {stage.figures or duration(stage.seconds)}")

    def _changed(self, stage: Stage) -> None:
        if not stage.is_over:
            return
        with self._lock:
            if stage in self._stages:
                self._stages.remove(stage)
            if self._said.pop(stage, None) is not None:  # a short stage has printed nothing
                self.say(f"{stage.name}: done in {duration(stage.seconds)}")


class JsonLines(Progress):
    """A JSON object per line and change: stage, done, total and left (seconds); or say (a line).

    A total or a time that is not known is null. A stage's first and last line always appear, those in
    between at most every JSON_EVERY seconds.
    """

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._said: dict[Stage, float] = {}

    def begin(self, name: str, total: float | None) -> Stage:
        """As of `Progress`."""
        stage = Stage(name, total, self._clock, self._changed)
        self._tell(stage)
        return stage

    def say(self, line: str) -> None:
        """As of `Progress`."""
        self._write({"say": line})

    def _changed(self, stage: Stage) -> None:
        if stage.is_over or self._clock() - self._said[stage] >= JSON_EVERY:
            self._tell(stage)

    def _tell(self, stage: Stage) -> None:
        self._said[stage] = self._clock()
        left = stage.seconds_left
        self._write({"stage": stage.name, "done": stage.done, "total": stage.total, "left": left})

    def _write(self, content: dict[str, object]) -> None:
        print(json.dumps(content), file=self._out, flush=True)


class _Figures(ProgressColumn):
    max_refresh = None

    def render(self, task: Task) -> Text:
        """The figures of a task's stage."""
        stage: Stage = task.fields["stage"]
        return Text(stage.figures)


class _Bars(Progress):
    """One bar per stage."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar

    def begin(self, name: str, total: float | None) -> Stage:
        """As of `Progress`."""
        stage = Stage(name, total, changed=lambda s: self._bar.update(task, completed=s.done, total=s.total))
        task = self._bar.add_task(name, total=total or None, stage=stage)
        return stage

    def say(self, line: str) -> None:
        """As of `Progress`."""
        self._bar.console.print(line, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Context in which stages are shown on standard error; at the end bars vanish, lines stay."""
    if os.environ.get(FORMAT) == JSON:
        yield JsonLines(sys.stderr)
        return
    console = Console(stderr=True)
    if console.is_terminal and not console.is_dumb_terminal:
        columns = (TextColumn("{task.description}"), SpinnerColumn(), BarColumn(), _Figures())
        # Results on their way into a file are not for the terminal.
        bar = Bar(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty())
        with bar:
            yield _Bars(bar)
        return
    lines, ended = ProgressLines(sys.stderr), threading.Event()

    def tell() -> None:
        while not ended.wait(TICK):
            lines.tick()

    threading.Thread(target=tell, name="progress", daemon=True).start()
    try:
        yield lines
    finally:
        ended.set()
