"""The JSON schemas beside the pages: of ruleset files and of score cards."""

from __future__ import annotations

import json

from channel_tunnel_env.rulesets.ruleset import file_schema
from channel_tunnel_env.tracks.card import ScoreCard


def ruleset_schema() -> str:
    """The JSON schema of a ruleset file."""
    return json.dumps(file_schema(), indent=1, sort_keys=True) + "\n"


def card_schema() -> str:
    """The JSON schema of a score card of the benchmark."""
    return json.dumps(ScoreCard.model_json_schema(), indent=1) + "\n"
