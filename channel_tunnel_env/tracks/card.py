"""A score card: what an agent reached on a track, with all that is needed to play it again.

`docs/score-card.schema.json` is the shape as a JSON schema. The scores can be computed from the results, and the seal from
everything else: a number that was changed no longer fits.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from channel_tunnel_env.outside.documents import SEAL, StrictModel, describe_errors, need_mapping, read_json, seal_of
from channel_tunnel_env.tracks import TrackError, track_digest

Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(ge=0)]
Hex = Annotated[str, Field(pattern="^[0-9a-f]+$")]


class CardTrack(StrictModel):
    """Which track, and the digest of its file."""

    name: str
    digest: Hex


class CardAgent(StrictModel):
    """Who played.

    Attributes:
        name: as on the command line.
        sees: "observations" of a process, which cannot see more; "observations, in this process" of an agent that is
            trusted not to look elsewhere; "the game" of a search, which must re-deal what is hidden.
        files: a digest of its policy's files or its module's source; none if there is nothing to digest.
        milliseconds: a move took, on average.
        train: the command that trained it, if the track is about training.
    """

    name: str
    sees: Literal["observations", "observations, in this process", "the game"]
    files: Hex | None = None
    milliseconds: Seconds
    train: str | None = None


class CardMachine(StrictModel):
    """Where it was played.

    Attributes:
        speed: work done in a second of one core, by kind.
    """

    processor: str
    cores: int
    system: str
    python: str
    numpy: str
    numba: str
    speed: dict[str, float]


class CardScore(StrictModel):
    """A figure with its 95 % interval.

    Attributes:
        unit: "share" of the points, "Elo" points above random, or "way" from the scripted to the tuned player.
        sample: what the interval is about: only deals (opponents, rulesets and training are taken as they are), rulesets
            as a draw of their distribution, or training seeds.
        number: of deals, rulesets or seeds.
        even: the share between equals; none of other units.
    """

    key: str
    title: str
    unit: Literal["share", "Elo", "way"]
    value: float
    low: float
    high: float
    sample: Literal["deals", "rulesets", "seeds"]
    number: Annotated[int, Field(ge=1)]
    even: float | None = None

    @model_validator(mode="after")
    def _holds_its_value(self) -> CardScore:
        if not self.low <= self.value <= self.high:
            raise ValueError("an interval must hold its value")
        return self


class ScoreCard(StrictModel):
    """The card.

    Attributes:
        card: version of this shape.
        package: version that played.
        played: the day, as YYYY-MM-DD.
        command: that repeats it.
        seed: of the deals.
        minutes, budgets: what of the track was played, if it has budgets.
        opponents: name -> digest of its policy's files; none for those without.
        reference: digest of what was measured once for the track; none if it was not there.
        decisions: of the agent.
        scores: what is claimed.
        results: contest -> for each seating the agent's share of each deal.
    """

    card: Literal[1]
    track: CardTrack
    agent: CardAgent
    machine: CardMachine
    package: str
    played: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    command: str
    seed: int
    budgets: list[int]
    opponents: dict[str, Hex | None]
    reference: Hex | None
    wall_seconds: Seconds
    processor_seconds: Seconds
    decisions: Annotated[int, Field(ge=0)]
    games: Annotated[int, Field(ge=1)]
    scores: Annotated[list[CardScore], Field(min_length=1)]
    results: dict[str, list[list[Share]]]
    seal: Hex = ""


def card_text(card: ScoreCard) -> str:
    """The card as JSON, sealed: a line for each list of results."""
    content = card.model_dump()
    content[SEAL] = seal_of(content)
    results = content.pop("results")
    lines = ",\n".join(
        f"  {json.dumps(key)}: [\n"
        + ",\n".join(f"   {json.dumps([int(x) if x == int(x) else x for x in row])}" for row in rows)
        + "\n  ]"
        for key, rows in results.items()
    )
    head = json.dumps(content, indent=1)
    return f'{head[:-2]},\n "results": {{\n{lines}\n }}\n}}\n'


def read_card(path: str | Path) -> ScoreCard:
    """A card from its file.

    Raises:
        DocumentError: not JSON.
        TrackError: not a card, of another version of its track, or changed since it was written; one line.
        OSError: it cannot be read.
    """
    content = need_mapping(read_json(path), str(path))
    try:
        card = ScoreCard.model_validate(content)
    except ValidationError as error:
        words = describe_errors(error, lambda item: f"{'.'.join(map(str, item['loc']))}: {item['msg']}")
        raise TrackError(f"{path}: not a score card: {'; '.join(words)}") from None
    digest = track_digest(card.track.name)
    if card.track.digest != digest:
        raise TrackError(
            f"{path}: of another version of {card.track.name}: digest {card.track.digest}, here it is {digest}"
        )
    if seal_of(card.model_dump()) != card.seal:
        raise TrackError(f"{path}: was changed after it was written: its seal does not fit its content")
    return card
