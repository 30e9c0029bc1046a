"""The guided first game of 1987 Channel Tunnel: what to look at on the board, and what to try.

The words of moves are those of `narration.action_words`.
"""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_env.faces.table import Lesson, LessonStep
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import goal
from channel_tunnel_env.games.tunnel_1987.rule_words import values_of
from channel_tunnel_env.games.tunnel_1987.words import COLOUR_LETTERS
from channel_tunnel_env.rulesets.ruleset import load_ruleset

RULESET, SEED = "standard", 64  # a deal in which every move of the lesson can be made in round 1
SIDE = "britain"
RIVAL = "heuristic"
TURN = "turn"  # the phase in which one begins
KEEP = "keep"  # the phase of a pass, which comes by itself if nothing fits any more; the next step explains it


def lesson() -> Lesson:
    """The steps with the figures of the ruleset."""
    ruleset = load_ruleset(RULESET)
    letters = ", ".join(f"{letter} {colour}" for colour, letter in COLOUR_LETTERS.items())
    values = {**values_of(ruleset), "goal": " ".join(goal(ruleset)), "letters": letters}
    steps = tuple(replace(step, text=step.text.format(**values)) for step in STEPS)
    return Lesson(RULESET, SEED, SIDE, RIVAL, steps)


STEPS = (
    LessonStep(
        "goal",
        "The goal",
        "You are Britain. {goal} So dig fast enough, and gather points on the way.",
        ("route:britain",),
    ),
    LessonStep(
        "table",
        "Your discs",
        "Discs pay for every action. You hold {discs.hand} at the start of a round. You always place "
        "all your discs of one colour together: a stack. Letters name the colours: {letters}.",
        ("disc:britain",),
    ),
    LessonStep(
        "stack",
        "Spaces and stacks",
        "Each of these five spaces offers two actions. If a stack lies there, yours must be higher, "
        "and its discs come to you. So start with low stacks and keep high ones for later.",
        ("space:",),
    ),
    LessonStep(
        "tunnel",
        "Dig",
        "The token in front of your machine is face up. Choose your lowest stack, then the Tunnel space. You pay "
        "one disc of the token's colour or, holding none, any two. The token goes to your storage.",
        ("option:plan_tunnel:tunnel",),
        ": Tunnel",
        until=(TURN,),
    ),
    LessonStep(
        "deviation",
        "Deviation",
        "After a Tunnel you draw a deviation card. It moved you down this scale, which costs points at the end. Beyond "
        "{limit} you lose at once. A blue token is water: Britain draws {water_britain} for it.",
        ("deviation:britain", "deviation_deck"),
    ),
    LessonStep(
        "plan",
        "Look ahead",
        "A token can be dug only once it lies face up. Use Plan to turn your next one up, "
        "with a stack that is higher than the one there. A slot that shows Plan offers it, too.",
        ("option:plan_tunnel:plan",),
        ": Plan",
        until=(TURN,),
    ),
    LessonStep(
        "finance",
        "Money",
        "Finance takes one of the three shown cards as money. Money pays for the black barriers on your tracks, and "
        "brings a machine that has strayed back on course. Try it with a low stack.",
        ("option:finance_technology:finance",),
        ": Finance",
        until=(TURN,),
    ),
    LessonStep(
        "technology",
        "Technology",
        "Technology moves one of your counters. The space it ends on scores. The eye is a look at a face-down "
        "token, the plus an extra disc. After the move you may spend money to lower your deviation.",
        ("track:britain", "option:finance_technology:technology"),
        ": Technology",
        until=(TURN,),
    ),
    LessonStep(
        "secondary",
        "Build a card",
        "Cards give points, and many an ability. You pay with tokens (rubble) from your storage, which also "
        "makes room to dig on. Develop one of the shown cards, if you can pay for one.",
        ("storage:britain", "card:"),
        ": develop",
        until=(TURN, KEEP),
    ),
    LessonStep(
        "pass",
        "Pass",
        "When nothing useful fits any more, press Pass; if nothing fits at all, you pass by yourself. You may keep discs for the "
        "next round. When both have passed, the stacks go and both draw anew. Who passes first, starts.",
        ("button:pass",),
        "Pass for this round",
        "Keep ",
        first="Nothing fits any more, so you pass",
        until=(TURN,),
    ),
    LessonStep(
        "points",
        "How it ends",
        "Who reaches the flag ends the game and gets {centre}, and {scoring.centre_per_rival_token} for each token on the "
        "rival's side. Then cards, technology and deviation count. Now play on: Undo takes moves "
        "back, Rules has everything.",
        ("route:britain", "route:france"),
    ),
)
