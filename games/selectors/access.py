"""Who may open what; the matrix is written down in docs/access.md."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Game

Viewer = User | AnonymousUser


def may_watch(user: Viewer, codes: Iterable[UUID]) -> set[UUID]:
    """Of these tables, those whose page and event stream this person may open."""
    found = Game.objects.filter(code__in=list(codes)).watchable_by(user)
    return set(found.values_list("code", flat=True))


def may_open(game: Game, user: Viewer) -> bool:
    """Whether this person may open the table's page."""
    return game.public or game.code in may_watch(user, [game.code])


def may_open_replays(game: Game, user: Viewer) -> bool:
    """Whether this person may open finished rounds, replays, the deal's proof and the record."""
    return game.replays_open or may_open(game, user)
