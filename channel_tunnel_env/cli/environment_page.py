"""docs/environment.md from the live environments: ids, spaces, rewards, arguments, versions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import docstring_parser

from channel_tunnel_env.cli.markdown import page, table
from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import END_CAUSES, FIRST_TRUNCATION
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.envs.registration import RULESETS, VERSION
from channel_tunnel_env.versions import HISTORIES

MEANING = {
    "centre": "a TBM reached the centre: the side with more points wins",
    "deviation": "a TBM left its line: that side loses at once",
    "max_rounds": "too many rounds: scored as it stands",
    "empty_rounds": "rounds in a row without a placement: scored as it stands",
    "dead_position": "nobody can ever act again: scored as it stands",
}


def environment_page() -> str:
    """What an environment gives and takes, and what its versions changed."""
    from channel_tunnel_env.envs.aec import raw_env
    from channel_tunnel_env.envs.single import ChannelTunnelEnv
    from channel_tunnel_env.envs.two_seats import AGENTS
    from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv

    facts = [
        ["agents", " and ".join(f"`{agent}`" for agent in AGENTS) + "; Britain starts the game"],
        ["turns", "several decisions in a row are usual: read whose turn it is"],
        ["actions", f"`Discrete({NUM_ACTIONS})`, one meaning each: [actions](actions.md)"],
        [
            "masks",
            "at least one action is legal until the end. PettingZoo: int8, in the observation and in the infos, zeros for "
            "the agent that is not to move. Gymnasium: int8 in `info`, bool from `action_masks()`; "
            "`envs.mask_in_observation` puts it into the observation",
        ],
        [
            "observation",
            f"float32 ({OBSERVATION_SIZE},) in [0, 1], nothing hidden from its viewer: [observation](observation.md)",
        ],
        [
            "rewards",
            "0 until the end, then +1 to the winner and -1 to the loser; 0 and 0 for a drawn stopped game. A learner's step "
            "goes to its own next decision, and the result reaches both seats",
        ],
        ["luck", "the same seed deals the same decks whatever is played"],
        ["illegal actions", "raise `IllegalActionError` with the reason and change nothing"],
    ]
    ids = [
        [
            "Gymnasium",
            f"`ChannelTunnel-{VERSION}`",
            "one learner seat, the rival inside; also `make_vec`",
        ],
        *[
            [
                "PettingZoo",
                f"`channel_tunnel/{name}-{VERSION}`",
                "AEC and parallel, from PettingZoo 1.27 on",
            ]
            for name in RULESETS
        ],
        ["OpenSpiel", "`channel_tunnel`", "after `import channel_tunnel_env.envs.openspiel`"],
    ]
    ends = [
        [f"`{cause}`", "truncated" if i >= FIRST_TRUNCATION else "terminated", MEANING[cause]]
        for i, cause in enumerate(END_CAUSES)
        if cause != "none"
    ]
    changes = [
        [what, change.version, change.package, change.what]
        for what, history in HISTORIES.items()
        for change in reversed(history)
    ]
    return page(
        "The environment",
        table(["what", "how"], facts),
        "## Ids",
        table(["library", "id", "note"], ids),
        "## How games end",
        table(["`end_cause`", "kind", "meaning"], ends),
        "## Arguments",
        "### `gymnasium.make`",
        _arguments(ChannelTunnelEnv),
        "### `gymnasium.make_vec`",
        _arguments(ChannelTunnelVectorEnv),
        "### `channel_tunnel_env.env` and `raw_env`",
        _arguments(raw_env),
        "## Version history",
        "A version is raised when a saved policy, record or result would no longer fit, and never otherwise. Policies and records "
        "name theirs; another one is refused with both named.",
        table(["what", "version", "package", "change"], changes),
    )


def _arguments(what: Callable[..., Any]) -> str:
    """The parameters of a class as a table, from its signature and its docstring."""
    told = {
        name.strip(): parameter.description or ""
        for parameter in docstring_parser.parse(inspect.getdoc(what) or "").params
        for name in parameter.arg_name.split(",")
    }
    rows = [
        [f"`{name}`", f"`{_shown(parameter.default)}`", " ".join(told.get(name, "").split())]
        for name, parameter in inspect.signature(what).parameters.items()
    ]
    return table(["argument", "default", "meaning"], rows)


def _shown(default: Any) -> str:
    return repr(getattr(default, "value", default))
