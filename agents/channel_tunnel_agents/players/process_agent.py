"""Agents in processes of their own, in any language: `process:COMMAND`. They see observations and nothing else.

The protocol is a line of JSON each way, on the process's standard input and output:

    > {"type": "hello", "protocol": 1, "game": ..., "ruleset": {...}, "seats": [...], "actions": [names by id],
       "observation_size": D, "seed": 0, "milliseconds": 1000}
    < {"type": "ready", "name": "mine", "observations": "list", "repeats": true}
    > {"type": "act", "id": 1, "rows": [{"observation": [D numbers], "mask": "0110...", "legal": [1, 2]}, ...]}
    < {"type": "actions", "id": 1, "actions": [2, ...]}

A row is a decision of some game; rows of one request are of different games and seats, and the observation says which
seat is to move. `observations` of the answer chooses how they are written: "list", "base64" (of D little-endian float32),
or "none"; `repeats` says that it plays the same games again from the same seed. `hello` may come again, with another
ruleset or seed. `{"type": "adapt", "minutes": 1}` asks it to prepare for the ruleset of the last hello; it answers
`{"type": "adapted"}`, or `{"type": "cannot"}`; 0 minutes only ask whether it can. To any question it may answer
`{"type": "error", "message": ...}`, which ends the games. The process ends when its input ends. What it writes to
standard error is shown if it fails.

It begins with no open files, and of the environment with what says where programs and libraries are (`PASSED_ON`). It is
not kept from the disk, the network or other processes.
"""

from __future__ import annotations

import base64
import ctypes
import io
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, agent_seed
from channel_tunnel_env import Ruleset
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import LINE, need_mapping, parse_json, quote, shorten

PREFIX = "process:"
MODULE_PROCESS = "channel_tunnel_agents.players.module_process"
PR_GET_DUMPABLE, PR_SET_DUMPABLE = 3, 4  # Linux's prctl options
PROTOCOL = 1
WAYS = ("list", "base64", "none")
START_SECONDS = 120.0  # for hello, and once more for the first answer: what compiles does so then
SPARE_SECONDS = 1.0  # of each answer, for writing and reading it
DEFAULT_MILLISECONDS = 10_000.0  # a move, by default
WAITING = 4  # answers that were not asked for, before the process has to wait
MOST_LETTERS = 300  # of what it says went wrong
ENDING_SECONDS = 2.0  # from the end of its input to the kill
PASSED_ON = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "LC_ALL",
        "TZ",
        "TMPDIR",
        "TMP",
        "TEMP",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "NUMBA_CACHE_DIR",
        "OMP_NUM_THREADS",
        "CUDA_VISIBLE_DEVICES",
        "SYSTEMROOT",
        "USERPROFILE",
        "LOCALAPPDATA",
        "PATHEXT",
    ]
)
"""Variables of the environment that a process gets."""


def process_of_module(name: str) -> str:
    """The name of the agent that plays `MODULE:ATTRIBUTE` in a process of its own."""
    return PREFIX + shlex.join([sys.executable, "-P", "-m", MODULE_PROCESS, name])


