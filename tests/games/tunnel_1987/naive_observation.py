"""The observation once more, slowly, from a position in names and the ruleset's figures."""

from __future__ import annotations

from collections import Counter
from typing import Any

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

SLOTS = ("slot_1", "slot_2", "slot_3")
TRACKS = ("a", "b")


def one_hot(value: Any, names: Any) -> list[float]:
    return [float(value == name) for name in names]


def at_least(value: int, most: int) -> list[float]:
    return [float(value >= k) for k in range(1, most + 1)]


def colour_of(deviation_card: str) -> str:
    return deviation_card.rstrip("-0123456789")


def chance_of_loss(deck: list[str], discard: list[str], room: int, draws: int) -> float:
    """That `draws` cards of the deck, one by one, take a seat more than `room` levels further."""
    if draws == 0:
        return 0.0
    total = 0.0
    for i, card in enumerate(deck):
        value = int(card[-1])
        if value > room:
            total += 1
            continue
        if draws == 1:
            continue
        left, gone = deck[:i] + deck[i + 1 :], [*discard, card]
        colour = colour_of(card)
        if colour != "none" and colour in map(colour_of, discard):
            left, gone = left + gone, []
        total += chance_of_loss(left, gone, room - value, draws - 1)
    return total / max(len(deck), 1)


def raised(points: list[int], most: int = 60) -> list[float]:
    """Points from -20, as a share of the span."""
    return [(n + 20) / most for n in points]


