"""The guarantee: whatever is due is found here, though every message be lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.engine.match import CLOSED
from games.models import Game, Heartbeat, Outage
from games.querysets import GameQuerySet
from games.selectors import seats_of
from games.selectors.tables import WAITS, closes_at

from . import bots, clocks, finishing, ledger
from .deadlines import enforce_deadline, save_outage

logger = logging.getLogger(__name__)

AT_ONCE = 100
POISONED_WAITS = timedelta(minutes=1)


def sweep() -> dict[str, int]:
    """Do all that is due: outages first, then missed turns, bots, stopped tables.

    Safe to run any number of times at once. Returns how many games each part dealt with.
    """
    beat(timezone.now())
    outages = sum(_settle(outage) for outage in Outage.objects.filter(settled_at=None))
    return {
        "outages": outages,
        "overdue": _each(Game.objects.overdue(timezone.now()), _time_out),
        "bots": _each(Game.objects.due_for_bots(timezone.now()), _play_bots),
        "closed": _each(_stopped_for_long(), close_if_waited_enough),
    }


def beat(now: datetime) -> None:
    """Say that a sweep runs, and record the outage when the last one was long ago."""
    with transaction.atomic(durable=True):
        heartbeat, _ = Heartbeat.objects.select_for_update().get_or_create(
            pk=1, defaults={"beat_at": now}
        )
        if now - heartbeat.beat_at > clocks.LONGEST_SILENCE:
            Outage.objects.create(began_at=heartbeat.beat_at, ended_at=now)
        if now > heartbeat.beat_at:
            heartbeat.beat_at = now
            heartbeat.save(update_fields=("beat_at",))


def _settle(outage: Outage) -> int:
    """Add an outage to every running deadline, a game at a time; a kill in between costs nothing.

    Games whose players have met it meanwhile have it already.
    """
    waiting = Game.objects.ticking().filter(turn_started_at__lt=outage.ended_at)
    done = 0
    for code in waiting.values_list("code", flat=True):
        with transaction.atomic(durable=True):
            game = Game.objects.locked().get(code=code)
            before = game.version
            clocks.add_outages(game)
            if game.version != before:
                save_outage(game)
                done += 1
    outage.settled_at = timezone.now()
    outage.save(update_fields=("settled_at",))
    return done


def _each(due: GameQuerySet, act: Callable[[Game], None]) -> int:
    """Act on up to a hundred due games, one transaction each. One that fails is put off."""
    done = 0
    for game in due[:AT_ONCE]:
        try:
            act(game)
            done += 1
        except Exception:
            logger.exception("Match %s is put off by a minute.", game.code)
            _put_off(game)
    return done


def _put_off(game: Game) -> None:
    later = timezone.now() + POISONED_WAITS
    if game.deadline_at is not None:
        Game.objects.filter(pk=game.pk, deadline_at=game.deadline_at).update(deadline_at=later)
    if game.bot_due_at is not None:
        Game.objects.filter(pk=game.pk, bot_due_at=game.bot_due_at).update(bot_due_at=later)


def _play_bots(game: Game) -> None:
    bots.play_bots(game.code)


def _time_out(game: Game) -> None:
    enforce_deadline(game.code, wait=False)


def _stopped_for_long() -> GameQuerySet:
    since = timezone.now() - WAITS
    return Game.objects.running().filter(stopped_at__lte=since).order_by("stopped_at")


def close_if_waited_enough(stopped: Game) -> None:
    """Close a table to which nobody came back, settled on the standing (R17)."""
    with transaction.atomic(durable=True):
        game = Game.objects.free_to_lock().filter(pk=stopped.pk).first()
        if game is None:
            return
        seats, now = seats_of(game), timezone.now()
        closing = closes_at(game, seats)
        if closing is not None and closing <= now:
            clocks.note(game, "closed", now)
            finishing.finish_match(game, seats, CLOSED, now)
            ledger.save_summary(game)