@contextmanager
def unreadable() -> Iterator[None]:
    """Context in which other processes of this user cannot read this one's memory, where the system can see to it."""
    if not sys.platform.startswith("linux"):
        yield
        return
    prctl = ctypes.CDLL(None).prctl
    before = prctl(PR_GET_DUMPABLE)
    prctl(PR_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        prctl(PR_SET_DUMPABLE, before)


class ProcessAgent:
    """A decision maker in another process; started with the first question.

    Args:
        command: words for a program and its arguments, as in a shell without its features.
        ruleset: the one to be played.
        seed: for its random stream.

    Attributes:
        name: `process:COMMAND`, unless the caller calls it otherwise.
        place: agents of one command and place share a process, one after the other.
        variables: of the environment, beside those of `PASSED_ON`.
        milliseconds: limit of a move; a batch has as many times more.
        told: the milliseconds that are announced to the process; 0: the limit.
    """

    def __init__(self, command: str, ruleset: Ruleset | None, seed: int) -> None:
        self.name = f"{PREFIX}{command}"
        self.place, self.variables = 0, dict[str, str]()
        self.milliseconds, self.told = DEFAULT_MILLISECONDS, 0.0
        self._ruleset, self._seed = ruleset, agent_seed(seed)
        self._words = _words_of(command, self.name)

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """One action per row; an AgentError if the process crashed, was too slow, or answered something else than actions."""
        return self._greeted().act(observations, masks, self.milliseconds)

    def adapt(self, minutes: float) -> bool:
        """Let the process prepare for the ruleset; False if it says that it cannot."""
        return self._greeted().adapt(minutes)

    def start(self) -> Mapping[str, Any]:
        """Start the process, unless it runs, tell it what is played, and return its answer, a message "ready"."""
        return self._greeted().ready

    def _greeted(self) -> _Conversation:
        if self._ruleset is None:
            raise AgentError(f"agent {self.name!r}: a process needs to be told the ruleset")
        talk = _Conversation.of(self._words, self.place)
        talk.greet(self, self._ruleset, self._seed, self.told or self.milliseconds)
        return talk


def _words_of(command: str, name: str) -> tuple[str, ...]:
    """The words of a command."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise AgentError(f"agent {name!r}: not a command: {error}") from None
    if not words:
        raise AgentError(f"agent {name!r}: a command is needed, such as {PREFIX}python my_agent.py")
    return words


class _Conversation:
    """A running process and what has been said to it."""

    _running: dict[tuple[tuple[str, ...], int], _Conversation] = {}  # noqa: RUF012  by command and place

    def __init__(self, words: tuple[str, ...]) -> None:
        self.name, self._words = "", words
        self.ready: Mapping[str, Any] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue(WAITING)
        self._questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: IO[bytes] | None = None
        self._greeted: weakref.ref[ProcessAgent] | None = None
        self._way, self._number, self._is_warm = WAYS[0], 0, False

    @classmethod
    def of(cls, words: tuple[str, ...], place: int) -> _Conversation:
        """The conversation with a command's process in a place."""
        return cls._running.setdefault((words, place), cls(words))

    def greet(self, agent: ProcessAgent, ruleset: Ruleset, seed: int, milliseconds: float) -> None:
        """Start the process if it does not run, and tell it what is played, unless it was the last to be told."""
        if self._greeted is not None and self._greeted() is agent and self._process is not None:
            return
        self.name = agent.name
        if self._process is None:
            self._start(agent.variables)
        spec = ruleset.spec
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "game": spec.name,
            "ruleset": ruleset.plain(),
            "seats": list(ruleset.seats),
            "actions": list(spec.actions.names),
            "observation_size": int(spec.observation.size(ruleset)),
            "seed": seed,
            "milliseconds": milliseconds,
        }
        self.ready = self._ask("hello", _line(hello), "ready", START_SECONDS)
        self._way = self.ready.get("observations", WAYS[0])
        if self._way not in WAYS:
            raise self._failed(f"observations {quote(self._way)}: expected {', '.join(WAYS)}")
        self._greeted = weakref.ref(agent)

    def act(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_], milliseconds: float
    ) -> NDArray[np.int64]:
        """The actions; whether they are legal is for the caller to see."""
        self._number += 1
        seen = self._written(observations, len(masks))
        rows = [
            f'{{{seen[i]}"mask":"{"".join(map(str, mask))}","legal":{mask.nonzero()[0].tolist()}}}'
            for i, mask in enumerate(np.asarray(masks).astype(np.int8))
        ]
        seconds = SPARE_SECONDS + len(rows) * milliseconds / 1000
        if not self._is_warm:
            seconds = max(seconds, START_SECONDS)
        line = f'{{"type":"act","id":{self._number},"rows":[{",".join(rows)}]}}'
        answer = self._ask("act", line, "actions", seconds)
        self._is_warm = True
        if answer.get("id") != self._number:
            raise self._failed(f"answered question {quote(answer.get('id'))}, not {self._number}")
        actions = answer.get("actions")
        if not isinstance(actions, list) or any(type(action) is not int for action in actions):
            raise self._failed(f"actions {quote(actions)}: expected a list of whole numbers")
        if len(actions) != len(rows):
            raise self._failed(f"{len(actions)} actions for {len(rows)} rows")
        if any(not 0 <= action < masks.shape[1] for action in actions):
            wrong = next(a for a in actions if not 0 <= a < masks.shape[1])
            raise self._failed(f"action {quote(wrong)}: ids go from 0 to {masks.shape[1] - 1}")
        return np.array(actions, np.int64)

    def adapt(self, minutes: float) -> bool:
        """Whether the process has adapted; it has the minutes, and the time of a start."""
        asked = _line({"type": "adapt", "minutes": minutes})
        seconds = 60 * minutes + START_SECONDS
        return bool(self._ask("adapt", asked, "adapted", seconds, "cannot")["type"] == "adapted")

    def _written(self, observations: NDArray[np.float32], rows: int) -> list[str]:
        """The beginning of each row's JSON. Few values occur, so each is put into digits once."""
        if self._way == "none":
            return [""] * rows
        if self._way == "base64":
            words = [
                f'"{base64.b64encode(np.ascontiguousarray(row, "<f4").tobytes()).decode()}"' for row in observations
            ]
        else:
            values, places = np.unique(observations, return_inverse=True)
            digits = np.array([f"{value:.9g}" for value in values.tolist()], object)
            words = [f"[{','.join(row)}]" for row in digits[places.reshape(observations.shape)]]
        return [f'"observation":{word},' for word in words]

    def _start(self, variables: Mapping[str, str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  open as long as the process
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,  # closing a buffer would wait for a write that never ends
                env={**{key: os.environ[key] for key in PASSED_ON & os.environ.keys()}, **variables},
                start_new_session=True,  # what it starts ends with it
            )
        except OSError as error:
            raise AgentError(f"agent {self.name!r}: {error.strerror}: {error.filename}") from None
        self._process, self._is_warm, self._greeted = process, False, None
        self._lines, self._questions = queue.Queue(WAITING), queue.SimpleQueue()
        assert process.stdout is not None
        for work, stream, lines in (
            (_read, io.BufferedReader(cast("io.RawIOBase", process.stdout)), self._lines),
            (_write, process.stdin, self._questions),
        ):
            threading.Thread(target=work, args=(stream, lines), name="process", daemon=True).start()
        weakref.finalize(self, _end, process)  # also at the end of this process

    def _ask(self, kind: str, line: str, wanted: str, seconds: float, other: str = "") -> dict[str, Any]:
        """Send a line and wait for the answer."""
        self._questions.put(line.encode() + b"\n")
        try:
            reply = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise self._failed(f"no answer to {kind} within {seconds:g} s") from None
        if not reply:
            raise self._failed("the process ended")
        try:
            answer = need_mapping(parse_json(reply, "", LINE), "", "it")
        except DocumentError as error:
            line = quote(reply.decode(errors="replace").rstrip())
            raise self._failed(f"answered {line}: {error.problem}; other words belong on standard error") from None
        if answer.get("type") == "error" and isinstance(answer.get("message"), str):
            raise self._failed(" ".join(answer["message"].split())[:MOST_LETTERS])
        if answer.get("type") not in {wanted, other} - {""}:
            raise self._failed(f"answered {quote(answer.get('type'))} to {kind}; expected {wanted!r}")
        return answer

    def _failed(self, why: str) -> AgentError:
        """Stop the process and say why in one line, with the last line that it wrote to standard error."""
        process, self._process, self._greeted = self._process, None, None
        said = ""
        if process is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.2)  # a crash: let it write why
            status = process.poll()
            why += f" with status {status}" if status is not None and why.endswith("ended") else ""
            _end(process, 0.0)
        if self._errors is not None:
            self._errors.seek(0)
            lines = self._errors.read()[-4000:].decode(errors="replace").split("\n")
            said = next((line.strip() for line in reversed(lines) if line.strip()), "")
            self._errors.close()
            self._errors = None
        return AgentError(f"agent {self.name!r}: {why}" + (f" ({shorten(said)})" if said else ""))


def _line(question: dict[str, Any]) -> str:
    return json.dumps(question, separators=(",", ":"))


def _write(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Send lines until the process has ended; a process that does not read holds up only this thread."""
    with suppress(OSError, ValueError):
        while True:
            rest = memoryview(lines.get())
            while rest:
                rest = rest[stream.write(rest) :]


def _read(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Pass lines on; an empty one at the end, or for a line that is too long."""
    while True:
        line = stream.readline(LINE.size + 1)
        lines.put(line)
        if not line:
            return


def _end(process: subprocess.Popen[bytes], patience: float = ENDING_SECONDS) -> None:
    """End a process and what it has started: by the end of its input, then by force; without patience by force at once."""
    if patience:
        with suppress(OSError, ValueError):
            if process.stdin is not None:
                process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    if hasattr(os, "killpg"):
        with suppress(OSError):  # all have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
