"""The position of one round: a value that never changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.actions import Entry
from games.engine.options import Options
from games.engine.tiles import Tile


class Laid(NamedTuple):
    """A tile on the layout as it lies, left number first. The opening tile has no seat (R3)."""

    tile: Tile
    left: int
    right: int
    seat: int | None
    ply: int | None


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round ended (R9–R12) and what it counts.

    `reason` is "out", "blocked" or "emptied"; `closer` the seat that went out. `scores` are by
    seat, in pips; `team_scores` is the match sheet [team 0, team 1] when teams play.
    """

    reason: str
    closer: int | None
    ends: tuple[int, int]
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    team_scores: tuple[int, int] | None = None
    winner_team: int | None = None

    @property
    def sheet(self) -> tuple[int, ...]:
        """What the round adds to the totals: by team when teams play, else by seat."""
        return self.scores if self.team_scores is None else self.team_scores

    @property
    def winner(self) -> int:
        """The winning side: a team when teams play, else a seat."""
        return self.ranking[0] if self.winner_team is None else self.winner_team

    @property
    def best_seat(self) -> int:
        """The best-ranked individual, in teams the best of the winning team (R13)."""
        if self.winner_team is None:
            return self.ranking[0]
        return next(seat for seat in self.ranking if seat % 2 == self.winner_team)


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round after `log`. `turn` is None when it is over; `emptied` in order of emptying."""

    options: Options
    number: int
    starter: int
    hands: tuple[frozenset[Tile], ...]
    dead: tuple[tuple[Tile, ...], ...]
    rest: tuple[Tile, ...]
    line: tuple[Laid, ...]
    turn: int | None
    emptied: tuple[int, ...] = ()
    log: tuple[Entry, ...] = ()
    end: RoundEnd | None = None

    @property
    def ply(self) -> int:
        """How many actions were taken."""
        return len(self.log)

    @property
    def ends(self) -> tuple[int, int] | None:
        """The open numbers, left and right; None before the lead."""
        return (self.line[0].left, self.line[-1].right) if self.line else None

    @property
    def counted(self) -> tuple[tuple[Tile, ...], ...]:
        """Each seat's counted tiles: hand and own dead pile."""
        return tuple(
            tuple(sorted(hand)) + dead for hand, dead in zip(self.hands, self.dead, strict=True)
        )

    @property
    def where(self) -> str:
        """The position in words for a refusal: round, ply, ends, seat to move."""
        ends = f"ends {self.ends[0]},{self.ends[1]}" if self.ends else "before the lead"
        return f"round {self.number}, ply {self.ply}, {ends}, seat {self.turn} to move"
