"""reference/GAME/actions.md: the ranges of ids."""

from __future__ import annotations

from pages.facts import ids, rules_of
from pages.games import GamePages
from pages.markdown import example, page, table

EXAMPLE = """
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
        example(EXAMPLE.format(ruleset=game.ruleset)),
    )
