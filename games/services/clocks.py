"""Every rule about time: deadlines, bots' turns, stopping, outages (R16–R17)."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Game, Heartbeat, Outage, Seat
from games.selectors import rfc3339

from .nudge import nudge

# Sweeps run every few seconds; a longer silence is an outage, and no thinking time.
LONGEST_SILENCE = timedelta(minutes=2)
# How long a stopped table waits for its people, and where guests play bots (R17).
WAITS = timedelta(days=7)
WAITS_FOR_GUESTS = timedelta(days=30)


def start_turn(game: Game, seats: list[Seat], position: int, now: datetime) -> None:
    """Give the turn to a seat: a deadline for a person, a due time for a bot.

    A table whose people are all away stops: no bot moves and no clock runs (R17).
    """
    game.to_move = position
    game.turn_started_at = now
    game.deadline_at = game.bot_due_at = game.stopped_at = game.closes_at = None
    if everyone_away(seats):
        game.stopped_at = now
        game.closes_at = now + _waits(seats)
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


def _waits(seats: list[Seat]) -> timedelta:
    """How long a stopped table waits for its people (R17)."""
    guests = all(seat.user.is_guest for seat in seats if seat.user is not None)
    against_bots = any(seat.user_id is None for seat in seats)
    return WAITS_FOR_GUESTS if guests and against_bots else WAITS


def is_overdue(game: Game, now: datetime) -> bool:
    """Whether the turn's deadline has passed, every outage added. The game is locked."""
    return game.deadline_at is not None and _ran_out(game, game.deadline_at, now)


def has_waited_enough(game: Game, now: datetime) -> bool:
    """Whether a stopped table is to close, every outage added. The game is locked."""
    return game.closes_at is not None and _ran_out(game, game.closes_at, now)


def _ran_out(game: Game, end: datetime, now: datetime) -> bool:
    if now < end:
        return False
    return now >= end + add_outages(game) + _silence_now(game, now)


def add_outages(game: Game) -> timedelta:
    """Add the outages since the turn began that were not added yet, and say so in the log."""
    added = timedelta(0)
    if game.turn_started_at is None:
        return added
    missed = Outage.objects.filter(
        pk__gt=game.outage_id or 0, ended_at__gt=game.turn_started_at
    ).order_by("pk")
    for outage in missed:
        lost = outage.ended_at - max(outage.began_at, game.turn_started_at)
        game.deadline_at = game.deadline_at and game.deadline_at + lost
        game.closes_at = game.closes_at and game.closes_at + lost
        game.outage = outage
        game.version += 1
        note(game, "outage", outage.ended_at, seconds=int(lost.total_seconds()))
        added += lost
    return added


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
