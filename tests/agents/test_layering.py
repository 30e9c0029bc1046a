"""Which room of `channel_tunnel_agents` may import which, imports inside functions counted.

The rooms' own docstrings say the same in words. Rooms are packages; a module at the top is a room of its own, and so
is each room within `balance`. The folder of a game in `games` is a room of its own, too: it may import every room but another game's, and no room
imports it; `games` finds it by the game's name. Imports for types alone are not counted: nothing of them runs.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import channel_tunnel_agents
from channel_tunnel_env.games import BUILT_IN

PACKAGE = Path(channel_tunnel_agents.__file__).parent
NAME = PACKAGE.name

# Below `registry`, so every room above may use them.
LEAVES = {"base", "statistics", "sheet", "program"}
BELOW_BALANCE = LEAVES | {
    *("games", "names", "registry", "rulesets", "players", "search", "cluster", "matches"),
    "learning",
}
MAY_IMPORT: dict[str, set[str]] = {
    "base": set(),
    "statistics": set(),
    "sheet": {"statistics"},
    "program": set(),
    "games": {"base"},
    "names": {"base", "games", "players"},
    "rulesets": {"games"},
    "players": {"base", "games"},
    "search": {"base", "players"},
    "exact": {"base", "players"},
    "registry": {"base", "games", "names", "players", "search"},
    "cluster": {"base", "names", "players"},
    "matches": LEAVES | {"games", "names", "registry", "players", "search", "cluster"},
    "learning": LEAVES | {"games", "names", "registry", "rulesets", "players", "search", "matches"},
    "balance": BELOW_BALANCE | {"balance.measuring", "balance.empirical", "balance.players"},
    "balance.measuring": BELOW_BALANCE,
    "balance.changing": BELOW_BALANCE | {"balance.measuring"},
    "balance.empirical": BELOW_BALANCE | {"balance.measuring"},
    "balance.players": BELOW_BALANCE | {"balance.measuring", "balance.changing", "balance.empirical"},
    "balance.report": BELOW_BALANCE
    | {"balance", "balance.measuring", "balance.changing", "balance.empirical", "balance.players"},
    "benchmark": LEAVES
    | {"games", "names", "registry", "rulesets", "players", "exact", "cluster", "matches"}
    | {"balance.players", "balance.report"},
    "table": LEAVES
    | {"games", "names", "registry", "players", "search", "matches"}
    | {"balance", "balance.measuring", "balance.changing", "balance.players", "balance.report"},
    "commands": LEAVES
    | {"games", "names", "registry", "players", "search", "exact", "cluster", "matches", "learning"}
    | {"balance", "balance.measuring", "balance.changing", "balance.empirical", "balance.players", "balance.report"}
    | {"benchmark", "table"},
}
OF_A_GAME = {f"games.{game}" for game in (*BUILT_IN, "plain")}
FACE = "__init__"  # of the whole package; only who uses the package imports it
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


def room_of(module: str) -> str:
    whole = ".".join(module.split(".")[:2])
    return whole if whole in OF_A_GAME or whole in MAY_IMPORT else module.split(".")[0]


def imported(path: Path) -> set[str]:
    """Modules of this package that a file imports anywhere; "" is the package itself."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from package import room` is the room; `from package import make_agent` the face.
            names |= {
                f"{node.module}.{alias.name}"
                if f"{node.module}.{alias.name}".removeprefix(f"{NAME}.") in MODULES
                else node.module
                for alias in node.names
            }
    return {n.removeprefix(NAME).lstrip(".") for n in names if n.split(".")[0] == NAME}


def test_every_room_is_listed() -> None:
    assert {room_of(module) for module in MODULES} == {*MAY_IMPORT, *OF_A_GAME, FACE}


@pytest.mark.parametrize("module", sorted(set(MODULES) - {FACE}))
def test_a_module_imports_only_rooms_below_its_own(module: str) -> None:
    room = room_of(module)
    rooms = {room_of(name) or FACE for name in imported(MODULES[module])}
    if room in OF_A_GAME:
        assert rooms <= {*MAY_IMPORT, room}
    else:
        assert rooms <= MAY_IMPORT[room] | {room}


def test_no_room_is_above_another_and_below_it() -> None:
    for room, below in MAY_IMPORT.items():
        for other in below:
            assert room not in MAY_IMPORT[other], (room, other)


# --- inside the table
# Folders and modules of `table`, the lowest first: each imports only those before it and itself.
OF_THE_TABLE = ("errors", "minds", "rooms", "web", "design", "serve")


def parts_of_the_table(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("table.")}


def test_every_part_of_the_table_is_listed() -> None:
    assert parts_of_the_table(set(MODULES)) == set(OF_THE_TABLE)


@pytest.mark.parametrize("module", sorted(name for name in MODULES if name.startswith("table.")))
def test_a_module_of_the_table_imports_only_parts_below_its_own(module: str) -> None:
    own = OF_THE_TABLE.index(module.split(".")[1])
    above = set(OF_THE_TABLE[own + 1 :])
    assert not parts_of_the_table(imported(MODULES[module])) & above
