"""What the rulebook says of the table itself, in every game."""

from __future__ import annotations

from typing import Any

AT_THE_TABLE: dict[str, Any] = {
    "key": "handling",
    "title": "At this table",
    "blocks": [
        {
            "items": [
                "**Undo** (key U) goes back to your last decision; what the agents did after it is taken back, too. "
                "Between two people, what one of them has seen since cannot be taken back.",
                "**Look back** with the slider, its buttons or the arrow keys. The game waits until you are at its last "
                "decision again.",
                "**Why not?** Click what is not ringed, and the table says why it is not possible now.",
                "**Rules at hand**: point at anything on the board for its rule.",
                "**Resign** (More) gives the game up, after a question. Between two the other wins; of more, the beginner plays "
                "the seat on while other people play. A draw is offered by no game but Eurotunnel Diplomacy, where its rules have "
                "the vote switched on: it is written with the orders.",
                "**Restart this deal**, save the game, or invite somebody to another seat: under More. **Keys** are "
                "listed there as well (key ?).",
            ]
        }
    ],
}
"""A section as `faces.rulebook` makes them."""
