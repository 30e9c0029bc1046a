"""Pages of actions and observations of any game, from what its faces say."""

from __future__ import annotations

import pprint
import re
from collections.abc import Iterable

from channel_tunnel_env.cli.markdown import page, table
from channel_tunnel_env.core.encoding import BYTE
from channel_tunnel_env.core.numbers import SHARES
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
        *dtypes_part_of(rules),
    )


def dtypes_part_of(rules: Ruleset) -> list[str]:
    """What observations of a game in bytes stand for: the last section of its page."""
    columns_of = rules.spec.observation.columns
    if columns_of is None:
        return []
    columns = columns_of(rules)
    shares = _listed(column.name for column in columns if not column.exact)
    parts = [
        "## In bytes",
        f"Batches and vector environments take `observation_dtype`. `{BYTE}` holds the count behind each number, such as 3 where a meaning "
        "divides by 15 and float32 holds 0.2; `decode` gives the float32 back:",
        _block(
            "from channel_tunnel_env import BatchGame",
            "",
            f'batch = BatchGame(64, "{rules.name}", seed=1, observation_dtype="{BYTE}")',
            "numbers = batch.encoding.decode(batch.observations)  # float32",
        ),
        "`encoding.steps` says what one of each count is worth, the same under every ruleset, and `encoding.exact` which "
        f"numbers come back to the last bit: all but shares of a varying whole, which are held to the nearest 1/{SHARES}. "
        f"Shares, with a place counted from 0 where one number alone is meant, are {shares}.",
    ]
    wide = [place for place, column in enumerate(columns) if column.lender]
    if wide:
        pairs = _listed(
            f"{columns[k].name}` in `{columns[k + columns[k].lender].name}" for k in wide
        )
        signed = _listed(column.name for column in columns if column.signed)
        parts.append(
            f"A count of more than eight bits keeps the others in the upper bits of another number: {pairs}. Counts below zero "
            f"are two's complements: {signed}. A ruleset by which something counts further is refused with {BYTE}."
        )
    return parts


def _listed(names: Iterable[str]) -> str:
    """Names, each once and in order; of several that differ in a last number, what they have in common."""
    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(re.sub(r"(?<!/) \d+$", "", name), []).append(name)
    alone = [common if len(own) > 1 else own[0] for common, own in together.items()]
    return ", ".join(f"`{name}`" for name in alone)


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
