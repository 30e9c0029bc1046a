"""The agents that come with the package: `rookie`, `club` and `master`, each a policy for both seats.

A folder holds `britain.safetensors`, `france.safetensors` and `card.json`: what they were trained
for, with which command, and the measured results. `python -m channel_tunnel_agents.players.shipped
RUN NAME` makes one from a training run.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = ("rookie", "club", "master")
CARD = "card.json"
