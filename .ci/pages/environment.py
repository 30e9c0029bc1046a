"""reference/GAME/environment.md: ids, seats, spaces, rewards, ends and versions of one game."""

from __future__ import annotations

from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_env.envs.registration import ANY_RULESET, environment_ids
from channel_tunnel_env.envs.results import END_CAUSE, ILLEGAL_ACTION, MAX_CYCLES, SCORES, WINNER
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.records.record import RECORD_FORMAT
from pages.facts import listed, rules_of, rulesets_of
from pages.games import GamePages
from pages.markdown import example, page, table

EXAMPLE = """
import numpy as np

import channel_tunnel_env

env = channel_tunnel_env.env(ruleset="{ruleset}")
env.reset(seed=7)
print(env.possible_agents)
print(env.action_space(env.agent_selection))
print(env.observation_space(env.agent_selection)["observation"].shape)

rng = np.random.default_rng(7)
for agent in env.agent_iter():
    seen, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(agent, round(reward, 3), info["winner"], info["end_cause"])
        action = None
    else:
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
    env.step(action)
"""


def environment_page(game: GamePages) -> str:
    """What goes into the environments of a game and what comes out."""
    return page(
        f"{game.title}: environment",
        table(["what", "here"], _facts(game)),
        "[Environments](../environments.md) describes what is the same for every game: the interfaces, what a learner gets from "
        "each, masks and checkers.",
        "## One random game",
        example(EXAMPLE.format(ruleset=game.ruleset)),
        "## Ids",
        table(["library", "id", "ruleset"], _ids(game)),
        "## How games end",
        table([f"`{END_CAUSE}`", "kind", "meaning"], _ends(game)),
        f"The infos of the last step hold `{WINNER}` ({game.won}), `{END_CAUSE}` and `{SCORES}`: for each seat the points by source, "
        f"{listed(rules_of(game).spec.outcome.score_sources)}, and the `total`. "
        "A source that only some rulesets have is left out if no seat scored from it.",
        *(part for title, text in game.notes.items() for part in (f"## {title}", text)),
        "## Versions",
        "A version is raised only when a saved policy, record or result would no longer fit. Policies and records name their "
        "version; loading one with a different version fails with an error that names both.",
        table(["what", "version"], _versions(game)),
    )


def _facts(game: GamePages) -> list[list[str]]:
    rules = rules_of(game)
    spec = rules.spec
    low, high = spec.observation.bounds(rules)
    return [
        ["agents", f"{listed(spec.seats.agents(rules))}: {game.seats}"],
        ["turns", game.turns],
        ["actions", f"`Discrete({spec.actions.count})`, each with one meaning: [actions](actions.md)"],
        [
            "mask",
            "at least one action is legal until the end. When there is nothing to decide, the mask allows "
            f"`{spec.actions.names[spec.actions.idle]}`, which is then ignored",
        ],
        [
            "observation",
            f"float32, ({spec.observation.size(rules)},), in [{low:.4g}, {high:.4g}] under `{rules.name}`: "
            "[observation](observation.md)",
        ],
        ["rewards", game.rewards],
        ["hidden", game.hidden],
        ["luck", game.luck],
        ["illegal actions", "raise `IllegalActionError` with the reason and change nothing"],
        ["rules", "[in words](rules.md), and [every number](rulesets.md)"],
        ["render modes", listed(spec.render_modes)],
    ]


def _ids(game: GamePages) -> list[list[str]]:
    names = [rules.name for rules in rulesets_of(game)]
    rows = [
        ["Gymnasium, PettingZoo (AEC and parallel, from 1.27 on)", f"`{name}`", f"`{ruleset}`"]
        for name, ruleset in environment_ids().items()
        if ruleset in names
    ]
    rows.append(["Gymnasium", f"`{ANY_RULESET}`", f'any, by the argument: `ruleset="{game.ruleset}"`'])
    if game.name == DEFAULT_GAME:
        rows.append(["OpenSpiel", "`channel_tunnel`", "any of this game, by the argument"])
    return rows


def _ends(game: GamePages) -> list[list[str]]:
    _, *causes = rules_of(game).spec.outcome.end_causes
    return [
        *([f"`{cause}`", "terminated", game.ends[cause]] for cause in causes),
        [
            f"`{ILLEGAL_ACTION}`",
            "terminated",
            'only `env()`, `parallel_env()` and `illegal_action="lose"`: the agent that played it gets -1, and no seat wins',
        ],
        [f"`{MAX_CYCLES}`", "truncated", "only if you set that limit: no result"],
    ]


def _versions(game: GamePages) -> list[list[str]]:
    form = FORMS[game.name]
    return [
        ["environment ids", rules_of(game).spec.version],
        ["observation", str(form.observation_version)],
        ["actions", str(form.action_version)],
        ["game records", str(RECORD_FORMAT)],
    ]
