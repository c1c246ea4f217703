"""Adjectives for stored games."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.db import connection, models
from django.db.models import Count, IntegerField, Q, Subquery, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User
    from games.models.game import Seat


class GameQuerySet(models.QuerySet):
    def locked(self) -> GameQuerySet:
        """Rows held until the transaction ends. SQLite's IMMEDIATE transaction does the same."""
        return self.select_for_update(of=("self",))

    def free_to_lock(self) -> GameQuerySet:
        """Like locked, without waiting for rows that somebody else holds."""
        skip = connection.features.has_select_for_update_skip_locked
        return self.select_for_update(skip_locked=skip, of=("self",))

    def gathering(self) -> GameQuerySet:
        return self.filter(started_at=None, finished_at=None)

    def running(self) -> GameQuerySet:
        return self.filter(to_move__isnull=False)

    def ticking(self) -> GameQuerySet:
        """Those for which some time runs out: a turn's, or a stopped table's."""
        return self.filter(Q(deadline_at__isnull=False) | Q(closes_at__isnull=False))

    def overdue(self, now: datetime) -> GameQuerySet:
        return self.filter(deadline_at__lte=now).order_by("deadline_at")

    def due_for_bots(self, now: datetime) -> GameQuerySet:
        return self.filter(bot_due_at__lte=now).order_by("bot_due_at")

    def due_to_close(self, now: datetime) -> GameQuerySet:
        return self.filter(closes_at__lte=now).order_by("closes_at")

    def waiting_for(self, user: User) -> GameQuerySet:
        """Games in which it is this person's turn, least time left first."""
        return self.filter(
            deadline_at__isnull=False,
            seats__user=user,
            seats__position=models.F("to_move"),
            seats__absent_since=None,
            seats__left_at=None,
        ).order_by("deadline_at", "pk")

    def watchable_by(self, user: User | AnonymousUser) -> GameQuerySet:
        """Tables whose page this person may open: public ones and those he belongs to."""
        if not user.is_authenticated:
            return self.filter(public=True)
        # Asked of staff alone: for others it would cost two queries a page, to no end.
        if user.is_staff and user.has_perm("games.view_game"):
            return self.all()
        seated = self._seated(user)
        following: GameQuerySet = GameQuerySet(self.model).gathering().filter(rematch_of__in=seated)
        return self.filter(Q(public=True) | Q(pk__in=seated) | Q(pk__in=following.values("pk")))

    def with_free_seats(self) -> GameQuerySet:
        players = Cast(KT("options__players"), IntegerField())
        return self.annotate(taken=Count("seats")).filter(taken__lt=players)

    def with_waiting_of(self, user: User | AnonymousUser) -> GameQuerySet:
        """Each with `waiting`, how many games wait for this person: saves a page a query."""
        if not user.is_authenticated:
            return self.annotate(waiting=Value(0))
        waiting = GameQuerySet(self.model).waiting_for(user).order_by().values(none=Value(1))
        counted = waiting.annotate(n=Count("pk")).values("n")
        return self.annotate(waiting=Coalesce(Subquery(counted), 0))

    def _seated(self, user: User) -> QuerySet[Seat, int]:
        """Keys of the games with a seat of this person, read from the index of his seats."""
        return user.seats.values_list("game", flat=True)
