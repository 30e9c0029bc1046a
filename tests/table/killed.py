"""Plays at a table in processes that are killed at random moments, for `test_stops`.

    python -m tests.table.killed FOLDER KILLS

Prints a line for each kill: the last version that was answered, and the one found on disk.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env import Game
from tests.table.helpers import PEOPLE


def play_on(room: Room, answers: int) -> None:
    """Play for ever, over and over, and tell every version once it is on disk."""
    while True:
        if room.game.is_over:
            room.restart()
        else:
            legal = room.game.legal_actions()
            room.play(legal[room.version * 7 % len(legal)])
        os.write(answers, room.version.to_bytes(4, "big"))


def kill_one(room: Room, rng: random.Random) -> int:
    """Let a process play and kill it; the last version that it told."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        play_on(room, writing)
    os.close(writing)
    last = int.from_bytes(os.read(reading, 4), "big")
    for _ in range(rng.randrange(20)):
        last = int.from_bytes(os.read(reading, 4), "big")
    time.sleep(rng.random() / 200)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while told := os.read(reading, 4):
        last = int.from_bytes(told, "big")
    os.close(reading)
    return last


def main() -> None:
    """Begin a game and kill who plays it, again and again."""
    folder, kills, rng = Path(sys.argv[1]), int(sys.argv[2]), random.Random(1)
    rooms = Rooms(Offers.of(), folder)
    room = Room.begin(Game("tiny", 4), dict(PEOPLE), True)
    room.keep = rooms.storage.keep
    rooms._join(room)
    for _ in range(kills):
        last = kill_one(rooms.get(room.key), rng)
        rooms = Rooms(Offers.of(), folder)
        print(last, rooms.get(room.key).version, flush=True)


if __name__ == "__main__":
    main()
