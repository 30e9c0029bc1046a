"""The rulesets of a track that are held out of training, and a training distribution that keeps away from them.

    from channel_tunnel_agents.rulesets.held_apart import train_rulesets

    rulesets = train_rulesets("rules-v1", 1000, seed=1)

Two rulesets are as far apart as the number of figures in which they differ: a figure that only one of them has counts,
names do not. So a ruleset that repeats a held one but for a digit is as good as the held one, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count as count_up
from itertools import islice
from typing import Any

from channel_tunnel_agents.rulesets import SPACES, RulesetSpace
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.tracks import BenchmarkTrack, RulesDraw, TrackError, load_track

NEAR, FAR = "near", "far"
Figures = Mapping[str, Any]


def figures_apart(one: Figures, other: Figures) -> int:
    """In how many figures two rulesets differ, given their figures by key (`RulesetSpace.rules_of`)."""
    missing = object()
    return sum(one.get(key, missing) != other.get(key, missing) for key in one.keys() | other.keys())


def draw_groups(draw: RulesDraw) -> dict[str, list[Ruleset]]:
    """The near and the far rulesets as the draw says, regardless of their digests.

    Raises:
        TrackError: there are not enough of them among the draws.
    """
    return {group: list(rulesets) for group, rulesets in _groups(draw.model_dump_json()).items()}


@cache
def _groups(said: str) -> dict[str, list[Ruleset]]:
    """The groups of a draw, given as JSON: a hundred draws take seconds, and a run asks several times."""
    draw = RulesDraw.model_validate_json(said)
    space = _space_of(draw)
    bases = [space.rules_of(load_ruleset(name)) for name in space.bases]
    groups: dict[str, list[Ruleset]] = {NEAR: [], FAR: []}
    wanted = {NEAR: draw.near, FAR: draw.far}
    for ruleset in space.draw(draw.drawn, draw.seed):
        figures = space.rules_of(ruleset)
        distance = min(figures_apart(figures, base) for base in bases)
        group = FAR if distance >= draw.far_low else NEAR
        if distance >= draw.near_low and (group == FAR or distance <= draw.near_high):
            groups[group].append(ruleset)
    for group, rulesets in groups.items():
        if len(rulesets) < wanted[group]:
            raise TrackError(f"{draw.drawn} draws: {len(rulesets)} {group} rulesets, {wanted[group]} needed")
    return {group: rulesets[: wanted[group]] for group, rulesets in groups.items()}


def held_rulesets(track: BenchmarkTrack | str) -> dict[str, list[Ruleset]]:
    """The near and the far rulesets of a track, held out of training.

    Raises:
        TrackError: the track has none, or this package draws others.
    """
    draw = draw_of(track)
    groups = draw_groups(draw)
    for group, digests in ((NEAR, draw.near_digests), (FAR, draw.far_digests)):
        for ruleset, digest in zip(groups[group], digests, strict=True):
            if ruleset.digest != digest:
                raise TrackError(
                    f"{ruleset.name}: drawn with digest {ruleset.digest}, the track says {digest}: this package draws "
                    "other rulesets than the track was made with"
                )
    return groups


def train_rulesets(track: BenchmarkTrack | str, count: int, seed: int) -> list[Ruleset]:
    """Rulesets to train on for a track: draws of its distribution that lie apart from all that are held.

    The first of them are the same for every `count`.

    Args:
        track: a track of kind "rules", or its name.
        count: how many.
        seed: of the draws.

    Returns:
        Valid rulesets of the track's game.

    Raises:
        TrackError: an unknown track, one of another kind, or one whose rulesets this package draws differently.
    """
    return HeldApart(track).training_draws(count, seed)


class HeldApart:
    """What lies apart from the held rulesets of a track: more than `draw.apart` figures from each of them.

    Raises:
        TrackError: as `held_rulesets`.
    """

    def __init__(self, track: BenchmarkTrack | str) -> None:
        self.draw = draw_of(track)
        self._space = _space_of(self.draw)
        self._held = {
            each.name: self._space.rules_of(each) for group in held_rulesets(track).values() for each in group
        }

    def nearest(self, ruleset: Ruleset) -> tuple[int, str]:
        """In how many figures a ruleset differs from the nearest held one, and that one's name."""
        figures = self._space.rules_of(ruleset)
        return min((figures_apart(figures, one), name) for name, one in self._held.items())

    def check(self, rulesets: Iterable[Ruleset]) -> None:
        """Check that rulesets lie apart.

        Raises:
            TrackError: one does not.
        """
        for ruleset in rulesets:
            distance, name = self.nearest(ruleset)
            if distance <= self.draw.apart:
                raise TrackError(
                    f"{ruleset.name}: {name} is held out of training; figures that differ from it: {distance}, "
                    f"more than {self.draw.apart} are needed"
                )

    def training_draws(self, count: int, seed: int) -> list[Ruleset]:
        """The first `count` draws with a seed that lie apart."""
        draws = _draws(self._space, seed)
        return list(islice((each for each in draws if self.nearest(each)[0] > self.draw.apart), count))


def _draws(space: RulesetSpace, seed: int) -> Iterator[Ruleset]:
    """Endless draws; ruleset i is that of `RulesetSpace.draw`."""
    for place in count_up():
        yield from space.draw_from(place, place + 1, seed)


def draw_of(track: BenchmarkTrack | str) -> RulesDraw:
    """How the held rulesets of a track were drawn.

    Raises:
        TrackError: it has no such part.
    """
    found = load_track(track) if isinstance(track, str) else track
    if found.rules is None:
        raise TrackError(f"{found.track}: no rulesets are held apart in this track")
    return found.rules


def _space_of(draw: RulesDraw) -> RulesetSpace:
    space = SPACES[draw.game].at(draw.space)
    if space.version != draw.space:
        raise TrackError(f"rulesets of {draw.game}: version {draw.space} is not known, only {space.version}")
    return space
