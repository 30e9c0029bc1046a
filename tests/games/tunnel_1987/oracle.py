"""A slow, plain, second reading of the rules of 1987 Channel Tunnel.

The tests play the fast engine and this oracle side by side and compare every position.  The oracle
is only worth something while it stays independent: it imports nothing from the package, and shares
with it nothing but the figures of a ruleset.  A comment such as ``# 2.4`` names the section of the rules
that a function keeps.

A game is one long generator.  Wherever a player has something to decide the generator
stops in :meth:`Oracle.ask`, and :meth:`Oracle.play` wakes it with the answer.  All luck comes from
the ``chance`` object handed in, so that a test can feed both engines the same outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, NoReturn, Protocol

SIDES = ("britain", "france")
COLOURS = ("blue", "black", "orange", "yellow", "white")
WATER = "blue"
SPACES = ("plan_tunnel", "finance_technology", "slot_1", "slot_2", "slot_3")
TRACKS = ("a", "b")
ACTIONS = ("plan", "tunnel", "finance", "technology", "development")
PROMOTION_PRICE = 3

# 9.1: where each block of action ids begins
PLACE, PASS, KEEP, PAY = 0, 50, 51, 81
FINANCE_SLOT, DEVELOP_SLOT, RUBBLE, RUBBLE_STOP = 96, 99, 102, 107
TRACK, PEEK_OWN, PEEK_RIVAL = 108, 110, 119
MONEY, MONEY_EXTRA, MONEY_DONE = 128, 131, 132
NEW_MATERIALS, CONTROL_ROOM, IMPROVE, HEAVY, CHAIN_DONE = 133, 134, 139, 140, 145
NEW_WORKERS, EXCHANGE, START_DONE = 146, 147, 167
AGENDA_KEEP, AGENDA_DISCARD, TRACK_NONE = 168, 169, 170

# 9.1: the colour pairs of ids 81-95 and the (give, take) pairs of ids 147-166, in id order
PAIRS = list(combinations_with_replacement(COLOURS, 2))
SWAPS = [(give, take) for give in COLOURS for take in COLOURS if give != take]

Story = Generator[None, int, None]
Answer = Generator[None, int, int]


class Chance(Protocol):
    """Where every random outcome comes from."""

    def shuffle(self, stream: str, items: list[str]) -> list[str]:
        """Return `items` in a new order; the stream is rubble, cards, deviation or agenda."""

    def draw_disc(self, seat: int, bag: dict[str, int]) -> str:
        """Return the colour of one disc out of `bag`."""


class GameOver(Exception):
    """Raised inside the story to stop everything at once."""


@dataclass
class Token:
    """A rubble token on the route; `seen_by` holds the seats that have peeked at it."""

    colour: str
    symbol: bool
    index: int
    up: bool = False
    seen_by: set[int] = field(default_factory=set)


@dataclass
class OwnedCard:
    """A playing card in a player's area, with its tokens in the order they were placed."""

    key: str
    rubble: list[str]
    used: bool = False


@dataclass
class Player:
    """Everything that lies on one side of the table."""

    route: list[Token]
    storage: list[str]
    discs: Counter[str] = field(default_factory=Counter)
    tbm: int = 0
    deviation: int = 0
    counters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TRACKS, 0))
    money: list[str] = field(default_factory=list)
    cards: list[OwnedCard] = field(default_factory=list)
    agenda: str | None = None
    completed: list[str] = field(default_factory=list)


