"""Missed turns and takeovers (R16–R17)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.engine.actions import TIMEOUT
from games.engine.rules import timeout_action
from games.models import Game, Seat
from games.selectors import Position, load

from . import clocks
from .turns import take_turn

TAKEOVERS_TO_LEAVE = 3


def time_out_if_overdue(position: Position, now: datetime) -> bool:
    """Carry out the timeout of a passed deadline; the game is locked. True when there was one."""
    if not clocks.is_overdue(position.game, now):
        return False
    seat = position.mover
    _count_missed(position.game, seat, now)
    take_turn(position, timeout_action(position.state), by=TIMEOUT, now=now)
    return True


def enforce_deadline(code: UUID, *, wait: bool = True) -> None:
    """Lock the match and carry out its timeout if one is due.

    Without `wait`, a match that somebody else holds is left to him.
    """
    with transaction.atomic(durable=True):
        games = Game.objects.locked() if wait else Game.objects.free_to_lock()
        game = games.filter(code=code, deadline_at__isnull=False).first()
        if game is None:
            return
        before = game.version
        timed_out = time_out_if_overdue(load(game), timezone.now())
        if not timed_out and game.version != before:
            save_outage(game)


def save_outage(game: Game) -> None:
    """Store what clocks.add_outages changed."""
    game.save(update_fields=("deadline_at", "closes_at", "outage", "version", "events"))


def _count_missed(game: Game, seat: Seat, now: datetime) -> None:
    """Count a missed deadline, and let a bot take over when it was one too many (R17)."""
    seat.missed += 1
    allowed = 1 if seat.takeovers >= TAKEOVERS_TO_LEAVE - 1 else game.rules.takeover_after
    if seat.missed >= allowed:
        seat.missed = 0
        seat.takeovers += 1
        if seat.takeovers >= TAKEOVERS_TO_LEAVE:
            seat.left_at = now
            clocks.note(game, "left", now, seat=seat.position)
        else:
            seat.absent_since = now
            clocks.note(game, "takeover", now, seat=seat.position)
    seat.save(update_fields=("missed", "takeovers", "absent_since", "left_at"))
