"""Lists of games: mine, those that wait for me, tables open to anyone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import FilteredRelation, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.engine.match import Result
from games.engine.options import Options
from games.engine.state import Laid
from games.models import Game, Move, Round, Seat

from .access import Viewer
from .positions import final_state

RECENT = timedelta(days=30)
# More open tables than anybody reads; the newest are the liveliest.
SHOWN = 100


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A row of a list. `line` is the layout, public to all who see the row."""

    code: UUID
    status: str
    names: tuple[str, ...]
    you: int | None
    your_turn: bool
    absent: bool
    deadline_at: datetime | None
    to_move_name: str
    round_number: int
    line: tuple[Laid, ...]
    unseen: int
    options: Options
    free: int
    result: Result | None
    finished_at: datetime | None
    turn_seconds: int


@dataclass(frozen=True, slots=True)
class MyGames:
    """A person's games, each list in the order in which it is shown."""

    yours: list[ListedGame]
    waiting: list[ListedGame]
    gathering: list[ListedGame]
    invitations: list[ListedGame]
    finished: list[ListedGame]


def waiting_count(user: Viewer) -> int:
    """How many games wait for this person now."""
    if not user.is_authenticated:
        return 0
    return Game.objects.waiting_for(user).count()


def next_waiting(user: User, after: UUID | None = None) -> UUID | None:
    """The game to play next: least time left first, once around past `after`."""
    codes = list(Game.objects.waiting_for(user).values_list("code", flat=True))
    if after in codes:
        here = codes.index(after) + 1
        codes = codes[here:] + codes[: here - 1]
    return codes[0] if codes else None


def my_games(user: User) -> MyGames:
    """Running, gathering and recently finished games of a person, and his invitations."""
    now = timezone.now()
    # Two look-ups by key: joined in one query, neither database would use an index.
    seated = user.seats.values("game")
    fresh = Q(finished_at=None) | Q(finished_at__gt=now - RECENT)
    mine = Game.objects.filter(fresh, pk__in=seated).values("pk")
    invited = Game.objects.gathering().filter(rematch_of__in=seated).values("pk")
    rows = listed(Game.objects.filter(Q(pk__in=mine) | Q(pk__in=invited)), user)
    yours = [g for g in rows if g.your_turn]
    running = [g for g in rows if g.status in ("playing", "stopped") and not g.your_turn]
    opened = [g for g in rows if g.status == "open"]
    finished = [g for g in rows if g.status == "finished"]
    far = datetime.max.replace(tzinfo=now.tzinfo)
    return MyGames(
        yours=sorted(yours, key=lambda g: g.deadline_at or far),
        waiting=sorted(running, key=lambda g: g.deadline_at or far),
        gathering=[g for g in opened if g.you is not None],
        invitations=[g for g in opened if g.you is None],
        finished=sorted(finished, key=lambda g: g.finished_at or now, reverse=True),
    )


def listed(games: QuerySet[Game], user: Viewer) -> list[ListedGame]:
    """Rows of a list, from three queries whatever their number."""
    running_moves = Move.objects.filter(round__finished_at=None)
    with_rows = (
        games.annotate(running=FilteredRelation("rounds", condition=Q(rounds__finished_at=None)))
        .select_related("host", "running")  # type: ignore[misc]
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("user").order_by("position")),
            Prefetch("moves", running_moves.select_related("seat").order_by("ply")),
        )
    )
    return [_row(game, user) for game in with_rows]


def _row(game: Game, user: Viewer) -> ListedGame:
    seats = list(game.seats.all())
    own = next((s for s in seats if user.pk is not None and s.user_id == user.pk), None)
    options = game.rules
    running: Round | None = getattr(game, "running", None)
    moves = list(game.moves.all())
    state = final_state(options, running, moves) if running else None
    mover = next((s for s in seats if s.position == game.to_move), None)
    your_turn = own is not None and own is mover and not own.by_bot and not game.stopped_at
    return ListedGame(
        code=game.code,
        status=game.status,
        names=tuple(seat.name for seat in seats),
        you=own.position if own else None,
        your_turn=your_turn,
        absent=own is not None and own.absent_since is not None,
        deadline_at=game.deadline_at,
        to_move_name=mover.name if mover else "",
        round_number=game.round_number,
        line=state.line if state else (),
        unseen=_unseen(own, moves),
        options=options,
        free=options.players - len(seats),
        result=game.match_result,
        finished_at=game.finished_at,
        turn_seconds=game.turn_seconds,
    )


def _unseen(own: Seat | None, moves: list[Move]) -> int:
    """Actions since the person's own last one in this round."""
    if own is None:
        return 0
    last = max((move.ply for move in moves if move.seat_id == own.pk), default=-1)
    return len(moves) - 1 - last


def open_tables(user: Viewer) -> list[ListedGame]:
    """Public tables that still gather and have a free seat for this person, newest first."""
    games = Game.objects.gathering().filter(public=True).with_free_seats()
    if user.is_authenticated:
        games = games.exclude(pk__in=user.seats.values("game"))
    return listed(games.order_by("-created_at")[:SHOWN], user)


def finished_games(user: User) -> QuerySet[Game]:
    """All matches of a person that are over, newest first."""
    seated = user.seats.values("game")
    return Game.objects.filter(pk__in=seated, finished_at__isnull=False).order_by("-finished_at")
