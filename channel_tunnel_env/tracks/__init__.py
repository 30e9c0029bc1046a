"""The tracks of the benchmark: who meets which opponents on how many deals, within which limits.

A track is a YAML file of this folder. It has no deals, which are drawn when an agent plays, so that no agent knows them. It
never changes once it is released: a change is a new track, `duel-v2`. `RELEASED` holds the digest of each file, and a file that does not fit is refused. What is measured once and read by every score (the
strengths of the fixed opponents, the shares of tuned policies) is in `references/`, with the command that
measured it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.outside.documents import StrictModel, parse_yaml, plain_errors, read_json
from channel_tunnel_env.outside.hints import or_known

FOLDER = Path(__file__).parent
RELEASED = {
    "duel-v1": "4a9e0a10cd0f65e0",
    "rules-v1": "137c6d7bccdaf15d",
    "search-v1": "3a086c60f9afa93d",
    "carcassonne-v1": "c5e4f872b852f669",
    "seven-v1": "a5b6dfbba6772962",
    "few-decisions-v1": "70754eba1cc9dd1d",
    "exact-v1": "069479eb017973f3",
}
"""Track -> the first digits of the SHA-256 of its file."""
DIGITS = 16
FILES = "files"  # key of a reference: opponent -> digest of what it is made of
ENDINGS = (".yaml", ".yml")  # of a track or ruleset that is a file
PARTS = 10  # of the deals of every contest, each drawn with a seed of its own

Count = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0)]
Names = Annotated[list[str], Field(min_length=1)]


class TrackError(ChannelTunnelError, ValueError):
    """A track that does not exist or was changed, or something that does not fit it."""


class TrackRuleset(StrictModel):
    """A ruleset of a track.

    Attributes:
        key: names it within the track.
        ruleset: a name, or a file by its path from the track's.
        digest: of the ruleset, `changes` included.
    """

    key: str
    ruleset: str
    digest: str
    changes: dict[str, int] = Field(default_factory=dict)


class TrackTable(TrackRuleset):
    """Games on one ruleset.

    Attributes:
        role: the agent has one seat and the opponent all others, or the other way round; in every seat in turn.
    """

    opponents: Names
    deals: Count
    role: Literal["one", "rest"] = "one"


class RulesDraw(StrictModel):
    """Rulesets that are held out of training, and how they were drawn.

    `drawn` rulesets are drawn from version `space` of the game's distribution with `seed`. The distance of two rulesets is
    the number of figures in which they differ. Near are the first `near` draws from `near_low` to `near_high` figures from
    the nearest of the game's own rulesets, far the first `far` at least `far_low` away.

    Attributes:
        apart: training draws lie more than this many figures from each of them.
        minutes: budgets of adaptation to a ruleset, each a score of its own.
    """

    game: str
    space: Count
    seed: Seed
    drawn: Count
    near: Count
    near_low: Count
    near_high: Count
    far: Count
    far_low: Count
    apart: Count
    rival: str
    deals: Count
    minutes: list[int]
    near_digests: Names
    far_digests: Names


class SearchBudget(StrictModel):
    """Time for a move, and how many deals are played with it."""

    milliseconds: Count
    deals: Count


class TrainingBudget(StrictModel):
    """Decisions of training from nothing, of all seats together; each repeated with every seed."""

    decisions: list[Count]
    seeds: list[Seed]


class BenchmarkTrack(StrictModel):
    """A track, as its file says.

    Attributes:
        track: its name with its version; of a file of one's own, its path.
        kind: how it is scored.
        milliseconds: that a move may take on average over a batch.
        ladder: the reference with the strengths of the opponents; none: only shares.
        exact: rulesets that are solved instead of played.
    """

    track: str
    title: str
    about: str
    kind: Literal["duel", "tables", "rules", "search", "training", "exact"]
    milliseconds: Count
    ladder: str | None = None
    tables: list[TrackTable] = Field(default_factory=list)
    exact: list[TrackRuleset] = Field(default_factory=list)
    rules: RulesDraw | None = None
    budgets: list[SearchBudget] = Field(default_factory=list)
    training: TrainingBudget | None = None


def track_digest(name: str) -> str:
    """The digest of a track's file as it is now.

    Raises:
        TrackError: there is no such track.
    """
    return hashlib.sha256(_file_of(name).read_bytes()).hexdigest()[:DIGITS]


def _file_of(name: str) -> Path:
    if name in RELEASED:
        return FOLDER / f"{name}.yaml"
    if not name.endswith(ENDINGS):
        raise TrackError(f"track {name!r}: no such track, and no FILE.yaml{or_known(name, RELEASED)}")
    if not Path(name).is_file():
        raise TrackError(f"track {name}: there is no such file")
    return Path(name)


def load_track(name: str) -> BenchmarkTrack:
    """A released track, or one's own from a YAML file.

    Raises:
        DocumentError: not YAML.
        TrackError: there is no such track, it is none, or the file of a released one was changed.
    """
    path, digest = _file_of(name), track_digest(name)
    if digest != RELEASED.get(name, digest):
        raise TrackError(
            f"{path}: was changed: digest {digest}, released with {RELEASED[name]}; a released track stays as it is"
        )
    track = read_track(path.read_bytes(), str(path))
    tables, exact = ([_beside(path, each) for each in found] for found in (track.tables, track.exact))
    return track.model_copy(update={"track": name, "tables": tables, "exact": exact})


def _beside(file: Path, found: TrackRuleset) -> TrackRuleset:
    """A ruleset whose file, if it is one, is found from anywhere."""
    if not found.ruleset.endswith(ENDINGS):
        return found
    return found.model_copy(update={"ruleset": str(file.parent / found.ruleset)})


def read_track(text: str | bytes, where: str) -> BenchmarkTrack:
    """A track from a YAML text.

    Raises:
        DocumentError: not YAML.
        TrackError: not a track; one line for all that is wrong.
    """
    content = parse_yaml(text, where).mapping()
    try:
        return BenchmarkTrack.model_validate(content)
    except ValidationError as error:
        raise TrackError(f"{where}: not a track: {'; '.join(plain_errors(error))}") from None


def load_reference(name: str) -> dict[str, Any] | None:
    """What was measured once for a track; None if that has not happened.

    Raises:
        DocumentError: the file cannot be read.
    """
    path = reference_file(name)
    return read_json(path) if path.exists() else None


def reference_file(name: str) -> Path:
    """The path of a track's reference."""
    return FOLDER / "references" / f"{name}.json"
