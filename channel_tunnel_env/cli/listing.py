"""Every command in one list, grouped by what it is for; nothing of a command is loaded for it."""

from __future__ import annotations

from typing import NamedTuple

from channel_tunnel_env.outside.hints import did_you_mean


class Command(NamedTuple):
    """What is known of a command before it is loaded.

    Attributes:
        sentence: what it does.
        agents: the module of `channel_tunnel_agents.commands` that holds it; "": it is a module of this package's.
        extra: what `pip install 'channel-tunnel-env[EXTRA]'` must have brought; "": nothing, or the command says it.
    """

    sentence: str
    agents: str = ""
    extra: str = ""


REPORT = ("evaluate", "report")
LIST: dict[str, dict[str, Command]] = {
    "Play and look": {
        "play": Command("Play any of the games in the terminal.", "play", "play"),
        "table": Command("Play, watch, replay and analyse games in the browser.", "table", "play,table"),
        "replay": Command("Replay recorded games, checking every action; film one."),
        "draw": Command("Draw a board as SVG or PNG."),
        "adjudicate": Command("Say what every unit of a phase of Eurotunnel Diplomacy did."),
    },
    "Change the rules": {
        "rules": Command("Show a ruleset, each figure with its source."),
        "check": Command("Play random games, looking for broken invariants."),
        "report": Command("Write a page that says whether a ruleset is fair, and why.", *REPORT),
        "compare": Command("Compare two rulesets, or two agents, deal by deal.", *REPORT),
        "sweep": Command("Play the same deals at every setting of some figures.", *REPORT),
        "tune": Command("Search for figures of a ruleset that meet targets.", *REPORT),
        "gate": Command("Exit with status 1 if a ruleset misses targets.", *REPORT),
        "adapt": Command("Train a player's copy for one ruleset.", "evaluate", "train"),
    },
    "Train and measure agents": {
        "train": Command("Train a policy for every seat by self-play.", "train", "train"),
        "tournament": Command("Play agents against each other: ratings, saved games.", *REPORT),
        "exploit": Command("Measure what a best response wins.", "evaluate", "train"),
        "benchmark": Command("Play an agent on a track; check a card.", "benchmark", "report"),
        "generate": Command("Play games and save them as a data set.", "generate", "data"),
    },
    "This machine": {
        "bench": Command("Measure how fast this machine plays."),
        "warm-up": Command("Compile rules and players now rather than at the first game.", "warm_up", "play"),
    },
}
COMMANDS = {name: command for group in LIST.values() for name, command in group.items()}
WIDTH = 12  # of a name and its margin


def command_list() -> str:
    """All commands as lines of at most 80 characters."""
    lines = [
        "Tunnel board games: play them, check them, measure them, train for them.",
        "",
        "usage: channel-tunnel COMMAND ...    (COMMAND --help says what it takes)",
        "       channel-tunnel --version",
    ]
    for title, group in LIST.items():
        lines += ["", f"{title}:"]
        lines += [f"  {name:<{WIDTH}}{command.sentence}" for name, command in group.items()]
    return "\n".join(lines)


def no_such_command(word: str) -> str:
    """What is wrong with a word that is no command."""
    return f"there is no command {word!r}{did_you_mean(word, COMMANDS)}"
