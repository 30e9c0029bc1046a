"""Which numbers move the balance: one step of each is tried, and those that do most are shown."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any

from channel_tunnel_agents.balance.changing.levers import games_of_levers, measure_levers, sweep_command, taken_back
from channel_tunnel_agents.balance.changing.parameters import value_text
from channel_tunnel_agents.balance.empirical.verdict import Ends, Fairness, Games
from channel_tunnel_agents.balance.measuring.game import turned_game
from channel_tunnel_agents.balance.measuring.seats import measure_seats
from channel_tunnel_agents.balance.measuring.significance import LEVEL, how_sure
from channel_tunnel_agents.balance.players.errors import change_error
from channel_tunnel_agents.balance.report.evidence import Evidence, shares_of
from channel_tunnel_agents.balance.report.measurements import Advance, Job, Measurement, plain
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, of_dict
from channel_tunnel_agents.balance.report.page import Data, PageSection, Table
from channel_tunnel_agents.balance.report.settings import slow_agents
from channel_tunnel_agents.base import AgentError

MAY_BE_PLAYERS = "may be the players"
"""More than luck on these deals, but an interval that allows for other good players leaves it open."""

# --- measured ---


def _measure(job: Job, advance: Advance) -> Any:
    deals, fresh = _deals_of_levers(job)
    lean, between = lean_of(job)
    origin = job.settings.base_rules
    found = measure_levers(job.agent, job.ruleset, lean, deals, fresh, job.seed, job.workers, advance, between, origin)
    return plain(found) if between is None else {**plain(found), "best": between[0], "worst": between[1]}


def _deals_of_levers(job: Job) -> tuple[int, int]:
    """For every setting that is tried, and for the chosen ones."""
    deals, fresh = job.settings.lever_deals, job.deals_of()
    if not deals:
        raise ValueError("left out by --levers 0")
    if min(deals, fresh) < FEWEST:
        raise ValueError(f"{min(deals, fresh)} deals are too few")
    if job.agent in slow_agents(job.results):
        raise AgentError(f"{job.agent} searches, which takes too long at this many settings")
    return deals, fresh


def lean_of(job: Job) -> tuple[int, tuple[int, int] | None]:
    """Where a lever should move what good players get, as far as that is known, else the agent's games with itself; and between which seats.

    With two seats it is the first one's share: +1 up, -1 down, 0 if that is open. With more it is the lead of the best seat over the
    worst: -1 down, 0 if no seats surely differ.
    """
    shares, places = shares_of(job.results, job.agent), job.ruleset.played_places
    found = measure_seats(shares)
    if len(job.results.seats) == 2:
        judged = job.settings.judged
        own = Fairness(found.shares, Games((job.agent,), found.deals, job.settings.seed), Ends())
        return (own if judged is None else judged.verdict.fairness).lean, None
    means = dict(zip(places, shares.mean(axis=0), strict=True))
    worst, *_, best = sorted(places, key=means.__getitem__)  # two, even where all are alike
    return (-1 if found.gap.low > 0 else 0), (best, worst)


def _lever_plan(job: Job) -> dict[str, Any]:
    deals, fresh = _deals_of_levers(job)
    lean, between = lean_of(job)
    own: dict[str, Any] = {} if between is None else {"between": between}
    origin = job.settings.base_rules
    own |= {} if origin is None else {"origin": origin.digest}
    return {"deals": deals, "fresh": fresh, "lean": lean, "effects": [*turned_game(job.ruleset).effects], **own}


LEVERS = Measurement(
    "levers",
    "levers",
    _lever_plan,
    lambda job: games_of_levers(
        job.ruleset, job.settings.base_rules, job.settings.lever_deals, job.deals_of(), lean_of(job)[0]
    ),
    _measure,
)


# --- the section of the first page ---


def levers(evidence: Evidence) -> PageSection:
    """Each lever's effect on deals that played no part in choosing it."""
    found, title = evidence.measures.get(LEVERS.name), "What moves the balance most"
    if found is None:
        return PageSection("levers", title, missing=evidence.why_missing(LEVERS.name))
    game = evidence.game
    share = f"{game.first}'s share" if evidence.is_of_two else "lead"
    effects = [
        effect.title.replace("both seats", game.all) for effect in turned_game(evidence.ruleset).effects.values()
    ]
    leads = () if evidence.is_of_two else ("best less worst",)
    columns = ("lever", "from", "to", share, "change", "how sure?", *effects, *leads, "go on with")
    rows = tuple(_cells(evidence, row) for row in found["chosen"])
    command = sweep_command(evidence.settings.ruleset, found["agent"])
    table = Table("levers", "", Data(columns, rows), _levers_reading(evidence, found), names=3, command=command)
    return PageSection("levers", title, (), (table,))


