"""Writing a game as a record, and the engine's luck by names.

`record` describes the format, and replays records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from numpy.typing import NDArray

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.records import LUCK_SIZE, new_records, same_records
from channel_tunnel_env.core.rng import LUCK_READ, LUCK_WRITE
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.errors import IllegalActionError, RecordError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.rulesets.entry import is_builtin
from channel_tunnel_env.rulesets.ruleset import Ruleset
from channel_tunnel_env.versions import __version__

RECORD_FORMAT = 1
RESIGNED = "resigned"
ENDINGS = (RESIGNED,)
"""How a game may end other than by its rules: keys of a record, each with the seat that ended it."""


class Ending(NamedTuple):
    """How a game ended other than by its rules.

    Attributes:
        kind: of `ENDINGS`.
        seat: that ended it, after the last action.
    """

    kind: str
    seat: str

    def in_words(self, seat_title: Callable[[str], str]) -> str:
        """Who ended it and how, such as "France resigned"; `seat_title` as of a `TableFace`."""
        return f"{seat_title(self.seat)} {self.kind}"


def ending_of(record: Mapping[str, Any]) -> Ending | None:
    """How the game of a record ended; None if its rules ended it, or if it goes on."""
    return next((Ending(kind, record[kind]) for kind in ENDINGS if kind in record), None)


def write_record(game: Game, ending: Ending | None = None) -> dict[str, Any]:
    """The game so far as one JSON-ready record.

    Its luck is found by replaying its actions from the start.

    Args:
        ending: how it ended, unless by its rules.
    """
    ruleset: dict[str, Any] = {"name": game.ruleset.name, "digest": game.ruleset.digest}
    if not is_builtin(game.ruleset):
        ruleset["values"] = game.ruleset.plain()
    record: dict[str, Any] = {"format": RECORD_FORMAT, "package": __version__}
    if game.spec.name != DEFAULT_GAME:
        record["game"] = game.spec.name
    record |= {"ruleset": ruleset, "seed": game.seed}
    if game.start is not None:
        record["start"] = game.start_position()
    record |= {"actions": game.actions, "luck": _find_luck(game), "result": game_result(game)}
    return record | ({ending.kind: ending.seat} if ending else {})


def game_result(game: Game) -> dict[str, Any]:
    """How the game ended, or its current state."""
    field, word = game.spec.record.clock
    return {
        "winner": game.winner,
        "end_cause": game.end_cause,
        f"{word}s": int(game.states[field][0]),
        "scores": game.scores(),
    }


# --- luck -----------------------------------------------------------------------------------------


class LuckNames:
    """Translates the engine's luck log to names and back."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.spec = ruleset.spec
        self.names = self.spec.luck.names(ruleset)

    def read_log(self, log: list[int]) -> list[tuple[str, list[str]]]:
        """The shuffles and draws in a log; consecutive draws are combined."""
        found: list[tuple[str, list[str]]] = []
        place = 0
        while place < len(log):
            number = log[place]
            stream = self.spec.luck.streams[number]
            if stream in self.spec.luck.aimed:  # [stream, item], one per draw
                begin = place
                while place < len(log) and log[place] == number:
                    place += 2
                drawn = log[begin + 1 : place : 2]
            else:  # [stream, size, the order]
                begin, place = place + 2, place + 2 + log[place + 1]
                drawn = log[begin:place]
            names = self.names[stream]
            found.append((stream, [names[i] for i in drawn]))
        return found

    def fill_log(self, work: NDArray[Any], entries: list[tuple[str, list[str]]]) -> None:
        """Prepare the log for playback.

        Raises:
            ValueError: a stream or a name that this ruleset does not know.
        """
        numbers: list[int] = []
        for stream, names in entries:
            if stream not in self.names:
                raise ValueError(f"unknown stream of luck {quote(stream)}")
            ids = self._ids(stream, names)
            number = self.spec.luck.streams.index(stream)
            if stream in self.spec.luck.aimed:
                numbers += [n for i in ids for n in (number, i)]
            else:
                numbers += [number, len(ids), *ids]
        if len(numbers) >= LUCK_SIZE:
            raise ValueError("more luck than one ply can use")
        work["luck_mode"], work["luck_place"], work["luck_misfit"] = LUCK_READ, 0, 0
        work["luck"] = -1
        work["luck"][0, : len(numbers)] = numbers

    def _ids(self, stream: str, names: list[str]) -> list[int]:
        free: dict[str, list[int]] = {}
        for i, name in enumerate(self.names[stream]):
            free.setdefault(name, []).append(i)
        ids = []
        for name in names:
            if not isinstance(name, str) or not free.get(name):
                raise ValueError(f"{stream}: {quote(name)} is unknown or occurs too often")
            repeated = stream in self.spec.luck.repeated
            ids.append(free[name][0] if repeated else free[name].pop(0))
        return ids


luck_names = lru_cache(maxsize=64)(LuckNames)


def new_log(spec: GameSpec) -> NDArray[Any]:
    """A workspace of a game, to record luck in or to play it back from."""
    return new_records(1, spec.record.work_dtype)


def _find_luck(game: Game) -> list[list[Any]]:
    """[ply, stream, names] of every shuffle and of the disc draws, found by replaying the game.

    The streams of a game that was replayed from a record need not give the record's luck, so it remembers that.
    """
    luck, work, again, known = luck_names(game.ruleset), new_log(game.spec), game.clone(), game.given_luck
    found: list[list[Any]] = []
    for ply, action in enumerate([None, *game.action_ids]):
        given = known.get(ply)
        if given is None:  # from the streams, as what was played after a record's last action
            work["luck_mode"], work["luck_place"] = LUCK_WRITE, 0
        else:
            luck.fill_log(work, given)
        try:
            play_ply(again, action, work)
        except IllegalActionError:
            raise _other_game() from None
        if given is None:
            given = luck.read_log(work["luck"][0, : int(work["luck_place"][0])].tolist())
        found += [[ply, stream, list(names)] for stream, names in given]
    if not known and not same_records(again.states, game.states):
        raise _other_game()
    return found


def _other_game() -> RecordError:
    return RecordError("the game's actions do not lead from its start to its current state")


def play_ply(game: Game, action: int | None, work: NDArray[Any]) -> None:
    """Take an action, or set up if None; the workspace plays luck back or records it.

    Raises:
        IllegalActionError: the action is not legal.
    """
    if action is None:
        game.restart(work)
    else:
        game.play_with(action, work)
