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

from . import bots, clocks, finishing, ledger
from .deadlines import enforce_deadline, save_outage

logger = logging.getLogger(__name__)

AT_ONCE = 100
POISONED_WAITS = timedelta(minutes=1)


def sweep() -> dict[str, int]:
    """Do all that is due: outages first, then missed turns, bots, stopped tables.

    Safe to run any number of times at once. Returns how many games each part dealt with.
    """
    now = timezone.now()
    beat(now)
    games = Game.objects
    return {
        "outages": sum(_settle(outage) for outage in Outage.objects.filter(settled_at=None)),
        "overdue": _each(games.overdue(now)[:AT_ONCE], _time_out),
        "bots": _each(games.due_for_bots(now)[:AT_ONCE], _play_bots),
        "closed": _each(games.due_to_close(now)[:AT_ONCE], close_if_waited_enough),
    }


def beat(now: datetime) -> None:
    """Say that a sweep runs, and record the outage when the last one was long ago."""
    with transaction.atomic(durable=True):
        heartbeat, _ = Heartbeat.objects.select_for_update().get_or_create(
            pk=1, defaults={"beat_at": now}
        )
        silence = now - heartbeat.beat_at
        if silence > clocks.LONGEST_SILENCE:
            Outage.objects.create(began_at=heartbeat.beat_at, ended_at=now)
        if silence < -clocks.LONGEST_SILENCE:
            # Some machine's clock was ahead; left there, it would hide every outage until then.
            logger.error("The last sweep is in the future: a clock is wrong.")
        elif silence < timedelta(0):
            return
        heartbeat.beat_at = now
        heartbeat.save(update_fields=("beat_at",))


def _settle(outage: Outage) -> int:
    """Add an outage to whatever runs out, a game at a time; a kill in between costs nothing.

    Games whose players have met it meanwhile have it already; one that fails gets it when its
    own time is looked at.
    """
    done = _each(Game.objects.ticking().filter(turn_started_at__lt=outage.ended_at), _add_outage)
    outage.settled_at = timezone.now()
    outage.save(update_fields=("settled_at",))
    return done


def _each(due: GameQuerySet, act: Callable[[Game], None]) -> int:
    """Act on each of these games, one transaction each. One that fails is put off."""
    done = 0
    for game in due:
        try:
            act(game)
            done += 1
        except Exception as error:
            # Its words may hold a tile, so the log gets only its kind.
            kind = getattr(error, "code", type(error).__name__)
            logger.error("Match %s is put off by a minute: %s.", game.code, kind)
            _put_off(game)
    return done


def _put_off(game: Game) -> None:
    """Move what is due of a game that cannot be processed, unless it changed meanwhile."""
    later = timezone.now() + POISONED_WAITS
    for clock in ("deadline_at", "bot_due_at", "closes_at"):
        due = getattr(game, clock)
        if due is not None and due < later:
            Game.objects.filter(pk=game.pk, **{clock: due}).update(**{clock: later})


def _add_outage(game: Game) -> None:
    with transaction.atomic(durable=True):
        game = Game.objects.locked().get(pk=game.pk)
        if clocks.add_outages(game):
            save_outage(game)


def _play_bots(game: Game) -> None:
    bots.play_bots(game.code)


def _time_out(game: Game) -> None:
    enforce_deadline(game.code, wait=False)


def close_if_waited_enough(stopped: Game) -> None:
    """Close a table to which nobody came back, settled on the standing (R17)."""
    with transaction.atomic(durable=True):
        game = Game.objects.free_to_lock().filter(pk=stopped.pk).first()
        if game is None:
            return
        seats, now = seats_of(game), timezone.now()
        if clocks.has_waited_enough(game, now):
            clocks.note(game, "closed", now)
            finishing.finish_match(game, seats, CLOSED, now)
            ledger.save_summary(game)
