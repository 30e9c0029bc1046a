"""`docs`: write the reference pages from the live objects, so that they cannot go stale."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro

from channel_tunnel_env.cli.environment_page import environment_page
from channel_tunnel_env.cli.game_pages import (
    actions_page_of,
    dtypes_part_of,
    observation_page_of,
    page_name,
)
from channel_tunnel_env.cli.markdown import page, table
from channel_tunnel_env.games import BUILT_IN, DEFAULT_GAME
from channel_tunnel_env.games.tunnel_1987.engine.actions import (
    ACTION_NAMES,
    ACTION_VERSION,
    BLOCKS,
    NUM_ACTIONS,
)
from channel_tunnel_env.games.tunnel_1987.engine.observation import (
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SECTIONS,
)
from channel_tunnel_env.games.tunnel_1987.rule_words import in_words
from channel_tunnel_env.rulesets.ruleset import SOURCES, builtin_rulesets, file_schema, load_ruleset
from channel_tunnel_env.rulesets.settings import CARD_COLUMNS, differences, settings, show, words
from channel_tunnel_env.tracks.card import ScoreCard


def docs(
    out: Annotated[Path, tyro.conf.arg(help="the folder to write to")] = Path("docs"),
    check: Annotated[bool, tyro.conf.arg(help="write nothing; say which pages are stale")] = False,
) -> int:
    """Write the pages of actions and observations of each game, environment.md, rulesets.md and the schemas."""
    if check:
        return _check(out)
    out.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (out / name).write_text(make(), encoding="utf-8", newline="\n")
        print(f"wrote {out / name}")
    return 0


def _check(out: Path) -> int:
    """Exit status 1 if a page differs from what would be written now."""
    stale = [
        name
        for name, make in PAGES.items()
        if not (out / name).exists() or (out / name).read_text(encoding="utf-8") != make()
    ]
    for name in stale:
        print(f"{out / name} is stale: run channel-tunnel docs --out {out}", file=sys.stderr)
    return int(bool(stale))


def actions_page() -> str:
    """The ids and names of the actions."""
    rows = [
        [
            f"{b.start}-{b.stop - 1}" if b.size > 1 else str(b.start),
            str(b.size),
            b.phase,
            f"`{ACTION_NAMES[b.start]}`"
            + (f" ... `{ACTION_NAMES[b.stop - 1]}`" if b.size > 1 else ""),
            b.meaning,
        ]
        for b in BLOCKS
    ]
    names = [[str(i), f"`{name}`"] for i, name in enumerate(ACTION_NAMES)]
    return page(
        "Actions",
        f"{NUM_ACTIONS} flat ids, version {ACTION_VERSION}. An id means the same in every state "
        "and under every ruleset; which ids are legal now is the mask. `own` and `rival` are "
        "relative to the seat to play, so one policy can play both seats.",
        "A turn is one id for the placement (space, use of the space and colour together) and then "
        "one id for each further choice of the action: which card, which token, which track. A "
        "choice with only one answer is skipped, unless the ruleset switches `auto_forced` off.",
        "## Blocks",
        table(["ids", "number", "phase", "names", "meaning"], rows),
        "Each id has exactly one name: `game.play(3)` is the same as "
        f"`game.play({ACTION_NAMES[3]!r})`. Logs, records and errors use names.",
        "## Every id",
        _columns(["id", "name"], names, 3),
    )


def observation_page() -> str:
    """The sections of the observation."""
    rows = [
        [f"`{s.name}`", f"{s.start}:{s.start + s.size}", str(s.size), s.meaning] for s in SECTIONS
    ]
    return page(
        "Observation",
        f"One float32 vector of {OBSERVATION_SIZE} numbers in [0, 1], version "
        f"{OBSERVATION_VERSION}. It holds everything that the viewer could know with a perfect "
        "memory, and nothing else: no face-down token except those it has looked at, no deck "
        "order, no result of a rival's look.",
        "`own` is the viewer's, `rival` the other seat's, so each seat sees the game from its own "
        "side. Colours are in the order blue, black, orange, yellow, white.",
        "The sections whose names begin with `rule_` are the figures of the ruleset. They stay the same through a "
        "game, so that one policy can play several rulesets: it reads which one it plays. Points there have 20 added, "
        "because they may be negative.",
        "## Sections",
        table(["section", "slice", "size", "meaning"], rows),
        "## Reading a section",
        "```python\n" + OBSERVATION_EXAMPLE.strip() + "\n```",
        *dtypes_part_of(load_ruleset()),
    )


OBSERVATION_EXAMPLE = """
from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.engine.constants import COLOURS
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

