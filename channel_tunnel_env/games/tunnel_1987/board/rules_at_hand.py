"""Rules at hand: for everything on the board its rule in a sentence, and the source of its numbers.

The keys are the `data-rule` of the drawing: "card:KEY", "step:SIDE:TRACK:SPACE", "action:KIND" ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from channel_tunnel_env.games.tunnel_1987.board.narration import SPACE_NAMES, kind_name
from channel_tunnel_env.games.tunnel_1987.board.words import ability_words, title
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.rulesets.ruleset import Provenance, Ruleset

HOUSE = Provenance("house", "changed by this ruleset")
SOURCE_WORDS = {
    "rulebook": "from the rulebook",
    "review": "from a published review",
    "reconstructed": "reconstructed by this project",
    "house": "set by this ruleset",
}


@dataclass(frozen=True)
class Rule:
    """A rule sentence.

    Attributes:
        title: the subject of the rule.
        text: the rule.
        sources: where its numbers come from, one sentence each.
    """

    title: str
    text: str
    sources: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def rule_sentences(ruleset: Ruleset) -> dict[str, dict[str, Any]]:
    """Key -> title, text and sources, for everything that a board of the ruleset can show."""
    return {key: asdict(rule) for key, rule in _rules(ruleset)}


def _rules(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    yield from _actions(ruleset)
    yield from _spaces(ruleset)
    yield from _cards(ruleset)
    for side in c.SEATS:
        yield from _tracks(ruleset, side)
        yield from _before_a_player(ruleset, side)
    yield from _tunnel(ruleset)
    yield from _table(ruleset)
    yield from _agenda(ruleset)


def source_of(ruleset: Ruleset, figure: str, key: str) -> str:
    """The source of a figure in a sentence.

    Args:
        figure: its name for a person.
        key: its dotted key; a note on an enclosing part of the file counts too.
    """
    found = next(
        (ruleset.provenance[k] for k in _upwards(key) if k in ruleset.provenance),
        HOUSE,
    )
    why = f" ({found.why})" if found.why else ""
    return f"{figure}: {SOURCE_WORDS[found.source]}{why}"


def _upwards(key: str) -> Iterator[str]:
    parts = key.split(".")
    for stop in range(len(parts), 0, -1):
        yield ".".join(parts[:stop])


# --- actions and spaces ---------------------------------------------------------------------------


def _actions(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    texts = {
        "plan": "Turn up your nearest face-down token, however far your TBM has come.",
        "tunnel": "With the token before your TBM face up and a storage space free, pay a disc of its "
        "colour (or, holding none, any two discs), store the token and move the TBM one space; "
        "then the deviation is checked.",
        "finance": "Take one of the shown cards as money; the slot is refilled. As money it has no "
        "points and no ability.",
        "technology": "Move one of your counters one space forward; at a barrier you pay all your "
        "money cards, and they must reach its price. Afterwards money may correct your deviation.",
        "develop": "Pay the card's cost in stored rubble and lay it face up before you; the slot is "
        "refilled.",
        "secondary": "Take the action printed on the card. Finance takes the card itself; for the others "
        "the card is discarded first.",
    }
    for kind, text in texts.items():
        yield f"action:{kind}", Rule(kind_name(kind), text)


def _spaces(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    stack = (
        "Lay all your discs of one colour here at once; they must be more than the stack that is "
        "here. Its discs come to you before the action is taken."
    )
    for space, name in SPACE_NAMES.items():
        one_of = "A space for Development of its card or the card's secondary action."
        if not space.startswith("slot"):
            first, second = space.split("_")
            one_of = f"A space for {kind_name(first)} or {kind_name(second)}."
        yield f"space:{space}", Rule(name[0].upper() + name[1:], f"{one_of} {stack}")
    yield (
        "stack",
        Rule("Stack", "A stack closes its space to smaller or equal ones until the round ends."),
    )


# --- cards ----------------------------------------------------------------------------------------

COST_WORDS = {
    "free": "costs no rubble",
    "discard1": "costs a stored token, which leaves the game",
    "place1": "costs a stored token, laid on the card",
    "place1or2": "costs one or two stored tokens, laid on the card",
}
COLUMNS = {"points": "Points", "cost": "Cost", "money": "Money", "secondary": "Secondary action"}


def _cards(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    for card in ruleset.data.deck.cards:
        text = (
            f"{ability(ruleset, card.kind)} Developed it scores {_points(card.points)} and "
            f"{COST_WORDS[card.cost]}; as money it is worth {card.money} M; its secondary action "
            f"is {kind_name(card.secondary)}."
        )
        yield (
            f"card:{card.card}",
            Rule(
                card.name,
                text,
                tuple(
                    _card_source(ruleset, card.card, column, name)
                    for column, name in COLUMNS.items()
                ),
            ),
        )


def _card_source(ruleset: Ruleset, card: str, column: str, name: str) -> str:
    own = f"deck.cards.{card}.{column}"
    return source_of(ruleset, name, own if own in ruleset.provenance else f"deck.cards.*.{column}")


def ability(ruleset: Ruleset, kind: str) -> str:
    """What a kind of card does, as a sentence."""
    text = ability_words(ruleset, kind)
    return text[0].upper() + text[1:] + "."


def _points(n: int) -> str:
    return f"{n} point" + "s" * (abs(n) != 1)


# --- a player's board -----------------------------------------------------------------------------

BENEFITS = {
    "peek": "On arrival you look at one face-down token.",
    "extra_disc": "From the next round on you draw one more disc.",
    "storage": "You gain a storage space at once.",
}


def _tracks(ruleset: Ruleset, side: str) -> Iterator[tuple[str, Rule]]:
    data = ruleset.data
    for track in "ab":
        where = f"{side}.{track}"
        points = getattr(getattr(data.track_points, side), track)
        barriers = dict(
            zip(
                getattr(getattr(data.barrier_spaces, side), track),
                getattr(getattr(data.barriers, side), track),
                strict=True,
            )
        )
        benefits = getattr(getattr(data.benefits, side), track)
        name = f"{title(side)}, technology track {track.upper()}"
        yield (
            f"track:{side}:{track}",
            Rule(
                name,
                "A Technology action moves the counter one space forward; the space it is on at "
                "the end scores.",
                (source_of(ruleset, "Points", f"track_points.{where}"),),
            ),
        )
        for space, score in enumerate(points):
            text = f"A counter here at the end scores {_points(score)}."
            sources = [source_of(ruleset, "Points", f"track_points.{where}.{space}")]
            if space in barriers:
                text += (
                    f" There is a barrier before it: {barriers[space]} M, paid with all your money "
                    "cards; any surplus lowers your deviation."
                )
                place = list(barriers).index(space)
                sources.append(source_of(ruleset, "Price", f"barriers.{where}.{place}"))
                sources.append(source_of(ruleset, "Place", f"barrier_spaces.{where}.{place}"))
            if space in benefits:
                text += f" {BENEFITS[benefits[space]]}"
                sources.append(source_of(ruleset, "Benefit", f"benefits.{where}.{space}"))
            yield (
                f"step:{side}:{track}:{space}",
                Rule(f"{name}, space {space}", text, tuple(sources)),
            )


def _before_a_player(ruleset: Ruleset, side: str) -> Iterator[tuple[str, Rule]]:
    data, name = ruleset.data, title(side)
    spaces = getattr(data.storage, side)
    yield (
        f"storage:{side}",
        Rule(
            f"{name}'s storage",
            f"Bored tokens are stored here, at most {spaces} at the start of the game; they pay "
            "for cards. Without a free space there is no Tunnel.",
            (source_of(ruleset, "Spaces", f"storage.{side}"),),
        ),
    )
    water = getattr(data.deviation.water_draws, side)
    yield (
        f"deviation:{side}",
        Rule(
            f"{name}'s deviation",
            f"After a Tunnel a deviation card is drawn, for a blue token {water}. Beyond "
            f"{-data.deviation.limit} the game is lost at once; at the end the levels cost "
            f"{', '.join(map(str, data.deviation.penalties))} points. Technology corrects it with "
            "money.",
            (
                source_of(ruleset, "Limit", "deviation.limit"),
                source_of(ruleset, "Points", "deviation.penalties"),
                source_of(ruleset, "Water", f"deviation.water_draws.{side}"),
            ),
        ),
    )
    yield (
        f"agenda:{side}",
        Rule(
            f"{name}'s agenda card",
            "A pending card takes effect at its first opportunity and scores when completed; if it "
            "is still pending at the end, it costs its points.",
        ),
    )


def _tunnel(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    data = ruleset.data
    route, tokens = data.route.length, data.rubble.tokens
    sources = (
        source_of(ruleset, "Length", "route.length"),
        source_of(ruleset, "Centre", "scoring.centre_bonus"),
        source_of(ruleset, "Rival's tokens", "scoring.centre_per_rival_token"),
    )
    yield (
        "route",
        Rule(
            "The tunnel",
            f"Each side bores through {route} tokens to its flag. The first to reach its flag ends "
            f"the game and scores {_points(data.scoring.centre_bonus)}, and "
            f"{data.scoring.centre_per_rival_token} for every token left on the rival's side; more "
            "points win.",
            sources,
        ),
    )
    for side in c.SEATS:
        for index in range(route):
            yield f"route:{side}:{index}", _route_space(ruleset, side, index)
    yield (
        "rubble",
        Rule(
            "Rubble",
            "Boring through a token is paid for with a disc of its colour. Blue is water. In the "
            "game there are "
            + ", ".join(f"{getattr(tokens, colour)} {colour}" for colour in c.COLOURS)
            + ".",
            (source_of(ruleset, "Tokens", "rubble.tokens"),),
        ),
    )
    yield (
        "tbm",
        Rule(
            "Tunnel-boring machine", "It is in front of the next token; Tunnel moves it one space."
        ),
    )
    check = "after" if data.switches.final_tunnel_deviation_check else "without"
    yield (
        "flag",
        Rule(
            "The flag",
            f"The first TBM to arrive here ends the game at once, {check} a deviation check.",
            sources[1:],
        ),
    )


def _route_space(ruleset: Ruleset, side: str, index: int) -> Rule:
    """A space of the tunnel; the last one is the flag."""
    data = ruleset.data
    last = index == data.route.length - 1
    text = (
        "Plan turns a token up, Tunnel bores it once it is face up and next to the TBM, paid with "
        "a disc of its colour or any two. Blue is water: Britain draws "
        f"{data.deviation.water_draws.britain} deviation cards for it, France "
        f"{data.deviation.water_draws.france}."
    )
    sources = [source_of(ruleset, "Water", f"deviation.water_draws.{side}")]
    if last:
        text = (
            f"The flag: the first side to arrive ends the game at once and scores "
            f"{_points(data.scoring.centre_bonus)}, and {data.scoring.centre_per_rival_token} for "
            "every token left on the rival's side."
        )
        sources = [
            source_of(ruleset, "Length", "route.length"),
            source_of(ruleset, "Centre", "scoring.centre_bonus"),
            source_of(ruleset, "Rival's tokens", "scoring.centre_per_rival_token"),
        ]
    return Rule(f"{title(side)}'s space {index}", text, tuple(sources))


def _table(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    data = ruleset.data
    discs = 5 * data.discs.per_colour
    hand = source_of(ruleset, "Hand", "discs.hand")
    yield (
        "disc",
        Rule(
            "Action discs",
            "All your discs of one colour are laid down together. Leftover discs may be kept when "
            "you pass.",
            (hand, source_of(ruleset, "Number", "discs.per_colour")),
        ),
    )
    yield (
        "bag",
        Rule(
            "The bag",
            f"{discs} discs are in the game; at the start of a round you draw up to "
            f"{data.discs.hand} in all, more with technology. What the bag holds is public.",
            (hand, source_of(ruleset, "Number", "discs.per_colour")),
        ),
    )
    yield (
        "money",
        Rule(
            "Money",
            "Cards taken by Finance. At a barrier all of them are spent; after a Technology action "
            "they may correct deviation, one level per million.",
        ),
    )
    yield (
        "deck",
        Rule(
            "The deck",
            f"{data.deck.size} playing cards. A slot is refilled at once; when the deck is empty "
            "the discard pile is shuffled.",
            (source_of(ruleset, "Number", "deck.size"),),
        ),
    )
    cards = source_of(ruleset, "Cards", "deviation.cards")
    yield (
        "deviation_deck",
        Rule(
            "Deviation cards",
            f"{len(data.deviation.cards)} cards for both players. When a card matches the colour "
            "of one that is face up, all are shuffled again.",
            (cards,),
        ),
    )
    yield (
        "deviation",
        Rule(
            "Deviation",
            f"How far a tunnel is off its line. Beyond {-data.deviation.limit} the game is lost at "
            "once.",
            (source_of(ruleset, "Limit", "deviation.limit"),),
        ),
    )
    yield (
        "storage",
        Rule(
            "Storage",
            "Bored tokens are stored here and pay for cards; full storage prevents Tunnel.",
        ),
    )
    order = "first" if data.switches.first_player_card == "first_to_pass" else "last"
    yield (
        "first_player",
        Rule(
            "First-player card",
            f"Its holder begins the round. The {order} to pass takes it.",
            (source_of(ruleset, "Who takes it", "switches.first_player_card"),),
        ),
    )
    yield (
        "start",
        Rule(
            "Round and first player",
            f"A round lasts until both have passed. The {order} to pass takes the first-player "
            "card.",
            (source_of(ruleset, "Who takes it", "switches.first_player_card"),),
        ),
    )
    yield (
        "pass",
        Rule("Pass", "You take no further turn this round and say how many discs you keep."),
    )


AGENDA_TEXTS = {
    "training": "At the next round start you draw one disc fewer.",
    "warehouse_inspection": "Your next turn after a rival's placement is skipped.",
    "check_up": "You draw a deviation card at once.",
    "repairs": "In your next Technology action no counter moves.",
    "supervision": "Your next stack must have two more discs than the one it replaces{unless}.",
    "promotion": f"As soon as your money reaches {c.PROMOTION_PRICE} M you discard that much.",
}


def _agenda(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    yield (
        "agenda",
        Rule(
            "Agenda",
            "A Plan that turns up a token with the symbol draws an agenda card, to keep or to "
            "discard.",
            (source_of(ruleset, "Symbols", "rubble.agenda_symbols"),),
        ),
    )
    soft = ruleset.data.switches.supervision_mode == "soft"
    unless = ", as long as you can lay one" if soft else ""
    for kind in c.AGENDA_KINDS:
        points = getattr(ruleset.data.agenda.points, kind)
        yield (
            f"agenda:{kind}",
            Rule(
                title(kind),
                f"{AGENDA_TEXTS[kind].format(unless=unless)} Completed it scores "
                f"{_points(points)}.",
                (source_of(ruleset, "Points", f"agenda.points.{kind}"),),
            ),
        )