def _levers_reading(evidence: Evidence, found: Mapping[str, Any]) -> str:
    game, keys = evidence.game, {row["key"] for row in found["tried"]}
    head = ""
    if not evidence.is_of_two:
        pair = " over ".join(pair_of(evidence, found))
        head = (
            f"Lead: of {pair}, the best and the worst {game.place} of the games above; best less worst: whichever "
            "those are at the new setting. "
        )
    what = "of the settings, a number one step down and up"
    if any(type(row["value"]) not in (int, list) for row in found["tried"]):
        what += ", a switch at all its settings"
    if evidence.base is not None:
        back = taken_back(evidence.ruleset, evidence.base.ruleset)
        what += f", and {'each' if back else 'no'} difference from {evidence.base.name} undone"
    every = game.all if evidence.is_of_two else f"every {game.place}"
    others = "; intervals of share and change allow for other good players" if evidence.judged_of_two else ""
    return (
        f"{head}Tried: {len(keys)} {what}, on up to {count(found['deals'])} deals (fewer for the less promising ones); the figures above are "
        f"of {count(found['fresh'])} other deals, which played no part in the choice. {found['agent']} plays {every} and "
        f"{what_it_knows(evidence, found)}{others}; sure: {LEVEL}. To go on with one:"
    )


def pair_of(evidence: Evidence, found: Mapping[str, Any]) -> tuple[str, str]:
    """With more than two seats, those whose lead the levers were to change: the best and the worst, in words."""
    names = dict(zip(evidence.seats, evidence.game.seats, strict=True))
    best, worst = (names[evidence.results.seats[found[key]]] for key in ("best", "worst"))
    return best, worst


def what_it_knows(evidence: Evidence, found: Mapping[str, Any]) -> str:
    """What the agent knows of a step."""
    if found["agent"] in evidence.results.searching:
        return "tries its moves by the changed rule"
    reads = found["agent"] in evidence.results.reading
    return "knows the changed rule" if reads else "was not made for the step"


def change_of(row: Mapping[str, Any]) -> Number:
    """A lever's change of the balance."""
    return of_dict(row["change"], row["deals"], "change")


def share_of(row: Mapping[str, Any]) -> Number:
    """Where a lever led."""
    return of_dict(row["share"], row["deals"], "share")


def among_good_players(evidence: Evidence, row: Mapping[str, Any]) -> tuple[Number, Number]:
    """A lever's share and change, with what other good players may make of them if a verdict says so."""
    share, change, judged = share_of(row), change_of(row), evidence.judged_of_two
    if judged is None:
        return share, change
    error = change_error(change.value, judged.far)
    return share.widened(hypot(judged.verdict.seats[0].policy_error, error)), change.widened(error)


def sure_of(row: Mapping[str, Any], change: Number) -> str:
    """How sure a lever's change is; `change` as of `among_good_players`."""
    alone = change_of(row)
    return MAY_BE_PLAYERS if alone.excludes_zero and not change.excludes_zero else how_sure(row["p_holm"], alone)


def _cells(evidence: Evidence, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """A lever, from and to, its figure, the change and how sure it is, what else it does, and what to try next."""
    effects, (share, change) = turned_game(evidence.ruleset).effects, among_good_players(evidence, row)
    return (
        row["key"],
        *(value_text(row[name]) for name in ("base", "value")),  # a year has no thousands
        share,
        change,
        sure_of(row, change),
        *(
            of_dict(row["effects"][name], row["deals"], "change" if effect.is_share else "signed")
            for name, effect in effects.items()
        ),
        *(() if row.get("gap") is None else (of_dict(row["gap"], row["deals"], "share"),)),
        row["values"] or None,
    )
