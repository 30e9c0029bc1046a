"""The scripted player's preferences: one number each, so that another player changes numbers, not code."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Weights:
    """Values on the player's own scale, about one victory point per unit; a pass is worth 0.

    "Early" values fade as the first TBM nears the centre. The defaults were found by a search on the standard ruleset, in blocks of
    neighbours against a pool of rivals (`tune_heuristic` at commit 05190e35).
    """

    # Tunnel and Plan
    tunnel: float = 4.48
    tunnel_rush: float = 0.559  # more, the further ahead the player would be at the end
    tunnel_late: float = -0.177  # more, the nearer the centre
    tunnel_race: float = -0.0807  # more, the further behind in the race
    tunnel_full: float = 0.381  # less, if the token takes the last storage space
    pay: float = 0.447  # a disc paid
    front: float = 0.12  # holding a disc of the token in front
    plan_first: float = 2.45  # no token ahead is face up
    plan_second: float = 0.786
    plan_more: float = 0.232
    finish: float = 60.0  # ending the game as the winner; as the loser it costs as much
    # Deviation
    level: float = 0.603  # a level
    level_squared: float = 0.328  # more for high ones, while tunnels with a check lie ahead
    bust: float = 46.5  # losing by deviation
    despair: float = 0.517  # share of `bust` that no longer counts once the rival is about to win
    # Technology and money
    technology: float = 0.553
    reserve: float = 2.19  # times the tunnels to come per step left: only steps allow corrections
    technology_point: float = 0.78  # a point that the step gains
    extra_disc: float = 1.12  # early
    storage_space: float = 1.4  # early
    million: float = 0.456
    million_needed: float = 0.458  # more, up to the next barrier's price or the deviation
    taken: float = 0.111  # a card taken as money, times its worth developed
    # Development
    point: float = 1.13  # a printed point
    conditional: float = 0.797  # an expected point of a card that depends on other cards
    collection: float = 1.0  # early: points that a Topographical analysis prepares
    ability_disc: float = 0.6  # early: an ability that gains or recovers a disc
    ability_action: float = 1.6  # early: an ability that gives an action
    ability_money: float = 1.2  # early
    token: float = 0.3  # a stored token spent
    second_token: float = 0.3  # early: the second token of a one-or-two card
    room: float = 1.5  # spending one when storage is full
    # Discs: what a stack of 1 to 5 discs of a colour is worth in hand
    stack_1: float = 0.35
    stack_2: float = 0.708
    stack_3: float = 1.66
    stack_4: float = 1.88
    stack_5: float = 2.71
    draw: float = 0.459  # what a fresh disc will be worth, against one kept
    deny: float = 0.137  # a space that the rival could have used and now cannot
    deny_finish: float = 7.1  # the same, if the rival would win with a Tunnel there
    pass_first: float = 0.171  # taking the first-player card
    stay: float = 3.0  # playing on at all, against passing
    # Minimum value for using something
    million_spent: float = 0.5  # a million on correcting deviation
    use: float = 0.3  # an ability
    machinery: float = 1.0  # Heavy machinery


HEURISTIC = Weights()
RACER = replace(
    HEURISTIC,
    tunnel=HEURISTIC.tunnel + 3,
    plan_first=HEURISTIC.plan_first + 3,
    plan_second=HEURISTIC.plan_second + 1,
    point=HEURISTIC.point - 0.5,
    conditional=HEURISTIC.conditional - 0.4,
    room=HEURISTIC.room + 1.5,  # it develops to make room for rubble
)
ENGINEER = replace(HEURISTIC, technology=HEURISTIC.technology + 1.2, million=HEURISTIC.million + 0.3)
POLITICIAN = replace(HEURISTIC, point=HEURISTIC.point + 1, conditional=HEURISTIC.conditional + 0.5)
ARCHETYPES = {"heuristic": HEURISTIC, "racer": RACER, "engineer": ENGINEER, "politician": POLITICIAN}
