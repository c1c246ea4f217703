"""The match: totals, its end, its order, who starts next (R13–R14, R17)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.options import Options
from games.engine.state import RoundEnd, RoundState

PLAYED, VOIDED, ADJUDICATED, CLOSED, CANCELLED = (
    "played",
    "voided",
    "adjudicated",
    "closed",
    "cancelled",
)
REASONS = (PLAYED, VOIDED, ADJUDICATED, CLOSED, CANCELLED)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `order`: seats, best first, or teams when teams play; `left`: seats."""

    order: tuple[int, ...]
    reason: str
    left: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"order": list(self.order), "reason": self.reason, "left": list(self.left)}


def totals(options: Options, ends: Sequence[RoundEnd]) -> tuple[int, ...]:
    """The sheets of all rounds added up, by seat or by team."""
    return tuple(sum(end.sheet[side] for end in ends) for side in range(options.sides))


def is_over(options: Options, ends: Sequence[RoundEnd]) -> bool:
    """Whether the match is over after these rounds (R14)."""
    match = options.match
    if match.kind == "target":
        assert match.points is not None
        return max(totals(options, ends)) >= match.points
    return len(ends) >= (match.n or 1)


def order(
    options: Options, ends: Sequence[RoundEnd], left: Collection[int] = ()
) -> tuple[int, ...]:
    """Seats, or teams when teams play, best first.

    Total ascending, rounds won descending, place in the last round (R14). Seats that left for
    good come last; a leaver's team is ranked normally (R17).
    """
    summed = totals(options, ends)
    won = [sum(end.winner == side for end in ends) for side in range(options.sides)]
    last = _places(options, ends[-1]) if ends else list(range(options.sides))
    gone = () if options.teams else left
    return tuple(
        sorted(range(options.sides), key=lambda s: (s in gone, summed[s], -won[s], last[s]))
    )


def _places(options: Options, end: RoundEnd) -> list[int]:
    if options.teams:
        return [int(side != end.winner_team) for side in range(2)]
    return [end.ranking.index(seat) for seat in range(options.players)]


def next_right(options: Options, finished: RoundState) -> int:
    """The seat with the right to start the round after `finished` (R13)."""
    assert finished.end is not None
    if options.next_starter == "rotate":
        return (finished.starter + 1) % options.players
    return finished.end.best_seat
