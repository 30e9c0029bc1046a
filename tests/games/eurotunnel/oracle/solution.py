"""The solution of a movement phase: the assignment that satisfies every equation (rules 5.1, 5.4, 5.5).

The decisions are taken in groups: those that depend on each other, directly or by others, are one group, and a
group comes after all that it depends on. In each group every consistent assignment is found. If there is one, it
is the solution; if there are more or none, the backup rule settles its cores and the rest is looked at again.

To find the consistent assignments of a group, some decisions are guessed, so many that all others follow from the
guesses one by one. An assignment is consistent if each guess comes true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

import networkx

from .equations import Assignment, Equations


@dataclass
class Solution:
    """The values of all decisions; `backups` holds each core that the backup rule settled, with the number of
    consistent assignments that its group had."""

    values: dict[str, bool] = field(default_factory=dict)
    backups: list[tuple[frozenset[str], int]] = field(default_factory=list)
    forced: set[str] = field(default_factory=set)


def solve(equations: Equations) -> Solution:
    """Solve the equations of a movement phase."""
    solution = Solution()
    _settle(equations, equations.decisions, solution)
    return solution


def _settle(equations: Equations, open_: frozenset[str], solution: Solution) -> None:
    for group in groups(equations, open_):
        found = list(consistent_assignments(equations, group, solution.values))
        if len(found) == 1:
            solution.values |= found[0]
            continue
        for core in cores(equations, group, solution.values):
            verdict = backup(equations, core)
            solution.values |= verdict
            solution.forced |= set(verdict)
            solution.backups.append((core, len(found)))
        _settle(equations, group - set(solution.values), solution)


def _mention_graph(equations: Equations, decisions: Iterable[str]) -> networkx.DiGraph:
    chosen = set(decisions)
    graph = networkx.DiGraph()
    graph.add_nodes_from(sorted(chosen))
    for decision in sorted(chosen):
        graph.add_edges_from((decision, other) for other in equations.mentions(decision) & chosen)
    return graph


def groups(equations: Equations, decisions: frozenset[str]) -> Iterator[frozenset[str]]:
    """Sets of decisions that depend on each other, each after those that it depends on."""
    condensed = networkx.condensation(_mention_graph(equations, decisions))
    for group in reversed(list(networkx.topological_sort(condensed))):
        yield frozenset(condensed.nodes[group]["members"])


def _guesses(graph: networkx.DiGraph) -> list[str]:
    """Some decisions without which no circle of mentions is left."""
    rest = graph.copy()
    guesses: list[str] = []
    while True:
        circles = [c for c in networkx.strongly_connected_components(rest) if len(c) > 1]
        if not circles:
            return guesses
        busiest = max(sorted(set().union(*circles)), key=lambda d: rest.in_degree(d) * rest.out_degree(d))
        guesses.append(busiest)
        rest.remove_node(busiest)


def consistent_assignments(equations: Equations, group: frozenset[str], known: Assignment) -> Iterator[dict[str, bool]]:
    """Every assignment of a group that satisfies the equations of the group, the known values given."""
    graph = _mention_graph(equations, group)
    guesses = _guesses(graph)
    graph.remove_nodes_from(guesses)
    following = list(reversed(list(networkx.topological_sort(graph))))
    for values in product((False, True), repeat=len(guesses)):
        trial = {**known, **dict(zip(guesses, values, strict=True))}
        for decision in following:
            trial[decision] = equations.value(decision, trial)
        if all(equations.value(guess, trial) == trial[guess] for guess in guesses):
            yield {decision: trial[decision] for decision in group}


def _single_value(equations: Equations, decision: str, known: Assignment) -> bool | None:
    """The value of an equation if it is the same for every choice of the unknown decisions in it."""
    unknown = sorted(equations.mentions(decision) - set(known))
    found = {
        equations.value(decision, {**known, **dict(zip(unknown, choice, strict=True))})
        for choice in product((False, True), repeat=len(unknown))
    }
    return found.pop() if len(found) == 1 else None


def narrow(equations: Equations, group: frozenset[str], known: Assignment) -> dict[str, bool]:
    """The decisions of a group that can be fixed one after the other, by the letter of 5.4."""
    fixed = dict(known)
    while True:
        news = {
            decision: value
            for decision in group - set(fixed)
            if (value := _single_value(equations, decision, fixed)) is not None
        }
        if not news:
            return fixed
        fixed |= news


def cores(equations: Equations, group: frozenset[str], known: Assignment) -> list[frozenset[str]]:
    """The sets of unknown decisions that depend on each other and on no other unknown one (5.5)."""
    unknown = group - set(narrow(equations, group, known))
    graph = _mention_graph(equations, unknown)
    condensed = networkx.condensation(graph)
    found = [frozenset(condensed.nodes[c]["members"]) for c, out in condensed.out_degree if not out]
    return [core for core in found if graph.subgraph(core).number_of_edges()]


def backup(equations: Equations, core: frozenset[str]) -> dict[str, bool]:
    """The verdict of the backup rule: the convoys of a core fail; without convoys its moves succeed (5.5)."""
    convoys = core & equations.convoys
    if convoys:
        return dict.fromkeys(sorted(convoys), False)
    return dict.fromkeys(sorted(core & set(equations.moves)), True)
