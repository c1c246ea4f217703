"""What happens to seats when a guest turns out to be somebody with an account."""

from __future__ import annotations

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import SeatTaken
from games.models import Game, Seat


def hand_over(*, guest: User, user: User) -> None:
    """Give a guest's seats and tables to the account, inside the caller's transaction.

    Refused where that would give one person two seats of a match.
    """
    games = Game.objects.locked().filter(seats__user=guest).order_by("pk")
    held = [game.pk for game in games]
    if Seat.objects.filter(user=user, game_id__in=held).exists():
        raise SeatTaken(
            _(
                "You sit at one table both as a guest and with this account, and one person has "
                "only one seat. Finish or leave that match first, or sign in in another browser."
            )
        )
    Seat.objects.filter(user=guest).update(user=user)
    Game.objects.filter(host=guest).update(host=user)
    Game.objects.filter(pk__in=held).update(version=F("version") + 1)
