"""Files of written orders: a phase in many spellings, whole or damaged."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from channel_tunnel_env import ChannelTunnelError, Ruleset, load_ruleset
from channel_tunnel_env.cli.adjudicate import orders_in
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate, outcome_lines
from channel_tunnel_env.games.eurotunnel.board_positions import tunnel_ends
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.words import answer_text
from tests.fuzz import play
from tests.fuzz.mutations import Random, change_bytes, pick
from tests.fuzz.text import change_text

SWITCHES: tuple[dict[str, Any], ...] = (
    {"auto_forced": False},
    {"auto_forced": False, "rulebook": "datc", "permissions": False},
    {"auto_forced": False, "absent": ["ITALY"], "max_year": 1904},
)
PHASES = 40  # of a game to begin with
GAMES = 6  # of a ruleset
_LIVELY = (c.MOVE, c.VIA, c.TUNNEL, c.SUPPORT_MOVE, c.CONVOY, c.RETREAT, c.RETREAT_TUNNEL)
BOARD = load_board()
DASHES = ("-", "\N{EN DASH}", "\N{MINUS SIGN}", "->", "=>", "\N{RIGHTWARDS ARROW}", ">", "to")
HOLDS = ("H", "hold", "HOLDS", "stands")
LETTERS = {"A": ("A", "army", "a"), "F": ("F", "fleet", "Fleet")}
COASTS = {
    "NC": ("/NC", "(nc)", " north coast", "/n", "-NC"),
    "SC": ("/SC", "(sc)", " (south coast)", "/s", " SC"),
    "EC": ("/EC", "(ec)", " east coast", "/e", " ec"),
}
VERBS = {"S": ("S", "supports", "support"), "C": ("C", "convoys"), "BT": ("BT", "digs to")}
HEADINGS = ("{0}", "{0}:", "# next\n{1}", "**{1}**", "# {1}", "Orders for {1} (Bob), 1901:", "[{1}] -")
CODES = ("utf-8", "utf-8-sig", "utf-16")
WORDS = ("FRANCE", "england:", "A", "F", "PAR", "-", "S", "C", "BT", "~", "R", "D", "B", "WAIVE",
         "permit", "withdraw", "SPA/NC", "North Sea", "via convoy", "#", ",", ";", "\N{EN DASH}")  # fmt: skip


class Phase(NamedTuple):
    """A position, what all powers write in its phase, and the position after it."""

    rules: Ruleset
    before: dict[str, Any]
    orders: list[tuple[str, str]]
    after: dict[str, Any]


@cache
def _bases() -> list[Phase]:
    """Phases of random games; of all but the first, retreats alone."""
    rng, found = np.random.default_rng(0), []
    for rules in map(load_ruleset("eurotunnel").with_values, SWITCHES):
        for seed in range(GAMES):
            game = Game(rules, seed)
            for _ in range(PHASES):
                if game.is_over:
                    break
                before, orders = game.to_position(), _play_phase(game, rng)
                if seed == 0 or before["dislodged"]:
                    found.append(Phase(rules, before, orders, game.to_position()))
    return found


def _play_phase(game: Game, rng: Random) -> list[tuple[str, str]]:
    """Answer all questions of a phase, most units with a move; the powers and what they wrote."""
    key, orders = game.phase_key, []
    while not game.is_over and game.phase_key == key:
        power, asked = BOARD.powers[game.mover], game.states.copy()
        moves = [i for i in game.legal_ids() if all_actions()[i].kind in _LIVELY]
        if moves and rng.random() < 0.8:
            game.play(int(rng.choice(moves)))
        else:
            play.play_randomly(game, rng)
        orders.append((power, _written(asked[0], game.action_ids[-1])))
    return orders


def _written(state: Any, number: int) -> str:
    """An answer as a line; "" for one that is no line."""
    action = all_actions()[number]
    if action.kind == c.PERMIT:
        owner = int(state["to_play"])
        given = int(state["tunnel_next"][owner, action.src]) >> action.dst & 1 == 0
        ends = "-".join(tunnel_ends(int(state["tunnel_pair"][owner, action.src])))
        return f"{'PERMIT' if given else 'WITHDRAW'} {BOARD.powers[action.dst]} {ends}"
    if action.kind == c.REMOVE:
        return f"{c.UNIT_LETTERS[int(state['unit_type'][action.dst])]} {action.name}"
    return "" if action.kind == c.PERMIT_DONE else answer_text(state, number)


# --- spellings ----------------------------------------------------------------------------------


def _respelled(rng: Random, order: str) -> str:
    """The same order in other words."""
    words = [_word(rng, word, i) for i, word in enumerate(order.split())]
    text = " ".join(filter(None, words))
    if rng.random() < 0.2:
        text = re.sub(r" (-|\N{EN DASH}|->) ", r"\1", text)
    return pick(rng, (text, text, text.lower(), text.upper()))


def _word(rng: Random, word: str, number: int) -> str:
    if word in LETTERS and number != 1:
        return pick(rng, LETTERS[word])
    if word in ("-", "H"):
        return pick(rng, DASHES if word == "-" else HOLDS)
    if word in VERBS:
        return pick(rng, VERBS[word])
    if word in BOARD.index:
        code, _, coast = word.partition("/")
        name = BOARD.names[BOARD.index[code]] if rng.random() < 0.3 else code
        return name + (pick(rng, COASTS[coast]) if coast else "")
    return word


def _sheet(rng: Random, orders: list[tuple[str, str]]) -> str:
    """All orders as a text, in one of its forms."""
    lines, last = [], ""
    headed = rng.random() < 0.6
    for power, order in orders:
        if not order:
            continue
        text = _respelled(rng, order)
        if headed and power != last:
            lines.append(pick(rng, HEADINGS).format(power, power.title()))
        elif headed and lines and rng.random() < 0.2:
            lines[-1] += f"{pick(rng, ',;')} {text}"
            continue
        lines.append(text if headed else f"{power.title()}: {text}")
        last = power
    return pick(rng, ("\n", "\r\n", "\n\n")).join(lines)


def mutate(rng: Random) -> tuple[int, bytes, bool]:
    """The number of a phase, a file of its orders, and whether it is whole."""
    number = int(rng.integers(len(_bases())))
    text: Any = _sheet(rng, _bases()[number].orders)
    whole = bool(rng.random() < 0.3)
    if not whole:
        text = _damaged(rng, text)
    content = text if isinstance(text, bytes) else text.encode(pick(rng, CODES), "replace")
    if not whole and rng.random() < 0.1:
        content = change_bytes(rng, content)
    return number, content, whole


def _damaged(rng: Random, text: str) -> str | bytes:
    if rng.random() < 0.5:
        return change_text(rng, text)
    words = re.split(r"(\s+)", text)
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(words)))
        words[at] = pick(rng, (*WORDS, *BOARD.locations, pick(rng, words), ""))
    return "".join(words)


def check(data: tuple[int, bytes, bool], folder: Path) -> str:
    """Adjudicate the phase; a whole file has the outcome that the orders have in a game."""
    number, content, whole = data
    phase = _bases()[number]
    file = folder / "orders.txt"
    file.write_bytes(content)
    try:
        result = adjudicate(phase.before, orders_in(file), ruleset=phase.rules)
    except ChannelTunnelError:
        assert not whole, "a file that is whole is refused"
        return "refused"
    for line in result["unread"]:
        assert line["why"] and len(line["order"]) <= 100 and line["line"] > 0
    assert "\n".join(outcome_lines(phase.before["phase"], result))
    if whole:
        assert not result["unread"], result["unread"]
        assert not [unit["why"] for unit in result["units"] if unit.get("why")]
        named = {key: phase.after[key] for key in ("ruleset", "ruleset_digest")}
        assert named | result["position"] == phase.after, "another outcome than in the game"
    elif result["shares"] is None:
        adjudicate(result["position"], "", ruleset=phase.rules)
    return "accepted"


def warm(folder: Path) -> None:
    """Compile all that reading and adjudicating call: every phase once."""
    rng = np.random.default_rng(0)
    for number, phase in enumerate(_bases()):
        check((number, _sheet(rng, phase.orders).encode(), True), folder)
