"""The card of a saved policy: what it was trained for, and whether that fits.

Needs no torch, so that a policy can be played without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, FORMS, Architecture, PolicyForm, form_of
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env import __version__ as package_version
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import quote, shorten
from channel_tunnel_env.outside.files import add_file

FORMAT = 1
DIGEST_DIGITS = 16
MAX_WIDTH, MAX_DEPTH = 8192, 32  # of a network; more would be a mistake and exhaust memory
# Paths of policies whose files were sent from another machine -> local copies
# (`channel_tunnel_agents.cluster.ray_parallel`).
MOVED: dict[Path, Path] = {}
DRAWN = "drawn_rulesets"  # key of a card whose policies play every ruleset of their game
APART_FROM = "apart_from"  # key of that entry: the track whose rulesets training kept away from
ALSO = "also_rulesets"  # key of a card: other rulesets that the policies were trained for, in order
OTHER_RULES = "; train for it, or let the policy play as it is: frozen:AGENT"
SHIPPED = Path(__file__).parents[1] / "shipped"


class _Entries(BaseModel):
    """Some entries of a card; a card may have others."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Config(_Entries):
    trunk: Literal["shared", "separate"] = "shared"
    decisions: int = Field(0, ge=0)


class _AlsoRuleset(_Entries):
    ruleset: str
    ruleset_digest: str


class _DrawnRulesets(_Entries):
    space: int
    apart_from: str | None = None


class _Tuned(_Entries):
    seed: int = Field(ge=0)
    rivals: list[str]


class CardEntries(_Entries):
    """What is read of a card beside what it must have; its values come from a file."""

    decisions: int = Field(0, ge=0)
    config: _Config = _Config()
    also_rulesets: list[_AlsoRuleset] = []
    drawn_rulesets: _DrawnRulesets | None = None
    tuned: _Tuned | None = None
    parent: dict[str, Any] | None = None
    continued: list[dict[str, Any]] = []


def make_card(ruleset: Ruleset, **more: Any) -> dict[str, Any]:
    """Make the card of a saved policy."""
    spec = ruleset.spec
    form = FORMS[spec.name]
    return {
        "format": FORMAT,
        "package_version": package_version,
        "ruleset": ruleset.name,
        "ruleset_digest": ruleset.digest,
        "observation_version": form.observation_version,
        "observation_size": spec.observation.size(ruleset),
        "action_version": form.action_version,
        **({} if spec.name == DEFAULT_GAME else {"game": spec.name}),
        **more,
    }


def plays_all_rulesets(card: dict[str, Any]) -> bool:
    """Whether the policies read the rules, and were trained on many."""
    return card.get(DRAWN) is not None


def kept_apart_from(card: dict[str, Any], track: str) -> bool:
    """Whether the policies were trained away from the rulesets of a track, and on nothing after that."""
    return plays_all_rulesets(card) and card[DRAWN].get(APART_FROM) == track


def trained_for(card: dict[str, Any], ruleset: Ruleset) -> bool:
    """Whether the policies were trained for a ruleset, by itself or beside some others."""
    return ruleset.digest in (card.get("ruleset_digest"), *also_digests(card))


def also_digests(card: dict[str, Any]) -> list[str]:
    """Digests of the rulesets beside the card's own, in the order of the run."""
    return [entry["ruleset_digest"] for entry in card.get(ALSO, [])]


def check_card(
    card: dict[str, Any], path: Path, ruleset: Ruleset | None = None, advice: str = "", own: bool = False
) -> None:
    """Refuse a card that does not fit this package or the ruleset.

    Args:
        advice: for another ruleset.
        own: the ruleset must be the one that the card names, though its policies may play all.

    Raises:
        VersionError: names the file and both versions.
    """
    if not isinstance(card, dict):
        raise VersionError(f"{path}: its card is not a JSON object")
    check_entries(card, path)
    form = _form(card, path, ruleset)
    allowed: dict[str, tuple[int, ...]] = {
        "format": (FORMAT,),
        "observation_version": (form.observation_version,),
        "observation_size": form.observation_sizes,
        "action_version": (form.action_version,),
    }
    for key, values in allowed.items():
        if card.get(key) not in values:
            ours = " or ".join(map(str, values))
            raise VersionError(f"{path}: made for {key.replace('_', ' ')} {shorten(card.get(key))}, this is {ours}")
    made = card.get("ruleset_digest")
    if ruleset is None or made == ruleset.digest:
        return
    if own or not (plays_all_rulesets(card) or trained_for(card, ruleset)):
        if path.is_relative_to(SHIPPED) and advice:
            agent, reader = path.parent.name, AGENT_SPECS[ruleset.spec.name].reader
            advice = f"; take {reader}, which reads the rules, or" if reader not in (None, agent) else "; take"
            raise VersionError(
                f"agent {agent!r}: it was trained for {shorten(card.get('ruleset'))}, and {ruleset.name} has other rules"
                f"{advice} frozen:{agent}, which plays as it is (made for ruleset digest {shorten(made)}, this is "
                f"{ruleset.digest})"
            )
        raise VersionError(
            f"{path}: made for ruleset digest {shorten(made)}, this is {ruleset.digest} "
            f"({shorten(card.get('ruleset'))} against {ruleset.name}){advice}"
        )


