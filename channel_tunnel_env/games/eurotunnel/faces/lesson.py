"""The guided first game of Eurotunnel Diplomacy: what to look at on the map, and what to write.

A move is named by the unit that is asked and the words of `words.choice_words`; what was made of it, by the order as it
is in the list and in the report. No power can prevent any of them.
"""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_env.faces.table import Lesson, LessonStep
from channel_tunnel_env.games.eurotunnel.faces.rulebook import figures
from channel_tunnel_env.rulesets.ruleset import load_ruleset

RULESET, SEED = "eurotunnel", 1  # a seed decides nothing of the rules, only what the rivals write
SEAT = "france"
RIVAL = "lively"


def lesson() -> Lesson:
    """The steps with the figures of the ruleset."""
    values = figures(load_ruleset(RULESET).data)
    steps = tuple(replace(step, text=step.text.format(**values)) for step in STEPS)
    return Lesson(RULESET, SEED, SEAT, RIVAL, steps)


_OWN = ("PAR", "MAR", "BRE")
_SPRING, _FALL = "Spring 1901", "Fall 1901"
_SEND = "Press Send."
_SEND_FIRST = "Send your spring orders first."
STEPS = (
    LessonStep(
        "goal",
        "The goal",
        "You are France. {centres} provinces of the map are supply centres; three are yours, each with a unit on it. Who "
        "owns {victory} after a Fall wins at once. {goal_limit}",
        _OWN,
    ),
    LessonStep(
        "year",
        "In secret, all at once",
        "All seven powers write their orders at the same time. You see what others write only when everything is read "
        "out. There are no dice: guess what the others will do.",
        _OWN,
    ),
    LessonStep(
        "orders",
        "Move an army",
        "On the map your armies are blocks and your fleets hulls, all with the F of France. A unit and then a neighbouring "
        "province: that is an order to move. Spain is a centre that nobody owns. Order your army in Marseilles there.",
        ("SPA",),
        "A MAR: Move to Spain",
        "A MAR - SPA",
        when=_SPRING,
    ),
    LessonStep(
        "board",
        "Move a fleet",
        "Fleets go along coasts and over seas, where armies cannot. Portugal is a free centre, too. Order your fleet out "
        "of Brest to the sea before it.",
        ("MAO",),
        "F BRE: Move to Mid-Atlantic Ocean",
        "F BRE - MAO",
        when=_SPRING,
    ),
    LessonStep(
        "tunnels",
        "Dig a tunnel",
        "An army can dig to a land province that is no neighbour but borders one of its neighbours, on land or at sea. "
        "It stays where it is, and the others read only that it holds. Choose Paris, then Dig, then Belgium.",
        ("PAR", "BEL"),
        "A PAR: Dig a tunnel to Belgium",
        "A PAR BT BEL",
        when=_SPRING,
    ),
    LessonStep(
        "year",
        "Send",
        "What you have written stands in the list and on the map. You can change it until you send it. Then the others "
        "have written as well, and everything is read.",
        _OWN,
        "Send",
        _SPRING,
        first=_SEND,
    ),
    LessonStep(
        "secrecy",
        "What was read",
        "All powers learn every order and what became of it; you find it in the log. Only your tunnel is kept secret. It "
        "is hidden, and only you know it until somebody goes through.",
        ("PAR", "BEL"),
    ),
    LessonStep(
        "passage",
        "Go through",
        "It is Fall. After its moves a centre with a unit on it belongs to that unit's power. Belgium is one. Choose Paris, "
        "then Through a tunnel, then Belgium. Once this is read, all know the tunnel.",
        ("PAR", "BEL"),
        "A PAR: Through the tunnel to Belgium",
        "A PAR ~ BEL",
        first=_SEND_FIRST,
        when=_FALL,
    ),
    LessonStep(
        "moves",
        "Equal strength",
        "All units are equally strong. Where two want one province, both fail and stay, and a unit that stands there "
        "keeps it. Order your fleet to Portugal, which is empty.",
        ("MAO", "POR"),
        "F MAO: Move to Portugal",
        "F MAO - POR",
        first=_SEND_FIRST,
        when=_FALL,
    ),
    LessonStep(
        "support",
        "Support",
        "With the support of another unit a move is stronger than one without. Your army in Spain can support the fleet's "
        "move. It stays meanwhile, and so takes Spain as well. Choose Spain, then Support, then the fleet, then Portugal.",
        ("SPA", "POR"),
        "A SPA: Support Mid-Atlantic Ocean to Portugal",
        "A SPA S F MAO - POR",
        first=_SEND_FIRST,
        when=_FALL,
    ),
    LessonStep(
        "winter",
        "Winter",
        "Send these orders, too. Then it is Winter: who has more centres than units raises new ones in empty home centres "
        "of its own. Build one now; the others may follow.",
        _OWN,
        "Build a",
        " built",
        first=_SEND + " A power with no more centres than units builds nothing.",
        when="Winter 1901",
    ),
    LessonStep(
        "end",
        "How it ends",
        "So it goes on, year by year. {limit} Now play on: send your builds. Undo takes a phase back, Rules has "
        "everything.",
        _OWN,
    ),
)
