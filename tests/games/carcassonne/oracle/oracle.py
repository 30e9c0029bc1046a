"""A whole game of Carcassonne with The Tunnel, played slowly and plainly.

The oracle is a second reading of the rules, to be compared with another one.  It keeps only what
lies on the table and in the hands, and finds everything else anew whenever that has changed.

``rules`` is a dict of switches; what it leaves out has the default, the first value named here:

=====================  ==================================================
``players``            2, or 3 to 6
``tunnel``             True, False
``farm_scoring``       "third", "second", "first", "none"
``small_city``         4, 2
``token_sets_two``     3, or 2 or 1
``token_sets_three``   2, or 1
``token_window``       "after_meeple", "before_meeple"
``tunnel_variant``     "none", "follower", "steal", "paired", "no_block"
``robber_baron``       False, True
``table``              30, or 3 to 29
``auto_forced``        True, False
=====================  ==================================================

``draws`` lists the kinds of tile in the order in which they are drawn; there is no other luck.
Numbers such as C41 in comments are rulings, plain numbers are sections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.games.carcassonne.oracle import actions, scoring
from tests.games.carcassonne.oracle.table import Cell, Feature, Laid, Place, Table
from tests.games.carcassonne.oracle.tiles import START

SWITCHES: dict[str, tuple[Any, ...]] = {  # the default comes first (section 11)
    "players": (2, 3, 4, 5, 6),
    "tunnel": (True, False),
    "farm_scoring": ("third", "second", "first", "none"),
    "small_city": (4, 2),
    "token_sets_two": (3, 2, 1),
    "token_sets_three": (2, 1),
    "token_window": ("after_meeple", "before_meeple"),
    "tunnel_variant": ("none", "follower", "steal", "paired", "no_block"),
    "robber_baron": (False, True),
    "table": (30, *range(3, 30)),
    "auto_forced": (True, False),
}
FOLLOWERS = 7  # C03
COLOURS = ("blue", "yellow", "grey", "green", "red", "black")  # C06


@dataclass
class TokenSet:
    """Two tunnel tokens of one colour, of one player or of the common stock (owner None)."""

    owner: int | None
    number: int  # 1, 2, 3 of this owner
    colour: int
    openings: list[int] = field(default_factory=list)  # where its tokens lie, in order
    missed: bool = False  # C70: the owner let a chance pass to lay the second token

    @property
    def untouched(self) -> bool:
        """Tell whether both tokens are in stock."""
        return not self.openings

    @property
    def half(self) -> bool:
        """Tell whether exactly one token lies on the table."""
        return len(self.openings) == 1

    @property
    def finished(self) -> bool:
        """Tell whether both tokens lie on the table."""
        return len(self.openings) == 2


def full_rules(rules: dict[str, Any]) -> dict[str, Any]:
    """Fill in the defaults and refuse what is no switch."""
    full = {name: values[0] for name, values in SWITCHES.items()} | rules
    for name, chosen in full.items():
        if name not in SWITCHES or chosen not in SWITCHES[name]:
            raise ValueError(f"no such switch: {name} = {chosen}")
    return full


def sets_each(rules: dict[str, Any]) -> int:
    """Count the token sets that each player receives (C05)."""
    if rules["players"] == 2:
        return rules["token_sets_two"]
    if rules["players"] == 3:
        return rules["token_sets_three"]
    return 1


def token_sets(rules: dict[str, Any]) -> list[TokenSet]:
    """Deal the token sets, the lower numbers first."""
    if not rules["tunnel"]:
        return []
    if rules["tunnel_variant"] == "paired":  # C71: one common stock of six colours
        return [TokenSet(None, colour + 1, colour) for colour in range(len(COLOURS))]
    players = rules["players"]
    return [
        TokenSet(seat, number, seat + (number - 1) * players)  # C06
        for seat in range(players)
        for number in range(1, sets_each(rules) + 1)
    ]


def steps_of_turn(rules: dict[str, Any]) -> list[str]:
    """List the decisions of a turn in their order."""
    if not rules["tunnel"]:
        return ["CELL", "ROTATE", "CLAIM"]
    if rules["token_window"] == "before_meeple":  # C41
        return ["CELL", "ROTATE", "TOKEN", "CLAIM"]
    return ["CELL", "ROTATE", "CLAIM", "TOKEN"]


class Oracle:
    """A game in progress."""

    def __init__(self, rules: dict[str, Any], draws: Iterable[str]) -> None:
        """Lay out the game (section 1) and begin the turn of seat A."""
        self.rules = full_rules(rules)
        self.players: int = self.rules["players"]
        self.draws = list(draws)  # the face-down deck, its top first
        self.out: list[str] = []  # tiles that left the game, C11
        self.tiles: dict[Cell, Laid] = {(0, 0): Laid(START, 0)}
        self.followers: dict[Place, int] = {}
        self.hand = [FOLLOWERS] * self.players
        self.sets = token_sets(self.rules)
        self.track = [0] * self.players
        self.robber: int | None = None
        self.longest = 0  # tiles of the longest road completed so far, C75
        self.seen = Table()
        self.start_turn(0)
        self.resolve_forced()

    # What the table shows

    @property
    def table(self) -> Table:
        """The table as the features are found on it: a new one whenever something else lies there."""
        tunnels = [(one.openings[0], one.openings[1]) for one in self.sets if one.finished]
        now = Table(dict(self.tiles), dict(self.followers), tunnels)
        if now != self.seen:
            self.seen = now
        return self.seen

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.phase == "OVER"

    @property
    def to_play(self) -> int | None:
        """The seat to decide, nobody's once the game is over."""
        return None if self.over else self.seat

    def scores(self) -> list[int]:
        """Tell the score of each seat on the track; final scoring is in it once the game is over."""
        return list(self.track)

    def final_scores(self) -> list[int]:
        """Tell the totals if the game ended now, or as it has ended."""
        if self.over:
            return self.scores()
        parts = scoring.final_parts(self.table, self.rules, self.robber)
        return [sum(column) for column in zip(self.track, *parts.values(), strict=True)]

    def winners(self) -> list[int]:
        """List the seats with the highest total (C67)."""
        totals = self.final_scores()
        return [seat for seat, total in enumerate(totals) if total == max(totals)]

    # The turn (section 2)

    def start_turn(self, seat: int) -> None:
        """Let a seat draw its tile; if none is left that fits, the game is over (C09, C11)."""
        self.seat = seat
        self.tile: str | None = None
        self.cell: Cell | None = None
        self.rotation: int | None = None
        self.roads_before = {road.places for road in self.complete_roads()}
        self.phase = "CELL"
        while self.draws:
            tile = self.draws.pop(0)
            if self.table.placements(tile, self.rules["table"]):
                self.tile = tile
                return
            self.out.append(tile)
        self.end_game()

    def legal(self) -> list[int]:
        """List the actions that may be played."""
        if self.over:
            return []
        choices = {"CELL": self.cells, "ROTATE": self.rotations, "CLAIM": self.claims, "TOKEN": self.tokens}
        return sorted(choices[self.phase]())

    def play(self, action: int) -> None:
        """Play an action, and what it leaves no choice about."""
        if action not in self.legal():
            raise ValueError(f"action {action} is illegal in {self.phase}")
        self.carry_out(action)
        self.resolve_forced()

    def resolve_forced(self) -> None:
        """Play on while there is one legal action only (switch auto_forced)."""
        while self.rules["auto_forced"] and len(self.legal()) == 1:
            self.carry_out(self.legal()[0])

    def carry_out(self, action: int) -> None:
        """Carry out one legal action and go to the next step."""
        if self.phase == "CELL":
            self.cell = self.cells()[action]
        elif self.phase == "ROTATE":
            self.lay_tile(self.rotations()[action])
        elif self.phase == "CLAIM":
            self.lay_follower(self.claims()[action])
        else:
            self.lay_tokens(self.tokens()[action])
        self.next_step()

    def next_step(self) -> None:
        """Go to the next decision of the turn, or score and go to the next turn."""
        steps = steps_of_turn(self.rules)
        if self.phase != steps[-1]:
            self.phase = steps[steps.index(self.phase) + 1]
            return
        self.score_turn()
        if self.draws:
            self.start_turn((self.seat + 1) % self.players)
        else:
            self.end_game()  # C66

    # Placing the tile (section 3)

    def cells(self) -> dict[int, Cell]:
        """List the cells that take the tile, by action."""
        places = self.table.placements(self.tile, self.rules["table"])
        return {actions.cell_id(cell): cell for cell, _ in places}

    def rotations(self) -> dict[int, int]:
        """List the rotations that fit in the chosen cell, by action."""
        places = self.table.placements(self.tile, self.rules["table"])
        return {actions.ROTATE + turn: turn for cell, turn in places if cell == self.cell}

    def lay_tile(self, rotation: int) -> None:
        """Lay the tile in the chosen cell."""
        self.rotation = rotation
        self.tiles[self.cell] = Laid(self.tile, rotation)

    # The follower (section 4)

    def claims(self) -> dict[int, str | None]:
        """List the segments of this tile that may be claimed, by action."""
        choices: dict[int, str | None] = {actions.CLAIM_NONE: None}
        if self.hand[self.seat] == 0:
            return choices
        features = self.table.feature_by_place()
        for name in self.tiles[self.cell].facts.segments:
            if not features[self.cell, name].occupied:  # C17
                choices[self.claim_id(name)] = name
        return choices

    def claim_id(self, name: str) -> int:
        """Number the claim of a segment: the lowest place where the lying tile shows it."""
        segment = self.tiles[self.cell].facts.segments[name]
        if segment.kind == "cloister":
            return actions.CLAIM_CLOISTER
        if segment.kind == "field":
            return actions.CLAIM_FIELD + min(segment.halves)
        return actions.CLAIM_SIDE + min(segment.sides)

    def lay_follower(self, name: str | None) -> None:
        """Put a follower from the hand on a segment of this tile, or none."""
        if name is not None:
            self.hand[self.seat] -= 1
            self.followers[self.cell, name] = self.seat

    # The token (section 6)

    def tokens(self) -> dict[int, list[tuple[TokenSet, int]]]:
        """List the tokens that may be laid, by action: which set goes on which openings."""
        choices: dict[int, list[tuple[TokenSet, int]]] = {actions.TOKEN_NONE: []}
        roads = self.roads_of_openings()
        unclaimed = self.unclaimed()
        fresh = self.lowest_untouched()
        for opening in unclaimed:
            if fresh is not None and self.may_begin(roads[opening]):
                choices[actions.TOKEN + opening] = [(fresh, opening)]
            for half in self.sets:
                if half.half and self.may_finish(half, roads[half.openings[0]], roads[opening]):
                    action = actions.tunnel_id(half.openings[0], opening)
                    choices[action] = [(half, opening)]
            for other in unclaimed:
                if opening < other and fresh is not None and self.may_lay_pair():
                    action = actions.tunnel_id(opening, other)
                    choices[action] = [(fresh, opening), (fresh, other)]
        return choices

    def roads_of_openings(self) -> dict[int, Feature]:
        """Tell which road each opening on the table belongs to."""
        features = self.table.feature_by_place()
        return {opening: features[place] for opening, place in self.table.openings().items()}

    def unclaimed(self) -> list[int]:
        """List the openings on the table without a token."""
        claimed = {opening for one in self.sets for opening in one.openings}
        return sorted(set(self.table.openings()) - claimed)

    def lowest_untouched(self) -> TokenSet | None:
        """Find the set that a first token is taken from (C63)."""
        for one in self.sets:
            if one.owner in (self.seat, None) and one.untouched:
                return one
        return None

    def may_begin(self, road: Feature) -> bool:
        """Tell whether the seat may lay a single first token on an opening of this road."""
        variant = self.rules["tunnel_variant"]
        if variant == "follower":  # C69
            return self.seat in road.men
        if variant == "paired":  # C71
            return not road.occupied
        if variant == "no_block":  # C72
            return not set(road.men) - {self.seat}
        return True  # C57

    def may_finish(self, half: TokenSet, claimed: Feature, road: Feature) -> bool:
        """Tell whether the seat may lay the second token of a half tunnel on an opening of a road.

        ``claimed`` is the road of its first token.
        """
        variant = self.rules["tunnel_variant"]
        if variant == "paired":  # C71: anybody may
            return True
        if variant == "follower":  # C69
            return half.owner == self.seat and self.seat in road.men
        if variant == "steal" and half.missed and self.seat in claimed.men:  # C70
            return True
        return half.owner == self.seat  # C46

    def may_lay_pair(self) -> bool:
        """Tell whether two tokens may be laid in one turn (C71, C73)."""
        return self.rules["tunnel_variant"] == "paired"

    def lay_tokens(self, tokens: list[tuple[TokenSet, int]]) -> None:
        """Lay the tokens, and note which second tokens the seat could have laid but did not."""
        own_halves = [one for one in self.sets if one.owner == self.seat and one.half]
        had_a_chance = own_halves if self.unclaimed() else []
        for one, opening in tokens:
            one.openings.append(opening)
        for one in had_a_chance:
            one.missed = one.missed or (one.half and self.rules["tunnel_variant"] == "steal")  # C70

    # Scoring (section 5)

    def score_turn(self) -> None:
        """Score every complete road, city and cloister with followers, which all go home (C31)."""
        self.move_marker()
        for feature in self.table.features():
            if feature.complete and feature.occupied:
                self.score_feature(feature)

    def score_feature(self, feature: Feature) -> None:
        """Give the points to the majority, and every follower back to its owner."""
        for seat in feature.majority():
            self.track[seat] += scoring.complete_value(feature, self.rules)
        for place in feature.places:
            if place in self.followers:
                self.hand[self.followers.pop(place)] += 1

    def complete_roads(self) -> list[Feature]:
        """List the complete roads on the table."""
        return [road for road in self.table.features() if road.kind == "road" and road.complete]

    def move_marker(self) -> None:
        """Give the Robber Baron marker to the seat if it completed the longest road so far (C75)."""
        new = [road.tiles for road in self.complete_roads() if road.places not in self.roads_before]
        if self.rules["robber_baron"] and max(new, default=0) > self.longest:
            self.robber = self.seat
            self.longest = max(new)

    def end_game(self) -> None:
        """Do the final scoring (section 7); what lies on the table stays."""
        self.track = self.final_scores()
        self.phase = "OVER"
        self.tile = self.cell = self.rotation = None

    # To compare and to look at

    def snapshot(self) -> dict[str, Any]:
        """Describe the whole position in plain values without ids of any program.

        ``tile`` is the tile of this turn, also when it lies already; ``cell`` and ``rotation`` are
        None until they are chosen.
        """
        openings = self.table.openings()
        return {
            "phase": self.phase,
            "to_play": self.to_play,
            "tile": self.tile,
            "cell": self.cell,
            "rotation": self.rotation,
            "tiles": {cell: (tile.kind, tile.rotation) for cell, tile in self.tiles.items()},
            "followers": sorted((seat, *place) for place, seat in self.followers.items()),
            "tokens": sorted((COLOURS[one.colour], openings[mouth]) for one in self.sets for mouth in one.openings),
            "hand": list(self.hand),
            "scores": self.scores(),
            "left": dict(Counter(self.draws)),
            "out": sorted(self.out),
            "robber": (self.robber, self.longest),
        }

    def features(self) -> list[dict[str, Any]]:
        """Describe all features in plain values, those with the lowest segment first."""
        rows = [
            {
                "segments": sorted(feature.places),
                "tiles": feature.tiles,
                "shields": feature.shields,
                "open": feature.open,
                "men": [feature.men[seat] for seat in range(self.players)],
            }
            for feature in self.table.features()
        ]
        return sorted(rows, key=lambda row: row["segments"])