class NaiveObservation:
    """What `viewer` sees of a game, section by section: `sections()[name]` is a list of numbers."""

    def __init__(self, game: Game, viewer: str) -> None:
        self.position = game.to_position()
        self.rules = game.ruleset.plain()
        self.scores = game.scores()
        self.over = game.is_over
        self.viewer = viewer
        self.rival = c.SEATS[1 - c.SEATS.index(viewer)]
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
        start = self.rules["head_start"]
        first = start["first_discs"][side] if self.position["round"] == 1 else 0
        hand = self.rules["discs"]["hand"] + start["allowance"][side] + first
        return hand + self.benefits(side, "extra_disc")

    def storage_spaces(self, side: str) -> int:
        return self.rules["storage"][side] + self.benefits(side, "storage")

    def kind(self, key: str) -> str:
        return self.cards[key]["kind"]

    def is_ability(self, key: str) -> bool:
        return c.CARD_KINDS.index(self.kind(key)) >= c.FIRST_ABILITY

    def ready(self, side: str, now: bool) -> list[str]:
        """Ability cards that hold rubble, unused this round; `now`: in this very window."""
        late = self.rules["switches"]["new_card_usable_same_action"]
        new = self.turn.get("new_card")
        barred = new if now and self.position["phase"] == "chain" and not late else None
        return [
            entry["card"]
            for entry in self.position[side]["cards"]
            if self.is_ability(entry["card"]) and entry["rubble"] and not entry["used"] and entry["card"] != barred
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
        return chance_of_loss(self.position["deviation_deck"], [], room, 1)

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
            row += [*one_hot(colour, c.COLOURS), float(symbol and self.agenda)] if seen else [0.0] * 6
        return row + [0.0] * (9 * 6 - len(row))

    def peeks(self, side: str) -> list[float]:
        row = [float(token[4]) for token in self.tokens(side)]
        return row + [0.0] * (9 - len(row))

    def unseen(self, symbol_only: bool) -> list[float]:
        most = 2 if symbol_only else 4
        hidden = Counter(
            colour
            for side in c.SEATS
            for colour, symbol, _, seen, _ in self.tokens(side)
            if not seen and (symbol or not symbol_only)
        )
        if symbol_only and not self.agenda:
            hidden.clear()
        return [min(hidden[colour], most) / most for colour in c.COLOURS]

    # --- cards ------------------------------------------------------------------------------------

    def slot(self, key: str | None) -> list[float]:
        if key is None:
            return [0.0] * (len(c.CARD_KINDS) + 10)
        card = self.cards[key]
        return [
            *one_hot(card["kind"], c.CARD_KINDS),
            *one_hot(card["cost"], c.COSTS),
            *one_hot(card["secondary"], c.ACTION_KINDS[:4]),
            min(max(card["points"], 0), 4) / 4,
            card["money"] / 3,
        ]

    def by_card(self, whole: list[str], half: list[str]) -> list[float]:
        row = [1.0 if key in whole else 0.5 if key in half else 0.0 for key in self.cards]
        return row + [0.0] * (c.MAX_CARDS - len(row))

    def blue_cards(self, side: str) -> list[float]:
        cards = [entry["card"] for entry in self.position[side]["cards"]]
        count = Counter(map(self.kind, cards))
        most = [10, 5, 5, 5, 5]
        row = [min(count[c.CARD_KINDS[k]], most[k]) / most[k] for k in range(c.FIRST_ABILITY)]
        completed = self.position[side]["agenda"]["completed"] if self.agenda else []
        return [*row, min(len(cards) + len(completed), 20) / 20]

    def abilities(self, side: str) -> list[float]:
        row = []
        usable = list(map(self.kind, self.ready(side, now=True)))
        for kind in c.CARD_KINDS[c.FIRST_ABILITY :]:
            tokens = sum(
                len(entry["rubble"]) for entry in self.position[side]["cards"] if self.kind(entry["card"]) == kind
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
        return [float(colour in colours) for colour in c.COLOURS]

    # --- the whole --------------------------------------------------------------------------------

    def sections(self) -> dict[str, list[float]]:
        """Every section by name."""
        return (
            self.of_game()
            | self.of_discs()
            | self.of_cards()
            | self.of_boards()
            | self.of_turn()
            | self.of_next_turns()
            | self.of_rules()
        )

    def of_game(self) -> dict[str, list[float]]:
        p, limits = self.position, self.rules["limits"]
        own, rival = (self.scores[side]["total"] for side in self.both)
        if self.rules["switches"]["facedown_observation"] == "hidden":
            rival -= self.facedown_points(self.rival)
        clip = [min(max(n, 0), 60) / 60 for n in (own, rival, 30 + own - rival)]
        return {
            "phase": one_hot(p["phase"], c.PHASES),
            "to_move": [float(p["to_play"] == self.viewer and not self.over)],
            "side": [float(self.viewer == "france")],
            "first_player": [float(p["first_player"] == self.viewer)],
            "passed": [float(side in p["passed"]) for side in self.both],
            "round": [min(p["round"], 20) / 20, min(p["empty_rounds"] / limits["max_empty_rounds"], 1)],
            "score": clip,
            "lead_at_centre": [x for i in (0, 1) for x in self.lead_at_centre(i, own - rival)],
        }

    def lead_at_centre(self, first: int, lead: int) -> list[float]:
        """Steps of the viewer's lead if both[first] stood at the centre; the points it gives replace
        those given already."""
        for i, side in enumerate(self.both):
            sign = 1 if i == 0 else -1
            figures, rival_tokens = (self.rules["scoring"], len(self.position[self.both[1 - i]]["route"]))
            bonus = figures["centre_bonus"] + figures["centre_per_rival_token"] * rival_tokens
            lead -= sign * self.scores[side]["centre"]
            lead += sign * bonus * (i == first)
        return [float(lead >= least) for least in range(-7, 9)]

    def of_discs(self) -> dict[str, list[float]]:
        p = self.position

        def area(side: str) -> list[float]:
            return [x for colour in c.COLOURS for x in at_least(p[side]["discs"].get(colour, 0), 5)]

        spaces: list[float] = []
        for space in c.SPACES:
            stack = {colour: n for colour, n in p["spaces"].get(space, {}).items() if n}
            colour, height = next(iter(stack.items()), (None, 0))
            spaces += [*one_hot(colour, c.COLOURS), *at_least(height, 5)]
        totals = [min(sum(p[side]["discs"].values()), 15) / 15 for side in self.both]
        allowances = [min(self.allowance(side), 15) / 15 for side in self.both]
        return {
            "own_discs": area(self.viewer),
            "rival_discs": area(self.rival),
            "disc_totals": totals + allowances,
            "bag": [p["bag"][colour] / 5 for colour in c.COLOURS],
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
        free = [min(max(n - held.total(), 0), 3) / 3 for n, held in zip(spaces, stored, strict=True)]

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
                min(count[colour, value], 2) / 2 for colour in c.DEVIATION_COLOURS for value in range(3)
            ],
            "deviation_colours": [float(colour in drawn) for colour in c.DEVIATION_COLOURS[:4]],
            "own_tbm": at_least(p[own]["tbm"], 9),
            "rival_tbm": at_least(p[rival]["tbm"], 9),
            "route_left": [len(p[side]["route"]) / 9 for side in self.both]
            + [sum(token[2] for token in self.tokens(side)) / 9 for side in self.both],
            "own_route": self.route(own),
            "rival_route": self.route(rival),
            "rival_peeks": self.peeks(own) + self.peeks(rival),
            "unseen_tokens": self.unseen(symbol_only=False),
            "unseen_symbols": self.unseen(symbol_only=True),
            "storage": [min(held[colour], 3) / 3 for held in stored for colour in c.COLOURS],
            "storage_room": free + [min(n, 4) / 4 for n in spaces],
        }

    def of_turn(self) -> dict[str, list[float]]:
        p, turn = self.position, self.turn
        agenda = [p[side].get("agenda", {"pending": None, "completed": []}) for side in self.both]
        placed = turn.get("rubble_placed", [None])[0]
        keep = turn.get("keep_colour") if p["phase"] == "keep" else None
        kept = min(turn.get("kept", 0), 15) / 15 if p["phase"] == "keep" else 0.0
        return {
            "agenda_pending": [x for a in agenda for x in one_hot(a["pending"], c.AGENDA_KINDS)],
            "agenda_completed": [float(k in a["completed"]) for a in agenda for k in c.AGENDA_KINDS],
            "agenda_unseen": [float(k in p.get("agenda_deck", [])) for k in c.AGENDA_KINDS],
            "agenda_drawn": one_hot(turn.get("agenda_card"), c.AGENDA_KINDS),
            "used_space": one_hot(turn.get("space"), c.SPACES),
            "action": one_hot(turn.get("action"), c.ACTION_KINDS),
            "last_action": one_hot(turn.get("last"), c.ACTION_KINDS),
            "action_slot": one_hot(turn.get("slot"), SLOTS),
            "placed_rubble": one_hot(placed, c.COLOURS),
            "keep": [*one_hot(keep, c.COLOURS), kept],
            "turn_flags": [
                float(turn.get("supervised", False)),
                float(turn.get("repairing", False)),
                min(turn.get("promotion_paid", 0), 3) / 3,
                float(p["previous"] == self.rival),
            ],
        }

    # --- what could come next ---------------------------------------------------------------------

    def of_next_turns(self) -> dict[str, list[float]]:
        own, rival = (self.placements(side) for side in self.both)
        lead = [self.of_game()["lead_at_centre"][k] for k in (7, 16 + 8)]  # own at least 0, at least 1
        next_turns = []
        for side, found, wins in ((self.viewer, own, lead[0]), (self.rival, rival, 1 - lead[1])):
            tunnel = any(self.is_tunnel(space, option) for space, option, _ in found)
            centre = tunnel and len(self.position[side]["route"]) == 1
            next_turns += [float(tunnel), float(centre), float(centre and wins == 1)]
        closing = [
            float(self.closes(side, mine, theirs, space))
            for side, mine, theirs in ((self.viewer, own, rival), (self.rival, rival, own))
            for space in c.SPACES
        ]
        places = [(s, option, colour) for s in c.SPACES for option in (0, 1) for colour in c.COLOURS]
        risks = [self.tunnel_risks(side) for side in self.both]
        shown = self.position["display"]
        return {
            "tunnel_risk": [risk[k] for k in (0, 1) for risk in risks],
            "own_placements": [float(place in own) for place in places],
            "rival_placements": [float(place in rival) for place in places],
            "tunnel_next": next_turns,
            "closing": closing,
            "display_points": [raised([self.cards[key]["points"]], 40)[0] if key else 0.0 for key in shown],
        }

    def tunnel_risks(self, side: str) -> tuple[float, float]:
        """That the side's next Tunnel loses: as the viewer knows its token, and if it is water."""
        if not self.position[side]["route"]:
            return 0.0, 0.0
        deviation = self.rules["deviation"]
        at_centre = len(self.position[side]["route"]) == 1
        none = at_centre and not self.rules["switches"]["final_tunnel_deviation_check"]
        dry, water = (
            chance_of_loss(
                self.position["deviation_deck"],
                self.position["deviation_discard"],
                deviation["limit"] - self.position[side]["deviation"],
                0 if none else draws,
            )
            for draws in (1, deviation["water_draws"][side])
        )
        colour, _, _, seen, _ = self.tokens(side)[0]
        candidates = [colour] if seen else [t[0] for s in c.SEATS for t in self.tokens(s) if not t[3]]
        blue = candidates.count("blue") / len(candidates)
        return blue * water + (1 - blue) * dry, water

    def discs(self, side: str, colour: str) -> int:
        return int(self.position[side]["discs"].get(colour, 0))

    def stack(self, space: str) -> tuple[str | None, int]:
        stacks = {colour: n for colour, n in self.position["spaces"].get(space, {}).items() if n}
        return next(iter(stacks.items()), (None, 0))

    def margin(self, side: str) -> int:
        """Discs that a stack needs beyond the one it replaces."""
        pending = self.position[side].get("agenda", {"pending": None})["pending"]
        if pending != "supervision" or self.turn.get("supervised", False):
            return 1
        strict = self.rules["switches"]["supervision_mode"] == "strict"
        return 2 if strict or self.placements(side, 2) else 1

    def placements(self, side: str, margin: int | None = None) -> set[tuple[str, int, str]]:
        """Space, option and colour of what the side could place on the board as it lies."""
        margin = self.margin(side) if margin is None else margin
        return {
            (space, option, colour)
            for space in c.SPACES
            for option in (0, 1)
            for colour in c.COLOURS
            if self.discs(side, colour) >= max(1, self.stack(space)[1] + margin)
            and self.has_effect(side, space, option, colour)
        }

    def action_of(self, space: str, option: int) -> str | None:
        if space == "plan_tunnel":
            return ("plan", "tunnel")[option]
        if space == "finance_technology":
            return ("finance", "technology")[option]
        key = self.position["display"][SLOTS.index(space)]
        if key is None:
            return None
        return "develop" if option else str(self.cards[key]["secondary"])

    def is_tunnel(self, space: str, option: int) -> bool:
        return self.action_of(space, option) == "tunnel"

    def has_effect(self, side: str, space: str, option: int, colour: str) -> bool:
        action, p = self.action_of(space, option), self.position
        if action is None:
            return False
        if action == "tunnel":
            return self.can_tunnel(side, space, colour)
        if self.rules["switches"]["null_actions"]:
            return True
        if action == "plan":
            return any(token.startswith("?") for token in p[side]["route"])
        if action == "finance":
            return any(p["display"])
        if action == "technology":
            return self.can_use_technology(side)
        card = self.cards[p["display"][SLOTS.index(space)]]
        return card["cost"] == "free" or bool(p[side]["storage"])

    def can_use_technology(self, side: str) -> bool:
        steps = any(self.next_step(side, track)[1] for track in (0, 1))
        if steps or self.position[side].get("agenda", {}).get("pending") == "repairs":
            return True
        purse = self.position[side]["money"] or self.extra_finance(side)
        aligns = bool(self.position[side]["deviation"] and purse)
        return aligns and self.rules["switches"]["technology_without_move"] != "never"

    def can_tunnel(self, side: str, space: str, colour: str) -> bool:
        """A face-up token in front, a free storage space, and discs left to pay with."""
        p = self.position[side]
        if not p["route"] or p["route"][0].startswith("?"):
            return False
        if len(p["storage"]) >= self.storage_spaces(side):
            return False
        hand = Counter({other: self.discs(side, other) for other in c.COLOURS if other != colour})
        taken, height = self.stack(space)
        if taken:
            hand[taken] += height
        return hand[p["route"][0].strip("*")] > 0 or hand.total() >= 2

    def closes(
        self, side: str, placements: set[tuple[str, int, str]], others: set[tuple[str, int, str]], space: str
    ) -> bool:
        """The side's tallest stack there leaves the other seat, which can place there now, out."""
        heights = [self.discs(side, colour) for s, _, colour in placements if s == space]
        if not heights or not any(s == space for s, _, _ in others):
            return False
        other = self.both[1 - self.both.index(side)]
        most = max(self.discs(other, colour) for colour in c.COLOURS)
        return most < max(heights) + self.margin(other)

    # --- the rules --------------------------------------------------------------------------------

    def of_rules(self) -> dict[str, list[float]]:
        r, both = self.rules, self.both
        scoring, deviation, switches = r["scoring"], r["deviation"], r["switches"]
        limit = r["discs"]["keep_limit"]
        penalties = deviation["penalties"] + [0] * (8 - len(deviation["penalties"]))
        colours = Counter(map(colour_of, deviation["cards"]))
        values = Counter(int(card[-1]) for card in deviation["cards"])
        points = ("centre_bonus", "centre_per_rival_token", "political_duel", "european_speech")
        return {
            "rule_discs": [
                r["discs"]["per_colour"] / 5,
                (r["discs"]["hand"] + r["head_start"]["allowance"][self.viewer]) / 25,
                1.0 if limit is None else limit / 25,
            ],
            "rule_route": [r["route"]["length"] / 9, r["rubble"]["stored_at_start"] / 3],
            "rule_tokens": [r["rubble"]["tokens"][colour] / 20 for colour in c.COLOURS],
            "rule_symbols": [r["rubble"]["agenda_symbols"][colour] / 20 for colour in c.COLOURS],
            "rule_storage": [r["storage"][side] / 6 for side in both],
            "rule_tracks": [x for side in both for name in TRACKS for x in self.track(side, name)],
            "rule_deviation": [deviation["limit"] / 7, *(n / 40 for n in penalties)],
            "rule_deviation_deck": [colours[colour] / 24 for colour in c.DEVIATION_COLOURS]
            + [values[n] / 24 for n in range(10)],
            "rule_water": [deviation["water_draws"][side] / 4 for side in both],
            "rule_scoring": [
                *raised([scoring[key] for key in (*points, "media_relations")]),
                scoring["european_speech_per"] / 20,
                r["extra_finance"] / 20,
            ],
            "rule_topographical": raised(scoring["topographical_analysis"]),
            "rule_cards": self.printed_cards(),
            "rule_agenda": [float(self.agenda), *raised([r["agenda"]["points"][kind] for kind in c.AGENDA_KINDS])],
            "rule_limits": [r["limits"]["max_empty_rounds"] / 100, r["limits"]["max_rounds"] / 200],
            "rule_switches": [
                float(switches["first_player_card"] == "first_to_pass"),
                float(switches["final_tunnel_deviation_check"]),
                float(switches["heavy_machinery_same_type"]),
                {"never": 0.0, "when_blocked": 0.5, "always": 1.0}[switches["technology_without_move"]],
                float(switches["new_card_usable_same_action"]),
                float(switches["supervision_mode"] == "strict"),
                float(switches["facedown_observation"] == "visible"),
                float(switches["stalemate_result"] == "score"),
                float(switches["auto_forced"]),
                float(switches["hand_cap"] == "always"),
                float(switches["supervision_completed"] == "at_placement"),
                float(switches["null_actions"]),
            ],
        }

    def track(self, side: str, name: str) -> list[float]:
        """Last space, points of every space, prices and benefits of entering the next ones."""
        r = self.rules
        points = r["track_points"][side][name]
        prices = dict(zip(r["barrier_spaces"][side][name], r["barriers"][side][name], strict=True))
        benefits = {int(space): found for space, found in r["benefits"][side][name].items()}
        row = [(len(points) - 1) / 7, *raised(points), *[0.0] * (8 - len(points))]
        row += [(prices[space] + 1) / 21 if space in prices else 0.0 for space in range(1, 8)]
        gains = [c.BENEFITS.index(benefits.get(space, "none")) for space in range(1, 8)]
        return row + [gain / 3 for gain in gains]

    def printed_cards(self) -> list[float]:
        row: list[float] = []
        for card in self.cards.values():
            row += [
                (c.CARD_KINDS.index(card["kind"]) + 1) / 16,
                (card["points"] + 20) / 40,
                c.COSTS.index(card["cost"]) / 3,
                card["money"] / 3,
                c.ACTION_KINDS.index(card["secondary"]) / 3,
            ]
        return row + [0.0] * (5 * c.MAX_CARDS - len(row))
