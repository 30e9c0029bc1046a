"""The table as players leave it, drawn: a typical game and the one that tunnels held up most; changed tiles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import Advance, Job, Measurement
from channel_tunnel_agents.balance.report.page import Drawing, Gallery, PageSection, Words
from channel_tunnel_agents.balance.report.records import COMMAND, at_the_table, named_games
from channel_tunnel_agents.matches.tournament import parts_of, play_part
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.carcassonne.board.excerpt import table_svg, tile_svg
from channel_tunnel_env.games.carcassonne.game import Game

MOST_GAMES = 100
MOST_TILES = 8
TYPICAL, BLOCKED = "typical", "blocked"
TITLES = {TYPICAL: "The most typical game", BLOCKED: "The game with most waiting at half tunnels"}
_OF_A_TYPICAL_GAME = ("score", "distance", "tunnels", "left", "behind_half")
_WAITING = "turns_behind_half"


# --- the games -----------------------------------------------------------------------------------


def _games(job: Job) -> int:
    return min(MOST_GAMES, job.settings.deals_of_a_pairing)


def _boards(job: Job, advance: Advance) -> dict[str, Any]:
    """Play the first deals of the agent against itself again, with their records; choose two games."""
    own = job.results.tournament
    place = own.agents.index(job.agent)
    wanted = replace(own, ruleset=job.ruleset, decisions=True)
    agents = [make_agent(name, job.ruleset) for name in own.agents]
    played = [
        play_part(replace(part, deals=min(part.deals, _games(job) - part.first)))
        for part in parts_of(wanted, agents)
        if set(part.seating) == {place} and part.first < _games(job)
    ]
    games, records = (
        pd.concat([tables[name] for tables in played], ignore_index=True) for name in ("games", "records")
    )
    rows = {TYPICAL: _typical(games, measures_of(job.ruleset).named)}
    waited = measures_of(job.ruleset).named[_WAITING].of(games)
    if job.ruleset.data.tunnel and waited.any() and int(waited.argmax()) != rows[TYPICAL]:
        rows[BLOCKED] = int(waited.argmax())
    advance(len(games))
    chosen = {
        name: {"record": json.loads(records["record"][row]), "waited": int(waited[row])} for name, row in rows.items()
    }
    return {"chosen": chosen, "games": len(games), "agent": job.agent}


def _typical(games: pd.DataFrame, known: Mapping[str, Measure]) -> int:
    """The game nearest to the means, in standard deviations of each measure that is known at this table."""
    distance: NDArray[np.float64] = np.zeros(len(games))
    for measure in (known[name] for name in _OF_A_TYPICAL_GAME if name in known):
        values = measure.of(games)
        spread = values.std()
        distance += ((values - values.mean()) / spread) ** 2 if spread > 0 else 0.0
    return int(distance.argmin())


BOARDS = Measurement("boards", "tunnels", lambda job: {"games": _games(job)}, _games, _boards)


# --- the page ------------------------------------------------------------------------------------


def drawn(evidence: Evidence) -> PageSection:
    """The tables, and the tiles that the ruleset changes."""
    items = (*_tables(evidence), *_tiles(evidence))
    return PageSection("drawn", "On the table", (), items)


def _tables(evidence: Evidence) -> list[Gallery | Words]:
    found = evidence.measures.get(BOARDS.name)
    if found is None:
        return [Words((f"No game is drawn: {evidence.why_missing(BOARDS.name)}.",))]
    drawings = tuple(_table(evidence, found, name) for name in named_games(found))
    tokens = "; letters are the colours of tokens, and a dashed line joins the ends of a finished tunnel"
    reading = (
        f"Chosen from {found['games']} games of {found['agent']} against itself. Numbers on followers are "
        f"the seats, those with a ring are farmers{tokens if evidence.ruleset.data.tunnel else ''}. To step through a game, run {COMMAND} in the page's folder."
    )
    return [Gallery("tables", "The table at the end", drawings, reading=reading)]


def _table(evidence: Evidence, found: dict[str, Any], name: str) -> Drawing:
    game = Game.from_record(found["chosen"][name]["record"], evidence.ruleset)
    points = game.scores()
    score = (" to " if len(points) == 2 else ", ").join(str(seat["total"]) for seat in points.values())
    waited = found["chosen"][name]["waited"]
    lines = [TITLES[name], f"{score} points, {int(game.state.turn)} turns"]
    if evidence.ruleset.data.tunnel:
        lines.append(
            f"{int(game.state.tally_second.sum())} tunnels finished; followers waited {waited} turns at half ones"
        )
    return Drawing(table_svg(game, name), name, tuple(lines), True, at_the_table(found, name))


def _tiles(evidence: Evidence) -> list[Gallery]:
    """The tiles of which there are more or fewer than in the base, or which look otherwise."""
    if evidence.base is None:
        return []
    old, new = _by_name(evidence.base.ruleset), _by_name(evidence.ruleset)
    changed = [name for name, tile in new.items() if old.get(name) != tile]
    if not changed:
        return []
    drawings = tuple(
        Drawing(
            tile_svg(new[name]), name, (f"{name}: {new[name].count}", f"was {old[name].count if name in old else 0}")
        )
        for name in changed[:MOST_TILES]
    )
    more = len(changed) - len(drawings)
    reading = f"And {more} more." if more > 0 else ""
    return [Gallery("tiles", "Changed tiles, and how many of them there are", drawings, reading=reading)]


def _by_name(ruleset: Ruleset) -> dict[str, Any]:
    return {kind.name: kind for kind in ruleset.data.tile_types()}
