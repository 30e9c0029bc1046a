"""What is said of a position is what the rules' kernels hold: reasons, "needs n+", results."""

from __future__ import annotations

import re
from typing import Any

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.cli.replay import describe
from channel_tunnel_env.games.tunnel_1987.board.view import Space, read_board
from channel_tunnel_env.games.tunnel_1987.board.words import result_words
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.explain import explain_illegal, survey
from channel_tunnel_env.games.tunnel_1987.faces.table import moves, why_not
from tests.games.tunnel_1987.positions import end_round, position, rules, turn
from tests.random_games import walk

# Between them both settings of every switch that a reason or a number could depend on.
RULESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "standard": ("standard", {}),
    "agenda": ("agenda", {}),
    "soft": ("agenda", {"supervision_mode": "soft", "technology_without_move": "always"}),
    "three discs": ("agenda", {"discs.per_colour": 3, "discs.hand": 6, "hand_cap": "always"}),
    "null": ("agenda", {"null_actions": True, "supervision_completed": "at_placement"}),
    "soft null": ("tiny", {"null_actions": True, "agenda.enabled": True, "supervision_mode": "soft"}),
    "unforced": (
        "tiny",
        {
            "auto_forced": False,
            "heavy_machinery_same_type": False,
            "new_card_usable_same_action": True,
            "technology_without_move": "when_blocked",
            "hand_cap": "always",
            "discs.keep_limit": 3,
        },
    ),
}


def supervised(game: Game) -> Game | None:
    """The same position with Supervision pending for the seat to play; None where it cannot be."""
    where = game.to_position()
    own = where[str(game.to_play)].get("agenda", {})
    if "supervision" not in where.get("agenda_deck", []) or own.get("pending"):
        return None
    where["agenda_deck"].remove("supervision")
    where.pop("agenda_drawn", None)
    where[str(game.to_play)]["agenda"] = {**own, "pending": "supervision"}
    return Game.from_position(where, game.ruleset)


def positions(name: str, games: int, every: int) -> list[Game]:
    """Positions of random games, and those at the start of a turn once more under Supervision."""
    base, changes = RULESETS[name]
    found, ruleset = [], rules(base, **changes)
    for seed in range(games):
        game = Game(ruleset, seed)
        for number in walk(game, seed, eager=seed % 2 == 0):
            if number % every == seed % every and not game.is_over:
                found.append(game.clone())
                twin = supervised(game) if game.phase == "turn" else None
                found += [twin] if twin is not None else []
    return found


@pytest.mark.parametrize("name", list(RULESETS))
def test_every_illegal_action_has_a_reason_and_no_legal_one(name: str) -> None:
    """All ids, in all phases; and the reason is the one that an error gives."""
    for game in positions(name, games=5, every=29):
        legal = set(game.legal_ids())
        for action in range(a.NUM_ACTIONS):
            reason = explain_illegal(game._states, 0, game.tables, action)
            assert (reason == "") == (action in legal), (a.ACTION_NAMES[action], reason)
            assert reason in game.explain(action)


def takes_no_discs(game: Game, space: int, option: int) -> bool:
    """The option is not a Tunnel, whose discs decide as well."""
    if space < c.FIRST_SLOT:
        return (space, option) != (0, 1)
    card = int(game.state.slots[space - c.FIRST_SLOT])
    return option == 1 or game.ruleset.data.deck.cards[card].secondary != "tunnel"


def check_space(game: Game, i: int, space: Space) -> None:
    """The stacks that the mask allows on a space are those of as many discs as it "needs"."""
    held, mask = game.state.discs[game.mover].tolist(), game.action_mask
    enough = {colour for colour, n in enumerate(held) if n and space.needs and n >= space.needs}
    for option in (0, 1):
        ids = range(i * 10 + option * 5, i * 10 + option * 5 + len(c.COLOURS))
        legal = {colour for colour, action in enumerate(ids) if mask[action]}
        assert legal <= enough
        if legal and takes_no_discs(game, i, option):
            assert legal == enough
        for colour, action in enumerate(ids):
            if held[colour] and not mask[action] and (i < c.FIRST_SLOT or space.card):
                too_low = "so it takes" in game.explain(action) or "can beat" in game.explain(action)
                assert too_low == (colour not in enough), game.explain(action)


@pytest.mark.parametrize("name", list(RULESETS))
def test_needs_is_the_smallest_stack_that_the_mask_allows(name: str) -> None:
    margins = set()
    for game in positions(name, games=8, every=5):
        if game.phase == "turn":
            margins.add(survey(game._states, 0, game.tables).margin)
            for i, space in enumerate(read_board(game).spaces):
                check_space(game, i, space)
    assert margins == ({1} if name in ("standard", "unforced") else {1, 2})


@pytest.mark.parametrize("name", list(RULESETS))
def test_what_a_player_may_hold_is_what_play_lets_them_hold(name: str) -> None:
    """Discs after a draw, stored tokens, and discs kept, never exceed what the board says."""
    for game in positions(name, games=5, every=3):
        allowed = survey(game._states, 0, game.tables)
        for seat, side in enumerate(allowed.sides):
            assert game.state.storage[seat].sum() <= side.storage
            if game.ruleset.data.switches.hand_cap == "always":
                assert game.state.discs[seat].sum() <= side.hand_limit
        if game.phase == "keep":
            own, colour = allowed.sides[game.mover], int(game.state.keep_colour)
            most = min(int(game.state.discs[game.mover, colour]), own.keep_limit - game.state.kept)
            assert game.legal_actions()[-1] == f"keep {max(0, most)} {c.COLOURS[colour]}"


