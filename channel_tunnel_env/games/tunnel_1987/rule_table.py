"""The rules in words, each written once: what a figure is called and says, what each thing on the board is for.

A sentence names a figure by its key in a ruleset, `{discs.hand}`, or by its name in `rule_words.figures`, `{all_discs}`.
SIDE stands for a country, TRACK for a track; KIND for a kind of agenda card.
"""

from __future__ import annotations

from typing import NamedTuple

from channel_tunnel_env.games.tunnel_1987.engine import constants as c


class RuleFigure(NamedTuple):
    """A figure of a ruleset.

    Attributes:
        says: its rule as a clause, with `{}` for its value and the groups of the key's pattern; "" if its key says enough.
        value: its value in the clause, and again after "instead of".
        name: what its number is, beside its source and in a head start.
        label: what a form calls it; "" if the words of its key do.
    """

    says: str = ""
    value: str = "{}"
    name: str = ""
    label: str = ""


_SIDE, _TRACK = r"(?P<side>britain|france)", r"(?P<side>britain|france)\.(?P<track>a|b)"

# Pattern of a dotted key -> its figure. A list whose pattern has no number at its end is described as a whole.
FIGURES = {
    rf"barriers\.{_TRACK}\.(?P<nth>\d+)": RuleFigure(
        "{side}'s {nth} barrier on track {track} costs {} million", name="Price"
    ),
    rf"barriers\.{_TRACK}": RuleFigure("{side}'s barriers on track {track} cost {} million"),
    rf"barrier_spaces\.{_TRACK}\.(?P<nth>\d+)": RuleFigure(
        "{side}'s {nth} barrier on track {track} stands before space {}", name="Place"
    ),
    rf"barrier_spaces\.{_TRACK}": RuleFigure("{side}'s barriers on track {track} stand before spaces {}"),
    rf"track_points\.{_TRACK}\.(?P<i>\d+)": RuleFigure(
        "space {i} of {side}'s track {track} brings {} points", name="Points"
    ),
    rf"track_points\.{_TRACK}": RuleFigure("the spaces of {side}'s track {track} bring {} points", name="Points"),
    rf"benefits\.{_TRACK}\.(?P<i>\d+)": RuleFigure("space {i} of {side}'s track {track} gives {}", name="Benefit"),
    rf"storage\.{_SIDE}": RuleFigure("{side} starts with {} storage spaces", name="Spaces"),
    r"discs\.per_colour": RuleFigure("each colour has {} discs", name="Number", label="In each colour"),
    r"discs\.hand": RuleFigure("players draw up to {} discs", name="Hand"),
    r"discs\.keep_limit": RuleFigure("the most discs a player keeps on passing is {}", label="Kept on passing"),
    rf"head_start\.allowance\.{_SIDE}": RuleFigure(
        "{side}'s head start is {} discs each round", name="to the discs that it draws up to"
    ),
    rf"head_start\.first_discs\.{_SIDE}": RuleFigure(
        "{side}'s head start is {} discs in round 1", name="to those of round 1"
    ),
    rf"head_start\.money_cards\.{_SIDE}": RuleFigure(
        "{side}'s head start is {} money cards", name="cards dealt as money at the start"
    ),
    rf"head_start\.points\.{_SIDE}": RuleFigure("{side}'s head start is {} points", name="to its points at the end"),
    r"route\.length": RuleFigure(
        "each side bores {} spaces to the centre", name="Length", label="Spaces to the centre"
    ),
    r"rubble\.tokens": RuleFigure(name="Tokens"),
    r"rubble\.tokens\.(?P<colour>\w+)": RuleFigure("the rubble has {} {colour} tokens"),
    r"rubble\.stored_at_start": RuleFigure(
        "each player starts with {} rubble tokens in storage", label="In storage at the start"
    ),
    r"rubble\.agenda_symbols": RuleFigure(name="Symbols"),
    r"rubble\.agenda_symbols\.(?P<colour>\w+)": RuleFigure("the agenda symbol is on {} {colour} tokens"),
    r"deviation\.limit": RuleFigure(
        "the last safe deviation level is {}", value="-{}", name="Limit", label="Last safe level"
    ),
    r"deviation\.penalties\.(?P<i>\d+)": RuleFigure("deviation level -{i} costs {} points at the end"),
    r"deviation\.penalties": RuleFigure(
        "deviation costs {} points at the end, level by level,", name="Points", label="What each level costs"
    ),
    r"deviation\.cards": RuleFigure("the deviation deck holds {}", name="Cards"),
    rf"deviation\.water_draws\.{_SIDE}": RuleFigure("water makes {side} draw {} deviation cards", name="Water"),
    r"scoring\.centre_bonus": RuleFigure(
        "reaching the centre first brings {} points", name="Centre", label="Centre reached first"
    ),
    r"scoring\.centre_per_rival_token": RuleFigure(
        "each token left in front of the rival brings {} points at the centre",
        name="Rival's tokens",
        label="Each token left before the rival",
    ),
    r"scoring\.european_speech_per": RuleFigure(
        "European speech counts {} influence cards",
        value="every {}",
        label="Influence cards that a European speech counts as one",
    ),
    r"scoring\.topographical_analysis\.(?P<i>\d+)": RuleFigure(
        "Topographical analysis of {i} colours brings {} points"
    ),
    r"scoring\.topographical_analysis": RuleFigure(
        "Topographical analysis brings {} points, by number of colours,", label="Topographical analysis, by colours"
    ),
    r"scoring\.(?P<card>political_duel|european_speech|media_relations)": RuleFigure(
        "{card} brings {} points", label="Each {card}"
    ),
    r"extra_finance": RuleFigure("Extra finance stands for {} million"),
    r"deck\.size": RuleFigure(name="Number"),
    r"agenda\.enabled": RuleFigure("the Agenda expansion is {}", label="Play with the Agenda expansion"),
    r"agenda\.points\.(?P<card>\w+)": RuleFigure("the agenda card {card} is worth {} points", name="Points"),
    r"limits\.max_empty_rounds": RuleFigure(
        "a game is stopped after {} rounds without a placement", label="Rounds without a placement until the game stops"
    ),
    r"limits\.max_rounds": RuleFigure("a game is stopped after {} rounds", label="Rounds until the game stops"),
    r"switches\.first_player_card": RuleFigure(
        "the first-player card goes to {}", name="Who takes it", label="Who takes the first-player card"
    ),
    r"switches\.final_tunnel_deviation_check": RuleFigure(
        "the check of the deviation at the centre is {}", label="Check the deviation at the centre"
    ),
    r"switches\.heavy_machinery_same_type": RuleFigure(
        "taking the same action again with Heavy machinery is {}", label="Heavy machinery may repeat the action"
    ),
    r"switches\.technology_without_move": RuleFigure(
        "Technology without moving a counter is possible {}", label="Technology without moving a counter"
    ),
    r"switches\.new_card_usable_same_action": RuleFigure(
        "using a card in the action that built it is {}", label="Use a card in the action that built it"
    ),
    r"switches\.supervision_mode": RuleFigure(
        "Supervision asks for two more discs {}", label="Two more discs under Supervision"
    ),
    r"switches\.facedown_observation": RuleFigure("cards that lie face down are {}", label="Cards that lie face down"),
    r"switches\.stalemate_result": RuleFigure("a stopped game is {}", label="A stopped game"),
    r"switches\.auto_forced": RuleFigure(
        "skipping decisions with one answer is {}", label="Skip decisions with one answer"
    ),
    r"switches\.hand_cap": RuleFigure("the limit of a hand holds {}", label="The limit of a hand holds"),
    r"switches\.supervision_completed": RuleFigure(
        "Supervision is completed {}", label="When Supervision is completed"
    ),
    r"switches\.null_actions": RuleFigure(
        "placing discs for an action without effect is {}", label="Place discs for an action without effect"
    ),
}
SWITCH_VALUES = {
    "switches.first_player_card": {"first_to_pass": "the first to pass", "last_to_pass": "the last to pass"},
    "switches.technology_without_move": {"never": "never", "when_blocked": "if none can move", "always": "always"},
    "switches.supervision_mode": {"strict": "in any case", "soft": "if they can be laid"},
    "switches.facedown_observation": {"visible": "known to both", "hidden": "known to their owner"},
    "switches.stalemate_result": {"score": "scored as it is", "draw": "drawn"},
    "switches.hand_cap": {"draw": "only while drawing", "always": "always"},
    "switches.supervision_completed": {"after_action": "after the action", "at_placement": "as discs are placed"},
}
"""What the words of a switch are called."""
CARD_FIGURES = {
    "points": RuleFigure("brings {} points", name="Points"),
    "cost": RuleFigure("costs {}", value="“{}”", name="Cost"),
    "money": RuleFigure("stands for {} million", name="Money"),
    "secondary": RuleFigure("has {} as its second action", name="Secondary action"),
    "kind": RuleFigure("is a card of the kind {}"),
    "name": RuleFigure("is called {}"),
}
"""The words of a playing card, by column; the clauses follow its name. Those with a name are printed on it."""


