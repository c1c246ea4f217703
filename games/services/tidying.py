"""What is thrown away in time: expired sessions, and tables that never started."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from games.models import Game

from . import table

logger = logging.getLogger(__name__)

GATHERS = timedelta(days=30)


def tidy() -> None:
    """Cancel tables that have gathered for 30 days; their rule, not the clock of a match."""
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    old = Game.objects.gathering().filter(created_at__lt=timezone.now() - GATHERS)
    for code in old.values_list("code", flat=True):
        try:
            table.cancel_unstarted(code=code)
        except Exception as error:
            logger.error("Table %s is not cleared away: %s.", code, type(error).__name__)
