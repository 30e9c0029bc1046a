"""Released tracks never change, and what is not a track or a card is refused in one line."""

from __future__ import annotations

import json

import jsonschema
import pytest

from channel_tunnel_env import load_ruleset, tracks
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.tracks import RELEASED, TrackError, load_track, read_track, track_digest
from channel_tunnel_env.tracks.card import ScoreCard, card_text, read_card

DIGESTS = {
    "duel-v1": "4a9e0a10cd0f65e0",
    "rules-v1": "137c6d7bccdaf15d",
    "search-v1": "3a086c60f9afa93d",
    "carcassonne-v1": "c5e4f872b852f669",
    "seven-v1": "a5b6dfbba6772962",
    "few-decisions-v1": "70754eba1cc9dd1d",
}
"""As released; a change of a track is a new track."""


def test_released_tracks_are_unchanged() -> None:
    assert {name: track_digest(name) for name in RELEASED} == DIGESTS == RELEASED
    for name in RELEASED:
        assert load_track(name).track == name


@pytest.mark.parametrize("name", DIGESTS)
def test_the_rulesets_of_a_track_are_those_it_was_made_with(name: str) -> None:
    for table in load_track(name).tables:
        ruleset = load_ruleset(table.ruleset).with_values(dict(table.changes), table.ruleset)
        assert ruleset.digest == table.digest


def test_a_track_that_was_changed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tracks.RELEASED, "duel-v1", "0" * 16)
    with pytest.raises(TrackError, match="was changed: digest") as caught:
        load_track("duel-v1")
    assert "\n" not in str(caught.value)


def test_an_unknown_track_names_the_nearest() -> None:
    with pytest.raises(TrackError, match="did you mean 'duel-v1'"):
        load_track("duel-v2")


def test_what_is_no_track_is_refused_in_one_line() -> None:
    for text in ("track: x\n", "[1, 2]", "track: {a: 1}\nkind: nonsense\n"):
        with pytest.raises((TrackError, DocumentError)) as caught:
            read_track(text, "mine.yaml")
        assert str(caught.value).startswith("mine.yaml: ") and "\n" not in str(caught.value)


def card() -> ScoreCard:
    score = {
        "key": "rating",
        "title": "Rating",
        "unit": "Elo",
        "value": 10.0,
        "low": 5.0,
        "high": 15.5,
        "sample": "deals",
        "number": 2,
    }
    machine = {
        "processor": "p",
        "cores": 1,
        "system": "s",
        "python": "3",
        "numpy": "2",
        "numba": "0",
        "speed": {"games": 1.0},
    }
    return ScoreCard.model_validate(
        {
            "card": 1,
            "track": {"name": "duel-v1", "digest": DIGESTS["duel-v1"]},
            "agent": {"name": "random", "sees": "observations", "repeats": True, "milliseconds": 0.1},
            "machine": machine,
            "package": "0.1.0",
            "played": "2026-01-31",
            "command": "channel-tunnel benchmark duel-v1 random",
            "deals": {"duel v random": [1, 2**63 - 1]},
            "budgets": [],
            "opponents": {"random": None},
            "reference": None,
            "wall_seconds": 1.0,
            "processor_seconds": 1.0,
            "decisions": 3,
            "games": 4,
            "scores": [score],
            "results": {"duel v random": [[1.0, 0.5], [0.0, 0.25]]},
        }
    )


def test_a_card_comes_back_and_fits_its_schema(tmp_path) -> None:
    path = tmp_path / "card.json"
    path.write_text(card_text(card()), encoding="utf-8")
    assert read_card(path).results == card().results
    jsonschema.validate(json.loads(path.read_text()), ScoreCard.model_json_schema())


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"value": 10.0', '"value": 11.0', "is damaged: its checksum does not fit"),
        ("[1, 0.5]", "[1, 1]", "is damaged: its checksum does not fit"),
        ('"value": 10.0', '"value": 20.0', "an interval must hold its value"),
        ('"low": 5.0,', "", "low: Field required"),
        ('"low": 5.0,', '"low": null,', "low: "),
        (DIGESTS["duel-v1"], "f" * 16, "of another version of duel-v1"),
        ('"card": 1', '"card": 2', "card: "),
        ("duel-v1", "duel-v9", "track 'duel-v9'"),
    ],
)
def test_a_card_that_was_changed_is_refused_in_one_line(tmp_path, old: str, new: str, why: str) -> None:
    path = tmp_path / "card.json"
    text = card_text(card())
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises((TrackError, DocumentError), match=why) as caught:
        read_card(path)
    assert "\n" not in str(caught.value)
