"""Credit for the decisions of a rollout in which every row is the seat to move, on any device.

Between two seats with opposite results rewards are from one seat's perspective, and for the temporal
differences so are the values: they run straight through changes of seat, and the loser needs no special
case. The policy, though, must be judged from the mover's perspective: advantages change sign where the
mover is the other seat (Rudolph et al. 2025 use the same layout).

Among more seats one's gain is not another's loss: every seat has its own rewards and values, and its
differences run from each of its decisions to its own next one, over those of the others.

T is the number of steps, N of games, S of seats; gamma discounts a decision, lam is the lambda of generalised advantage
estimation. Nothing here waits for the device.
"""

from __future__ import annotations

import torch


def signs(own: torch.Tensor) -> torch.Tensor:
    """float32, 1 where true, -1 elsewhere."""
    return own.float() * 2 - 1


def zero_sum(
    rewards: torch.Tensor, values: torch.Tensor, ended: torch.Tensor, last: torch.Tensor, gamma: float, lam: float
) -> torch.Tensor:
    """Advantages (T, N), all in one seat's perspective.

    Args:
        rewards, values: float (T, N), in that perspective.
        ended: bool (T, N), games that the step ended.
        last: float (N,), values after the last step, in that perspective.
    """
    advantages, advantage = torch.empty_like(values), torch.zeros_like(last)
    goes_on = (~ended).to(values.dtype)
    for step in reversed(range(len(values))):
        error = rewards[step] + gamma * goes_on[step] * last - values[step]
        advantage = error + gamma * lam * goes_on[step] * advantage
        advantages[step], last = advantage, values[step]
    return advantages


def per_seat(
    rewards: torch.Tensor,
    values: torch.Tensor,
    ended: torch.Tensor,
    last: torch.Tensor,
    movers: torch.Tensor,
    waiting: torch.Tensor,
    gamma: float,
    lam: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Advantages (T, N) of each row's mover, and whether each is known, bool (T, N); others are 0.

    A seat's decision earns what the seat is paid until its own next decision, and the value there; at the end
    of a game every seat's last decision earns its result, regardless of who moved last. If the rollout ends before a
    seat decides again, only the seat whose turn it is has a value to go on with. The last decision of every
    other seat is then not judged, and the seat's earlier decisions build on its value.

    Args:
        rewards: float (T, N, S), of all seats.
        values: float (T, N), of the mover.
        ended: bool (T, N), games that the step ended.
        last: float (N,), values after the last step, of the seats to move.
        movers: int64 (T, N).
        waiting: int64 (N,), the seats to move after the last step.
    """
    advantages, judged = torch.empty_like(values), torch.empty_like(ended)
    # By row and seat, looking back from the end: what came after the decision looked at.
    own = waiting[:, None]
    value, advantage, paid = (torch.zeros_like(rewards[0]) for _ in range(3))
    known = torch.zeros_like(value, dtype=torch.bool).scatter_(1, own, True)
    value.scatter_(1, own, last[:, None])
    for step in reversed(range(len(values))):
        over, own, now = ended[step][:, None], movers[step][:, None], values[step][:, None]
        known = known | over
        value, advantage, paid = (each.masked_fill(over, 0.0) for each in (value, advantage, paid))
        paid += rewards[step]
        error = paid.gather(1, own) + gamma * value.gather(1, own) - now
        is_judged = known.gather(1, own)
        gained = (error + gamma * lam * advantage.gather(1, own)).masked_fill(~is_judged, 0.0)
        advantages[step], judged[step] = gained[:, 0], is_judged[:, 0]
        known.scatter_(1, own, True)
        value.scatter_(1, own, now)
        paid.scatter_(1, own, 0.0)
        advantage.scatter_(1, own, gained)
    return advantages, judged


def normalised(advantages: torch.Tensor, judged: torch.Tensor) -> torch.Tensor:
    """Advantages of mean 0 and standard deviation 1 over the `judged` ones; all others are 0."""
    weight = judged.to(advantages.dtype)
    count = weight.sum().clamp(min=1.0)
    mean = (advantages * weight).sum() / count
    spread = (((advantages - mean) * weight).square().sum() / count).sqrt()
    return (advantages - mean) / (spread + 1e-8) * weight