game = Game("standard", seed=7)
seen = game.observation("france")

hand = seen[SECTION_BY_NAME["own_discs"].slice].reshape(5, 5)  # colour x "at least 1, 2, 3, 4, 5"
discs = {colour: int(n) for colour, n in zip(COLOURS, hand.sum(axis=1))}
assert list(discs.values()) == game.state.discs[1].tolist()  # seat 1 is France

route = seen[SECTION_BY_NAME["own_route"].slice].reshape(9, 6)  # place ahead x (colour, symbol)
front = COLOURS[int(route[0, :5].argmax())]  # the first token is face up
print(f"France holds {discs} and has a {front} token in front of its TBM")
"""


def rulesets_page() -> str:
    """Every figure of the built-in rulesets, with its source."""
    base = load_ruleset("standard")
    parts = [
        "Rulesets",
        "Every number and every ruling is data. A ruleset file is YAML; one with a `base:` states "
        "only what it changes. `ruleset.schema.json` in the same folder gives editors completion "
        "and ranges, and `channel-tunnel rules FILE` shows a ruleset as it is read.",
        "```yaml\n"
        "# yaml-language-server: $schema=ruleset.schema.json\n"
        "name: long_track\nbase: standard\ndiscs: {hand: 11}\n"
        "deck: {cards: {influence_spain: {points: 3}}}\n"
        'deviation: {limit: {value: 5, source: house, why: "milder"}, penalties: [0, 1, 2, 3, 4, 5]}\n'
        "```",
        "A figure may be a bare value or have value, source and why. Sources: "
        f"{', '.join(SOURCES)} (a bare figure gets `house`; `reconstructed` figures are this "
        "project's, because the printed number is not known).",
        f"## standard: {base.data.title}",
        "\n".join(in_words(base)),
    ]
    section = ""
    rows: list[list[str]] = []
    for figure in [*settings(base), None]:
        if figure is None or figure.section != section:
            if rows:
                parts += [f"### {words(section)}", table(["key", "value", "source", "why"], rows)]
            section, rows = (figure.section if figure else ""), []
        if figure is not None:
            source = figure.provenance
            rows.append([f"`{figure.key}`", figure.text, source.source, source.why])
    cards = [[show(getattr(c, column)) for column in CARD_COLUMNS] for c in base.data.deck.cards]
    notes = [
        f"- {column}: {base.provenance[key].source}: {base.provenance[key].why}"
        for column in CARD_COLUMNS
        if (key := f"deck.cards.*.{column}") in base.provenance
    ]
    parts += ["### Cards", table(list(CARD_COLUMNS), cards), "\n".join(notes)]
    for name in builtin_rulesets():
        if name != base.name:
            parts += _difference_section(name)
    return page(*parts)


def _difference_section(name: str) -> list[str]:
    other = load_ruleset(name)
    rows = [[f"`{k}`", a, b] for k, a, b in differences(load_ruleset("standard"), other)]
    kept = [row for row in rows if row[2] != "-"]
    gone = len(rows) - len(kept)
    note = [f"{gone} values of the base game are absent from it."] if gone else []
    return [
        f"## {name}: {other.data.title}",
        "What differs from the base game:",
        table(["key", "standard", name], kept),
        *note,
    ]


def schema_page() -> str:
    """The JSON Schema of a ruleset file."""
    return json.dumps(file_schema(), indent=1, sort_keys=True) + "\n"


def _columns(head: list[str], rows: list[list[str]], number: int) -> str:
    """A long table in several columns, to be read column by column."""
    height = -(-len(rows) // number)
    wide = [
        [cell for k in range(number) for cell in _at(rows, k * height + i, len(head))]
        for i in range(height)
    ]
    return table(head * number, wide)


def _at(rows: list[list[str]], i: int, width: int) -> list[str]:
    return rows[i] if i < len(rows) else [""] * width


def card_schema_page() -> str:
    """The JSON schema of a score card of the benchmark."""
    return json.dumps(ScoreCard.model_json_schema(), indent=1) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions_page,
    "environment.md": environment_page,
    "observation.md": observation_page,
    "rulesets.md": rulesets_page,
    "ruleset.schema.json": schema_page,
    "score-card.schema.json": card_schema_page,
}
for _game in BUILT_IN:
    if _game != DEFAULT_GAME:
        PAGES[page_name("actions", _game)] = partial(actions_page_of, _game)
        PAGES[page_name("observation", _game)] = partial(observation_page_of, _game)