class Oracle:
    """One game, from set-up to the end."""

    def __init__(self, rules: dict[str, Any], chance: Chance) -> None:
        self.rules = rules
        self.switches: dict[str, Any] = rules["switches"]
        self.chance = chance
        self.info: dict[str, dict[str, Any]] = {c["card"]: c for c in rules["deck"]["cards"]}
        self.card_id = {card["card"]: i for i, card in enumerate(rules["deck"]["cards"])}
        self.length: int = rules["route"]["length"]

        self.to_play: int | None = None
        self.phase = "over"
        self.over = False
        self.winner: int | None = None
        self.end_cause: str | None = None
        self._legal: list[int] = []

        self.round = 0
        self.empty_rounds = 0
        self.first_player = 0
        self.passed: list[int] = []
        self.placement_made = False
        self.previous_turn: tuple[int, str] | None = None  # (seat, placement | pass | skip)
        self.turn_space: str | None = None
        self.last_action: str | None = None
        self.just_taken: str | None = None  # card of the Development action just completed
        self.tokens_in_hand: list[str] = []  # on their way from storage to a card
        self.agenda_offer: str | None = None  # drawn, neither kept nor discarded yet

        self.set_up()
        self._story = self.tell()
        self._wake(None)

    # ------------------------------------------------------------------ the outside

    def legal(self) -> list[int]:
        """The ids that may be played now, sorted; none once the game is over."""
        return list(self._legal)

    def play(self, action: int) -> None:
        """Give the answer that the story waits for."""
        if action not in self._legal:
            raise ValueError(f"action {action} is not legal in phase {self.phase}: {self._legal}")
        self._wake(action)

    def _wake(self, action: int | None) -> None:
        try:
            self._story.send(action)  # type: ignore[arg-type]
        except StopIteration:
            self.over, self.to_play, self.phase, self._legal = True, None, "over", []

    def ask(self, seat: int, phase: str, ids: Iterable[int]) -> Answer:  # 9.2
        """Put a choice to a player; with auto_forced a lone answer is given by itself."""
        legal = sorted(ids)
        assert legal, f"nothing to answer in phase {phase}"
        if len(legal) == 1 and self.switches["auto_forced"]:
            return legal[0]
        self.to_play, self.phase, self._legal = seat, phase, legal
        return (yield)

    # ------------------------------------------------------------------ set-up

    def set_up(self) -> None:  # 1.3
        rubble = self.shuffled("rubble", self.all_rubble())
        stored: int = self.rules["rubble"]["stored_at_start"]
        self.players: list[Player] = []
        for seat in (0, 1):
            names = rubble[seat * self.length : (seat + 1) * self.length]
            route = [Token(name.rstrip("*"), "*" in name, i) for i, name in enumerate(names)]
            route[0].up = True
            start = 2 * self.length + seat * stored
            store = [name.rstrip("*") for name in rubble[start : start + stored]]
            self.players.append(Player(route, store))

        self.stacks: dict[str, Counter[str]] = {space: Counter() for space in SPACES}
        self.deck = self.shuffled("cards", list(self.info))
        self.discard: list[str] = []
        for side, player in zip(SIDES, self.players, strict=True):
            cards: int = self.rules["head_start"]["money_cards"][side]
            player.money = [self.deck.pop(0) for _ in range(cards)]
        self.display: list[str | None] = [None, None, None]
        self.refill()
        self.deviation_deck = self.shuffled("deviation", list(self.rules["deviation"]["cards"]))
        self.deviation_discard: list[str] = []
        self.agenda_deck: list[str] = []
        if self.rules["agenda"]["enabled"]:
            self.agenda_deck = self.shuffled("agenda", list(self.rules["agenda"]["points"]))
        self.bag = Counter({colour: self.rules["discs"]["per_colour"] for colour in COLOURS})
        self.out_of_game: Counter[str] = Counter()

    def all_rubble(self) -> list[str]:
        """Every rubble token by name, a star on those with the agenda symbol."""
        tokens: list[str] = []
        for colour in COLOURS:
            symbols: int = self.rules["rubble"]["agenda_symbols"][colour]
            plain: int = self.rules["rubble"]["tokens"][colour] - symbols
            tokens += [colour + "*"] * symbols + [colour] * plain
        return tokens

    def shuffled(self, stream: str, items: list[str]) -> list[str]:
        result = self.chance.shuffle(stream, list(items))
        if sorted(result) != sorted(items):
            raise ValueError(f"the {stream} shuffle is no permutation of {items}: {result}")
        return list(result)

    # ------------------------------------------------------------------ rounds

    def tell(self) -> Story:
        """The whole game, from the first round on."""
        try:
            while True:
                self.start_round()
                yield from self.window(self.first_player)
                yield from self.window(1 - self.first_player)
                yield from self.turns()
                self.end_round()
        except GameOver:
            return

    def start_round(self) -> None:  # 2.1
        self.round += 1
        self.passed = []
        self.placement_made = False
        self.previous_turn = None
        self.just_taken = None
        for player in self.players:
            for card in player.cards:
                card.used = False
        self.draw_up_to_allowance(self.first_player)
        self.draw_up_to_allowance(1 - self.first_player)
        if self.is_dead_position():
            self.stop_unfinished("dead_position")

    def draw_up_to_allowance(self, seat: int) -> None:  # 2.1, 5.6, Training of 7.2
        player = self.players[seat]
        missing = max(0, self.allowance(seat) - player.discs.total())
        drawn = min(missing, self.bag.total())
        if player.agenda == "training" and drawn >= 1:  # A72
            drawn -= 1
            self.complete_agenda(seat)
        for _ in range(drawn):
            self.draw_disc(seat)

    def draw_disc(self, seat: int) -> None:
        colour = self.chance.draw_disc(seat, {c: n for c, n in self.bag.items() if n})
        if not self.bag[colour]:
            raise ValueError(f"no {colour} disc in the bag")
        self.bag[colour] -= 1
        self.players[seat].discs[colour] += 1

    def allowance(self, seat: int) -> int:  # 2.1
        hand: int = self.rules["discs"]["hand"]
        start, side = self.rules["head_start"], SIDES[seat]
        more: int = start["allowance"][side] + (start["first_discs"][side] if self.round == 1 else 0)
        return hand + more + self.benefits_reached(seat, "extra_disc")

    def benefits_reached(self, seat: int, benefit: str) -> int:
        """How many spaces with this benefit the player's counters have reached or passed."""
        tables: dict[str, dict[int, str]] = self.rules["benefits"][SIDES[seat]]
        counters = self.players[seat].counters
        return sum(
            gain == benefit and space <= counters[track] for track in TRACKS for space, gain in tables[track].items()
        )

    def is_dead_position(self) -> bool:  # A57
        if any(self.display) or self.switches["null_actions"]:
            return False
        return not any(
            self.can_plan(seat) or self.has_free_storage(seat) or self.can_do_technology(seat) for seat in (0, 1)
        )

    def window(self, seat: int) -> Story:  # 2.1 step 4, 3.1
        """The round-start window: New workers and Exchange, as often as cards allow."""
        player, rival = self.players[seat], self.players[1 - seat]
        while True:
            ids: list[int] = []
            if self.ready_card(seat, "new_workers") and self.bag.total():
                ids.append(NEW_WORKERS)
            if self.ready_card(seat, "exchange"):
                for i, (give, take) in enumerate(SWAPS):
                    if player.discs[give] and rival.discs[take]:
                        ids.append(EXCHANGE + i)
            if not ids:
                return
            action = yield from self.ask(seat, "window", [*ids, START_DONE])
            if action == START_DONE:
                return
            if action == NEW_WORKERS:
                self.use_card(seat, "new_workers")
                self.draw_disc(seat)
            else:
                self.use_card(seat, "exchange")
                give, take = SWAPS[action - EXCHANGE]
                player.discs[give] -= 1
                rival.discs[give] += 1
                rival.discs[take] -= 1
                player.discs[take] += 1

    def end_round(self) -> None:  # 5.4, 6.5
        for stack in self.stacks.values():
            self.bag += stack
            stack.clear()
        self.empty_rounds = 0 if self.placement_made else self.empty_rounds + 1
        if self.empty_rounds >= self.rules["limits"]["max_empty_rounds"]:
            self.stop_unfinished("empty_rounds")
        if self.round == self.rules["limits"]["max_rounds"]:
            self.stop_unfinished("max_rounds")

    # ------------------------------------------------------------------ turns

    def turns(self) -> Story:  # 2.2
        """All turns of one round, until both players have passed."""
        seat = self.first_player
        while len(self.passed) < 2:
            if self.must_skip(seat):
                self.complete_agenda(seat)
                self.previous_turn = (seat, "skip")
            else:
                yield from self.turn(seat)
            if 1 - seat not in self.passed:
                seat = 1 - seat

    def must_skip(self, seat: int) -> bool:  # Warehouse Inspection of 7.2, A69
        return (
            self.players[seat].agenda == "warehouse_inspection"
            and 1 - seat not in self.passed
            and self.previous_turn == (1 - seat, "placement")
        )

    def turn(self, seat: int) -> Story:  # 2.2
        action = yield from self.ask(seat, "turn", [*self.placements(seat), PASS])
        if action == PASS:
            yield from self.pass_turn(seat)
            self.previous_turn = (seat, "pass")
        else:
            yield from self.place(seat, action)
            self.previous_turn = (seat, "placement")

    def pass_turn(self, seat: int) -> Story:  # 5.1 to 5.3, A18
        if not self.passed or self.switches["first_player_card"] == "last_to_pass":
            self.first_player = seat
        self.passed.append(seat)
        discs = self.players[seat].discs
        room = self.allowance(seat)
        if self.rules["discs"]["keep_limit"] is not None:
            room = min(room, self.rules["discs"]["keep_limit"])
        for i, colour in enumerate(COLOURS):
            held = discs[colour]
            if not held:
                continue
            first = KEEP + 6 * i
            action = yield from self.ask(seat, "keep", range(first, first + min(held, room) + 1))
            kept = action - first
            room -= kept
            discs[colour] = kept
            self.bag[colour] += held - kept

    def placements(self, seat: int) -> list[int]:  # 2.3, Supervision of 7.2, A70
        """The ids of all legal placements."""
        if self.players[seat].agenda != "supervision":
            return self.placements_beating_by(seat, 1)
        strong = self.placements_beating_by(seat, 2)
        if not strong and self.switches["supervision_mode"] == "soft":
            return self.placements_beating_by(seat, 1)
        return strong

    def placements_beating_by(self, seat: int, margin: int) -> list[int]:  # 2.3
        ids: list[int] = []
        for s, space in enumerate(SPACES):
            for c, colour in enumerate(COLOURS):
                count = self.players[seat].discs[colour]
                if count == 0 or count < self.stacks[space].total() + margin:
                    continue
                for option in (0, 1):
                    if self.placement_has_effect(seat, space, option, colour):
                        ids.append(PLACE + 10 * s + 5 * option + c)
        return ids

    def placement_has_effect(self, seat: int, space: str, option: int, colour: str) -> bool:
        """Whether the chosen action could be done once the discs have moved (2.3 step 4, A06)."""
        slot = slot_of(space)
        if slot is not None and self.display[slot] is None:  # A09
            return False
        action = self.action_of(space, option)
        if action == "tunnel":
            discs = self.players[seat].discs + self.stacks[space]
            discs[colour] -= self.players[seat].discs[colour]
            return self.can_tunnel(seat, discs)
        return bool(self.switches["null_actions"]) or self.can_do(seat, action, slot)

    def action_of(self, space: str, option: int) -> str:
        """The action that an option of a space stands for (A07)."""
        slot = slot_of(space)
        if slot is None:
            return (("plan", "tunnel"), ("finance", "technology"))[SPACES.index(space)][option]
        if option == 1:
            return "development"
        card = self.display[slot]
        assert card is not None
        return str(self.info[card]["secondary"])

    def place(self, seat: int, action: int) -> Story:  # 2.4
        """One placement turn: discs, action, agenda consequences, chain window."""
        player = self.players[seat]
        space = SPACES[action // 10]
        option, colour = action % 10 // 5, COLOURS[action % 5]
        slot, kind = slot_of(space), self.action_of(space, option)

        old, count = self.stacks[space], player.discs.pop(colour)
        supervised = player.agenda == "supervision" and count >= old.total() + 2
        player.discs += old
        self.stacks[space] = Counter({colour: count})
        self.turn_space = space
        self.placement_made = True
        if supervised and self.switches["supervision_completed"] == "at_placement":  # B09
            supervised = False
            self.complete_agenda(seat)

        if slot is not None and option == 0 and kind != "finance":  # A11
            card = self.display[slot]
            assert card is not None
            self.display[slot] = None
            self.discard.append(card)
            self.refill()
        if self.can_do(seat, kind, slot):
            yield from self.perform(seat, kind, slot)
        else:  # a null action, A06
            self.just_taken, self.last_action = None, kind
        if supervised:
            self.complete_agenda(seat)
        yield from self.chain_window(seat)
        self.turn_space = None
        self.just_taken = None

    # ------------------------------------------------------------------ the five actions

    def can_do(self, seat: int, action: str, slot: int | None = None) -> bool:  # 2.5
        """Whether an action can be performed; `slot` is None for a free choice of the slots."""
        if action == "plan":
            return self.can_plan(seat)
        if action == "tunnel":
            return self.can_tunnel(seat, self.players[seat].discs)
        if action == "finance":
            return any(self.display)
        if action == "technology":
            return self.can_do_technology(seat)
        slots = range(3) if slot is None else [slot]
        return any(self.can_develop(seat, i) for i in slots)

    def perform(self, seat: int, action: str, slot: int | None = None) -> Story:  # 2.5
        """Perform an action; `slot` ties Finance and Development to the card of that slot."""
        self.just_taken = None
        if action == "plan":
            yield from self.plan(seat)
        elif action == "tunnel":
            yield from self.tunnel(seat)
        elif action == "finance":
            yield from self.finance(seat, slot)
        elif action == "technology":
            yield from self.technology(seat)
        else:
            yield from self.development(seat, slot)
        self.last_action = action

    def can_plan(self, seat: int) -> bool:  # 2.5 PLAN, A63
        return any(not token.up for token in self.players[seat].route)

    def plan(self, seat: int) -> Story:  # 2.5 PLAN
        token = next(token for token in self.players[seat].route if not token.up)
        token.up = True
        if token.symbol:
            yield from self.draw_agenda_card(seat)

    def has_free_storage(self, seat: int) -> bool:  # 2.5 TUNNEL, A24
        spaces: int = self.rules["storage"][SIDES[seat]] + self.benefits_reached(seat, "storage")
        return len(self.players[seat].storage) < spaces

    def can_tunnel(self, seat: int, discs: Counter[str]) -> bool:  # 2.5 TUNNEL, A05
        """Whether a Tunnel could be done if the player's area held `discs`."""
        front = self.players[seat].route[0]
        affordable = discs[front.colour] >= 1 or discs.total() >= 2
        return front.up and self.has_free_storage(seat) and affordable

    def tunnel(self, seat: int) -> Story:  # 2.5 TUNNEL
        player = self.players[seat]
        yield from self.pay_tunnel(seat, player.route[0].colour)
        token = player.route.pop(0)
        player.storage.append(token.colour)
        player.tbm += 1
        if player.tbm == self.length:
            if self.switches["final_tunnel_deviation_check"]:  # A29
                self.check_deviation(seat, token.colour)
            self.end_at_centre(seat)
        self.check_deviation(seat, token.colour)

    def pay_tunnel(self, seat: int, colour: str) -> Story:  # 2.5 TUNNEL step 1, A26
        discs = self.players[seat].discs
        payment: tuple[str, ...] = (colour,)
        if not discs[colour]:
            ids = [
                PAY + i
                for i, (one, two) in enumerate(PAIRS)
                if discs[one] and discs[two] and (one != two or discs[one] >= 2)
            ]
            action = yield from self.ask(seat, "tunnel_pay", ids)
            payment = PAIRS[action - PAY]
        for disc in payment:
            discs[disc] -= 1
            self.bag[disc] += 1

    def finance(self, seat: int, slot: int | None) -> Story:  # 2.5 FINANCE
        if slot is None:
            ids = [FINANCE_SLOT + i for i in range(3) if self.display[i] is not None]
            slot = (yield from self.ask(seat, "finance", ids)) - FINANCE_SLOT
        card = self.display[slot]
        assert card is not None
        self.display[slot] = None
        self.players[seat].money.append(card)
        self.refill()
        if self.players[seat].agenda == "promotion":
            yield from self.promotion(seat)

    def can_develop(self, seat: int, slot: int) -> bool:  # 2.5 DEVELOPMENT
        card = self.display[slot]
        if card is None:
            return False
        return self.info[card]["cost"] == "free" or bool(self.players[seat].storage)

    def development(self, seat: int, slot: int | None) -> Story:  # 2.5 DEVELOPMENT, A08, A32
        if slot is None:
            ids = [DEVELOP_SLOT + i for i in range(3) if self.can_develop(seat, i)]
            slot = (yield from self.ask(seat, "develop", ids)) - DEVELOP_SLOT
        card = self.display[slot]
        assert card is not None
        yield from self.pay_rubble(seat, self.info[card]["cost"])
        self.display[slot] = None
        self.players[seat].cards.append(OwnedCard(card, self.tokens_in_hand))
        self.tokens_in_hand = []
        self.just_taken = card
        self.refill()

    def pay_rubble(self, seat: int, cost: str) -> Story:  # 1.2, 2.5 DEVELOPMENT step 2
        """Choose the stored tokens a card costs; those for the card itself stay in hand."""
        if cost == "free":
            return
        yield from self.choose_token(seat, may_stop=False)
        if cost == "discard1":
            self.out_of_game[self.tokens_in_hand.pop()] += 1
        elif cost == "place1or2" and self.players[seat].storage:
            yield from self.choose_token(seat, may_stop=True)

    def choose_token(self, seat: int, may_stop: bool) -> Story:
        storage = self.players[seat].storage
        ids = [RUBBLE + i for i, colour in enumerate(COLOURS) if colour in storage]
        action = yield from self.ask(seat, "rubble", ids + [RUBBLE_STOP] * may_stop)
        if action != RUBBLE_STOP:
            storage.remove(COLOURS[action - RUBBLE])
            self.tokens_in_hand.append(COLOURS[action - RUBBLE])

    # ------------------------------------------------------------------ technology

    def can_do_technology(self, seat: int) -> bool:  # 2.5 TECHNOLOGY, A16, A74
        return self.players[seat].agenda == "repairs" or bool(self.track_choices(seat))

    def track_choices(self, seat: int) -> list[int]:  # 2.5 TECHNOLOGY, A16
        ids = [TRACK + i for i, track in enumerate(TRACKS) if self.can_move(seat, track)]
        mode = self.switches["technology_without_move"]
        allowed = mode == "always" or (mode == "when_blocked" and not ids)
        if allowed and self.align_choices(seat):
            ids.append(TRACK_NONE)
        return ids

    def can_move(self, seat: int, track: str) -> bool:
        counter = self.players[seat].counters[track]
        if counter == len(self.rules["track_points"][SIDES[seat]][track]) - 1:
            return False
        extra: int = self.rules["extra_finance"] * len(self.ready_cards(seat, "extra_finance"))
        return self.money_total(seat) + extra >= self.barrier_before(seat, track, counter + 1)

    def barrier_before(self, seat: int, track: str, space: int) -> int:
        """The price of the barrier just before a space, 0 where there is none."""
        spaces: list[int] = self.rules["barrier_spaces"][SIDES[seat]][track]
        prices: list[int] = self.rules["barriers"][SIDES[seat]][track]
        return dict(zip(spaces, prices, strict=True)).get(space, 0)

    def money_total(self, seat: int) -> int:
        return sum(self.info[card]["money"] for card in self.players[seat].money)

    def technology(self, seat: int) -> Story:  # 2.5 TECHNOLOGY, Repairs of 7.2
        repairs = self.players[seat].agenda == "repairs"
        if not repairs:
            action = yield from self.ask(seat, "track", self.track_choices(seat))
            if action != TRACK_NONE:
                yield from self.move_counter(seat, TRACKS[action - TRACK])
        yield from self.align(seat)
        if repairs:
            self.complete_agenda(seat)

    def move_counter(self, seat: int, track: str) -> Story:  # 2.5 TECHNOLOGY steps 3 and 4, A24
        player = self.players[seat]
        space = player.counters[track] + 1
        price = self.barrier_before(seat, track, space)
        if price:
            self.pay_barrier(seat, price)
        player.counters[track] = space
        if self.rules["benefits"][SIDES[seat]][track].get(space) == "peek":
            yield from self.peek(seat)

    def pay_barrier(self, seat: int, price: int) -> None:  # 2.5 TECHNOLOGY step 3, A14, A15
        """All money goes, then as few Extra finance cards as needed; the surplus aligns."""
        player = self.players[seat]
        total = self.money_total(seat)
        self.discard += player.money
        player.money = []
        self.refill()
        while total < price:
            self.use_card(seat, "extra_finance")
            total += self.rules["extra_finance"]
        self.lower_deviation(seat, total - price)

    def peek(self, seat: int) -> Story:  # 2.5 TECHNOLOGY step 4, A17, A80
        hidden = {
            first + token.index: token
            for first, side in ((PEEK_OWN, seat), (PEEK_RIVAL, 1 - seat))
            for token in self.players[side].route
            if not token.up
        }
        if hidden:
            action = yield from self.ask(seat, "peek", hidden)
            hidden[action].seen_by.add(seat)

    def align(self, seat: int) -> Story:  # 2.5 TECHNOLOGY step 5, A23
        while ids := self.align_choices(seat):
            action = yield from self.ask(seat, "align", [*ids, MONEY_DONE])
            if action == MONEY_DONE:
                return
            if action == MONEY_EXTRA:
                self.use_card(seat, "extra_finance")
                self.lower_deviation(seat, self.rules["extra_finance"])
            else:
                self.discard_money(seat, action - MONEY + 1)
                self.lower_deviation(seat, action - MONEY + 1)

    def align_choices(self, seat: int) -> list[int]:
        """The payments that would lower the player's deviation now."""
        if self.players[seat].deviation == 0:
            return []
        extra = [MONEY_EXTRA] if self.ready_card(seat, "extra_finance") else []
        return self.money_choices(seat) + extra

    def money_choices(self, seat: int) -> list[int]:
        values = {self.info[card]["money"] for card in self.players[seat].money}
        return [MONEY + value - 1 for value in sorted(values)]

    def discard_money(self, seat: int, value: int) -> None:  # A66
        """Discard the oldest money card of this value."""
        money = self.players[seat].money
        card = next(card for card in money if self.info[card]["money"] == value)
        money.remove(card)
        self.discard.append(card)
        self.refill()

    # ------------------------------------------------------------------ the card display

    def refill(self) -> None:  # 2.6, A10, A65
        """Fill the empty slots, lowest first, shuffling the discard only when the deck is out."""
        for slot in range(3):
            if self.display[slot] is not None:
                continue
            if not self.deck and self.discard:
                self.deck = self.shuffled("cards", self.discard)
                self.discard = []
            if self.deck:
                self.display[slot] = self.deck.pop(0)

    # ------------------------------------------------------------------ card abilities

    def ready_cards(self, seat: int, kind: str) -> list[OwnedCard]:  # 3, 9.1
        """The usable copies of a kind: most tokens first, then the lowest card id."""
        ready = [
            card
            for card in self.players[seat].cards
            if self.info[card.key]["kind"] == kind and card.rubble and not card.used
        ]
        return sorted(ready, key=lambda card: (-len(card.rubble), self.card_id[card.key]))

    def ready_card(self, seat: int, kind: str) -> OwnedCard | None:
        return next(iter(self.ready_cards(seat, kind)), None)

    def chain_card(self, seat: int, kind: str) -> OwnedCard | None:  # 3, A33
        """The copy a chain window would use: not the card this very action brought in."""
        for card in self.ready_cards(seat, kind):
            if self.switches["new_card_usable_same_action"] or card.key != self.just_taken:
                return card
        return None

    def use_card(self, seat: int, kind: str, card: OwnedCard | None = None) -> None:  # 3
        """Take the first-placed token off a card, out of the game, and mark the card used."""
        card = card or self.ready_card(seat, kind)
        assert card is not None
        self.out_of_game[card.rubble.pop(0)] += 1
        card.used = True

    def chain_window(self, seat: int) -> Story:  # 3.3, A34
        """Red cards and Improve technology, after each completed action of the turn."""
        while uses := self.chain_choices(seat):
            action = yield from self.ask(seat, "chain", [*uses, CHAIN_DONE])
            if action == CHAIN_DONE:
                return
            kind, effect = uses[action]
            self.use_card(seat, kind, self.chain_card(seat, kind))
            if effect == "recover":
                self.recover_disc(seat)
            else:
                yield from self.perform(seat, effect)

    def chain_choices(self, seat: int) -> dict[int, tuple[str, str]]:  # 3.3
        """For each usable id the card kind behind it and what it does."""
        last = self.last_action
        uses = {NEW_MATERIALS: ("new_materials", "recover")}
        if last == "plan":
            uses[CONTROL_ROOM + 0] = ("control_room_1", "recover")
            uses[CONTROL_ROOM + 2] = ("control_room_3", "plan")
            uses[CONTROL_ROOM + 3] = ("control_room_4", "tunnel")
        if last == "technology":
            uses[CONTROL_ROOM + 1] = ("control_room_2", "recover")
            uses[CONTROL_ROOM + 4] = ("control_room_5", "technology")
            uses[IMPROVE] = ("improve_technology", "technology")
        for i, action in enumerate(ACTIONS):
            if action != last or self.switches["heavy_machinery_same_type"]:  # A31
                uses[HEAVY + i] = ("heavy_machinery", action)
        return {
            number: (kind, effect)
            for number, (kind, effect) in uses.items()
            if self.chain_card(seat, kind) and self.chain_effect_possible(seat, effect)
        }

    def chain_effect_possible(self, seat: int, effect: str) -> bool:  # 3.3, A36
        if effect == "recover":
            assert self.turn_space is not None
            return self.stacks[self.turn_space].total() > 0 and self.has_room_in_hand(seat)
        return self.can_do(seat, effect)

    def has_room_in_hand(self, seat: int) -> bool:  # A19, A54
        """Whether a disc taken back stays within what the hand may hold."""
        if self.switches["hand_cap"] == "draw":
            return True
        player = self.players[seat]
        workers = sum(c.used and self.info[c.key]["kind"] == "new_workers" for c in player.cards)
        return player.discs.total() < self.allowance(seat) + workers

    def recover_disc(self, seat: int) -> None:  # 3.3, A35
        assert self.turn_space is not None
        stack = self.stacks[self.turn_space]
        colour = next(stack.elements())
        stack[colour] -= 1
        self.players[seat].discs[colour] += 1

    # ------------------------------------------------------------------ deviation

    def check_deviation(self, seat: int, colour: str) -> None:  # 4, A28
        """The check after a Tunnel: water leaks in Britain and holds tight in France."""
        water: int = self.rules["deviation"]["water_draws"][SIDES[seat]]
        for _ in range(water if colour == WATER else 1):
            self.draw_deviation_card(seat)

    def draw_deviation_card(self, seat: int) -> None:  # 4, A30
        card = self.deviation_deck.pop(0)
        colour, steps = read_deviation_card(card)
        earlier = {read_deviation_card(other)[0] for other in self.deviation_discard}
        self.players[seat].deviation += steps
        self.deviation_discard.append(card)
        if self.players[seat].deviation > self.rules["deviation"]["limit"]:
            self.stop("deviation", winner=1 - seat)  # 6.1
        if colour != "none" and colour in earlier:
            everything = self.deviation_deck + self.deviation_discard
            self.deviation_deck = self.shuffled("deviation", everything)
            self.deviation_discard = []

    def lower_deviation(self, seat: int, steps: int) -> None:  # 4
        player = self.players[seat]
        player.deviation = max(0, player.deviation - steps)

    # ------------------------------------------------------------------ agenda

    def draw_agenda_card(self, seat: int) -> Story:  # 7.1, 7.3
        player = self.players[seat]
        if player.agenda is not None or not self.agenda_deck:
            return
        self.agenda_offer = self.agenda_deck.pop(0)
        action = yield from self.ask(seat, "agenda", [AGENDA_KEEP, AGENDA_DISCARD])
        card, self.agenda_offer = self.agenda_offer, None
        if action == AGENDA_DISCARD:
            return
        player.agenda = card
        if card == "check_up":
            self.draw_deviation_card(seat)
            self.complete_agenda(seat)
        elif card == "promotion":
            yield from self.promotion(seat)

    def promotion(self, seat: int) -> Story:  # Promotion of 7.2, A75
        """Pay three million in money cards as soon as the player has that much."""
        if self.money_total(seat) < PROMOTION_PRICE:
            return
        paid = 0
        while paid < PROMOTION_PRICE:
            action = yield from self.ask(seat, "promotion", self.money_choices(seat))
            self.discard_money(seat, action - MONEY + 1)
            paid += action - MONEY + 1
        self.complete_agenda(seat)

    def complete_agenda(self, seat: int) -> None:  # 7.2
        player = self.players[seat]
        assert player.agenda is not None
        player.completed.append(player.agenda)
        player.agenda = None

    # ------------------------------------------------------------------ the end

    def bust(self, player: Player) -> bool:  # 6.1
        """Beyond the last safe level: lost, even on the last space."""
        return player.deviation > self.rules["deviation"]["limit"]

    def stop(self, cause: str, winner: int | None) -> NoReturn:
        self.end_cause, self.winner = cause, winner
        raise GameOver

    def end_at_centre(self, seat: int) -> NoReturn:  # 6.2, 6.4
        mine, theirs = self.total(seat), self.total(1 - seat)
        self.stop("centre", winner=seat if mine >= theirs else 1 - seat)

    def stop_unfinished(self, cause: str) -> NoReturn:  # 6.5
        """Stop a game that nobody finished; equal scores are a draw."""
        totals = [self.total(0), self.total(1)]
        drawn = self.switches["stalemate_result"] == "draw" or totals[0] == totals[1]
        self.stop(cause, winner=None if drawn else totals.index(max(totals)))

    def scores(self) -> list[dict[str, int]]:  # 6.3
        """Both scores by item, as if the game were counted now."""
        return [self.score(0), self.score(1)]

    def total(self, seat: int) -> int:
        return self.score(seat)["total"]

    def score(self, seat: int) -> dict[str, int]:  # 6.3, 3.2
        player, rival = self.players[seat], self.players[1 - seat]
        scoring = self.rules["scoring"]
        influence = self.count_kind(player, "european_influence")
        more_influence = influence > self.count_kind(rival, "european_influence")  # A49
        more_cards = card_count(player) > card_count(rival)
        duel = scoring["political_duel"] if more_influence else 0
        speech = scoring["european_speech"] * (influence // scoring["european_speech_per"])
        media = scoring["media_relations"] if more_cards else 0
        bonus = scoring["centre_bonus"] + scoring["centre_per_rival_token"] * len(rival.route)
        items: dict[str, int] = {
            "cards": sum(self.info[card.key]["points"] for card in player.cards),
            "technology": self.technology_points(seat),
            "deviation": -self.deviation_penalty(seat),
            "centre": bonus if player.tbm == self.length and not self.bust(player) else 0,
            "political_duel": duel * self.count_kind(player, "political_duel"),
            "european_speech": speech * self.count_kind(player, "european_speech"),
            "media_relations": media * self.count_kind(player, "media_relations"),
            "topographical_analysis": self.topographical_points(player),
            "agenda": self.agenda_points(player),
        }
        start: dict[str, int] = self.rules["head_start"]["points"]
        if any(start.values()):
            items["head_start"] = start[SIDES[seat]]
        return {"total": sum(items.values()), **items}

    def count_kind(self, player: Player, kind: str) -> int:
        return sum(self.info[card.key]["kind"] == kind for card in player.cards)

    def technology_points(self, seat: int) -> int:  # A52
        points: dict[str, list[int]] = self.rules["track_points"][SIDES[seat]]
        return sum(points[track][self.players[seat].counters[track]] for track in TRACKS)

    def deviation_penalty(self, seat: int) -> int:  # A51
        levels: list[int] = self.rules["deviation"]["penalties"]
        return levels[min(self.players[seat].deviation, len(levels) - 1)]

    def topographical_points(self, player: Player) -> int:  # 3.2, A50
        colours = {
            colour
            for card in player.cards
            if self.info[card.key]["kind"] == "topographical_analysis"
            for colour in card.rubble
        }
        awards: list[int] = self.rules["scoring"]["topographical_analysis"]
        return awards[len(colours)]

    def agenda_points(self, player: Player) -> int:  # 7.2
        points: dict[str, int] = self.rules["agenda"]["points"]
        pending = points[player.agenda] if player.agenda else 0
        return sum(points[card] for card in player.completed) - pending

    # ------------------------------------------------------------------ the position in words

    def snapshot(self) -> dict[str, Any]:
        """The whole position, hidden things included, in plain values."""
        return {
            "round": self.round,
            "to_play": side_name(self.to_play),
            "phase": self.phase,
            "first_player": SIDES[self.first_player],
            "passed": [SIDES[seat] for seat in sorted(self.passed)],
            "spaces": {s: counts(stack) for s, stack in self.stacks.items() if stack.total()},
            "display": list(self.display),
            "deck": list(self.deck),
            "discard": sorted(self.discard),
            "deviation_deck": list(self.deviation_deck),
            "deviation_discard": sorted(self.deviation_discard),
            "agenda_deck": list(self.agenda_deck),
            "bag": counts(self.bag),
            "out_of_game": counts(self.out_of_game),
            "empty_rounds": self.empty_rounds,
            "winner": side_name(self.winner),
            "end_cause": self.end_cause,
            **{SIDES[seat]: self.side_snapshot(seat) for seat in (0, 1)},
        }

    def side_snapshot(self, seat: int) -> dict[str, Any]:
        player = self.players[seat]
        cards = [{"card": c.key, "rubble": list(c.rubble), "used": c.used} for c in player.cards]
        return {
            "discs": counts(player.discs),
            "tbm": player.tbm,
            "route": [token_name(token) for token in player.route],
            "storage": sorted(player.storage),
            "deviation": player.deviation,
            "technology": [player.counters[track] for track in TRACKS],
            "money": list(player.money),
            "cards": sorted(cards, key=lambda card: card["card"]),
            "agenda": {"pending": player.agenda, "completed": sorted(player.completed)},
            "peeked": sorted(
                [SIDES[side], token.index]
                for side in (0, 1)
                for token in self.players[side].route
                if not token.up and seat in token.seen_by
            ),
        }


# ---------------------------------------------------------------------- small helpers


def slot_of(space: str) -> int | None:
    """The display slot (0-2) of a space, None for the two permanent ones."""
    return int(space[-1]) - 1 if space.startswith("slot_") else None


def read_deviation_card(name: str) -> tuple[str, int]:
    """Colour and size of a deviation card: "red-1" is ("red", 1)."""
    return name.rstrip("-0123456789"), int(name[-1])


def card_count(player: Player) -> int:
    """What Media relations compares: area cards and completed agenda cards (3.2, A48)."""
    return len(player.cards) + len(player.completed)


def counts(pile: Counter[str]) -> dict[str, int]:
    return {colour: pile[colour] for colour in COLOURS if pile[colour]}


def side_name(seat: int | None) -> str | None:
    return None if seat is None else SIDES[seat]


def token_name(token: Token) -> str:
    return ("" if token.up else "?") + token.colour + ("*" if token.symbol else "")
