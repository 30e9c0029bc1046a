"""reference/cli.md: the help of every command; and the measures that commands take by name."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from contextlib import redirect_stdout
from unittest.mock import patch

from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.players.shipped import reader_of
from channel_tunnel_env import cli
from channel_tunnel_env.cli.listing import COMMANDS
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset
from pages import block, listed, page, rules_of, table
from pages.games import GamePages

WIDTH = 100
# A terminal of its own, so that pages are the same wherever they are written.
TERMINAL = {"COLUMNS": str(WIDTH), "LINES": "50"}


def command_names() -> list[str]:
    """Every command of `channel-tunnel`, in the order of its list."""
    return list(COMMANDS)


def commands_page() -> str:
    """The help of every command."""
    parts = [part for name in command_names() for part in (f"## {name}", block(help_of(name), "text"))]
    return page(
        "Commands",
        "What `channel-tunnel COMMAND --help` says, for every command. In a checkout `python train.py` is "
        "`channel-tunnel train`, and `python evaluate.py COMMAND` the commands that measure.",
        *parts,
    )


def help_of(*command: str) -> str:
    """What a command prints when it is asked for help, at a width of 100 columns."""
    shown = io.StringIO()
    with patch.dict(os.environ, TERMINAL), redirect_stdout(shown):
        try:
            cli.main([*command, "--help"])
        except SystemExit as ended:
            if ended.code:
                raise
    return shown.getvalue().rstrip()


# --- reference/GAME/measures.md: what is measured in games, by the names that a targets file and the commands take


UNITS = "A share is between 0 and 1. Everything else is a mean per game, in the unit of its row."


def measures_page(game: GamePages) -> str:
    """Every name and its meaning."""
    rules = rules_of(game)
    measured = measures_of(rules)
    main = measured.main
    return page(
        f"{game.title}: measures",
        "`compare`, `sweep`, `tune` and `gate` measure games by these names. A targets file takes them with a range each "
        "(`null` is no bound):",
        block(f"targets:\n  {main[0]}: [0.45, 0.55]\n  {main[1]}: [null, 100]", "yaml"),
        UNITS,
        f"`sweep` reports {listed(main)} unless you name others with `--measures`. If a targets file names no agent, "
        f"`{measured.player}` plays every seat{_or_reader(rules)}.",
        *(["## At a table of two"] if game.more_seats else []),
        _table(measured.named, rules),
        *_at_more(game, set(measured.named)),
    )


def _or_reader(rules: Ruleset) -> str:
    reader = reader_of(rules)
    return f"; by changed rules, and in `tune`, it is `{reader}`" if reader else ""


def _at_more(game: GamePages, known: set[str]) -> list[str]:
    """The measures that only a larger table has."""
    if game.more_seats is None:
        return []
    rules = load_ruleset(game.more_seats)
    own = measures_of(rules)
    more = {name: measure for name, measure in own.named.items() if name not in known}
    return [
        "## At a table of three and more",
        f"There are no measures of one seat against the other, and no measures of a seat that isn't at the table. `sweep` reports "
        f"{listed(own.main)}. Beside those that keep their names:",
        _table(more, rules),
    ]


def _table(measures: Mapping[str, Measure], rules: Ruleset) -> str:
    """One row per meaning: measures that differ only by the seat share one."""
    rows: dict[tuple[str, str], list[str]] = {}
    for name, measure in measures.items():
        seat = next((seat for seat in rules.seats if name.endswith(f"_{seat}")), None)
        title = measure.title.split(": ", 1)[-1] if seat and ": " in measure.title else measure.title
        rows.setdefault((title + (", by seat" if seat else ""), measure.unit), []).append(name)
    return table(["name", "unit", "meaning"], [[listed(names), unit, title] for (title, unit), names in rows.items()])
