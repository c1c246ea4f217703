"""Every rule about time: deadlines, bots' turns, stopping, outages (R16–R17)."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Game, Heartbeat, Outage, Seat
from games.selectors import rfc3339

from .nudge import nudge

# Sweeps run every few seconds; a longer silence is an outage, and no thinking time.
LONGEST_SILENCE = timedelta(minutes=2)


def start_turn(game: Game, seats: list[Seat], position: int, now: datetime) -> None:
    """Give the turn to a seat: a deadline for a person, a due time for a bot.

    A table whose people are all away stops: no bot moves and no clock runs (R17).
    """
    game.to_move = position
    game.turn_started_at = now
    game.deadline_at = game.bot_due_at = None
    if everyone_away(seats):
        if game.stopped_at is None:
            game.stopped_at = now
            note(game, "stopped", now)
    elif seats[position].by_bot:
        game.bot_due_at = now
        nudge("games.tasks.play_bots", game.code)
    else:
        game.deadline_at = now + game.turn_length


def everyone_away(seats: list[Seat]) -> bool:
    """Whether the table has people and none of them plays himself."""
    people = [seat for seat in seats if seat.user_id is not None]
    return bool(people) and all(seat.by_bot for seat in people)


def is_overdue(game: Game, now: datetime) -> bool:
    """Whether the turn's deadline has passed, every outage added. The game is locked."""
    if game.deadline_at is None or now < game.deadline_at:
        return False
    add_outages(game)
    return now >= game.deadline_at + _silence_now(game, now)


def add_outages(game: Game) -> None:
    """Add the outages since the turn began that were not added yet, and say so in the log."""
    if game.deadline_at is None or game.turn_started_at is None:
        return
    missed = Outage.objects.filter(
        pk__gt=game.outage_id or 0, ended_at__gt=game.turn_started_at
    ).order_by("pk")
    for outage in missed:
        lost = outage.ended_at - max(outage.began_at, game.turn_started_at)
        game.deadline_at += lost
        game.outage = outage
        game.version += 1
        note(game, "outage", outage.ended_at, seconds=int(lost.total_seconds()))


def _silence_now(game: Game, now: datetime) -> timedelta:
    """The part of this turn that falls into an outage which no sweep has recorded yet."""
    assert game.turn_started_at is not None
    beat_at = Heartbeat.objects.values_list("beat_at", flat=True).first()
    if beat_at is None or now - beat_at <= LONGEST_SILENCE:
        return timedelta(0)
    return now - max(beat_at, game.turn_started_at)


def note(game: Game, kind: str, at: datetime, **details: object) -> None:
    """Add a line to the match's log of events; everybody may read it."""
    game.events = [*game.events, {"kind": kind, "at": rfc3339(at), **details}]
