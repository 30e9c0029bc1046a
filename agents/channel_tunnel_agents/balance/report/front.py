"""The first page, which is all that most designers read: changes, figures beside the base, levers, what nobody could know."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.changing.levers import sweep_command, taken_back
from channel_tunnel_agents.balance.changing.parameters import value_text
from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.measuring.game import turned_game
from channel_tunnel_agents.balance.measuring.knowledge import WHAT_IT_KNOWS, kind_of, unseen_lines
from channel_tunnel_agents.balance.measuring.seats import GAP
from channel_tunnel_agents.balance.measuring.significance import LEVEL, MAY_BE_LUCK, how_sure, noticeable
from channel_tunnel_agents.balance.report.drawing import INK, PAPER, SEAT_COLOURS, SEAT_MARKERS, draw, seats_axis
from channel_tunnel_agents.balance.report.evidence import Evidence, style_of
from channel_tunnel_agents.balance.report.measurements import LEVERS
from channel_tunnel_agents.balance.report.numbers import Number, count, of_dict, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Item, NextStep, PageSection, Row, Steps, Table, Words
from channel_tunnel_agents.program import command_words
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.outside.terminal import percent

CHANGES_SHOWN = 12


def changes(evidence: Evidence) -> PageSection | None:
    """What the ruleset changes against its base, in words; None without a base."""
    base = evidence.base
    if base is None:
        return None
    lines, more = base.changes[:CHANGES_SHOWN], len(base.changes) - CHANGES_SHOWN
    if more > 0:
        lines += (f"And {more} more, in the table of rules at the end.",)
    return PageSection("changes", f"What it changes in {base.title}", (), (Words(lines),))


# --- the figures that matter most, beside those of the base on the same deals -----------------------


def beside(evidence: Evidence) -> PageSection | None:
    """The seats' shares and the strongest agent's games in short; of two seats the first one's share at every level of skill."""
    shares = _shares(evidence)
    if not shares:
        return None
    rows, base = [*shares, *_games(evidence)], evidence.base
    columns: tuple[str, ...] = ("figure", "here")
    cells: tuple[Row, ...] = tuple((row.words, row.here) for row in rows)
    if base is not None and base.results is not None:
        columns += (base.title, "change", "how sure?")
        cells = tuple((row.words, row.here, *against(row.found)) for row in rows)
    table = Table("beside", "", Data(columns, cells), _reading(evidence))
    unfit = "; ".join(base.unfit.values()) if base is not None else ""
    lead = (f"Not played on {base.title}: {unfit}.",) if base is not None and unfit else ()
    return PageSection("beside", "In figures", lead, (_chart(evidence, shares), table))


class Beside(NamedTuple):
    """A figure here, and what differs from the base.

    Attributes:
        name: in the chart; "" where it is in the table only.
    """

    words: str
    here: Number
    found: Difference | None
    name: str = ""


def _shares(evidence: Evidence) -> list[Beside]:
    (name, *_), game, compared = evidence.share_measures, evidence.game, evidence.compared
    if evidence.is_of_two:
        first = game.heads[0]
        return [
            Beside(f"{first} wins ({each})", evidence.numbers_of(each)[0], compared.get((each, name)), each)
            for each in reversed(evidence.levels)
        ]
    top = evidence.strongest
    if top not in evidence.levels:
        return []
    told = zip(game.heads, evidence.numbers_of(top), evidence.share_measures, strict=True)
    return [Beside(f"{head}: share of the win", number, compared.get((top, each)), head) for head, number, each in told]


def _games(evidence: Evidence) -> list[Beside]:
    top, names = evidence.strongest, evidence.game.beside
    if top not in evidence.levels:
        return []
    names = names if evidence.is_of_two else {GAP: "Best less worst", **names}
    return [
        Beside(words, evidence.figure(name, top), evidence.compared.get((top, name))) for name, words in names.items()
    ]


def against(found: Difference | None) -> tuple[Number | str | None, ...]:
    """The cells of the base: its figure, the change, and whether that is sure."""
    if found is None:
        return None, None, None
    style = style_of(found.measure)
    return (
        of_estimate(found.one, found.deals, style),
        of_estimate(found.change, found.deals, "change" if style == "share" else "signed"),
        how_sure(found.p_holm, found.change),
    )


def _reading(evidence: Evidence) -> str:
    every = f"Games of {evidence.strongest} in every {evidence.game.place}"
    if evidence.is_of_two:
        every = (
            f"Each agent plays {evidence.game.all}. Below those shares: games of {evidence.strongest} against itself"
        )
    if evidence.base is None or evidence.base.results is None:
        return f"{every}."
    found = evidence.compared.get((evidence.strongest, next(iter(evidence.share_measures))))
    size = found and percent(noticeable(found.change, len(evidence.compared)), 0)
    limit = f" A change of {size} of the games would surely be noticed." if size else ""
    return (
        f"{every}. Both games are played on the same deals, and changes are taken deal by deal; pp: percentage points. All rows are "
        f"judged together ({LEVEL}).{limit}"
    )