def check_entries(card: dict[str, Any], path: Path) -> None:
    """Refuse, with a VersionError, entries that are not of their kind."""
    try:
        CardEntries.model_validate(card)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise VersionError(
            f"{path}: its card says {shorten(place)} {quote(first['input'])}: "
            + first["msg"].partition(" or instance")[0]
        ) from None


def _form(card: dict[str, Any], path: Path, ruleset: Ruleset | None) -> PolicyForm:
    """The form of a card's policies, if it is that of the ruleset's game."""
    form, game = form_of(card), card.get("game", DEFAULT_GAME)
    if form is None:
        raise VersionError(f"{path}: plays the game {shorten(game)}; known: {', '.join(FORMS)}")
    if ruleset is not None and ruleset.spec.name != game:
        raise VersionError(f"{path}: plays the game {game}; ruleset {ruleset.name} is of the game {ruleset.spec.name}")
    return form


def check_policy_card(card: dict[str, Any], path: Path) -> None:
    """Refuse, with a VersionError, a card of another side than the file's, or of an unknown or too large network."""
    side = side_of(path)
    if side is not None and card.get("side") != side:
        raise VersionError(f"{path}: its card says side {card.get('side')!r:.40}; the file is {side}'s")
    for key, most in (("width", MAX_WIDTH), ("depth", MAX_DEPTH)):
        size = card.get(key)
        if type(size) is not int or not 1 <= size <= most:
            raise VersionError(f"{path}: its card says {key} {size!r:.40}; allowed: whole numbers 1 to {most}")
    known = (form_of(card) or DEFAULT_FORM).networks
    if architecture_of(card) not in known:
        raise VersionError(f"{path}: its card says network {card['network']!r:.40}; allowed: {', '.join(known)}")


def architecture_of(card: dict[str, Any]) -> Architecture:
    """The network's name; a card without one means the plain network."""
    name: Architecture = card.get("network", "mlp")
    return name


def network_of(card: dict[str, Any]) -> dict[str, Any]:
    """Name, width, depth and trunk (shared or separate) of the network that a policy was part of."""
    trunk = card.get("config", {}).get("trunk", "shared")
    size = {"width": card["width"], "depth": card["depth"]}
    return {**size, "trunk": trunk, "network": architecture_of(card)}


def side_of(path: Path) -> str | None:
    """The side in a policy file's name, if any."""
    sides = [side for form in FORMS.values() for side in form.sides]
    return next((side for side in sides if path.name.startswith(side)), None)


def policy_folder(agent: Any) -> Path | None:
    """Where a policy was read from, or that with which a search looks ahead; None for any other agent."""
    folder: Path | None = getattr(getattr(agent, "policy", agent), "folder", None)
    return folder


def digest_of(files: Iterable[Path]) -> str:
    """16 hex digits of the SHA-256 of a policy's files, one after the other."""
    digest = hashlib.sha256()
    for file in files:
        add_file(digest, MOVED.get(file, file))
    return digest.hexdigest()[:DIGEST_DIGITS]


def policy_paths(path: Path) -> dict[str, Path]:
    """Side -> file, for a folder or a single file; a VersionError if it is neither."""
    path = MOVED.get(path, path)
    if path.is_dir():
        whole = {form.sides: [path / f"{side}.safetensors" for side in form.sides] for form in FORMS.values()}
        sides = next((s for s, files in whole.items() if files[0].exists()), DEFAULT_FORM.sides)
        return dict(zip(sides, whole[sides], strict=True))
    side = side_of(path)
    if side is None:
        raise VersionError(f"{path}: a run folder, britain.safetensors or france.safetensors is needed")
    return {side: path}
