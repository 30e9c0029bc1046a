"""reference/GAME/environment.md: ids, seats, spaces, rewards, ends and versions of one game; and the pages of its two spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable

from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_env.core.encoding import BYTE
from channel_tunnel_env.core.numbers import SHARES
from channel_tunnel_env.envs.registration import ANY_RULESET, environment_ids
from channel_tunnel_env.envs.results import END_CAUSE, ILLEGAL_ACTION, MAX_CYCLES, RULESET, SCORES, WINNER
from channel_tunnel_env.faces.registry import observation_of
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.records.record import RECORD_FORMAT
from channel_tunnel_env.rulesets.ruleset import Ruleset
from pages import example, ids, listed, page, rules_of, rulesets_of, table
from pages.games import GamePages

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
        f"A source that only some rulesets have is left out if no seat scored from it. `{RULESET}` is the name of the rules in force.",
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


# --- reference/GAME/actions.md: the ranges of ids -------------------------------------------------


ACTIONS_EXAMPLE = """
from channel_tunnel_env import Game, action_names_of

names = action_names_of("{ruleset}")  # by id
game = Game("{ruleset}", seed=7)
action = game.legal_ids()[0]
print(len(names), action, names[action])
game.play(names[action])  # the same as game.play(action)
"""


def actions_page(game: GamePages) -> str:
    """The ranges of ids of a game, with their names."""
    actions = rules_of(game).spec.actions
    rows = [
        [
            ids(r.start, r.size),
            str(r.size),
            r.phase,
            f"`{actions.names[r.start]}`" + (f" ... `{actions.names[r.start + r.size - 1]}`" if r.size > 1 else ""),
            r.meaning,
        ]
        for r in game.ranges
    ]
    return page(
        f"{game.title}: actions",
        f"`Discrete({actions.count})`. An id means the same in every state and under every ruleset of the game. The mask says "
        "which ids are legal now.",
        game.actions,
        table(["ids", "number", "phase", "names", "meaning"], rows),
        "## Every name",
        "Each id has exactly one name, and logs, records and errors use it. `action_names_of` lists them all; "
        "`game.explain(action)` says why an action isn't legal.",
        example(ACTIONS_EXAMPLE.format(ruleset=game.ruleset)),
    )


# --- reference/GAME/observation.md: the sections of an observation, one decoded, and what bytes mean


DECODED = """
import pprint

from channel_tunnel_env import Game, decode

game = Game("{ruleset}", seed=7)
seen = decode(game.observation(0), "{ruleset}")  # of the first seat
print("\\n".join(pprint.pformat(seen, width=100, sort_dicts=False, compact=True).splitlines()[:25]))
"""
SECTION = """
from channel_tunnel_env import Game

game = Game("{ruleset}", seed=7)
numbers = game.observation(0)[{slice}]  # {section}
print(numbers.shape, numbers.dtype)
"""
BYTES = """
from channel_tunnel_env import BatchGame

batch = BatchGame(64, "{ruleset}", seed=1, observation_dtype="{dtype}")
numbers = batch.encoding.decode(batch.observations)
print(batch.observations.dtype, numbers.dtype, numbers.shape)
"""


def observation_page(game: GamePages) -> str:
    """The sections of a game's observation, and one decoded."""
    rules = rules_of(game)
    spec, sections = rules.spec, observation_of(rules.spec).sections(rules)
    low, high = spec.observation.bounds(rules)
    rows = [[f"`{s.name}`", f"{s.start}:{s.start + s.size}", str(s.size), s.meaning] for s in sections]
    first = sections[0]
    names = {"ruleset": game.ruleset, "section": first.name, "slice": f"{first.start}:{first.start + first.size}"}
    return page(
        f"{game.title}: observation",
        f"One float32 vector of {spec.observation.size(rules):,} numbers in [{low:.4g}, {high:.4g}] under the ruleset "
        f"`{rules.name}`, which has {rules.num_seats} seats. It shows nothing that is hidden from its viewer.",
        game.observation,
        "## Sections",
        table(["section", "slice", "size", "meaning"], rows),
        "## Reading an observation",
        "`decode` reads every section into names and numbers. These are the first lines that the first seat sees:",
        example(DECODED.format(**names)),
        "To take one section out of the vector, use its slice:",
        example(SECTION.format(**names)),
        *_in_bytes(rules),
    )


def _in_bytes(rules: Ruleset) -> list[str]:
    """What observations in bytes hold: the last section of the page."""
    columns_of = rules.spec.observation.columns
    if columns_of is None:
        return []
    columns = columns_of(rules)
    shares = _listed(column.name for column in columns if not column.exact)
    parts = [
        "## In bytes",
        f"Batches and vector environments take `observation_dtype`. `{BYTE}` holds the count behind each number: 3 if the meaning "
        "divides by 15 and float32 holds 0.2. `encoding.decode` gives the float32 back:",
        example(BYTES.format(ruleset=rules.name, dtype=BYTE)),
        "`encoding.steps` is the worth of one of each count, the same under every ruleset. `encoding.exact` marks the numbers "
        f"that come back to the last bit. The others are shares of a varying whole, to the nearest 1/{SHARES}: {shares} (a place "
        "counts from 0).",
    ]
    wide = [place for place, column in enumerate(columns) if column.lender]
    if wide:
        pairs = _listed(f"{columns[k].name}` in `{columns[k + columns[k].lender].name}" for k in wide)
        signed = _listed(column.name for column in columns if column.signed)
        parts.append(
            f"A count of more than eight bits keeps the upper ones in the upper bits of another number: {pairs}. Counts below zero "
            f"are two's complements: {signed}. A ruleset under which something counts further is refused with `{BYTE}`."
        )
    return parts


def _listed(names: Iterable[str]) -> str:
    """Names, each once and in order; of several that differ in a last number, what they have in common."""
    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(re.sub(r"(?<!/) \d+$", "", name), []).append(name)
    alone = [common if len(own) > 1 else own[0] for common, own in together.items()]
    return ", ".join(f"`{name}`" for name in alone)