class ValueWords(NamedTuple):
    """What a value is called: in a word or two, in a change, and as a sentence or a clause of one."""

    short: str
    long: str
    sentence: str


COSTS = {
    "free": ValueWords("free", "free", "costs no rubble"),
    "discard1": ValueWords("discard 1", "discard 1 rubble", "costs a stored token, which leaves the game"),
    "place1": ValueWords("place 1", "place 1 rubble", "costs a stored token, laid on the card"),
    "place1or2": ValueWords("place 1-2", "place 1-2 rubble", "costs one or two stored tokens, laid on the card"),
}
BENEFITS = {
    "peek": ValueWords("a look", "a look at a face-down token", "On arrival you look at one face-down token."),
    "extra_disc": ValueWords(
        "an extra disc", "an extra disc each round", "From the next round on you draw one more disc."
    ),
    "storage": ValueWords("a storage space", "an extra storage space", "You gain a storage space at once."),
}
ABILITIES = {
    "european_influence": "counts for Political duel and European speech",
    "political_duel": "{duel} for more European influence than the rival",
    "european_speech": "{speech} for every {scoring.european_speech_per} European influence",
    "media_relations": "{media} for more cards than the rival",
    "topographical_analysis": "points for different rubble colours on these cards",
    "new_workers": "round start: draw one more disc",
    "exchange": "round start: swap a disc with the rival",
    "improve_technology": "after Technology: Technology again",
    "extra_finance": "in Technology: stands for {extra_finance} M",
    "new_materials": "after any action: take a disc back from the stack",
    "control_room_1": "after Plan: take a disc back from the stack",
    "control_room_2": "after Technology: take a disc back from the stack",
    "control_room_3": "after Plan: Plan again",
    "control_room_4": "after Plan: Tunnel",
    "control_room_5": "after Technology: Technology again",
    "heavy_machinery": "after any action: one more action of choice",
}
"""What a developed card of a kind does."""
AGENDA = {
    "training": "At the next round start you draw one disc fewer.",
    "warehouse_inspection": "Your next turn after a rival's placement is skipped.",
    "check_up": "You draw a deviation card at once.",
    "repairs": "In your next Technology action no counter moves.",
    "supervision": "Your next stack must have two more discs than the one it replaces{unless}.",
    "promotion": f"As soon as your money reaches {c.PROMOTION_PRICE} M you discard that much.",
}