# --- what had drifted -------------------------------------------------------------------------------

SUPERVISED = """
    britain: {{discs: {{{discs}}}, tbm: 2, storage: [], agenda: {{pending: supervision}}}}
    france: {{discs: {{blue: 2}}, storage: []}}
    spaces: {{plan_tunnel: {{yellow: {height}}}}}
    """


def plan_space(game: Game) -> Space:
    return read_board(game).spaces[c.SPACES.index("plan_tunnel")]


def test_soft_supervision_asks_for_one_more_where_two_more_cannot_be_had() -> None:
    text = SUPERVISED.format(discs="white: 3", height=2)
    spaces = ", ".join(f"{space}: {{black: 2}}" for space in c.SPACES[1:3])
    full = text.replace("yellow: 2}", f"yellow: 2}}, {spaces}, slot_2: {{orange: 3}}, slot_3: {{blue: 3}}")
    game = position(full, "agenda", supervision_mode="soft")
    assert plan_space(game).needs == 3 and "place white plan_tunnel plan" in game.legal_actions()
    strict = position(text, "agenda")
    assert plan_space(strict).needs == 4
    assert "so it takes 4 discs (Supervision asks for two more), not 3" in strict.explain(
        "place white plan_tunnel plan"
    )


def test_a_stack_that_only_supervision_closes_is_not_said_to_be_closed() -> None:
    """The rival could still beat a stack of four."""
    game = position(SUPERVISED.format(discs="white: 5", height=4), "agenda")
    assert plan_space(game).needs == 6
    assert "so it takes 6 discs (Supervision" in game.explain("place white plan_tunnel plan")
    beaten = position(SUPERVISED.format(discs="white: 5", height=5), "agenda")
    assert plan_space(beaten).needs is None
    assert "no stack can beat that this round" in beaten.explain("place white plan_tunnel plan")


def test_no_stack_is_asked_for_that_the_ruleset_has_no_discs_for() -> None:
    game = turn("white: 2", "", "spaces: {plan_tunnel: {yellow: 3}}", **{"discs.per_colour": 3})
    assert plan_space(game).needs is None
    assert "no stack can beat that this round" in game.explain("place white plan_tunnel plan")


# --- results ----------------------------------------------------------------------------------------

STOPPED = """
    round: 60
    passed: [france]
    britain: {{discs: {{}}, technology: {britain}}}
    france: {{discs: {{}}, technology: {france}}}
    """


@pytest.mark.parametrize(
    ("britain", "france", "result", "words"),
    [
        ("[1, 0]", "[1, 1]", "draw", "A draw, Britain 1 point, France 2 points: the last round"),
        ("[1, 0]", "[0, 1]", "score", "A draw, 1 point each: the last round"),
        ("[2, 0]", "[0, 1]", "score", "Britain wins by 2 points to 1: the last round"),
        ("[0, 0]", "[0, 1]", "score", "France wins by 1 point to 0: the last round"),
    ],
)
def test_a_result_names_the_points_that_were_scored(britain: str, france: str, result: str, words: str) -> None:
    game = position(STOPPED.format(britain=britain, france=france), stalemate_result=result)
    end_round(game)
    assert result_words(game).startswith(words)
    assert read_board(game).result == f"Over: {result_words(game)}"
    assert describe(game).endswith(f": {result_words(game)}")


def test_every_result_of_play_names_winner_and_totals() -> None:
    """Whatever ended the game; a lost tunnel names the loser instead."""
    causes = set()
    for seed in range(60):
        game = Game(("tiny", "agenda")[seed % 2], seed)
        for _ in walk(game, seed, eager=True):
            pass
        totals = [str(side["total"]) for side in game.scores().values()]
        words = result_words(game)
        causes.add(game.end_cause)
        if game.winner is not None:
            assert words.startswith(f"{game.winner.capitalize()} wins")
        if game.end_cause == "deviation":
            loser = "France" if game.winner == "britain" else "Britain"
            assert f"{loser}'s tunnel" in words
        else:
            assert all(total in words for total in totals)
    assert {"centre", "deviation"} <= causes


def test_a_space_that_no_stack_can_use_is_refused_in_one_sentence() -> None:
    """A click on an option without a colour: whatever forbids the largest stack, and nothing of the others."""
    legal, refused = "That is legal: go on.", set()
    for seed in range(4):
        game = Game("standard", seed)
        for _ in walk(game, seed, eager=True):
            if game.is_over or game.phase != "turn":
                continue
            for option in ("plan_tunnel:tunnel", "plan_tunnel:plan", "finance_technology:technology", "slot_1:develop"):
                words = why_not(game, (f"option:{option}",))
                refused.add(re.sub(r"\d", "n", words))
                assert ". " not in words and not re.search(r"(\w+): \1:", words), words
    assert legal in refused and len(refused) > 5


def test_discs_of_one_colour_are_kept_with_one_press() -> None:
    """Those of several are asked for at once; of one its numbers are the question."""
    asked = set()
    for seed in range(20):
        game = Game("standard", seed)
        for _ in walk(game, seed):
            if game.is_over or str(game.phase) != "keep":
                continue
            state = game.state
            held = [k for k in range(int(state.keep_colour), c.NUM_COLOURS) if state.discs[game.mover, k]]
            asked.add(is_together := all("together" in move for move in moves(game)))
            assert is_together == (len(held) > 1)
    assert asked == {True, False}
