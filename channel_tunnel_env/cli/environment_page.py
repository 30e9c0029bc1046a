"""docs/environment.md from the live environments: ids, spaces, rewards, arguments, versions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import docstring_parser

from channel_tunnel_env.cli.markdown import page, table
from channel_tunnel_env.envs.registration import ANY_RULESET, VERSION, environment_ids
from channel_tunnel_env.envs.results import END_CAUSE, ILLEGAL_ACTION, MAX_CYCLES, SCORES, WINNER
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import (
    ACTION_NAMES,
    ACTION_VERSION,
    NUM_ACTIONS,
)
from channel_tunnel_env.games.tunnel_1987.engine.observation import (
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
)
from channel_tunnel_env.games.tunnel_1987.spec import SPEC
from channel_tunnel_env.records.record import RECORD_FORMAT

MEANING = {
    "centre": "a TBM reached the centre: the side with more points wins",
    "deviation": "a TBM left its line: that side loses at once",
    "max_rounds": "a stopped game: too many rounds; scored as it is",
    "empty_rounds": "a stopped game: too many rounds in a row without a placement; scored as it is",
    "dead_position": "a stopped game: nobody can ever act again; scored as it is",
}
CHECKED = """```python
import channel_tunnel_env
import gymnasium
from gymnasium.utils.env_checker import check_env

check_env(gymnasium.make("ChannelTunnel-v1", illegal_action="lose").unwrapped)
```"""
OWN_STEP = "from the learner's decision to its own next one; the rival plays inside"
OWN_REWARD = "the result, whichever side moved last"
# Interface; what a step is; its reward; from whose perspective; what it is for.
LEARNERS = [
    [
        "`gymnasium.make`, `make_vec`; `MaskInObservation` (TorchRL, Tianshou)",
        OWN_STEP,
        OWN_REWARD,
        "the learner's seat",
        'any algorithm, one seat. `side="both"`: alternating, the observation says which',
    ],
    [
        "`envs.sb3.SeatVecEnv`",
        OWN_STEP,
        OWN_REWARD,
        "the row's seat",
        'stock sb3-contrib, one seat; self-play with `side="both"` and the model as `opponent`',
    ],
    [
        "`envs.sb3.SelfPlayVecEnv`",
        "from a decision of either seat to the next of either: a row is the seat to move",
        "the result, in all rows",
        "one seat's, `view`",
        "only `channel_tunnel_agents.learning.rollout_buffer.ZeroSumRolloutBuffer`, which computes advantages for the mover; a stock "
        'buffer would teach the other seat to lose, so `credit="zero_sum"` must be given',
    ],
    [
        '`envs.sb3.SelfPlayVecEnv` with `credit="per_seat"`, any number of seats',
        "the same; the buffer goes from a seat's decision to its own next one",
        "each seat's own, `seat_rewards`",
        "the mover's own",
        "only `channel_tunnel_agents.learning.rollout_buffer.PerSeatRolloutBuffer`",
    ],
    [
        "`env()`, `raw_env()` (PettingZoo AEC)",
        "`last()` to the same agent's next `last()`; the agents' steps overlap",
        "what `last()` returns: accumulated since the agent's own last decision",
        "each agent's own",
        "loops that keep each agent's transition open until its own next turn or its end",
    ],
    [
        "`parallel_env()`",
        "one decision of the game; the action of the waiting agent is ignored",
        "the result, to both agents in the last step",
        "each agent's own",
        "independent learners, one per agent",
    ],
    [
        "`simultaneous_env()`, games whose phases are answered unseen",
        "one answer of every agent that is asked; who waits has `asked` False in its infos",
        "the result, to all agents in the last step",
        "each agent's own",
        "independent learners, of the steps at which they are asked",
    ],
    [
        "`envs.rllib`",
        "from an agent's decision to its own next one",
        "the result, to both agents in the last step",
        "each agent's own",
        "RLlib's multi-agent algorithms",
    ],
    [
        "`envs.openspiel`",
        "one decision, by the current player",
        "`returns()` at the end",
        "each player's own",
        "OpenSpiel's algorithms for sampled chance",
    ],
    [
        "`BatchGame`",
        "one decision of the seat to play in every row",
        "`rewards` (B, 2) by seat, in the step that ended the game",
        "each seat's own",
        "your own loop that tracks both seats",
    ],
]


def environment_page() -> str:
    """Inputs and outputs of the environments, and the changes of each version."""
    from channel_tunnel_env.envs.aec import raw_env
    from channel_tunnel_env.envs.all_seats import AGENTS
    from channel_tunnel_env.envs.single import ChannelTunnelEnv
    from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv

    facts = [
        ["agents", " and ".join(f"`{agent}`" for agent in AGENTS) + "; Britain starts the game"],
        ["turns", "several decisions in a row are usual: always read whose turn it is"],
        ["actions", f"`Discrete({NUM_ACTIONS})`, one meaning each: [actions](actions.md)"],
        [
            "masks",
            "at least one action is legal until the end. When there is nothing to decide (the last observation, a waiting "
            f"agent of `parallel_env`), the mask allows `{ACTION_NAMES[SPEC.actions.idle]}`, which is then ignored, so that a "
            "masked categorical stays finite; only PettingZoo's AEC form has all zeros then, as in its own games. PettingZoo: "
            "int8, in the observation and in the infos. Gymnasium: int8 in `info`, bool from `action_masks()`; "
            "`envs.mask_in_observation` puts it into the observation",
        ],
        [
            "observation",
            f"float32 ({OBSERVATION_SIZE},) in [0, 1], nothing hidden from its viewer: [observation](observation.md). Of Carcassonne "
            "the bounds of the space follow from the ruleset (`spec.observation.bounds`): counts over fixed scales. Vector environments "
            "take `observation_dtype`: bytes are [the same numbers](observation.md#in-bytes)",
        ],
        [
            "rewards",
            "0 until the end, then +1 to the winner and -1 to the loser; 0 and 0 for a drawn stopped game",
        ],
        ["luck", "the same seed deals the same decks, whatever is played"],
        ["illegal actions", "raise `IllegalActionError` with the reason and change nothing"],
    ]
    ids = [
        [
            "Gymnasium",
            f"`{ANY_RULESET}`",
            "one learner seat, the rivals play inside; also `make_vec`; any ruleset, by the argument",
        ],
        *[
            [
                "Gymnasium, PettingZoo",
                f"`{name}`",
                f"the ruleset `{ruleset}`; in PettingZoo, from 1.27 on, AEC and parallel",
            ]
            for name, ruleset in environment_ids().items()
        ],
        ["OpenSpiel", "`channel_tunnel`", "after `import channel_tunnel_env.envs.openspiel`"],
    ]
    ends = [
        *(
            [f"`{cause}`", "terminated", MEANING[cause]]
            for cause in c.END_CAUSES
            if cause != "none"
        ),
        [
            f"`{ILLEGAL_ACTION}`",
            "terminated",
            'only `env()`, `parallel_env()` and `illegal_action="lose"`: the agent that played it gets -1, nobody wins',
        ],
        [f"`{MAX_CYCLES}`", "truncated", "only if the caller set that limit: no result"],
    ]
    versions = [
        ["environment ids", VERSION],
        ["observation", str(OBSERVATION_VERSION)],
        ["actions", str(ACTION_VERSION)],
        ["game records", str(RECORD_FORMAT)],
    ]
    return page(
        "The environment",
        table(["what", "how"], facts),
        "## Ids",
        table(["library", "id", "note"], ids),
        "## How games end",
        table([f"`{END_CAUSE}`", "kind", "meaning"], ends),
        f'At the end of a game the infos hold `{WINNER}` (`"britain"`, `"france"` or `None`), `{END_CAUSE}` and `{SCORES}` (for each '
        "side the points by source and the `total`). The names are the same everywhere: for both agents in PettingZoo and RLlib; in "
        "`info` in Gymnasium; as arrays with Gymnasium's `_key` masks in `make_vec` (in `final_info` with `SameStep`); next to "
        "`terminal_observation` in Stable-Baselines3.",
        "Only `max_cycles` truncates, so only there may a learner bootstrap from its own value estimate.",
        "`make_vec` resets in the step after the last one (`NextStep`, Gymnasium's default): that step has reward 0 whatever the "
        'action; do not learn from it. With `autoreset_mode="SameStep"` there is no such step.',
        "## What a learner gets",
        "A reward is from the perspective of one seat: +1 if that seat won. A stock algorithm computes correct advantages only if "
        "a row's next observation is of the same seat.",
        table(["interface", "a step goes", "reward", "perspective", "for"], LEARNERS),
        "## Arguments",
        "### `gymnasium.make`",
        _arguments(ChannelTunnelEnv),
        "### `gymnasium.make_vec`",
        _arguments(ChannelTunnelVectorEnv),
        "### `channel_tunnel_env.env` and `raw_env`",
        _arguments(raw_env),
        "## Checkers",
        "`check_env` of Gymnasium and of Stable-Baselines3 plays actions at random and looks at no mask. An environment made with "
        "the defaults stops it with an `IllegalActionError`: that is by design, because an illegal action is a mistake in the "
        "caller's code. Made so that an illegal action loses the game, the environment passes both:",
        CHECKED,
        "`raw_env()` of PettingZoo raises likewise. `env()` ends the game of the agent that plays an illegal action, and "
        "`api_test` passes with it.",
        "## Versions",
        "A version is raised only when a saved policy, record or result would no longer fit. Policies and records name their "
        "version; loading one with a different version fails with an error that names both.",
        table(["what", "version"], versions),
    )


def _arguments(what: Callable[..., Any]) -> str:
    """The parameters of a class as a table, from its signature and its docstring."""
    meanings = {
        name.strip(): parameter.description or ""
        for parameter in docstring_parser.parse(inspect.getdoc(what) or "").params
        for name in parameter.arg_name.split(",")
    }
    rows = [
        [f"`{name}`", f"`{_shown(parameter.default)}`", " ".join(meanings.get(name, "").split())]
        for name, parameter in inspect.signature(what).parameters.items()
    ]
    return table(["argument", "default", "meaning"], rows)


def _shown(default: Any) -> str:
    return repr(getattr(default, "value", default))