class Rule(NamedTuple):
    """A rule of something that the board shows: its title, its text, and the figures whose sources are named."""

    title: str
    text: str
    figures: tuple[str, ...] = ()


_STACK = (
    " Lay all your discs of one colour here at once; they must be more than the stack that is here. Its discs come to "
    "you before the action is taken."
)
_SLOT = f"A space for Development of its card or the card's secondary action.{_STACK}"
_PASSER = "switches.first_player_card"
_FLAG = ("scoring.centre_bonus", "scoring.centre_per_rival_token")
_ENDS = "scores {centre}, and {scoring.centre_per_rival_token} for every token left on the rival's side"

RULES = {
    "action:plan": Rule("Plan", "Turn up your nearest face-down token, however far your machine has come."),
    "action:tunnel": Rule(
        "Tunnel",
        "With the token before your machine face up and a storage space free, pay a disc of its colour (or, holding none, "
        "any two discs), store the token and move the machine one space; then the deviation is checked.",
    ),
    "action:finance": Rule(
        "Finance",
        "Take one of the shown cards as money; the slot is refilled. As money it has no points and no ability.",
    ),
    "action:technology": Rule(
        "Technology",
        "Move one of your counters one space forward; at a barrier you pay all your money cards, and they must reach "
        "its price. Afterwards money may correct your deviation.",
    ),
    "action:develop": Rule(
        "Development", "Pay the card's cost in stored rubble and lay it face up before you; the slot is refilled."
    ),
    "action:secondary": Rule(
        "Secondary",
        "Take the action printed on the card. Finance takes the card itself; for the others the card is discarded "
        "first.",
    ),
    "space:plan_tunnel": Rule("Plan/Tunnel", f"A space for Plan or Tunnel.{_STACK}"),
    "space:finance_technology": Rule("Finance/Technology", f"A space for Finance or Technology.{_STACK}"),
    "space:slot_1": Rule("Slot 1", _SLOT),
    "space:slot_2": Rule("Slot 2", _SLOT),
    "space:slot_3": Rule("Slot 3", _SLOT),
    "stack": Rule("Stack", "A stack closes its space to smaller or equal ones until the round ends."),
    "route": Rule(
        "The tunnel",
        "Each side bores through {route.length} tokens to its flag. The first to reach its flag ends the game and "
        f"{_ENDS}; more points win.",
        ("route.length", *_FLAG),
    ),
    "rubble": Rule(
        "Rubble",
        "Boring through a token is paid for with a disc of its colour. Blue is water. In the game there are {tokens}.",
        ("rubble.tokens",),
    ),
    "tbm": Rule("Tunnel-boring machine", "It is in front of the next token; Tunnel moves it one space."),
    "flag": Rule(
        "The flag", "The first machine to arrive here ends the game at once, {flag_check} a deviation check.", _FLAG
    ),
    "disc": Rule(
        "Action discs",
        "All your discs of one colour are laid down together. Leftover discs may be kept when you pass.",
        ("discs.hand", "discs.per_colour"),
    ),
    "bag": Rule(
        "The bag",
        "{all_discs} discs are in the game; at the start of a round you draw up to {discs.hand} in all, more with "
        "technology. What the bag holds is public.",
        ("discs.hand", "discs.per_colour"),
    ),
    "money": Rule(
        "Money",
        "Cards taken by Finance. At a barrier all of them are spent; after a Technology action they may correct "
        "deviation, one level per million.",
    ),
    "deck": Rule(
        "The deck",
        "{deck.size} playing cards. A slot is refilled at once; when the deck is empty the discard pile is shuffled.",
        ("deck.size",),
    ),
    "deviation_deck": Rule(
        "Deviation cards",
        "{deviation_cards} cards for both players. When a card matches the colour of one that is face up, all are "
        "shuffled again.",
        ("deviation.cards",),
    ),
    "deviation": Rule(
        "Deviation", "How far a tunnel is off its line. Beyond {limit} the game is lost at once.", ("deviation.limit",)
    ),
    "storage": Rule("Storage", "Bored tokens are stored here and pay for cards; full storage prevents Tunnel."),
    "first_player": Rule(
        "First-player card", "Its holder begins the round. The {passer} to pass takes it.", (_PASSER,)
    ),
    "start": Rule(
        "Round and first player",
        "A round lasts until both have passed. The {passer} to pass takes the first-player card.",
        (_PASSER,),
    ),
    "pass": Rule("Pass", "You take no further turn this round and say how many discs you keep."),
    "agenda": Rule(
        "Agenda",
        "A Plan that turns up a token with the symbol draws an agenda card, to keep or to discard.",
        ("rubble.agenda_symbols",),
    ),
}
"""By the `data-rule` of the drawing; those of cards and track spaces are put together from their figures."""
SIDE_RULES = {
    "storage:SIDE": Rule(
        "SIDE's storage",
        "Bored tokens are stored here, at most {storage.SIDE} at the start of the game; they pay for cards. Without a "
        "free space there is no Tunnel.",
        ("storage.SIDE",),
    ),
    "deviation:SIDE": Rule(
        "SIDE's deviation",
        "After a Tunnel a deviation card is drawn, for a blue token {deviation.water_draws.SIDE}. Beyond {limit} the "
        "game is lost at once; at the end the levels cost {penalties} points. Technology corrects it with money.",
        ("deviation.limit", "deviation.penalties", "deviation.water_draws.SIDE"),
    ),
    "agenda:SIDE": Rule(
        "SIDE's agenda card",
        "A pending card takes effect at its first opportunity and scores when completed; if it is still pending at "
        "the end, it costs its points.",
    ),
}
TRACK_RULE = Rule(
    "SIDE, technology track TRACK",
    "A Technology action moves the counter one space forward; the space it is on at the end scores.",
    ("track_points.SIDE.TRACK",),
)
STEP = "A counter here at the end scores {points}."
BARRIER = " There is a barrier before it: {price} M, paid with all your money cards; any surplus lowers your deviation."
ROUTE_RULE = Rule(
    "SIDE's space",
    "Plan turns a token up, Tunnel bores it once it is face up and next to the machine, paid with a disc of its colour or "
    "any two. Blue is water: Britain draws {deviation.water_draws.britain} deviation cards for it, France "
    "{deviation.water_draws.france}.",
    ("deviation.water_draws.SIDE",),
)
FLAG_RULE = Rule(
    "SIDE's space", f"The flag: the first side to arrive ends the game at once and {_ENDS}.", ("route.length", *_FLAG)
)
CARD_TEXT = (
    "{ability} Developed it scores {points} and {cost}; as money it is worth {money} M; its secondary action is "
    "{secondary}."
)
AGENDA_TEXT = "{effect} Completed it scores {points}."

SUMMARY = (
    "Each side bores {route.length} spaces to the centre; reaching it first ends the game and brings {centre}, and "
    "{scoring.centre_per_rival_token} for every token left in front of the rival.",
    "Players draw up to {discs.hand} of {all_discs} discs; technology adds to that.",
    "{head_start_britain}",
    "{head_start_france}",
    "A deviation beyond {limit} loses at once. Water (blue rubble) draws {deviation.water_draws.britain} cards for "
    "Britain and {deviation.water_draws.france} for France, other rubble one.",
    "Storage: Britain {storage.britain}, France {storage.france} spaces at the start.",
    "Barriers cost Britain {price_britain} M in all, France {price_france} M.",
    "The deck has {deck.size} cards, {deck.influence_cards} of them European influence. Cards by cost: {cost_free} "
    "free, {cost_discard1} for a token discarded, {cost_place1} for one placed, {cost_place1or2} for one or two placed.",
    "The Agenda expansion is {agenda_is}.",
    "The first-player card goes to the {passer} player to pass.",
    "A game is stopped after {limits.max_empty_rounds} rounds without a placement or {limits.max_rounds} rounds, and "
    "then {stopped}.",
)
"""The ruleset in a few sentences."""
