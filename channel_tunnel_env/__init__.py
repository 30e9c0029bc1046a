"""Board games about tunnels as reinforcement-learning environments (unofficial), each by the name of a ruleset.

    from channel_tunnel_env import Game
    game = Game(ruleset="standard", seed=7)  # or "carcassonne", "eurotunnel", ...
    game.play(game.legal_actions()[0])

`Game`, `BatchGame`, `decode`, `action_names_of` and the environments serve every game: 1987 Channel Tunnel, Carcassonne
with The Tunnel, Eurotunnel Diplomacy, and those of other packages. `env` and `raw_env` are the PettingZoo environments,
`parallel_env` and `simultaneous_env` the parallel ones; they load on first use.

In the shapes in docstrings, A is the number of actions (`Game.spec.actions.count`) and D the number of values in an
observation (`Game.spec.observation.size(ruleset)`).
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from channel_tunnel_env.entry import end_at_interrupt, is_own_command

_LATE = {**dict.fromkeys(("env", "raw_env", "parallel_env"), "envs.aec"), "simultaneous_env": "envs.simultaneous"}
"""Names that load on first use, and their modules."""
_IS_COMMAND = is_own_command()

if _IS_COMMAND:  # its list of commands needs nothing of the rest
    end_at_interrupt()
else:
    from channel_tunnel_env import public
    from channel_tunnel_env.public import *  # noqa: F403

    __all__ = [*public.__all__, *_LATE]


def __getattr__(name: str) -> Any:
    is_late = name in _LATE or (_IS_COMMAND and find_spec(f"{__name__}.{name}") is None)
    if not is_late:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATE.get(name, 'public')}"), name)
