"""A score card: what an agent reached on a track, with all that is needed to play it again.

`docs/score-card.schema.json` is the shape as a JSON schema. The scores can be computed from the results. The checksum finds
accidental damage; whoever changes a card on purpose can compute it again, so it proves nothing.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from channel_tunnel_env.core.whole_numbers import MAX_SEED
from channel_tunnel_env.outside.documents import StrictModel, describe_errors, need_mapping, read_json, seal_of
from channel_tunnel_env.tracks import TrackError, track_digest

Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(ge=0)]
Hex = Annotated[str, Field(pattern="^[0-9a-f]+$")]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
CHECKSUM = "checksum"  # key of the card's


class CardTrack(StrictModel):
    """Which track, and the digest of its file."""

    name: str
    digest: Hex


class CardAgent(StrictModel):
    """Who played.

    Attributes:
        name: as on the command line.
        sees: "observations" of code of others, in a process of its own; "observations, in this process" of an agent of
            this package; "the game" of a search, which must re-deal what is hidden.
        files: a digest of its policy's files or its module's source; none if there is nothing to digest.
        repeats: whether it says that it plays the same games again from the same seeds.
        milliseconds: a move took, on average.
        train: the command that trained it, if the track is about training.
    """

    name: str
    sees: Literal["observations", "observations, in this process", "the game"]
    files: Hex | None = None
    repeats: bool
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
            as a draw of their distribution, or training seeds; games that were solved leave nothing to chance.
        number: of deals, rulesets, seeds or games.
        even: the share between equals; none of other units.
    """

    key: str
    title: str
    unit: Literal["share", "Elo", "way"]
    value: float
    low: float
    high: float
    sample: Literal["deals", "rulesets", "seeds", "games"]
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
        deals: contest -> the seed of each part's deals, drawn when it was played; none if they were known before.
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
    deals: dict[str, list[Seed]]
    budgets: list[int]
    opponents: dict[str, Hex | None]
    reference: Hex | None
    wall_seconds: Seconds
    processor_seconds: Seconds
    decisions: Annotated[int, Field(ge=0)]
    games: Annotated[int, Field(ge=1)]
    scores: Annotated[list[CardScore], Field(min_length=1)]
    results: dict[str, list[list[Share]]]
    checksum: Hex = ""


def checksum_of(card: ScoreCard) -> str:
    """A digest of everything else on a card."""
    return seal_of(card.model_dump(exclude={CHECKSUM}))


def card_text(card: ScoreCard) -> str:
    """The card as JSON, with its checksum: a line for each list of results."""
    content = {**card.model_dump(), CHECKSUM: checksum_of(card)}
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
        TrackError: not a card, of another version of its track, or damaged; one line.
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
    if checksum_of(card) != card.checksum:
        raise TrackError(f"{path}: is damaged: its checksum does not fit its content")
    return card


# --- who vouches for a card -----------------------------------------------------------------------
# A signature of OpenSSH beside it, `CARD.json.sig`, by a key of the file `maintainers` in its folder. A maintainer makes it:
#     ssh-keygen -Y sign -n channel-tunnel-card -f KEY CARD.json

NAMESPACE = "channel-tunnel-card"  # what the key says yes to
MAINTAINERS = "maintainers"  # a line for each: maintainer ssh-ed25519 KEY
SECONDS = 30.0


def is_verified(card: Path) -> bool:
    """Whether a maintainer has signed a card; without a signature it is only claimed.

    Raises:
        TrackError: the signature is a stranger's or of another card, or there is nothing to read it with.
    """
    signature, keys = card.with_name(f"{card.name}.sig"), card.with_name(MAINTAINERS)
    if not signature.exists():
        return False
    words = ["ssh-keygen", "-Y", "verify", "-n", NAMESPACE, "-I", "maintainer", "-f", str(keys), "-s", str(signature)]
    try:
        done = subprocess.run(words, input=card.read_bytes(), capture_output=True, timeout=SECONDS, check=False)
    except FileNotFoundError:
        raise TrackError(f"{signature}: ssh-keygen, which reads it, is not installed") from None
    if done.returncode:
        raise TrackError(f"{signature}: expected a signature of {card.name} by a key of {keys}; it is not one")
    return True
