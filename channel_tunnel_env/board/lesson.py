"""A first game in steps: what to look at on the board, and what to try.

A step points at targets of the drawing. One with `wants` asks for a move: it is done when a decision
of the player has these words (`narration.action_words`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from channel_tunnel_env import Ruleset
from channel_tunnel_env.board.rulebook import figures, goal

RULESET, SEED = "standard", 64  # a deal in which every move of the lesson can be made in round 1
SIDE = "britain"


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes:
        key: the section of the rulebook that has more.
        targets: beginnings of the names of what it is about on the board.
        wants: words of the move to make; "" for a step to read.
    """

    key: str
    title: str
    text: str
    targets: tuple[str, ...]
    wants: str = ""


def lesson(ruleset: Ruleset) -> list[dict[str, Any]]:
    """The steps, with the figures of the ruleset."""
    told = {**figures(ruleset), "goal": " ".join(goal(ruleset))}
    return [asdict(step) | {"text": step.text.format(**told)} for step in STEPS]


STEPS = (
    Step(
        "goal",
        "The goal",
        "You are Britain. {goal} So dig fast enough, and gather points on the way.",
        ("route:britain",),
    ),
    Step(
        "table",
        "Your discs",
        "Discs pay for every action. You hold {hand} at the start of a round. You always place "
        "all your discs of one colour together: a stack.",
        ("disc:britain",),
    ),
    Step(
        "stack",
        "Spaces and stacks",
        "Each of these five spaces offers two actions. Where a stack lies, yours must be higher, "
        "and you take the old one. So start with low stacks and keep high ones for later.",
        ("space:",),
    ),
    Step(
        "tunnel",
        "Dig",
        "The token in front of your machine is face up. Place your lowest stack on Tunnel. You pay "
        "one disc of the token's colour, or any two. The token goes to your storage.",
        ("option:plan_tunnel:tunnel",),
        ": Tunnel",
    ),
    Step(
        "deviation",
        "Deviation",
        "After a Tunnel you draw a deviation card. It moved you down this scale. Beyond {limit} "
        "you lose at once, so watch it. Blue rubble is water: Britain draws {water_britain} for it.",
        ("deviation:britain", "deviation_deck"),
    ),
    Step(
        "plan",
        "Look ahead",
        "Your next token lies face down. Only a face-up token can be dug. Use Plan to turn it up: "
        "on Plan/Tunnel with a higher stack, or on a slot whose card says Plan.",
        ("option:plan_tunnel:plan",),
        ": Plan",
    ),
    Step(
        "finance",
        "Money",
        "Finance takes one of the three shown cards as money. Money opens barriers and corrects "
        "your course. Try it with a low stack.",
        ("option:finance_technology:finance",),
        ": Finance",
    ),
    Step(
        "technology",
        "Technology",
        "Technology moves one of your counters. The space it ends on scores. The eye is a look at a "
        "token, the plus an extra disc. After the move you may spend money to lower your deviation.",
        ("track:britain", "option:finance_technology:technology"),
        ": Technology",
    ),
    Step(
        "secondary",
        "Build a card",
        "Cards give points, and many an ability. You pay with rubble from your storage, which also "
        "makes room to dig on. Develop one of the shown cards, if you can pay for one.",
        ("storage:britain", "card:"),
        ": develop",
    ),
    Step(
        "pass",
        "Pass",
        "When nothing useful fits any more, pass. You may keep discs for the next round. When both "
        "have passed, the stacks go and both draw anew. Who passes first, starts.",
        ("disc:britain", "bag"),
    ),
    Step(
        "points",
        "How it ends",
        "Who reaches the flag ends the game and gets {centre}, and {per_token} for each token on the "
        "rival's side. Then cards, technology and deviation count. Now play on: Undo takes moves "
        "back, Rules has everything.",
        ("route:britain", "route:france"),
    ),
)