def _chart(evidence: Evidence, rows: list[Beside]) -> Chart:
    """Shares here as filled marks, in the base as hollow ones."""
    base, game = evidence.base, evidence.game
    title, says = f"Each {game.place}'s share of the win", f"Share of the win by {game.place}"
    if evidence.is_of_two:
        title = f"{game.at_first}'s share of wins, the strongest agent on top"
        says = f"{game.at_first}'s share of wins by agent"
    was = [None if row.found is None else of_estimate(row.found.one, row.found.deals, "share") for row in rows]
    columns = ("agent" if evidence.is_of_two else game.place, "here", *((base.title,) if base else ()))
    data = tuple((row.name, row.here, *((old,) if base else ())) for row, old in zip(rows, was, strict=True))
    marks = f" Hollow: {base.title}." if base is not None and any(was) else ""
    low, high = (percent(evidence.even + d, 0) for d in (-FAIR, FAIR))
    together = "" if evidence.is_of_two else ", which hold together"
    return Chart(
        "beside-chart",
        title,
        draw("beside", partial(_paint, evidence, rows, was), 0.9 + 0.4 * len(rows)),
        Data(columns, data),
        f"Filled: these rules.{marks} Lines: 95 % intervals{together}. Grey band: fair, {low} to {high}.",
        f"{says}, here and in the base game",
    )


def _paint(evidence: Evidence, rows: list[Beside], was: list[Number | None], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1].astype(float)
    numbers = (*(row.here for row in rows), *was)
    seats_axis(axis, evidence.even, [number for number in numbers if number is not None and number.shown])
    for place, row, old in zip(places, rows, was, strict=True):
        _mark(evidence, axis, place + (0.16 if old else 0), row.here, filled=True)
        if old is not None:
            _mark(evidence, axis, place - 0.16, old, filled=False)
    axis.set_ylim(-0.6, len(rows) - 0.4)
    axis.set_yticks(places, [row.name for row in rows])
    axis.tick_params(axis="y", length=0)
    if evidence.is_of_two:
        axis.set_xlabel(evidence.game.towards_first("better"), loc="right")


def _mark(evidence: Evidence, axis: Axes, place: float, number: Number, filled: bool) -> None:
    """With two seats, in the colour of the better one."""
    if not number.shown:
        return
    seat = 0 if number.value >= evidence.even else 1
    colour, shape = (SEAT_COLOURS[seat], SEAT_MARKERS[seat]) if evidence.is_of_two else (INK, "o")
    axis.plot([number.low, number.high], [place, place], color=colour, lw=2 if filled else 1)
    axis.plot([number.value], [place], shape, ms=7 if filled else 6, color=colour, mfc=colour if filled else PAPER)


# --- the numbers most worth turning, each with the command that tries it ----------------------------


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
    columns = ("lever", "from", "to", share, "change", *effects, *leads, "p (Holm)")
    rows = tuple((*_cells(evidence, row), row["p_holm"]) for row in found["chosen"])
    what = share if evidence.is_of_two else "the lead"
    helping = [row for row in found["chosen"] if found["lean"] * row["change"]["value"] >= 0]
    steps = tuple(_step(evidence, found, row, what) for row in helping or found["chosen"])
    item = Steps("levers", "", steps, Data(columns, rows), _levers_reading(evidence, found))
    return PageSection("levers", title, (_lead(evidence, found),), (item,))


def _levers_reading(evidence: Evidence, found: Mapping[str, Any]) -> str:
    game, keys = evidence.game, {row["key"] for row in found["tried"]}
    head = ""
    if not evidence.is_of_two:
        pair = " over ".join(pair_of(evidence, found))
        head = (
            f"Lead: of {pair}, the best and the worst {game.place} of the games above; best less worst: whichever "
            "those are at the new setting. "
        )
    what = "settings: each number one step down and up, each switch at all its settings"
    if all(type(row["value"]) in (int, list) for row in found["tried"]):
        what = "settings, each number one step down and up"
    if evidence.base is not None and taken_back(evidence.ruleset, evidence.base.ruleset):
        what += f", and what these rules change in {evidence.base.name} taken back"
    every = game.all if evidence.is_of_two else f"every {game.place}"
    return (
        f"{head}Tried: {len(keys)} {what}, on up to {count(found['deals'])} deals, on fewer what promised less; the figures above are "
        f"of {count(found['fresh'])} other deals, which played no part in the choice. {found['agent']} plays {every} and "
        f"{what_it_knows(evidence, found)}; sure: {LEVEL}."
    )


