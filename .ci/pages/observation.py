"""reference/GAME/observation.md: the sections of an observation, one decoded, and what bytes mean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from channel_tunnel_env.core.encoding import BYTE
from channel_tunnel_env.core.numbers import SHARES
from channel_tunnel_env.faces.registry import observation_of
from channel_tunnel_env.rulesets.ruleset import Ruleset
from pages.facts import rules_of
from pages.games import GamePages
from pages.markdown import example, page, table

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
