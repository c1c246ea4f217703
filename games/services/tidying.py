"""What is thrown away in time: expired sessions, and tables that never started."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from games.engine.match import CANCELLED
from games.models import Game
from games.selectors import seats_of

from . import clocks, finishing, ledger

GATHERS = timedelta(days=30)


def tidy() -> None:
    """Cancel tables that have gathered for 30 days; their rule, not the clock of a match."""
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    old = Game.objects.gathering().filter(created_at__lt=timezone.now() - GATHERS)
    for code in old.values_list("code", flat=True):
        with transaction.atomic(durable=True):
            game = Game.objects.locked().get(code=code)
            if game.status == "open":
                now = timezone.now()
                clocks.note(game, "cancelled", now)
                finishing.finish_match(game, seats_of(game), CANCELLED, now)
                ledger.save_summary(game)