def pair_of(evidence: Evidence, found: Mapping[str, Any]) -> tuple[str, str]:
    """With more than two seats, those whose lead the levers were to change: the best and the worst, in words."""
    names = dict(zip(evidence.seats, evidence.game.seats, strict=True))
    best, worst = (names[evidence.results.seats[found[key]]] for key in ("best", "worst"))
    return best, worst


def what_it_knows(evidence: Evidence, found: Mapping[str, Any]) -> str:
    """What the agent knows of a step."""
    if found["agent"] in evidence.results.searching:
        return "tries its moves by the turned rule"
    reads = found["agent"] in evidence.results.reading
    return "reads the turned rule" if reads else "was not made for the step"


def _lead(evidence: Evidence, found: Mapping[str, Any]) -> str:
    game, chosen = evidence.game, found["chosen"]
    what = f"{game.first}'s share" if evidence.is_of_two else f"the lead of {' over '.join(pair_of(evidence, found))}"
    if not found["lean"]:
        known = f"which {game.place} is better off" if evidence.is_of_two else f"that any {game.place} is better off"
        return f"These games do not show {known}, so here is what moves {what} most, one step at a time, either way."
    helps = any(change.excludes_zero and found["lean"] * change.value > 0 for change in map(change_of, chosen))
    if not evidence.is_of_two:
        return (
            f"These narrowed {what} most:"
            if helps
            else f"No single step is shown to narrow {what}. These came nearest:"
        )
    weaker = capital(game.seats[0 if found["lean"] > 0 else 1])
    if not helps:
        return f"{weaker} needs help, but no single step is shown to bring any. These came nearest:"
    numbers = all(type(row["value"]) is int for row in chosen)
    return f"{weaker} needs help. {'One step of these numbers' if numbers else 'These changes'} helped it most:"


def _step(evidence: Evidence, found: Mapping[str, Any], row: Mapping[str, Any], what: str) -> NextStep:
    """What a lever is turned to, how that moved something, and the command that tries it further."""
    other = evidence.ruleset.with_values({row["key"]: row["value"]})
    told = " ".join(changes_in_words(evidence.ruleset, other)).removesuffix(".")
    change = change_of(row)
    sure = how_sure(row["p_holm"], change)
    effect = f"{what} {change}, {f'which {sure}' if sure == MAY_BE_LUCK else sure}"
    if change.excludes_zero and found["lean"] * row["change"]["value"] < 0:
        effect += ", the wrong way"
    return NextStep(f"{told}: {effect}.", sweep_command(evidence.settings.ruleset, found["agent"], row))


def change_of(row: Mapping[str, Any]) -> Number:
    """A lever's change of the balance."""
    return of_dict(row["change"], row["deals"], "change")


def _cells(evidence: Evidence, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """A lever, from and to, its figure, the change, and what else it does."""
    effects = turned_game(evidence.ruleset).effects
    return (
        row["key"],
        *(row[name] if type(row[name]) is int else value_text(row[name]) for name in ("base", "value")),
        of_dict(row["share"], row["deals"], "share"),
        change_of(row),
        *(
            of_dict(row["effects"][name], row["deals"], "change" if effect.is_share else "signed")
            for name, effect in effects.items()
        ),
        *(() if row.get("gap") is None else (of_dict(row["gap"], row["deals"], "share"),)),
    )


# --- what the agents of the page could not know about these rules -----------------------------------


def unknown(evidence: Evidence) -> PageSection:
    """By kind of agent: who was trained for these rules, who looks ahead, and who plays by habit."""
    kinds = {
        name: kind_of(name, evidence.slow, evidence.results.reading, evidence.policies.get(name))
        for name in evidence.agents
    }
    lines = [f"{name}: {WHAT_IT_KNOWS[kind]}" for name, kind in kinds.items() if kind != "blind"]
    lines += unseen_lines(evidence.results.reading, [evidence.ruleset])
    if "frozen" in kinds.values() and evidence.base is not None:
        lines.append(f"So those who learnt other rules could not know this: {' '.join(evidence.base.changes[:3])}")
    items: list[Item] = [Words(tuple(lines))]
    if "trained" not in kinds.values():
        run, train = f"runs/{evidence.ruleset.name}", [*command_words("train"), evidence.game.players.preset]
        text = (
            "Players who learn these rules may find what none of these agents sees. This lets an agent "
            f"learn them; then name ppo:{run} with --agents."
        )
        command = shlex.join([*train, "--run", run, "--ruleset", evidence.settings.ruleset])
        items.append(Steps("learn", "", (NextStep(text, command),)))
    return PageSection("unknown", "What these agents could not know", (), tuple(items))
