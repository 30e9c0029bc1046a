"""What every environment says when nothing is left to decide: how the game ended, under the same names, and an idle mask.

winner     a seat, such as "britain"; None if no seat won, or several seats share the win
end_cause  one of the game's end causes; or "max_cycles", "illegal_action" if the environment, not the
           rules, ended the game
scores     {"britain": {"total": 31, "cards": 9, ...}, "france": ...}, as `Game.scores`
ruleset    the name of the rules that the game was played by
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.spec import GameSpec

WINNER, END_CAUSE, SCORES, RULESET = "winner", "end_cause", "scores", "ruleset"
MAX_CYCLES, ILLEGAL_ACTION = "max_cycles", "illegal_action"


def result_info(game: Game, cause: str | None = None) -> dict[str, Any]:
    """What the infos hold at a game's end.

    Args:
        game: the game that ended.
        cause: given if the environment ended it, not the rules: "max_cycles" or "illegal_action".

    Returns:
        winner: a seat's name or None; end_cause; scores: seat -> source -> points; ruleset: its name.
    """
    played = game.ruleset.name
    return {WINNER: game.winner, END_CAUSE: cause or game.end_cause, SCORES: game.scores(), RULESET: played}


def copy_of_result(result: dict[str, Any]) -> dict[str, Any]:
    """A copy of `result_info` that shares no dict with it, for another agent; `deepcopy` takes ten times as long."""
    return result | {SCORES: {seat: points.copy() for seat, points in result[SCORES].items()}}


@dataclass(frozen=True)
class BatchResults:
    """Results of the k games of a batch that just ended.

    Args:
        winners: k seats, None if no seat won or several share the win.
        causes: k end causes.
        scores: int16 (k, S, sources), by seat and source.
        seats: their names.
        sources: names of what points come from, the total last.
        rulesets: k names.
    """

    winners: list[str | None]
    causes: list[str]
    scores: NDArray[np.int16]
    seats: tuple[str, ...]
    sources: tuple[str, ...]
    rulesets: list[str]

    @classmethod
    def of(cls, batch: BatchGame, ended: NDArray[np.intp]) -> BatchResults:
        """Results of the rows that ended in the last step."""
        finals = batch.final_states[ended]
        spec, names = batch.spec, batch.seats
        by_source = spec.outcome.by_source(batch.scores_of(finals))
        return cls(
            [None if seat == spec.outcome.draw else names[seat] for seat in finals["winner"].tolist()],
            [spec.outcome.end_causes[cause] for cause in finals["end_cause"].tolist()],
            np.stack([*by_source.values()], axis=-1),
            names,
            tuple(by_source),
            [batch.rulesets[entry].name for entry in finals["ruleset"].tolist()],
        )

    def infos(self) -> list[dict[str, Any]]:
        """One info per game, as `result_info`."""
        return [
            {
                WINNER: winner,
                END_CAUSE: cause,
                SCORES: {
                    seat: dict(zip(self.sources, points, strict=True))
                    for seat, points in zip(self.seats, by_seat, strict=True)
                },
                RULESET: ruleset,
            }
            for winner, cause, by_seat, ruleset in zip(
                self.winners, self.causes, self.scores.tolist(), self.rulesets, strict=True
            )
        ]

    def vector_info(self, ended: NDArray[np.intp], num_envs: int) -> dict[str, Any]:
        """Infos in Gymnasium's vector format: arrays (num_envs,), masks of valid rows as `_key`.

        Args:
            ended: the rows of the games.
        """
        shown = np.zeros(num_envs, np.bool_)
        shown[ended] = True
        points = np.zeros((len(self.seats), len(self.sources), num_envs), np.int64)
        points[:, :, ended] = self.scores.transpose(1, 2, 0)
        info: dict[str, Any] = {}
        for name, values in ((WINNER, self.winners), (END_CAUSE, self.causes), (RULESET, self.rulesets)):
            info[name] = np.full(num_envs, None, dtype=object)
            info[name][ended] = values
        info[SCORES] = _with_masks(
            {
                name: _with_masks(dict(zip(self.sources, points[seat], strict=True)), shown)
                for seat, name in enumerate(self.seats)
            },
            shown,
        )
        return _with_masks(info, shown)


def _with_masks(info: dict[str, Any], shown: NDArray[np.bool_]) -> dict[str, Any]:
    return info | {f"_{name}": shown.copy() for name in info}


@cache
def idle_mask(spec: GameSpec) -> NDArray[np.int8]:
    """The mask when there is nothing to decide, in a last observation or while another agent decides.

    It allows only the game's `idle_action`, which is ignored. A mask of zeros would turn a masked categorical, whose logits
    are minus infinity wherever the mask is 0, into NaN, even in rows that a learner later multiplies by 0.

    Returns:
        int8[A], read-only.
    """
    mask = np.zeros(spec.actions.count, np.int8)
    mask[spec.actions.idle] = 1
    mask.flags.writeable = False
    return mask
