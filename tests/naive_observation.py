"""The observation once more, slowly, from a position in names and the ruleset's figures."""

from __future__ import annotations

from collections import Counter
from typing import Any

from channel_tunnel_env import Game
from channel_tunnel_env.engine.constants import (
    ACTION_KINDS,
    AGENDA_KINDS,
    CARD_KINDS,
    COLOURS,
    COSTS,
    DEVIATION_COLOURS,
    FIRST_ABILITY,
    MAX_CARDS,
    PHASES,
    SEATS,
    SPACES,
)

SLOTS = ("slot_1", "slot_2", "slot_3")
TRACKS = ("a", "b")


def one_hot(value: Any, names: Any) -> list[float]:
    return [float(value == name) for name in names]


def at_least(value: int, most: int) -> list[float]:
    return [float(value >= k) for k in range(1, most + 1)]


class NaiveObservation:
    """What `viewer` sees of a game, section by section: `sections()[name]` is a list of numbers."""

    def __init__(self, game: Game, viewer: str) -> None:
        self.position = game.to_position()
        self.rules = game.ruleset.plain()
        self.scores = game.scores()
        self.over = game.is_over
        self.viewer = viewer
        self.rival = SEATS[1 - SEATS.index(viewer)]
        self.both = (self.viewer, self.rival)
        self.cards = {card["card"]: card for card in self.rules["deck"]["cards"]}
        self.turn = self.position["turn"]
        self.length = self.rules["route"]["length"]
        self.agenda = self.rules["agenda"]["enabled"]

    # --- figures of a side ------------------------------------------------------------------------

    def benefits(self, side: str, benefit: str) -> int:
        counters = self.position[side]["technology"]
        return sum(
            found == benefit and int(space) <= counters[i]
            for i, track in enumerate(TRACKS)
            for space, found in self.rules["benefits"][side][track].items()
        )

    def allowance(self, side: str) -> int:
        return self.rules["discs"]["hand"] + self.benefits(side, "extra_disc")

    def storage_spaces(self, side: str) -> int:
        return self.rules["storage"][side] + self.benefits(side, "storage")

    def kind(self, key: str) -> str:
        return self.cards[key]["kind"]

    def is_ability(self, key: str) -> bool:
        return CARD_KINDS.index(self.kind(key)) >= FIRST_ABILITY

    def ready(self, side: str, now: bool) -> list[str]:
        """Ability cards that hold rubble, unused this round; `now`: in this very window."""
        late = self.rules["switches"]["new_card_usable_same_action"]
        new = self.turn.get("new_card")
        barred = new if now and self.position["phase"] == "chain" and not late else None
        return [
            entry["card"]
            for entry in self.position[side]["cards"]
            if self.is_ability(entry["card"])
            and entry["rubble"]
            and not entry["used"]
            and entry["card"] != barred
        ]

    def extra_finance(self, side: str) -> int:
        return sum(self.kind(key) == "extra_finance" for key in self.ready(side, now=False))

    def millions(self, side: str) -> int:
        return sum(self.cards[key]["money"] for key in self.position[side]["money"])

    def next_step(self, side: str, track: int) -> tuple[int, bool]:
        """Price of the next step (0: none), and whether it can be taken."""
        place, name = self.position[side]["technology"][track], TRACKS[track]
        if place + 1 >= len(self.rules["track_points"][side][name]):
            return 0, False
        spaces = self.rules["barrier_spaces"][side][name]
        if place + 1 not in spaces:
            return 0, True
        price = self.rules["barriers"][side][name][spaces.index(place + 1)]
        funds = self.millions(side) + self.extra_finance(side) * self.rules["extra_finance"]
        return price, funds >= price

    def facedown_points(self, side: str) -> int:
        return sum(
            self.cards[entry["card"]]["points"]
            for entry in self.position[side]["cards"]
            if self.is_ability(entry["card"]) and not entry["rubble"]
        )

    def loss_risk(self, side: str) -> float:
        room = self.rules["deviation"]["limit"] - self.position[side]["deviation"]
        deck = self.position["deviation_deck"]
        values = [-int(card[-1]) for card in deck]
        return sum(-value > room for value in values) / max(len(deck), 1)

    # --- tokens -----------------------------------------------------------------------------------

    def tokens(self, side: str) -> list[tuple[str, bool, bool, bool, bool]]:
        """Ahead of a TBM: colour, symbol, face up, seen by the viewer, peeked at by the rival."""
        found = []
        start = self.position[side]["tbm"]
        for index, name in enumerate(self.position[side]["route"], start):
            up = not name.startswith("?")
            colour = name.strip("?*")
            seen = up or [side, index] in self.position[self.viewer]["peeked"]
            peeked = not up and [side, index] in self.position[self.rival]["peeked"]
            found.append((colour, name.endswith("*"), up, seen, peeked))
        return found

    def route(self, side: str) -> list[float]:
        row: list[float] = []
        for colour, symbol, _, seen, _ in self.tokens(side):
            row += [*one_hot(colour, COLOURS), float(symbol and self.agenda)] if seen else [0.0] * 6
        return row + [0.0] * (9 * 6 - len(row))

    def peeks(self, side: str) -> list[float]:
        row = [float(token[4]) for token in self.tokens(side)]
        return row + [0.0] * (9 - len(row))

    def unseen(self, symbol_only: bool) -> list[float]:
        most = 2 if symbol_only else 4
        hidden = Counter(
            colour
            for side in SEATS
            for colour, symbol, _, seen, _ in self.tokens(side)
            if not seen and (symbol or not symbol_only)
        )
        if symbol_only and not self.agenda:
            hidden.clear()
        return [min(hidden[colour], most) / most for colour in COLOURS]

    # --- cards ------------------------------------------------------------------------------------

    def slot(self, key: str | None) -> list[float]:
        if key is None:
            return [0.0] * (len(CARD_KINDS) + 10)
        card = self.cards[key]
        return [
            *one_hot(card["kind"], CARD_KINDS),
            *one_hot(card["cost"], COSTS),
            *one_hot(card["secondary"], ACTION_KINDS[:4]),
            min(max(card["points"], 0), 4) / 4,
            card["money"] / 3,
        ]

    def by_card(self, whole: list[str], half: list[str]) -> list[float]:
        row = [1.0 if key in whole else 0.5 if key in half else 0.0 for key in self.cards]
        return row + [0.0] * (MAX_CARDS - len(row))

    def blue_cards(self, side: str) -> list[float]:
        cards = [entry["card"] for entry in self.position[side]["cards"]]
        count = Counter(map(self.kind, cards))
        most = [10, 5, 5, 5, 5]
        row = [min(count[CARD_KINDS[k]], most[k]) / most[k] for k in range(FIRST_ABILITY)]
        completed = self.position[side]["agenda"]["completed"] if self.agenda else []
        return [*row, min(len(cards) + len(completed), 20) / 20]

    def abilities(self, side: str) -> list[float]:
        row = []
        usable = list(map(self.kind, self.ready(side, now=True)))
        for kind in CARD_KINDS[FIRST_ABILITY:]:
            tokens = sum(
                len(entry["rubble"])
                for entry in self.position[side]["cards"]
                if self.kind(entry["card"]) == kind
            )
            row += [min(tokens, 4) / 4, float(kind in usable)]
        return row

    def topographical(self, side: str) -> list[float]:
        colours = {
            colour
            for entry in self.position[side]["cards"]
            if self.kind(entry["card"]) == "topographical_analysis"
            for colour in entry["rubble"]
        }
        return [float(colour in colours) for colour in COLOURS]

    # --- the whole --------------------------------------------------------------------------------

    def sections(self) -> dict[str, list[float]]:
        """Every section by name."""
        return (
            self.of_game() | self.of_discs() | self.of_cards() | self.of_boards() | self.of_turn()
        )

    def of_game(self) -> dict[str, list[float]]:
        p, limits = self.position, self.rules["limits"]
        own, rival = (self.scores[side]["total"] for side in self.both)
        if self.rules["switches"]["facedown_observation"] == "hidden":
            rival -= self.facedown_points(self.rival)
        clip = [min(max(n, 0), 60) / 60 for n in (own, rival, 30 + own - rival)]
        return {
            "phase": one_hot(p["phase"], PHASES),
            "to_move": [float(p["to_play"] == self.viewer and not self.over)],
            "side": [float(self.viewer == "france")],
            "first_player": [float(p["first_player"] == self.viewer)],
            "passed": [float(side in p["passed"]) for side in self.both],
            "round": [
                min(p["round"], 20) / 20,
                min(p["empty_rounds"] / limits["max_empty_rounds"], 1),
            ],
            "score": clip,
            "lead_at_centre": [x for i in (0, 1) for x in self.lead_at_centre(i, own - rival)],
        }

    def lead_at_centre(self, first: int, lead: int) -> list[float]:
        """Steps of the viewer's lead if both[first] stood at the centre; the points it gives replace
        those given already."""
        for i, side in enumerate(self.both):
            sign = 1 if i == 0 else -1
            figures, rival_tokens = (
                self.rules["scoring"],
                len(self.position[self.both[1 - i]]["route"]),
            )
            bonus = figures["centre_bonus"] + figures["centre_per_rival_token"] * rival_tokens
            lead -= sign * self.scores[side]["centre"]
            lead += sign * bonus * (i == first)
        return [float(lead >= least) for least in range(-7, 9)]

    def of_discs(self) -> dict[str, list[float]]:
        p = self.position

        def area(side: str) -> list[float]:
            return [x for c in COLOURS for x in at_least(p[side]["discs"].get(c, 0), 5)]

        spaces: list[float] = []
        for space in SPACES:
            stack = {c: n for c, n in p["spaces"].get(space, {}).items() if n}
            colour, height = next(iter(stack.items()), (None, 0))
            spaces += [*one_hot(colour, COLOURS), *at_least(height, 5)]
        totals = [min(sum(p[side]["discs"].values()), 15) / 15 for side in self.both]
        allowances = [min(self.allowance(side), 15) / 15 for side in self.both]
        return {
            "own_discs": area(self.viewer),
            "rival_discs": area(self.rival),
            "disc_totals": totals + allowances,
            "bag": [p["bag"][c] / 5 for c in COLOURS],
            "spaces": spaces,
        }

    def of_cards(self) -> dict[str, list[float]]:
        p, (own, rival) = self.position, self.both
        money = [[self.cards[key]["money"] for key in p[side]["money"]] for side in self.both]
        return {
            "display": [x for key in p["display"] for x in self.slot(key)],
            "unseen_cards": self.by_card(p["deck"], p["discard"]),
            "money_cards": self.by_card(p[own]["money"], p[rival]["money"]),
            "money": [min(values.count(n), 8) / 8 for values in money for n in (1, 2, 3)],
            "purse": [min(sum(values), 12) / 12 for values in money]
            + [min(self.extra_finance(side), 2) / 2 for side in self.both],
            "own_cards": self.blue_cards(own),
            "rival_cards": self.blue_cards(rival),
            "own_abilities": self.abilities(own),
            "rival_abilities": self.abilities(rival),
            "topographical": self.topographical(own) + self.topographical(rival),
        }

    def of_boards(self) -> dict[str, list[float]]:
        p, (own, rival) = self.position, self.both
        steps = [self.next_step(side, track) for side in self.both for track in (0, 1)]
        deck = [(card.rstrip("-0123456789"), int(card[-1])) for card in p["deviation_deck"]]
        count = Counter((colour, min(value, 2)) for colour, value in deck)
        drawn = {card.rstrip("-0123456789") for card in p["deviation_discard"]}
        spaces = [self.storage_spaces(side) for side in self.both]
        stored = [Counter(token.strip("*") for token in p[side]["storage"]) for side in self.both]
        free = [min(max(n - c.total(), 0), 3) / 3 for n, c in zip(spaces, stored, strict=True)]

        def tracks(side: str) -> list[float]:
            return [x for place in p[side]["technology"] for x in at_least(place, 7)]

        return {
            "own_tracks": tracks(own),
            "rival_tracks": tracks(rival),
            "barriers": [x for price, can in steps for x in (min(price, 8) / 8, float(can))],
            "own_deviation": at_least(p[own]["deviation"], 7),
            "rival_deviation": at_least(p[rival]["deviation"], 7),
            "deviation_risk": [self.loss_risk(side) for side in self.both],
            "deviation_deck": [
                min(count[colour, value], 2) / 2
                for colour in DEVIATION_COLOURS
                for value in range(3)
            ],
            "deviation_colours": [float(colour in drawn) for colour in DEVIATION_COLOURS[:4]],
            "own_tbm": at_least(p[own]["tbm"], 9),
            "rival_tbm": at_least(p[rival]["tbm"], 9),
            "route_left": [len(p[side]["route"]) / 9 for side in self.both]
            + [sum(token[2] for token in self.tokens(side)) / 9 for side in self.both],
            "own_route": self.route(own),
            "rival_route": self.route(rival),
            "rival_peeks": self.peeks(own) + self.peeks(rival),
            "unseen_tokens": self.unseen(symbol_only=False),
            "unseen_symbols": self.unseen(symbol_only=True),
            "storage": [min(c[colour], 3) / 3 for c in stored for colour in COLOURS],
            "storage_room": free + [min(n, 4) / 4 for n in spaces],
        }

    def of_turn(self) -> dict[str, list[float]]:
        p, turn = self.position, self.turn
        agenda = [p[side].get("agenda", {"pending": None, "completed": []}) for side in self.both]
        placed = turn.get("rubble_placed", [None])[0]
        keep = turn.get("keep_colour") if p["phase"] == "keep" else None
        kept = min(turn.get("kept", 0), 15) / 15 if p["phase"] == "keep" else 0.0
        return {
            "agenda_pending": [x for a in agenda for x in one_hot(a["pending"], AGENDA_KINDS)],
            "agenda_completed": [float(k in a["completed"]) for a in agenda for k in AGENDA_KINDS],
            "agenda_unseen": [float(k in p.get("agenda_deck", [])) for k in AGENDA_KINDS],
            "agenda_drawn": one_hot(turn.get("agenda_card"), AGENDA_KINDS),
            "used_space": one_hot(turn.get("space"), SPACES),
            "action": one_hot(turn.get("action"), ACTION_KINDS),
            "last_action": one_hot(turn.get("last"), ACTION_KINDS),
            "action_slot": one_hot(turn.get("slot"), SLOTS),
            "placed_rubble": one_hot(placed, COLOURS),
            "keep": [*one_hot(keep, COLOURS), kept],
            "turn_flags": [
                float(turn.get("supervised", False)),
                float(turn.get("repairing", False)),
                min(turn.get("promotion_paid", 0), 3) / 3,
                float(p["previous"] == self.rival),
            ],
        }
