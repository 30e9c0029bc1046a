"""The errors that a user can get. Each message says what is wrong, what was expected, and where."""

from __future__ import annotations


class ChannelTunnelError(Exception):
    """Base of every error that this package raises deliberately."""


class RulesetError(ChannelTunnelError, ValueError):
    """A ruleset file is wrong.

    Args:
        where: names the file or the ruleset.
        problems: one line per error.
    """

    def __init__(self, where: str, problems: list[str]) -> None:
        self.where = where
        self.problems = problems
        super().__init__("\n".join(f"{where}: {problem}" for problem in problems))


class ArgumentsError(ChannelTunnelError, ValueError):
    """A command line that its command does not understand."""


class DocumentError(ChannelTunnelError, ValueError):
    """YAML or JSON that cannot be read.

    Args:
        where: names the file or the text.
        problem: says why.
    """

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")


class IllegalActionError(ChannelTunnelError, ValueError):
    """An action that the rules do not allow now; the game is unchanged."""


class GameOverError(IllegalActionError):
    """An action for a game that has ended."""


class PositionError(ChannelTunnelError, ValueError):
    """A position file that does not describe a possible position."""


class StateError(ChannelTunnelError, ValueError):
    """A game state (see `engine.state`) that play cannot reach, or bytes that hold no state."""


class BatchError(ChannelTunnelError, RuntimeError):
    """A batch used by two threads at once, or in a forked child of the process that made it."""


class RecordError(ChannelTunnelError, ValueError):
    """A game record that cannot be read or does not replay."""


class VersionError(ChannelTunnelError, ValueError):
    """A saved file that was made for another ruleset, observation or action version."""


class OrderError(ChannelTunnelError, ValueError):
    """A written order that cannot be read."""


class ForeignExitError(ChannelTunnelError, RuntimeError):
    """Code from elsewhere, such as a game or an agent, that would have ended the program; see `outside.foreign`."""


class PluginError(ChannelTunnelError, RuntimeError):
    """A game of another distribution that does not work; names the distribution."""
