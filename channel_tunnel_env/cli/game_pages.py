"""Pages of actions and observations of any game, from what its faces say."""

from __future__ import annotations

import pprint

from channel_tunnel_env.cli.markdown import page, table
from channel_tunnel_env.faces.registry import action_ranges_of, observation_of
from channel_tunnel_env.game import Game
from channel_tunnel_env.rulesets.overlay import builtin_rulesets
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset
from channel_tunnel_env.views import decode

SHOWN_WIDTH = 100  # characters of a line of the decoded example
SHOWN_LINES = 30


def page_name(what: str, game: str) -> str:
    """The file of a game's page, such as "actions-carcassonne.md"."""
    return f"{what}-{game}.md"


def actions_page_of(game: str) -> str:
    """The ranges of ids of a game, with their names."""
    rules = _rules(game)
    spec = rules.spec
    rows = [
        [
            _ids(r.start, r.size),
            str(r.size),
            r.phase,
            _names(spec.actions.names[r.start], spec.actions.names[r.start + r.size - 1], r.size),
            r.meaning,
        ]
        for r in action_ranges_of(spec)
    ]
    return page(
        f"Actions: {rules.data.title}",
        f"{spec.actions.count:,} flat ids. An id means the same in every state and under every ruleset of the game; which ids "
        "are legal now is the mask. Each id has exactly one name.",
        table(["ids", "number", "phase", "names", "meaning"], rows),
        "## Every name",
        _block(
            "from channel_tunnel_env import Game, action_names_of",
            "",
            f'names = action_names_of("{rules.name}")  # by id',
            f'game = Game("{rules.name}", seed=7)',
            "action = game.legal_ids()[0]",
            "assert names[action] == game.legal_actions()[0]",
            "game.play(names[action])  # or game.play(action)",
        ),
        "`game.explain(action)` says why an action is not legal. Logs, records and errors use names.",
    )


def observation_page_of(game: str) -> str:
    """The sections of a game's observation, and one decoded."""
    rules = _rules(game)
    spec, sections = rules.spec, observation_of(rules.spec).sections(rules)
    low, high = spec.observation.bounds(rules)
    rows = [
        [f"`{s.name}`", f"{s.start}:{s.start + s.size}", str(s.size), s.meaning] for s in sections
    ]
    return page(
        f"Observation: {rules.data.title}",
        f"One float32 vector: {spec.observation.size(rules):,} numbers in [{low:.4g}, {high:.4g}] under the ruleset "
        f"`{rules.name}`, with {rules.num_seats} seats. It holds nothing that is hidden from its viewer. Seats are counted from the viewer.",
        "## Sections",
        table(["section", "slice", "size", "meaning"], rows),
        "## Reading an observation",
        "`decode` reads every section into names and numbers:",
        _block(
            "from channel_tunnel_env import Game, decode",
            "",
            f'game = Game("{rules.name}", seed=7)',
            f'seen = decode(game.observation(0), "{rules.name}")  # of the first seat',
            "for section, what in seen.items():",
            "    print(section, what)",
        ),
        "At the start of that game the first seat sees (the first lines):",
        f"```text\n{_decoded_start(rules)}\n```",
    )


def _rules(game: str) -> Ruleset:
    """The ruleset that the pages of a game show: the one of its name, or its first."""
    names = builtin_rulesets(game)
    return load_ruleset(game if game in names else names[0])


def _ids(start: int, size: int) -> str:
    return f"{start}-{start + size - 1}" if size > 1 else str(start)


def _names(first: str, last: str, size: int) -> str:
    return f"`{first}` ... `{last}`" if size > 1 else f"`{first}`"


def _block(*lines: str) -> str:
    return "\n".join(["```python", *lines, "```"])


def _decoded_start(rules: Ruleset) -> str:
    game = Game(rules, 7)
    seen = pprint.pformat(
        decode(game.observation(0), rules), width=SHOWN_WIDTH, sort_dicts=False, compact=True
    )
    return "\n".join(seen.splitlines()[:SHOWN_LINES])
