"""What happens to seats when a guest turns out to be somebody with an account."""

from __future__ import annotations

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import SeatTaken
from games.models import Game, Seat


def hand_over(*, guest: User, user: User) -> None:
    """Give a guest's seats and tables to the account, inside the caller's transaction.

    Refused where that would give one person two seats of a match that is not over. In a finished
    match that both sat in, each keeps his own.
    """
    games = Game.objects.locked().filter(seats__user=guest).order_by("pk")
    held = [game.pk for game in games]
    shared = Game.objects.filter(pk__in=held, seats__user=user)
    if shared.filter(finished_at=None).exists():
        raise SeatTaken(
            _(
                "You sit at one table both as a guest and with this account, and one person has "
                "only one seat. Finish that match first, or sign in in another browser."
            )
        )
    Seat.objects.filter(user=guest).exclude(game__in=list(shared)).update(user=user)
    Game.objects.filter(host=guest).update(host=user)
    Game.objects.filter(pk__in=held).update(version=F("version") + 1)
