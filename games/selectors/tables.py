"""A table as one viewer may see it: the only way from stored rows to a shown table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from games.engine import match
from games.engine.match import Result
from games.engine.options import Options
from games.engine.record import read_end
from games.engine.state import RoundEnd, RoundState
from games.engine.visibility import SeatView, seat_view
from games.models import Game, Round, Seat

from .access import Viewer
from .positions import final_state, moves_of, seats_of


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A taken seat. `kind` is "human", "guest" or "bot"."""

    position: int
    name: str
    kind: str
    level: str | None
    you: bool
    host: bool
    absent: bool
    left: bool
    missed: int
    hand_count: int
    dead_count: int
    to_move: bool


@dataclass(frozen=True, slots=True)
class FinishedRound:
    number: int
    end: RoundEnd
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class TableView:
    """All that a viewer may know of a table; `you` is his seat, or None.

    `round` is the running round as he may see it; `last` the newest finished round, all open.
    `commitment` and `context` are those of the newest deal, the latter "" before the first (R20).
    `seats` has None where a place is free. `can` names the POST actions open to him now.
    """

    code: UUID
    status: str
    version: int
    public: bool
    fixed_seats: bool
    auto_start: bool
    replays_open: bool
    options: Options
    turn_seconds: int
    host_name: str
    you: int | None
    seats: tuple[SeatInfo | None, ...]
    round: SeatView | None
    round_number: int
    deadline_at: datetime | None
    closes_at: datetime | None
    finished: tuple[FinishedRound, ...]
    totals: tuple[int, ...]
    result: Result | None
    last: RoundState | None
    commitment: str
    context: str
    next_commitment: str
    your_phrase: str
    events: tuple[dict[str, Any], ...]
    rematch: UUID | None
    can: frozenset[str]

    @property
    def your_turn(self) -> bool:
        return "act" in self.can

    @property
    def free(self) -> int:
        return self.seats.count(None)


def table_view(game: Game, viewer: Viewer) -> TableView:
    """`game` as `viewer` may see it. Whether he may open it at all is access.may_open."""
    seats = seats_of(game)
    # A start that comes between these look-ups moves people to other seats, so what has no
    # round in the row that was read first has none here either.
    rounds = list(game.rounds.order_by("number")) if game.started_at else []
    own = next((s for s in seats if viewer.pk is not None and s.user_id == viewer.pk), None)
    state = _newest_state(game, rounds, seats)
    running = game.finished_at is None and state is not None
    you = own.position if own else None
    seen = None
    if running and state is not None:
        # A seat left for good belongs to its bot now (R17): its old owner is a spectator.
        seen = seat_view(state, you if own and own.left_at is None else None)
    finished = _finished(rounds)
    options = game.rules
    rematch = _rematch(game)
    return TableView(
        code=game.code,
        status=game.status,
        version=game.version,
        public=game.public,
        fixed_seats=game.fixed_seats,
        auto_start=game.auto_start,
        replays_open=game.replays_open,
        options=options,
        turn_seconds=game.turn_seconds,
        host_name=str(game.host),
        you=you,
        seats=_seat_infos(game, seats, viewer, seen),
        round=seen,
        round_number=game.round_number,
        deadline_at=game.deadline_at,
        closes_at=game.closes_at,
        finished=finished,
        totals=match.totals(options, [r.end for r in finished]),
        result=game.match_result,
        last=None if running else state,
        commitment=rounds[-1].commitment if rounds else game.next_commitment,
        context=rounds[-1].context if rounds else "",
        next_commitment=game.next_commitment,
        your_phrase=own.phrase if own else "",
        events=tuple(game.events),
        rematch=rematch,
        can=_allowed(game, own, seats, viewer, rematch),
    )


def _newest_state(game: Game, rounds: list[Round], seats: list[Seat]) -> RoundState | None:
    if not rounds:
        return None
    return final_state(game.rules, rounds[-1], moves_of(rounds[-1], seats))


def _finished(rounds: list[Round]) -> tuple[FinishedRound, ...]:
    return tuple(
        FinishedRound(r.number, read_end(r.end), r.finished_at)
        for r in rounds
        if r.end is not None and r.finished_at is not None
    )


def _rematch(game: Game) -> UUID | None:
    """The code of the match that these people play next; only finished games can have one."""
    if game.finished_at is None:
        return None
    following: Game | None = getattr(game, "rematch", None)
    return following.code if following else None


def _seat_infos(
    game: Game, seats: list[Seat], viewer: Viewer, seen: SeatView | None
) -> tuple[SeatInfo | None, ...]:
    infos: list[SeatInfo | None] = [None] * game.rules.players
    for seat in seats:
        kind = "bot" if seat.user is None else "guest" if seat.user.is_guest else "human"
        infos[seat.position] = SeatInfo(
            position=seat.position,
            name=seat.name,
            kind=kind,
            level=seat.bot_level,
            you=seat.user_id is not None and seat.user_id == viewer.pk,
            host=seat.user_id == game.host_id,
            absent=seat.absent_since is not None,
            left=seat.left_at is not None,
            missed=seat.missed,
            hand_count=seen.hand_counts[seat.position] if seen else 0,
            dead_count=seen.dead_counts[seat.position] if seen else 0,
            to_move=game.to_move == seat.position,
        )
    return tuple(infos)


def _allowed(
    game: Game, own: Seat | None, seats: list[Seat], viewer: Viewer, rematch: UUID | None
) -> frozenset[str]:
    """What the viewer may do now; the services check it again under the lock."""
    host = viewer.pk is not None and viewer.pk == game.host_id
    if game.status == "open":
        return frozenset(_allowed_before_start(game, own, seats, host))
    can: set[str] = {"open_replays"} if host else set()
    if own is None or own.left_at is not None:
        return frozenset(can)
    if game.finished_at is not None:
        # Nothing to offer again where people are seated at a rematch already.
        return frozenset(can | ({"rematch"} if rematch is None else {"join_rematch"}))
    can |= {"leave_match", "phrase"} | (set() if own.wants_cancel else {"vote_cancel"})
    if own.absent_since is not None:
        can.add("take_back")
    elif game.to_move == own.position and game.stopped_at is None:
        can.add("act")
    return frozenset(can)


def _allowed_before_start(game: Game, own: Seat | None, seats: list[Seat], host: bool) -> set[str]:
    full = len(seats) == game.rules.players
    can = set()
    if not full and (own is None or game.fixed_seats):
        can.add("join")
    if own is not None:
        can.add("phrase")
    if own is not None and not host:
        can.add("leave")
    if host:
        can |= {"cancel", "new_link"} if not game.public else {"cancel"}
        can |= {"start"} if full else {"fill"}
        if len(seats) > 1:
            can.add("free_seat")
    return can
