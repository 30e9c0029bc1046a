"""A person's own games: a browser keeps a secret, and files of games name who sat at their seats by what is made of it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.people import names_of, with_names
from channel_tunnel_env.core.game import Game

if TYPE_CHECKING:
    from channel_tunnel_agents.table.rooms.room import Room

MOST_SHOWN = 200  # games of a list, the newest ones
_SECRET = re.compile(r"[0-9a-f]{32}")


def person_of(secret: str) -> str:
    """What a browser's person is called in files: the secret cannot be found from it."""
    if not _SECRET.fullmatch(secret):
        raise TableError(400, "table-player: 32 hexadecimal digits are expected")
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


def summary(room: Room, game: Game) -> dict[str, Any]:
    """What a list says of a game: only what everybody sees."""
    about = {"game": game.spec.name, "title": game.ruleset.data.title, "extras": sorted(room.face.EXTRAS)}
    outcome = room.outcome(game)
    if outcome is None:
        record = game.spec.record
        when = f"{record.clock[1]} {int(game.states[record.clock[0]][0])}"
        return about | {"when": room.face.question(game) if room.face.IN_PHASES else when}
    names = names_of(game.seats, room.people)
    return about | {
        "results": {seat: outcome.result_of(seat) for seat in game.seats},
        "titles": {seat: with_names(outcome.ending_of(seat)["title"], names) for seat in game.seats},
    }


def listed(content: dict[str, Any], person: str) -> dict[str, Any]:
    """A game of a person's list from its file, with the secrets of the seats that they sat at."""
    own = [who for who, owner in content["owners"].items() if owner == person]
    shown = {name: content[name] for name in ("key", "when", "state", "seats", "people", "told")}
    return shown | {"tokens": {who: content["tokens"][who] for who in own}}
