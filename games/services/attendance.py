"""Coming back, leaving, and giving up a running match together (R17)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.errors import NotAllowed, Stale
from games.models import Game, Seat
from games.selectors import seats_of

from . import clocks, finishing, ledger
from .deadlines import enforce_deadline


@dataclass(slots=True)
class _Attending:
    """A running match under its lock, with the seat of the person who asks."""

    game: Game
    seats: list[Seat]
    own: Seat
    now: datetime

    @property
    def to_move(self) -> Seat:
        assert self.game.to_move is not None
        return self.seats[self.game.to_move]

    def restart_turn(self) -> None:
        """Whoever is to move now has a whole turn."""
        clocks.start_turn(self.game, self.seats, self.to_move.position, self.now)


def take_back(*, code: UUID, user: User) -> None:
    """The owner plays for his seat again; his turn, and a stopped table's, begins anew."""
    with _attending(code, user) as here:
        if here.own.absent_since is None:
            return
        here.own.absent_since = None
        here.own.save(update_fields=("absent_since",))
        clocks.note(here.game, "taken_back", here.now, seat=here.own.position)
        if here.game.stopped_at is not None or here.to_move is here.own:
            here.restart_turn()


def leave_match(*, code: UUID, user: User) -> None:
    """Leave for good: a bot plays the seat to the end, and its owner ranks last."""
    with _attending(code, user) as here:
        here.own.left_at = here.now
        here.own.absent_since = None
        here.own.save(update_fields=("left_at", "absent_since"))
        clocks.note(here.game, "left", here.now, seat=here.own.position)
        given_up = finishing.end_if_given_up(here.game, here.seats, here.now)
        if given_up or here.game.stopped_at is not None:
            return
        if here.to_move is here.own or clocks.everyone_away(here.seats):
            here.restart_turn()


def vote_cancel(*, code: UUID, user: User) -> None:
    """Agree to give up the match; it ends when everyone still at the table has agreed."""
    with _attending(code, user) as here:
        if here.own.wants_cancel:
            return
        here.own.wants_cancel = True
        here.own.save(update_fields=("wants_cancel",))
        clocks.note(here.game, "voted_cancel", here.now, seat=here.own.position)
        finishing.end_if_given_up(here.game, here.seats, here.now)


@contextmanager
def _attending(code: UUID, user: User) -> Iterator[_Attending]:
    """Hold a running match for one of its people, or refuse."""
    # A deadline that has passed is carried out first: nobody comes back before it (R16).
    enforce_deadline(code)
    with transaction.atomic(durable=True):
        game = Game.objects.locked().get(code=code)
        if game.to_move is None:
            raise Stale
        seats = seats_of(game)
        own = next((s for s in seats if s.user_id == user.pk and s.left_at is None), None)
        if own is None:
            raise NotAllowed
        events = game.events
        yield _Attending(game, seats, own, timezone.now())
        # Whatever changes here is said in the log; nothing said, nothing for pages to fetch.
        if game.events != events:
            ledger.save_summary(game)
